/* max_pool_rows.h - the maximum of what windows over two axes see, a row of data after the other: first along the row, which
** rows of windows share where these overlap, then from row to row.
**
** Invariant: the bits are those of going through a window's places in order. The larger of two, where a NaN is larger
** than any number and the first of equal ones stays, may be taken in any grouping.
*/
#ifndef HL_KERNELS_CONV_MAX_POOL_ROWS_H
#define HL_KERNELS_CONV_MAX_POOL_ROWS_H

#include <stdbool.h>

#include "kernels/conv/window_geometry.h"

/* For windows that each see something, whose rows are at least a vector long, where the processor has vectors. */
bool max_rows_fit(const Windows *w);

/* A plane. */
void max_rows(const Windows *w, const float *in, float *out);

#endif
