/* bounding_boxes.c - operators on bounding boxes: overlap, non-maximum suppression, matching, and offsets from anchors.
**
** A box is (left, top, right, bottom), "corner", or (x, y, width, height) with the centre (x, y), "center". Its area is
** 0 if a side is negative. Everything is computed in the element type. Equal scores keep the order of their boxes.
** box_nms moves rows of data; its gradient moves them back, through the change of format, and the two are each other's
** gradients. As in MXNet the other operators have no gradient.
*/
#include <math.h>
#include <string.h>

#include "base/math/double_functions.h"
#include "base/size_math.h"
#include "base/threads/parallel_for.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/hidden_outputs.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/common/shape_rules.h"
#include "kernels/loops/rank_sort.h"
#include "ops/op_registry.h"
#include "tensor/cast_copy.h"

enum { CENTER, CORNER };

typedef struct OverlapParams { int64_t format; } OverlapParams;
typedef struct NmsParams {
  double overlap_thresh, valid_thresh;
  int64_t topk, coord_start, score_index, id_index, background_id, force_suppress, in_format, out_format;
} NmsParams;
typedef struct MoveParams { int64_t coord_start, in_format, out_format; } MoveParams;
typedef struct MatchParams { int64_t is_ascend; double threshold; int64_t topk; } MatchParams;
typedef struct DecodeParams { double std[4], clip; int64_t format; } DecodeParams;

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

/* ---- Kernels: overlaps -------------------------------------------------------------------------------------- */

/* The overlap of two boxes along one axis; the area of a box; intersection over union, 0 if there is no overlap. */
#define OVERLAPS(code, T, suffix)                                                                           \
  static T shared_##suffix(const T *a, const T *b, int64_t format) {                                        \
    T from_a = a[0], to_a = a[2], from_b = b[0], to_b = b[2];                                               \
    if (format == CENTER) {                                                                                 \
      const T half_a = a[2] / 2, half_b = b[2] / 2;                                                         \
      from_a = a[0] - half_a; to_a = a[0] + half_a; from_b = b[0] - half_b; to_b = b[0] + half_b;           \
    }                                                                                                       \
    const T from = from_a > from_b ? from_a : from_b, to = to_a < to_b ? to_a : to_b, w = to - from;        \
    return w > 0 ? w : 0;                                                                                   \
  }                                                                                                         \
  static T area_##suffix(const T *box, int64_t format) {                                                    \
    const T width = format == CENTER ? box[2] : box[2] - box[0];                                            \
    const T height = format == CENTER ? box[3] : box[3] - box[1];                                           \
    return width < 0 || height < 0 ? 0 : width * height;                                                    \
  }                                                                                                         \
  static T overlap_##suffix(const T *a, const T *b, int64_t format) {                                       \
    const T both = shared_##suffix(a, b, format) * shared_##suffix(a + 1, b + 1, format);                   \
    if (!(both > 0)) return 0;                                                                              \
    return both / (area_##suffix(a, format) + area_##suffix(b, format) - both);                             \
  }
EACH_FLOAT(OVERLAPS)

#define IOU(code, T, suffix)                                                                                \
  static void iou_##suffix(void *context, int64_t first, int64_t last) {                                    \
    const Call *c = context;                                                                                \
    const int64_t n = tensor_size(c->in[1]) / 4, format = ((const OverlapParams *)c->params)->format;       \
    for (int64_t i = first; i < last && !interrupted(); i++)                                                \
      for (int64_t j = 0; j < n; j++)                                                                       \
        ((T *)c->out[0]->data)[i * n + j] =                                                                 \
          overlap_##suffix((const T *)c->in[0]->data + 4 * i, (const T *)c->in[1]->data + 4 * j, format);   \
  }
EACH_FLOAT(IOU)

static Status iou_forward(Call *c) {
  return run_parallel(tensor_size(c->in[0]) / 4, (1 << 10) / (tensor_size(c->in[1]) + 1) + 1, BY_DTYPE(c, iou), c);
}

/* ---- Kernels: box_nms -------------------------------------------------------------------------------------- */

static int64_t boxes_of(const Shape *s) { return s->dim[s->ndim - 2]; }
static int64_t images_of(const Shape *s) { return shape_size_range(s, 0, s->ndim - 2); }
static int64_t width_of(const Shape *s) { return s->dim[s->ndim - 1]; }


/* Per thread: the boxes in order of score, and as much space again to sort them. */
static size_t nms_workspace(const Query *q, int *most) {
  const Shape *data = &query_in(q, 0)->shape;
  return workspace_by_items(images_of(data), 2 * (size_t)boxes_of(data) * sizeof(Ranked), most);
}

/* Converts boxes between formats, and gradients by the transpose, in place. */
#define FORMATS(code, T, suffix)                                                                            \
  static void change_##suffix(T *box, int64_t to) {                                                         \
    for (int i = 0; i < 2; i++) {                                                                           \
      const T a = box[i], b = box[2 + i];                                                                   \
      box[i] = to == CENTER ? (a + b) / 2 : a - b / 2;                                                      \
      box[2 + i] = to == CENTER ? b - a : a + b / 2;                                                        \
    }                                                                                                       \
  }                                                                                                         \
  static void change_back_##suffix(T *g, int64_t to) {                                                      \
    for (int i = 0; i < 2; i++) {                                                                           \
      const T a = g[i], b = g[2 + i];                                                                       \
      g[i] = to == CENTER ? a / 2 - b : a + b;                                                              \
      g[2 + i] = to == CENTER ? a / 2 + b : (b - a) / 2;                                                    \
    }                                                                                                       \
  }
EACH_FLOAT(FORMATS)

#define NMS(code, T, suffix)                                                                                \
  /* Do two boxes compete? Boxes of different classes do only with force_suppress. */                       \
  static bool compete_##suffix(const NmsParams *p, const T *a, const T *b) {                                \
    return p->force_suppress || p->id_index < 0 || trunc(a[p->id_index]) == trunc(b[p->id_index]);          \
  }                                                                                                         \
  /* Sorts valid boxes by score; returns their number. */                                                   \
  static int64_t rank_boxes_##suffix(const NmsParams *p, const T *data, int64_t n, int64_t width, Ranked *to) { \
    int64_t count = 0;                                                                                      \
    for (int64_t i = 0; i < n; i++) {                                                                       \
      const T *box = data + i * width;                                                                      \
      if (!(box[p->score_index] > (T)(float)p->valid_thresh)) continue;                                     \
      if (p->id_index >= 0 && box[p->id_index] == (T)p->background_id) continue;                            \
      to[count++] = (Ranked){ box[p->score_index], i };                                                     \
    }                                                                                                       \
    ranked_sort(to, to + n, count);                                                                         \
    return count;                                                                                           \
  }                                                                                                         \
  /* A work item is an image. */                                                                            \
  static void nms_##suffix(void *context, int64_t first, int64_t last) {                                    \
    Call *c = context;                                                                                      \
    const NmsParams *p = c->params;                                                                         \
    const Shape *s = &c->in[0]->type.shape;                                                                 \
    const int64_t n = boxes_of(s), width = width_of(s), from = p->coord_start;                              \
    Ranked *rank = call_thread_workspace(c);                                                                \
    for (int64_t image = first; image < last && !interrupted(); image++) {                                  \
      const T *data = (const T *)c->in[0]->data + image * n * width;                                        \
      T *out = (T *)c->out[0]->data + image * n * width;                                                    \
      int64_t *record = c->out[1]->data ? (int64_t *)c->out[1]->data + image * n : NULL, kept = 0;          \
      int64_t count = rank_boxes_##suffix(p, data, n, width, rank);                                         \
      if (p->topk > 0 && count > p->topk) count = p->topk;                                                  \
      for (int64_t i = 0; i < n * width; i++) out[i] = -1;                                                  \
      for (int64_t i = 0; i < n && record; i++) record[i] = -1;                                             \
      for (int64_t i = 0; i < count && !interrupted(); i++) {                                               \
        const T *box = data + rank[i].index * width;                                                        \
        if (rank[i].index < 0) continue;                                                                    \
        for (int64_t j = i + 1; j < count; j++) {                                                           \
          const T *other = data + rank[j].index * width;                                                    \
          if (rank[j].index < 0 || !compete_##suffix(p, box, other)) continue;                              \
          if (overlap_##suffix(box + from, other + from, p->in_format) > (T)(float)p->overlap_thresh)       \
            rank[j].index = -1;                                                                             \
        }                                                                                                   \
        memcpy(out + kept * width, box, (size_t)width * sizeof(T));                                         \
        if (p->in_format != p->out_format) change_##suffix(out + kept * width + from, p->out_format);       \
        if (record) record[kept] = rank[i].index;                                                           \
        kept++;                                                                                             \
      }                                                                                                     \
    }                                                                                                       \
  }                                                                                                         \
  /* A work item is an image. Moves rows by the record, or back. */                                         \
  static void move_##suffix(const Call *c, int64_t image, bool back) {                                      \
    const MoveParams *p = c->params;                                                                        \
    const Shape *s = &c->in[0]->type.shape;                                                                 \
    const int64_t n = boxes_of(s), width = width_of(s);                                                     \
    const T *from = (const T *)c->in[0]->data + image * n * width;                                          \
    T *to = (T *)c->out[0]->data + image * n * width;                                                       \
    const int64_t *record = (const int64_t *)c->in[1]->data + image * n;                                    \
    memset(to, 0, (size_t)(n * width) * sizeof(T));                                                         \
    for (int64_t i = 0; i < n; i++) {                                                                       \
      if (record[i] < 0) continue;                                                                          \
      T *row = to + (back ? record[i] : i) * width;                                                         \
      memcpy(row, from + (back ? i : record[i]) * width, (size_t)width * sizeof(T));                        \
      if (p->in_format == p->out_format) continue;                                                          \
      if (back) change_back_##suffix(row + p->coord_start, p->out_format);                                  \
      else change_##suffix(row + p->coord_start, p->out_format);                                            \
    }                                                                                                       \
  }                                                                                                         \
  static void backward_nms_##suffix(void *context, int64_t first, int64_t last) {                           \
    for (int64_t i = first; i < last && !interrupted(); i++) move_##suffix(context, i, true);               \
  }                                                                                                         \
  static void nms_rows_##suffix(void *context, int64_t first, int64_t last) {                               \
    for (int64_t i = first; i < last && !interrupted(); i++) move_##suffix(context, i, false);              \
  }
EACH_FLOAT(NMS)

/* topk = 0 returns data unchanged. */
static Status nms_forward(Call *c) {
  const Shape *s = &c->in[0]->type.shape;
  const int64_t n = boxes_of(s), images = images_of(s);
  if (((const NmsParams *)c->params)->topk != 0) return run_parallel(images, 1, BY_DTYPE(c, nms), c);
  copy_block(c->in[0]->data, c->out[0]->data, tensor_bytes(c->in[0]));
  for (int64_t i = 0; i < images * n && c->out[1]->data; i++) ((int64_t *)c->out[1]->data)[i] = i % n;
  return interrupt_status();
}

static Status backward_nms_forward(Call *c) {
  return run_parallel(images_of(&c->in[0]->type.shape), 1, BY_DTYPE(c, backward_nms), c);
}

static Status nms_rows_forward(Call *c) {
  return run_parallel(images_of(&c->in[0]->type.shape), 1, BY_DTYPE(c, nms_rows), c);
}

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

/* ---- Kernels: matches and offsets ---------------------------------------------------------------------------- */

static size_t match_workspace(const Query *q, int *most) {
  const Shape *data = &query_in(q, 0)->shape;
  return workspace_by_items(images_of(data), 2 * (size_t)(boxes_of(data) * width_of(data)) * sizeof(Ranked), most);
}

#define MATCH(code, T, suffix)                                                                              \
  /* A work item is a matrix. */                                                                            \
  static void match_##suffix(void *context, int64_t first, int64_t last) {                                  \
    Call *c = context;                                                                                      \
    const MatchParams *p = c->params;                                                                       \
    const Shape *s = &c->in[0]->type.shape;                                                                 \
    const int64_t rows = boxes_of(s), columns = width_of(s), size = rows * columns;                         \
    const T threshold = (T)(float)p->threshold;                                                             \
    Ranked *rank = call_thread_workspace(c);                                                                \
    for (int64_t k = first; k < last && !interrupted(); k++) {                                              \
      const T *data = (const T *)c->in[0]->data + k * size;                                                 \
      T *of_row = (T *)c->out[0]->data + k * rows, *of_column = (T *)c->out[1]->data + k * columns;         \
      int64_t count = 0, matched = 0;                                                                       \
      for (int64_t i = 0; i < rows; i++) of_row[i] = -1;                                                    \
      for (int64_t i = 0; i < columns; i++) of_column[i] = -1;                                              \
      for (int64_t i = 0; i < size; i++)                                                                    \
        if (p->is_ascend ? data[i] < threshold : data[i] > threshold)                                       \
          rank[count++] = (Ranked){ p->is_ascend ? -data[i] : data[i], i };                                 \
      ranked_sort(rank, rank + size, count);                                                                \
      for (int64_t i = 0; i < count && (p->topk <= 0 || matched < p->topk); i++) {                          \
        const int64_t row = rank[i].index / columns, column = rank[i].index % columns;                      \
        if (of_row[row] != -1 || of_column[column] != -1) continue;                                         \
        of_row[row] = (T)column;                                                                            \
        of_column[column] = (T)row;                                                                         \
        matched++;                                                                                          \
      }                                                                                                     \
    }                                                                                                       \
  }                                                                                                         \
  static Status encode_##suffix(const Call *c) {                                                            \
    const int64_t n = c->in[2]->type.shape.dim[1], m = c->in[3]->type.shape.dim[1], all = tensor_size(c->in[0]); \
    const T *samples = c->in[0]->data, *matches = c->in[1]->data, *mean = c->in[4]->data, *std = c->in[5]->data; \
    for (int64_t i = 0; i < all && !interrupted(); i++) {                                                   \
      T *target = (T *)c->out[0]->data + 4 * i, *mask = (T *)c->out[1]->data + 4 * i;                       \
      const T *anchor = (const T *)c->in[2]->data + 4 * i;                                                  \
      const bool valid = samples[i] > (T)0.5;                                                               \
      for (int k = 0; k < 4; k++) { target[k] = 0; mask[k] = valid; }                                       \
      if (!valid) continue;                                                                                 \
      if (!(matches[i] >= 0 && matches[i] < (T)m))                                                          \
        return fail("%s: matches: expected rows of refs from 0 to %lld, got %g", op_title(c->op), (long long)m - 1, \
                    (double)matches[i]);                                                                    \
      const T *ref = (const T *)c->in[3]->data + 4 * (i / n * m + (int64_t)matches[i]);                     \
      for (int k = 0; k < 2; k++) {                                                                         \
        const T size = anchor[2 + k] - anchor[k], own = ref[2 + k] - ref[k];                                \
        const T at = anchor[k] + size * (T)0.5, to = ref[k] + own * (T)0.5;                                 \
        target[k] = ((to - at) / size - mean[k]) / std[k];                                                  \
        target[2 + k] = (T)((hl_log64(own / size) - mean[2 + k]) / std[2 + k]);                             \
      }                                                                                                     \
    }                                                                                                       \
    return interrupt_status();                                                                              \
  }                                                                                                         \
  static Status decode_##suffix(const Call *c) {                                                            \
    const DecodeParams *p = c->params;                                                                      \
    const int64_t n = c->in[0]->type.shape.dim[1], all = tensor_size(c->in[0]) / 4;                         \
    const T clip = (T)(float)p->clip;                                                                       \
    for (int64_t i = 0; i < all && !interrupted(); i++) {                                                   \
      const T *x = (const T *)c->in[0]->data + 4 * i, *anchor = (const T *)c->in[1]->data + i % n * 4;      \
      T *out = (T *)c->out[0]->data + 4 * i;                                                                \
      for (int k = 0; k < 2; k++) {                                                                         \
        const T size = p->format == CORNER ? anchor[2 + k] - anchor[k] : anchor[2 + k];                     \
        const T at = p->format == CORNER ? anchor[k] + size * (T)0.5 : anchor[k];                           \
        const T to = x[k] * (T)(float)p->std[k] * size + at, grown = x[2 + k] * (T)(float)p->std[2 + k];    \
        const T half = (T)(hl_exp64(clip > 0 && grown > clip ? clip : grown) * size * (T)0.5);              \
        out[k] = to - half;                                                                                 \
        out[2 + k] = to + half;                                                                             \
      }                                                                                                     \
    }                                                                                                       \
    return interrupt_status();                                                                              \
  }
EACH_FLOAT(MATCH)

static Status match_forward(Call *c) {
  return run_parallel(images_of(&c->in[0]->type.shape), 1, BY_DTYPE(c, match), c);
}

static Status encode_forward(Call *c) { return BY_DTYPE(c, encode)(c); }
static Status decode_forward(Call *c) { return BY_DTYPE(c, decode)(c); }

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
    .params_size = sizeof(OverlapParams), .flags = OP_NO_GRAD, .name_stem = "box_iou", .infer = infer_iou,
    .forward = iou_forward },
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
    .infer = infer_nms, .forward = nms_forward, .thread_workspace = nms_workspace, .grad = nms_grad },
  { .name = "_backward_box_nms", .doc = "Moves rows back to their original indices, by a record", .inputs = "g record",
    .params = MOVE_PARAMS, .params_size = sizeof(MoveParams), .differentiable = 1, .flags = OP_INTERNAL,
    .infer = infer_move, .forward = backward_nms_forward, .grad = backward_nms_grad },
  { .name = "_box_nms_rows", .doc = "Selects rows by a record, with zeros where it is -1", .inputs = "data record",
    .params = MOVE_PARAMS, .params_size = sizeof(MoveParams), .differentiable = 1, .flags = OP_INTERNAL,
    .infer = infer_move, .forward = nms_rows_forward, .grad = nms_rows_grad },
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
    .params_size = sizeof(MatchParams), .flags = OP_NO_GRAD, .name_stem = "bipartite_matching", .infer = infer_match,
    .forward = match_forward, .thread_workspace = match_workspace },
  { .name = "_contrib_box_encode", .aliases = "contrib.box_encode",
    .doc = "Training targets of a detector: the offsets from anchors, (batch, anchor, corners), to matched boxes of "
           "refs, (batch, box, corners), and a mask. matches, (batch, anchor), has the index of the box. Both results "
           "are 0 where samples is at most 0.5. The offsets are those of the centre divided by the anchor's size, and "
           "the logarithms of the ratios of sizes, minus means and divided by stds",
    .example = "F.contrib.box_encode(F.array{{1, 0}}, F.array{{1, 0}}, F.array{{{0, 0, 1, 1}, {0, 0, 2, 2}}}, "
               "F.array{{{0, 0, 2, 2}, {1, 1, 3, 2}}}, F.array{0, 0, 0, 0}, F.array{0.1, 0.1, 0.2, 0.2})",
    .inputs = "samples matches anchors refs means stds", .outputs = "output0 output1", .flags = OP_NO_GRAD,
    .name_stem = "box_encode", .infer = infer_encode, .forward = encode_forward },
  { .name = "_contrib_box_decode", .aliases = "contrib.box_decode",
    .doc = "The inverse of box_encode: corners of the boxes at offsets data, (batch, anchor, 4), from anchors, (1, "
           "anchor, 4)",
    .example = "F.contrib.box_decode(F.array{{{0.1, 0.2, 0.3, 0.4}}}, F.array{{{0.5, 0.5, 1, 1}}})\n"
               "F.contrib.box_decode(F.array{{{0.1, 0.2, 0.3, 0.4}}}, F.array{{{0, 0, 1, 2}}}, {format = \"corner\", "
               "std0 = 0.1, clip = 0.2})",
    .inputs = "data anchors",
    .params = "std0 float 1 The factor of x.\nstd1 float 1 The factor of y.\nstd2 float 1 The factor of the width.\n"
              "std3 float 1 The factor of the height.\n"
              "clip float -1 The upper bound of logarithms; below 0: none.\n"
              FORMAT("format", "center", "The format of anchors."),
    .params_size = sizeof(DecodeParams), .flags = OP_NO_GRAD, .name_stem = "box_decode", .infer = infer_decode,
    .forward = decode_forward },
  { 0 }
};
/* clang-format on */
