/* fold_outputs.h - how kernels that fold axes divide their work: outputs, blocks of columns, blocks of one long run. */
#ifndef HL_KERNELS_REDUCE_FOLD_OUTPUTS_H
#define HL_KERNELS_REDUCE_FOLD_OUTPUTS_H

#include "base/math/tree_sum.h"
#include "base/size_math.h"
#include "base/threads/parallel_for.h"
#include "ir/op.h"
#include "kernels/loops/fold_order.h"

/* Runs `each_output` over the outputs if the innermost axis is folded, else `each_block` over blocks of columns.
** `work` is the least number of elements worth a thread. */
void fold_outputs(const FoldOrder *w, int64_t work, ParallelBody *each_output, ParallelBody *each_block, void *context);

/* Block c of the columns: *n outputs starting with *column in row *outer. */
void fold_columns(const FoldOrder *w, int64_t c, int64_t *outer, int64_t *column, int64_t *n);

/* Is there only one output, folded from a run so long that threads share its blocks? */
bool folds_blocks(const FoldOrder *w);

/* The number of blocks in n elements; their workspace, `result` bytes per block, or 0 if folds_blocks is false. */
static inline int64_t block_count(int64_t n) { return parts(n, TREE_BLOCK); }
size_t blocks_workspace(const Query *q, size_t result);

/* Block i of the run: its first element and its number of elements. */
const char *block_at(const FoldOrder *w, int64_t i, int64_t *n);

#endif
