/* bounding_boxes.c - operators on bounding boxes: overlap, non-maximum suppression, matching, and offsets from anchors.
**
** A box is (left, top, right, bottom), "corner", or (x, y, width, height) with the centre (x, y), "center". Its area is
** 0 if a side is negative. Everything is computed in the element type. Equal scores keep the order of their boxes. The
** kernels are in kernels/vision/bounding_boxes_kernels.c.
**
** box_nms moves rows of data; its gradient moves them back, through the change of format, and the two are each other's
** gradients. As in MXNet the other operators have no gradient.
*/
#include "ops/vision/bounding_boxes.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/hidden_outputs.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

/* ---- Inference ------------------------------------------------------------------------------------------ */

static Status check_boxes(const Infer *f, int i) {
  const Shape *s = &f->in[i].shape;
  if (s->ndim < 0) return OK;
  if (s->ndim >= 2 && (s->dim[s->ndim - 1] < 0 || s->dim[s->ndim - 1] == 4)) return OK;
  return fail("%s: expected boxes, 2 dimensions or more with size 4 along the last, got %s", op_input_name(f->op, i),
              shape_text(s));
}

static Status infer_iou(Infer *f) {
  const Shape *a = &f->in[0].shape, *b = &f->in[1].shape;
  TRY(one_float_dtype(f, 2, 1));
  TRY(check_boxes(f, 0));
  TRY(check_boxes(f, 1));
  if (a->ndim < 0 || b->ndim < 0) return OK;
  Shape out = { .ndim = a->ndim + b->ndim - 2 };
  if (out.ndim > MAX_DIMS)
    return fail("rhs: expected at most %d dimensions, got %s", MAX_DIMS + 2 - a->ndim, shape_text(b));
  for (int i = 0; i < a->ndim - 1; i++) out.dim[i] = a->dim[i];
  for (int i = 0; i < b->ndim - 1; i++) out.dim[a->ndim - 1 + i] = b->dim[i];
  return output_shape(f, 0, &out);
}

/* Checks that a column is in the row, but not among the coordinates. */
static Status check_column(const char *param, int64_t column, int64_t coordinates, int64_t width) {
  if (column < 0 || column >= width)
    return fail("%s: expected a column from 0 to %lld, got %lld", param, (long long)width - 1, (long long)column);
  if (column >= coordinates && column < coordinates + 4)
    return fail("%s: expected a column other than the coordinates, %lld to %lld, got %lld", param,
                (long long)coordinates, (long long)coordinates + 3, (long long)column);
  return OK;
}

static Status check_columns(const NmsParams *p, const Shape *data) {
  const int64_t width = data->dim[data->ndim - 1], least = p->id_index > 0 ? 6 : 5;
  if (width < least)
    return fail("data: expected rows of at least %lld numbers, a score and coordinates%s, got %s", (long long)least,
                p->id_index > 0 ? " and a class" : "", shape_text(data));
  if (p->coord_start < 0 || p->coord_start > width - 4)
    return fail("coord_start: expected a column from 0 to %lld, got %lld", (long long)width - 4,
                (long long)p->coord_start);
  TRY(check_column("score_index", p->score_index, p->coord_start, width));
  if (p->id_index < 0) return OK;
  TRY(check_column("id_index", p->id_index, p->coord_start, width));
  if (p->id_index == p->score_index)
    return fail("id_index: expected a column other than score_index, got %lld for both", (long long)p->id_index);
  return OK;
}

static Shape record_shape(const Shape *data) {
  Shape s = *data;
  s.dim[s.ndim - 1] = 1;
  return s;
}

static Status infer_nms(Infer *f) {
  const Shape *data = &f->in[0].shape;
  TRY(one_float_dtype(f, 1, 1));
  TRY(output_dtype(f, 1, DT_INT64));
  if (data->ndim >= 0 && data->ndim < 2)
    return fail("data: expected 2 dimensions or more (..., box, column), got %s", shape_text(data));
  TRY(one_shape(f, 0, 0));
  if (data->ndim < 0) return OK;
  if (data->dim[data->ndim - 1] >= 0) TRY(check_columns(f->params, data));
  Shape record = record_shape(data);
  return output_shape(f, 1, &record);
}

/* Inputs: rows and the record of their moves. */
static Status infer_move(Infer *f) {
  const Shape *rows = &f->in[0].shape;
  TRY(one_float_dtype(f, 1, 1));
  TRY(input_dtype(f, 1, DT_INT64));
  TRY(one_shape(f, 0, 0));
  if (rows->ndim < 2) return OK;
  Shape record = record_shape(rows);
  return input_shape(f, 1, &record);
}

static Status infer_match(Infer *f) {
  const Shape *data = &f->in[0].shape;
  TRY(one_float_dtype(f, 1, 2));
  if (data->ndim < 0) return OK;
  if (data->ndim < 2) return fail("data: expected 2 dimensions or more (..., row, column), got %s", shape_text(data));
  Shape rows = without_axis(data, data->ndim - 1), columns = without_axis(data, data->ndim - 2);
  TRY(output_shape(f, 0, &rows));
  return output_shape(f, 1, &columns);
}

static Status infer_encode(Infer *f) {
  const Shape *anchors = &f->in[2].shape, *refs = &f->in[3].shape, four = { 1, { 4 } };
  TRY(one_float_dtype(f, 6, 2));
  for (int i = 4; i < 6; i++) TRY(input_shape(f, i, &four));
  TRY(input_shape(f, 2, &(Shape){ 3, { UNKNOWN, UNKNOWN, 4 } }));
  TRY(input_shape(f, 3, &(Shape){ 3, { anchors->dim[0], UNKNOWN, 4 } }));
  TRY(input_shape(f, 2, &(Shape){ 3, { refs->dim[0], UNKNOWN, 4 } }));
  Shape each = { 2, { anchors->dim[0], anchors->dim[1] } };
  for (int i = 0; i < 2; i++) {
    TRY(input_shape(f, i, &each));
    TRY(output_shape(f, i, anchors));
  }
  return OK;
}

static Status infer_decode(Infer *f) {
  const Shape *data = &f->in[0].shape;
  TRY(one_float_dtype(f, 2, 1));
  TRY(input_shape(f, 0, &(Shape){ 3, { UNKNOWN, UNKNOWN, 4 } }));
  TRY(input_shape(f, 1, &(Shape){ 3, { 1, data->dim[1], 4 } }));
  return one_shape(f, 0, 0);
}

/* ---- Gradients -------------------------------------------------------------------------------------------------- */

static Status nms_grad(Gradient *d) {
  const NmsParams *p = gradient_params(d);
  MoveParams q = { p->coord_start, p->in_format, p->topk == 0 ? p->in_format : p->out_format };
  return only_gradient(d, build_op(d->b, "_backward_box_nms", &q, 2, d->out_grad[0], ((Entry){ d->node, 1 })));
}

static Status grad_by_record(Gradient *d, const char *row) {
  return only_gradient(d, build_op(d->b, row, gradient_params(d), 2, d->out_grad[0], d->node->in[1]));
}

static Status backward_nms_grad(Gradient *d) { return grad_by_record(d, "_box_nms_rows"); }
static Status nms_rows_grad(Gradient *d) { return grad_by_record(d, "_backward_box_nms"); }

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define FORMAT(name, value, text) name " {center,corner} " value " " text "\n"
#define MOVE_PARAMS                                                             \
  "coord_start int - The column of the first coordinate.\n"                     \
  FORMAT("in_format", "-", "The format of data.")                               \
  FORMAT("out_format", "-", "The format of the output.")

/* clang-format off */
Op boxes_ops[] = {
  { .name = "_contrib_box_iou", .aliases = "contrib.box_iou",
    .doc = "Intersection over union of each box in lhs with each box in rhs. The shape is that of lhs without its last "
           "axis, followed by that of rhs without its last axis",
    .example = "F.contrib.box_iou(F.array{{0, 0, 1, 1}, {0.5, 0.5, 1.5, 1.5}}, F.array{{0, 0, 1, 1}, {1, 1, 2, 2}})\n"
               "F.contrib.box_iou(F.array{{0, 0, 1, 1}}, F.array{{0.5, 0, 1, 2}, {3, 3, 1, 1}}, {format = \"center\"})",
    .inputs = "lhs rhs", .params = FORMAT("format", "corner", "The format of boxes."),
    .params_size = sizeof(OverlapParams), .flags = OP_NO_GRAD, .name_stem = "box_iou", .infer = infer_iou },
  { .name = "_contrib_box_nms", .aliases = "contrib.box_nms _contrib_box_non_maximum_suppression "
                                           "contrib.box_non_maximum_suppression",
    .doc = "Non-maximum suppression. A row of data, (..., box, column), is a box: a score, coordinates and perhaps a "
           "class. Boxes with a score of at most valid_thresh, or with the class of the background, are dropped. In "
           "the order of scores each box removes the later ones of its class (if there are classes) that overlap it by "
           "more than overlap_thresh. The result has the kept boxes by score, then rows of -1. Unlike in MXNet, the "
           "gradient includes the change of format, and boxes that start below 0 change format too",
    .example = "F.contrib.box_nms(F.array{{0, 0.5, 0.1, 0.1, 0.2, 0.2}, {1, 0.4, 0.1, 0.1, 0.2, 0.2}, "
               "{0, 0.3, 0.1, 0.1, 0.14, 0.14}, {2, 0.6, 0.5, 0.5, 0.7, 0.8}})\n"
               "F.contrib.box_nms(F.array{{0, 0.5, 0.1, 0.1, 0.2, 0.2}, {1, 0.4, 0.1, 0.1, 0.2, 0.2}, "
               "{0, 0.3, 0.1, 0.1, 0.14, 0.14}}, {overlap_thresh = 0.1, id_index = 0, force_suppress = true, "
               "out_format = \"center\"})\n"
               "F.contrib.box_nms(F.array{{{0.5, 1, 1, 2, 2}, {0.9, 1.2, 1, 2, 2}}, "
               "{{0.2, 1, 1, 2, 2}, {0.1, 4, 4, 1, 1}}}, "
               "{coord_start = 1, score_index = 0, topk = 1, in_format = \"center\"})",
    .inputs = "data", .outputs = "output0 output1",
    .params = "overlap_thresh float 0.5 The overlap above which a box is removed.\n"
              "valid_thresh float 0 The score that a box must exceed.\n"
              "topk int -1 Number of boxes to consider, by score; below 0: all; 0: return data.\n"
              "coord_start int 2 The column of the first coordinate.\n"
              "score_index int 1 The column of the score.\n"
              "id_index int -1 The column of the class; below 0: none.\n"
              "background_id int -1 The class of the background, if there are classes.\n"
              "force_suppress bool False Remove boxes of other classes too.\n"
              FORMAT("in_format", "corner", "The format of data.")
              FORMAT("out_format", "corner", "The format of the output."),
    .params_size = sizeof(NmsParams), .n_visible = one_visible, .unused = hidden_unused, .name_stem = "box_nms",
    .infer = infer_nms, .grad = nms_grad },
  { .name = "_backward_box_nms", .doc = "Moves rows back to their original indices, by a record", .inputs = "g record",
    .params = MOVE_PARAMS, .params_size = sizeof(MoveParams), .differentiable = 1, .flags = OP_INTERNAL,
    .infer = infer_move, .grad = backward_nms_grad },
  { .name = "_box_nms_rows", .doc = "Selects rows by a record, with zeros where it is -1", .inputs = "data record",
    .params = MOVE_PARAMS, .params_size = sizeof(MoveParams), .differentiable = 1, .flags = OP_INTERNAL,
    .infer = infer_move, .grad = nms_rows_grad },
  { .name = "_contrib_bipartite_matching", .aliases = "contrib.bipartite_matching",
    .doc = "Pairs the rows and columns of a matrix of scores, (..., row, column), from the best score, each row and "
           "column once. The first result is the column of each row, the second the row of each column, or -1. (topk "
           "limits the number of pairs; MXNet makes one more)",
    .example = "F.contrib.bipartite_matching(F.array{{0.5, 0.6}, {0.1, 0.2}, {0.3, 0.4}}, {threshold = 1e-12})\n"
               "F.contrib.bipartite_matching(F.array{{0.5, 0.6}, {0.1, 0.2}}, {threshold = 0.55, is_ascend = true, "
               "topk = 1})",
    .inputs = "data", .outputs = "output0 output1",
    .params = "is_ascend bool False The lowest score is the best.\n"
              "threshold float - The score that a pair must exceed, or with is_ascend be below.\n"
              "topk int -1 The most pairs; below 1: any number.\n",
    .params_size = sizeof(MatchParams), .flags = OP_NO_GRAD, .name_stem = "bipartite_matching", .infer = infer_match },
  { .name = "_contrib_box_encode", .aliases = "contrib.box_encode",
    .doc = "Training targets of a detector: the offsets from anchors, (batch, anchor, corners), to matched boxes of "
           "refs, (batch, box, corners), and a mask. matches, (batch, anchor), has the index of the box. Both results "
           "are 0 where samples is at most 0.5. The offsets are those of the centre divided by the anchor's size, and "
           "the logarithms of the ratios of sizes, minus means and divided by stds",
    .example = "F.contrib.box_encode(F.array{{1, 0}}, F.array{{1, 0}}, F.array{{{0, 0, 1, 1}, {0, 0, 2, 2}}}, "
               "F.array{{{0, 0, 2, 2}, {1, 1, 3, 2}}}, F.array{0, 0, 0, 0}, F.array{0.1, 0.1, 0.2, 0.2})",
    .inputs = "samples matches anchors refs means stds", .outputs = "output0 output1", .flags = OP_NO_GRAD,
    .name_stem = "box_encode", .effects = op_fails_always, .infer = infer_encode },
  { .name = "_contrib_box_decode", .aliases = "contrib.box_decode",
    .doc = "The inverse of box_encode: corners of the boxes at offsets data, (batch, anchor, 4), from anchors, (1, "
           "anchor, 4)",
    .example = "F.contrib.box_decode(F.array{{{0.1, 0.2, 0.3, 0.4}}}, F.array{{{0.5, 0.5, 1, 1}}})\n"
               "F.contrib.box_decode(F.array{{{0.1, 0.2, 0.3, 0.4}}}, F.array{{{0, 0, 1, 2}}}, {format = \"corner\", "
               "std0 = 0.1, clip = 0.2})\n"
               "F.contrib.box_decode(F.array{{{0.1, 0.2, 0, 0}, {0.5, 0, 0.1, 0}, {0, 0.3, 0, -0.4}}, "
               "{{0, -0.2, 0, 0}, {0.1, 0, 0.2, 0}, {1, 0.3, 0, 0.4}}}, "
               "F.array{{{0.5, 0.5, 1, 1}, {0, 1, 0.5, 0.25}, {2, 1, 1, 2}}})",
    .inputs = "data anchors",
    .params = "std0 float 1 The factor of x.\nstd1 float 1 The factor of y.\nstd2 float 1 The factor of the width.\n"
              "std3 float 1 The factor of the height.\n"
              "clip float -1 The upper bound of logarithms; below 0: none.\n"
              FORMAT("format", "center", "The format of anchors."),
    .params_size = sizeof(DecodeParams), .flags = OP_NO_GRAD, .name_stem = "box_decode", .infer = infer_decode },
  { 0 }
};
/* clang-format on */
