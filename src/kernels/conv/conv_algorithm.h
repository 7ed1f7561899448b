/* conv_algorithm.h - the kernels of a convolution and of both its gradients.
**
** The form of a layer fixes the bits of its results. Shapes, type and parameters alone choose the form
** (ops/nn/convolution_form.h), so batch, threads, mode and kept weights change no bit. winograd_form.h defines the forms
** F(4x4, 3x3) and F(2x2, 5x5). The direct form consists of chains of multiply-adds (fma_chain.h):
**   forward   out = chain of weight * data over k = (channel, depth, height, width of the tap), + bias or + 0
**   data      the gradient of data: chain of weight * g over k = (tap, filter), + 0; only taps whose distance
**             from the place is a multiple of the stride
**   weight    the gradient of weight: chain of data * g over the places of the output, one chain per group of
**             whole images, or of whole rows of one image, + 0
** with the channels and filters of one group. More than CHAIN_BLOCK terms are divided into blocks of that many. Places
** outside data are zeros and take part in forward and weight. In the gradient of data, windows outside the output give
** zeros; whether these meet an infinite weight, and give NaN, depends on the shapes.
*/
#ifndef HL_KERNELS_CONV_CONV_ALGORITHM_H
#define HL_KERNELS_CONV_CONV_ALGORITHM_H

#include "ir/op.h"
#include "ops/nn/convolution_form.h"

/* The column `workspace` of kernels (ir/kernel.h). Each plan begins with the Convolution. */
Status convolve_forward_workspace(const Convolution *v, Workspace *w);
Status convolve_data_workspace(const Convolution *v, Workspace *w);
Status convolve_weight_workspace(const Convolution *v, Workspace *w);

/* Arrays as they are in memory; bias may be NULL. Each uses the plan and the workspaces of call c, and fails only on an
** interrupt. Forward may keep packed weights while weight stays unchanged. */
Status convolve_forward(const Call *c, const void *data, const Tensor *weight, const void *bias, void *out);
Status convolve_data(const Call *c, const void *g, const void *weight, void *out);
Status convolve_weight(const Call *c, const void *g, const void *data, void *out);

#endif
