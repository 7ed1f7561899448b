/* quantile.h - parameters of _quantile, its axes, and the positions of quantiles. */
#ifndef HL_OPS_SORT_QUANTILE_H
#define HL_OPS_SORT_QUANTILE_H

#include "ir/params.h"
#include "tensor/shape.h"

typedef struct QuantileParams { List q, axis; int64_t keepdims, method, scalar, np; } QuantileParams;

/* The input as lines of the reduced axes. */
typedef struct QuantileLines {
  int order[MAX_DIMS];     /* the axes that stay, then the reduced ones */
  int64_t lines, n;        /* number of lines; elements in each */
} QuantileLines;

/* For axes that inference has accepted. */
QuantileLines quantile_lines(const QuantileParams *p, const Shape *in);

/* A position between elements `low` and `high` of the sorted line, at the fraction `share`. */
typedef struct Spot { int64_t low, high; double share; } Spot;

/* The position of quantile q in n sorted elements, by a choice of the parameter `method`. */
Spot quantile_spot(int method, int64_t n, double q);

#endif
