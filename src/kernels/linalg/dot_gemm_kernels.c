/* dot_gemm_kernels.c - dot, batch_dot, linalg_gemm, gemm2, syrk: products of stacks of matrices; khatri_rao. */
#include <string.h>

#include "base/threads/parallel_for.h"
#include "kernels/kernel_registry.h"
#include "kernels/matmul/matrix_product.h"
#include "kernels/matmul/product_sizes.h"
#include "ops/linalg/dot_gemm.h"
#include "tensor/cast_copy.h"

static Status dot(Call *c) {
  const DotParams *p = c->params;
  Shape a = dot_matrix(&c->in[0]->type.shape, p->transpose_a), b = dot_matrix(&c->in[1]->type.shape, !p->transpose_b);
  return product_of(&(Product){ .dtype = c->out[0]->type.dtype,
                                .transpose_a = p->transpose_a,
                                .transpose_b = p->transpose_b,
                                .m = a.dim[p->transpose_a ? 1 : 0],
                                .k = a.dim[p->transpose_a ? 0 : 1],
                                .n = b.dim[p->transpose_b ? 0 : 1],
                                .alpha = 1,
                                .a = c->in[0]->data,
                                .b = c->in[1]->data,
                                .c = c->out[0]->data },
                    c->in[0], c->in[1]);
}

static int64_t row_length(const Shape *s, int row) { return shape_size_range(s, row + 1, s->ndim); }

/* c = alpha op(a) op(b) + beta c for each matrix of the stacks. */
static Status stack_products(Call *c, ProductStack p) {
  const Shape *a = &c->in[0]->type.shape, *b = &c->in[1]->type.shape, *y = &c->out[0]->type.shape;
  const int last = a->ndim - 1, row = axis_at(p.axis, a->ndim);
  size_t size = dtype_size(c->out[0]->type.dtype);
  int64_t before = shape_size_range(a, 0, row), between = shape_size_range(a, row + 1, last);
  Product one = { .dtype = c->out[0]->type.dtype,
                  .transpose_a = p.transpose_a,
                  .transpose_b = p.transpose_b,
                  .m = y->dim[row],
                  .n = y->dim[last],
                  .k = a->dim[p.transpose_a ? row : last],
                  .alpha = p.alpha,
                  .beta = p.beta,
                  .a = c->in[0]->data,
                  .b = c->in[1]->data,
                  .c = c->out[0]->data,
                  .lda = row_length(a, row),
                  .ldb = row_length(b, row),
                  .ldc = row_length(y, row) };
  int64_t step_a = shape_size_range(a, row, a->ndim), step_b = shape_size_range(b, row, b->ndim),
          step_c = shape_size_range(y, row, y->ndim);
  if (between == 1 && before == 1) return product_of(&one, c->in[0], c->in[1]);
  if (between == 1) return products(&one, before, step_a, step_b, step_c);
  for (int64_t i = 0; i < before; i++) {         /* matrices with the same i begin one row apart */
    TRY(products(&one, between, a->dim[last], b->dim[last], y->dim[last]));
    one.a = (const char *)one.a + (size_t)step_a * size;
    one.b = (const char *)one.b + (size_t)step_b * size;
    one.c = (char *)one.c + (size_t)step_c * size;
  }
  return OK;
}

static Status batch_dot(Call *c) { return stack_products(c, batch_dot_stack(c->params)); }
static Status gemm2(Call *c) { return stack_products(c, gemm2_stack(c->params)); }

static Status gemm(Call *c) {
  copy_block(c->in[2]->data, c->out[0]->data, tensor_bytes(c->in[2]));
  return stack_products(c, gemm_stack(c->params));
}

/* Copies the lower triangles to the upper ones, so that the product is symmetric to the bit. */
static void mirror(Tensor *y) {
  const Shape *s = &y->type.shape;
  int64_t n = s->dim[s->ndim - 1], count = shape_size_range(s, 0, s->ndim - 2);
  size_t size = dtype_size(y->type.dtype);
  for (int64_t at = 0; at < count; at++) {
    char *matrix = (char *)y->data + (size_t)(at * n * n) * size;
    for (int64_t i = 0; i < n; i++)
      for (int64_t k = i + 1; k < n; k++)
        memcpy(matrix + (size_t)(i * n + k) * size, matrix + (size_t)(k * n + i) * size, size);
  }
}

static Status syrk(Call *c) {
  const SyrkParams *p = c->params;
  const Shape *a = &c->in[0]->type.shape;
  int64_t rows = a->dim[a->ndim - 2], columns = a->dim[a->ndim - 1], n = p->transpose ? columns : rows;
  Product one = { .dtype = c->in[0]->type.dtype,
                  .transpose_a = p->transpose,
                  .transpose_b = !p->transpose,
                  .m = n,
                  .n = n,
                  .k = p->transpose ? rows : columns,
                  .alpha = p->alpha,
                  .a = c->in[0]->data,
                  .b = c->in[0]->data,
                  .c = c->out[0]->data };
  TRY(products(&one, shape_size_range(a, 0, a->ndim - 2), rows * columns, rows * columns, n * n));
  mirror(c->out[0]);
  return OK;
}

/* Row r of the output is the product of one row of each operand; the last operand's row changes fastest. */
#define KHATRI_RAO(code, T, suffix)                                                       \
  static Status khatri_rao_##suffix(Call *c) {                                            \
    const Shape *s = &c->out[0]->type.shape;                                              \
    for (int64_t r = 0; r < s->dim[0] && !interrupted(); r++) {                           \
      T *out = (T *)c->out[0]->data + r * s->dim[1];                                      \
      int64_t rest = r;                                                                   \
      for (int i = c->n_in - 1; i >= 0; i--) {                                            \
        int64_t rows = c->in[i]->type.shape.dim[0];                                       \
        const T *in = (const T *)c->in[i]->data + rest % rows * s->dim[1];                \
        rest /= rows;                                                                     \
        for (int64_t k = 0; k < s->dim[1]; k++) out[k] = i == c->n_in - 1 ? in[k] : in[k] * out[k]; \
      }                                                                                   \
    }                                                                                     \
    return interrupt_status();                                                            \
  }
EACH_FLOAT(KHATRI_RAO)

const Kernel dot_gemm_kernels[] = {
  { .op = "dot", .types = FLOAT_TYPES, .run = dot, PRODUCT_SIZES },
  { .op = "batch_dot", .types = FLOAT_TYPES, .run = batch_dot, PRODUCT_SIZES },
  { .op = "_linalg_gemm", .types = FLOAT_TYPES, .run = gemm, PRODUCT_SIZES },
  { .op = "_linalg_gemm2", .types = FLOAT_TYPES, .run = gemm2, PRODUCT_SIZES },
  { .op = "_linalg_syrk", .types = FLOAT_TYPES, .run = syrk, PRODUCT_SIZES },
  { .op = "khatri_rao", .types = ONE_TYPE(DT_FLOAT32), .run = khatri_rao_f32 },
  { .op = "khatri_rao", .types = ONE_TYPE(DT_FLOAT64), .run = khatri_rao_f64 },
  { 0 },
};
