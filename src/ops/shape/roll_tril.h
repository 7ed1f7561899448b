/* roll_tril.h - parameters of roll, tril and triu, and the shifts of axes. */
#ifndef HL_OPS_SHAPE_ROLL_TRIL_H
#define HL_OPS_SHAPE_ROLL_TRIL_H

#include "ir/params.h"
#include "ops/common/shape_params.h"
#include "tensor/shape.h"

typedef struct RollParams { List shift, axis; } RollParams;

/* The shift of each axis of `s`, from 0 to its dimension. A single shift applies to all axes, and all shifts to a
** single axis. */
Status roll_shifts(const char *who, const RollParams *p, const Shape *s, int64_t *shifts);

/* Is the flattened array rolled, for lack of axes? */
static inline bool rolled_in_line(const RollParams *p) { return p->axis.count < 0; }

#endif
