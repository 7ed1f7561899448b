/* convolve_job.h - forward, or the gradient of data of one phase, as its ways of working see it. */
#ifndef HL_CONVOLVE_JOB_H
#define HL_CONVOLVE_JOB_H

#include "ops/machinery/convolve_parts.h"

/* Places [place, place + n) along each axis, `by` apart, of an array with these extents. */
typedef struct Grid { int64_t extent[WINDOW_AXES], first[WINDOW_AXES], by[WINDOW_AXES], whole[WINDOW_AXES]; } Grid;

typedef enum Way { BY_PANELS, BY_PLANES, BY_IMAGES, BY_ROWS } Way;

typedef struct Job Job;

struct Job {
  const Convolution *v;
  const Chains *chains;
  Panels from;                         /* what is gathered */
  bool taps_slower;                    /* of the terms */
  const char *weight, *bias;           /* the factors of rows, [group][row][term] */
  const Call *c;                       /* whose room is worked in */
  bool announces;                      /* to its listener */
  char *out;
  int64_t items, rows, channels, terms;      /* of one group: rows, channels that are seen, terms */
  Grid to;                             /* the places that lie in lanes, or by images one after the other */
  Way way;
  int64_t tiles, together;             /* by panels: of places, a group; that take turns in an item */
  Planes planes;                       /* by planes: of a band */
  int axis;                            /* but by panels: a band is so many places along this axis: */
  int64_t band, bands;
  int64_t chunk;                       /* rows of one item */
};

/* Where a place (of a band) is in the result, within its channel. */
HL_INLINE int64_t place_in(const Grid *g, const int64_t *at) {
  const int64_t depth = g->first[0] + at[0] * g->by[0], height = g->first[1] + at[1] * g->by[1];
  return (depth * g->whole[1] + height) * g->whole[2] + g->first[2] + at[2] * g->by[2];
}

/* ---- All ways: convolve.c ---- */

/* To be called by each way where an item ends: of an image and the channels [channel, channel + n) of the result the
** places [from, from + places) are as they will be. */
void announce(const Job *j, int64_t image, int64_t channel, int64_t n, int64_t from, int64_t places);

/* The same of the places of a band: neighbours, where somebody listens. */
void announce_band(const Job *j, const Grid *band, int64_t image, int64_t channel, int64_t n);

/* ---- By planes: convolve.c ---- */

/* Where the lines of terms begin, for the first position. */
void planes_lines(const Job *j, int32_t *line);

/* Where a tile begins: positions fall into tiles of whole vectors, as equal as they can be. */
HL_INLINE int64_t planes_tile(const Planes *s, int64_t tile) {
  return parts(s->lanes, CHAIN_VECTOR) * tile / parts(s->lanes, CHAIN_LANES) * CHAIN_VECTOR;
}

/* The runs of places among the positions [first, end), CHAIN_LANES at most. */
int planes_runs(const Planes *s, const Grid *to, int64_t image, int64_t first, int64_t end, Run *run);

/* ---- By images: convolve_images.c ---- */

/* Looks whether to work by images, which is never a matter of threads, given what another way costs, in cycles. */
bool images_choose(const Job *j, double cost);

/* Bands for so many threads. */
void images_share(Job *j, int threads);
int64_t images_items(const Job *j);
size_t images_room(const Job *j);
void images_run(const Job *j, int64_t item, char *room);

/* ---- By rows: convolve_rows.c ---- */

bool rows_choose(Job *j);
int64_t rows_items(const Job *j);
size_t rows_room(const Job *j);
void rows_begin(const Job *j, char *room);               /* what all items have in the room */
void rows_run(const Job *j, int64_t item, char *room);

/* Items [first, end) are done: they are announced, small ones together; from where on they are not. */
int64_t rows_announce(const Job *j, int64_t first, int64_t end, bool last);

#endif
