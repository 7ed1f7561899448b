/* conv_shared.h - shared by the kernels of a convolution: dividing work, ending chains, the output's receptive
** field. */
#ifndef HL_KERNELS_CONV_CONV_SHARED_H
#define HL_KERNELS_CONV_CONV_SHARED_H

#include <string.h>

#include "base/math/scalar_functions.h"
#include "base/size_math.h"
#include "kernels/matmul/fma_chain.h"
#include "kernels/conv/conv_algorithm.h"
#include "kernels/conv/conv_panels.h"

enum {
  CONVOLVE_GRAIN = 1 << 20,      /* multiply-adds that pay for a thread: about 15 us */
  MOVING = 32,                   /* cost of reading or writing an element, in multiply-adds */
  ITEMS_A_THREAD = 4             /* enough for a fair division */
};

HL_INLINE int64_t whole_vectors(int64_t lanes) { return (lanes + CHAIN_VECTOR - 1) & -CHAIN_VECTOR; }

/* Number of work items that pay for a thread, given the multiply-adds of all. */
HL_INLINE int64_t items_of_grain(int64_t items, double multiplications) {
  const double grain = CONVOLVE_GRAIN * (double)items / (multiplications + 1);
  return grain < (double)items ? (int64_t)grain + 1 : items;
}

/* Ends a chain: adds it to the sum (`first`: makes it the sum), and starts the next chain. */
HL_INLINE void end_chain(const Chains *chains, char *acc, char *sum, int64_t n, bool first) {
  if (first) memcpy(sum, acc, (size_t)n * chains->size);
  else chains->add(acc, sum, n);
  memset(acc, 0, (size_t)n * chains->size);
}

/* The plan of both gradients; that of forward begins with it. */
typedef struct ConvPlan { Convolution v; bool winograd; } ConvPlan;

HL_INLINE Status conv_plan(const ConvPlan *plan, Workspace *w) {
  ConvPlan *to = kernel_plan(w, sizeof *to);
  if (!to) return w->status;
  *to = *plan;
  return OK;
}

/* Panels that read data for places of the output. */
HL_INLINE Panels data_panels(const Convolution *v, const void *data) {
  Panels p = { .data = data, .dtype = v->dtype, .images = v->images, .channels = v->groups * v->channels };
  for (int a = 0; a < WINDOW_AXES; a++) {
    p.extent[a] = v->w.in[a];
    p.taps[a] = v->w.kernel[a];
    p.base[a] = -v->w.pad[a];
    p.move[a] = v->w.dilate[a];
    p.step[a] = v->w.stride[a];
  }
  return p;
}

#endif
