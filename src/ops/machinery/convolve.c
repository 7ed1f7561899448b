/* convolve.c - see convolve.h: forward and the gradient of data.
**
** CHAIN_LANES neighbouring places of the result lie in the lanes, a tile. For
** CHAIN_STEPS terms at a time what they see is gathered into a panel, and each row (a filter; a channel) goes on over
** it with its weights; a few tiles take turns with the same weights while these are in cache. Where the stride is
** more than 1, the gradient of data is a grid of places for each phase, whose taps are those that fit it.
** No matrix of all windows is written. Invariant: what an item writes, no other does; an item computes
** whole chains.
*/
#include "base/parallel.h"
#include "ops/machinery/convolve_job.h"

/* ---- Work in pieces ------------------------------------------------------------------------------------ */

static void run_stack(const Job *j, int64_t item, char *room);
static void run_band(const Job *j, int64_t item, char *room);

/* Neighbours in memory are announced as one. */
void announce(const Job *j, int64_t image, int64_t channel, int64_t n, int64_t from, int64_t places) {
  if (!j->announces) return;
  const Listener *l = j->c->listener;
  const int64_t whole = windows_size(j->to.whole), at = (image * j->v->groups * j->rows + channel) * whole + from;
  if (places == whole) l->ready(l->context, at, n * whole);
  else for (int64_t i = 0; i < n; i++) l->ready(l->context, at + i * whole, places);
}

void announce_band(const Job *j, const Grid *to, int64_t image, int64_t channel, int64_t n) {
  const int64_t at[WINDOW_AXES] = { 0 };
  announce(j, image, channel, n, place_in(to, at), windows_size(to->extent));
}

/* Are the stretches that items complete long enough? Shorter ones are passed over faster when all is there. */
static bool is_worth_announcing(const Job *j) {
  enum { SHORTEST = 128 };       /* elements */
  const int64_t places = windows_size(j->to.extent);
  if (j->way == BY_PANELS) return least(places, j->together * CHAIN_LANES) >= SHORTEST;
  if (j->way == BY_ROWS || j->bands == 1) return true;                          /* whole channels, which are neighbours */
  return places / j->to.extent[j->axis] * j->band >= SHORTEST;
}

static void run_items(void *context, int64_t first, int64_t last) {
  const Job *j = context;
  char *room = call_thread_scratch(j->c);
  static void (*const run[])(const Job *, int64_t, char *) = { run_stack, run_band, images_run, rows_run }; /* by Way */
  if (j->way == BY_PLANES) planes_lines(j, (int32_t *)room);
  if (j->way == BY_ROWS) rows_begin(j, room);
  for (int64_t i = first, told = first; i < last && !interrupted(); i++) {
    run[j->way](j, i, room);
    if (j->way == BY_ROWS) told = rows_announce(j, told, i + 1, i + 1 == last);
  }
}

static Status run_job(Job *j, double multiplications) {
  if (j->items == 0) return OK;
  j->announces = j->c->listener && is_worth_announcing(j);
  parallel_for(j->items, items_of_grain(j->items, multiplications), run_items, j);
  return interrupt_status();
}

static int64_t taps_of(const Panels *p) { return windows_size(p->taps); }

/* ---- What places see ----------------------------------------------------------------------------------- */

static int64_t remainder_of(int64_t x, int64_t by) { return x - windows_floor(x, by) * by; }

/* The taps of an axis by which windows see places of this phase, which are stride * i + phase: the first, how far
** apart they are, how many. */
typedef struct Taps { int64_t first, apart, n; } Taps;

static Taps taps_at(const Windows *w, int axis, int64_t phase) {
  const int64_t stride = w->stride[axis], kernel = w->kernel[axis];
  Taps t = { .apart = 1 };
  while (remainder_of(t.apart * w->dilate[axis], stride) != 0) t.apart++;
  while (t.first < least(t.apart, kernel) && remainder_of(phase + w->pad[axis] - t.first * w->dilate[axis], stride) != 0)
    t.first++;
  t.n = t.first < least(t.apart, kernel) ? parts(kernel - t.first, t.apart) : 0;
  return t;
}

/* Places of data of a phase see the gradient of the output. */
static Panels gradient_panels(const Convolution *v, const void *g, const int64_t *phase) {
  Panels p = { .data = g, .dtype = v->dtype, .images = v->images, .channels = v->groups * v->filters };
  for (int a = 0; a < WINDOW_AXES; a++) {
    const Taps t = taps_at(&v->w, a, phase[a]);
    p.extent[a] = v->w.out[a];
    p.taps[a] = t.n;
    p.base[a] = windows_floor(phase[a] + v->w.pad[a] - t.first * v->w.dilate[a], v->w.stride[a]);
    p.move[a] = -(t.apart * v->w.dilate[a] / v->w.stride[a]);
    p.step[a] = 1;
  }
  return p;
}

static Grid whole_grid(const int64_t *extent) {
  Grid g = { .by = { 1, 1, 1 } };
  memcpy(g.extent, extent, sizeof g.extent);
  memcpy(g.whole, extent, sizeof g.whole);
  return g;
}

/* Places phase + i * stride. */
static Grid phase_grid(const Windows *w, const int64_t *phase) {
  Grid g = whole_grid(w->in);
  for (int a = 0; a < WINDOW_AXES; a++) {
    g.first[a] = phase[a];
    g.by[a] = w->stride[a];
    g.extent[a] = phase[a] < w->in[a] ? parts(w->in[a] - phase[a], w->stride[a]) : 0;
  }
  return g;
}

/* Calls `each` for every phase of places, until it fails. */
static Status each_phase(const Windows *w, Status (*each)(const int64_t *phase, void *context), void *context) {
  int64_t phase[WINDOW_AXES];
  for (phase[0] = 0; phase[0] < w->stride[0]; phase[0]++)
    for (phase[1] = 0; phase[1] < w->stride[1]; phase[1]++)
      for (phase[2] = 0; phase[2] < w->stride[2]; phase[2]++) TRY(each(phase, context));
  return OK;
}

/* ---- Forward, and the gradient of data ----------------------------------------------------------------------- */

/* Bands of places along the first axis that has several, so many that a band has some tiles. */
static void choose_bands(Job *j) {
  enum { POSITIONS = 10 * CHAIN_LANES };
  const Planes whole = planes_of(&j->from, j->to.extent);
  int64_t each = 1, grid[WINDOW_AXES];
  j->axis = j->to.extent[0] > 1 ? 0 : j->to.extent[1] > 1 ? 1 : 2;
  for (int a = j->axis + 1; a < WINDOW_AXES; a++) each *= whole.size[a];
  j->bands = parts(j->to.extent[j->axis], most(1, POSITIONS / each));
  j->band = parts(j->to.extent[j->axis], j->bands);
  j->bands = parts(j->to.extent[j->axis], j->band);
  memcpy(grid, j->to.extent, sizeof grid);
  grid[j->axis] = j->band;
  j->planes = planes_of(&j->from, grid);
}

/* Where the places of a band are, and their planes; the last band may have fewer places. */
static Planes take_band(const Job *j, int64_t band, Grid *to) {
  const int64_t first = band * j->band;
  Planes s = j->planes;
  *to = j->to;
  to->first[j->axis] += first * to->by[j->axis];
  to->extent[j->axis] = least(j->band, to->extent[j->axis] - first);
  s.from[j->axis] += first * j->from.step[j->axis];
  s.lanes = ((to->extent[0] - 1) * s.size[1] + to->extent[1] - 1) * s.size[2] + to->extent[2];
  return s;
}

static int64_t planes_elements(const Job *j) {
  return j->channels * j->planes.channel + CHAIN_LANES + CHAIN_VECTOR;        /* what lanes behind the last read */
}

/* By planes some positions are no places, and by panels every line is gathered. Costs are cycles, roughly, of a term of
** a tile; all ways give the same bits. */
static void choose_way(Job *j) {
  enum { MOST_ELEMENTS = 1 << 21, A_CYCLE = 64 };             /* lanes by rows, twice over */
  const int64_t places = windows_size(j->to.extent);
  j->way = BY_PANELS;
  if (places == 0 || j->terms == 0) return;
  if (rows_choose(j)) { j->way = BY_ROWS; return; }
  choose_bands(j);
  const double positions = (double)(j->v->images * j->bands * whole_vectors(j->planes.lanes));
  const double lanes = (double)whole_vectors(j->v->images * places);
  const double products = 2 * (double)j->rows, runs = 1 + (double)CHAIN_LANES / (double)j->to.extent[2];
  const double planes = positions * (products + 8.0 / (double)taps_of(&j->from));
  const double panels = lanes * (products + 6 + 10 * runs);
  if (planes_elements(j) <= MOST_ELEMENTS && planes < panels) j->way = BY_PLANES;
  const double apart = j->way == BY_PLANES && j->from.step[2] > 1      /* columns of a plane are gathered one by one */
      ? 2 * (double)(j->v->images * j->bands * j->channels * j->planes.channel) : 0;
  const double cost = (j->way == BY_PLANES ? planes : panels) * (double)j->terms / A_CYCLE + apart;
  if (images_choose(j, cost)) j->way = BY_IMAGES;
}

enum {
  FEWEST_ROWS = 48,              /* of an item: a panel is gathered for each item again */
  MOST_TOGETHER = 4,
  CACHED = 1 << 18               /* bytes of weights that one tile after the other may read anew */
};

static bool weights_are_large(const Job *j) { return j->rows * j->terms * (int64_t)j->chains->size > CACHED; }

/* How the work falls into items for so many threads, which is no matter of bits. */
static void share_tiles(Job *j, int threads) {
  const int64_t wanted = threads > 1 ? ITEMS_A_THREAD * threads : 1;
  choose_way(j);
  if (j->way == BY_IMAGES) {
    images_share(j, threads);
    j->items = images_items(j);
    return;
  }
  if (j->way == BY_ROWS) {
    j->items = rows_items(j);
    return;
  }
  j->tiles = parts(j->v->images * windows_size(j->to.extent), CHAIN_LANES);
  j->together = weights_are_large(j) ? most(1, least(MOST_TOGETHER, j->v->groups * j->tiles / wanted)) : 1;
  const int64_t stacks = j->v->groups * (j->way == BY_PLANES ? j->v->images * j->bands : parts(j->tiles, j->together));
  const int64_t chunks = stacks > 0 ? parts(wanted, stacks) : 1;
  j->chunk = most(1, least(j->rows, most(FEWEST_ROWS, parts(parts(j->rows, chunks), 12) * 12)));
  j->items = stacks * parts(j->rows, j->chunk);
}

static size_t lines_room(const Job *j) { return ((size_t)j->terms * sizeof(int32_t) + 63) / 64 * 64; }

/* By planes, where each term's lines begin in them. For each row of each tile the chain under way and the sum of those
** before it. Then the planes, or a panel; room behind it. */
static size_t stack_room(Job *j) {
  const int64_t together = weights_are_large(j) ? MOST_TOGETHER : 1;
  share_tiles(j, 1);
  if (j->way == BY_IMAGES) return images_room(j);
  if (j->way == BY_ROWS) return rows_room(j);
  const size_t sums = (size_t)(2 * together * j->rows * CHAIN_LANES) * j->chains->size;
  if (j->way == BY_PANELS) return sums + (CHAIN_STEPS * CHAIN_LINE + CHAIN_VECTOR) * j->chains->size;
  return lines_room(j) + sums + (size_t)planes_elements(j) * j->chains->size;
}

/* The most items that there may be. */
static int64_t most_items(const Job *j) {
  if (j->way == BY_IMAGES) return images_items(j) * j->band;
  if (j->way == BY_ROWS) return rows_items(j);
  const int64_t tiles = j->v->groups * parts(j->v->images * windows_size(j->to.extent), CHAIN_LANES);
  const int64_t bands = j->way == BY_PLANES ? j->v->groups * j->v->images * j->bands : 0;
  return most(tiles, bands) * parts(j->rows, FEWEST_ROWS);
}

/* An item: rows of one group, a chunk, and a stack of tiles or, by planes, a band. */
typedef struct Item { int64_t group, row, rows, stack; } Item;

static Item item_of(const Job *j, int64_t item) {
  const int64_t chunks = parts(j->rows, j->chunk), row = item % chunks * j->chunk;
  const int64_t stacks = j->way == BY_PLANES ? j->v->images * j->bands : parts(j->tiles, j->together);
  return (Item){ item / chunks / stacks, row, least(j->chunk, j->rows - row), item / chunks % stacks };
}

static const char *weight_of(const Job *j, const Item *i, int64_t term) {
  return j->weight + (size_t)((i->group * j->rows + i->row) * j->terms + term) * j->chains->size;
}

/* What lies behind a tile's last row may be read. */
static void write_tile(const Job *j, const Grid *to, const Run *run, int runs, const Item *item, const char *sum) {
  const size_t size = j->chains->size;
  const int64_t places = windows_size(to->whole), channels = j->v->groups * j->rows;
  const int64_t first = item->group * j->rows + item->row;
  ChainPart part[CHAIN_LANES];
  for (int r = 0; r < runs; r++)
    part[r] = (ChainPart){ run[r].lane, run[r].n, run[r].image * channels * places + place_in(to, run[r].at) };
  for (int64_t c = first; c < first + item->rows; c++, sum += CHAIN_LANES * size)
    j->chains->finish_parts(sum, j->bias ? j->bias + (size_t)c * size : NULL, j->out + (size_t)(c * places) * size,
                            to->by[2], part, runs);
}

/* Places [first, end) of all images, one after the other. */
static void announce_places(const Job *j, const Item *item, int64_t first, int64_t end) {
  const int64_t each = windows_size(j->to.extent);
  for (int64_t n; first < end; first += n) {
    n = least(end - first, each - first % each);
    announce(j, first / each, item->group * j->rows + item->row, item->rows, first % each, n);
  }
}

/* Rows over a few tiles of panels. */
static void run_stack(const Job *j, int64_t item, char *room) {
  const Chains *chains = j->chains;
  const Item i = item_of(j, item);
  const int64_t first = i.stack * j->together, rows = i.rows, tile = rows * CHAIN_LANES;
  const int64_t tiles = least(j->together, j->tiles - first), all = tiles * tile;
  const int64_t places = j->v->images * windows_size(j->to.extent);
  char *acc = room, *sum = acc + (size_t)all * chains->size, *panel = sum + (size_t)all * chains->size;
  const Terms terms = { i.group * j->channels, j->channels, j->taps_slower };
  Run run[MOST_TOGETHER][CHAIN_LANES];
  int runs[MOST_TOGETHER];
  int64_t lanes[MOST_TOGETHER];
  for (int64_t t = 0; t < tiles; t++) {
    const int64_t place = (first + t) * CHAIN_LANES;
    lanes[t] = least(CHAIN_LANES, places - place);
    runs[t] = panels_runs(j->to.extent, place, lanes[t], run[t]);
  }
  memset(panel, 0, (size_t)(CHAIN_STEPS * CHAIN_LINE) * chains->size);            /* lanes behind the last */
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
    write_tile(j, &j->to, run[t], runs[t], &i,
               (j->terms > CHAIN_BLOCK ? sum : acc) + (size_t)(t * tile) * chains->size);
  announce_places(j, &i, first * CHAIN_LANES, least(places, (first + tiles) * CHAIN_LANES));
}

int planes_runs(const Planes *s, const Grid *to, int64_t image, int64_t first, int64_t end, Run *run) {
  int runs = 0;
  for (int64_t row = first / s->size[2]; row * s->size[2] < least(end, s->lanes); row++) {
    const int64_t from = most(first, row * s->size[2]), until = least(end, row * s->size[2] + to->extent[2]);
    if (row % s->size[1] >= to->extent[1] || until <= from) continue;
    run[runs++] = (Run){ image, { row / s->size[1], row % s->size[1], from - row * s->size[2] }, from - first,
                         until - from };
  }
  return runs;
}

void planes_lines(const Job *j, int32_t *line) {
  const int64_t taps = taps_of(&j->from);
  for (int64_t tap = 0; tap < taps; tap++) {
    const int64_t offset = planes_offset(&j->from, &j->planes, tap);
    for (int64_t c = 0; c < j->channels; c++)
      line[j->taps_slower ? tap * j->channels + c : c * taps + tap] = (int32_t)(offset + c * j->planes.channel);
  }
}

/* Terms whose lines stay in the first cache for all rows: the more there are, the longer are the stretches of weights
** that are read, and the fewer times sums are fetched and put back. */
static int64_t steps_at_once(const Job *j) {
  enum { NEAR = 24 << 10 };
  const Panels *p = &j->from;
  const int64_t rows = p->taps[0] * p->taps[1] * least(p->taps[2], j->planes.phases[2]);
  const int64_t taps = taps_of(p), lines = rows * (CHAIN_LANES + p->taps[2]);
  const int64_t channel = least(j->planes.channel, lines) * (int64_t)j->chains->size;      /* what a tile sees of it */
  return least(CHAIN_BLOCK, most(CHAIN_STEPS, NEAR * taps / channel));
}

/* Rows over the positions of a band, some tiles at a time. */
static void run_band(const Job *j, int64_t item, char *room) {
  const Chains *chains = j->chains;
  const Item i = item_of(j, item);
  const int64_t image = i.stack / j->bands, together = weights_are_large(j) ? MOST_TOGETHER : 1;
  const int64_t tile = i.rows * CHAIN_LANES;
  const int64_t elements = planes_elements(j), planes = j->channels * j->planes.channel;
  const int32_t *line = (const int32_t *)room;
  char *acc = room + lines_room(j), *sum = acc + (size_t)(together * tile) * chains->size;
  char *seen = sum + (size_t)(together * tile) * chains->size;
  Grid to;
  const Planes s = take_band(j, i.stack % j->bands, &to);
  planes_fill(&j->from, &s, image, i.group * j->channels, j->channels, seen);
  memset(seen + (size_t)planes * chains->size, 0, (size_t)(elements - planes) * chains->size);
  const int64_t n = parts(s.lanes, CHAIN_LANES), at_once = steps_at_once(j);
  for (int64_t first = 0; first < n; first += together) {
    const int64_t tiles = least(together, n - first), all = tiles * tile;
    memset(acc, 0, (size_t)all * chains->size);
    for (int64_t k = 0, steps; k < j->terms; k += steps) {
      if (k > 0 && k % CHAIN_BLOCK == 0) end_chain(chains, acc, sum, all, k == CHAIN_BLOCK);
      steps = least(least(at_once, CHAIN_BLOCK - k % CHAIN_BLOCK), j->terms - k);
      for (int64_t t = 0; t < tiles; t++) {
        const int64_t position = planes_tile(&s, first + t);
        chains->run(i.rows, steps, weight_of(j, &i, k), j->terms, seen + (size_t)position * chains->size, line + k,
                    acc + (size_t)(t * tile) * chains->size, planes_tile(&s, first + t + 1) - position);
      }
    }
    if (j->terms > CHAIN_BLOCK) end_chain(chains, acc, sum, all, false);
    for (int64_t t = 0; t < tiles; t++) {
      Run run[CHAIN_LANES];
      const int64_t position = planes_tile(&s, first + t);
      int runs = planes_runs(&s, &to, image, position, planes_tile(&s, first + t + 1), run);
      write_tile(j, &to, run, runs, &i, (j->terms > CHAIN_BLOCK ? sum : acc) + (size_t)(t * tile) * chains->size);
    }
  }
  announce_band(j, &to, image, i.group * j->rows + i.row, i.rows);
}

static Status run_stacks(Job *j) {
  share_tiles(j, parallel_threads());
  return run_job(j, (double)(j->v->groups * j->rows * j->terms) * (double)(j->v->images * windows_size(j->to.extent)));
}

static Job forward_job(const Convolution *v, const void *data) {
  return (Job){ .v = v, .chains = chains_of(v->dtype), .from = data_panels(v, data), .rows = v->filters,
                .channels = v->channels, .terms = v->channels * windows_size(v->w.kernel), .to = whole_grid(v->w.out) };
}

size_t convolve_forward_room(const Convolution *v, int *threads) {
  Job j = forward_job(v, NULL);
  const size_t room = stack_room(&j);
  return room_of_threads(most_items(&j), threads, room);
}

Status convolve_forward(const Convolution *v, const Call *c, const void *data, const void *weight, const void *bias,
                        void *out) {
  Job j = forward_job(v, data);
  j.c = c;
  j.weight = weight;
  j.bias = bias;
  j.out = out;
  return run_stacks(&j);
}

/* Of the places of one phase. */
static Job data_job(const Convolution *v, const void *g, const int64_t *phase) {
  Job j = { .v = v, .chains = chains_of(v->dtype), .from = gradient_panels(v, g, phase), .taps_slower = true,
            .rows = v->channels, .channels = v->filters, .to = phase_grid(&v->w, phase) };
  j.terms = taps_of(&j.from) * v->filters;
  return j;
}

size_t convolve_packed_room(const Convolution *v) {
  size_t bytes = (size_t)(v->groups * v->channels * windows_size(v->w.kernel) * v->filters) * dtype_size(v->dtype);
  return (bytes + 63) / 64 * 64;
}

typedef struct Rooms { const Convolution *v; int threads; size_t most; int64_t items; } Rooms;

static Status room_of_phase(const int64_t *phase, void *context) {
  Rooms *r = context;
  Job j = data_job(r->v, NULL, phase);
  const size_t room = stack_room(&j);
  if (room > r->most) r->most = room;
  r->items = most(r->items, most_items(&j));
  return OK;
}

size_t convolve_data_room(const Convolution *v, int *threads) {
  Rooms r = { .v = v };
  (void)each_phase(&v->w, room_of_phase, &r);
  return room_of_threads(r.items, threads, r.most);
}

/* weight (group, filter, channel, tap) as (group, channel, tap of a phase, filter). */
typedef struct Packing { const Convolution *v; const char *weight; char *packed; Taps taps[WINDOW_AXES]; } Packing;

static void pack_piece(void *context, int64_t first, int64_t last) {
  enum { TOGETHER = 16 };          /* filters whose lines of cache are read whole */
  const Packing *p = context;
  const Convolution *v = p->v;
  const Chains *chains = chains_of(v->dtype);
  const int64_t terms = v->channels * windows_size(v->w.kernel), *kernel = v->w.kernel;
  const int64_t taps = p->taps[0].n * p->taps[1].n * p->taps[2].n;
  for (int64_t f = 0; f < v->filters; f += TOGETHER)
    for (int64_t i = first; i < last; i++) {
      int64_t tap = i % taps, channel = i / taps, k[WINDOW_AXES];
      for (int a = WINDOW_AXES - 1; a >= 0; tap /= p->taps[a].n, a--)
        k[a] = p->taps[a].first + tap % p->taps[a].n * p->taps[a].apart;
      const int64_t at = channel % v->channels * windows_size(kernel) + (k[0] * kernel[1] + k[1]) * kernel[2] + k[2];
      chains->move(p->weight + (size_t)((channel / v->channels * v->filters + f) * terms + at) * chains->size, terms,
                   p->packed + (size_t)(i * v->filters + f) * chains->size, 1, least(TOGETHER, v->filters - f));
    }
}

/* All taps, in their order: pieces of one group's [filter][channel and tap]. */
static void pack_whole(void *context, int64_t first, int64_t last) {
  const Packing *p = context;
  const Chains *chains = chains_of(p->v->dtype);
  const int64_t terms = p->v->channels * windows_size(p->v->w.kernel), filters = p->v->filters;
  for (int64_t i = first, n; i < last; i += n) {
    const int64_t group = i / terms, term = i % terms;
    n = least(last - i, terms - term);
    chains->turn(p->weight + (size_t)(group * filters * terms + term) * chains->size, terms,
                 p->packed + (size_t)(i * filters) * chains->size, filters, filters, n);
  }
}

typedef struct DataCall { const Convolution *v; const Call *c; const void *g, *weight; void *out; char *packed; } DataCall;

static Status data_of_phase(const int64_t *phase, void *context) {
  DataCall *d = context;
  Job j = data_job(d->v, d->g, phase);
  Packing packing = { .v = d->v, .weight = d->weight, .packed = d->packed };
  for (int a = 0; a < WINDOW_AXES; a++) packing.taps[a] = taps_at(&d->v->w, a, phase[a]);
  parallel_for(d->v->groups * d->v->channels * taps_of(&j.from), (1 << 14) / (d->v->filters + 1) + 1,
               windows_size(d->v->w.stride) == 1 ? pack_whole : pack_piece, &packing);
  j.c = d->c;
  j.weight = d->packed;
  j.out = d->out;
  d->packed += (size_t)(d->v->groups * d->v->channels * j.terms) * j.chains->size;
  return run_stacks(&j);
}

Status convolve_data(const Convolution *v, const Call *c, const void *g, const void *weight, void *out) {
  DataCall d = { v, c, g, weight, out, c->scratch };
  return each_phase(&v->w, data_of_phase, &d);
}
