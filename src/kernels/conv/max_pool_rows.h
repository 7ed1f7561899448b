/* max_pool_rows.h - maxima of windows over two axes, one row of data after another: first along the row, which rows of
** windows share if they overlap, then from row to row.
**
** Invariant: the bits are those of going through a window's places in order. The larger of two, where a NaN is larger
** than any number and the first of equal ones stays, may be taken in any grouping.
*/
#ifndef HL_KERNELS_CONV_MAX_POOL_ROWS_H
#define HL_KERNELS_CONV_MAX_POOL_ROWS_H

#include <stdbool.h>

#include "kernels/conv/window_geometry.h"

/* True for windows that each see some of data and whose rows are at least a vector long, if the processor has
** vectors. */
bool max_rows_fit(const Windows *w);

/* A plane. */
void max_rows(const Windows *w, const float *in, float *out);

#endif
