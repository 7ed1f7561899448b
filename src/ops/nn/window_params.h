/* window_params.h - the parameters of layers with a window: Convolution, Deconvolution, Pooling, im2col.
**
** kernel, stride, dilate and pad become Windows (ops/nn/window_geometry.h); a layout must have the same order of
** axes.
*/
#ifndef HL_OPS_NN_WINDOW_PARAMS_H
#define HL_OPS_NN_WINDOW_PARAMS_H

#include "ir/op.h"
#include "ops/nn/window_geometry.h"

/* Converts the parameters with these names, which may be () for the defaults; the sizes in and out stay 1. */
Status windows_read(const List *kernel, const List *stride, const List *dilate, const List *pad, Windows *w);

/* Checks a layout, an index into WINDOW_LAYOUTS (NONE: not given): it has `axes` axes (0: any number), and channels
** precede them. */
#define WINDOW_LAYOUTS "{NCDHW,NCHW,NCW,NDHWC,NHWC,NWC}? None The order of data's axes; channels must be axis 1.\n"
Status windows_layout(int64_t layout, int axes);

/* The first parameters of all; a parameter of Convolution and Deconvolution. */
#define WINDOW_PARAMS                                                                \
  "kernel shape - The window: (width), (height, width) or (depth, height, width).\n" \
  "stride shape () The window's steps; () for 1.\n"                                  \
  "dilate shape () The distance between elements of the window; () for 1.\n"         \
  "pad shape () Number of zeros added on each side; () for none.\n"
#define CUDNN_OFF "cudnn_off bool False Compute all products, even for 3x3 and 5x5 windows, which need fewer.\n"

/* The name of the layout with this many axes. */
const char *windows_layout_name(int axes, bool channels_last);

/* Checks that data has this many axes after batch and channels; an unknown shape passes. */
Status windows_dims(const Shape *data, int axes, bool channels_last);

/* A hint for errors if data's channels seem to come last, as in images from other libraries; else "". */
const char *windows_hint(const Shape *data);

#endif
