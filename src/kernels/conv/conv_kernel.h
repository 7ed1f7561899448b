/* conv_kernel.h - the kernels of a convolution and of both its gradients.
**
** The form of a layer fixes the bits of its results. Shapes, type and parameters alone choose the form (convolve_form),
** so batch, threads, mode and kept weights change no bit. winograd_form.h defines the forms F(4x4, 3x3) and F(2x2,
** 5x5). The direct form consists of chains of multiply-adds (fma_chain.h):
**   forward   out = chain of weight * data over k = (channel, depth, height, width of the tap), + bias or + 0
**   data      the gradient of data: chain of weight * g over k = (tap, filter), + 0; only taps whose distance
**             from the place is a multiple of the stride
**   weight    the gradient of weight: chain of data * g over the places of the output, one chain per group of
**             whole images, or of whole rows of one image, + 0
** with the channels and filters of one group. More than CHAIN_BLOCK terms are divided into blocks of that many. Places
** outside data are zeros and take part in forward and weight. In the gradient of data, windows outside the output give
** zeros; whether these meet an infinite weight, and give NaN, depends on the shapes.
*/
#ifndef HL_KERNELS_CONV_CONV_KERNEL_H
#define HL_KERNELS_CONV_CONV_KERNEL_H

#include "ir/op.h"
#include "ops/nn/window_geometry.h"

typedef struct Convolution {
  Windows w;
  DType dtype;
  int64_t images, groups, channels, filters;      /* the latter two per group */
  bool direct;                                    /* direct form for any shape */
} Convolution;

/* The form, the same for all three kernels. F(4x4, 3x3): float32, a 3x3 window on two axes, stride and dilation 1, one
** group, padding up to 2, at least 16 channels and filters, at most 1.5 times the products after padding these to
** multiples of 16, and an output of at least 4x4 places. F(2x2, 5x5): the same for a 5x5 window with padding up to 4.
** Else direct. `text`: the form's name, or "direct: " and the reason. */
typedef struct ConvForm { bool winograd; const char *text; } ConvForm;
ConvForm convolve_form(const Convolution *v);

/* Bytes of workspace per thread; lowers *most to the number of threads that can have work (a row's
** thread_workspace). */
size_t convolve_forward_workspace(const Convolution *v, int *most);
size_t convolve_data_workspace(const Convolution *v, int *most);
size_t convolve_weight_workspace(const Convolution *v, int *most);

/* Bytes of the call's workspace (a row's workspace). */
size_t convolve_forward_call_workspace(const Convolution *v);
size_t convolve_data_call_workspace(const Convolution *v);
size_t convolve_weight_call_workspace(const Convolution *v);

/* Arrays as they are in memory; bias may be NULL. Each uses the workspace of call c and fails only on an interrupt.
** Forward may keep packed weights while weight stays unchanged. */
Status convolve_forward(const Convolution *v, const Call *c, const void *data, const Tensor *weight, const void *bias,
                        void *out);
Status convolve_data(const Convolution *v, const Call *c, const void *g, const void *weight, void *out);
Status convolve_weight(const Convolution *v, const Call *c, const void *g, const void *data, void *out);

#endif
