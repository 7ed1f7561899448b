/* cumsum.h - parameters of cumsum and its gradient. */
#ifndef HL_OPS_REDUCE_CUMSUM_H
#define HL_OPS_REDUCE_CUMSUM_H

#include "ir/params.h"

typedef struct ScanParams { int64_t axis, dtype; } ScanParams;
typedef struct CumsumGradParams { int64_t axis; } CumsumGradParams;

#endif
