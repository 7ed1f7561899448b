/* correlation_kernels.c - Correlation and its gradients.
**
** An element of the output is summed over channels, then rows, then columns of the patch, and divided by their number;
** an element of a gradient is summed over displacements, then places, then the patch. All in the element type.
*/
#include "ops/vision/correlation.h"

#include <string.h>

#include "base/math/scalar_functions.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"

/* One call. first: the places' first coordinate in data; rows, across: sizes of the output. */
typedef struct Correlation {
  int64_t channels, height, width, displacements, rows, across;
  int64_t patch, first, stride, step, steps;
  bool multiply, along;                  /* along: the output's change if `side` changes by values */
  int side;
  const void *data[2], *values;          /* values: the gradient g, or the change of `side` */
  void *to;
} Correlation;

/* The displacement of output channel t. */
static int64_t displaced_y(const Correlation *r, int64_t t) { return (t / (2 * r->steps + 1) - r->steps) * r->step; }
static int64_t displaced_x(const Correlation *r, int64_t t) { return (t % (2 * r->steps + 1) - r->steps) * r->step; }

static bool is_inside(const Correlation *r, int64_t y, int64_t x) {
  return y >= 0 && y < r->height && x >= 0 && x < r->width;
}

#define CORRELATION(code, T, suffix)                                                                         \
  HL_INLINE T read_##suffix(const Correlation *r, const T *plane, int64_t y, int64_t x) {                    \
    return is_inside(r, y, x) ? plane[y * r->width + x] : 0;                                                 \
  }                                                                                                          \
  /* The derivative of a comparison of a and b with respect to one of them; the greater one is a if they are \
  ** equal. */                                                                                               \
  HL_INLINE T slope_##suffix(const Correlation *r, T a, T b) {                                               \
    if (r->multiply) return r->side == 0 ? b : a;                                                            \
    return (a >= b) == (r->side == 0) ? 1 : -1;                                                              \
  }                                                                                                          \
  /* A work item is a row of the output. */                                                                  \
  static void correlate_##suffix(void *context, int64_t begin, int64_t end) {                                \
    const Correlation *r = context;                                                                          \
    const int64_t size = r->height * r->width;                                                               \
    for (int64_t item = begin; item < end && !interrupted(); item++) {                                       \
      const int64_t i = item % r->rows, t = item / r->rows % r->displacements;                               \
      const int64_t image = item / r->rows / r->displacements, dy = displaced_y(r, t), dx = displaced_x(r, t); \
      T *to = (T *)r->to + item * r->across;                                                                 \
      memset(to, 0, (size_t)r->across * sizeof(T));                                                          \
      for (int64_t c = image * r->channels; c < (image + 1) * r->channels; c++) {                            \
        const T *first = (const T *)r->data[0] + c * size, *second = (const T *)r->data[1] + c * size;       \
        const T *values = r->along ? (const T *)r->values + c * size : NULL;                                 \
        for (int64_t k = 0; k < r->patch * r->patch; k++) {                                                  \
          const int64_t y = r->first + i * r->stride + k / r->patch, x0 = r->first + k % r->patch;           \
          for (int64_t j = 0; j < r->across; j++) {                                                          \
            const int64_t x = x0 + j * r->stride;                                                            \
            const T a = read_##suffix(r, first, y, x), b = read_##suffix(r, second, y + dy, x + dx);         \
            if (!r->along) to[j] += r->multiply ? a * b : abs(a - b);                                        \
            else if (r->side == 0) to[j] += read_##suffix(r, values, y, x) * slope_##suffix(r, a, b);        \
            else to[j] += read_##suffix(r, values, y + dy, x + dx) * slope_##suffix(r, a, b);                \
          }                                                                                                  \
        }                                                                                                    \
      }                                                                                                      \
      for (int64_t j = 0; j < r->across; j++) to[j] /= (T)(r->patch * r->patch * r->channels);               \
    }                                                                                                        \
  }                                                                                                          \
  /* A work item is a channel of an image. */                                                                \
  static void backward_##suffix(void *context, int64_t begin, int64_t end) {                                 \
    const Correlation *r = context;                                                                          \
    const int64_t size = r->height * r->width, places = r->displacements * r->rows * r->across;              \
    const T count = (T)(r->patch * r->patch * r->channels);                                                  \
    for (int64_t item = begin; item < end && !interrupted(); item++) {                                       \
      const T *first = (const T *)r->data[0] + item * size, *second = (const T *)r->data[1] + item * size;   \
      const T *g = (const T *)r->values + item / r->channels * places;                                       \
      T *to = (T *)r->to + item * size;                                                                      \
      memset(to, 0, (size_t)size * sizeof(T));                                                               \
      for (int64_t k = 0; k < places && !interrupted(); k++) {                                               \
        const int64_t t = k / (r->rows * r->across), dy = displaced_y(r, t), dx = displaced_x(r, t);         \
        const int64_t top = r->first + k / r->across % r->rows * r->stride;                                  \
        const int64_t left = r->first + k % r->across * r->stride;                                           \
        const T part = g[k] / count;                                                                         \
        for (int64_t y = top; y < top + r->patch; y++)                                                       \
          for (int64_t x = left; x < left + r->patch; x++) {                                                 \
            const int64_t own_y = r->side == 0 ? y : y + dy, own_x = r->side == 0 ? x : x + dx;              \
            if (!is_inside(r, own_y, own_x)) continue;                                                       \
            const T a = read_##suffix(r, first, y, x), b = read_##suffix(r, second, y + dy, x + dx);         \
            to[own_y * r->width + own_x] += part * slope_##suffix(r, a, b);                                  \
          }                                                                                                  \
      }                                                                                                      \
    }                                                                                                        \
  }
EACH_FLOAT(CORRELATION)

static Correlation correlation_of(const Call *c, const Tensor *data1, const Tensor *data2, const Shape *out) {
  const CorrelationParams *p = c->params;
  const Shape *data = &data1->type.shape;
  return (Correlation){ .channels = data->dim[1],
                        .height = data->dim[2],
                        .width = data->dim[3],
                        .displacements = out->dim[1],
                        .rows = out->dim[2],
                        .across = out->dim[3],
                        .patch = p->kernel_size,
                        .first = p->max_displacement - p->pad_size,
                        .stride = p->stride1,
                        .step = p->stride2,
                        .steps = correlation_steps(p),
                        .multiply = p->is_multiply != 0,
                        .data = { data1->data, data2->data },
                        .to = c->out[0]->data };
}

static Status run_items(Call *c, Correlation *r, int64_t items, double work) {
  return run_parallel(items, (int64_t)((1 << 13) / (work + 1)) + 1, c->kernel->body, r);
}

static Status run_correlation(Call *c, Correlation *r) {
  const double work = (double)(r->patch * r->patch * r->channels) * (double)r->across;
  return run_items(c, r, c->out[0]->type.shape.dim[0] * r->displacements * r->rows, work);
}

static Status correlation(Call *c) {
  Correlation r = correlation_of(c, c->in[0], c->in[1], &c->out[0]->type.shape);
  return run_correlation(c, &r);
}

static Status along(Call *c) {
  Correlation r = correlation_of(c, c->in[1], c->in[2], &c->out[0]->type.shape);
  r.along = true;
  r.side = (int)((const CorrelationSideParams *)c->params)->side;
  r.values = c->in[0]->data;
  return run_correlation(c, &r);
}

static Status backward(Call *c) {
  const Shape *g = &c->in[0]->type.shape;
  Correlation r = correlation_of(c, c->in[1], c->in[2], g);
  r.side = (int)((const CorrelationSideParams *)c->params)->side;
  r.values = c->in[0]->data;
  const double work = (double)(r.patch * r.patch * r.displacements) * (double)(r.rows * r.across);
  return run_items(c, &r, g->dim[0] * r.channels, work);
}

const Kernel correlation_kernels[] = {
  FLOAT_KERNELS("Correlation", correlation, correlate),
  FLOAT_KERNELS("_correlation_along", along, correlate),
  FLOAT_KERNELS("_backward_correlation", backward, backward),
  { 0 },
};
