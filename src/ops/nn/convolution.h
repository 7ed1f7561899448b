/* convolution.h - shared by Convolution and Deconvolution: each is the gradient of the other, of data. */
#ifndef HL_OPS_NN_CONVOLUTION_H
#define HL_OPS_NN_CONVOLUTION_H

#include "ir/node_builder.h"

typedef struct ConvolutionParams {
  List kernel, stride, dilate, pad;
  int64_t num_filter, num_group, workspace, no_bias, cudnn_tune, cudnn_off, layout;
} ConvolutionParams;
typedef struct ConvolutionLayer { ConvolutionParams of; const char *check; } ConvolutionLayer;      /* Convolution */

/* The rows _backward_convolution_data, with inputs g and weight, and _backward_convolution_weight, with g and data: the
** parameters of a convolution without bias, and data's shape. */
typedef struct ConvGradParams { ConvolutionParams of; List shape; } ConvGradParams;

/* Fails unless there are filters, in that many groups. */
Status check_filters(int64_t filters, int64_t groups);

/* The gradient of bias: g summed over all axes but channels. */
Entry build_channel_sums(Builder *b, Entry g);

#endif
