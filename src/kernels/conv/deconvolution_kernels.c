/* deconvolution_kernels.c - Deconvolution: the gradient of data of the opposite convolution, then bias. */
#include "base/math/scalar_functions.h"
#include "kernels/conv/conv_algorithm.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/nn/deconvolution.h"

typedef struct Shift { const void *bias; void *out; int64_t channels, places; } Shift;

#define SHIFT_PLANES(code, T, suffix)                                                       \
  static void shift_planes_##suffix(void *context, int64_t first, int64_t last) {           \
    const Shift *s = context;                                                               \
    for (int64_t i = first; i < last && !interrupted(); i++) {                              \
      T *y = (T *)s->out + i * s->places, term = ((const T *)s->bias)[i % s->channels];     \
      for (int64_t k = 0; k < s->places; k++) y[k] += term;                                 \
    }                                                                                       \
  }
EACH_FLOAT(SHIFT_PLANES)

enum { GRAIN = 1 << 16 };        /* fewest additions worth a thread */

static Status deconvolution_workspace(const Query *q, Workspace *w) {
  const Convolution v = deconvolution_of(q->params, query_in(q, 0));
  return convolve_data_workspace(&v, w);
}

static Status deconvolution(Call *c) {
  const Convolution *v = c->plan;
  TRY(convolve_data(c, c->in[0]->data, c->in[1]->data, c->out[0]->data));
  if (c->n_in < 3) return OK;
  Shift s = { c->in[2]->data, c->out[0]->data, v->groups * v->channels, windows_size(v->w.in) };
  return run_parallel(v->images * s.channels, GRAIN / s.places + 1, c->kernel->body, &s);
}

const Kernel deconvolution_kernels[] = {
  FLOAT_KERNELS("Deconvolution", deconvolution, shift_planes, .workspace = deconvolution_workspace), { 0 }
};
