/* categories.c - categories drawn with given probabilities: sample_multinomial.
**
** A call takes one block of the random stream, with one counter per draw. A draw finds a uniform number among the
** running sums of its row's probabilities.
*/
#include <math.h>

#include "base/threads/parallel_for.h"
#include "base/math/random_stream.h"
#include "base/math/scalar_functions.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"
#include "ops/random/distributions.h"
#include "state/engine.h"
#include "tensor/cast_copy.h"

typedef struct MultinomialParams { List shape; int64_t get_prob, dtype; } MultinomialParams;

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

/* Workspace for a row's running sums. */
static size_t multinomial_scratch(const Query *q) {
  return (size_t)query_in(q, 0)->shape.dim[query_in(q, 0)->shape.ndim - 1] * sizeof(double);
}

/* The first index whose running sum is above x; the last index if there is none. */
static int64_t find_above(const double *sum, int64_t n, double x) {
  int64_t low = 0, high = n - 1;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (sum[middle] > x) high = middle;
    else low = middle + 1;
  }
  return low;
}

static Status multinomial_forward(Call *c) {
  const Tensor *data = c->in[0];
  int64_t n = data->type.shape.dim[data->type.shape.ndim - 1], rows = tensor_size(data) / n,
          size = tensor_size(c->out[0]);
  int64_t each = rows > 0 ? size / rows : 0;
  double *sum = c->workspace;
  RandomBlock b = random_take(&engine_now()->random, (uint64_t)size);
  for (int64_t r = 0; r < rows && !interrupted(); r++) {
    double total = 0;
    for (int64_t i = 0; i < n; i++) sum[i] = total += tensor_get(data, r * n + i);
    for (int64_t k = r * each; k < (r + 1) * each; k++) {
      uint32_t four[4];
      random_four(b, (uint64_t)k, four);
      int64_t chosen = find_above(sum, n, random_unit64(four[0], four[1]));
      tensor_set_int(c->out[0], k, chosen);
      if (c->n_out > 1) tensor_set(c->out[1], k, hl_log64(tensor_get(data, r * n + chosen)));
    }
  }
  return interrupt_status();
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

static Status multinomial_backward(Call *c) {
  const Tensor *g = c->in[0], *data = c->in[1], *sample = c->in[2];
  int64_t n = data->type.shape.dim[data->type.shape.ndim - 1], rows = tensor_size(data) / n;
  int64_t each = rows > 0 ? tensor_size(sample) / rows : 0;
  clear_block(c->out[0]->data, tensor_bytes(c->out[0]));
  for (int64_t k = 0; k < rows * each && !interrupted(); k++) {
    int64_t at = k / each * n + tensor_get_int(sample, k);
    tensor_set(c->out[0], at, tensor_get(c->out[0], at) + tensor_get(g, k) / tensor_get(data, at));
  }
  return interrupt_status();
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
    .infer = infer_multinomial, .forward = multinomial_forward, .workspace = multinomial_scratch,
    .grad = multinomial_grad },
  { .name = "_backward_sample_multinomial", .doc = "The gradient of data", .inputs = "g data sample",
    .flags = OP_INTERNAL, .infer = infer_multinomial_backward, .forward = multinomial_backward,
    .grad = gradient_is_last },
  { 0 }
};
/* clang-format on */
