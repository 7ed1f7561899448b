/* count_sketch.c - count_sketch: random projections that add signed columns (N. Pham, R. Pagh, 2013).
**
** The operator is linear in data; it and its gradient row are each other's gradients. The kernels are in
** kernels/linalg/count_sketch_kernels.c.
*/
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

typedef struct SketchParams { int64_t out_dim, processing_batch_size; } SketchParams;
typedef struct SketchBackward { SketchParams of; int64_t in_dim; } SketchBackward;

/* Input 0 is (rows, from), the output (rows, to); h and s have a number for each column of data, (1, n). */
static Status infer_rows(Infer *f, int64_t from, int64_t to, bool back) {
  const SketchParams *p = f->params;
  const Shape *data = &f->in[0].shape;
  if (p->out_dim < 1) return fail("out_dim: expected 1 or more, got %lld", (long long)p->out_dim);
  TRY(one_float_dtype(f, 3, 1));
  TRY(input_shape(f, 0, &(Shape){ 2, { UNKNOWN, from } }));
  for (int i = 1; i < 3; i++) TRY(input_shape(f, i, &(Shape){ 2, { 1, back ? to : data->dim[1] } }));
  return output_shape(f, 0, &(Shape){ 2, { data->dim[0], to } });
}

static Status infer_sketch(Infer *f) {
  return infer_rows(f, UNKNOWN, ((const SketchParams *)f->params)->out_dim, false);
}
static Status infer_sketch_back(Infer *f) {
  const SketchBackward *p = f->params;
  return infer_rows(f, p->of.out_dim, p->in_dim, true);
}

static Status sketch_grad(Gradient *d) {
  const SketchBackward p = { *(const SketchParams *)gradient_params(d), gradient_input(d, 0)->shape.dim[1] };
  const Entry *in = d->node->in;
  return only_gradient(d, build_op(d->b, "_backward_count_sketch", &p, 3, d->out_grad[0], in[1], in[2]));
}

static Status sketch_back_grad(Gradient *d) {
  const SketchBackward *p = gradient_params(d);
  const Entry *in = d->node->in;
  return only_gradient(d, build_op(d->b, "_contrib_count_sketch", &p->of, 3, d->out_grad[0], in[1], in[2]));
}

#define PARAMS                                               \
  "out_dim int - The number of columns of the output.\n"    \
  "processing_batch_size int 32 Accepted for MXNet's sake.\n"

/* clang-format off */
Op count_sketch_ops[] = {
  { .name = "_contrib_count_sketch", .aliases = "contrib.count_sketch",
    .doc = "Adds column i of data, (batch, n), times s[i] to column h[i] of the output, (batch, out_dim). h and s have "
           "the shape (1, n); s consists of 1 and -1 (N. Pham, R. Pagh, 2013)",
    .example = "F.contrib.count_sketch(F.array{{1, 2, 0.5}, {3, -1, 4}}, F.rint(F.array{{0, 2, 0}}), "
               "F.rint(F.array{{1, -1, -1}}), {out_dim = 3})",
    .inputs = "data h s", .params = PARAMS, .params_size = sizeof(SketchParams), .differentiable = 1,
    .effects = op_fails_always, .infer = infer_sketch, .grad = sketch_grad },
  { .name = "_backward_count_sketch", .doc = "The gradient of data", .inputs = "g h s",
    .params = PARAMS "in_dim int - The number of columns of data.\n", .params_size = sizeof(SketchBackward),
    .differentiable = 1, .flags = OP_INTERNAL, .effects = op_fails_always,
    .infer = infer_sketch_back, .grad = sketch_back_grad },
  { 0 }
};
/* clang-format on */
