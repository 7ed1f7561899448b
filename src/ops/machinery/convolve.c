/* convolve.c - see convolve.h.
**
** Forward and the gradient of data: CHAIN_LANES neighbouring places of the result lie in the lanes. For
** CHAIN_STEPS terms at a time what they see is gathered into a panel, and each row (a filter; a channel)
** goes on over it with its weights. The gradient of weight: filters lie in the lanes, and a row is a weight
** of each filter; the panel is g, turned, and what a row sees is gathered.
** No matrix of all windows is written. Invariant: what an item writes, no other does; an item computes
** whole chains.
*/
#include "ops/machinery/convolve.h"

#include <string.h>

#include "base/parallel.h"
#include "ops/machinery/chains.h"
#include "ops/machinery/panels.h"

/* ---- Work in pieces ------------------------------------------------------------------------------------ */

typedef struct Job Job;

struct Job {
  const Convolution *v;
  const Chains *chains;
  Panels from;                         /* what is gathered */
  const char *weight, *bias;           /* the factors of rows, [group][row][term] */
  const Call *c;                       /* whose room is worked in */
  char *out;
  int64_t items, rows, terms;          /* rows and terms of one group */
  const int64_t *extent;               /* of the places that lie in lanes */
  int64_t tiles;                       /* of places or of filters, a group */
  int64_t chunk;                       /* rows of one item */
  void (*gather)(const Job *j, const Run *run, int runs, int64_t group, int64_t term, void *to);
  void (*item)(const Job *j, int64_t item, char *room);
};

static void run_items(void *context, int64_t first, int64_t last) {
  const Job *j = context;
  char *room = call_thread_scratch(j->c);
  for (int64_t i = first; i < last && !interrupted(); i++) j->item(j, i, room);
}

enum { GRAIN = 1 << 16 };        /* multiply-adds that are worth a thread */

static Status run_job(Job *j, double multiplications) {
  if (j->items == 0) return OK;
  double grain = GRAIN * (double)j->items / (multiplications + 1);
  parallel_for(j->items, grain < (double)j->items ? (int64_t)grain + 1 : j->items, run_items, j);
  return interrupt_status();
}

static double multiplications(const Convolution *v, const int64_t *places) {
  const double pairs = (double)v->groups * (double)v->filters * (double)v->channels;
  return pairs * (double)windows_size(v->w.kernel) * (double)v->images * (double)windows_size(places);
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t parts(int64_t n, int64_t most) { return (n + most - 1) / most; }

/* ---- What places see ----------------------------------------------------------------------------------- */

static int64_t place_of(const Run *r, const int64_t *extent) {
  return (r->at[0] * extent[1] + r->at[1]) * extent[2] + r->at[2];
}

/* The offsets of tap t of a window, t counting over (depth, height, width). */
static void tap_offsets(const Windows *w, int64_t t, int64_t *offset) {
  for (int a = WINDOW_AXES - 1; a >= 0; t /= w->kernel[a], a--) offset[a] = t % w->kernel[a] * w->dilate[a] - w->pad[a];
}

/* Places of the output see data: term = (channel, tap). */
static void gather_data(const Job *j, const Run *run, int runs, int64_t group, int64_t term, void *to) {
  const int64_t taps = windows_size(j->v->w.kernel);
  int64_t offset[WINDOW_AXES];
  tap_offsets(&j->v->w, term % taps, offset);
  panels_gather(&j->from, run, runs, group * j->v->channels + term / taps, offset, to);
}

/* Places of data see the gradient of the output: term = (tap, filter). */
static void gather_gradient(const Job *j, const Run *run, int runs, int64_t group, int64_t term, void *to) {
  const int64_t filters = j->v->filters, filter = group * filters + term % filters;
  int64_t offset[WINDOW_AXES];
  tap_offsets(&j->v->w, term / filters, offset);
  if (windows_size(j->from.stride) > 1) { panels_scatter(&j->from, run, runs, filter, offset, to); return; }
  for (int a = 0; a < WINDOW_AXES; a++) offset[a] = -offset[a];
  panels_gather(&j->from, run, runs, filter, offset, to);
}

static Panels data_panels(const Convolution *v, const void *data) {
  Panels p = { .data = data, .dtype = v->dtype, .images = v->images, .channels = v->groups * v->channels };
  memcpy(p.extent, v->w.in, sizeof p.extent);
  memcpy(p.stride, v->w.stride, sizeof p.stride);
  return p;
}

static Panels gradient_panels(const Convolution *v, const void *g) {
  Panels p = data_panels(v, g);
  p.channels = v->groups * v->filters;
  memcpy(p.extent, v->w.out, sizeof p.extent);
  return p;
}

/* ---- Forward, and the gradient of data ----------------------------------------------------------------------- */

/* For each row the chain under way and the sum of those before it; a panel, and room behind it. */
static size_t tile_room(int64_t rows, size_t size) {
  return (size_t)((CHAIN_STEPS + 2 * rows) * CHAIN_LANES + CHAIN_VECTOR) * size;
}

/* Ends a chain: its value goes into the sum (`first`: is the sum), and the next begins. */
static void end_chain(const Chains *chains, char *acc, char *sum, int64_t n, bool first) {
  if (first) memcpy(sum, acc, (size_t)n * chains->size);
  else chains->add(acc, sum, n);
  memset(acc, 0, (size_t)n * chains->size);
}

static int64_t whole_vectors(int64_t lanes) { return (lanes + CHAIN_VECTOR - 1) & -CHAIN_VECTOR; }

static void write_tile(const Job *j, const Run *run, int runs, int64_t group, const char *sum) {
  const size_t size = j->chains->size;
  const int64_t places = windows_size(j->extent);
  for (int64_t row = group * j->rows; row < (group + 1) * j->rows; row++, sum += CHAIN_LANES * size)
    for (const Run *r = run; r < run + runs; r++) {
      const int64_t at = (r->image * j->v->groups * j->rows + row) * places + place_of(r, j->extent);
      const char *bias = j->bias ? j->bias + (size_t)row * size : NULL;
      j->chains->finish(sum + (size_t)r->lane * size, bias, j->out + (size_t)at * size, r->n);
    }
}

static void run_tile(const Job *j, int64_t item, char *room) {
  const Chains *chains = j->chains;
  const size_t line = CHAIN_LANES * chains->size;
  const int64_t group = item / j->tiles, place = item % j->tiles * CHAIN_LANES, all = j->rows * CHAIN_LANES;
  const int64_t n = least(CHAIN_LANES, j->v->images * windows_size(j->extent) - place), lanes = whole_vectors(n);
  const char *weight = j->weight + (size_t)(group * j->rows * j->terms) * chains->size;
  char *acc = room, *sum = acc + (size_t)j->rows * line, *panel = sum + (size_t)j->rows * line;
  Run run[CHAIN_LANES];
  int runs = panels_runs(j->extent, place, n, run);
  memset(panel, 0, CHAIN_STEPS * line);            /* lanes beyond n */
  memset(acc, 0, (size_t)all * chains->size);
  for (int64_t k = 0, steps; k < j->terms; k += steps) {
    if (k > 0 && k % CHAIN_BLOCK == 0) end_chain(chains, acc, sum, all, k == CHAIN_BLOCK);
    steps = least(CHAIN_STEPS, j->terms - k);
    for (int64_t s = 0; s < steps; s++) j->gather(j, run, runs, group, k + s, panel + (size_t)s * line);
    for (int64_t r = 0; r < j->rows; r++)
      chains->run(steps, weight + (size_t)(r * j->terms + k) * chains->size, panel, acc + (size_t)r * line, lanes);
  }
  if (j->terms > CHAIN_BLOCK) end_chain(chains, acc, sum, all, false);
  write_tile(j, run, runs, group, j->terms > CHAIN_BLOCK ? sum : acc);
}

/* Tiles of one group. */
static int64_t count_tiles(const Convolution *v, const int64_t *extent) {
  return parts(v->images * windows_size(extent), CHAIN_LANES);
}

static size_t lower_to(int64_t items, int *most, size_t room) {
  if (items < *most) *most = (int)items;
  return room;
}

static Status run_tiles(Job *j) {
  j->item = run_tile;
  j->tiles = count_tiles(j->v, j->extent);
  j->items = j->v->groups * j->tiles;
  return run_job(j, multiplications(j->v, j->extent));
}

size_t convolve_forward_room(const Convolution *v, int *most) {
  return lower_to(v->groups * count_tiles(v, v->w.out), most, tile_room(v->filters, dtype_size(v->dtype)));
}

Status convolve_forward(const Convolution *v, const Call *c, const void *data, const void *weight, const void *bias,
                        void *out) {
  Job j = { .v = v, .c = c, .chains = chains_of(v->dtype), .from = data_panels(v, data), .weight = weight,
            .bias = bias, .out = out, .rows = v->filters, .terms = v->channels * windows_size(v->w.kernel),
            .extent = v->w.out, .gather = gather_data };
  return run_tiles(&j);
}

size_t convolve_packed_room(const Convolution *v) {
  size_t bytes = (size_t)(v->groups * v->channels * windows_size(v->w.kernel) * v->filters) * dtype_size(v->dtype);
  return (bytes + 63) / 64 * 64;
}

size_t convolve_data_room(const Convolution *v, int *most) {
  return lower_to(v->groups * count_tiles(v, v->w.in), most, tile_room(v->channels, dtype_size(v->dtype)));
}

/* weight (group, filter, channel, tap) as (group, channel, tap, filter). */
typedef struct Packing { const Convolution *v; const char *weight; char *packed; } Packing;

static void pack_piece(void *context, int64_t first, int64_t last) {
  const Packing *p = context;
  const Convolution *v = p->v;
  const Chains *chains = chains_of(v->dtype);
  const int64_t terms = v->channels * windows_size(v->w.kernel);
  for (int64_t i = first; i < last; i++)
    chains->move(p->weight + (size_t)(i / terms * v->filters * terms + i % terms) * chains->size, terms,
                 p->packed + (size_t)(i * v->filters) * chains->size, 1, v->filters);
}

Status convolve_data(const Convolution *v, const Call *c, const void *g, const void *weight, void *out) {
  const int64_t taps = windows_size(v->w.kernel);
  Job j = { .v = v, .c = c, .chains = chains_of(v->dtype), .from = gradient_panels(v, g), .weight = c->scratch,
            .out = out, .rows = v->channels, .terms = taps * v->filters, .extent = v->w.in, .gather = gather_gradient };
  Packing packing = { v, weight, c->scratch };
  parallel_for(v->groups * v->channels * taps, (1 << 14) / (v->filters + 1) + 1, pack_piece, &packing);
  return run_tiles(&j);
}

/* ---- The gradient of weight -------------------------------------------------------------------------------------- */

/* Places of the output whose terms are one chain: whole images, or whole rows (of all but the last axis) of one image;
** at most CHAIN_BLOCK places, if a row is not more, and as equal as whole ones can be. */
typedef struct Grouping { int64_t images, rows; } Grouping;

static Grouping group_places(const Convolution *v) {
  const int64_t *out = v->w.out, rows = out[0] * out[1];
  const int64_t most_images = CHAIN_BLOCK / (rows * out[2]), most_rows = CHAIN_BLOCK / out[2];
  if (most_images > 1 && v->images > 1) return (Grouping){ parts(v->images, parts(v->images, most_images)), rows };
  return (Grouping){ 1, parts(rows, parts(rows, most_rows > 1 ? most_rows : 1)) };
}

/* Room of an item with so many rows: chains and sums, g turned, what a row sees and room behind it. */
static size_t weight_item_room(int64_t rows, size_t size) {
  return (size_t)((2 * rows + CHAIN_STEPS) * CHAIN_LANES + CHAIN_STEPS + CHAIN_VECTOR) * size;
}

enum { FEWEST_ROWS = 16, MOST_ROWS = 128, SHARES = 16 };

/* The chain of all rows goes on over places [place, place + n) of an image. */
static void run_places(const Job *j, int64_t group, int64_t filter, int64_t lanes, int64_t row, int64_t rows,
                       int64_t image, int64_t place, int64_t n, char *room) {
  const Convolution *v = j->v;
  const Chains *chains = j->chains;
  const int64_t places = windows_size(v->w.out);
  const size_t size = chains->size, line = CHAIN_LANES * size;
  char *acc = room, *turned = acc + 2 * (size_t)rows * line, *seen = turned + CHAIN_STEPS * line;
  const char *g = j->weight + (size_t)(((image * v->groups + group) * v->filters + filter) * places + place) * size;
  Run run[CHAIN_STEPS];
  int runs = panels_runs(v->w.out, image * places + place, n, run);
  for (int64_t f = 0; f < lanes; f++)
    chains->move(g + (size_t)(f * places) * size, 1, turned + (size_t)f * size, CHAIN_LANES, n);
  for (int64_t r = 0; r < rows; r++) {
    gather_data(j, run, runs, group, row + r, seen);
    chains->run(n, seen, turned, acc + (size_t)r * line, whole_vectors(lanes));
  }
}

static void run_weights(const Job *j, int64_t item, char *room) {
  const Convolution *v = j->v;
  const Chains *chains = j->chains;
  const size_t size = chains->size, line = CHAIN_LANES * size;
  const int64_t chunks = parts(j->terms, j->chunk), row = item % chunks * j->chunk;
  const int64_t rows = least(j->chunk, j->terms - row), all = rows * CHAIN_LANES;
  const int64_t group = item / chunks / j->tiles, filter = item / chunks % j->tiles * CHAIN_LANES;
  const int64_t lanes = least(CHAIN_LANES, v->filters - filter), height = v->w.out[0] * v->w.out[1];
  const Grouping of = group_places(v);
  char *acc = room, *sum = acc + (size_t)all * size;
  int64_t done = 0;
  memset(room, 0, 2 * (size_t)all * size + CHAIN_STEPS * line);      /* lanes beyond the filters too */
  for (int64_t image = 0; image < v->images && !interrupted(); image += of.images)
    for (int64_t from = 0; from < height; from += of.rows, done++) {
      const int64_t end = least(from + of.rows, height) * v->w.out[2];
      for (int64_t i = image; i < least(image + of.images, v->images); i++)
        for (int64_t place = from * v->w.out[2]; place < end; place += CHAIN_STEPS)
          run_places(j, group, filter, lanes, row, rows, i, place, least(CHAIN_STEPS, end - place), room);
      end_chain(chains, acc, sum, all, done == 0);
    }
  chains->finish(sum, NULL, acc, all);
  char *out = j->out + (size_t)((group * v->filters + filter) * j->terms + row) * size;
  for (int64_t f = 0; f < lanes; f++)
    chains->move(acc + (size_t)f * size, CHAIN_LANES, out + (size_t)(f * j->terms) * size, 1, rows);
}

/* Rows of an item: few where there are few items, for threads to share. */
static int64_t rows_of_items(const Convolution *v) {
  int64_t terms = v->channels * windows_size(v->w.kernel), rows = parts(terms, SHARES);
  return least(rows > FEWEST_ROWS ? rows : least(terms, FEWEST_ROWS), MOST_ROWS);
}

/* Items: (group, filters of a tile, rows of a chunk). */
static int64_t count_items(const Convolution *v) {
  const int64_t terms = v->channels * windows_size(v->w.kernel);
  return terms > 0 ? v->groups * parts(v->filters, CHAIN_LANES) * parts(terms, rows_of_items(v)) : 0;
}

size_t convolve_weight_room(const Convolution *v, int *most) {
  return lower_to(count_items(v), most, weight_item_room(rows_of_items(v), dtype_size(v->dtype)));
}

Status convolve_weight(const Convolution *v, const Call *c, const void *g, const void *data, void *out) {
  Job j = { .v = v, .c = c, .chains = chains_of(v->dtype), .from = data_panels(v, data), .weight = g, .out = out,
            .item = run_weights, .items = count_items(v), .terms = v->channels * windows_size(v->w.kernel),
            .chunk = rows_of_items(v), .tiles = parts(v->filters, CHAIN_LANES) };
  return run_job(&j, multiplications(v, v->w.out));
}
