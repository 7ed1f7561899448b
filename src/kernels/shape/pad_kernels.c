/* pad_kernels.c - Pad and its gradient. */
#include <string.h>

#include "base/threads/parallel_for.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/shape/pad.h"
#include "tensor/cast_copy.h"

/* One call; data is seen as (planes, depth, height, width). */
typedef struct PadRun {
  int64_t mode, planes, in[PAD_MOST_AXES], out[PAD_MOST_AXES], before[PAD_MOST_AXES];
  double constant;
  const void *from;
  void *to;
} PadRun;

static PadRun run_of(int64_t mode, const List *width, const Shape *data) {
  const int64_t *w = list_ints(width);
  const int axes = data->ndim - PAD_LEAD;
  PadRun r = { .mode = mode, .planes = data->dim[0] * data->dim[1], .in = { 1, 1, 1 }, .out = { 1, 1, 1 } };
  for (int i = 0; i < axes; i++) {
    const int at = PAD_MOST_AXES - axes + i, axis = PAD_LEAD + i;
    r.in[at] = data->dim[axis];
    r.before[at] = w[2 * axis];
    r.out[at] = data->dim[axis] + w[2 * axis] + w[2 * axis + 1];
  }
  return r;
}

static int64_t source(const PadRun *r, int axis, int64_t i) {
  const int64_t at = i - r->before[axis], n = r->in[axis];
  if (at >= 0 && at < n) return at;
  if (r->mode == PAD_CONSTANT) return -1;
  if (r->mode == PAD_EDGE) return at < 0 ? 0 : n - 1;
  return at < 0 ? -at : 2 * (n - 1) - at;
}

/* The row of data's plane that is copied to this row of the output's plane; -1 if none is. */
static int64_t source_row(const PadRun *r, int64_t row) {
  const int64_t depth = source(r, 0, row / r->out[1]), height = source(r, 1, row % r->out[1]);
  return depth < 0 || height < 0 ? -1 : depth * r->in[1] + height;
}

#define PAD(code, T, suffix)                                                                                  \
  static void fill_##suffix(T *to, int64_t n, T value) { for (int64_t i = 0; i < n; i++) to[i] = value; }     \
  static void pad_##suffix(void *context, int64_t first, int64_t last) {                                      \
    const PadRun *r = context;                                                                                \
    const int64_t rows = r->out[0] * r->out[1], n = r->in[2], left = r->before[2], width = r->out[2];         \
    const T constant = (T)r->constant;                                                                        \
    for (int64_t i = first; i < last && !interrupted(); i++) {                                                \
      const int64_t row = source_row(r, i % rows);                                                            \
      const T *from = (const T *)r->from + (i / rows * r->in[0] * r->in[1] + row) * n;                        \
      T *to = (T *)r->to + i * width;                                                                         \
      if (row < 0) { fill_##suffix(to, width, constant); continue; }                                          \
      memcpy(to + left, from, (size_t)n * sizeof(T));                                                         \
      if (r->mode == PAD_CONSTANT) {                                                                          \
        fill_##suffix(to, left, constant);                                                                    \
        fill_##suffix(to + left + n, width - left - n, constant);                                             \
        continue;                                                                                             \
      }                                                                                                       \
      for (int64_t k = 0; k < left; k++) to[k] = from[source(r, 2, k)];                                       \
      for (int64_t k = left + n; k < width; k++) to[k] = from[source(r, 2, k)];                               \
    }                                                                                                         \
  }                                                                                                           \
  static void backward_pad_##suffix(void *context, int64_t first, int64_t last) {                             \
    const PadRun *r = context;                                                                                \
    const int64_t rows = r->out[0] * r->out[1], n = r->in[2], left = r->before[2], width = r->out[2];         \
    for (int64_t i = first; i < last && !interrupted(); i++) {                                                \
      T *plane = (T *)r->to + i * r->in[0] * r->in[1] * n;                                                    \
      for (int64_t k = 0; k < rows; k++) {                                                                    \
        const int64_t row = source_row(r, k);                                                                 \
        const T *g = (const T *)r->from + (i * rows + k) * width;                                             \
        T *to = plane + row * n;                                                                              \
        if (row < 0) continue;                                                                                \
        if (r->mode != PAD_CONSTANT) for (int64_t m = 0; m < left; m++) to[source(r, 2, m)] += g[m];          \
        for (int64_t m = 0; m < n; m++) to[m] += g[left + m];                                                 \
        if (r->mode == PAD_CONSTANT) continue;                                                                \
        for (int64_t m = left + n; m < width; m++) to[source(r, 2, m)] += g[m];                               \
      }                                                                                                       \
    }                                                                                                         \
  }
EACH_FLOAT(PAD)

static Status pad(Call *c) {
  const PadParams *p = c->params;
  PadRun r = run_of(p->mode, &p->pad_width, &c->in[0]->type.shape);
  r.constant = p->constant_value;
  r.from = c->in[0]->data;
  r.to = c->out[0]->data;
  return run_parallel(r.planes * r.out[0] * r.out[1], (1 << 13) / (r.out[2] + 1) + 1, c->kernel->body, &r);
}

static Status backward_pad(Call *c) {
  const BackwardPadParams *p = c->params;
  PadRun r = run_of(p->mode, &p->pad_width, &c->out[0]->type.shape);
  r.from = c->in[0]->data;
  r.to = c->out[0]->data;
  clear_block(r.to, tensor_bytes(c->out[0]));
  return run_parallel(r.planes, (1 << 13) / (r.out[0] * r.out[1] * r.out[2] + 1) + 1, c->kernel->body, &r);
}

const Kernel pad_kernels[] = {
  FLOAT_KERNELS("Pad", pad, pad),
  FLOAT_KERNELS("_backward_pad", backward_pad, backward_pad),
  { 0 },
};
