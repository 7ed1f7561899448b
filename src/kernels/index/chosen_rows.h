/* chosen_rows.h - the elements that a key with index arrays selects, for reading and writing.
**
** The elements are rows (kernels/loops/gather_rows.h). Each index, times the stride of its axis, is added to the offset
** of the region's element.
*/
#ifndef HL_KERNELS_INDEX_CHOSEN_ROWS_H
#define HL_KERNELS_INDEX_CHOSEN_ROWS_H

#include "kernels/loops/gather_rows.h"
#include "ops/index/index_choice.h"
#include "tensor/strided_region.h"

/* The selection's elements in order, as rows over its innermost axes that are contiguous in x. */
typedef struct ChosenRows {
  RowGather rows;
  Selection s;
  int outer;                               /* rows are counted over the axes [0, outer) of the selection */
  int64_t n_chosen, n_inner;               /* positions in the index arrays; rows at each position */
  const Tensor *index[MAX_DIMS];
  Region spread[MAX_DIMS];                 /* each index array, broadcast */
  int64_t dim[MAX_DIMS], stride[MAX_DIMS]; /* of the axis that each array indexes */
} ChosenRows;

/* The selection from x by a key with index arrays. */
Status chosen_rows(const Key *key, const Shape *x, const Tensor *const *index, int n, ChosenRows *r);
void find_chosen(const RowGather *rows, int64_t first, int64_t n, int64_t *place);

/* The rows along the first axis that one array selects. */
typedef struct NamedRows {
  RowGather rows;
  const Tensor *index;
  int64_t dim;
} NamedRows;

Status named_rows(const Shape *x, const Tensor *index, NamedRows *r);

/* The offsets of the elements [first, first + n) of a strided array. */
void index_offsets(const int64_t *dim, const int64_t *stride, int axes, int64_t first, int64_t n, int64_t *to);

#endif
