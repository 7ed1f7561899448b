/* dot_gemm.c - matrix products: dot, batch_dot, linalg_gemm, gemm2, syrk, khatri_rao.
**
** Operands are seen as stacks of matrices; the kernels are in kernels/linalg/dot_gemm_kernels.c. The gradient of a
** product is two products with transposes, so the same rows serve gradients of any order. Triangular matrices are in
** triangular_diagonal.c.
*/
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/linalg/dot_gemm.h"
#include "ops/op_registry.h"

/* ---- Shared by the products ----------------------------------------------------------------- */

/* Builds op(x) op(y) for the gradient of a product of the same kind. */
typedef Entry Multiply(Gradient *d, Entry x, Entry y, bool transpose_x, bool transpose_y);

/* da = g op(b)' and db = op(a)' g for y = op(a) op(b) with gradient g, or the transposes of these. */
static Status product_gradients(Gradient *d, Multiply *multiply, Entry a, Entry b, Entry g, bool ta, bool tb) {
  if (d->wanted[0]) d->in_grad[0] = ta ? multiply(d, b, g, tb, true) : multiply(d, g, b, false, !tb);
  if (d->wanted[1]) d->in_grad[1] = tb ? multiply(d, g, a, true, ta) : multiply(d, a, g, !ta, false);
  return d->b->status;
}

/* Merges two dimensions, each possibly unknown; false if they differ. */
static bool share(int64_t *x, int64_t *y) {
  if (*x < 0) *x = *y;
  if (*y < 0) *y = *x;
  return *x == *y;
}

/* ---- dot ---------------------------------------------------------------------------------------- */

static Status infer_dot(Infer *f) {
  const DotParams *p = f->params;
  Shape *a = &f->in[0].shape, *b = &f->in[1].shape, out = { 0 };
  TRY(one_float_dtype(f, 2, 1));
  if (a->ndim < 0 || b->ndim < 0) return OK;
  TRY(least_dims(f, 0, 1));
  TRY(least_dims(f, 1, 1));
  bool vectors = a->ndim == 1 && b->ndim == 1;
  if (vectors && (p->transpose_a || p->transpose_b))
    return fail("transpose_a: expected false for two vectors, got true");
  int at = contracted(a, p->transpose_a), bt = contracted(b, !p->transpose_b);
  if (!share(&a->dim[at], &b->dim[bt]))
    return fail("rhs: expected %lld elements along axis %d to go with lhs %s, got shape %s", (long long)a->dim[at], bt,
                shape_text(a), shape_text(b));
  if (a->ndim + b->ndim - 2 > MAX_DIMS)
    return fail("rhs: expected a product of at most %d dimensions, got %s by %s", MAX_DIMS, shape_text(a),
                shape_text(b));
  for (int i = 0; i < a->ndim; i++)
    if (i != at) out.dim[out.ndim++] = a->dim[i];
  for (int i = 0; i < b->ndim; i++)
    if (i != bt) out.dim[out.ndim++] = b->dim[i];
  out = number_shape(out, p->np);
  return output_shape(f, 0, &out);
}

/* Operations of a product whose elements are sums of k terms. */
static double product_flops(const Type *out, int64_t k) { return 2 * (double)k * (double)shape_size(&out->shape); }

static double dot_flops(const Query *q) {
  const DotParams *p = q->params;
  return product_flops(query_out(q, 0), query_in(q, 0)->shape.dim[contracted(&query_in(q, 0)->shape, p->transpose_a)]);
}

static Entry multiply_dot(Gradient *d, Entry x, Entry y, bool tx, bool ty) {
  return build_op(d->b, "dot", &(DotParams){ .transpose_a = tx, .transpose_b = ty, .forward_stype = NONE }, 2, x, y);
}

static Status dot_grad(Gradient *d) {
  const DotParams *p = gradient_params(d);
  Entry *in = d->node->in;
  const Shape *as = &entry_type(in[0])->shape, *bs = &entry_type(in[1])->shape;
  Shape a = dot_matrix(as, p->transpose_a), b = dot_matrix(bs, !p->transpose_b);
  Shape g = shape_of(2, (int64_t[]){ a.dim[p->transpose_a ? 1 : 0], b.dim[p->transpose_b ? 0 : 1] });
  TRY(product_gradients(d, multiply_dot, reshape_to(d->b, in[0], &a), reshape_to(d->b, in[1], &b),
                        reshape_to(d->b, d->out_grad[0], &g), p->transpose_a, p->transpose_b));
  if (d->wanted[0]) d->in_grad[0] = reshape_to(d->b, d->in_grad[0], as);
  if (d->wanted[1]) d->in_grad[1] = reshape_to(d->b, d->in_grad[1], bs);
  return d->b->status;
}

/* ---- Stacks of matrices -------------------------------------------------------------------------- */

static Status infer_stack(Infer *f, ProductStack p, int least) {
  Shape *a = &f->in[0].shape, *b = &f->in[1].shape;
  int row;
  TRY(one_float_dtype(f, f->n_in, 1));
  if (a->ndim < 0 || b->ndim < 0) return OK;
  TRY(least_dims(f, 0, least));
  int last = a->ndim - 1;
  if (b->ndim != a->ndim)
    return fail("%s: expected %d dimensions, got shape %s", op_input_name(f->op, 1), a->ndim, shape_text(b));
  TRY(axis_normal(f->op->name, "axis", p.axis, a->ndim, &row));
  if (row == last) return fail("axis: expected an axis before that of the columns, got %lld", (long long)p.axis);
  bool fits = share(&a->dim[p.transpose_a ? row : last], &b->dim[p.transpose_b ? last : row]);
  for (int i = 0; i < last && fits; i++)
    if (i != row) fits = share(&a->dim[i], &b->dim[i]);
  if (!fits)
    return fail("%s: expected a shape that fits %s%s, got %s%s", op_input_name(f->op, 1), shape_text(a),
                p.transpose_a ? " transposed" : "", shape_text(b), p.transpose_b ? " transposed" : "");
  Shape out = *a;
  out.dim[row] = a->dim[p.transpose_a ? last : row];
  out.dim[last] = b->dim[p.transpose_b ? row : last];
  return output_shape(f, 0, &out);
}

static double stack_flops(const Query *q, ProductStack p) {
  const Shape *a = &query_in(q, 0)->shape;
  return product_flops(query_out(q, 0), a->dim[p.transpose_a ? axis_at(p.axis, a->ndim) : a->ndim - 1]);
}

static double batch_dot_flops(const Query *q) { return stack_flops(q, batch_dot_stack(q->params)); }
static double gemm_flops(const Query *q) { return stack_flops(q, gemm_stack(q->params)); }
static double gemm2_flops(const Query *q) { return stack_flops(q, gemm2_stack(q->params)); }

/* As in MXNet, nothing is inferred before both operands' dimensions of the summed axis are known. */
static Status infer_batch_dot(Infer *f) {
  const DotParams *p = f->params;
  const Shape *a = &f->in[0].shape, *b = &f->in[1].shape;
  const bool open = (a->ndim >= 3 && a->dim[a->ndim - (p->transpose_a ? 2 : 1)] < 0) ||
                    (b->ndim >= 3 && b->dim[b->ndim - (p->transpose_b ? 1 : 2)] < 0);
  return open ? one_float_dtype(f, 2, 1) : infer_stack(f, batch_dot_stack(p), 3);
}

static Status infer_gemm2(Infer *f) { return infer_stack(f, gemm2_stack(f->params), 2); }

static Status infer_gemm(Infer *f) {
  TRY(infer_stack(f, gemm_stack(f->params), 2));
  return one_shape(f, 2, 0);
}

static Entry multiply_batch_dot(Gradient *d, Entry x, Entry y, bool tx, bool ty) {
  return build_op(d->b, "batch_dot", &(DotParams){ .transpose_a = tx, .transpose_b = ty, .forward_stype = NONE }, 2, x,
                  y);
}

static Entry multiply_gemm(Gradient *d, Entry x, Entry y, bool tx, bool ty) {
  const GemmParams *p = gradient_params(d);
  return build_op(d->b, "_linalg_gemm2", &(Gemm2Params){ tx, ty, p->alpha, p->axis }, 2, x, y);
}

static Entry multiply_gemm2(Gradient *d, Entry x, Entry y, bool tx, bool ty) {
  const Gemm2Params *p = gradient_params(d);
  return build_op(d->b, "_linalg_gemm2", &(Gemm2Params){ tx, ty, p->alpha, p->axis }, 2, x, y);
}

static Status stack_grad(Gradient *d, ProductStack p, Multiply *multiply) {
  const Entry *in = d->node->in;
  return product_gradients(d, multiply, in[0], in[1], d->out_grad[0], p.transpose_a, p.transpose_b);
}

static Status batch_dot_grad(Gradient *d) {
  return stack_grad(d, batch_dot_stack(gradient_params(d)), multiply_batch_dot);
}

static Status gemm2_grad(Gradient *d) { return stack_grad(d, gemm2_stack(gradient_params(d)), multiply_gemm2); }

static Status gemm_grad(Gradient *d) {
  const GemmParams *p = gradient_params(d);
  TRY(stack_grad(d, gemm_stack(p), multiply_gemm));
  if (d->wanted[2]) d->in_grad[2] = times(d->b, d->out_grad[0], p->beta);
  return d->b->status;
}

/* ---- syrk: alpha a a' ------------------------------------------------------------------------------ */

static double syrk_flops(const Query *q) {
  const Shape *a = &query_in(q, 0)->shape;
  return product_flops(query_out(q, 0), a->dim[a->ndim - (((const SyrkParams *)q->params)->transpose ? 2 : 1)]);
}

static Status infer_syrk(Infer *f) {
  const SyrkParams *p = f->params;
  const Shape *a = &f->in[0].shape;
  TRY(one_float_dtype(f, 1, 1));
  TRY(least_dims(f, 0, 2));
  if (a->ndim < 0) return OK;
  Shape out = *a;
  int row = a->ndim - 2, last = a->ndim - 1;
  out.dim[row] = out.dim[last] = a->dim[p->transpose ? last : row];
  return output_shape(f, 0, &out);
}

/* alpha (g + g') a; with transpose alpha a (g + g'). */
static Status syrk_grad(Gradient *d) {
  const SyrkParams *p = gradient_params(d);
  Entry a = d->node->in[0], g = d->out_grad[0];
  Gemm2Params plain = { .alpha = p->alpha, .axis = -2 }, turned = plain;
  turned.transpose_a = !p->transpose;
  turned.transpose_b = p->transpose;
  Entry left = p->transpose ? a : g, right = p->transpose ? g : a;
  return only_gradient(d, build_sum(d->b, build_op(d->b, "_linalg_gemm2", &plain, 2, left, right),
                                    build_op(d->b, "_linalg_gemm2", &turned, 2, left, right)));
}

/* ---- khatri_rao -------------------------------------------------------------------------------------- */

typedef struct FactorCountParams { int64_t num_args; } FactorCountParams;

static Status infer_khatri_rao(Infer *f) {
  Shape out = { .ndim = 2, .dim = { 1, UNKNOWN } };
  TRY(one_float_dtype(f, f->n_in, 1));
  for (int i = 0; i < f->n_in; i++) {
    const Shape *s = &f->in[i].shape;
    if (s->ndim < 0) return OK;
    if (s->ndim != 2) return fail("%s: expected a matrix, got shape %s", op_input_name(f->op, i), shape_text(s));
    if (!share(&out.dim[1], &f->in[i].shape.dim[1]))
      return fail("%s: expected %lld columns, got shape %s", op_input_name(f->op, i), (long long)out.dim[1],
                  shape_text(s));
    if (s->dim[0] < 0 || out.dim[0] < 0) out.dim[0] = UNKNOWN;
    else if (__builtin_mul_overflow(out.dim[0], s->dim[0], &out.dim[0]))
      return fail("%s: expected fewer rows", op_input_name(f->op, i));
  }
  return output_shape(f, 0, &out);
}

/* Multiplies two matrices at a time, the last first as in the kernel: (rows, 1, columns) * (1, more, columns). */
static Entry khatri_rao_expand(Builder *b, Node *n) {
  Entry y = n->in[n->n_in - 1];
  for (int i = n->n_in - 2; i >= 0 && b->status == OK; i--) {
    const Shape *left = &entry_type(n->in[i])->shape, *right = &entry_type(y)->shape;
    int64_t columns = left->dim[1], rows = left->dim[0], more = right->dim[0];
    Shape l = shape_of(3, (int64_t[]){ rows, 1, columns }), r = shape_of(3, (int64_t[]){ 1, more, columns });
    Shape both = shape_of(2, (int64_t[]){ rows * more, columns });
    y = reshape_to(b, build_op(b, "broadcast_mul", NULL, 2, reshape_to(b, n->in[i], &l), reshape_to(b, y, &r)), &both);
  }
  return y;
}

/* ---- Rows --------------------------------------------------------------------------------------------- */

#define TRANSPOSES                                                                                          \
  "transpose_a bool False Transpose the first operand.\n"                                                  \
  "transpose_b bool False Transpose the second operand.\n"
#define STORAGE "forward_stype {default,csr,row_sparse}? None Accepted as in MXNet; arrays are dense.\n"
#define ROW_AXIS "axis int -2 The axis of the rows; the last axis is the columns, the others count matrices.\n"

/* clang-format off */
Op linalg_ops[] = {
  { .name = "dot", .aliases = "/_np_dot",
    .doc = "The product of matrices. For other arrays it contracts the last axis of lhs with the first of rhs; two "
           "vectors give shape (1,). transpose_a contracts the first axis of lhs, transpose_b the last of rhs",
    .example = "F.dot(F.array{{1, 2, 3}, {4, 5, 6}}, F.array{{1, -2}, {3, 4}, {0.5, 2}})\n"
               "F.dot(F.array{1, 2, 3}, F.array{4, 5, 6})\n"
               "F.dot(F.array{{1, 2}, {3, 4}, {5, 7}}, F.array{{1, 2, 3}, {4, 5, 6}}, "
               "{transpose_a = true, transpose_b = true})\n"
               "F.dot(F.array{{1, 2}, {3, 4}}, F.array{{2, 1}, {0, 5}}, {transpose_b = true})\n"
               "F.dot(F.array{{1, 2}, {3, 4}}, F.array{{2, 1}, {0, 5}}, {transpose_a = true})\n"
               "F.dot(F.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, F.array{{{1, 0.5}}, {{2, -1}}})\n"
               "F.dot(F.array{{1, 2}, {3, 4}}, F.array{5, 6})",
    .inputs = "lhs rhs", .params = TRANSPOSES STORAGE NP_SHAPES, .params_size = sizeof(DotParams),
    .infer = infer_dot, .flops = dot_flops, .grad = dot_grad },
  { .name = "batch_dot", .doc = "The products of two stacks of matrices, whose rows and columns are the last two axes",
    .example = "F.batch_dot(F.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, "
               "F.array{{{1, -1, 2}, {2, 0, 1}}, {{1, 3, 1}, {0, 2, 2}}})\n"
               "F.batch_dot(F.array{{{1, 2}, {3, 4}}}, F.array{{{1, 2}, {3, 4}, {5, 6}}}, "
               "{transpose_a = true, transpose_b = true})\n"
               "F.batch_dot(F.array{{{1, 2}, {3, 4}}}, F.array{{{1, 2}, {3, 4}}}, {transpose_a = true})",
    .inputs = "lhs rhs", .params = TRANSPOSES STORAGE NP_SHAPES, .params_size = sizeof(DotParams),
    .infer = infer_batch_dot, .flops = batch_dot_flops, .grad = batch_dot_grad },
  { .name = "_linalg_gemm", .aliases = "linalg_gemm linalg.gemm",
    .doc = "alpha op(A) op(B) + beta C for matrices or stacks of matrices; op transposes if requested",
    .example = "F.linalg_gemm(F.array{{1, 2}, {3, 4}}, F.array{{5, 6}, {7, 8}}, F.array{{1, 1}, {2, 2}}, "
               "{alpha = 1.5, beta = 0.5})\n"
               "F.linalg_gemm(F.array{{{1, 2}}, {{3, 4}}}, F.array{{{5, 6}}, {{7, 8}}}, F.array{{{1, 1}}, {{2, 2}}}, "
               "{axis = 0, transpose_a = true})",
    .inputs = "A B C",
    .params = TRANSPOSES "alpha float 1 The factor of the product.\nbeta float 1 The factor of C.\n" ROW_AXIS,
    .params_size = sizeof(GemmParams), .infer = infer_gemm, .flops = gemm_flops, .grad = gemm_grad },
  { .name = "_linalg_gemm2", .aliases = "linalg_gemm2 linalg.gemm2",
    .doc = "alpha op(A) op(B) for matrices or stacks of matrices; op transposes if requested",
    .example = "F.linalg_gemm2(F.array{{1, 2}, {3, 4}}, F.array{{5, 6}, {7, 8}}, {alpha = 2, transpose_b = true})\n"
               "F.linalg_gemm2(F.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, F.array{{{1, 0.5}, {2, -1}}}, "
               "{transpose_a = true, transpose_b = true, axis = 0})",
    .inputs = "A B", .params = TRANSPOSES "alpha float 1 The factor of the product.\n" ROW_AXIS,
    .params_size = sizeof(Gemm2Params),
    .infer = infer_gemm2, .flops = gemm2_flops, .grad = gemm2_grad },
  { .name = "_linalg_syrk", .aliases = "linalg_syrk linalg.syrk",
    .doc = "alpha A A' for matrices or stacks of matrices; with transpose, alpha A' A. Symmetric to the bit",
    .example = "F.linalg_syrk(F.array{{1, 2, 3}, {4, 5, 6}}, {alpha = 0.5})\n"
               "F.linalg_syrk(F.array{{1, 2, 3}, {4, 5, 6}}, {transpose = true})",
    .inputs = "A", .params = "transpose bool False Compute A' A.\nalpha float 1 The factor.\n",
    .params_size = sizeof(SyrkParams), .infer = infer_syrk, .flops = syrk_flops, .grad = syrk_grad },
  { .name = "khatri_rao",
    .doc = "The column-wise Kronecker product: for a (r, n) and b (s, n), row i s + j is a[i] * b[j]",
    .example = "F.khatri_rao(F.array{{1, 2}, {3, 4}}, F.array{{5, 6}, {7, 8}, {9, 10}})\n"
               "F.khatri_rao(F.array{{1, 2}}, F.array{{3, 4}, {5, 6}}, F.array{{2, 1}})",
    .inputs = "args...", .params = "num_args int - Number of matrices; counted if not given.\n",
    .params_size = sizeof(FactorCountParams), .flags = OP_VARIADIC,
    .infer = infer_khatri_rao, .expand = khatri_rao_expand },
  { 0 }
};
/* clang-format on */
