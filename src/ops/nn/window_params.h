/* window_params.h - the parameters of layers with a window: Convolution, Deconvolution, Pooling, im2col.
**
** kernel, stride, dilate and pad become Windows (kernels/conv/window_geometry.h); a layout is checked against the order
** that those have.
*/
#ifndef HL_OPS_NN_WINDOW_PARAMS_H
#define HL_OPS_NN_WINDOW_PARAMS_H

#include "ir/op.h"
#include "kernels/conv/window_geometry.h"

/* Reads the parameters of these names, whose values may be () for the defaults; in and out stay 1. */
Status windows_read(const List *kernel, const List *stride, const List *dilate, const List *pad, Windows *w);

/* Fails unless layout, the place of its word in WINDOW_LAYOUTS (NONE: not given), has the channels before the axes,
** and that many axes (0: any number). */
#define WINDOW_LAYOUTS "{NCDHW,NCHW,NCW,NDHWC,NHWC,NWC}? None The order of data's dimensions: channels are in axis 1.\n"
Status windows_layout(int64_t layout, int axes);

/* The parameters that come first, and one of Convolution and Deconvolution. */
#define WINDOW_PARAMS                                                                \
  "kernel shape - The window: (width), (height, width) or (depth, height, width).\n" \
  "stride shape () How far the window moves; () for 1.\n"                            \
  "dilate shape () How far apart the window's places are; () for 1.\n"               \
  "pad shape () Number of zeros added on each side; () for none.\n"
#define CUDNN_OFF "cudnn_off bool False Compute all products, even for 3x3 and 5x5 windows, for which fewer would do.\n"

/* The word for that many axes. */
const char *windows_layout_name(int axes, bool channels_last);

/* Data's dimensions: fails if it does not have that many axes; *data may be unknown. */
Status windows_dims(const Shape *data, int axes, bool channels_last);

/* The end of an error about data whose channels seem to be last, as in pictures from other libraries; or "". */
const char *windows_hint(const Shape *data);

#endif
