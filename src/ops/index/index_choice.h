/* index_choice.h - the elements that a key with index arrays chooses, shared by reading and writing.
**
** The elements are rows (kernels/loops/gather_rows.h): an index array's place along its axis, times that axis's stride,
** is added to the offset of the region's element.
*/
#ifndef HL_OPS_INDEX_INDEX_CHOICE_H
#define HL_OPS_INDEX_INDEX_CHOICE_H

#include <string.h>

#include "ir/node_builder.h"
#include "kernels/loops/gather_rows.h"
#include "ops/common/fill_region.h"

typedef struct IndexParams { const Key *key; } IndexParams;

#define INDEX_ARRAYS " i0 i1 i2 i3 i4 i5 i6 i7"
#define INDEX_KEY_LINE "key key ... What stands in the brackets; @ for each index array.\n"

static inline const Key *key_of(const void *params) { return ((const IndexParams *)params)->key; }

/* The column n_inputs of rows on one array and the index arrays. */
int index_inputs(const Query *q);

/* One index array as the whole key: x[indices], by far the most frequent, has a fast path everywhere. */
static inline bool names_rows(const Key *key) { return key->n == 1 && key->part[0].kind == KEY_ARRAY; }

/* Its types; false if the general path must report an error, or types are unknown. */
static inline bool select_rows(const Shape *x, const Shape *index, Shape *out) {
  int rest = x->ndim - 1;
  if (rest < 0 || !shape_known(x) || !shape_known(index) || index->ndim + rest > MAX_DIMS) return false;
  out->ndim = index->ndim + rest;
  memcpy(out->dim, index->dim, (size_t)index->ndim * sizeof *out->dim);
  memcpy(out->dim + index->ndim, x->dim + 1, (size_t)rest * sizeof *out->dim);
  return true;
}

/* The shape of the selection. */
Status select_types(const Key *key, const Shape *x, const Type *arrays, int n, Selection *out);

static inline Status refuse_masks(const Type *arrays, int n) {
  for (int i = 0; i < n; i++)
    if (arrays[i].dtype == DT_BOOL)
      return fail("index: a mask cannot be used here: the shape of the result would depend on values; use F.where");
  return OK;
}

/* The selection's elements in order, as rows of its innermost axes that are one piece of memory in x. */
typedef struct ChosenRows {
  RowGather rows;
  Selection s;
  int outer;                               /* rows are counted over the axes [0, outer) of the selection... */
  int64_t n_chosen, n_inner;               /* ...number of places of the index arrays, and of rows at each of them */
  const Tensor *index[MAX_DIMS];
  Region spread[MAX_DIMS];                 /* each index array over the axes that they broadcast to */
  int64_t dim[MAX_DIMS], stride[MAX_DIMS]; /* of the axis of x that it is for */
} ChosenRows;

/* The selection from x by a key with index arrays. */
Status chosen_rows(const Key *key, const Shape *x, const Tensor *const *index, int n, ChosenRows *r);
void find_chosen(const RowGather *rows, int64_t first, int64_t n, int64_t *place);

/* The rows along the first axis that one array names. */
typedef struct NamedRows {
  RowGather rows;
  const Tensor *index;
  int64_t dim;
} NamedRows;

Status named_rows(const Shape *x, const Tensor *index, NamedRows *r);

/* The offsets of the elements [first, first + n) of a strided array. */
void index_offsets(const int64_t *dim, const int64_t *stride, int axes, int64_t first, int64_t n, int64_t *to);

/* A row of these on g and the node's index arrays, which begin at input `first`. */
Entry build_with_arrays(Gradient *d, const char *op, const void *params, Entry g, int first);

#endif
