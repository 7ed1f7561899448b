/* panels.h - gathers what neighbouring places of an array see into the lanes of a panel (chains.h).
**
** An array is (images, channels, then three axes), as windows.h has it. Places are counted over the
** rows of all images of the result; a stretch of them is a list of runs, each in one row. Place `at`
** sees, along each axis, place at * stride + offset of the array, and zero beside it.
*/
#ifndef HL_PANELS_H
#define HL_PANELS_H

#include "ops/machinery/windows.h"

/* Places [at[2], at[2] + n) of a row, in lanes from `lane` on. */
typedef struct Run { int64_t image, at[WINDOW_AXES], lane, n; } Run;

/* The runs of places [first, first + n), n > 0; at most n of them. */
int panels_runs(const int64_t *extent, int64_t first, int64_t n, Run *run);

typedef struct Panels {
  const void *data;
  DType dtype;
  int64_t images, channels, extent[WINDOW_AXES];       /* of the array that is seen */
  int64_t stride[WINDOW_AXES];
} Panels;

/* Writes what the runs see of a channel to their lanes of `to`, and up to CHAIN_VECTOR elements behind
** them anything. */
void panels_gather(const Panels *p, const Run *run, int runs, int64_t channel, const int64_t *offset, void *to);

/* The same for places that see place (at - offset) / stride, and zero where that is none. */
void panels_scatter(const Panels *p, const Run *run, int runs, int64_t channel, const int64_t *offset, void *to);

#endif
