/* conv_kernel.h - the kernels of a convolution and of both its gradients.
**
** What they compute, to the bit, is fixed by the form of the layer, which its shapes, type and parameters choose alone
** (convolve_form): so batch, threads, mode and kept weights change no bit. The forms F(4x4, 3x3) and F(2x2, 5x5) are
** defined by winograd_form.h, and the direct form by chains of multiply-adds (fma_chain.h says what a chain is):
**   forward   out = chain of weight * data over k = (channel, depth, height, width of the tap), + bias or + 0
**   data      the gradient of data: chain of weight * g over k = (tap, filter), + 0; only of taps whose distance
**             from the place is a multiple of the stride
**   weight    the gradient of weight: chain of data * g over the places of the output, a chain for each
**             group of whole images, or of whole rows of one image, + 0
** with the channels and filters of one group. More than CHAIN_BLOCK terms are cut into blocks of that many.
** Places outside data are zeros and take part in forward and weight. In the gradient of data, windows outside the
** output give zeros; whether these meet an infinite weight, and give NaN, depends on the shapes.
*/
#ifndef HL_KERNELS_CONV_CONV_KERNEL_H
#define HL_KERNELS_CONV_CONV_KERNEL_H

#include "ir/op.h"
#include "kernels/conv/window_geometry.h"

typedef struct Convolution {
  Windows w;
  DType dtype;
  int64_t images, groups, channels, filters;      /* the latter two of one group */
  bool direct;                                    /* whatever the shapes */
} Convolution;

/* The form, of all three kernels alike: F(4x4, 3x3) for float32, a 3x3 window on two axes with stride and dilation 1,
** one group, padding of 2 at most, 16 channels and filters or more, which filled up to multiples of 16 take 1.5 times
** as many products at most, and an output of 4x4 places or more; F(2x2, 5x5) for such a 5x5 window, with padding of 4
** at most; else direct. `text` is the form's name, or "direct: " and why. */
typedef struct ConvForm { bool winograd; const char *text; } ConvForm;
ConvForm convolve_form(const Convolution *v);

/* Bytes of each thread's workspace; lowers *most to the number of threads that can have work (a row's
** thread_workspace). */
size_t convolve_forward_workspace(const Convolution *v, int *most);
size_t convolve_data_workspace(const Convolution *v, int *most);
size_t convolve_weight_workspace(const Convolution *v, int *most);

/* Bytes of the call's workspace (a row's workspace). */
size_t convolve_forward_call_workspace(const Convolution *v);
size_t convolve_data_call_workspace(const Convolution *v);
size_t convolve_weight_call_workspace(const Convolution *v);

/* Arrays as they are in memory; bias may be NULL. Each works in the workspace of call c. Fail on an interrupt only.
** Forward may keep packed weights if weight stays the same from call to call. */
Status convolve_forward(const Convolution *v, const Call *c, const void *data, const Tensor *weight, const void *bias,
                        void *out);
Status convolve_data(const Convolution *v, const Call *c, const void *g, const void *weight, void *out);
Status convolve_weight(const Convolution *v, const Call *c, const void *g, const void *data, void *out);

#endif
