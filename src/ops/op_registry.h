/* op_registry.h - the families. A new file of operators adds one line here and one in op_registry.c. */
#ifndef HL_OPS_OP_REGISTRY_H
#define HL_OPS_OP_REGISTRY_H

#include "ir/op.h"

/* Each ends in a row without a name. */
extern Op unary_ops[], binary_ops[], scalar_ops[], bit_ops[], reduce_ops[], moments_ops[], truth_ops[], extreme_ops[],
  create_ops[];
extern Op shape_ops[], transpose_ops[], broadcast_ops[], diag_ops[], depth_to_space_ops[], move_ops[], slice_ops[],
  bracket_ops[], index_assign_ops[], join_ops[], where_ops[], index_ops[], gather_ops[];
extern Op linalg_ops[], matmul_ops[], triangular_ops[], factor_ops[], orthogonal_ops[], least_squares_ops[];
extern Op distribution_ops[], shuffle_ops[], category_ops[], dropout_ops[];
extern Op dense_ops[], activation_ops[], softmax_ops[], loss_ops[], norm_ops[];
extern Op update_ops[], gradient_check_ops[];
extern Op convolution_ops[], deconvolution_ops[], pooling_ops[], batch_norm_ops[], pad_ops[], upsampling_ops[],
  lrn_ops[];
extern Op im2col_ops[], resize_ops[], sampler_ops[], regions_ops[];
extern Op image_ops[], image_color_ops[];
extern Op boxes_ops[], multibox_ops[];
extern Op sequence_ops[], interleaved_ops[], attention_ops[], cached_attention_ops[], rotary_ops[], rms_norm_ops[],
  dynamic_slice_ops[], ctc_ops[], rnn_ops[];
extern Op sort_ops[], take_along_ops[], scan_ops[], search_ops[], quantile_ops[], row_ops[], seen_ops[];
extern Op control_ops[], control_back_ops[];

#endif
