/* matmul.c - NumPy's matrix product: the axes before the last two, the batch, broadcast.
**
** A vector is a row on the left and a column on the right, without that axis in the result; two vectors give (1,), as
** in dot. The kernels are in kernels/linalg/matmul_kernels.c.
*/
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/linalg/matmul.h"
#include "ops/op_registry.h"

/* ---- Shapes ----------------------------------------------------------------------------------------------- */

/* Removes the axes that as_matrix added. */
static Shape visible_shape(const Shape *full, bool row, bool column, bool np) {
  Shape s = *full;
  if (column) s.ndim--;
  if (row) s = without_axis(&s, s.ndim - (column ? 1 : 2));
  return number_shape(s, np);
}

static Status infer_matmul(Infer *f) {
  const MatmulParams *p = f->params;
  Shape *as = &f->in[0].shape, *bs = &f->in[1].shape, full;
  TRY(one_dtype(f, 0, 2));
  if (f->in[0].dtype == DT_FLOAT16 || f->in[0].dtype == DT_BOOL)
    return fail("a: expected dtype float32, float64 or an integer, got %s; convert with astype",
                dtype_name(f->in[0].dtype));
  TRY(least_dims(f, 0, 1));
  TRY(least_dims(f, 1, 1));
  if (as->ndim < 0 || bs->ndim < 0) return OK;
  if (p->transpose_a && as->ndim == 1) return fail("transpose_a: expected false for a vector, got true");
  if (p->transpose_b && bs->ndim == 1) return fail("transpose_b: expected false for a vector, got true");
  int at = as->ndim == 1 ? 0 : as->ndim - (p->transpose_a ? 2 : 1),
      bt = bs->ndim == 1 ? 0 : bs->ndim - (p->transpose_b ? 1 : 2);
  if (as->dim[at] < 0) as->dim[at] = bs->dim[bt];
  if (bs->dim[bt] < 0) bs->dim[bt] = as->dim[at];
  if (as->dim[at] != bs->dim[bt])
    return fail("b: expected %lld elements along axis %d to go with a %s, got shape %s", (long long)as->dim[at], bt,
                shape_text(as), shape_text(bs));
  Shape a = as_matrix(as, true), b = as_matrix(bs, false);
  if (!full_shape(p, &a, &b, &full))
    return fail("b: expected a shape that broadcasts with %s before the last two axes, got %s", shape_text(as),
                shape_text(bs));
  Shape out = visible_shape(&full, as->ndim == 1, bs->ndim == 1, p->np);
  return output_shape(f, 0, &out);
}

static double matmul_flops(const Query *q) {
  const MatmulParams *p = q->params;
  const Shape *a = &query_in(q, 0)->shape;
  int64_t k = a->dim[a->ndim == 1 ? 0 : a->ndim - (p->transpose_a ? 2 : 1)];
  return 2 * (double)k * (double)shape_size(&query_out(q, 0)->shape);
}

/* ---- Gradient -------------------------------------------------------------------------------------------------- */

static Entry multiply(Gradient *d, Entry x, Entry y, bool tx, bool ty) {
  return build_op(d->b, "matmul", &(MatmulParams){ .transpose_a = tx, .transpose_b = ty }, 2, x, y);
}

/* Joins the batch with the rows. */
static Entry in_rows(Gradient *d, Entry e, const Shape *matrices) {
  int64_t columns = matrices->dim[matrices->ndim - 1];
  Shape rows = shape_of(2, (int64_t[]){ shape_size_range(matrices, 0, matrices->ndim - 1), columns });
  return reshape_to(d->b, e, &rows);
}

/* da = g op(b)' and db = op(a)' g for y = op(a) op(b), or the transposes of these, summed over the batch axes that were
** broadcast. If b is a single matrix, its gradient is one product. */
static Status matmul_grad(Gradient *d) {
  const MatmulParams *p = gradient_params(d);
  const bool ta = p->transpose_a, tb = p->transpose_b;
  const Type *given_a = gradient_input(d, 0), *given_b = gradient_input(d, 1);
  Shape full, as = as_matrix(&given_a->shape, true), bs = as_matrix(&given_b->shape, false);
  Entry a = reshape_to(d->b, d->node->in[0], &as), b = reshape_to(d->b, d->node->in[1], &bs);
  (void)full_shape(p, &as, &bs, &full);
  Entry g = reshape_to(d->b, d->out_grad[0], &full);
  Type type_a = { given_a->dtype, as }, type_b = { given_a->dtype, bs };
  if (bs.ndim == 2 && as.ndim > 2 && !ta) {
    a = in_rows(d, a, &as);
    g = in_rows(d, g, &full);
    type_a.shape = shape_of(2, (int64_t[]){ shape_size_range(&as, 0, as.ndim - 1), as.dim[as.ndim - 1] });
  }
  if (d->wanted[0]) {
    Entry da = sum_to(d->b, ta ? multiply(d, b, g, tb, true) : multiply(d, g, b, false, !tb), &type_a);
    d->in_grad[0] = reshape_to(d->b, da, &given_a->shape);
  }
  if (d->wanted[1]) {
    Entry db = sum_to(d->b, tb ? multiply(d, g, a, true, ta) : multiply(d, a, g, !ta, false), &type_b);
    d->in_grad[1] = reshape_to(d->b, db, &given_b->shape);
  }
  return d->b->status;
}

/* ---- Row ---------------------------------------------------------------------------------------------------- */

/* clang-format off */
Op matmul_ops[] = {
  { .name = "matmul", .aliases = "_npi_matmul",
    .doc = "The product of matrices in the last two axes; the axes before them broadcast, as in NumPy. A vector is a "
           "row on the left and a column on the right; two vectors give shape (1,). Integers are accepted",
    .example = "F.matmul(F.array{{1, 2, 3}, {4, 5, 6}}, F.array{{1, -2}, {3, 4}, {0.5, 2}})\n"
               "F.matmul(F.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, F.array{{1, 0.5}, {2, -1}})\n"
               "F.matmul(F.array{{1, 2}, {3, 4}}, F.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}})\n"
               "F.matmul(F.array{{{{1, 2}}}, {{{3, 4}}}}, F.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, "
               "{transpose_b = true})\n"
               "F.matmul(F.array{{{1, 2}, {3, 4}}}, F.array{{1, 0.5}, {2, -1}}, {transpose_a = true})\n"
               "F.matmul(F.array{1, 2}, F.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}})\n"
               "F.matmul(F.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, F.array{1, -1})\n"
               "F.matmul(F.array{1, 2}, F.array{3, 4})",
    .inputs = "a b",
    .params = "transpose_a bool False Transpose the matrices of a.\n"
              "transpose_b bool False Transpose the matrices of b.\n" NP_SHAPES,
    .params_size = sizeof(MatmulParams), .infer = infer_matmul, .flops = matmul_flops, .grad = matmul_grad },
  { 0 }
};
/* clang-format on */
