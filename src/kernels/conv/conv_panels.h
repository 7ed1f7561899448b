/* conv_panels.h - brings what neighbouring places of a grid see of an array into lanes (fma_chain.h): gathered into a panel, or
** by planes, copies of channels with zeros around, in which neighbours see neighbours.
**
** An array is (images, channels, then three axes), as window_geometry.h has it. Places are counted over the
** rows of all images of the grid; a stretch of them is a list of runs, each in one row. By tap t place `at` sees,
** along each axis, place at * step + base + t * move of the array, and zero beside it. Taps are counted over the
** three axes, the last one fastest.
*/
#ifndef HL_KERNELS_CONV_CONV_PANELS_H
#define HL_KERNELS_CONV_CONV_PANELS_H

#include "kernels/conv/window_geometry.h"

/* Places [at[2], at[2] + n) of a row, in lanes from `lane` on. */
typedef struct PlaneRun { int64_t image, at[WINDOW_AXES], lane, n; } PlaneRun;

/* The runs of places [first, first + n), n > 0; at most n of them. */
int panels_runs(const int64_t *extent, int64_t first, int64_t n, PlaneRun *run);

typedef struct Panels {
  const void *data;
  DType dtype;
  int64_t images, channels, extent[WINDOW_AXES];                   /* of the array that is seen */
  int64_t taps[WINDOW_AXES], base[WINDOW_AXES], move[WINDOW_AXES], step[WINDOW_AXES];
} Panels;

/* Terms of a chain: channels [first, first + n) by taps, of which either is the slower. */
typedef struct PanelTerms { int64_t first, n; bool taps_slower; } PanelTerms;

/* Writes for the terms [term, term + n) what the runs see to lines of `to`, `line` elements apart, and up to
** CHAIN_VECTOR elements behind the last lane anything. */
void panels_fill(const Panels *p, const PlaneRun *run, int runs, const PanelTerms *t, int64_t term, int64_t n, void *to,
                 int64_t line);

/* How a grid of places is spread over planes. Position (a, b, c) of a plane is (a * size[1] + b) * size[2] + c; place
** (a, b, c) is there, too, and sees by each tap the element so many positions on as planes_offset says, in a plane that
** has every step-th element of the array, one for each phase of these. Behind the places of a row there are positions
** that are none. */
typedef struct Planes {
  int64_t size[WINDOW_AXES], phases[WINDOW_AXES], from[WINDOW_AXES];
  int64_t channel;           /* elements of a channel's planes */
  int64_t lanes;             /* positions from the first place to the last */
} Planes;

Planes planes_of(const Panels *p, const int64_t *grid);

/* How far from its position a place finds what it sees by tap t of the first channel. */
int64_t planes_offset(const Panels *p, const Planes *s, int64_t tap);

/* Writes the planes of the channels [first, first + n) of an image, and up to CHAIN_VECTOR elements behind them
** anything. */
void planes_fill(const Panels *p, const Planes *s, int64_t image, int64_t first, int64_t n, void *to);

#endif
