/* shape_rules.h - the steps that inference of many operators shares. Each merges the known
** parts of an input's or output's type with those that follow from the rest, and
** fails, naming the input or output, if these contradict.
*/
#ifndef HL_OPS_COMMON_SHAPE_RULES_H
#define HL_OPS_COMMON_SHAPE_RULES_H

#include "ir/op.h"

Status input_dtype(Infer *f, int i, DType dtype);
Status output_dtype(Infer *f, int i, DType dtype);
Status input_shape(Infer *f, int i, const Shape *shape);
Status output_shape(Infer *f, int i, const Shape *shape);

/* Inputs [first, last) and every output have one dtype. */
Status one_dtype(Infer *f, int first, int last);

/* The first n_in inputs and the first n_out outputs have one dtype, float32 or float64. */
Status one_float_dtype(Infer *f, int n_in, int n_out);

/* Input i and output o have one shape. */
Status one_shape(Infer *f, int i, int o);

/* Input i has at least `least` dimensions, if their number is known. */
Status least_dims(const Infer *f, int i, int least);

/* Input i holds square matrices in its last two axes. */
Status square_matrices(Infer *f, int i);

/* An infer column: square matrices in, a number for each out, shape (1,) for a single one. */
Status infer_matrix_number(Infer *f);

/* The shape without one of its axes. */
Shape without_axis(const Shape *s, int axis);

/* Where a new axis goes among `ndim` others, from its parameter `axis`. */
Status new_axis(int64_t axis, int ndim, int *out);

/* Input 0 and output 0 have one type: an infer column of its own. */
Status infer_same_type(Infer *f);

/* All inputs and output 0 have one type, of float32 or float64: an infer column of its own. */
Status infer_same_floats(Infer *f);

/* Merges the known parts of two types; false if they contradict. */
bool types_merge(Type *a, Type *b);

/* The type of a row along the first axis; that of `length` such rows (UNKNOWN: any number). */
Type row_type(const Type *whole);
Status rows_type(const Type *row, int64_t length, Type *out);

/* Index of the input with this name in a call that takes some by its parameters (column `takes`); -1 if the call does
** not take it. */
int input_place(bool (*takes)(const Query *q, int name), const void *params, int name);

#endif
