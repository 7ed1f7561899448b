/* whole_norm.c - see whole_norm.h. Threads share the blocks, whose results are added in the order of
** base/math/tree_sum.h. */
#include "kernels/loops/whole_norm.h"

#include <math.h>

#include "base/math/scalar_functions.h"
#include "base/math/tree_sum.h"
#include "base/size_math.h"
#include "base/threads/parallel_for.h"
#include "ops/reduce/fold_texts.h"

typedef struct NormBlocks { const void *data; int64_t n, n_blocks; double *square; } NormBlocks;

static double sum_of_blocks(const NormBlocks *b, ParallelBody *body) {
  double total = 0;
  parallel_for(b->n_blocks, 32, body, (void *)b);
  for (int64_t i = 0; i < b->n_blocks;) {
    double group = 0;
    for (const int64_t end = i + TREE_GROUP / TREE_BLOCK; i < end && i < b->n_blocks; i++) group += b->square[i];
    total += group;
  }
  return total;
}

/* blocks_NAME_T computes the sums of squares of blocks; root_NAME_T is the norm by them. `element` and `root` are
** expressions of x and total. */
#define NORM_BY(T, name, element, root)                                                                      \
  static void blocks_##name##_##T(void *context, int64_t first, int64_t last) {                              \
    const NormBlocks *b = context;                                                                           \
    for (int64_t k = first; k < last; k++) {                                                                 \
      const T *data = (const T *)b->data + k * TREE_BLOCK;                                                   \
      TREE_FOLD(b->square[k], T, double, least(b->n - k * TREE_BLOCK, TREE_BLOCK), 0, TREE_ADD,              \
                ({ const T x = data[i]; (element); }));                                                      \
    }                                                                                                        \
  }                                                                                                          \
  static T root_##name##_##T(const NormBlocks *b) {                                                          \
    typedef T real;                                                                                          \
    const double total = sum_of_blocks(b, blocks_##name##_##T);                                              \
    return (real)(root);                                                                                     \
  }

#define FLOAT_PLAIN(name, STEP, first, int_first, element, last) NORM_BY(float, name, element, last)
#define DOUBLE_PLAIN(name, STEP, first, int_first, element, last) NORM_BY(double, name, element, last)

/* is_NAME_T is true if a norm y must be computed again in this way. */
#define SCALED(T, name, condition, factor, inverse)                                          \
  NORM_BY(T, name, (x * factor) * (x * factor), sqrt((double)total) * inverse)               \
  static bool is_##name##_##T(T y) { return condition; }
#define FLOAT_SCALED(...) SCALED(float, __VA_ARGS__)
#define DOUBLE_SCALED(...) SCALED(double, __VA_ARGS__)
FOLD_NORM2(FLOAT_PLAIN)
FOLD_NORM2(DOUBLE_PLAIN)
NORM_SMALL(FLOAT_SCALED)
NORM_SMALL(DOUBLE_SCALED)
NORM_LARGE(FLOAT_SCALED)
NORM_LARGE(DOUBLE_SCALED)

#define NORM(code, T, suffix)                                       \
  static T norm_##suffix(const NormBlocks *b) {                     \
    const T y = root_norm2_##T(b);                                  \
    if (is_small_##T(y)) return root_small_##T(b);                \
    return is_large_##T(y) ? root_large_##T(b) : y;               \
  }
EACH_FLOAT(NORM)

static int64_t blocks_of(const Type *type) { return parts(shape_size(&type->shape), TREE_BLOCK); }

size_t whole_norm_workspace(const Type *type) { return (size_t)blocks_of(type) * sizeof(double); }

double whole_norm(const Tensor *x, void *workspace) {
  const NormBlocks b = { x->data, tensor_size(x), blocks_of(&x->type), workspace };
  return x->type.dtype == DT_FLOAT32 ? norm_f32(&b) : norm_f64(&b);
}
