/* fold_outputs.c - see fold_outputs.h. */
#include "kernels/reduce/fold_outputs.h"

void fold_outputs(const FoldOrder *w, int64_t work, ParallelBody *each_output, ParallelBody *each_block,
                  void *context) {
  const int64_t blocks = w->inner_reduced ? 1 : parts(w->inner, WALK_COLUMNS);
  const int64_t cost = w->count * (w->inner_reduced ? 1 : least(w->inner, WALK_COLUMNS)) + 1;
  parallel_for(w->outer * blocks, work / least(cost, work) + 1, w->inner_reduced ? each_output : each_block, context);
}

void fold_columns(const FoldOrder *w, int64_t c, int64_t *outer, int64_t *column, int64_t *n) {
  const int64_t blocks = parts(w->inner, WALK_COLUMNS);
  *outer = c / blocks;
  *column = c % blocks * WALK_COLUMNS;
  *n = least(w->inner - *column, WALK_COLUMNS);
}

bool folds_blocks(const FoldOrder *w) {
  return w->inner_reduced && w->outer == 1 && w->n_reduced == 0 && w->inner >= TREE_SHARED;
}

size_t blocks_workspace(const Query *q, size_t result) {
  const int64_t n = shape_size(&query_in(q, 0)->shape);
  if (shape_size(&query_out(q, 0)->shape) != 1 || n < TREE_SHARED) return 0;
  return (size_t)block_count(n) * result;
}

const char *block_at(const FoldOrder *w, int64_t i, int64_t *n) {
  const int64_t at = i * TREE_BLOCK;
  *n = least(w->inner - at, TREE_BLOCK);
  return w->in + (size_t)at * w->size;
}
