/* gather_nd.h - parameters of operators that create indices. */
#ifndef HL_OPS_INDEX_GATHER_ND_H
#define HL_OPS_INDEX_GATHER_ND_H

#include "ir/params.h"

typedef struct IndexArrayParams { List axes; } IndexArrayParams;
typedef struct ArangeLikeParams { double start, step; int64_t repeat, axis; } ArangeLikeParams;

#endif
