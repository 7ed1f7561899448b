/* kernel_registry.h - the tables of kernels: each is in the file of its name. */
#ifndef HL_KERNELS_KERNEL_REGISTRY_H
#define HL_KERNELS_KERNEL_REGISTRY_H

#include "ir/op.h"

/* F(table): an array that ends in a kernel without a name. */
#define EACH_KERNEL_TABLE(F)                                                                                  \
  F(unary_kernels)                                                                                            \
  F(binary_kernels)                                                                                           \
  F(array_scalar_kernels)                                                                                     \
  F(bitwise_kernels)                                                                                          \
  F(where_kernels)                                                                                            \
  F(transpose_kernels)                                                                                        \
  F(creation_kernels)                                                                                         \
  F(reshape_cast_kernels)                                                                                     \
  F(broadcast_tile_kernels)                                                                                   \
  F(diag_kernels)                                                                                             \
  F(depth_to_space_kernels)                                                                                   \
  F(roll_tril_kernels)                                                                                        \
  F(slice_kernels)                                                                                            \
  F(concat_split_kernels)                                                                                     \
  F(pad_kernels)                                                                                              \
  F(dynamic_slice_kernels)                                                                                    \
  F(index_rows_kernels)                                                                                       \
  F(index_assign_kernels)                                                                                     \
  F(take_pick_kernels)                                                                                        \
  F(take_along_axis_kernels)                                                                                  \
  F(gather_nd_kernels)                                                                                        \
  F(sum_mean_max_kernels)                                                                                     \
  F(any_all_kernels)                                                                                          \
  F(argmax_kernels)                                                                                           \
  F(cumsum_kernels)                                                                                           \
  F(recurrence_kernels)                                                                                       \
  F(variance_kernels)                                                                                         \
  F(activation_kernels)                                                                                       \
  F(softmax_kernels)                                                                                          \
  F(output_losses_kernels)                                                                                    \
  F(dense_kernels)                                                                                            \
  F(batch_norm_kernels)                                                                                       \
  F(layer_norm_kernels)                                                                                       \
  F(rms_norm_kernels)                                                                                         \
  F(local_response_norm_kernels)                                                                              \
  F(convolution_kernels)                                                                                      \
  F(deconvolution_kernels)                                                                                    \
  F(pooling_kernels)                                                                                          \
  F(im2col_kernels)                                                                                           \
  F(rotary_embedding_kernels)                                                                                 \
  F(attention_kernels)                                                                                        \
  F(cached_attention_kernels)                                                                                 \
  F(rnn_kernels)                                                                                              \
  F(sequence_mask_kernels)                                                                                    \
  F(ctc_loss_kernels)                                                                                         \
  F(interleaved_attention_kernels)                                                                            \
  F(image_resize_kernels)                                                                                     \
  F(upsampling_kernels)                                                                                       \
  F(grid_sampler_kernels)                                                                                     \
  F(roi_pooling_kernels)                                                                                      \
  F(image_transform_kernels)                                                                                  \
  F(image_color_kernels)                                                                                      \
  F(bounding_boxes_kernels)                                                                                   \
  F(ssd_multibox_kernels)                                                                                     \
  F(dot_gemm_kernels)                                                                                         \
  F(matmul_kernels)                                                                                           \
  F(triangular_diagonal_kernels)                                                                              \
  F(cholesky_inverse_kernels)                                                                                 \
  F(qr_eigen_svd_kernels)                                                                                     \
  F(least_squares_kernels)                                                                                    \
  F(lu_eig_expm_kernels)                                                                                      \
  F(distributions_kernels)                                                                                    \
  F(shuffle_kernels)                                                                                          \
  F(straight_through_kernels)                                                                                 \
  F(densities_kernels)                                                                                        \
  F(zipfian_kernels)                                                                                          \
  F(group_updates_kernels)                                                                                    \
  F(layer_step_kernels)                                                                                       \
  F(weights_update_kernels)                                                                                   \
  F(region_bins_kernels)                                                                                      \
  F(correlation_kernels)                                                                                      \
  F(deformable_convolution_kernels)                                                                           \
  F(proposals_kernels)                                                                                        \
  F(hawkes_kernels)                                                                                           \
  F(fourier_kernels)                                                                                          \
  F(count_sketch_kernels)                                                                                     \
  F(categories_kernels)                                                                                       \
  F(dropout_kernels)                                                                                          \
  F(sort_topk_kernels)                                                                                        \
  F(searchsorted_kernels)                                                                                     \
  F(quantile_kernels)                                                                                         \
  F(optimizer_kernels)                                                                                        \
  F(gradient_check_kernels)                                                                                   \
  F(loop_rows_kernels)                                                                                        \
  F(loop_helpers_kernels)                                                                                     \
  F(print_check_kernels)                                                                                      \
  F(custom_kernels)

#define DECLARE_KERNELS(table) extern const Kernel table[];
EACH_KERNEL_TABLE(DECLARE_KERNELS)

#endif
