/* conv_panels.h - arranging the elements of an array that neighbouring places read as lanes (fma_chain.h). They are
** gathered into a packed panel, or arranged in padded planes: copies of channels with zero padding, in which
** neighbouring places read neighbouring elements.
**
** An array is (images, channels, then three axes), as in window_geometry.h. Places are counted over the rows of all
** images of the grid; a range of them is a list of runs, each within one row. For tap t, a place reads, along each
** axis, element place * step + base + t * move of the array (its input offset), or zero outside the array. Taps are
** counted over the three axes, the last one fastest.
*/
#ifndef HL_KERNELS_CONV_CONV_PANELS_H
#define HL_KERNELS_CONV_CONV_PANELS_H

#include "ops/nn/window_geometry.h"

/* Places [at[2], at[2] + n) of a row, in the lanes starting at `lane`. */
typedef struct PlaneRun { int64_t image, at[WINDOW_AXES], lane, n; } PlaneRun;

/* The runs of places [first, first + n), n > 0; at most n. */
int panels_runs(const int64_t *extent, int64_t first, int64_t n, PlaneRun *run);

typedef struct Panels {
  const void *data;
  DType dtype;
  int64_t images, channels, extent[WINDOW_AXES];                   /* of the array read */
  int64_t taps[WINDOW_AXES], base[WINDOW_AXES], move[WINDOW_AXES], step[WINDOW_AXES];
} Panels;

/* Terms of a chain: channels [first, first + n) and taps, either of which may vary more slowly. */
typedef struct PanelTerms { int64_t first, n; bool taps_slower; } PanelTerms;

/* Writes the elements that the runs read for terms [term, term + n) to lines of `to`, `line` elements apart. Up to
** CHAIN_VECTOR elements past the last lane may be overwritten. */
void panels_fill(const Panels *p, const PlaneRun *run, int runs, const PanelTerms *t, int64_t term, int64_t n, void *to,
                 int64_t line);

/* The layout of padded planes for a grid of places. A plane has every step-th element of the array, with one plane per
** phase of the steps. Position (a, b, c) of a plane has index (a * size[1] + b) * size[2] + c. Place (a, b, c) has that
** position, too; the element that it reads for a tap is planes_offset positions further. The positions after a row's
** places are not places. */
typedef struct Planes {
  int64_t size[WINDOW_AXES], phases[WINDOW_AXES], from[WINDOW_AXES];
  int64_t channel;           /* elements of a channel's planes */
  int64_t lanes;             /* positions from the first place to the last */
} Planes;

Planes planes_of(const Panels *p, const int64_t *grid);

/* The receptive offset of tap t: the distance from a place's position to the element of the first channel that it
** reads. */
int64_t planes_offset(const Panels *p, const Planes *s, int64_t tap);

/* Writes the planes of channels [first, first + n) of an image. Up to CHAIN_VECTOR elements past them may be
** overwritten. */
void planes_fill(const Panels *p, const Planes *s, int64_t image, int64_t first, int64_t n, void *to);

#endif
