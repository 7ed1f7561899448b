/* convolution.h - parameters and steps that Convolution and Deconvolution share. Each is the other's gradient with
** respect to data.
*/
#ifndef HL_OPS_NN_CONVOLUTION_H
#define HL_OPS_NN_CONVOLUTION_H

#include "ir/node_builder.h"
#include "ops/nn/convolution_form.h"

typedef struct ConvolutionParams {
  List kernel, stride, dilate, pad;
  int64_t num_filter, num_group, workspace, no_bias, cudnn_tune, cudnn_off, layout;
} ConvolutionParams;
typedef struct ConvolutionLayer { ConvolutionParams of; const char *check; } ConvolutionLayer;      /* Convolution */

/* Parameters of _backward_convolution_data, with inputs g and weight, and _backward_convolution_weight, with inputs g
** and data: those of a convolution without bias, then data's shape. */
typedef struct ConvGradParams { ConvolutionParams of; List shape; } ConvGradParams;

/* The sizes of a convolution, whose parameters inference has checked. */
Convolution convolution_of(const ConvolutionParams *p, const Type *data, const Type *out);

/* Checks that there are filters, and that their number is divisible by the number of groups. */
Status check_filters(int64_t filters, int64_t groups);

/* The gradient of bias: sums g over all axes except channels. */
Entry build_channel_sums(Builder *b, Entry g);

#endif
