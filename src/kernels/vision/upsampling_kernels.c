/* upsampling_kernels.c - kernels of UpSampling and its gradients. */
#include <string.h>

#include "base/math/scalar_functions.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/vision/upsampling.h"

/* ---- Nearest -------------------------------------------------------------------------------------------------- */

/* A work item is a plane of the output. */
typedef struct NearestRun { const Call *c; bool sum; int64_t channels, height, width; } NearestRun;

#define NEAREST(code, T, suffix)                                                                            \
  /* Enlarges plane `plane` of input k into `out`, or adds it. */                                           \
  static void enlarge_##suffix(const NearestRun *r, int k, int64_t plane, bool add, T *out) {               \
    const Tensor *from = r->c->in[k];                                                                       \
    const int64_t height = from->type.shape.dim[2], width = from->type.shape.dim[3];                        \
    for (int64_t y = 0; y < r->height; y++, out += r->width) {                                              \
      const int64_t across = r->width / width;                                                              \
      const T *row = (const T *)from->data + (plane * height + y / (r->height / height)) * width;           \
      if (!add && y % (r->height / height) > 0) {                                                           \
        memcpy(out, out - r->width, (size_t)r->width * sizeof(T));                                          \
        continue;                                                                                           \
      }                                                                                                     \
      if (across == 2 && !add) { for (int64_t x = 0; x < width; x++) out[2 * x] = out[2 * x + 1] = row[x]; continue; } \
      for (int64_t x = 0; x < width; x++)                                                                   \
        for (int64_t i = 0; i < across; i++) out[x * across + i] = add ? out[x * across + i] + row[x] : row[x]; \
    }                                                                                                       \
  }                                                                                                         \
  static void nearest_##suffix(void *context, int64_t first, int64_t last) {                                \
    const NearestRun *r = context;                                                                          \
    for (int64_t i = first; i < last && !interrupted(); i++) {                                              \
      const int64_t image = i / r->channels;                                                                \
      int64_t channel = i % r->channels;                                                                    \
      T *out = (T *)r->c->out[0]->data + i * r->height * r->width;                                          \
      for (int k = 0; k < r->c->n_in; k++) {                                                                \
        const int64_t has = r->c->in[k]->type.shape.dim[1];                                                 \
        if (r->sum) enlarge_##suffix(r, k, i, k > 0, out);                                                  \
        else if (channel >= has) channel -= has;                                                            \
        else { enlarge_##suffix(r, k, image * has + channel, false, out); break; }                          \
      }                                                                                                     \
    }                                                                                                       \
  }
EACH_FLOAT(NEAREST)

/* The column `own` of UpSampling: loops by the method. */
typedef struct EnlargeLoops { ParallelBody *nearest, *spread; } EnlargeLoops;

static Status nearest(Call *c) {
  const EnlargeLoops *loops = c->kernel->own;
  const Shape *out = &c->out[0]->type.shape;
  NearestRun r = { .c = c,
                   .sum = ((const UpSamplingParams *)c->params)->multi_input_mode == MULTI_SUM,
                   .channels = out->dim[1],
                   .height = out->dim[2],
                   .width = out->dim[3] };
  if (shape_size(out) == 0) return OK;
  return run_parallel(out->dim[0] * out->dim[1], (1 << 14) / (r.height * r.width) + 1, loops->nearest, &r);
}

/* ---- Bilinear ------------------------------------------------------------------------------------ */

/* Sizes of data. `large` is the enlarged array (the output or g), and weight has a window per channel. */
typedef struct BilinearRun {
  int64_t scale, side, before, images, channels, height, width;
  const void *data, *large, *weight;
  void *out;
} BilinearRun;

/* The part of window i that is inside [0, n * scale); it starts `before` elements before i * scale. */
static int64_t window_from(const BilinearRun *r, int64_t i) {
  return i * r->scale < r->before ? r->before - i * r->scale : 0;
}
static int64_t window_to(const BilinearRun *r, int64_t i, int64_t n) {
  const int64_t left = (n - i) * r->scale + r->before;
  return left < r->side ? left : r->side;
}

#define SPREAD(code, T, suffix)                                                                             \
  static void spread_##suffix(void *context, int64_t first, int64_t last) {                                 \
    const BilinearRun *r = context;                                                                         \
    const int64_t width = r->width * r->scale, size = r->height * r->scale * width;                         \
    for (int64_t plane = first; plane < last && !interrupted(); plane++) {                                  \
      const T *weight = (const T *)r->weight + plane % r->channels * r->side * r->side;                     \
      const T *data = (const T *)r->data + plane * r->height * r->width;                                    \
      T *out = (T *)r->out + plane * size;                                                                  \
      memset(out, 0, (size_t)size * sizeof(T));                                                             \
      for (int64_t i = 0; i < r->height; i++)                                                               \
        for (int64_t y = window_from(r, i), down = window_to(r, i, r->height); y < down; y++)               \
          for (int64_t j = 0; j < r->width; j++) {                                                          \
            const T x = data[i * r->width + j], *w = weight + y * r->side;                                  \
            T *to = out + (i * r->scale - r->before + y) * width + j * r->scale - r->before;                \
            const int64_t end = window_to(r, j, r->width);                                                  \
            IVDEP for (int64_t k = window_from(r, j); k < end; k++) to[k] += x * w[k];                      \
          }                                                                                                 \
    }                                                                                                       \
  }                                                                                                         \
  /* Sums the weights times the window in g, at each position (i, j). */                                    \
  static void backward_data_##suffix(void *context, int64_t first, int64_t last) {                          \
    const BilinearRun *r = context;                                                                         \
    const int64_t width = r->width * r->scale, size = r->height * r->scale * width;                         \
    for (int64_t row = first; row < last && !interrupted(); row++) {                                        \
      const int64_t plane = row / r->height, i = row % r->height;                                           \
      const T *weight = (const T *)r->weight + plane % r->channels * r->side * r->side;                     \
      for (int64_t j = 0; j < r->width; j++) {                                                              \
        double sum = 0;                                                                                     \
        for (int64_t y = window_from(r, i), down = window_to(r, i, r->height); y < down; y++) {             \
          const T *g = (const T *)r->large + plane * size + (i * r->scale - r->before + y) * width          \
                       + j * r->scale - r->before;                                                          \
          for (int64_t k = window_from(r, j), end = window_to(r, j, r->width); k < end; k++)                \
            sum += (double)g[k] * weight[y * r->side + k];                                                  \
        }                                                                                                   \
        ((T *)r->out)[row * r->width + j] = (T)sum;                                                         \
      }                                                                                                     \
    }                                                                                                       \
  }                                                                                                         \
  /* A work item is a weight: sums over images and positions. */                                            \
  static void backward_weight_##suffix(void *context, int64_t first, int64_t last) {                        \
    const BilinearRun *r = context;                                                                         \
    const int64_t width = r->width * r->scale, size = r->height * r->scale * width;                         \
    for (int64_t item = first; item < last && !interrupted(); item++) {                                     \
      const int64_t channel = item / (r->side * r->side), y = item / r->side % r->side, k = item % r->side; \
      double sum = 0;                                                                                       \
      for (int64_t image = 0; image < r->images; image++) {                                                 \
        const int64_t plane = image * r->channels + channel;                                                \
        for (int64_t i = 0; i < r->height; i++) {                                                           \
          if (y < window_from(r, i) || y >= window_to(r, i, r->height)) continue;                           \
          const T *g = (const T *)r->large + plane * size + (i * r->scale - r->before + y) * width;         \
          const T *data = (const T *)r->data + (plane * r->height + i) * r->width;                          \
          for (int64_t j = 0; j < r->width; j++) {                                                          \
            if (k < window_from(r, j) || k >= window_to(r, j, r->width)) continue;                          \
            sum += (double)g[j * r->scale - r->before + k] * data[j];                                       \
          }                                                                                                 \
        }                                                                                                   \
      }                                                                                                     \
      ((T *)r->out)[item] = (T)sum;                                                                         \
    }                                                                                                       \
  }
EACH_FLOAT(SPREAD)

/* scale is the first parameter of all rows. */
static BilinearRun spread_of(const Call *c, const Shape *data) {
  const int64_t scale = *(const int64_t *)c->params;
  return (BilinearRun){ .scale = scale,
                        .side = window_side(scale),
                        .before = scale / 2,
                        .images = data->dim[0],
                        .channels = data->dim[1],
                        .height = data->dim[2],
                        .width = data->dim[3],
                        .out = c->out[0]->data };
}

static Status upsampling(Call *c) {
  const EnlargeLoops *loops = c->kernel->own;
  if (((const UpSamplingParams *)c->params)->sample_type == SAMPLE_NEAREST) return nearest(c);
  BilinearRun r = spread_of(c, &c->in[0]->type.shape);
  r.data = c->in[0]->data;
  r.weight = c->in[1]->data;
  const int64_t work = r.height * r.width * r.side * r.side;
  return run_parallel(r.images * r.channels, (1 << 12) / (work + 1) + 1, loops->spread, &r);
}

static Status backward_data(Call *c) {
  BilinearRun r = spread_of(c, &c->out[0]->type.shape);
  r.large = c->in[0]->data;
  r.weight = c->in[1]->data;
  return run_parallel(r.images * r.channels * r.height, (1 << 12) / (r.width * r.side * r.side + 1) + 1,
                      c->kernel->body, &r);
}

static Status backward_weight(Call *c) {
  BilinearRun r = spread_of(c, &c->in[1]->type.shape);
  r.large = c->in[0]->data;
  r.data = c->in[1]->data;
  return run_parallel(tensor_size(c->out[0]), (1 << 12) / (r.images * r.height * r.width + 1) + 1, c->kernel->body, &r);
}

const Kernel upsampling_kernels[] = {
  { .op = "UpSampling",
    .types = ONE_TYPE(DT_FLOAT32),
    .run = upsampling,
    .own = &(const EnlargeLoops){ nearest_f32, spread_f32 } },
  { .op = "UpSampling",
    .types = ONE_TYPE(DT_FLOAT64),
    .run = upsampling,
    .own = &(const EnlargeLoops){ nearest_f64, spread_f64 } },
  FLOAT_KERNELS("_backward_upsampling_data", backward_data, backward_data),
  FLOAT_KERNELS("_backward_upsampling_weight", backward_weight, backward_weight),
  { 0 },
};
