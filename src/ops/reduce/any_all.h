/* any_all.h - parameters of tests and counts of elements, and what isnan and the like mean. */
#ifndef HL_OPS_REDUCE_ANY_ALL_H
#define HL_OPS_REDUCE_ANY_ALL_H

#include "ops/common/shared_params.h"

typedef struct TruthParams { List axis; int64_t keepdims, np; } TruthParams;      /* of any, all, count_nonzero */
typedef struct EqualParams { int64_t equal_nan, np; } EqualParams;
typedef struct CloseParams { double rtol, atol; int64_t equal_nan; } CloseParams;

static inline ReduceParams truth_axes(const TruthParams *p) {
  return (ReduceParams){ .axis = p->axis, .keepdims = p->keepdims, .np = p->np };
}

/* F(name, test of an element x, what it means): for integers the answer is a constant. */
#define EACH_IS(F)                                                                          \
  F(isnan,    x != x,               "Whether each element is NaN.")                           \
  F(isinf,    x - x != 0 && x == x, "Whether each element is infinite, of either sign.")      \
  F(isfinite, x - x == 0,           "Whether each element is neither infinite nor NaN.")      \
  F(isposinf, x - x != 0 && x > 0,  "Whether each element is plus infinity.")                 \
  F(isneginf, x - x != 0 && x < 0,  "Whether each element is minus infinity.")

#endif
