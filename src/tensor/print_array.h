/* print_array.h - an array as text, in NumPy's layout: `[[1. 2.]\n [3. 4.]]`. */
#ifndef HL_TENSOR_PRINT_ARRAY_H
#define HL_TENSOR_PRINT_ARRAY_H

#include "tensor/tensor.h"

typedef struct PrintOptions {
  int precision;     /* maximum number of digits after the point */
  int threshold;     /* arrays with more elements are summarised */
  int edge_items;    /* summaries: items at each edge of a dimension */
  int line_width;    /* characters per line */
} PrintOptions;

/* NumPy's defaults; a script's options are in state/engine.h. */
#define PRINT_DEFAULTS { .precision = 8, .threshold = 1000, .edge_items = 3, .line_width = 75 }

void print_tensor(Text *out, const Tensor *t, const PrintOptions *options);

/* As Python code: `array([[1., 2.],\n       [3., 4.]])`; the dtype follows unless it is float32 or bool. */
void print_tensor_code(Text *out, const Tensor *t, const PrintOptions *options);

#endif
