/* conv_by_tiles.c - forward and the gradient of data with places as lanes.
**
** A tile is CHAIN_LANES neighbouring places of the result. By panels, a tile's receptive field is gathered for
** CHAIN_STEPS terms at a time. By planes, a row block of the image is copied with zero padding, in which neighbouring
** places read neighbouring elements; then tiles may contain positions that are not places. The chains of each row (a
** filter; a channel) continue over a tile; several tiles use the same weights in turn while these are cached.
*/
#include "kernels/conv/conv_problem.h"

/* ---- Choosing and sharing ---------------------------------------------------------------------------------------- */

static int64_t taps_of(const Panels *p) { return windows_size(p->taps); }

/* Chooses row blocks along the first axis with several places, with a few tiles per block. */
static void choose_row_blocks(ConvProblem *j) {
  enum { POSITIONS = 10 * CHAIN_LANES };
  const Planes whole = planes_of(&j->from, j->to.extent);
  int64_t each = 1, grid[WINDOW_AXES];
  j->axis = row_block_axis(&j->to);
  for (int a = j->axis + 1; a < WINDOW_AXES; a++) each *= whole.size[a];
  j->row_blocks = parts(j->to.extent[j->axis], most(1, POSITIONS / each));
  j->row_block = parts(j->to.extent[j->axis], j->row_blocks);
  j->row_blocks = parts(j->to.extent[j->axis], j->row_block);
  memcpy(grid, j->to.extent, sizeof grid);
  grid[j->axis] = j->row_block;
  j->planes = planes_of(&j->from, grid);
}

/* The grid of a row block's places, and their planes; the last row block may be smaller. */
static Planes take_row_block(const ConvProblem *j, int64_t row_block, ConvGrid *to) {
  Planes s = j->planes;
  *to = row_block_at(j, row_block * j->row_block);
  s.from[j->axis] += row_block * j->row_block * j->from.step[j->axis];
  s.lanes = ((to->extent[0] - 1) * s.size[1] + to->extent[1] - 1) * s.size[2] + to->extent[2];
  return s;
}

static int64_t planes_elements(const ConvProblem *j) {
  return j->channels * j->planes.channel + CHAIN_LANES + CHAIN_VECTOR;        /* spare, read by lanes past the last */
}

/* Costs are rough cycles: CHAIN_LANES per term of a tile. By planes, positions that are not places cost as much; by
** panels, gathering lines costs, too. */
double tiles_choose(ConvProblem *j) {
  enum { MOST_ELEMENTS = 1 << 21 };
  const int64_t places = windows_size(j->to.extent);
  j->algorithm = BY_PANELS;
  choose_row_blocks(j);
  const double positions = (double)(j->v->images * j->row_blocks * whole_vectors(j->planes.lanes));
  const double lanes = (double)whole_vectors(j->v->images * places), terms = (double)j->terms / CHAIN_LANES;
  const double products = 2 * (double)j->rows, runs = 1 + (double)CHAIN_LANES / (double)j->to.extent[2];
  const double planes = positions * (products + 8.0 / (double)taps_of(&j->from)) * terms;
  const double panels = lanes * (products + 6 + 10 * runs) * terms;
  if (planes_elements(j) > MOST_ELEMENTS || planes >= panels) return panels;
  j->algorithm = BY_PLANES;
  const double gathered = j->from.step[2] > 1      /* columns of a plane, one by one */
                            ? 2 * (double)(j->v->images * j->row_blocks * j->channels * j->planes.channel)
                            : 0;
  return planes + gathered;
}

enum {
  FEWEST_ROWS = 48,              /* per work item: each item gathers its panels again */
  MOST_TOGETHER = 4,
  CACHED = 1 << 18               /* bytes of weights that each tile may read again */
};

static bool weights_are_large(const ConvProblem *j) { return j->rows * j->terms * (int64_t)j->chains->size > CACHED; }

/* Number of blocks of tiles, or row blocks, in a group. */
static int64_t blocks_of(const ConvProblem *j) {
  return j->algorithm == BY_PLANES ? j->v->images * j->row_blocks : parts(j->tiles, j->together);
}

void tiles_share(ConvProblem *j, int threads) {
  const int64_t wanted = threads > 1 ? ITEMS_A_THREAD * threads : 1;
  j->tiles = parts(j->v->images * windows_size(j->to.extent), CHAIN_LANES);
  j->together = weights_are_large(j) ? most(1, least(MOST_TOGETHER, j->v->groups * j->tiles / wanted)) : 1;
  const int64_t image_blocks = j->v->groups * blocks_of(j), chunks = image_blocks > 0 ? parts(wanted, image_blocks) : 1;
  j->chunk = most(1, least(j->rows, most(FEWEST_ROWS, parts(parts(j->rows, chunks), 12) * 12)));
  j->items = image_blocks * parts(j->rows, j->chunk);
}

int64_t tiles_items(const ConvProblem *j) {
  const int64_t tiles = j->v->groups * parts(j->v->images * windows_size(j->to.extent), CHAIN_LANES);
  const int64_t row_blocks = j->algorithm == BY_PLANES ? j->v->groups * j->v->images * j->row_blocks : 0;
  return most(tiles, row_blocks) * parts(j->rows, FEWEST_ROWS);
}

static size_t lines_workspace(const ConvProblem *j) { return whole_lines((size_t)j->terms * sizeof(int32_t)); }

/* By planes, the offsets of terms. Then, for each row of each tile, the current chain and the sum of earlier ones. Then
** the planes, or a panel, with spare elements. */
size_t tiles_workspace(const ConvProblem *j) {
  const int64_t together = weights_are_large(j) ? MOST_TOGETHER : 1;
  const size_t sums = (size_t)(2 * together * j->rows * CHAIN_LANES) * j->chains->size;
  if (j->algorithm == BY_PANELS) return sums + (CHAIN_STEPS * CHAIN_LINE + CHAIN_VECTOR) * j->chains->size;
  return lines_workspace(j) + sums + (size_t)planes_elements(j) * j->chains->size;
}

/* ---- Items ------------------------------------------------------------------------------------------------------- */

static WorkItem item_of(const ConvProblem *j, int64_t item) {
  const int64_t chunks = parts(j->rows, j->chunk), row = item % chunks * j->chunk;
  const int64_t image_blocks = blocks_of(j);
  return (WorkItem){ item / chunks / image_blocks, row, least(j->chunk, j->rows - row), item / chunks % image_blocks };
}

static const char *weight_of(const ConvProblem *j, const WorkItem *i, int64_t term) {
  return j->weight + (size_t)((i->group * j->rows + i->row) * j->terms + term) * j->chains->size;
}

/* Reports places [first, end), counted over all images. */
static void report_places(const ConvProblem *j, const WorkItem *item, int64_t first, int64_t end) {
  const int64_t each = windows_size(j->to.extent);
  for (int64_t n; first < end; first += n) {
    n = least(end - first, each - first % each);
    report_tile(j, first / each, item->group * j->rows + item->row, item->rows, first % each, n);
  }
}

/* Computes rows for a few tiles, by panels. */
void image_block_run(const ConvProblem *j, int64_t item, char *workspace) {
  const Chains *chains = j->chains;
  const WorkItem i = item_of(j, item);
  const int64_t first = i.image_block * j->together, rows = i.rows, tile = rows * CHAIN_LANES;
  const int64_t tiles = least(j->together, j->tiles - first), all = tiles * tile;
  const int64_t places = j->v->images * windows_size(j->to.extent);
  char *acc = workspace, *sum = acc + (size_t)all * chains->size, *panel = sum + (size_t)all * chains->size;
  const PanelTerms terms = { i.group * j->channels, j->channels, j->taps_slower };
  PlaneRun run[MOST_TOGETHER][CHAIN_LANES];
  int runs[MOST_TOGETHER];
  int64_t lanes[MOST_TOGETHER];
  for (int64_t t = 0; t < tiles; t++) {
    const int64_t place = (first + t) * CHAIN_LANES;
    lanes[t] = least(CHAIN_LANES, places - place);
    runs[t] = panels_runs(j->to.extent, place, lanes[t], run[t]);
  }
  memset(panel, 0, (size_t)(CHAIN_STEPS * CHAIN_LINE) * chains->size);            /* zeros for lanes past the last */
  memset(acc, 0, (size_t)all * chains->size);
  for (int64_t k = 0, steps; k < j->terms; k += steps) {
    if (k > 0 && k % CHAIN_BLOCK == 0) end_chain(chains, acc, sum, all, k == CHAIN_BLOCK);
    steps = least(CHAIN_STEPS, j->terms - k);
    for (int64_t t = 0; t < tiles; t++) {
      panels_fill(&j->from, run[t], runs[t], &terms, k, steps, panel, CHAIN_LINE);
      chains->run(rows, steps, weight_of(j, &i, k), j->terms, panel, chain_lines,
                  acc + (size_t)(t * tile) * chains->size, whole_vectors(lanes[t]));
    }
  }
  if (j->terms > CHAIN_BLOCK) end_chain(chains, acc, sum, all, false);
  for (int64_t t = 0; t < tiles; t++)
    conv_problem_write(j, &j->to, run[t], runs[t], &i,
                       (j->terms > CHAIN_BLOCK ? sum : acc) + (size_t)(t * tile) * chains->size);
  report_places(j, &i, first * CHAIN_LANES, least(places, (first + tiles) * CHAIN_LANES));
}

int planes_runs(const Planes *s, const ConvGrid *to, int64_t image, int64_t first, int64_t end, PlaneRun *run) {
  int runs = 0;
  for (int64_t row = first / s->size[2]; row * s->size[2] < least(end, s->lanes); row++) {
    const int64_t from = most(first, row * s->size[2]), until = least(end, row * s->size[2] + to->extent[2]);
    if (row % s->size[1] >= to->extent[1] || until <= from) continue;
    run[runs++] = (PlaneRun){
      image, { row / s->size[1], row % s->size[1], from - row * s->size[2] }, from - first, until - from
    };
  }
  return runs;
}

void planes_lines(const ConvProblem *j, int32_t *line) {
  const int64_t taps = taps_of(&j->from);
  for (int64_t tap = 0; tap < taps; tap++) {
    const int64_t offset = planes_offset(&j->from, &j->planes, tap);
    for (int64_t c = 0; c < j->channels; c++)
      line[j->taps_slower ? tap * j->channels + c : c * taps + tap] = (int32_t)(offset + c * j->planes.channel);
  }
}

/* Number of terms whose lines stay in the first cache for all rows: more terms mean longer ranges of weights, and sums
** are loaded and stored less often. */
static int64_t steps_at_once(const ConvProblem *j) {
  enum { NEAR = 24 << 10 };
  const Panels *p = &j->from;
  const int64_t rows = p->taps[0] * p->taps[1] * least(p->taps[2], j->planes.phases[2]);
  const int64_t taps = taps_of(p), lines = rows * (CHAIN_LANES + p->taps[2]);
  const int64_t channel = least(j->planes.channel, lines) * (int64_t)j->chains->size; /* the part read by a tile */
  return least(CHAIN_BLOCK, most(CHAIN_STEPS, NEAR * taps / channel));
}

/* Prefetches the cache lines for a tile's results in rows [row, row + n) of the item. */
static void fetch_results(const ConvProblem *j, const ConvGrid *to, const PlaneRun *run, int runs, const WorkItem *i,
                          int64_t row, int64_t n) {
  enum { LINE = 64 };
  const int64_t size = (int64_t)j->chains->size, places = windows_size(to->whole), channels = j->v->groups * j->rows;
  for (int r = 0; r < runs; r++) {
    const int64_t channel = run[r].image * channels + i->group * j->rows + i->row + row;
    const char *from = j->out + (channel * places + place_in(to, run[r].at)) * size;
    const int64_t bytes = ((run[r].n - 1) * to->by[2] + 1) * size;
    for (int64_t k = 0; k < n; k++, from += places * size)
      for (int64_t b = 0; b < bytes + LINE - 1; b += LINE) __builtin_prefetch(from + least(b, bytes - 1), 1, 3);
  }
}

/* Is the result too large for the caches? Only then do extra calls for a few rows pay. */
static bool is_far(const ConvProblem *j) {
  enum { LARGE = 1 << 23 };              /* bytes; with gaps, results touch more cache lines */
  const int64_t elements = j->v->images * j->v->groups * j->rows * windows_size(j->to.whole);
  return elements * (int64_t)j->chains->size * j->to.by[2] > LARGE;
}

/* Runs the last terms of a tile, a few rows at a time, while prefetching the cache lines for their results. */
static void run_last(const ConvProblem *j, const ConvGrid *to, const PlaneRun *run, int runs, const WorkItem *i,
                     int64_t term, int64_t steps, const char *seen, const int32_t *line, char *acc, int64_t lanes) {
  enum { ROWS = 12 };                    /* whole register tiles */
  for (int64_t row = 0, n; row < i->rows; row += n) {
    n = least(ROWS, i->rows - row);
    fetch_results(j, to, run, runs, i, row, n);
    j->chains->run(n, steps, weight_of(j, i, term) + (size_t)(row * j->terms) * j->chains->size, j->terms, seen, line,
                   acc + (size_t)(row * CHAIN_LANES) * j->chains->size, lanes);
  }
}

/* Computes rows for the positions of a row block, some tiles at a time. */
void row_block_run(const ConvProblem *j, int64_t item, char *workspace) {
  const Chains *chains = j->chains;
  const WorkItem i = item_of(j, item);
  const int64_t image = i.image_block / j->row_blocks, together = weights_are_large(j) ? MOST_TOGETHER : 1;
  const int64_t tile = i.rows * CHAIN_LANES;
  const int64_t elements = planes_elements(j), planes = j->channels * j->planes.channel;
  const int32_t *line = (const int32_t *)workspace;
  char *acc = workspace + lines_workspace(j), *sum = acc + (size_t)(together * tile) * chains->size;
  char *seen = sum + (size_t)(together * tile) * chains->size;
  ConvGrid to;
  const Planes s = take_row_block(j, i.image_block % j->row_blocks, &to);
  planes_fill(&j->from, &s, image, i.group * j->channels, j->channels, seen);
  memset(seen + (size_t)planes * chains->size, 0, (size_t)(elements - planes) * chains->size);
  const int64_t n = parts(s.lanes, CHAIN_LANES), at_once = steps_at_once(j);
  const bool far = is_far(j);
  for (int64_t first = 0; first < n; first += together) {
    const int64_t tiles = least(together, n - first), all = tiles * tile;
    memset(acc, 0, (size_t)all * chains->size);
    for (int64_t k = 0, steps; k < j->terms; k += steps) {
      if (k > 0 && k % CHAIN_BLOCK == 0) end_chain(chains, acc, sum, all, k == CHAIN_BLOCK);
      steps = least(least(at_once, CHAIN_BLOCK - k % CHAIN_BLOCK), j->terms - k);
      for (int64_t t = 0; t < tiles; t++) {
        const int64_t position = planes_tile(&s, first + t), end = planes_tile(&s, first + t + 1);
        const char *from = seen + (size_t)position * chains->size;
        char *chain = acc + (size_t)(t * tile) * chains->size;
        if (k + steps == j->terms && far) {
          PlaneRun run[CHAIN_LANES];
          const int runs = planes_runs(&s, &to, image, position, end, run);
          run_last(j, &to, run, runs, &i, k, steps, from, line + k, chain, end - position);
        } else {
          chains->run(i.rows, steps, weight_of(j, &i, k), j->terms, from, line + k, chain, end - position);
        }
      }
    }
    if (j->terms > CHAIN_BLOCK) end_chain(chains, acc, sum, all, false);
    for (int64_t t = 0; t < tiles; t++) {
      PlaneRun run[CHAIN_LANES];
      const int64_t position = planes_tile(&s, first + t);
      int runs = planes_runs(&s, &to, image, position, planes_tile(&s, first + t + 1), run);
      conv_problem_write(j, &to, run, runs, &i,
                         (j->terms > CHAIN_BLOCK ? sum : acc) + (size_t)(t * tile) * chains->size);
    }
  }
  report_row_block(j, &to, image, i.group * j->rows + i.row, i.rows);
}
