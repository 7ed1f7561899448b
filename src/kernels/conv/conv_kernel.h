/* conv_kernel.h - the kernels of a convolution and of both its gradients, by chains of multiply-adds.
**
** What they compute, to the bit (fma_chain.h says what a chain is):
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
} Convolution;

/* Bytes of each thread's workspace; lowers *most to the number of threads that can have work (a row's
** thread_workspace). */
size_t convolve_forward_workspace(const Convolution *v, int *most);
size_t convolve_data_workspace(const Convolution *v, int *most);
size_t convolve_weight_workspace(const Convolution *v, int *most);

/* Bytes of workspace that convolve_data also needs, for weight packed in another order. */
size_t convolve_packed_workspace(const Convolution *v);

/* Arrays as they are in memory; bias may be NULL. Each works in the workspace of call c. Fail on an interrupt only.
** Forward may keep packed weights if weight stays the same from call to call. */
Status convolve_forward(const Convolution *v, const Call *c, const void *data, const Tensor *weight, const void *bias,
                        void *out);
Status convolve_data(const Convolution *v, const Call *c, const void *g, const void *weight, void *out);
Status convolve_weight(const Convolution *v, const Call *c, const void *g, const void *data, void *out);

#endif
