/* count_sketch_kernels.c - count_sketch and its gradient: columns are added in their order, in the element type. */
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "tensor/cast_copy.h"

/* A work item is a row. */
#define SKETCH(code, T, suffix)                                                                              \
  static void sketch_##suffix(void *context, int64_t first, int64_t last) {                                  \
    const Call *c = context;                                                                                 \
    const int64_t n = c->in[0]->type.shape.dim[1], to = c->out[0]->type.shape.dim[1];                        \
    const T *h = c->in[1]->data, *s = c->in[2]->data;                                                        \
    for (int64_t row = first; row < last && !interrupted(); row++) {                                         \
      const T *x = (const T *)c->in[0]->data + row * n;                                                      \
      T *y = (T *)c->out[0]->data + row * to;                                                                \
      for (int64_t i = 0; i < n; i++) y[(int64_t)h[i]] += s[i] * x[i];                                       \
    }                                                                                                        \
  }                                                                                                          \
  static void sketch_back_##suffix(void *context, int64_t first, int64_t last) {                             \
    const Call *c = context;                                                                                 \
    const int64_t n = c->out[0]->type.shape.dim[1], from = c->in[0]->type.shape.dim[1];                      \
    const T *h = c->in[1]->data, *s = c->in[2]->data;                                                        \
    for (int64_t row = first; row < last && !interrupted(); row++) {                                         \
      const T *g = (const T *)c->in[0]->data + row * from;                                                   \
      T *y = (T *)c->out[0]->data + row * n;                                                                 \
      for (int64_t i = 0; i < n; i++) y[i] = s[i] * g[(int64_t)h[i]];                                        \
    }                                                                                                        \
  }
EACH_FLOAT(SKETCH)

static Status run_rows(Call *c, int64_t out_dim) {
  const int64_t n = tensor_size(c->in[1]);
  for (int64_t i = 0; i < n; i++) {
    const double column = tensor_get(c->in[1], i);
    if (!(column >= 0 && column < (double)out_dim))
      return fail("%s: h: expected columns from 0 to out_dim - 1 = %lld, got %g at %lld", op_title(c->op),
                  (long long)(out_dim - 1), column, (long long)i);
  }
  return run_parallel(c->in[0]->type.shape.dim[0], (1 << 12) / (n + 1) + 1, c->kernel->body, c);
}

static Status sketch(Call *c) {
  clear_block(c->out[0]->data, tensor_bytes(c->out[0]));
  return run_rows(c, c->out[0]->type.shape.dim[1]);
}

static Status sketch_back(Call *c) { return run_rows(c, c->in[0]->type.shape.dim[1]); }

const Kernel count_sketch_kernels[] = {
  FLOAT_KERNELS("_contrib_count_sketch", sketch, sketch),
  FLOAT_KERNELS("_backward_count_sketch", sketch_back, sketch_back),
  { 0 },
};
