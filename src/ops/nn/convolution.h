/* convolution.h - shared by Convolution and Deconvolution: each is the gradient of the other, of data. */
#ifndef HL_OPS_NN_CONVOLUTION_H
#define HL_OPS_NN_CONVOLUTION_H

#include "ir/node_builder.h"

/* Of the rows _backward_convolution_data, whose inputs are g and weight, and _backward_convolution_weight, of g and
** data; `shape` is data's. */
typedef struct ConvGradParams {
  List kernel, stride, dilate, pad;
  int64_t num_filter, num_group;
  List shape;
  int64_t cudnn_off;
} ConvGradParams;

/* Fails unless there are filters, in that many groups. */
Status check_filters(int64_t filters, int64_t groups);

/* The convolution that these are the parameters of, without bias. */
Entry build_convolution(Builder *b, const ConvGradParams *p, Entry data, Entry weight);

/* The gradient of bias: g summed over all axes but channels. */
Entry build_channel_sums(Builder *b, Entry g);

#endif
