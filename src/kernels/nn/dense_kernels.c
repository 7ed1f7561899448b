/* dense_kernels.c - FullyConnected: one product, then bias added to each row. */
#include "base/threads/parallel_for.h"
#include "kernels/kernel_registry.h"
#include "kernels/matmul/matrix_product.h"
#include "kernels/matmul/product_sizes.h"

typedef struct Biased { const void *bias; void *out; int64_t columns; } Biased;

#define ADD_BIAS(code, T, suffix)                                                              \
  static void add_bias_##suffix(void *context, int64_t first, int64_t last) {                  \
    const Biased *x = context;                                                                 \
    const T *bias = x->bias;                                                                   \
    for (int64_t r = first; r < last; r++) {                                                   \
      T *row = (T *)x->out + r * x->columns;                                                   \
      for (int64_t i = 0; i < x->columns; i++) row[i] += bias[i];                              \
    }                                                                                          \
  }
EACH_FLOAT(ADD_BIAS)

/* data (rows, features) times the transpose of weight (hidden, features), plus bias (hidden). */
static Status dense(Call *c) {
  const Type *weight = &c->in[1]->type, *out = &c->out[0]->type;
  int64_t hidden = weight->shape.dim[0], rows = shape_size(&out->shape) / hidden;
  TRY(product_of(&(Product){ .dtype = out->dtype,
                             .transpose_b = true,
                             .m = rows,
                             .n = hidden,
                             .k = weight->shape.dim[1],
                             .alpha = 1,
                             .a = c->in[0]->data,
                             .b = c->in[1]->data,
                             .c = c->out[0]->data },
                 c->in[0], c->in[1]));
  if (c->n_in < 3) return OK;
  Biased x = { c->in[2]->data, c->out[0]->data, hidden };
  parallel_chunks(rows, (1 << 15) / hidden + 1, c->kernel->body, &x);
  return interrupt_status();
}

const Kernel dense_kernels[] = { FLOAT_KERNELS("FullyConnected", dense, add_bias, PRODUCT_SIZES), { 0 } };
