/* dense.c - dense layers: FullyConnected, a product with a weight plus a bias.
**
** The kernel: kernels/nn/dense_kernels.c.
*/
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

typedef struct DenseParams { int64_t num_hidden, no_bias, flatten; const char *check; } DenseParams;

static int dense_inputs(const Query *q) { return ((const DenseParams *)q->params)->no_bias ? 2 : 3; }

/* The first axis of features: data[.., features]. */
static int first_feature(const Shape *data, bool flatten) { return flatten ? 1 : data->ndim - 1; }

/* Counts the features of a row of data; UNKNOWN if a dimension is. False if they are too many. */
static bool count_features(const Shape *data, int from, int64_t *count) {
  *count = 1;
  for (int i = from; i < data->ndim; i++) {
    if (data->dim[i] < 0) {
      *count = UNKNOWN;
      return true;
    }
    if (__builtin_mul_overflow(*count, data->dim[i], count)) return false;
  }
  return true;
}

/* Data, whose number of dimensions is known, and the output determine each other's rows. */
static Status infer_dense_rows(Infer *f, const DenseParams *p) {
  Shape *data = &f->in[0].shape, out = { .ndim = p->flatten ? 2 : data->ndim };
  for (int i = 0; i < out.ndim - 1; i++) out.dim[i] = data->dim[i];
  out.dim[out.ndim - 1] = p->num_hidden;
  TRY(output_shape(f, 0, &out));
  for (int i = 0; i < out.ndim - 1; i++) data->dim[i] = f->out[0].shape.dim[i];
  return OK;
}

static double dense_flops(const Query *q) {
  const DenseParams *p = q->params;
  double values = (double)shape_size(&query_out(q, 0)->shape);
  return values * (2 * (double)query_in(q, 1)->shape.dim[1] + !p->no_bias);
}

static Status infer_dense_types(Infer *f) {
  const DenseParams *p = f->params;
  Shape *data = &f->in[0].shape, weight = { 2, { p->num_hidden, UNKNOWN } }, bias = { 1, { p->num_hidden } };
  if (p->num_hidden < 1) return fail("num_hidden: expected 1 or more, got %lld", (long long)p->num_hidden);
  TRY(one_float_dtype(f, f->n_in, 1));
  TRY(least_dims(f, 0, 1));
  if (data->ndim < 0) return OK;
  if (f->n_in > 2) TRY(input_shape(f, 2, &bias));
  int from = first_feature(data, p->flatten);
  TRY(infer_dense_rows(f, p));
  if (!count_features(data, from, &weight.dim[1]))
    return fail("data: expected fewer features, got shape %s", shape_text(data));
  TRY(input_shape(f, 1, &weight));
  if (from == data->ndim - 1) data->dim[from] = f->in[1].shape.dim[1];
  return OK;
}

static Status infer_dense(Infer *f) {
  const Status s = infer_dense_types(f);
  const Shape *data = &f->in[0].shape, *weight = &f->in[1].shape;
  const bool flatten = ((const DenseParams *)f->params)->flatten;
  int64_t features = UNKNOWN;
  if (s == OK) return OK;
  if (data->ndim > 0 && !count_features(data, first_feature(data, flatten), &features)) features = UNKNOWN;
  return layer_error(f, s, "features", weight->ndim == 2 ? weight->dim[1] : UNKNOWN, features, "");
}

/* The bias fuses with what follows; the product stays one call. */
static void dense_lower(Lowering *l) {
  const Entry *in = l->node->in;
  DenseParams p = *(const DenseParams *)l->node->params->fields;
  if (l->node->n_in < 3 || !(l->followed || l->forced)) return;
  p.no_bias = true;
  l->out[0] = build_op(l->b, "broadcast_add", NULL, 2, build_op(l->b, "FullyConnected", &p, 2, in[0], in[1]), in[2]);
}

/* With data and g as matrices, the gradients are g weight, (g transposed) data and the sum of g's rows. */
static Status dense_grad(Gradient *d) {
  const Entry *in = d->node->in;
  const Shape *data = &entry_type(in[0])->shape, *weight = &entry_type(in[1])->shape;
  int64_t rows = shape_size(&d->node->type[0].shape) / weight->dim[0];
  Shape g_matrix = shape_of(2, (int64_t[]){ rows, weight->dim[0] }),
        x_matrix = shape_of(2, (int64_t[]){ rows, weight->dim[1] });
  Entry g = reshape_to(d->b, d->out_grad[0], &g_matrix);
  if (d->wanted[0]) d->in_grad[0] = reshape_to(d->b, build_op(d->b, "dot", NULL, 2, g, in[1]), data);
  if (d->wanted[1])
    d->in_grad[1] = build_op(d->b, "dot", &(DotParams){ .transpose_a = true, .forward_stype = NONE }, 2, g,
                             reshape_to(d->b, in[0], &x_matrix));
  if (d->node->n_in > 2 && d->wanted[2]) d->in_grad[2] = sum_to(d->b, g, entry_type(in[2]));
  return d->b->status;
}

/* ---- Rows ------------------------------------------------------------------------------------------------- */

/* clang-format off */
Op dense_ops[] = {
  { .name = "FullyConnected",
    .doc = "data weight' + bias: a layer of num_hidden neurons. weight is (num_hidden, features); the shapes of weight "
           "and bias are inferred",
    .example = "F.FullyConnected(F.array{{1, 2, 3}, {4, 5, 6}}, F.array{{1, 0, -1}, {0.5, 2, 1}}, F.array{0.1, 0.2}, "
               "{num_hidden = 2})\n"
               "F.FullyConnected(F.array{{{1, 2}, {3, 4}}}, F.array{{1, 0, -1, 2}}, F.array{0.1}, {num_hidden = 1})\n"
               "F.FullyConnected(F.array{{{1, 2}, {3, 4}}}, F.array{{1, -1}, {2, 3}, {1, 1}}, "
               "{num_hidden = 3, no_bias = true, flatten = false})",
    .inputs = "data weight bias",
    .params = "num_hidden int - The number of neurons.\n"
              "no_bias bool False Omit bias.\n"
              "flatten bool True Treat all axes except the first as features; else only the last axis.\n"
              "_check string? None First words of errors about data.\n",
    .params_size = sizeof(DenseParams), .n_inputs = dense_inputs,
    .infer = infer_dense, .flops = dense_flops, .grad = dense_grad, .lower = dense_lower },
  { 0 }
};
/* clang-format on */
