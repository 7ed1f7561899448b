/* layer_norm.h - parameters and layouts of LayerNorm, InstanceNorm, GroupNorm and L2Normalization. */
#ifndef HL_OPS_NN_LAYER_NORM_H
#define HL_OPS_NN_LAYER_NORM_H

#include "ir/op.h"

typedef enum NormKind { KIND_LAYER, KIND_INSTANCE, KIND_GROUP } NormKind;

/* Parameters of the gradient rows. where: the axis or the number of groups. */
typedef struct LayerNormParams { int64_t kind, where; double eps; } LayerNormParams;

typedef struct LayerParams { int64_t axis; double eps; int64_t output_mean_var; } LayerParams;
typedef struct InstanceParams { double eps; } InstanceParams;
typedef struct GroupParams { int64_t num_groups; double eps; int64_t output_mean_var; } GroupParams;

/* Data is reshaped to `view` and normalized along `axis`; gamma varies along `channels`. */
typedef struct NormLayout {
  Shape view;
  int axis, channels;
} NormLayout;

/* Converts the parameters of LayerNorm, InstanceNorm or GroupNorm to those of their gradient rows. */
LayerNormParams norm_params(const Op *op, const void *params);

/* Fails if data has no such axis. */
Status norm_layout(const LayerNormParams *p, const Shape *data, NormLayout *l);

typedef struct L2Params { double eps; int64_t mode; } L2Params;
enum { L2_INSTANCE, L2_CHANNEL, L2_SPATIAL };

/* Sums are along the layout's axis; there is no gamma. */
NormLayout l2_layout(const L2Params *p, const Shape *data);

#endif
