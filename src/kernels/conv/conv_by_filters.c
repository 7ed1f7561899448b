/* conv_by_filters.c - forward and the gradient of data with rows (filters; channels) as lanes.
**
** The receptive field of a group of places (some images, or a row block of one) is copied channels-last, padded with
** zeros. A panel holds the weights of one or a few vectors of rows for STEPS terms. The chains of all places continue
** over a panel, a few places at a time. So each line of a panel is read once for several places, the ends of image rows
** split no vectors, and only needed elements of the copy are read. Results are transposed when they are written.
*/

#include "kernels/conv/conv_problem.h"
#include "tensor/packed_weights.h"

enum {
  STEPS = 128, /* terms of a panel that stays in the first cache; a chain's block is several panels */
  PLACES = 640, /* per work item, roughly */
  MOST_COPIED = 1 << 20, /* elements */
  CHANNELS = CHAIN_VECTOR /* stored together */
};

/* ---- The copy ---------------------------------------------------------------------------------------------------- */

/* Along an axis, the copy holds `size` places of the array: low, low + apart, ... The element for a place's first tap
** is at `step` times the place, relative to the group's first place. */
typedef struct Side { int64_t low, apart, size, step; } Side;
typedef struct PackedCopy {
  Side side[WINDOW_AXES];
  int64_t block, blocks, plane, image; /* channels per block; number of blocks; elements of a plane and of an
                                             ** image */
} PackedCopy;

/* The copy for a grid of places starting at `first`. With one tap, elements that no place reads are left out, except
** along rows, which are copied whole. */
static PackedCopy copy_of(const Panels *p, int64_t channels, const int64_t *first, const int64_t *extent) {
  PackedCopy c = { .block = least(channels, CHANNELS) };
  c.blocks = parts(channels, c.block);
  c.plane = c.block;
  for (int a = 0; a < WINDOW_AXES; a++) {
    Side *s = &c.side[a];
    const int64_t reach = (p->taps[a] - 1) * p->move[a], span = reach < 0 ? -reach : reach;
    s->apart = p->taps[a] == 1 && a < 2 ? p->step[a] : 1;
    s->step = p->step[a] / s->apart;
    s->low = first[a] * p->step[a] + p->base[a] + least(reach, 0);
    s->size = (extent[a] - 1) * s->step + span + 1;
    c.plane *= s->size;
  }
  c.image = c.plane * c.blocks;
  return c;
}

/* Copies n rows of one block of channels, consecutive in the array starting at `from`. */
static void copy_rows(const ConvProblem *j, const PackedCopy *c, const char *from, int64_t n, int64_t channels,
                      char *to) {
  const Side *s = &c->side[2];
  const size_t size = j->chains->size, line = (size_t)(s->size * c->block) * size;
  const int64_t width = j->from.extent[2], plane = windows_size(j->from.extent);
  const int64_t begin = least(most(0, -s->low), s->size), end = most(begin, least(s->size, width - s->low));
  if (begin == 0 && end == s->size && s->size == width) {
    j->chains->turn(from, plane, to, c->block, channels, n * width);
    return;
  }
  for (; n > 0; n--, from += (size_t)width * size, to += line) {
    memset(to, 0, (size_t)(begin * c->block) * size);
    j->chains->turn(from + (size_t)(s->low + begin) * size, plane, to + (size_t)(begin * c->block) * size, c->block,
                    channels, end - begin);
    memset(to + (size_t)(end * c->block) * size, 0, (size_t)((s->size - end) * c->block) * size);
  }
}

static void copy_image(const ConvProblem *j, const PackedCopy *c, int64_t image, int64_t group, char *to) {
  const Panels *p = &j->from;
  const Side *d = &c->side[0], *h = &c->side[1];
  const size_t size = j->chains->size, line = (size_t)(c->side[2].size * c->block) * size;
  for (int64_t first = 0; first < j->channels; first += c->block)
    for (int64_t z = 0, depth = d->low; z < d->size; z++, depth += d->apart)
      for (int64_t y = 0, n; y < h->size; y += n, to += (size_t)n * line) {
        const int64_t height = h->low + y * h->apart;
        n = 1;
        const bool beside = depth < 0 || depth >= p->extent[0] || height < 0 || height >= p->extent[1];
        if (beside) memset(to, 0, line);
        if (beside) continue;
        if (h->apart == 1) n = least(h->size - y, p->extent[1] - height);
        const int64_t at = ((image * p->channels + group * j->channels + first) * p->extent[0] + depth) * p->extent[1];
        copy_rows(j, c, (const char *)p->data + (size_t)((at + height) * p->extent[2]) * size, n,
                  least(c->block, j->channels - first), to);
      }
}

/* The offset of each term from the element for the first tap. */
static void find_terms(const ConvProblem *j, const PackedCopy *c, int32_t *offset) {
  const Panels *p = &j->from;
  const int64_t taps = windows_size(p->taps);
  for (int64_t t = 0; t < taps; t++) {
    int64_t at = 0, tap[WINDOW_AXES] = { t / p->taps[2] / p->taps[1], t / p->taps[2] % p->taps[1], t % p->taps[2] };
    for (int a = 0; a < WINDOW_AXES; a++)
      at = at * c->side[a].size + tap[a] * p->move[a] - least(0, (p->taps[a] - 1) * p->move[a]);
    for (int64_t k = 0; k < j->channels; k++)
      offset[j->taps_slower ? t * j->channels + k : k * taps + t] = (int32_t)(k / c->block * c->plane + at * c->block +
                                                                              k % c->block);
  }
}

static void find_places(const PackedCopy *c, int64_t images, const int64_t *extent, int32_t *place) {
  for (int64_t i = 0; i < images; i++)
    for (int64_t z = 0; z < extent[0]; z++)
      for (int64_t y = 0; y < extent[1]; y++) {
        const int64_t row = z * c->side[0].step * c->side[1].size + y * c->side[1].step;
        const int64_t from = i * c->image + row * c->side[2].size * c->block, step = c->side[2].step * c->block;
        for (int64_t x = 0; x < extent[2]; x++) *place++ = (int32_t)(from + x * step);
      }
}

/* ---- Choosing and sharing ---------------------------------------------------------------------------------------- */

/* Chooses groups: some images, or row blocks of one. */
static void take_groups(ConvProblem *j) {
  const int64_t places = windows_size(j->to.extent);
  const int64_t none[WINDOW_AXES] = { 0 };
  int64_t each = 1;
  j->axis = row_block_axis(&j->to);
  for (int a = j->axis + 1; a < WINDOW_AXES; a++) each *= j->to.extent[a];
  const int64_t row_blocks = parts(places, PLACES);
  j->row_block = most(1, least(j->to.extent[j->axis], parts(j->to.extent[j->axis], row_blocks)));
  j->row_blocks = parts(j->to.extent[j->axis], j->row_block);
  j->together = j->row_blocks > 1 ? 1 : most(1, least(j->v->images, PLACES / most(1, places)));
  const int64_t image = copy_of(&j->from, j->channels, none, j->to.extent).image;
  if (j->row_blocks == 1) j->together = most(1, least(j->together, MOST_COPIED / image));
  j->together = parts(j->v->images, parts(j->v->images, j->together));
}

static void row_block_extent(const ConvProblem *j, int64_t *extent) {
  memcpy(extent, j->to.extent, sizeof j->to.extent);
  extent[j->axis] = least(j->row_block, extent[j->axis]);
}

static int64_t copied(const ConvProblem *j) {
  const int64_t none[WINDOW_AXES] = { 0 };
  int64_t extent[WINDOW_AXES];
  row_block_extent(j, extent);
  return j->together * copy_of(&j->from, j->channels, none, extent).image;
}

static int64_t places_at_once(const ConvProblem *j) {
  int64_t extent[WINDOW_AXES];
  row_block_extent(j, extent);
  return j->together * windows_size(extent);
}

static double copying_cost(const ConvProblem *j) {
  return 6.4 / (double)least(j->channels, CHANNELS) * (double)copied(j);
}

double filters_cost(const ConvProblem *j) {
  /* Cycles per lane, by the number of vectors that share a loaded element. */
  static const double vector[] = { 1.35, 1, 1, 0.95 };
  ConvProblem shared = *j;
  take_groups(&shared);
  if (copied(&shared) > MOST_COPIED) return __builtin_inf();
  const double places = (double)(j->v->images * windows_size(j->to.extent));
  const int64_t rest = j->rows % CHAIN_LANES, vectors = parts(rest, CHAIN_VECTOR);
  double lanes = (double)(j->rows - rest) * vector[3];
  if (vectors > 0) lanes += (double)(vectors * CHAIN_VECTOR) * vector[vectors - 1];
  const double copies = (double)(parts(j->v->images, shared.together) * shared.row_blocks);
  return places * (double)j->terms * lanes / 32 + 0.6 * places * (double)j->rows + copies * copying_cost(&shared);
}

static int64_t groups_of_places(const ConvProblem *j) { return parts(j->v->images, j->together) * j->row_blocks; }

/* Makes groups smaller, for about `groups` groups. */
static void take_more_groups(ConvProblem *j, int64_t groups) {
  const int64_t extent = j->to.extent[j->axis];
  if (j->together > 1) j->together = parts(j->v->images, least(groups, j->v->images));
  else {
    j->row_block = parts(extent, least(extent, parts(groups, j->v->images)));
    j->row_blocks = parts(extent, j->row_block);
  }
}

/* Divides the rows into `chunks` chunks, one per work item; each item packs its own weights and copies its own input.
** Returns the cost in cycles for the thread with the most items, plus a little for large items, because threads differ
** in speed. */
static double cost_of_sharing(ConvProblem *j, int64_t chunks, int threads) {
  enum { PACKING = 26 };                 /* packing costs as much as this many places */
  j->chunk = parts(parts(j->rows, CHAIN_LANES), chunks) * CHAIN_LANES;
  j->items = j->v->groups * groups_of_places(j) * parts(j->rows, j->chunk);
  const double places = (double)places_at_once(j), rows = (double)least(j->rows, j->chunk);
  const double item = (places + PACKING) * (double)j->terms * rows / 32 + 0.6 * places * rows + copying_cost(j);
  return item * ((double)parts(j->items, threads) + 0.05);
}

void filters_share(ConvProblem *j, int threads) {
  take_groups(j);
  double least_cost = cost_of_sharing(j, 1, threads);
  if (threads == 1 || j->items == 0) return;
  const int64_t panels = parts(j->rows, CHAIN_LANES), groups = j->v->groups * groups_of_places(j);
  const int64_t even = parts(groups, threads) * threads;
  const ConvProblem whole = *j;
  for (int64_t n = groups; n <= 2 * even; n = n < even ? even : n + even)
    for (int64_t chunks = 1; chunks <= least(panels, 2 * threads); chunks *= 2) {
      ConvProblem shared = whole;
      if (n > groups) take_more_groups(&shared, parts(n, j->v->groups));
      const double cost = cost_of_sharing(&shared, chunks, threads);
      if (cost < least_cost) {
        least_cost = cost;
        *j = shared;
      }
    }
}

int64_t filters_items(const ConvProblem *j) {
  return j->v->groups * j->v->images * j->to.extent[j->axis] * parts(j->rows, CHAIN_LANES);
}

/* ---- Items ------------------------------------------------------------------------------------------------------- */

/* Offsets of terms and places; a panel; the current chains, and the sums of earlier ones, for the rows of one panel; a
** tile of results; the copy. */
typedef struct FilterWorkspace { int32_t *offset, *place; char *panel, *acc, *sum, *tile, *seen; } FilterWorkspace;

static FilterWorkspace workspace_of(const ConvProblem *j, char *workspace) {
  const size_t sums = (size_t)(places_at_once(j) * CHAIN_LANES) * j->chains->size;
  FilterWorkspace r = { .offset = (int32_t *)workspace };
  r.place = (int32_t *)(workspace + whole_lines((size_t)j->terms * sizeof *r.offset));
  r.panel = (char *)r.place + whole_lines((size_t)places_at_once(j) * sizeof *r.place);
  r.acc = r.panel + (size_t)(STEPS * CHAIN_LANES) * j->chains->size;
  r.sum = j->terms > CHAIN_BLOCK ? r.acc + sums : r.acc;
  r.tile = r.sum + sums;
  r.seen = r.tile + (size_t)(CHAIN_LANES * CHAIN_LANES) * j->chains->size;
  return r;
}

size_t filters_workspace(const ConvProblem *j) {
  return (size_t)(workspace_of(j, NULL).seen - (char *)NULL) + whole_lines((size_t)copied(j) * j->chains->size);
}

/* Lines [k, k + n) of the panel of these rows. */
static const char *panel_of(const ConvProblem *j, int64_t group, int64_t row, int64_t rows, int64_t k, int64_t n,
                            char *workspace) {
  const size_t size = j->chains->size;
  const int64_t lanes = whole_vectors(rows);
  if (j->panels) return j->weight + (size_t)((group * whole_vectors(j->rows) + row) * j->terms + k * lanes) * size;
  const char *weight = j->weight + (size_t)((group * j->rows + row) * j->terms + k) * size;
  j->chains->turn(weight, j->terms, workspace, lanes, rows, n);
  return workspace;
}

/* Joins rows of places that are contiguous in the result. */
static ConvGrid flat(const ConvGrid *g) {
  const int64_t none[WINDOW_AXES] = { 0 };
  const bool gaps = g->extent[2] < g->whole[2] || (g->extent[1] < g->whole[1] && g->extent[0] > 1);
  if (gaps || windows_size(g->by) > 1) return *g;
  return (ConvGrid){ .extent = { 1, 1, windows_size(g->extent) },
                     .first = { 0, 0, place_in(g, none) },
                     .by = { 1, 1, 1 },
                     .whole = { 1, 1, windows_size(g->whole) } };
}

void filters_keep_panels(ConvProblem *j, const Tensor *weight) {
  enum { FEW_PLACES = 256 };       /* with more, packing takes less than a tenth of the time */
  static const char maker;
  if (j->v->images * windows_size(j->to.extent) > FEW_PLACES) return;
  const PackedWeightsKey key = { &maker, { j->v->groups, j->rows, j->terms } };
  const size_t size = j->chains->size, bytes = (size_t)(j->v->groups * whole_vectors(j->rows) * j->terms) * size;
  void *workspace;
  const char *packed = packed_weights_find(weight, &key, bytes, &workspace);
  if (!packed && !workspace) return;
  if (!packed) {
    char *to = workspace;
    for (int64_t group = 0; group < j->v->groups; group++)
      for (int64_t row = 0; row < j->rows; row += CHAIN_LANES) {
        const int64_t rows = least(CHAIN_LANES, j->rows - row), lanes = whole_vectors(rows);
        const size_t panel = (size_t)(j->terms * lanes) * size;
        if (rows < lanes) memset(to, 0, panel);
        const char *from = j->weight + (size_t)((group * j->rows + row) * j->terms) * size;
        j->chains->turn(from, j->terms, to, lanes, rows, j->terms);
        to += panel;
      }
    packed_weights_made(weight);
    packed = workspace;
  }
  j->weight = packed;
  j->panels = true;
}

/* Writes the results of places, from r->sum. Few rows at a time, because each is on its own page, and a processor
** translates few pages at a time. */
static void put(const ConvProblem *j, const ConvGrid *grid, int64_t image, int64_t places, const WorkItem *i,
                const FilterWorkspace *r) {
  enum { ROWS = 16 };
  const size_t size = j->chains->size;
  const int64_t lanes = whole_vectors(i->rows);
  const ConvGrid to = flat(grid);
  PlaneRun run[CHAIN_LANES];
  for (int64_t row = 0; row < i->rows; row += ROWS) {
    const WorkItem some = { i->group, i->row + row, least(ROWS, i->rows - row), 0 };
    for (int64_t first = 0; first < places; first += CHAIN_LANES) {
      const int64_t n = least(CHAIN_LANES, places - first);
      const int runs = panels_runs(to.extent, first, n, run);
      for (int k = 0; k < runs; k++) run[k].image += image;
      j->chains->turn(r->sum + (size_t)(first * lanes + row) * size, lanes, r->tile, CHAIN_LANES, n, some.rows);
      conv_problem_write(j, &to, run, runs, &some, r->tile);
    }
  }
}

/* ---- Fetching ahead ---------------------------------------------------------------------------------------------- */

/* Ranges of memory needed soon: n of `bytes` bytes, `apart` bytes apart. They are prefetched while chains continue. */
typedef struct FetchRanges { const char *from; int64_t apart, bytes, n; } FetchRanges;

static void fetch_part(const FetchRanges *s, int64_t part, int64_t all) {
  enum { LINE = 64 };
  const int64_t lines = parts(s->bytes, LINE), end = lines * s->n * (part + 1) / all;
  for (int64_t i = lines * s->n * part / all; i < end; i++)
    __builtin_prefetch(s->from + i / lines * s->apart + i % lines * LINE, 0, 2);
}

/* Some images, or a row block of one. */
typedef struct ChannelGroup { int64_t group, image, images, row_block; ConvGrid to; } ChannelGroup;

static ChannelGroup channel_group_of(const ConvProblem *j, int64_t at) {
  const int64_t groups = groups_of_places(j);
  ChannelGroup g = { .group = at / groups,
                     .image = at % groups / j->row_blocks * j->together,
                     .row_block = at % j->row_blocks * j->row_block };
  g.images = least(j->together, j->v->images - g.image);
  g.to = row_block_at(j, g.row_block);
  return g;
}

static PackedCopy copy_of_group(const ConvProblem *j, const ChannelGroup *g) {
  int64_t first[WINDOW_AXES] = { 0 };
  first[j->axis] = g->row_block;
  return copy_of(&j->from, j->channels, first, g->to.extent);
}

/* The memory read for a group's copy. */
static FetchRanges ranges_seen(const ConvProblem *j, const ChannelGroup *g) {
  const Panels *p = &j->from;
  const PackedCopy c = copy_of_group(j, g);
  const Side *s = &c.side[j->axis];
  const int64_t size = (int64_t)j->chains->size, plane = windows_size(p->extent);
  const int64_t channel = g->image * p->channels + g->group * j->channels;
  int64_t each = 1;
  for (int a = j->axis + 1; a < WINDOW_AXES; a++) each *= p->extent[a];
  const int64_t low = most(0, s->low), high = least(p->extent[j->axis], s->low + (s->size - 1) * s->apart + 1);
  const char *from = (const char *)p->data + channel * plane * size;
  if (g->images > 1) return (FetchRanges){ from, p->channels * plane * size, j->channels * plane * size, g->images };
  return (FetchRanges){ from + low * each * size, plane * size, most(0, high - low) * each * size, j->channels };
}

/* The memory for results of these rows. */
static FetchRanges ranges_written(const ConvProblem *j, const ChannelGroup *g, int64_t row, int64_t rows) {
  const int64_t *n = g->to.extent, none[WINDOW_AXES] = { 0 }, last[WINDOW_AXES] = { n[0] - 1, n[1] - 1, n[2] - 1 };
  const int64_t size = (int64_t)j->chains->size, places = windows_size(j->to.whole), channels = j->v->groups * j->rows;
  const int64_t channel = g->image * channels + g->group * j->rows + row, begin = place_in(&g->to, none);
  const char *from = j->out + channel * places * size;
  if (g->images > 1) return (FetchRanges){ from, channels * places * size, rows * places * size, g->images };
  return (FetchRanges){ from + begin * size, places * size, (place_in(&g->to, last) + 1 - begin) * size, rows };
}

/* Continues the chains of all places over n terms while prefetching. */
static void run_and_fetch(const ConvProblem *j, const FilterWorkspace *r, int64_t places, int64_t n,
                          const int32_t *offset, const char *panel, int64_t lanes, const FetchRanges *a,
                          const FetchRanges *b) {
  enum { EACH = 24 };                    /* places; a multiple of every tile's */
  const int64_t all = parts(places, EACH);
  for (int64_t i = 0; i < all; i++) {
    const int64_t at = i * EACH;
    fetch_part(a, i, all);
    fetch_part(b, i, all);
    j->chains->run_places(least(EACH, places - at), n, r->seen, r->place + at, offset, panel,
                          r->acc + (size_t)(at * lanes) * j->chains->size, lanes);
  }
}

void filters_run(const ConvProblem *j, int64_t item, char *workspace) {
  const Chains *chains = j->chains;
  const int64_t chunks = parts(j->rows, j->chunk), chunk = item % chunks * j->chunk;
  const int64_t end = least(j->rows, chunk + j->chunk);
  const ChannelGroup g = channel_group_of(j, item / chunks),
                     next = channel_group_of(j, least(item + 1, j->items - 1) / chunks);
  const FetchRanges none = { .n = 0 }, coming = ranges_seen(j, &next);
  const FilterWorkspace r = workspace_of(j, workspace);
  const PackedCopy copy = copy_of_group(j, &g);
  const int64_t places = g.images * windows_size(g.to.extent);
  for (int64_t n = 0; n < g.images; n++)
    copy_image(j, &copy, g.image + n, g.group, r.seen + (size_t)(n * copy.image) * chains->size);
  find_terms(j, &copy, r.offset);
  find_places(&copy, g.images, g.to.extent, r.place);
  for (int64_t row = chunk, rows; row < end; row += rows) {
    rows = least(CHAIN_LANES, end - row);
    const int64_t lanes = whole_vectors(rows), all = places * lanes;
    const FetchRanges out = ranges_written(j, &g, row, rows);
    if (rows < lanes) memset(r.panel, 0, (size_t)(STEPS * lanes) * chains->size);
    memset(r.acc, 0, (size_t)all * chains->size);
    for (int64_t k = 0, n; k < j->terms; k += n) {
      if (k > 0 && k % CHAIN_BLOCK == 0) end_chain(chains, r.acc, r.sum, all, k == CHAIN_BLOCK);
      n = least(STEPS, j->terms - k);
      const bool last = k + n == j->terms;
      run_and_fetch(j, &r, places, n, r.offset + k, panel_of(j, g.group, row, rows, k, n, r.panel), lanes,
                    last ? &out : &none, last && row + rows == end ? &coming : &none);
    }
    if (j->terms > CHAIN_BLOCK) end_chain(chains, r.acc, r.sum, all, false);
    put(j, &g.to, g.image, places, &(WorkItem){ g.group, row, rows, 0 }, &r);
    for (int64_t n = 0; n < g.images; n++) report_row_block(j, &g.to, g.image + n, g.group * j->rows + row, rows);
  }
}
