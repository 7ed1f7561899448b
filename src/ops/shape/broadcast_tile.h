/* broadcast_tile.h - dimensions of repeated arrays, for tile and repeat. */
#ifndef HL_OPS_SHAPE_BROADCAST_TILE_H
#define HL_OPS_SHAPE_BROADCAST_TILE_H

#include "ir/params.h"
#include "tensor/shape.h"

/* data's shape and reps, padded with leading ones to the same length. */
Status tile_dims(const char *who, const List *reps, const Shape *in, Shape *dims, int64_t *times);

typedef struct RepeatParams { int64_t repeats, axis; } RepeatParams;

/* The input seen as (units, after): each unit is repeated. */
void repeat_units(const RepeatParams *p, const Shape *in, int64_t *units, int64_t *after);

#endif
