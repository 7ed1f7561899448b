/* local_response_norm.c - LRN: each element divided by a power of a sum over neighbouring channels.
**
** The output is data * norm^-beta, where norm = knorm + (alpha / nsize) * (the sum of squares over nsize channels
** around the element's own, in order), all in the element type (A. Krizhevsky et al., 2012). The gradient is that of
** the operators that it decomposes into. The kernels: kernels/nn/local_response_norm_kernels.c.
*/
#include "ops/nn/local_response_norm.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/hidden_outputs.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

static Status infer_lrn(Infer *f) {
  const LRNParams *p = f->params;
  TRY(one_float_dtype(f, 1, f->n_out));
  TRY(least_dims(f, 0, 2));
  if (p->nsize < 1 || p->nsize > INT32_MAX || p->nsize % 2 == 0)
    return fail("nsize: expected an odd number of 1 or more, got %lld", (long long)p->nsize);
  TRY(infer_empty_outputs(f));
  return one_shape(f, 0, 0);
}

/* ---- Gradients -------------------------------------------------------------------------------------------------- */

static Entry lrn_expand(Builder *b, Node *n) {
  const LRNParams *p = (const LRNParams *)n->params->fields;
  const ChannelSumParams w = { p->nsize / 2 };
  const Entry x = n->in[0];
  Entry squares = build_op(b, "_channel_sum", &w, 1, build_op(b, "square", NULL, 1, x));
  Entry norm = plus(b, times(b, squares, lrn_scale(p)), p->knorm);
  return build_op(b, "elemwise_mul", NULL, 2, x, build_op(b, "_power_scalar", &(ScalarParams){ -p->beta }, 1, norm));
}

static Status channel_sum_grad(Gradient *d) { return gradient_by(d, "_channel_sum"); }

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

static double lrn_flops(const Query *q) {
  return (2 * (double)((const LRNParams *)q->params)->nsize + 4) * (double)shape_size(&query_in(q, 0)->shape);
}

/* clang-format off */
Op lrn_ops[] = {
  { .name = "LRN",
    .doc = "data (knorm + alpha / nsize s)^-beta, where s is the sum of squares over the nsize channels (axis 1) "
           "around an element's own (A. Krizhevsky et al., 2012)",
    .example = "F.LRN(F.array{{{1, 2}, {4, -1}, {0.5, 3}, {2, 1}}}, {nsize = 3, alpha = 0.5})\n"
               "F.LRN(F.array{{{{1, 2}}, {{4, -1}}, {{0.5, 3}}}}, {nsize = 1, alpha = 1, beta = 0.5, knorm = 1})",
    .inputs = "data", .outputs = "output tmp_norm",
    .params = "alpha float 0.0001 The factor of the mean square.\n"
              "beta float 0.75 The exponent.\n"
              "knorm float 2 The constant term.\n"
              "nsize int - Number of channels, odd.\n",
    .params_size = sizeof(LRNParams), .n_visible = one_visible, .unused = hidden_empty, .flags = OP_NAMED_INPUT,
    .infer = infer_lrn, .flops = lrn_flops, .expand = lrn_expand },
  { .name = "_channel_sum",
    .doc = "At each position, the sum over the channels (axis 1) from `reach` before to `reach` after",
    .inputs = "data", .params = "reach int - Number of channels on each side.\n",
    .params_size = sizeof(ChannelSumParams), .flags = OP_INTERNAL, .infer = infer_same_floats,
    .grad = channel_sum_grad },
  { 0 }
};
/* clang-format on */
