/* gradient_check_kernels.c - checks and norms of gradients. */
#include "base/math/tree_sum.h"
#include "base/threads/parallel_for.h"
#include "kernels/kernel_registry.h"

typedef struct NonfiniteSearch { const Tensor *in; int found; } NonfiniteSearch;

#define FIND_INFINITE(code, T, suffix)                                                            \
  static void find_infinite_##suffix(void *context, int64_t first, int64_t last) {                \
    NonfiniteSearch *s = context;                                                                 \
    const T *x = s->in->data;                                                                     \
    int found = 0;                                                                                \
    for (int64_t i = first; i < last; i++) found |= !(x[i] - x[i] == 0);                          \
    if (found) __atomic_store_n(&s->found, 1, __ATOMIC_RELAXED);                                  \
  }
EACH_FLOAT(FIND_INFINITE)

static Status all_finite(Call *c) {
  NonfiniteSearch s = { 0 };
  for (int i = 0; i < c->n_in && !s.found; i++) {
    s.in = c->in[i];
    parallel_chunks(tensor_size(s.in), 1 << 15, s.in->type.dtype == DT_FLOAT32 ? find_infinite_f32 : find_infinite_f64,
                    &s);
  }
  tensor_set(c->out[0], 0, !s.found);
  return OK;
}

#define SUM_SQUARES(code, T, suffix)                                                              \
  static double sum_squares_##suffix(const T *x, int64_t n) {                                     \
    double sum;                                                                                   \
    TREE_FOLD(sum, T, double, n, 0, TREE_ADD, x[i] * x[i]);                                       \
    return sum;                                                                                   \
  }
EACH_FLOAT(SUM_SQUARES)

static void sum_sq_piece(void *context, int64_t first, int64_t last) {
  const Call *c = context;
  for (int64_t i = first; i < last; i++) {
    const Tensor *x = c->in[i];
    int64_t n = tensor_size(x);
    tensor_set(c->out[0], i, x->type.dtype == DT_FLOAT32 ? sum_squares_f32(x->data, n) : sum_squares_f64(x->data, n));
  }
}

static Status sum_sq(Call *c) {
  parallel_for(c->n_in, 1, sum_sq_piece, c);
  return OK;
}

/* clang-format off */
const Kernel gradient_check_kernels[] = {
  { .op = "all_finite", .types = ALL_TYPES, .run = all_finite },
  { .op = "multi_all_finite", .types = ALL_TYPES, .run = all_finite },
  { .op = "multi_sum_sq", .types = ALL_TYPES, .run = sum_sq },
  { 0 },
};
/* clang-format on */
