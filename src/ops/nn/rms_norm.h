/* rms_norm.h - parameters of RMSNorm and its gradient. */
#ifndef HL_OPS_NN_RMS_NORM_H
#define HL_OPS_NN_RMS_NORM_H

#include "ir/params.h"

typedef struct RmsParams { int64_t axis; double eps; } RmsParams;

#endif
