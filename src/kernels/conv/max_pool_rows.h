/* max_pool_rows.h - maxima of windows over two axes, row by row: first along rows of data, which overlapping windows
** share, then across rows.
**
** Invariant: the bits are those of visiting a window's places in order. The maximum, where NaN exceeds any number and
** the first of equals wins, may be computed in any grouping.
*/
#ifndef HL_KERNELS_CONV_MAX_POOL_ROWS_H
#define HL_KERNELS_CONV_MAX_POOL_ROWS_H

#include <stdbool.h>

#include "ops/nn/window_geometry.h"

/* True if every window reads some data, rows are at least a vector long, and the processor has vectors. */
bool max_rows_fit(const Windows *w);

/* One plane. */
void max_rows(const Windows *w, const float *in, float *out);

#endif
