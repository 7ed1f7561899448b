/* concat_split.h - parameters of Concat, SliceChannel and _split_v2, and the parts of an axis. */
#ifndef HL_OPS_SHAPE_CONCAT_SPLIT_H
#define HL_OPS_SHAPE_CONCAT_SPLIT_H

#include "ir/params.h"
#include "ops/common/shape_params.h"

typedef struct ChannelParams { int64_t num_outputs, axis, squeeze_axis; } ChannelParams;
typedef struct SplitParams { List indices; int64_t axis, squeeze_axis, sections; } SplitParams;

/* The parameters of both rows. */
typedef struct JoinParts {
  int64_t n, axis;
  bool squeeze;
  const int64_t *begin; /* where each part begins; NULL: equal parts, the first ones longer by 1 for a remainder */
} JoinParts;

JoinParts channel_parts(const void *params);
JoinParts split_parts(const void *params);

/* The beginning of part i of an axis with `dim` elements; for i = n, the end. */
static inline int64_t part_begin(const JoinParts *p, int64_t i, int64_t dim) {
  if (p->begin) return i < p->n ? p->begin[i] : dim;
  int64_t rest = dim % p->n;
  return dim / p->n * i + (i < rest ? i : rest);
}

static inline int64_t part_length(const JoinParts *p, int64_t i, int64_t dim) {
  return part_begin(p, i + 1, dim) - part_begin(p, i, dim);
}

#endif
