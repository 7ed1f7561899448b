/* deformable_convolution_kernels.c - convolutions whose windows have learned offsets, and their columns.
**
** A sample is the sum of up to four elements times weights, in the order of rows, in the element type. A deformable
** convolution computes the columns of an image in its workspace, then the product of each group of channels.
*/
#include <math.h>

#include "base/math/scalar_functions.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/corners.h"
#include "kernels/loops/kernel_calls.h"
#include "kernels/matmul/matrix_product.h"
#include "ops/nn/im2col.h"
#include "tensor/cast_copy.h"

/* One call, or one image of it. */
typedef struct Deformed {
  int64_t height, width, across, places, kernel_width, taps;       /* of data; of the output; of the window */
  int64_t stride[2], dilate[2], pad[2];                            /* along height, width */
  int64_t channels, groups, in_group, blocks;      /* in_group: channels of a group; blocks: of CHANNELS of them */
  bool outside;
  int dy, dx;
  const void *from, *offset;
  void *to;
} Deformed;

EACH_FLOAT(CORNERS_OF)

#define DEFORMED(code, T, suffix)                                                                            \
  /* The first of the two elements around a coordinate, and the distance from it. Without `outside` the last \
  ** element is extended to its end. */                                                                      \
  static int64_t first_##suffix(const Deformed *r, T x, int64_t n, T *distance) {                            \
    const T low = floor(x);                                                                                  \
    const bool end = !r->outside && low >= (T)(n - 1);                                                       \
    *distance = end ? 0 : x - low;                                                                           \
    return end ? n - 1 : (int64_t)low;                                                                       \
  }                                                                                                          \
  static void corner_##suffix(const Deformed *r, T y, T x, int64_t i, Corners_##suffix *c) {                 \
    const T least = r->outside ? -1 : 0;                                                                     \
    const bool none = !((r->outside ? y > least && x > least : y >= least && x >= least) && y < (T)r->height && \
                        x < (T)r->width);                                                                    \
    T down = 0, right = 0;                                                                                   \
    const int64_t top = none ? 0 : first_##suffix(r, y, r->height, &down);                                   \
    const int64_t left = none ? 0 : first_##suffix(r, x, r->width, &right);                                  \
    for (int k = 0; k < 4; k++) {                                                                            \
      int64_t row = top + k / 2, column = left + k % 2;                                                      \
      if (!r->outside && row == r->height) row--;                                                            \
      if (!r->outside && column == r->width) column--;                                                       \
      const bool inside = !none && row >= 0 && row < r->height && column >= 0 && column < r->width;          \
      c->weight[k][i] = none ? 0 : weight_##suffix(r->dy, k / 2, down) * weight_##suffix(r->dx, k % 2, right); \
      c->at[k][i] = inside ? row * r->width + column : -1;                                                   \
    }                                                                                                        \
  }                                                                                                          \
  /* The corners of places [first, first + n) for a tap of a group of an image. */                           \
  static void find_##suffix(const Deformed *r, int64_t group, int64_t tap, int64_t first, int64_t n,         \
                            Corners_##suffix *c) {                                                           \
    const T *offset = (const T *)r->offset + (group * r->taps + tap) * 2 * r->places + first;                \
    const int64_t from_y = tap / r->kernel_width * r->dilate[0] - r->pad[0];                                 \
    const int64_t from_x = tap % r->kernel_width * r->dilate[1] - r->pad[1];                                 \
    for (int64_t i = 0; i < n; i++) {                                                                        \
      const T y = (T)((first + i) / r->across * r->stride[0] + from_y) + offset[i];                          \
      const T x = (T)((first + i) % r->across * r->stride[1] + from_x) + offset[r->places + i];              \
      corner_##suffix(r, y, x, i, c);                                                                        \
    }                                                                                                        \
  }                                                                                                          \
  /* A work item is a tap of a group of an image. */                                                         \
  static void columns_##suffix(void *context, int64_t begin, int64_t end) {                                  \
    const Deformed *r = context;                                                                             \
    Corners_##suffix c;                                                                                      \
    for (int64_t item = begin; item < end; item++) {                                                         \
      const int64_t tap = item % r->taps, group = item / r->taps, size = r->height * r->width;               \
      for (int64_t first = 0; first < r->places && !interrupted(); first += PART) {                          \
        const int64_t n = r->places - first < PART ? r->places - first : PART;                               \
        find_##suffix(r, group, tap, first, n, &c);                                                          \
        for (int64_t k = group * r->in_group; k < (group + 1) * r->in_group; k++) {                          \
          T *to = (T *)r->to + (k * r->taps + tap) * r->places + first;                                      \
          read_corners_##suffix(&c, (const T *)r->from + k * size, n, to);                                   \
        }                                                                                                    \
      }                                                                                                      \
    }                                                                                                        \
  }                                                                                                          \
  /* A work item is a block of the channels of a group of an image; data's positions are zeros at first. */  \
  static void back_##suffix(void *context, int64_t begin, int64_t end) {                                     \
    const Deformed *r = context;                                                                             \
    Corners_##suffix c;                                                                                      \
    for (int64_t item = begin; item < end; item++) {                                                         \
      const int64_t group = item / r->blocks, channel = item % r->blocks * CHANNELS;                         \
      const int64_t after = channel + CHANNELS < r->in_group ? channel + CHANNELS : r->in_group;             \
      for (int64_t tap = 0; tap < r->taps; tap++)                                                            \
        for (int64_t first = 0; first < r->places && !interrupted(); first += PART) {                        \
          const int64_t n = r->places - first < PART ? r->places - first : PART;                             \
          find_##suffix(r, group, tap, first, n, &c);                                                        \
          for (int64_t k = group * r->in_group + channel; k < group * r->in_group + after; k++) {            \
            T *plane = (T *)r->to + k * r->height * r->width;                                                \
            const T *g = (const T *)r->from + (k * r->taps + tap) * r->places + first;                       \
            add_to_corners_##suffix(&c, g, n, plane);                                                        \
          }                                                                                                  \
        }                                                                                                    \
    }                                                                                                        \
  }                                                                                                          \
  /* Multiplies the columns of an image by its mask: a work item is a channel. */                            \
  static void mask_##suffix(void *context, int64_t begin, int64_t end) {                                     \
    const Deformed *r = context;                                                                             \
    const int64_t size = r->taps * r->places;                                                                \
    for (int64_t k = begin; k < end && !interrupted(); k++) {                                                \
      const T *mask = (const T *)r->from + k / r->in_group * size;                                           \
      T *to = (T *)r->to + k * size;                                                                         \
      for (int64_t i = 0; i < size; i++) to[i] *= mask[i];                                                   \
    }                                                                                                        \
  }                                                                                                          \
  /* Adds the bias: a work item is a channel of an image of the output. */                                   \
  static void bias_##suffix(void *context, int64_t begin, int64_t end) {                                     \
    const Deformed *r = context;                                                                             \
    for (int64_t k = begin; k < end && !interrupted(); k++) {                                                \
      const T bias = ((const T *)r->from)[k % r->channels];                                                  \
      T *to = (T *)r->to + k * r->places;                                                                    \
      for (int64_t i = 0; i < r->places; i++) to[i] += bias;                                                 \
    }                                                                                                        \
  }
EACH_FLOAT(DEFORMED)

/* The column `own`: the loops in one dtype. */
typedef struct DeformedLoops { ParallelBody *columns, *back, *mask, *bias; } DeformedLoops;

static Status deformed_of(const DeformedColumnsParams *p, const Shape *data, Deformed *r) {
  Windows w;
  TRY(deformable_windows(p, data->dim[2], data->dim[3], &w));
  *r = (Deformed){ .height = data->dim[2],
                   .width = data->dim[3],
                   .across = w.out[2],
                   .places = w.out[1] * w.out[2],
                   .kernel_width = w.kernel[2],
                   .taps = w.kernel[1] * w.kernel[2],
                   .stride = { w.stride[1], w.stride[2] },
                   .dilate = { w.dilate[1], w.dilate[2] },
                   .pad = { w.pad[1], w.pad[2] },
                   .channels = data->dim[1],
                   .groups = p->num_deformable_group,
                   .in_group = data->dim[1] / p->num_deformable_group,
                   .outside = p->outside != 0,
                   .dy = (int)p->dy,
                   .dx = (int)p->dx };
  r->blocks = (r->in_group + CHANNELS - 1) / CHANNELS;
  return OK;
}

/* Runs work items of `work` elements each. */
static Status run_items(int64_t items, int64_t work, ParallelBody *body, Deformed *r) {
  return run_parallel(items, (1 << 12) / (work + 1) + 1, body, r);
}

/* All images are like one with more groups, because each has offsets of its own. */
static Status columns(Call *c) {
  Deformed r;
  TRY(deformed_of(c->params, &c->in[0]->type.shape, &r));
  r.from = c->in[0]->data;
  r.offset = c->in[1]->data;
  r.to = c->out[0]->data;
  const DeformedLoops *loops = c->kernel->own;
  return run_items(c->in[0]->type.shape.dim[0] * r.groups * r.taps, r.places * r.in_group, loops->columns, &r);
}

static Status columns_back(Call *c) {
  Deformed r;
  TRY(deformed_of(c->params, &c->out[0]->type.shape, &r));
  r.from = c->in[0]->data;
  r.offset = c->in[1]->data;
  r.to = c->out[0]->data;
  clear_block(r.to, tensor_bytes(c->out[0]));
  const DeformedLoops *loops = c->kernel->own;
  return run_items(c->out[0]->type.shape.dim[0] * r.groups * r.blocks, r.taps * r.places, loops->back, &r);
}

static Status convolution_workspace(const Query *q, Workspace *w) {
  const Shape *out = query_out_shape(q, 0), *data = query_in_shape(q, 0);
  const int64_t *kernel = list_ints(&((const DeformableParams *)q->params)->kernel);
  const int64_t elements = data->dim[1] * kernel[0] * kernel[1] * out->dim[2] * out->dim[3];
  w->bytes = (size_t)elements * dtype_size(query_in(q, 0)->dtype);
  return OK;
}

/* The products of the columns of one image with the weights of each group. */
static Status multiply_groups(const Call *c, const Deformed *r, const Tensor *weight, char *to) {
  const DeformableParams *p = c->params;
  const size_t size = dtype_size(weight->type.dtype);
  Product one = { .dtype = weight->type.dtype,
                  .m = p->num_filter / p->num_group,
                  .n = r->places,
                  .k = r->channels / p->num_group * r->taps,
                  .alpha = 1 };
  for (int64_t g = 0; g < p->num_group; g++) {
    one.a = (const char *)weight->data + (size_t)(g * one.m * one.k) * size;
    one.b = (const char *)r->to + (size_t)(g * one.k * one.n) * size;
    one.c = to + (size_t)(g * one.m * one.n) * size;
    TRY(product(&one));
  }
  return OK;
}

static Status convolution(Call *c, const Tensor *mask, const Tensor *weight, const Tensor *bias) {
  const DeformedColumnsParams p = deformed_columns_of(c->params, mask != NULL);
  const DeformedLoops *loops = c->kernel->own;
  const Shape *data = &c->in[0]->type.shape, *out = &c->out[0]->type.shape;
  const size_t size = dtype_size(c->out[0]->type.dtype);
  Deformed r, then;
  TRY(deformed_of(&p, data, &r));
  r.to = c->workspace;
  for (int64_t i = 0; i < data->dim[0]; i++) {
    r.from = (const char *)c->in[0]->data + (size_t)(i * r.channels * r.height * r.width) * size;
    r.offset = (const char *)c->in[1]->data + (size_t)(i * r.groups * 2 * r.taps * r.places) * size;
    TRY(run_items(r.groups * r.taps, r.places * r.in_group, loops->columns, &r));
    then = r;
    if (mask) {
      then.from = (const char *)mask->data + (size_t)(i * r.groups * r.taps * r.places) * size;
      TRY(run_items(r.channels, r.taps * r.places, loops->mask, &then));
    }
    TRY(multiply_groups(c, &r, weight, (char *)c->out[0]->data + (size_t)(i * out->dim[1] * r.places) * size));
  }
  if (!bias) return OK;
  then = r;
  then.channels = out->dim[1];
  then.from = bias->data;
  then.to = c->out[0]->data;
  return run_items(out->dim[0] * out->dim[1], r.places, loops->bias, &then);
}

static Status convolution_v1(Call *c) { return convolution(c, NULL, c->in[2], c->n_in > 3 ? c->in[3] : NULL); }
static Status convolution_v2(Call *c) { return convolution(c, c->in[2], c->in[3], c->n_in > 4 ? c->in[4] : NULL); }

#define DEFORMED_KERNEL(row, function, code, suffix, ...)                                                    \
  { .op = row, .types = ONE_TYPE(code), .run = function,                                                     \
    .own = &(const DeformedLoops){ columns_##suffix, back_##suffix, mask_##suffix, bias_##suffix }, __VA_ARGS__ },
#define DEFORMED_KERNELS(row, function, ...)                                                                 \
  DEFORMED_KERNEL(row, function, DT_FLOAT32, f32, __VA_ARGS__)                                               \
  DEFORMED_KERNEL(row, function, DT_FLOAT64, f64, __VA_ARGS__)

/* clang-format off */
const Kernel deformable_convolution_kernels[] = {
  DEFORMED_KERNELS("_contrib_DeformableConvolution", convolution_v1, .workspace = convolution_workspace)
  DEFORMED_KERNELS("_contrib_ModulatedDeformableConvolution", convolution_v2, .workspace = convolution_workspace)
  DEFORMED_KERNELS("_deformed_columns", columns)
  DEFORMED_KERNELS("_deformed_columns_back", columns_back)
  { 0 },
};
/* clang-format on */
