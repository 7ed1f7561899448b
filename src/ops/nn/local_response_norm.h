/* local_response_norm.h - parameters of LRN and of its sum over channels. */
#ifndef HL_OPS_NN_LOCAL_RESPONSE_NORM_H
#define HL_OPS_NN_LOCAL_RESPONSE_NORM_H

#include "ir/params.h"

typedef struct LRNParams { double alpha, beta, knorm; int64_t nsize; } LRNParams;
typedef struct ChannelSumParams { int64_t reach; } ChannelSumParams;

/* The factor of the sum of squares. */
static inline double lrn_scale(const LRNParams *p) { return p->alpha / (double)p->nsize; }

#endif
