/* winograd_weight_grad.c - see winograd_kernel.h: the gradient of weight.
**
** A round is some groups of tiles. First, all threads transform its data and g. Then a work item, some vectors of
** filters by a block of channels, sums their products over the tiles of one group after another, transforms them back
** and adds them to the gradient. So the sums of all 36 positions are never stored together. With a small gradient,
** these loops would be short; then, with several threads, a work item is a whole group. Its gradient is stored
** separately until those of the round are added in order. Invariant: no two work items write the same element.
*/
#include "kernels/conv/winograd_tiles.h"
#include "kernels/matmul/chain_tiles.h"

#include <limits.h>
#include <string.h>

#include "base/threads/parallel_for.h"
#include "kernels/conv/conv_shared.h"
#include "tensor/cast_copy.h"

enum {
  ROUND_BYTES = 1 << 20,         /* transformed data and g of a round, roughly */
  KEPT_BYTES = 2 << 20,          /* maximum size of separate gradients of groups */
  MOST_KEPT = 16,                /* maximum number of them */
  GAP = LANES_F32
};

typedef struct GradCut {
  int64_t taps;                            /* per window */
  WinogradSource data, g;
  int64_t rows, group, round;              /* rows of tiles in all images, in a group, in a round of groups */
  int64_t channels, block, blocks;         /* padded channels; channels per block; number of blocks */
  int64_t vectors, vector, panels;         /* vectors of all filters; vectors per panel; number of panels */
  int64_t data_step, g_step, sum_step;     /* floats between positions */
  int64_t item_block, item_vector, items;  /* channels and vectors per work item; number of items */
  int64_t gradient, kept;                  /* floats of the gradient; number of separate gradients, or 0 */
} GradCut;

static int64_t round_floats(const GradCut *c) {
  return WINOGRAD_POSITIONS * (c->blocks * c->data_step + c->panels * c->g_step);
}

static void take_round(GradCut *c, int64_t groups) {
  c->round = least(c->rows, groups * c->group);
  c->data_step = c->round * c->data.tiles[1] * c->block + GAP;
  c->g_step = c->round * c->data.tiles[1] * c->vector * LANES_F32 + GAP;
}

static GradCut cut_of(const WinogradLayer *s) {
  const int64_t none[2] = { 0, 0 };
  GradCut c = { .taps = winograd_taps(s->window),
                .data = winograd_source(s, s->in, s->pad, s->channels),
                .g = winograd_source(s, s->out, none, s->filters) };
  c.g.grad = true;
  c.rows = s->images * c.data.tiles[0];
  c.group = parts(WINOGRAD_GROUP, most(1, c.data.tiles[1]));
  c.channels = winograd_filled(s->channels);
  c.block = least(WINOGRAD_BLOCK, c.channels);
  c.blocks = parts(c.channels, c.block);
  c.vectors = winograd_filled(s->filters) / LANES_F32;
  c.vector = least(LANES_VECTORS, c.vectors);
  c.panels = parts(c.vectors, c.vector);
  c.sum_step = c.block * c.vector * LANES_F32 + GAP;
  c.gradient = s->filters * s->channels * c.taps;
  c.kept = least(MOST_KEPT, (int64_t)KEPT_BYTES / (int64_t)sizeof(float) / c.gradient);
  if (c.kept < 2) c.kept = 0;
  take_round(&c, 1);
  const int64_t fit = (int64_t)ROUND_BYTES / (int64_t)sizeof(float) / round_floats(&c);
  if (fit > 1) take_round(&c, fit);
  return c;
}

/* Makes items smaller, for several per thread. */
static void share(GradCut *c, int threads) {
  c->item_block = c->block;
  c->item_vector = c->vector;
  c->items = c->blocks * c->panels;
  while (threads > 1 && c->items < 2 * threads && (c->item_vector > 1 || c->item_block > WINOGRAD_FILL)) {
    if (c->item_block > WINOGRAD_FILL) c->item_block = parts(c->item_block, 2);
    else c->item_vector = parts(c->item_vector, 2);
    c->items = c->blocks * parts(c->block, c->item_block) * c->panels * parts(c->vector, c->item_vector);
  }
}

/* Transformed data and g of a round, or separate gradients. */
size_t winograd_grad_workspace(WinogradLayer s) {
  const GradCut c = cut_of(&s);
  return whole_lines((size_t)most(round_floats(&c), c.kept * c.gradient) * sizeof(float));
}

/* An item's sums; its taps, transformed back; the transposed band; transformed data and g of one group. */
typedef struct GradWorkspace { float *sum, *taps, *band, *group; size_t floats; } GradWorkspace;

static GradWorkspace workspace_of(const GradCut *c, float *from) {
  GradCut one = *c;
  GradWorkspace w = { .sum = from };
  take_round(&one, 1);
  w.taps = w.sum + WINOGRAD_POSITIONS * c->sum_step;
  w.band = w.taps + c->block * c->taps * LANES_F32;
  w.group = w.band + winograd_band(&c->data, winograd_band_rows(&c->data));
  w.floats = (size_t)(w.group + (c->kept ? round_floats(&one) : 0) - from);
  return w;
}

size_t winograd_grad_thread_workspace(WinogradLayer s) {
  const GradCut c = cut_of(&s);
  return whole_lines(workspace_of(&c, NULL).floats * sizeof(float));
}

/* ---- Items ------------------------------------------------------------------------------------------------------- */

/* A round's first row of tiles, and number of rows; its transformed data and g; the gradient it is added to. */
typedef struct GradRound { int64_t at, rows; float *data, *to; bool begins; } GradRound;

typedef struct GradCall {
  const WinogradLayer *s;
  const Call *c;
  GradCut cut;
  float *out;
  GradRound round;                         /* shared by all threads */
  int64_t first, groups;                   /* groups whose gradients are stored separately */
} GradCall;

/* Transforms one channel's sums to its taps. */
#define TRANSFORM_TAPS(n)                                                                                  \
  static void transform_taps##n(const float *sum, int64_t step, float *to) {                               \
    winograd_both(winograd_taps##n##_lanes, WINOGRAD_SEEN, n, winograd_positions(sum, step),               \
                  (WinogradSquare){ to, n * LANES_F32, LANES_F32 }, n, n);                                 \
  }

TRANSFORM_TAPS(3)
TRANSFORM_TAPS(5)

/* Adds the taps of n channels for a vector of filters to a gradient, which starts from +0 if `begins`. */
static void add_taps(const GradCall *j, int64_t filter, int64_t channel, int64_t n, const float *taps, float *to,
                     bool begins) {
  const int64_t line = j->s->channels * j->cut.taps, all = n * j->cut.taps;
  const int64_t filters = least(LANES_F32, j->s->filters - filter);
  float *out = to + filter * line + channel * j->cut.taps, more[LANES_F32 * LANES_F32];
  for (int64_t e = 0; e < all; e += LANES_F32) {
    const int64_t m = least(LANES_F32, all - e);
    const LanesPart part = lanes_part(0, m);
    lanes_f32 x[LANES_F32];
    for (int64_t k = 0; k < m; k++) x[k] = *(const lanes_f32 *)(taps + (e + k) * LANES_F32);
    winograd_turn_out(x, filters, m, more, LANES_F32);
    for (int64_t f = 0; f < filters; f++) {
      const lanes_f32 before = begins ? (lanes_f32){ 0 } : lanes_load_part(part, out + f * line + e);
      lanes_store_part(part, before + *(const lanes_f32 *)(more + f * LANES_F32), out + f * line + e);
    }
  }
}

/* Computes some filters of a panel by some channels of a block. */
static void run_item(const GradCall *j, int64_t item, const GradRound *r, const GradWorkspace *w) {
  const GradCut *c = &j->cut;
  const int64_t channel_parts = parts(c->block, c->item_block), filter_parts = parts(c->vector, c->item_vector);
  const int64_t block = item / channel_parts % c->blocks, panel = item / channel_parts / c->blocks / filter_parts;
  const int64_t from = item % channel_parts * c->item_block, channel = block * c->block + from;
  const int64_t v = item / channel_parts / c->blocks % filter_parts * c->item_vector;
  const int64_t channels = least(least(c->item_block, c->block - from), j->s->channels - channel);
  const int64_t vectors = least(c->item_vector, least(c->vector - v, c->vectors - panel * c->vector - v));
  const int64_t filter = (panel * c->vector + v) * LANES_F32, lanes = c->vector * LANES_F32;
  const float *data = r->data, *g = data + WINOGRAD_POSITIONS * c->blocks * c->data_step;
  if (channels <= 0 || vectors <= 0) return;
  data += block * WINOGRAD_POSITIONS * c->data_step + from;
  g += panel * WINOGRAD_POSITIONS * c->g_step + v * LANES_F32;
  for (int64_t row = 0; row < r->rows; row += c->group) {
    const int64_t tile = row * c->data.tiles[1], tiles = least(c->group, r->rows - row) * c->data.tiles[1];
    for (int64_t q = 0; q < WINOGRAD_POSITIONS; q++)
      chain_tiles(channels, vectors, tiles, tiles,
                  &(TileFactors){ data + q * c->data_step + tile * c->block, 1, c->block,
                                  g + q * c->g_step + tile * lanes, lanes },
                  w->sum + q * c->sum_step, lanes, true);
    for (int64_t k = 0; k < vectors && filter + k * LANES_F32 < j->s->filters; k++) {
      for (int64_t i = 0; i < channels; i++)
        (j->s->window == 3 ? transform_taps3 : transform_taps5)(w->sum + i * lanes + k * LANES_F32, c->sum_step,
                                                                w->taps + i * c->taps * LANES_F32);
      add_taps(j, filter + k * LANES_F32, channel, channels, w->taps, r->to, r->begins && row == 0);
    }
  }
}

static void run_items(void *context, int64_t from, int64_t last) {
  const GradCall *j = context;
  const GradWorkspace w = workspace_of(&j->cut, call_thread_workspace(j->c));
  for (int64_t i = from; i < last && !interrupted(); i++) run_item(j, i, &j->round, &w);
}

/* Number of vectors: of data's channels, then of g's filters. */
static int64_t all_vectors(const GradCut *c) { return c->channels / LANES_F32 + c->vectors; }

static void transform_round(const GradCut *c, int64_t from, int64_t last, const GradRound *r, float *band) {
  const int64_t of_data = c->channels / LANES_F32;
  const WinogradTarget data = { r->data, c->block, c->data_step };
  const WinogradTarget g = { r->data + WINOGRAD_POSITIONS * c->blocks * c->data_step, c->vector * LANES_F32,
                             c->g_step };
  if (from < of_data) winograd_transform(&c->data, r->at, r->rows, from, least(last, of_data), &data, band);
  if (last > of_data) winograd_transform(&c->g, r->at, r->rows, most(0, from - of_data), last - of_data, &g, band);
}

static void transform_vectors(void *context, int64_t from, int64_t last) {
  const GradCall *j = context;
  const GradWorkspace w = workspace_of(&j->cut, call_thread_workspace(j->c));
  transform_round(&j->cut, from, last, &j->round, w.band);
}

static void run_rounds(GradCall *j, double work) {
  const GradCut *cut = &j->cut;
  j->round.data = j->c->workspace;
  j->round.to = j->out;
  for (int64_t at = 0; at < cut->rows && !interrupted(); at += cut->round) {
    const int64_t vectors = all_vectors(cut);
    const double some = work * (double)cut->round / (double)cut->rows;
    j->round.at = at;
    j->round.rows = least(cut->round, cut->rows - at);
    j->round.begins = at == 0;
    parallel_for(vectors, items_of_grain(vectors, some), transform_vectors, j);
    parallel_for(cut->items, items_of_grain(cut->items, some), run_items, j);
  }
}

/* ---- Separate groups --------------------------------------------------------------------------------------------- */

static void run_groups(void *context, int64_t from, int64_t last) {
  const GradCall *j = context;
  const GradCut *c = &j->cut;
  const GradWorkspace w = workspace_of(c, call_thread_workspace(j->c));
  for (int64_t i = from; i < last && !interrupted(); i++) {
    const int64_t at = (j->first + i) * c->group;
    const GradRound r = { .at = at,
                          .rows = least(c->group, c->rows - at),
                          .data = w.group,
                          .to = (float *)j->c->workspace + i * c->gradient,
                          .begins = true };
    transform_round(c, 0, all_vectors(c), &r, w.band);
    for (int64_t item = 0; item < c->items; item++) run_item(j, item, &r, &w);
  }
}

/* Adds the groups' gradients for filters [from, last). */
static void add_groups(void *context, int64_t from, int64_t last) {
  const GradCall *j = context;
  const int64_t each = j->cut.gradient / j->s->filters, n = (last - from) * each;
  float *out = j->out + from * each;
  for (int64_t i = 0; i < j->groups; i++) {
    const float *more = (const float *)j->c->workspace + i * j->cut.gradient + from * each;
    if (j->first + i == 0) memcpy(out, more, (size_t)n * sizeof *out);
    else
      for (int64_t e = 0; e < n; e++) out[e] += more[e];
  }
}

static void run_apart(GradCall *j, double work) {
  enum { ADDED_AT_ONCE = 1 << 16 };        /* elements that pay for a thread */
  const int64_t all = parts(j->cut.rows, j->cut.group), filters = j->s->filters;
  take_round(&j->cut, 1);
  for (; j->first < all && !interrupted(); j->first += j->groups) {
    j->groups = least(j->cut.kept, all - j->first);
    parallel_for(j->groups, items_of_grain(j->groups, work * (double)j->groups / (double)all), run_groups, j);
    parallel_for(filters, parts(ADDED_AT_ONCE, j->groups * j->cut.gradient / filters), add_groups, j);
  }
}

Status winograd_weight_grad(WinogradLayer s, const Call *c, const float *data, const float *g, float *out) {
  const int threads = parallel_threads();
  GradCall j = { .s = &s, .c = c, .cut = cut_of(&s), .out = out };
  j.cut.data.data = data;
  j.cut.g.data = g;
  if (j.cut.rows == 0) clear_block(out, (size_t)j.cut.gradient * sizeof *out);
  const bool apart = threads > 1 && j.cut.kept >= threads && j.cut.rows >= threads * j.cut.group;
  share(&j.cut, apart ? 1 : threads);
  (apart ? run_apart : run_rounds)(&j, winograd_work(&s));
  return interrupt_status();
}
