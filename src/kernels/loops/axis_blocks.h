/* axis_blocks.h - kernels along one axis: an array as (outer, n, inner).
**
** Along the last axis, a kernel processes one row at a time; along others, a block of neighbouring columns, so that
** memory is read in order. Threads divide the rows or blocks.
*/
#ifndef HL_KERNELS_LOOPS_AXIS_BLOCKS_H
#define HL_KERNELS_LOOPS_AXIS_BLOCKS_H

#include "base/math/tree_sum.h"
#include "ir/kernel.h"

/* Maximum number of columns per block. Sums are folded as in base/math/tree_sum.h, along rows or by columns. */
enum { ALONG_COLUMNS = 128 };

typedef struct Along { int64_t outer, n, inner; } Along;

typedef void AlongRow(const void *context, int64_t outer);
typedef void AlongColumns(const void *context, int64_t outer, int64_t column, int64_t count);

/* The lengths around an axis; fails, naming `who`, if there is no such axis. */
Status along_axis(const char *who, const Shape *s, int64_t axis, Along *out);

/* The same for an axis that inference has accepted; NONE is the array as one line. */
Along lines_along(const Shape *s, int64_t axis);

/* Runs one of the two over all rows or blocks; fails on an interrupt. */
Status along_run(const Along *a, AlongRow *row, AlongColumns *columns, const void *context);

/* The two loops of a kernel, its column `own`, in one dtype: those named stem_row_f32 and stem_columns_f32, for
** instance. ALONG_KERNELS is the float32 and the float64 kernel of a row. */
typedef struct AlongLoops { AlongRow *row; AlongColumns *columns; } AlongLoops;
#define ALONG_LOOPS(stem, suffix) { stem##_row_##suffix, stem##_columns_##suffix }
#define ALONG_KERNEL(row, code, function, stem, suffix)                                       \
  { .op = row,                                                                                \
    .types = ONE_TYPE(code),                                                                  \
    .run = function,                                                                          \
    BLOCK_SIZES(ALONG_COLUMNS),                                                               \
    .own = &(const AlongLoops)ALONG_LOOPS(stem, suffix) }
#define ALONG_KERNELS(row, function, stem)                                                    \
  ALONG_KERNEL(row, DT_FLOAT32, function, stem, f32), ALONG_KERNEL(row, DT_FLOAT64, function, stem, f64)

/* Runs the loops of a call's kernel. */
static inline Status along_call(const Call *c, const Along *a, const void *context) {
  const AlongLoops *loops = c->kernel->own;
  return along_run(a, loops->row, loops->columns, context);
}

/* Sums `count` neighbouring columns by blocks of rows; `inner` is the distance between rows. total[k] = the sum over i
** < n of `element`, an expression of i (the index along the axis), k (the column) and `at` (the element's offset). */
#define COLUMN_SUMS(T, total, n, count, element)                                              \
  do {                                                                                        \
    T block_[ALONG_COLUMNS];                                                                  \
    double group_[ALONG_COLUMNS];                                                             \
    for (int64_t k = 0; k < (count); k++) total[k] = 0;                                       \
    for (int64_t from_ = 0; from_ < (n); from_ += TREE_ROWS) {                                \
      const int64_t end_ = from_ + TREE_ROWS < (n) ? from_ + TREE_ROWS : (n);                 \
      for (int64_t k = 0; k < (count); k++) block_[k] = 0;                                    \
      for (int64_t i = from_; i < end_; i++) {                                                \
        const int64_t first_ = i * inner;                                                     \
        for (int64_t k = 0; k < (count); k++) {                                               \
          const int64_t at = first_ + k;                                                      \
          block_[k] += (element);                                                             \
        }                                                                                     \
      }                                                                                       \
      TREE_JOIN_PARTS(double, total, group_, block_, count, from_, end_, n, 0, TREE_ADD);     \
    }                                                                                         \
  } while (0)

#endif
