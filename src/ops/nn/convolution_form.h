/* convolution_form.h - a convolution's sizes, and the form that fixes the bits of its results. */
#ifndef HL_OPS_NN_CONVOLUTION_FORM_H
#define HL_OPS_NN_CONVOLUTION_FORM_H

#include "ops/nn/window_geometry.h"
#include "tensor/dtype.h"

typedef struct Convolution {
  Windows w;
  DType dtype;
  int64_t images, groups, channels, filters;      /* the latter two per group */
  bool direct;                                    /* direct form for any shape */
} Convolution;

/* The form, the same for forward and both gradients. F(4x4, 3x3): float32, a 3x3 window on two axes, stride and
** dilation 1, one group, padding up to 2, at least 16 channels and filters, at most 1.5 times the products after padding
** these to multiples of 16, and an output of at least 4x4 places. F(2x2, 5x5): the same for a 5x5 window with padding up
** to 4. Else direct. `text`: the form's name, or "direct: " and the reason. */
typedef struct ConvForm { bool winograd; const char *text; } ConvForm;
ConvForm convolution_form(const Convolution *v);

#endif
