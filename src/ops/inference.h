/* inference.h - the steps that inference of many operators shares. Each brings together what
** is known of an input's or output's type and what follows for it from the rest, and
** fails, naming the input or output, where these contradict.
*/
#ifndef HL_INFERENCE_H
#define HL_INFERENCE_H

#include "ir/op.h"

Status input_dtype(Infer *f, int i, DType dtype);
Status output_dtype(Infer *f, int i, DType dtype);
Status input_shape(Infer *f, int i, const Shape *shape);
Status output_shape(Infer *f, int i, const Shape *shape);

/* Inputs [first, last) and every output have one dtype. */
Status one_dtype(Infer *f, int first, int last);

/* Where a new axis goes among `ndim` others, from its parameter `axis`. */
Status new_axis(int64_t axis, int ndim, int *out);

/* Input 0 and output 0 have one type: an infer column of its own. */
Status infer_same_type(Infer *f);

#endif
