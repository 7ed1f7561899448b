/* index_choice.h - keys with index arrays: parameters, shapes of selections, gradients. */
#ifndef HL_OPS_INDEX_INDEX_CHOICE_H
#define HL_OPS_INDEX_INDEX_CHOICE_H

#include <string.h>

#include "ir/node_builder.h"

typedef struct IndexParams { const Key *key; } IndexParams;

#define INDEX_ARRAYS " i0 i1 i2 i3 i4 i5 i6 i7"
#define INDEX_KEY_LINE "key key ... The content of the brackets; @ for each index array.\n"

static inline const Key *key_of(const void *params) { return ((const IndexParams *)params)->key; }

/* The column n_inputs of rows whose inputs are one array and the index arrays. */
int index_inputs(const Query *q);

/* Is one index array the whole key? x[indices] is by far the most frequent and has a fast path. */
static inline bool names_rows(const Key *key) { return key->n == 1 && key->part[0].kind == KEY_ARRAY; }

/* The shape of x[index]; false if it is unknown, or if the general path must report an error. */
static inline bool select_rows(const Shape *x, const Shape *index, Shape *out) {
  int rest = x->ndim - 1;
  if (rest < 0 || !shape_known(x) || !shape_known(index) || index->ndim + rest > MAX_DIMS) return false;
  out->ndim = index->ndim + rest;
  memcpy(out->dim, index->dim, (size_t)index->ndim * sizeof *out->dim);
  memcpy(out->dim + index->ndim, x->dim + 1, (size_t)rest * sizeof *out->dim);
  return true;
}

/* The shape that the index arrays broadcast to; () if there are none. */
Status arrays_shape(const Shape *const *shape, int n, Shape *out);

/* The shape of the selection. */
Status select_types(const Key *key, const Shape *x, const Type *arrays, int n, Selection *out);

static inline Status refuse_masks(const Type *arrays, int n) {
  for (int i = 0; i < n; i++)
    if (arrays[i].dtype == DT_BOOL)
      return fail("index: a mask cannot be used here: the shape of the result would depend on values; use F.where");
  return OK;
}

/* Builds row `op` on g and the node's index arrays, which begin at input `first`. */
Entry build_with_arrays(Gradient *d, const char *op, const void *params, Entry g, int first);

#endif
