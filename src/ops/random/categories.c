/* categories.c - categories drawn with given probabilities: sample_multinomial.
**
** The kernels are in kernels/random/categories_kernels.c.
*/
#include "ops/random/categories.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"
#include "ops/random/distributions.h"

static int multinomial_outputs(const Query *q) { return ((const MultinomialParams *)q->params)->get_prob ? 2 : 1; }

static Status infer_multinomial(Infer *f) {
  const MultinomialParams *p = f->params;
  const Shape *s = &f->in[0].shape;
  Shape out;
  if (p->dtype == DT_BOOL || p->dtype == DT_FLOAT16)
    return fail("dtype: expected float32, float64 or an integer, got %s", dtype_name((DType)p->dtype));
  TRY(one_float_dtype(f, 1, 0));
  f->out[0].dtype = (DType)p->dtype;
  if (f->n_out > 1) f->out[1].dtype = f->in[0].dtype;
  if (s->ndim < 0) return OK;
  TRY(least_dims(f, 0, 1));
  if (s->dim[s->ndim - 1] == 0)
    return fail("data: expected probabilities along the last axis, got shape %s", shape_text(s));
  Shape rows = without_axis(s, s->ndim - 1);
  TRY(append_shape(&rows, &p->shape, &out));
  out = at_least_1d(out);
  for (int i = 0; i < f->n_out; i++) TRY(output_shape(f, i, &out));
  return OK;
}

/* d log p(chosen) / d p(chosen) = 1 / p(chosen): the policy gradient. */
static Status multinomial_grad(Gradient *d) {
  Entry sample = { d->node, 0 };
  if (d->node->n_out > 1 && d->out_grad[1].node)
    d->in_grad[0] = build_op(d->b, "_backward_sample_multinomial", NULL, 3, d->out_grad[1], d->node->in[0], sample);
  return d->b->status;
}

static Status infer_multinomial_backward(Infer *f) {
  f->out[0].dtype = f->in[1].dtype;
  return one_shape(f, 1, 0);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

/* clang-format off */
Op category_ops[] = {
  { .name = "_sample_multinomial", .aliases = "sample_multinomial random.multinomial",
    .doc = "Categories drawn with the probabilities along data's last axis, which must sum to 1. With get_prob also "
           "the logarithms of their probabilities, which can be differentiated once (R. Williams, \"Simple "
           "statistical gradient-following algorithms\", 1992)",
    .example = "F.random.multinomial(F.array{0.1, 0.2, 0.7}, {4})\n"
               "F.sample_multinomial(F.array{{0.1, 0.9}, {0.5, 0.5}}, {get_prob = true})",
    .inputs = "data", .outputs = "output log_probability",
    .params = "shape shape () The shape of the draws for each row of data.\n"
              "get_prob bool False Return log probabilities too.\n"
              "dtype dtype int32 The element type of the categories.\n",
    .params_size = sizeof(MultinomialParams), .n_outputs = multinomial_outputs, .effects = op_draws_always,
    .infer = infer_multinomial, .grad = multinomial_grad },
  { .name = "_backward_sample_multinomial", .doc = "The gradient of data", .inputs = "g data sample",
    .flags = OP_INTERNAL, .infer = infer_multinomial_backward, .grad = gradient_is_last },
  { 0 }
};
/* clang-format on */
