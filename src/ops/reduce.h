/* reduce.h - the axes that a reduction folds. */
#ifndef HL_REDUCE_H
#define HL_REDUCE_H

#include "ir/op.h"
#include "ops/params.h"

/* Marks the axes that p names of an array with ndim dimensions. */
Status reduced_axes(const char *who, const ReduceParams *p, int ndim, bool *reduced);

/* The shape without them (or with 1 there); never 0-d, as in MXNet. */
Shape reduced_shape(const Shape *s, const bool *reduced, bool keepdims);

/* Inference of an operator that folds the axes that p names, in its input's dtype. */
Status reduce_infer(Infer *f, const ReduceParams *p);

#endif
