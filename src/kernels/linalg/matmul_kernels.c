/* matmul_kernels.c - matmul.
**
** Products of floats run as one product if the right operand is a single matrix, as products at equal distances if each
** operand has the batch of the result or one matrix, else one by one. Integers have their own loop.
*/
#include <string.h>

#include "base/threads/parallel_for.h"
#include "kernels/linalg/each_matrix.h"
#include "kernels/matmul/matrix_product.h"
#include "kernels/matmul/product_sizes.h"
#include "ops/linalg/matmul.h"

typedef struct MatmulLoop {
  Status (*one)(const Product *);
  bool integers;
} MatmulLoop;

#define EACH_INTEGER(X) X(DT_UINT8, uint8_t) X(DT_INT32, int32_t) X(DT_INT8, int8_t) X(DT_INT64, int64_t)

/* Integers wrap around, which in C needs unsigned arithmetic. */
#define INTEGER_PRODUCT(code, T)                                                                       \
  static Status product_##code(const Product *p) {                                                     \
    const T *a = p->a, *b = p->b;                                                                      \
    T *c = p->c;                                                                                       \
    memset(c, 0, (size_t)(p->m * p->n) * sizeof(T));                                                   \
    for (int64_t i = 0; i < p->m && !interrupted(); i++)                                               \
      for (int64_t l = 0; l < p->k; l++) {                                                             \
        const uint64_t x = (uint64_t)(p->transpose_a ? a[l * p->m + i] : a[i * p->k + l]);             \
        for (int64_t j = 0; j < p->n; j++)                                                             \
          c[i * p->n + j] = (T)((uint64_t)c[i * p->n + j] + x *                                        \
                                (uint64_t)(p->transpose_b ? b[j * p->k + l] : b[l * p->n + j]));       \
      }                                                                                                \
    return interrupt_status();                                                                         \
  }
EACH_INTEGER(INTEGER_PRODUCT)

static Status matmul(Call *c) {
  const MatmulLoop *loop = c->kernel->own;
  const MatmulParams *p = c->params;
  Shape a = as_matrix(&c->in[0]->type.shape, true), b = as_matrix(&c->in[1]->type.shape, false), out;
  if (tensor_size(c->out[0]) == 0) return OK;
  (void)full_shape(p, &a, &b, &out);
  Product one = { .dtype = c->out[0]->type.dtype,
                  .transpose_a = p->transpose_a,
                  .transpose_b = p->transpose_b,
                  .m = out.dim[out.ndim - 2],
                  .n = out.dim[out.ndim - 1],
                  .k = a.dim[a.ndim - (p->transpose_a ? 2 : 1)],
                  .alpha = 1,
                  .a = c->in[0]->data,
                  .b = c->in[1]->data,
                  .c = c->out[0]->data };
  const bool floats = !loop->integers;
  Shape batch = batch_of(&out), left = batch_of(&a), right = batch_of(&b);
  int64_t count = shape_size(&batch), n_left = shape_size(&left), n_right = shape_size(&right);
  if (floats && n_right == 1 && n_left == count && !p->transpose_a) {
    one.m *= count;
    return product_of(&one, c->in[0], c->in[1]);
  }
  if (floats && (n_left == count || n_left == 1) && (n_right == count || n_right == 1))
    return products(&one, count, n_left == 1 ? 0 : one.m * one.k, n_right == 1 ? 0 : one.k * one.n, one.m * one.n);
  const size_t size = dtype_size(one.dtype);
  Region from_a = region_broadcast(&left, &batch), from_b = region_broadcast(&right, &batch);
  for (int64_t i = 0; i < count; i++) {
    const int64_t at_a = region_position(&from_a, i), at_b = region_position(&from_b, i);
    one.a = (const char *)c->in[0]->data + (size_t)(at_a * one.m * one.k) * size;
    one.b = (const char *)c->in[1]->data + (size_t)(at_b * one.k * one.n) * size;
    one.c = (char *)c->out[0]->data + (size_t)(i * one.m * one.n) * size;
    TRY(loop->one(&one));
  }
  return OK;
}

#define INTEGER_KERNEL(code, T)     \
  { .op = "matmul",                 \
    .types = ONE_TYPE(code),        \
    .run = matmul,                  \
    .own = &(const MatmulLoop){ product_##code, true } },

const Kernel matmul_kernels[] = {
  { .op = "matmul", .types = FLOAT_TYPES, .run = matmul, .own = &(const MatmulLoop){ product, false }, PRODUCT_SIZES },
  EACH_INTEGER(INTEGER_KERNEL){ 0 },
};
