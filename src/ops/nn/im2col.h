/* im2col.h - parameters and windows of im2col and col2im. */
#ifndef HL_OPS_NN_IM2COL_H
#define HL_OPS_NN_IM2COL_H

#include "ops/nn/window_params.h"

typedef struct Im2colParams { List kernel, stride, dilate, pad; } Im2colParams;
typedef struct Col2imParams { List output_size, kernel, stride, dilate, pad; } Col2imParams;

/* Reads the windows, with all sizes; the shape of im2col's data must be known. */
Status im2col_windows(const Im2colParams *p, const Shape *data, Windows *w);
Status col2im_windows(const Col2imParams *p, Windows *w);

#endif
