/* shape_params.h - parameters that are axes or shapes. */
#ifndef HL_OPS_COMMON_SHAPE_PARAMS_H
#define HL_OPS_COMMON_SHAPE_PARAMS_H

#include "ir/op.h"

/* An axis that inference has accepted, counted from the first. */
static inline int axis_at(int64_t axis, int ndim) { return (int)(axis < 0 ? axis + ndim : axis); }

/* Sets marked[axis] for each axis of the parameter `param`; fails if one is listed twice. */
Status mark_axes(const char *who, const char *param, const List *axes, int ndim, bool *marked);

/* Converts a shape to a parameter. */
List list_of_shape(const Shape *s);

/* Column `infer`: input 0 and output 0 have one dtype, and the parameter struct begins with the output's shape. */
Status infer_listed_shape(Infer *f);

/* Replaces () by (1,), MXNet's shape of one number. */
static inline Shape at_least_1d(Shape s) { return s.ndim == 0 ? shape_of(1, (int64_t[]){ 1 }) : s; }

/* The same unless the call is np's (NP_SHAPES). */
static inline Shape number_shape(Shape s, bool np) { return np ? s : at_least_1d(s); }

typedef struct KParams { int64_t k; } KParams;                        /* tril, triu */
typedef struct ConcatParams { int64_t num_args, dim; } ConcatParams;

#endif
