/* print_array.h - an array as text, in NumPy's layout: `[[1. 2.]\n [3. 4.]]`. */
#ifndef HL_TENSOR_PRINT_ARRAY_H
#define HL_TENSOR_PRINT_ARRAY_H

#include "tensor/tensor.h"

typedef struct PrintOptions {
  int precision;     /* most digits after the point */
  int threshold;     /* arrays with more elements are summarised... */
  int edge_items;    /* ...to this many items at each edge of a dimension */
  int line_width;    /* characters a line */
} PrintOptions;

extern const PrintOptions print_defaults;   /* 8, 1000, 3, 75: NumPy's */

/* Binds what arrays are printed with to this thread, at first the defaults; NULL binds the defaults again. */
const PrintOptions *print_options(void);
void print_bind(const PrintOptions *options);

void print_tensor(Text *out, const Tensor *t, const PrintOptions *options);

#endif
