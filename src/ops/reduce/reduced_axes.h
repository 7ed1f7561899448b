/* reduced_axes.h - the axes that a reduction folds, and the shape that it leaves. */
#ifndef HL_OPS_REDUCE_REDUCED_AXES_H
#define HL_OPS_REDUCE_REDUCED_AXES_H

#include "ir/op.h"
#include "ops/common/shared_params.h"

/* Which axes the parameter `param`, in p, folds; none given: all. */
Status reduced_axes(const char *who, const char *param, const ReduceParams *p, int ndim, bool *reduced);

/* The shape that is left. A full reduction leaves (1,), as in MXNet. */
Shape reduced_shape(const Shape *s, const bool *reduced, bool keepdims);

/* e, an output or its gradient, repeated over the reduced axes of the input's shape. */
Entry spread_over(Builder *b, Entry e, const Shape *in, const bool *reduced);

#endif
