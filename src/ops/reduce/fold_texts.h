/* fold_texts.h - what reductions fold: the texts of their rows, which are the loops of their kernels. */
#ifndef HL_OPS_REDUCE_FOLD_TEXTS_H
#define HL_OPS_REDUCE_FOLD_TEXTS_H

/* F(name, step, start of floats, start of integers, element by x, result by total and count) */
#define FOLD_SUM(F) F(sum, TREE_ADD, 0, 0, x, total)
#define FOLD_MEAN(F) F(mean, TREE_ADD, 0, 0, x, total / (count ? count : 1))
#define FOLD_PROD(F) F(prod, TREE_MUL, 1, 1, x, total)
#define FOLD_NANSUM(F) F(nansum, TREE_ADD, 0, 0, x != x ? 0 : x, total)
#define FOLD_NANPROD(F) F(nanprod, TREE_MUL, 1, 1, x != x ? 1 : x, total)
#define FOLD_MAX(F) F(max, TREE_MAX, -HUGE_VAL, INT64_MIN, x, total)
#define FOLD_MIN(F) F(min, TREE_MIN, HUGE_VAL, INT64_MAX, x, total)
#define FOLD_NORM1(F) F(norm1, TREE_ADD, 0, 0, abs(x), total)
#define FOLD_NORM2(F) F(norm2, TREE_ADD, 0, 0, x * x, sqrt((double)total))

/* The 2-norm y. Squares under- and overflow long before their root, so if y is small or large, it is recomputed:
** elements are multiplied by a power of two before squaring, and the root is divided by it, both exactly (J. Blue, "A
** portable Fortran program to find the Euclidean norm of a vector", ACM TOMS 4, 1978). Otherwise no square overflows,
** and those that underflow have no effect. The arguments are name, condition, factor and inverse factor. */
#define NORM_SMALL(F) \
  F(small, y < FLOATS(y, 0x1p-40f, 0x1p-400), FLOATS(x, 0x1p90f, 0x1p600), FLOATS(K(0), 0x1p-90, 0x1p-600))
#define NORM_LARGE(F) \
  F(large, y > FLOATS(y, 0x1p63f, 0x1p510), FLOATS(x, 0x1p-70f, 0x1p-600), FLOATS(K(0), 0x1p70, 0x1p600))

#endif
