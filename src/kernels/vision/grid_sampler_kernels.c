/* grid_sampler_kernels.c - kernels of BilinearSampler, GridGenerator, SpatialTransformer and their gradients. */
#include <math.h>

#include "base/math/scalar_functions.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/corners.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/common/shared_params.h"
#include "ops/vision/grid_sampler.h"
#include "tensor/cast_copy.h"

/* ---- Grids ---------------------------------------------------------------------------------------------------- */

typedef struct SampleGrid {
  int64_t height, width;           /* of the grid */
  const void *from;                /* transforms, (batch, 6), or flows, (batch, 2, height, width) */
  void *to;
} SampleGrid;

/* The column `own` of kernels of grids: loops by the type of transform. */
typedef struct GridLoops { ParallelBody *affine, *warp; } GridLoops;

/* Number of steps along an axis from -1 to 1. */
static double steps_of(int64_t n) { return n > 1 ? (double)(n - 1) : 1; }

#define GRID(code, T, suffix)                                                                               \
  /* The coordinate of index i along an axis of size n. */                                                  \
  static T place_##suffix(int64_t i, int64_t n) { return (T)(-1 + (double)i * 2 / steps_of(n)); }           \
  /* Coordinate `row` (0: x, 1: y) of the point (x, y) after a transform. */                                \
  static T moved_##suffix(const T *transform, int row, T x, T y) {                                          \
    const T *t = transform + 3 * row;                                                                       \
    return t[0] * x + t[1] * y + t[2];                                                                      \
  }                                                                                                         \
  /* A work item is a row of one coordinate. */                                                             \
  static void affine_##suffix(void *context, int64_t first, int64_t last) {                                 \
    const SampleGrid *r = context;                                                                          \
    for (int64_t item = first; item < last && !interrupted(); item++) {                                     \
      const int64_t i = item % r->height;                                                                   \
      const int row = (int)(item / r->height % 2);                                                          \
      const T *transform = (const T *)r->from + item / r->height / 2 * 6, y = place_##suffix(i, r->height); \
      T *to = (T *)r->to + item * r->width;                                                                 \
      for (int64_t j = 0; j < r->width; j++) to[j] = moved_##suffix(transform, row, place_##suffix(j, r->width), y); \
    }                                                                                                       \
  }                                                                                                         \
  static void warp_##suffix(void *context, int64_t first, int64_t last) {                                   \
    const SampleGrid *r = context;                                                                          \
    for (int64_t item = first; item < last && !interrupted(); item++) {                                     \
      const int64_t i = item % r->height;                                                                   \
      const bool is_y = item / r->height % 2;                                                               \
      const T half = (T)(steps_of(is_y ? r->height : r->width) / 2), *from = (const T *)r->from + item * r->width; \
      T *to = (T *)r->to + item * r->width;                                                                 \
      for (int64_t j = 0; j < r->width; j++) to[j] = (from[j] + (T)(is_y ? i : j)) / half - 1;              \
    }                                                                                                       \
  }                                                                                                         \
  /* A work item is one of the six numbers of a transform. */                                               \
  static void backward_affine_##suffix(void *context, int64_t first, int64_t last) {                        \
    const SampleGrid *r = context;                                                                          \
    for (int64_t item = first; item < last && !interrupted(); item++) {                                     \
      const T *g = (const T *)r->from + item / 3 * r->height * r->width;                                    \
      double sum = 0;                                                                                       \
      for (int64_t i = 0; i < r->height; i++)                                                               \
        for (int64_t j = 0; j < r->width; j++, g++) {                                                       \
          const T by = item % 3 == 0 ? place_##suffix(j, r->width)                                          \
                       : item % 3 == 1 ? place_##suffix(i, r->height) : 1;                                  \
          sum += (double)*g * by;                                                                           \
        }                                                                                                   \
      ((T *)r->to)[item] = (T)sum;                                                                          \
    }                                                                                                       \
  }                                                                                                         \
  static void backward_warp_##suffix(void *context, int64_t first, int64_t last) {                          \
    const SampleGrid *r = context;                                                                          \
    for (int64_t item = first; item < last && !interrupted(); item++) {                                     \
      const bool is_y = item / r->height % 2;                                                               \
      const T half = (T)(steps_of(is_y ? r->height : r->width) / 2), *g = (const T *)r->from + item * r->width; \
      T *to = (T *)r->to + item * r->width;                                                                 \
      for (int64_t j = 0; j < r->width; j++) to[j] = g[j] / half;                                           \
    }                                                                                                       \
  }
EACH_FLOAT(GRID)

static SampleGrid grid_of(const Call *c, const Shape *grid) {
  return (SampleGrid){ .height = grid->dim[2], .width = grid->dim[3], .from = c->in[0]->data, .to = c->out[0]->data };
}

static Status generator(Call *c) {
  const Shape *grid = &c->out[0]->type.shape;
  SampleGrid r = grid_of(c, grid);
  const GridLoops *loops = c->kernel->own;
  const bool affine = ((const GridParams *)c->params)->transform_type == GRID_AFFINE;
  return run_parallel(grid->dim[0] * 2 * r.height, (1 << 12) / (r.width + 1) + 1, affine ? loops->affine : loops->warp,
                      &r);
}

static Status backward_generator(Call *c) {
  const Shape *grid = &c->in[0]->type.shape;
  const GridLoops *loops = c->kernel->own;
  SampleGrid r = grid_of(c, grid);
  if (((const GridParams *)c->params)->transform_type == GRID_AFFINE)
    return run_parallel(grid->dim[0] * 6, (1 << 12) / (r.height * r.width + 1) + 1, loops->affine, &r);
  return run_parallel(grid->dim[0] * 2 * r.height, (1 << 12) / (r.width + 1) + 1, loops->warp, &r);
}

/* ---- Sampling ------------------------------------------------------------------------------------- */

typedef struct Sampling {
  int64_t channels, height, width, out_height, out_width, blocks;     /* blocks: of CHANNELS channels */
  int dx, dy;
  const void *from, *grid, *transforms;    /* a grid, or transforms that determine one */
  void *to;
} Sampling;

EACH_FLOAT(CORNERS_OF)

#define SAMPLING(code, T, suffix)                                                                           \
  static void corner_##suffix(const Sampling *r, T gx, T gy, int64_t i, Corners_##suffix *c) {              \
    const T x = (gx + 1) * (T)(r->width - 1) / 2, y = (gy + 1) * (T)(r->height - 1) / 2;                    \
    const T left = floor(x), top = floor(y);                                                                \
    for (int k = 0; k < 4; k++) {                                                                           \
      const bool down = k / 2, right = k % 2;                                                               \
      const T row = top + (T)down, column = left + (T)right;                                                \
      const bool inside = row >= 0 && row <= (T)(r->height - 1) && column >= 0 && column <= (T)(r->width - 1); \
      c->weight[k][i] = weight_##suffix(r->dy, down, y - top) * weight_##suffix(r->dx, right, x - left);    \
      c->at[k][i] = inside ? (int64_t)row * r->width + (int64_t)column : -1;                                \
    }                                                                                                       \
  }                                                                                                         \
  /* The corners of outputs [first, first + n) of an image. */                                              \
  static void find_corners_##suffix(const Sampling *r, int64_t image, int64_t first, int64_t n, Corners_##suffix *c) { \
    const int64_t places = r->out_height * r->out_width;                                                    \
    const T *grid = (const T *)r->grid + image * 2 * places + first;                                        \
    const T *transform = (const T *)r->transforms + image * 6;                                              \
    if (!r->transforms) {                                                                                   \
      for (int64_t i = 0; i < n; i++) corner_##suffix(r, grid[i], grid[places + i], i, c);                  \
      return;                                                                                               \
    }                                                                                                       \
    for (int64_t i = 0; i < n; i++) {                                                                       \
      const T x = place_##suffix((first + i) % r->out_width, r->out_width);                                 \
      const T y = place_##suffix((first + i) / r->out_width, r->out_height);                                \
      corner_##suffix(r, moved_##suffix(transform, 0, x, y), moved_##suffix(transform, 1, x, y), i, c);     \
    }                                                                                                       \
  }                                                                                                         \
  /* A work item is a part of the outputs of an image. */                                                   \
  static void sample_##suffix(void *context, int64_t begin, int64_t end) {                                  \
    const Sampling *r = context;                                                                            \
    const int64_t places = r->out_height * r->out_width, parts = (places + PART - 1) / PART;                \
    Corners_##suffix c;                                                                                     \
    for (int64_t item = begin; item < end && !interrupted(); item++) {                                      \
      const int64_t image = item / parts, first = item % parts * PART;                                      \
      const int64_t n = places - first < PART ? places - first : PART;                                      \
      find_corners_##suffix(r, image, first, n, &c);                                                        \
      for (int64_t k = image * r->channels; k < (image + 1) * r->channels; k++) {                           \
        const T *plane = (const T *)r->from + k * r->height * r->width;                                     \
        read_corners_##suffix(&c, plane, n, (T *)r->to + k * places + first);                               \
      }                                                                                                     \
    }                                                                                                       \
  }                                                                                                         \
  /* A work item is a block of the channels of an image. */                                                 \
  static void sample_back_##suffix(void *context, int64_t begin, int64_t end) {                             \
    const Sampling *r = context;                                                                            \
    const int64_t places = r->out_height * r->out_width;                                                    \
    Corners_##suffix c;                                                                                     \
    for (int64_t item = begin; item < end && !interrupted(); item++) {                                      \
      const int64_t image = item / r->blocks, channel = item % r->blocks * CHANNELS;                        \
      const int64_t after = channel + CHANNELS < r->channels ? channel + CHANNELS : r->channels;            \
      for (int64_t first = 0; first < places; first += PART) {                                              \
        const int64_t n = places - first < PART ? places - first : PART;                                    \
        find_corners_##suffix(r, image, first, n, &c);                                                      \
        for (int64_t k = image * r->channels + channel; k < image * r->channels + after; k++) {             \
          T *plane = (T *)r->to + k * r->height * r->width;                                                 \
          add_to_corners_##suffix(&c, (const T *)r->from + k * places + first, n, plane);                   \
        }                                                                                                   \
      }                                                                                                     \
    }                                                                                                       \
  }
EACH_FLOAT(SAMPLING)

static Sampling sampling_of(const Shape *data, const Shape *out) {
  return (Sampling){ .channels = data->dim[1],
                     .height = data->dim[2],
                     .width = data->dim[3],
                     .out_height = out->dim[2],
                     .out_width = out->dim[3],
                     .blocks = (data->dim[1] + CHANNELS - 1) / CHANNELS };
}

static Status run_sample(Call *c, Sampling *r) {
  r->from = c->in[0]->data;
  r->to = c->out[0]->data;
  const int64_t parts = c->in[0]->type.shape.dim[0] * ((r->out_height * r->out_width + PART - 1) / PART);
  return run_parallel(parts, (1 << 10) / ((r->channels + 4) * PART) + 1, c->kernel->body, r);
}

static Status sampler(Call *c) {
  Sampling r = sampling_of(&c->in[0]->type.shape, &c->out[0]->type.shape);
  r.grid = c->in[1]->data;
  return run_sample(c, &r);
}

static Status sample(Call *c) {
  const OffsetParams *p = c->params;
  Sampling r = sampling_of(&c->in[0]->type.shape, &c->out[0]->type.shape);
  r.grid = c->in[1]->data;
  r.dx = (int)p->dx;
  r.dy = (int)p->dy;
  return run_sample(c, &r);
}

static Status transformer(Call *c) {
  Sampling r = sampling_of(&c->in[0]->type.shape, &c->out[0]->type.shape);
  r.transforms = c->in[1]->data;
  return run_sample(c, &r);
}

static Status sample_back(Call *c) {
  const SampleBackParams *p = c->params;
  Sampling r = sampling_of(&c->out[0]->type.shape, &c->in[0]->type.shape);
  r.grid = c->in[1]->data;
  r.from = c->in[0]->data;
  r.to = c->out[0]->data;
  r.dx = (int)p->dx;
  r.dy = (int)p->dy;
  clear_block(r.to, tensor_bytes(c->out[0]));
  const int64_t work = r.out_height * r.out_width * CHANNELS;
  return run_parallel(c->in[0]->type.shape.dim[0] * r.blocks, (1 << 10) / (work + 1) + 1, c->kernel->body, &r);
}

#define GRID_KERNELS(row, function, affine_stem, warp_stem)                                                 \
  { .op = row, .types = ONE_TYPE(DT_FLOAT32), .run = function,                                              \
    .own = &(const GridLoops){ affine_stem##_f32, warp_stem##_f32 } },                                      \
  { .op = row, .types = ONE_TYPE(DT_FLOAT64), .run = function,                                              \
    .own = &(const GridLoops){ affine_stem##_f64, warp_stem##_f64 } }

const Kernel grid_sampler_kernels[] = {
  GRID_KERNELS("GridGenerator", generator, affine, warp),
  GRID_KERNELS("_backward_grid_generator", backward_generator, backward_affine, backward_warp),
  FLOAT_KERNELS("BilinearSampler", sampler, sample, BLOCK_SIZES(CHANNELS, PART)),
  FLOAT_KERNELS("_sample", sample, sample),
  FLOAT_KERNELS("_sample_back", sample_back, sample_back),
  FLOAT_KERNELS("SpatialTransformer", transformer, sample),
  { 0 },
};
