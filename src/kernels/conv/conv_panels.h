/* conv_panels.h - brings the elements of an array that neighbouring places of a grid see into lanes (fma_chain.h):
** gathered into a packed panel, or by padded planes, copies of channels with zeros around, in which neighbours see
** neighbours.
**
** An array is (images, channels, then three axes), as window_geometry.h has it. Places are counted over the rows of all
** images of the grid; a range of them is a list of runs, each in one row. By tap t, place `at` sees, along each axis,
** place at * step + base + t * move of the array (its input offset), and zero outside the array. Taps are counted over
** the three axes, the last one fastest.
*/
#ifndef HL_KERNELS_CONV_CONV_PANELS_H
#define HL_KERNELS_CONV_CONV_PANELS_H

#include "kernels/conv/window_geometry.h"

/* Places [at[2], at[2] + n) of a row, in the lanes starting with `lane`. */
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

/* Writes what the runs see for the terms [term, term + n) to lines of `to`, `line` elements apart. Up to CHAIN_VECTOR
** elements after the last lane may be overwritten with anything. */
void panels_fill(const Panels *p, const PlaneRun *run, int runs, const PanelTerms *t, int64_t term, int64_t n, void *to,
                 int64_t line);

/* How a grid of places is spread over padded planes. A plane has every step-th element of the array; there is one plane
** for each phase of the steps. Position (a, b, c) of a plane is (a * size[1] + b) * size[2] + c. Place (a, b, c) has
** that position too, and the element that it sees by a tap is planes_offset positions further. After the places of a
** row there are positions that are not places. */
typedef struct Planes {
  int64_t size[WINDOW_AXES], phases[WINDOW_AXES], from[WINDOW_AXES];
  int64_t channel;           /* elements of a channel's planes */
  int64_t lanes;             /* positions from the first place to the last */
} Planes;

Planes planes_of(const Panels *p, const int64_t *grid);

/* The receptive offset of tap t: the distance from a place's position to the element of the first channel that it sees
** by this tap. */
int64_t planes_offset(const Panels *p, const Planes *s, int64_t tap);

/* Writes the planes of the channels [first, first + n) of an image. Up to CHAIN_VECTOR elements after them may be
** overwritten with anything. */
void planes_fill(const Panels *p, const Planes *s, int64_t image, int64_t first, int64_t n, void *to);

#endif
