/* ssd_multibox.c - operators of the single-shot detector: prior boxes, their training targets, and detection.
**
** Boxes are (left, top, right, bottom) in an image of width and height 1. Everything is computed in the element type,
** with an image per work item; equal scores keep the order of the anchors. As in MXNet there are no gradients. (W. Liu
** et al., 2016.) The kernels are in kernels/vision/ssd_multibox_kernels.c.
*/
#include "ops/vision/ssd_multibox.h"

#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

/* ---- Inference ------------------------------------------------------------------------------------------ */

static Status check_count(const char *param, const List *l, int64_t n) {
  if (l->count == n) return OK;
  return fail("%s: expected %lld numbers, got %lld", param, (long long)n, (long long)l->count);
}

static Status check_prior(const PriorParams *p) {
  if (p->sizes.count < 1) return fail("sizes: expected one or more numbers, got none");
  if (p->ratios.count < 1) return fail("ratios: expected one or more numbers, got none");
  TRY(check_count("steps", &p->steps, 2));
  TRY(check_count("offsets", &p->offsets, 2));
  const double *steps = list_floats(&p->steps), *offsets = list_floats(&p->offsets);
  if (steps[0] * steps[1] < 0) return fail("steps: expected both above 0 or neither, got (%g, %g)", steps[0], steps[1]);
  for (int i = 0; i < 2; i++)
    if (!(offsets[i] >= 0 && offsets[i] <= 1)) return fail("offsets: expected numbers from 0 to 1, got %g", offsets[i]);
  return OK;
}

static Status infer_prior(Infer *f) {
  const PriorParams *p = f->params;
  const Shape *data = &f->in[0].shape;
  TRY(check_prior(p));
  TRY(one_float_dtype(f, 1, 1));
  if (data->ndim < 0) return OK;
  if (data->ndim < 4 || data->dim[2] == 0 || data->dim[3] == 0)
    return fail("data: expected (batch, channel, height, width), with height and width of 1 or more, got %s",
                shape_text(data));
  if (data->dim[2] < 0 || data->dim[3] < 0) return OK;
  TRY(shape_check(&(Shape){ 3, { data->dim[2], data->dim[3], boxes_at_place(p) } }, "data"));
  return output_shape(f, 0, &(Shape){ 3, { 1, data->dim[2] * data->dim[3] * boxes_at_place(p), 4 } });
}

static Status infer_target(Infer *f) {
  const TargetParams *p = f->params;
  Shape *anchor = &f->in[0].shape, *label = &f->in[1].shape, *pred = &f->in[2].shape;
  TRY(check_count("variances", &p->variances, 4));
  if (p->negative_mining_ratio > 0 && !(p->negative_mining_thresh > 0))
    return fail("negative_mining_thresh: expected a number above 0, got %g", p->negative_mining_thresh);
  TRY(one_float_dtype(f, 3, 3));
  TRY(input_shape(f, 0, &(Shape){ 3, { 1, UNKNOWN, 4 } }));
  TRY(input_shape(f, 1, &(Shape){ 3, { UNKNOWN, UNKNOWN, UNKNOWN } }));
  TRY(input_shape(f, 2, &(Shape){ 3, { label->dim[0], UNKNOWN, anchor->dim[1] } }));
  TRY(input_shape(f, 1, &(Shape){ 3, { pred->dim[0], UNKNOWN, UNKNOWN } }));
  TRY(input_shape(f, 0, &(Shape){ 3, { 1, pred->dim[2], 4 } }));
  if (label->dim[2] >= 0 && label->dim[2] < 5)
    return fail("label: expected rows (class, left, top, right, bottom, ...), got %s", shape_text(label));
  const int64_t anchors = anchor->dim[1], batch = label->dim[0];
  for (int i = 0; i < 2; i++) TRY(output_shape(f, i, &(Shape){ 2, { batch, anchors < 0 ? UNKNOWN : 4 * anchors } }));
  return output_shape(f, 2, &(Shape){ 2, { batch, anchors } });
}

static Status infer_detection(Infer *f) {
  const DetectionParams *p = f->params;
  Shape *prob = &f->in[0].shape, *loc = &f->in[1].shape, *anchor = &f->in[2].shape;
  TRY(check_count("variances", &p->variances, 4));
  TRY(one_float_dtype(f, 3, 1));
  TRY(input_shape(f, 0, &(Shape){ 3, { UNKNOWN, UNKNOWN, UNKNOWN } }));
  TRY(input_shape(f, 2, &(Shape){ 3, { 1, prob->dim[2], 4 } }));
  TRY(input_shape(f, 0, &(Shape){ 3, { UNKNOWN, UNKNOWN, anchor->dim[1] } }));
  const int64_t anchors = prob->dim[2];
  TRY(input_shape(f, 1, &(Shape){ 2, { prob->dim[0], anchors < 0 ? UNKNOWN : 4 * anchors } }));
  TRY(input_shape(f, 0, &(Shape){ 3, { loc->dim[0], UNKNOWN, UNKNOWN } }));
  return output_shape(f, 0, &(Shape){ 3, { prob->dim[0], anchors, 6 } });
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define VARIANCES "variances floats (0.1,0.1,0.2,0.2) The factors of the offsets x, y, width and height.\n"
#define ANCHORS "F.array{{{0, 0, 0.5, 0.5}, {0.5, 0.5, 1, 1}, {0.1, 0.1, 0.6, 0.6}}}"
#define CLASSES "F.array{{{0.1, 0.1, 0.1}, {0.8, 0.7, 0.6}, {0.1, 0.2, 0.3}}}"

/* clang-format off */
Op multibox_ops[] = {
  { .name = "_contrib_MultiBoxPrior", .aliases = "contrib.MultiBoxPrior",
    .doc = "Prior boxes around each position of data, (batch, channel, height, width), as (1, height width n, 4): all "
           "sizes with the first ratio of width to height, then the first size with the other ratios (W. Liu et al., "
           "2016). A size is a height relative to the image's",
    .example = "F.contrib.MultiBoxPrior(F.zeros{1, 3, 1, 2}, {sizes = {0.5, 0.25}, ratios = {1, 2}})\n"
               "F.contrib.MultiBoxPrior(F.zeros{1, 3, 1, 1}, {sizes = 1.5, clip = true, steps = {0.3, 0.2}, "
               "offsets = {0, 1}})",
    .inputs = "data",
    .params = "sizes floats (1,) Sizes.\nratios floats (1,) Ratios of width to height.\n"
              "clip bool False Clip boxes to the image.\n"
              "steps floats (-1,-1) The distance between positions, along height and width; -1: spread evenly.\n"
              "offsets floats (0.5,0.5) The offset of a position in its step, along height and width.\n",
    .params_size = sizeof(PriorParams), .flags = OP_NO_GRAD | OP_BY_TYPES | OP_NAMED_INPUT,
    .name_stem = "multiboxprior", .infer = infer_prior },
  { .name = "_contrib_MultiBoxTarget", .aliases = "contrib.MultiBoxTarget",
    .doc = "Training targets of a detector (W. Liu et al., 2016), from anchors, (1, anchor, 4), and the objects of "
           "each image, label: rows (class, left, top, right, bottom), then rows of -1. An object gets the anchor that "
           "overlaps it most, and all others that overlap it by more than overlap_threshold. The results are the "
           "offsets of matched objects and a mask, (batch, 4 anchor), and each anchor's class, (batch, anchor): the "
           "object's class + 1, or 0 for background. negative_mining_ratio limits background to this many anchors per "
           "matched anchor: those that overlap objects by less than negative_mining_thresh and have the lowest "
           "background probability by cls_pred, (batch, class, anchor). Other anchors, and those of images without "
           "objects, have ignore_label. minimum_negative_samples is honoured (MXNet on CPU ignores it); if there are "
           "too few negatives, all are used",
    .example = "F.contrib.MultiBoxTarget(" ANCHORS
               ", F.array{{{1, 0, 0, 0.4, 0.4}, {-1, -1, -1, -1, -1}}}, " CLASSES ")\n"
               "F.contrib.MultiBoxTarget(" ANCHORS
               ", F.array{{{1, 0, 0, 0.4, 0.4}, {0, 0.2, 0.2, 0.6, 0.6}}}, " CLASSES ", "
               "{negative_mining_ratio = 1, overlap_threshold = 0.3})",
    .inputs = "anchor label cls_pred", .outputs = "loc_target loc_mask cls_target",
    .params = "overlap_threshold float 0.5 The overlap above which an anchor matches an object.\n"
              "ignore_label float -1 The class of ignored anchors.\n"
              "negative_mining_ratio float -1 Background anchors per matched anchor; -1: all others.\n"
              "negative_mining_thresh float 0.5 The overlap below which an anchor may be background.\n"
              "minimum_negative_samples int 0 The least number of background anchors.\n" VARIANCES,
    .params_size = sizeof(TargetParams), .flags = OP_NO_GRAD, .name_stem = "multiboxtarget", .infer = infer_target },
  { .name = "_contrib_MultiBoxDetection", .aliases = "contrib.MultiBoxDetection",
    .doc = "The detections of a detector, from class probabilities cls_prob, (batch, class, anchor), where class 0 is "
           "the background, offsets loc_pred, (batch, 4 anchor), and anchors, (1, anchor, 4). The rows are (class, "
           "score, left, top, right, bottom), with classes counted from 0, sorted by score, and followed by rows of "
           "-1. The class becomes -1 if a better box of the same class overlaps by nms_threshold or more (W. Liu et "
           "al., 2016)",
    .example = "F.contrib.MultiBoxDetection(" CLASSES ", F.zeros{1, 12}, " ANCHORS ", {nms_threshold = 0.4})\n"
               "F.contrib.MultiBoxDetection(" CLASSES ", F.ones{1, 12}, " ANCHORS ", {threshold = 0.65, clip = false, "
               "nms_topk = 1})\n"
               "F.contrib.MultiBoxDetection(F.ones{2, 5, 9}, F.zeros{2, 36}, F.ones{1, 9, 4})",
    .inputs = "cls_prob loc_pred anchor",
    .params = "clip bool True Clip boxes to the image.\n"
              "threshold float 0.01 The lowest score of a detection.\n"
              "background_id int 0 Accepted for MXNet's sake: the background is class 0.\n"
              "nms_threshold float 0.5 The overlap that removes a box; outside 0 to 1: keep all boxes, unsorted.\n"
              "force_suppress bool False Remove boxes of other classes too.\n" VARIANCES
              "nms_topk int -1 Number of boxes to consider, by score; the rest have class -1, in the order of "
              "the anchors, as in MXNet; below 1: all.\n",
    .params_size = sizeof(DetectionParams), .flags = OP_NO_GRAD, .name_stem = "multiboxdetection",
    .infer = infer_detection },
  { 0 }
};
/* clang-format on */
