/* shape_rules.h - steps that inference of many operators shares. Each merges the known parts of an input's or output's
** type with the parts that follow from the rest. If they contradict, it fails and names the input or output.
*/
#ifndef HL_OPS_COMMON_SHAPE_RULES_H
#define HL_OPS_COMMON_SHAPE_RULES_H

#include "ir/op.h"

Status input_dtype(Infer *f, int i, DType dtype);
Status output_dtype(Infer *f, int i, DType dtype);
Status input_shape(Infer *f, int i, const Shape *shape);
Status output_shape(Infer *f, int i, const Shape *shape);
Status output_type(Infer *f, int i, Type *type);         /* completes *type as well */

/* Inputs [first, last) and all outputs have the same dtype. */
Status one_dtype(Infer *f, int first, int last);

/* Each of the first n inputs is float32 or float64. */
Status float_inputs(const Infer *f, int n);

/* The first n_in inputs and the first n_out outputs have the same dtype, float32 or float64. */
Status one_float_dtype(Infer *f, int n_in, int n_out);

/* Input i and output o have the same shape. */
Status one_shape(Infer *f, int i, int o);

/* Checks that input i has at least `least` dimensions, or an unknown number. */
Status least_dims(const Infer *f, int i, int least);

/* Checks that the input or parameter `who` has shape (batch, channel, height, width), or an unknown shape. */
Status check_images(const char *who, const Shape *s);

/* Input i holds square matrices in its last two axes. */
Status square_matrices(Infer *f, int i);

/* Column `infer`: square matrices give one number each, with shape (1,) for a single matrix, or () for
** np (NpParams). */
Status infer_matrix_number(Infer *f);

/* The shape without one axis; the shape with size 1 along all other axes. */
Shape without_axis(const Shape *s, int axis);
Shape only_axis(const Shape *s, int axis);

/* Converts the parameter `axis`, the position of a new axis among `ndim` others, to an index. */
Status new_axis(int64_t axis, int ndim, int *out);

/* Column `infer`: input 0 and output 0 have the same type. */
Status infer_same_type(Infer *f);

/* Column `infer`: all inputs and output 0 have the same type, with dtype float32 or float64. */
Status infer_same_floats(Infer *f);

/* Merges the known parts of two types; false if they contradict. */
bool types_merge(Type *a, Type *b);

/* The type of a row along the first axis; the type of `length` such rows (may be UNKNOWN). */
Type row_type(const Type *whole);
Status rows_type(const Type *row, int64_t length, Type *out);

/* Index of the input with this name, -1 if the call has none: for rows with the column `takes`. */
int input_place(bool (*takes)(const Query *q, int name), const void *params, int name);

/* Rewords an inference error for a layer (parameter _check): its weight exists already, so the error is about data.
** `what` is "features" or "channels": data has `got`, and the weight expects `wanted`; both may be UNKNOWN. */
Status layer_error(const Infer *f, Status s, const char *what, int64_t wanted, int64_t got, const char *hint);

#endif
