/* winograd_kernel.h - 3x3 convolutions by F(4x4, 3x3), 5x5 ones by F(2x2, 5x5), and their gradients, with the bits that
** winograd_form.h defines. Data, output and weights are float32, in the order of the arrays. */
#ifndef HL_KERNELS_CONV_WINOGRAD_KERNEL_H
#define HL_KERNELS_CONV_WINOGRAD_KERNEL_H

#include "kernels/conv/conv_algorithm.h"

/* The layer of forward; the gradient of data is the same with g as data, and channels and filters exchanged. Extents
** are height and width; window is 3 or 5, and a tile has 7 - window places along an axis. */
typedef struct WinogradLayer { int64_t images, channels, filters, in[2], out[2], pad[2], window; } WinogradLayer;

WinogradLayer winograd_forward_layer(const Convolution *v);
WinogradLayer winograd_data_layer(const Convolution *v);

/* Filters are padded to multiples of this, for any vector width. */
enum { WINOGRAD_FILL = 16 };

/* Layouts of weights: [filter][channel][tap]; turned, for the gradient of data: [channel][filter][last - tap]; or
** panels of WINOGRAD_FILL filters made by winograd_pack, [panel][channel][tap][filter]. */
typedef enum WinogradWeights { WINOGRAD_PLAIN, WINOGRAD_TURNED, WINOGRAD_PACKED } WinogradWeights;

/* Bytes of workspace per call and per thread. They grow with channels, filters and the tiles of one row, and do not
** depend on the number of threads. */
size_t winograd_workspace(WinogradLayer s);
size_t winograd_thread_workspace(WinogradLayer s);
size_t winograd_grad_workspace(WinogradLayer s);
size_t winograd_grad_thread_workspace(WinogradLayer s);

/* Uses the workspaces of call c; bias may be NULL. Reports tiles if the call has a `tile_ready`. */
Status winograd_run(WinogradLayer s, const Call *c, const float *data, const float *weight, WinogradWeights how,
                    const float *bias, float *out);

/* The gradient of weight, [filter][channel][tap], for forward's layer. */
Status winograd_weight_grad(WinogradLayer s, const Call *c, const float *data, const float *g, float *out);

/* Floats of packed weights, and packing them. */
int64_t winograd_packed(const WinogradLayer *s);
void winograd_pack(const WinogradLayer *s, const float *weight, float *packed);

#endif
