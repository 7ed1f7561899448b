/* op_registry.h - the families: each is the rows of one file. */
#ifndef HL_OPS_OP_REGISTRY_H
#define HL_OPS_OP_REGISTRY_H

#include "ir/op.h"

/* F(file, rows): the file's name without .c, and its table, which ends in a row without a name. */
#define EACH_FAMILY(F)                                                                                        \
  F(unary, unary_ops) F(binary, binary_ops) F(array_scalar, scalar_ops) F(bitwise, bit_ops)                   \
  F(sum_mean_max, reduce_ops) F(variance, moments_ops) F(any_all, truth_ops) F(argmax, extreme_ops)           \
  F(creation, create_ops) F(reshape_cast, shape_ops) F(transpose, transpose_ops)                              \
  F(broadcast_tile, broadcast_ops) F(diag, diag_ops) F(depth_to_space, depth_to_space_ops)                    \
  F(roll_tril, move_ops) F(slice, slice_ops) F(index_rows, bracket_ops) F(index_assign, index_assign_ops)     \
  F(concat_split, join_ops) F(where, where_ops) F(take_pick, index_ops) F(gather_nd, gather_ops)              \
  F(dot_gemm, linalg_ops) F(matmul, matmul_ops) F(triangular_diagonal, triangular_ops)                        \
  F(cholesky_inverse, factor_ops) F(qr_eigen_svd, orthogonal_ops) F(least_squares, least_squares_ops)         \
  F(lu_eig_expm, general_matrix_ops)                                                                          \
  F(distributions, distribution_ops) F(shuffle, shuffle_ops) F(categories, category_ops) F(dense, dense_ops)  \
  F(activation, activation_ops) F(dropout, dropout_ops) F(softmax, softmax_ops) F(output_losses, loss_ops)    \
  F(optimizer_rows, update_ops) F(gradient_checks, gradient_check_ops) F(layer_norm, norm_ops)                \
  F(convolution, convolution_ops) F(deconvolution, deconvolution_ops) F(pooling, pooling_ops)                 \
  F(batch_norm, batch_norm_ops) F(pad, pad_ops) F(upsampling, upsampling_ops) F(local_response_norm, lrn_ops) \
  F(im2col, im2col_ops) F(image_resize, resize_ops) F(grid_sampler, sampler_ops) F(roi_pooling, regions_ops)  \
  F(image_transform, image_ops) F(image_color, image_color_ops) F(bounding_boxes, boxes_ops)                  \
  F(ssd_multibox, multibox_ops) F(sequence_mask, sequence_ops) F(interleaved_attention, interleaved_ops)      \
  F(attention, attention_ops) F(cached_attention, cached_attention_ops) F(rotary_embedding, rotary_ops)       \
  F(rms_norm, rms_norm_ops) F(dynamic_slice, dynamic_slice_ops) F(ctc_loss, ctc_ops) F(rnn, rnn_ops)          \
  F(sort_topk, sort_ops) F(take_along_axis, take_along_ops) F(cumsum, scan_ops) F(recurrence, recurrence_ops)     \
  F(searchsorted, search_ops)                                                                                  \
  F(quantile, quantile_ops) F(loop_rows, control_ops) F(loop_gradient, control_back_ops)                      \
  F(loop_helpers, row_ops) F(print_check, seen_ops) F(custom, custom_ops)                                     \
  F(straight_through, straight_through_ops) F(densities, density_ops) F(zipfian, zipfian_ops)                 \
  F(group_updates, group_update_ops) F(layer_steps, layer_step_ops) F(weights_update, weights_update_ops)     \
  F(correlation, correlation_ops)                                                                             \
  F(deformable_convolution, deformable_ops) F(proposals, proposal_ops) F(region_bins, region_bin_ops)         \
  F(hawkes, hawkes_ops) F(fourier, fourier_ops) F(count_sketch, count_sketch_ops)

#define DECLARE_FAMILY(name, rows) extern Op rows[];
EACH_FAMILY(DECLARE_FAMILY)

#endif
