/* softmax.h - parameters and an expression of softmax, SoftmaxActivation and their gradients. */
#ifndef HL_OPS_NN_SOFTMAX_H
#define HL_OPS_NN_SOFTMAX_H

#include "ir/params.h"

typedef struct SoftmaxParams { int64_t axis; double temperature; int64_t dtype, use_length; } SoftmaxParams;
typedef struct SoftmaxGradParams { int64_t axis; double factor; } SoftmaxGradParams;

/* The factor of data: 1 / temperature, by default 1. */
static inline double softmax_factor(const SoftmaxParams *p) {
  return p->temperature != p->temperature ? 1 : 1 / p->temperature;
}

/* The internal row of e^x for x <= 0: F(name, expression, gradient). */
#define EACH_EXPONENTIAL(F) F(exp_nonpositive, exp_nonpositive(a), g * y)

typedef struct SoftmaxActivationParams { int64_t mode; } SoftmaxActivationParams;
enum { MODE_INSTANCE, MODE_CHANNEL };

static inline int64_t softmax_activation_axis(const void *params) {
  return ((const SoftmaxActivationParams *)params)->mode == MODE_CHANNEL ? 1 : -1;
}

#endif
