/* convolution_kernels.c - Convolution and its gradients. The plan has the sizes and, in the direct form of forward, the
** algorithm (conv_algorithm.h).
*/
#include "kernels/conv/conv_algorithm.h"
#include "kernels/kernel_registry.h"
#include "ops/nn/convolution.h"

/* Parameters of gradient rows begin with those of Convolution. */

static Status convolution_workspace(const Query *q, Workspace *w) {
  const Convolution v = convolution_of(q->params, query_in(q, 0), query_out(q, 0));
  return convolve_forward_workspace(&v, w);
}

static Status backward_data_workspace(const Query *q, Workspace *w) {
  const Convolution v = convolution_of(q->params, query_out(q, 0), query_in(q, 0));
  return convolve_data_workspace(&v, w);
}

static Status backward_weight_workspace(const Query *q, Workspace *w) {
  const Convolution v = convolution_of(q->params, query_in(q, 1), query_in(q, 0));
  return convolve_weight_workspace(&v, w);
}

static Status convolution(Call *c) {
  return convolve_forward(c, c->in[0]->data, c->in[1], c->n_in > 2 ? c->in[2]->data : NULL, c->out[0]->data);
}

static Status backward_data(Call *c) { return convolve_data(c, c->in[0]->data, c->in[1]->data, c->out[0]->data); }

static Status backward_weight(Call *c) { return convolve_weight(c, c->in[0]->data, c->in[1]->data, c->out[0]->data); }

/* clang-format off */
const Kernel convolution_kernels[] = {
  { .op = "Convolution", .types = FLOAT_TYPES, .run = convolution, .workspace = convolution_workspace },
  { .op = "_backward_convolution_data", .types = FLOAT_TYPES, .run = backward_data,
    .workspace = backward_data_workspace },
  { .op = "_backward_convolution_weight", .types = FLOAT_TYPES, .run = backward_weight,
    .workspace = backward_weight_workspace },
  { 0 }
};
/* clang-format on */
