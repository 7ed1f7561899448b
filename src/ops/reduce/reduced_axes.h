/* reduced_axes.h - the axes and result shapes of reductions. */
#ifndef HL_OPS_REDUCE_REDUCED_AXES_H
#define HL_OPS_REDUCE_REDUCED_AXES_H

#include "ir/op.h"
#include "ops/common/shared_params.h"

/* Sets reduced[i] for the axes that p reduces: all if none are given. `param` is the parameter's name, for errors. */
Status reduced_axes(const char *who, const char *param, const ReduceParams *p, int ndim, bool *reduced);

/* The result's shape, with p's keepdims; a full reduction has (1,), as in MXNet, or () for p->np. */
Shape reduced_shape(const Shape *s, const bool *reduced, const ReduceParams *p);

/* e, an output or its gradient, repeated over the reduced axes of the input's shape. */
Entry spread_over(Builder *b, Entry e, const Shape *in, const bool *reduced);

#endif
