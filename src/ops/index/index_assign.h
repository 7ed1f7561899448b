/* index_assign.h - values and masks of x[key] = value. */
#ifndef HL_OPS_INDEX_INDEX_ASSIGN_H
#define HL_OPS_INDEX_INDEX_ASSIGN_H

#include "ops/index/index_choice.h"

/* Is the whole key a mask? */
static inline bool is_mask(const Key *key, DType dtype) {
  return dtype == DT_BOOL && key->n == 1 && key->part[0].kind == KEY_ARRAY;
}

/* The value's shape without leading axes of 1 that the selection lacks: (1, 3) fits into (3,). */
static inline Shape without_leading(const Shape *value, int ndim) {
  Shape s = *value;
  while (s.ndim > ndim && s.dim[0] == 1) memmove(s.dim, s.dim + 1, (size_t)(--s.ndim) * sizeof *s.dim);
  return s;
}

/* Fails if the value does not fit into the selection, of shape `target`. */
Status check_value(const Shape *value, const Shape *target);

#endif
