/* proposals.c - Proposal and MultiProposal: regions of interest from the scores of anchors (Faster R-CNN).
**
** The kernels are in kernels/vision/proposals_kernels.c, which describe the steps.
*/
#include "ops/vision/proposals.h"

#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

static int proposal_visible(const Query *q) { return ((const ProposalParams *)q->params)->output_score ? 2 : 1; }

static Status check_params(const ProposalParams *p) {
  if (p->scales.count < 1) return fail("scales: expected one number or more, got none");
  if (p->ratios.count < 1) return fail("ratios: expected one number or more, got none");
  for (int64_t i = 0; i < p->scales.count; i++)
    if (!(list_floats(&p->scales)[i] > 0))
      return fail("scales: expected numbers above 0, got %g", list_floats(&p->scales)[i]);
  for (int64_t i = 0; i < p->ratios.count; i++)
    if (!(list_floats(&p->ratios)[i] > 0))
      return fail("ratios: expected numbers above 0, got %g", list_floats(&p->ratios)[i]);
  if (p->rpn_post_nms_top_n < 1)
    return fail("rpn_post_nms_top_n: expected 1 or more, got %lld", (long long)p->rpn_post_nms_top_n);
  if (p->feature_stride < 1) return fail("feature_stride: expected 1 or more, got %lld", (long long)p->feature_stride);
  return OK;
}

static Status infer_proposals(Infer *f, bool single) {
  const ProposalParams *p = f->params;
  const Shape *scores = &f->in[0].shape;
  TRY(check_params(p));
  TRY(one_float_dtype(f, 3, 2));
  TRY(check_images("cls_prob", scores));
  const int64_t anchors = proposal_anchors(p);
  TRY(input_shape(f, 0, &(Shape){ 4, { single ? 1 : UNKNOWN, 2 * anchors, UNKNOWN, UNKNOWN } }));
  TRY(input_shape(f, 1, &(Shape){ 4, { scores->dim[0], 4 * anchors, scores->dim[2], scores->dim[3] } }));
  TRY(input_shape(f, 2, &(Shape){ 2, { scores->dim[0], 3 } }));
  const int64_t rows = scores->dim[0] < 0 ? UNKNOWN : scores->dim[0] * p->rpn_post_nms_top_n;
  TRY(output_shape(f, 0, &(Shape){ 2, { rows, 5 } }));
  return output_shape(f, 1, &(Shape){ 2, { rows, 1 } });
}

static Status infer_proposal(Infer *f) { return infer_proposals(f, true); }
static Status infer_multi_proposal(Infer *f) { return infer_proposals(f, false); }

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define PARAMS                                                                                               \
  "rpn_pre_nms_top_n int 6000 The number of boxes that go into the suppression; 0 or less: all.\n"           \
  "rpn_post_nms_top_n int 300 The number of boxes of each image in the output.\n"                            \
  "threshold float 0.7 Of two boxes that overlap more, the one with the lower score is suppressed.\n"        \
  "rpn_min_size int 16 The least height and width of a box, in the image before scaling.\n"                  \
  "scales floats (4,8,16,32) The sizes of anchors, in strides.\n"                                            \
  "ratios floats (0.5,1,2) The anchors' heights divided by their widths.\n"                                  \
  "feature_stride int 16 The image's size divided by that of cls_prob.\n"                                    \
  "output_score bool False Return the scores too.\n"                                                         \
  "iou_loss bool False bbox_pred has the differences of corners, not of centres and sizes.\n"
#define DOC                                                                                                  \
  " cls_prob has the channels (background or object, anchor), bbox_pred (anchor, 4), im_info a row (height, width, "  \
  "scale) for each image. The output has rows (image, left, top, right, bottom); if fewer boxes are left, they are "  \
  "repeated. Gradients are zero (S. Ren et al., 2015)"
#define CALL(name, batch)                                                                                    \
  "F.contrib." name "(F.array{" batch "}, "                                             \
  "F.array{{{{0.1, 0.2}}, {{0, -0.3}}, {{0.2, 0.1}}, {{0, 0.4}}, {{-0.2, 0.3}}, {{0.1, 0}}, {{0.3, -0.1}}, " \
  "{{0.2, 0.1}}}}, F.array{{32, 48, 1}}, {rpn_post_nms_top_n = 3, scales = {1}, ratios = {0.5, 1}, "         \
  "rpn_min_size = 4, output_score = true})"
#define SCORES "{{{0.4, 0.3}}, {{0.2, 0.9}}, {{0.6, 0.7}}, {{0.8, 0.1}}}"

/* clang-format off */
Op proposal_ops[] = {
  { .name = "_contrib_Proposal", .aliases = "contrib.Proposal",
    .doc = "The best regions of one image: anchors moved by bbox_pred, without those that overlap better ones." DOC,
    .example = CALL("Proposal", SCORES),
    .inputs = "cls_prob bbox_pred im_info", .outputs = "output score", .params = PARAMS,
    .params_size = sizeof(ProposalParams), .n_visible = proposal_visible, .name_stem = "proposal", .flags = OP_NO_GRAD,
    .infer = infer_proposal },
  { .name = "_contrib_MultiProposal", .aliases = "contrib.MultiProposal",
    .doc = "The best regions of each image: anchors moved by bbox_pred, without those that overlap better ones." DOC,
    .example = CALL("MultiProposal", SCORES),
    .inputs = "cls_prob bbox_pred im_info", .outputs = "output score", .params = PARAMS,
    .params_size = sizeof(ProposalParams), .n_visible = proposal_visible, .name_stem = "multiproposal",
    .flags = OP_NO_GRAD, .infer = infer_multi_proposal },
  { 0 }
};
/* clang-format on */
