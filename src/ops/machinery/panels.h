/* panels.h - gathers what neighbouring places of a grid see of an array into the lanes of a panel (chains.h).
**
** An array is (images, channels, then three axes), as windows.h has it. Places are counted over the
** rows of all images of the grid; a stretch of them is a list of runs, each in one row. By tap t place `at` sees,
** along each axis, place at * step + base + t * move of the array, and zero beside it. Taps are counted over the
** three axes, the last one fastest.
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
  int64_t images, channels, extent[WINDOW_AXES];                   /* of the array that is seen */
  int64_t taps[WINDOW_AXES], base[WINDOW_AXES], move[WINDOW_AXES], step[WINDOW_AXES];
} Panels;

/* Terms of a chain: channels [first, first + n) by taps, of which either is the slower. */
typedef struct Terms { int64_t first, n; bool taps_slower; } Terms;

/* Writes for the terms [term, term + n) what the runs see to lines of `to`, `line` elements apart, and up to CHAIN_VECTOR
** elements behind the last lane anything. */
void panels_fill(const Panels *p, const Run *run, int runs, const Terms *t, int64_t term, int64_t n, void *to, int64_t line);

#endif
