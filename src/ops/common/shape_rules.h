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
Status output_type(Infer *f, int i, Type *type);         /* completes *type, too */

/* Inputs [first, last) and every output have one dtype. */
Status one_dtype(Infer *f, int first, int last);

/* The first n inputs are float32 or float64, each for itself. */
Status float_inputs(const Infer *f, int n);

/* The first n_in inputs and the first n_out outputs have one dtype, float32 or float64. */
Status one_float_dtype(Infer *f, int n_in, int n_out);

/* Input i and output o have one shape. */
Status one_shape(Infer *f, int i, int o);

/* Input i has at least `least` dimensions, if their number is known. */
Status least_dims(const Infer *f, int i, int least);

/* Images: the shape of the input or parameter `who` is (batch, channel, height, width), as far as it is known. */
Status check_images(const char *who, const Shape *s);

/* Input i holds square matrices in its last two axes. */
Status square_matrices(Infer *f, int i);

/* An infer column: square matrices in, a number for each out, shape (1,) for a single one. */
Status infer_matrix_number(Infer *f);

/* The shape without one of its axes; with 1 in all but this axis; as a parameter. */
Shape without_axis(const Shape *s, int axis);
Shape only_axis(const Shape *s, int axis);
List shape_list(const Shape *s);

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
const Tensor *named_input(const Call *c, int name);              /* that input, or NULL */

/* An error of inference as a layer reports it (parameter _check): about the data that it got, because its weight
** exists already. Data has `got` features or channels, `what`, and the weight wants others; UNKNOWN if not known. */
Status layer_error(const Infer *f, Status s, const char *what, int64_t wanted, int64_t got, const char *hint);

#endif
