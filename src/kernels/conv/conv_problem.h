/* conv_problem.h - forward, or the gradient of data for one phase, as the algorithms see it. */
#ifndef HL_KERNELS_CONV_CONV_PROBLEM_H
#define HL_KERNELS_CONV_CONV_PROBLEM_H

#include "kernels/conv/conv_shared.h"

/* Places of an array with the extents `whole`: `extent` of them along each axis, from `first`, `by` apart. */
typedef struct ConvGrid { int64_t extent[WINDOW_AXES], first[WINDOW_AXES], by[WINDOW_AXES], whole[WINDOW_AXES]; } ConvGrid;

typedef enum ConvAlgorithm { BY_PANELS, BY_PLANES, BY_IMAGES, BY_ROWS, BY_FILTERS } ConvAlgorithm;

typedef struct ConvProblem ConvProblem;

struct ConvProblem {
  const Convolution *v;
  const Chains *chains;
  Panels from;                          /* the array that is read */
  bool taps_slower;                     /* taps vary more slowly than channels */
  const char *weight, *bias;            /* weight: [group][row][term], unless `panels` */
  bool panels;                          /* weight: [group][panel of rows][term][lanes], in whole vectors */
  const Call *c;                        /* provides the workspace */
  bool reports_tiles;                   /* to the call's tile-ready callback */
  char *out;
  int64_t items, rows, channels, terms; /* number of work items; per group: rows, channels read, terms */
  ConvGrid to;                          /* the places computed */
  ConvAlgorithm algorithm;
  int64_t tiles, together;              /* by panels: tiles per group; tiles processed in turn by an item */
  Planes planes;                        /* of a row block, by planes */
  int axis;                             /* except by panels: row blocks are row_block places along this axis */
  int64_t row_block, row_blocks;
  int64_t chunk;                        /* rows per work item */
};

/* A work item: a chunk of one group's rows, and a block of tiles or, by planes, a row block. */
typedef struct WorkItem { int64_t group, row, rows, image_block; } WorkItem;

/* The index of a place (of a row block) within its channel of the result. */
HL_INLINE int64_t place_in(const ConvGrid *g, const int64_t *at) {
  const int64_t depth = g->first[0] + at[0] * g->by[0], height = g->first[1] + at[1] * g->by[1];
  return (depth * g->whole[1] + height) * g->whole[2] + g->first[2] + at[2] * g->by[2];
}

HL_INLINE ConvGrid whole_grid(const int64_t *extent) {
  ConvGrid g = { .by = { 1, 1, 1 } };
  memcpy(g.extent, extent, sizeof g.extent);
  memcpy(g.whole, extent, sizeof g.whole);
  return g;
}

/* The first axis with several places; the row block along it that begins at `first`. */
HL_INLINE int row_block_axis(const ConvGrid *g) { return g->extent[0] > 1 ? 0 : g->extent[1] > 1 ? 1 : 2; }

HL_INLINE ConvGrid row_block_at(const ConvProblem *j, int64_t first) {
  ConvGrid g = j->to;
  g.first[j->axis] += first * g.by[j->axis];
  g.extent[j->axis] = least(j->row_block, g.extent[j->axis] - first);
  return g;
}

/* ---- All algorithms: conv_algorithm.c ---- */

/* Chooses the algorithm for the problem's shapes, independently of the number of threads. Then conv_problem_workspace
** returns the bytes of workspace per thread, and after it conv_problem_items the maximum number of work items.
** conv_problem_run runs the chosen algorithm in the call's workspace. */
void conv_problem_choose(ConvProblem *j);
size_t conv_problem_workspace(ConvProblem *j);
int64_t conv_problem_items(const ConvProblem *j);
Status conv_problem_run(ConvProblem *j);

/* Each algorithm calls this at the end of a work item: places [from, from + places) of an image and of channels
** [channel, channel + n) of the result are final. */
void report_tile(const ConvProblem *j, int64_t image, int64_t channel, int64_t n, int64_t from, int64_t places);

/* The same for the places of a row block, contiguous if the call has a tile-ready callback. */
void report_row_block(const ConvProblem *j, const ConvGrid *row_block, int64_t image, int64_t channel, int64_t n);

/* Writes the item's rows of a tile, CHAIN_LANES apart in sum, to its runs of places in the result; memory past the last
** row may be read. */
void conv_problem_write(const ConvProblem *j, const ConvGrid *to, const PlaneRun *run, int runs, const WorkItem *item,
                        const char *sum);

/* ---- By panels and by planes: conv_by_tiles.c ---- */

/* Chooses one of the two; returns its cost in cycles. */
double tiles_choose(ConvProblem *j);
void tiles_share(ConvProblem *j, int threads);
int64_t tiles_items(const ConvProblem *j);
size_t tiles_workspace(const ConvProblem *j);
void image_block_run(const ConvProblem *j, int64_t item, char *workspace);
void row_block_run(const ConvProblem *j, int64_t item, char *workspace);

/* The offsets of terms for the first position. */
void planes_lines(const ConvProblem *j, int32_t *line);

/* The first position of a tile: positions are divided into tiles of whole vectors, as equal as possible. */
HL_INLINE int64_t planes_tile(const Planes *s, int64_t tile) {
  return parts(s->lanes, CHAIN_VECTOR) * tile / parts(s->lanes, CHAIN_LANES) * CHAIN_VECTOR;
}

/* The runs of places among positions [first, end), at most CHAIN_LANES. */
int planes_runs(const Planes *s, const ConvGrid *to, int64_t image, int64_t first, int64_t end, PlaneRun *run);

/* ---- By images: conv_by_images.c ---- */

/* Decides whether to work by images, given another algorithm's cost in cycles, independently of the number of
** threads. */
bool images_choose(const ConvProblem *j, double cost);

void images_share(ConvProblem *j, int threads);
int64_t images_items(const ConvProblem *j);
size_t images_workspace(const ConvProblem *j);
void images_run(const ConvProblem *j, int64_t item, char *workspace);

/* ---- By rows: conv_depthwise.c ---- */

bool rows_choose(ConvProblem *j);
void rows_share(ConvProblem *j, int threads);
int64_t rows_items(const ConvProblem *j);
size_t rows_workspace(const ConvProblem *j);
void rows_begin(const ConvProblem *j, char *workspace);       /* the part of the workspace shared by all items */
void rows_run(const ConvProblem *j, int64_t item, char *workspace);

/* Reports the finished items [first, end), small ones together; returns the first unreported item. */
int64_t rows_report(const ConvProblem *j, int64_t first, int64_t end, bool last);

/* ---- By filters: conv_by_filters.c ---- */

/* In cycles. */
double filters_cost(const ConvProblem *j);
void filters_share(ConvProblem *j, int threads);
int64_t filters_items(const ConvProblem *j);
size_t filters_workspace(const ConvProblem *j);

/* If there are few places for the weights, the elements of `weight`, uses packed weights that are kept between calls
** (tensor/packed_weights.h). */
void filters_keep_panels(ConvProblem *j, const Tensor *weight);
void filters_run(const ConvProblem *j, int64_t item, char *workspace);

#endif
