/* bounding_boxes_kernels.c - kernels of overlaps, non-maximum suppression, matching, and offsets from anchors. */
#include <math.h>
#include <string.h>

#include "base/math/double_functions.h"
#include "base/size_math.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "kernels/loops/rank_sort.h"
#include "ops/vision/bounding_boxes.h"
#include "tensor/cast_copy.h"

/* ---- Overlaps ------------------------------------------------------------------------------------------------ */

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

static Status iou(Call *c) {
  return run_parallel(tensor_size(c->in[0]) / 4, (1 << 10) / (tensor_size(c->in[1]) + 1) + 1, c->kernel->body, c);
}

/* ---- box_nms -------------------------------------------------------------------------------------- */

static int64_t boxes_of(const Shape *s) { return s->dim[s->ndim - 2]; }
static int64_t images_of(const Shape *s) { return shape_size_range(s, 0, s->ndim - 2); }
static int64_t width_of(const Shape *s) { return s->dim[s->ndim - 1]; }

/* Per thread: the boxes in order of score, and as much space again to sort them. */
static Status nms_workspace(const Query *q, Workspace *w) {
  const Shape *data = &query_in(q, 0)->shape;
  w->thread_bytes = workspace_by_items(images_of(data), 2 * (size_t)boxes_of(data) * sizeof(Ranked), &w->most_threads);
  return OK;
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

/* Runs a body whose work items are images. */
static Status each_image(Call *c) { return run_parallel(images_of(&c->in[0]->type.shape), 1, c->kernel->body, c); }

/* topk = 0 returns data unchanged. */
static Status nms(Call *c) {
  const Shape *s = &c->in[0]->type.shape;
  const int64_t n = boxes_of(s), images = images_of(s);
  if (((const NmsParams *)c->params)->topk != 0) return each_image(c);
  copy_block(c->in[0]->data, c->out[0]->data, tensor_bytes(c->in[0]));
  for (int64_t i = 0; i < images * n && c->out[1]->data; i++) ((int64_t *)c->out[1]->data)[i] = i % n;
  return interrupt_status();
}

/* ---- Matches and offsets ---------------------------------------------------------------------------- */

static Status match_workspace(const Query *q, Workspace *w) {
  const Shape *data = &query_in(q, 0)->shape;
  const size_t bytes = 2 * (size_t)(boxes_of(data) * width_of(data)) * sizeof(Ranked);
  w->thread_bytes = workspace_by_items(images_of(data), bytes, &w->most_threads);
  return OK;
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
  static Status encode_##suffix(Call *c) {                                                                  \
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
  static Status decode_##suffix(Call *c) {                                                                  \
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

const Kernel bounding_boxes_kernels[] = {
  FLOAT_KERNELS("_contrib_box_iou", iou, iou),
  FLOAT_KERNELS("_contrib_box_nms", nms, nms, .workspace = nms_workspace),
  FLOAT_KERNELS("_backward_box_nms", each_image, backward_nms),
  FLOAT_KERNELS("_box_nms_rows", each_image, nms_rows),
  FLOAT_KERNELS("_contrib_bipartite_matching", each_image, match, .workspace = match_workspace),
  { .op = "_contrib_box_encode", .types = ONE_TYPE(DT_FLOAT32), .run = encode_f32 },
  { .op = "_contrib_box_encode", .types = ONE_TYPE(DT_FLOAT64), .run = encode_f64 },
  { .op = "_contrib_box_decode", .types = ONE_TYPE(DT_FLOAT32), .run = decode_f32 },
  { .op = "_contrib_box_decode", .types = ONE_TYPE(DT_FLOAT64), .run = decode_f64 },
  { 0 },
};
