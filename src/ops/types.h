/* types.h - the steps that inference of many operators shares. */
#ifndef HL_OPS_TYPES_H
#define HL_OPS_TYPES_H

#include "ir/op.h"

/* X(code, C type, suffix): the dtypes that kernels with own loops compute in. */
#define EACH_FLOAT(X) X(DT_FLOAT32, float, f32) X(DT_FLOAT64, double, f64)

/* Gives the first n_in inputs and the first n_out outputs one dtype, float32 or float64. */
Status types_float(Infer *f, int n_in, int n_out);

/* Brings what is known of the shape of input or output i together with what it must be. */
Status types_input(Infer *f, int i, const Shape *expected);
Status types_output(Infer *f, int i, const Shape *expected);

/* Input i and output o have one shape; each learns from the other. */
Status types_same_shape(Infer *f, int i, int o);

/* Input i must have at least `least` dimensions, if it is known. */
Status types_least_dims(const Infer *f, int i, int least);

/* The shape without axis `axis`. */
Shape types_without_axis(const Shape *s, int axis);

#endif
