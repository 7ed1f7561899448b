/* diag.h - parameters of diag and its gradient, and the region that is a diagonal. */
#ifndef HL_OPS_SHAPE_DIAG_H
#define HL_OPS_SHAPE_DIAG_H

#include "ir/params.h"
#include "tensor/strided_region.h"

typedef struct DiagParams { int64_t k, axis1, axis2; } DiagParams;
typedef struct DiagBackwardParams { List shape; DiagParams diag; } DiagBackwardParams;

/* The diagonal of an array with two or more axes: a region whose last axis is the diagonal. */
Status diagonal(const char *who, const DiagParams *p, const Shape *s, Region *out);

/* The side of the square matrix with a vector of this length on a diagonal. */
static inline int64_t diag_side(const DiagParams *p, int64_t length) { return length + (p->k < 0 ? -p->k : p->k); }

#endif
