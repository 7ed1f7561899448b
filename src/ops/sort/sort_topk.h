/* sort_topk.h - parameters of sort, argsort and topk. */
#ifndef HL_OPS_SORT_SORT_TOPK_H
#define HL_OPS_SORT_SORT_TOPK_H

#include "ir/params.h"

typedef struct SortParams { int64_t axis, is_ascend; } SortParams;
typedef struct ArgsortParams { int64_t axis, is_ascend, dtype; } ArgsortParams;
typedef struct TopkParams { int64_t axis, k, ret_typ, is_ascend, dtype; } TopkParams;

/* Values of ret_typ. */
enum { TOPK_INDICES, TOPK_VALUE, TOPK_MASK, TOPK_BOTH };

#endif
