/* added_rows.h - a step of inference for rows that add slices of an array at indices. */
#ifndef HL_OPS_INDEX_ADDED_ROWS_H
#define HL_OPS_INDEX_ADDED_ROWS_H

#include "ir/op.h"

/* Fails if input 0 is float16, which is not added. */
static inline Status refuse_half(const Infer *f, const char *input) {
  if (f->in[0].dtype != DT_FLOAT16) return OK;
  return fail("%s: expected dtype float32 or float64, got float16; convert with astype", input);
}

#endif
