/* winograd_forward.c - see winograd_kernel.h: forward, also used for the gradient of data.
**
** Rows of tiles are divided into groups whose transformed data stay in the second-level cache. Weights are
** transformed in cache when they are used, for a panel (a few vectors of filters) by a block of channels: stored, they
** would be four times as large, and reading them would take as long. Small weights are transformed once per call.
** Invariant: no two work items write the same element, and no bit depends on groups, panels or threads.
*/
#include "kernels/conv/winograd_tiles.h"
#include "kernels/matmul/chain_tiles.h"

#include <limits.h>

#include "base/settings/debug_switches.h"
#include "base/threads/parallel_for.h"
#include "kernels/conv/conv_shared.h"

enum {
  DATA_BYTES = 1 << 18,          /* a group's transformed data, roughly */
  FEWEST_TILES = 24,             /* minimum per group */
  SHARING_TILES = 64,            /* the same, if weights are transformed per group */
  FEW_TILES = 8, /* groups with at most this many have panels of two vectors, so weights stay cached */
  MADE_BYTES = 4 << 20, /* transformed weights up to this size are kept for the call */
  GAP = LANES_F32 /* floats between positions, so that 36 stores use different cache sets */
};

WinogradLayer winograd_forward_layer(const Convolution *v) {
  const Windows *w = &v->w;
  return (WinogradLayer){ .images = v->images,
                          .channels = v->channels,
                          .filters = v->filters,
                          .in = { w->in[1], w->in[2] },
                          .out = { w->out[1], w->out[2] },
                          .pad = { w->pad[1], w->pad[2] },
                          .window = w->kernel[1] };
}

WinogradLayer winograd_data_layer(const Convolution *v) {
  Convolution turned = *v;
  turned.channels = v->filters;
  turned.filters = v->channels;
  for (int a = 1; a < WINDOW_AXES; a++) {
    turned.w.in[a] = v->w.out[a];
    turned.w.out[a] = v->w.in[a];
    turned.w.pad[a] = v->w.kernel[a] - 1 - v->w.pad[a];
  }
  return winograd_forward_layer(&turned);
}

/* The division of the work. */
typedef struct WinogradCut {
  WinogradSource source;
  int64_t rows, group, groups; /* rows of tiles of all images; rows per group; number of groups */
  int64_t tiles; /* per group */
  int64_t channels, block, blocks; /* padded channels; channels per block; number of blocks */
  int64_t vectors, vector, panels; /* vectors of all filters; vectors per panel; number of panels */
  int64_t data_step, made_step, sum_step; /* floats between positions */
  bool one_after_another; /* all threads share the panels of one group at a time */
} WinogradCut;

static void take_group(WinogradCut *c, int64_t group) {
  c->group = group;
  c->groups = parts(c->rows, group);
  c->tiles = group * c->source.tiles[1];
  c->data_step = c->tiles * c->block + GAP;
}

static void take_panels(WinogradCut *c, int64_t vector) {
  c->vector = vector;
  c->panels = parts(c->vectors, vector);
  c->made_step = c->block * vector * LANES_F32 + GAP;
  c->sum_step = c->tiles * vector * LANES_F32 + GAP;
}

/* Floats of all transformed weights, for any panels. */
static int64_t made_floats(const WinogradCut *c) {
  return (c->vectors + LANES_VECTORS - 1) * c->blocks * WINOGRAD_POSITIONS * (c->block * LANES_F32 + GAP);
}

static bool fits_made(const WinogradCut *c) { return made_floats(c) * (int64_t)sizeof(float) <= MADE_BYTES; }

static WinogradCut cut_of(const WinogradLayer *s, int threads) {
  WinogradCut c = { .source = winograd_source(s, s->in, s->pad, s->channels) };
  c.rows = s->images * c.source.tiles[0];
  c.channels = winograd_filled(s->channels);
  c.block = least(WINOGRAD_BLOCK, c.channels);
  c.blocks = parts(c.channels, c.block);
  c.vectors = winograd_filled(s->filters) / LANES_F32;
  const int64_t across = c.source.tiles[1], row = WINOGRAD_POSITIONS * across * c.channels * (int64_t)sizeof(float);
  const int64_t fewest = fits_made(&c) ? FEWEST_TILES : SHARING_TILES;
  const int64_t fit = most(1, most(DATA_BYTES / row, parts(fewest, across)));
  int64_t groups = most(1, parts(c.rows, fit));
  if (groups >= threads) groups = least(c.rows, parts(groups, threads) * threads);
  else c.one_after_another = threads > 1;
  take_group(&c, most(1, parts(c.rows, groups)));
  int64_t vector = least(c.tiles <= FEW_TILES ? 2 : LANES_VECTORS, c.vectors);
  while (c.one_after_another && vector > 1 && parts(c.vectors, vector) < 2 * threads) vector /= 2;
  take_panels(&c, vector);
  return c;
}

static bool made_once(const WinogradCut *c) { return c->rows > 1 && fits_made(c); }

/* Independent of the number of threads, because a plan is kept for any number. */
size_t winograd_workspace(WinogradLayer s) {
  const WinogradCut c = cut_of(&s, 1);
  return made_once(&c) ? whole_lines((size_t)made_floats(&c) * sizeof(float)) : 0;
}

/* A group's transformed data; sums; a panel's transformed weights; transposed bands of data and of results. */
typedef struct ForwardWorkspace { float *data, *sum, *made, *band, *results; size_t floats; } ForwardWorkspace;

static int64_t results_floats(const WinogradLayer *s, const WinogradCut *c) {
  return winograd_band_rows(&c->source) * c->source.tile * s->out[1] * LANES_F32;
}

static ForwardWorkspace workspace_of(const WinogradLayer *s, const WinogradCut *c, float *from) {
  ForwardWorkspace w = { .data = from };
  w.sum = w.data + c->blocks * WINOGRAD_POSITIONS * c->data_step;
  w.made = w.sum + WINOGRAD_POSITIONS * c->sum_step;
  w.band = w.made + WINOGRAD_POSITIONS * c->made_step;
  w.results = w.band + winograd_band(&c->source, winograd_band_rows(&c->source));
  w.floats = (size_t)(w.results + results_floats(s, c) - from);
  return w;
}

/* The workspace for one thread is the largest. */
size_t winograd_thread_workspace(WinogradLayer s) {
  const WinogradCut c = cut_of(&s, 1);
  return whole_lines(workspace_of(&s, &c, NULL).floats * sizeof(float));
}

/* ---- Weights ----------------------------------------------------------------------------------------------------- */

/* Transforms a channel's taps, vectors `apart` floats apart, to the 36 positions. */
#define TRANSFORM_WEIGHT(n)                                                                                \
  static void transform_weight##n(const float *taps, int64_t apart, float *to, int64_t step) {             \
    winograd_both(winograd_weight##n##_lanes, n, WINOGRAD_SEEN,                                            \
                  (WinogradSquare){ (float *)taps, n * apart, apart }, winograd_positions(to, step), WINOGRAD_SEEN, \
                  WINOGRAD_SEEN);                                                                          \
  }

TRANSFORM_WEIGHT(3)
TRANSFORM_WEIGHT(5)

static void transform_weight(const WinogradLayer *s, const float *taps, int64_t apart, float *to, int64_t step) {
  (s->window == 3 ? transform_weight3 : transform_weight5)(taps, apart, to, step);
}

/* Copies n channels' taps for a vector of filters as [channel][tap][filter]; filters past the layer's are zeros. */
static void take_plain(const WinogradLayer *s, const float *weight, int64_t filter, int64_t channel, int64_t n,
                       float *taps) {
  const int64_t each = winograd_taps(s->window), line = s->channels * each;
  const float *from = weight + filter * line + channel * each;
  for (int64_t e = 0; e < n * each; e += LANES_F32)
    winograd_turn_in(from + e, line, s->filters - filter, least(LANES_F32, n * each - e), taps + e * LANES_F32,
                     LANES_F32);
}

static void take_turned(const WinogradLayer *s, const float *weight, int64_t filter, int64_t channel, int64_t n,
                        float *taps) {
  const int64_t each = winograd_taps(s->window);
  const float *from = weight + (channel * s->filters + filter) * each;
  for (int64_t i = 0; i < n; i++, from += s->filters * each, taps += each * LANES_F32)
    for (int64_t e = 0; e < each; e += LANES_F32)
      winograd_turn_in(from + e, each, s->filters - filter, least(LANES_F32, each - e),
                       taps + (each - 1 - e) * LANES_F32, -LANES_F32);
}

int64_t winograd_packed(const WinogradLayer *s) {
  return winograd_filled(s->filters) * s->channels * winograd_taps(s->window);
}

void winograd_pack(const WinogradLayer *s, const float *weight, float *packed) {
  const int64_t taps = s->channels * winograd_taps(s->window);
  for (int64_t filter = 0; filter < winograd_filled(s->filters); filter += LANES_F32) {
    const float *from = weight + filter * taps;
    float *to = packed + filter / WINOGRAD_FILL * taps * WINOGRAD_FILL + filter % WINOGRAD_FILL;
    for (int64_t e = 0; e < taps; e += LANES_F32)
      winograd_turn_in(from + e, taps, s->filters - filter, least(LANES_F32, taps - e), to + e * WINOGRAD_FILL,
                       WINOGRAD_FILL);
  }
}

typedef struct ForwardCall {
  const WinogradLayer *s;
  const Call *c;
  WinogradCut cut;
  const float *weight, *bias, *made; /* made: weights transformed for the call, or NULL */
  WinogradWeights how;
  float *out;
  int64_t at; /* the group processed by all threads */
  bool reports_tiles;
} ForwardCall;

static int64_t vectors_of(const WinogradCut *c, int64_t panel) {
  return least(c->vector, c->vectors - panel * c->vector);
}

/* Transforms weights of n channels, starting at `channel`, for a vector of filters, to lines of made. */
static void make_packed(const ForwardCall *j, int64_t filter, int64_t channel, int64_t n, float *made) {
  enum { AHEAD = 16 };     /* channels; the processor itself prefetches fewer */
  const int64_t each = winograd_taps(j->s->window) * WINOGRAD_FILL;
  const float *from = j->weight + (filter / WINOGRAD_FILL * j->s->channels + channel) * each + filter % WINOGRAD_FILL;
  for (int64_t i = 0; i < n; i++, from += each) {
    for (int64_t k = 0; k < each; k += WINOGRAD_FILL) __builtin_prefetch(from + AHEAD * each + k, 0, 2);
    transform_weight(j->s, from, WINOGRAD_FILL, made + i * j->cut.vector * LANES_F32, j->cut.made_step);
  }
}

static void make_taken(const ForwardCall *j, int64_t filter, int64_t channel, int64_t n, float *made) {
  enum { AT_ONCE = 16 };   /* channels: a multiple of every vector width, so take_plain transposes whole vectors */
  const int64_t each = winograd_taps(j->s->window) * LANES_F32;
  float taps[AT_ONCE * WINOGRAD_MOST_TAPS * LANES_F32];
  for (int64_t i = 0, some; i < n; i += some) {
    some = least(AT_ONCE, n - i);
    (j->how == WINOGRAD_PLAIN ? take_plain : take_turned)(j->s, j->weight, filter, channel + i, some, taps);
    for (int64_t k = 0; k < some; k++)
      transform_weight(j->s, taps + k * each, LANES_F32, made + (i + k) * j->cut.vector * LANES_F32, j->cut.made_step);
  }
}

/* Channels in a block. */
static int64_t channels_of(const ForwardCall *j, int64_t block) {
  return least(j->cut.block, j->s->channels - block * j->cut.block);
}

/* [position][channel of the block][filter of the panel] */
static void make_weights(const ForwardCall *j, int64_t panel, int64_t block, float *made) {
  const WinogradCut *c = &j->cut;
  for (int64_t v = 0; v < vectors_of(c, panel); v++)
    (j->how == WINOGRAD_PACKED ? make_packed : make_taken)(j, (panel * c->vector + v) * LANES_F32, block * c->block,
                                                           channels_of(j, block), made + v * LANES_F32);
}

static void make_all(void *context, int64_t first, int64_t last) {
  const ForwardCall *j = context;
  for (int64_t i = first; i < last; i++)
    make_weights(j, i / j->cut.blocks, i % j->cut.blocks, (float *)j->made + i * WINOGRAD_POSITIONS * j->cut.made_step);
}

/* ---- Results ----------------------------------------------------------------------------------------------------- */

/* Transforms a tile's sums to its places; `height` x `width` of them are inside the output. */
#define TRANSFORM_BACK(n)                                                                                  \
  static void transform_back##n(const float *sum, int64_t step, float *to, int64_t line, int64_t height,   \
                                int64_t width) {                                                           \
    winograd_both(winograd_back##n##_lanes, WINOGRAD_SEEN, n, winograd_positions(sum, step),               \
                  (WinogradSquare){ to, line, LANES_F32 }, height, width);                                 \
  }

TRANSFORM_BACK(4)
TRANSFORM_BACK(2)

/* Writes contiguous places of a vector of filters, [place][filter], to the output. */
static void write_places(const ForwardCall *j, int64_t filter, const float *results, int64_t places, float *to) {
  const int64_t n = least(LANES_F32, j->s->filters - filter), plane = j->s->out[0] * j->s->out[1];
  const lanes_f32 bias = j->bias ? lanes_load_part(lanes_part(0, n), j->bias + filter) : (lanes_f32){ 0 };
  for (int64_t e = 0; e < places; e += LANES_F32) {
    const int64_t m = least(LANES_F32, places - e);
    lanes_f32 x[LANES_F32];
    for (int64_t k = 0; k < m; k++) x[k] = *(const lanes_f32 *)(results + (e + k) * LANES_F32) + bias;
    winograd_turn_out(x, n, m, to + e, plane);
  }
}

/* Writes all sums of a panel to the output. */
static void write_panel(const ForwardCall *j, int64_t group, int64_t panel, const ForwardWorkspace *w) {
  const WinogradLayer *s = j->s;
  const WinogradCut *c = &j->cut;
  const int64_t tile = c->source.tile, tall = c->source.tiles[0], across = c->source.tiles[1];
  const int64_t row = group * c->group, rows = least(c->group, c->rows - row), width = s->out[1];
  const int64_t lanes = c->vector * LANES_F32, most_rows = winograd_band_rows(&c->source);
  for (int64_t done = 0, n; done < rows; done += n) {
    const int64_t image = (row + done) / tall, y = (row + done) % tall;
    n = least(least(most_rows, rows - done), tall - y);
    const int64_t above = y * tile, places = (least(above + n * tile, s->out[0]) - above) * width;
    const int64_t first = panel * c->vector * LANES_F32;
    float *out = j->out + (image * s->filters + first) * s->out[0] * width + above * width;
    for (int64_t v = 0; v < vectors_of(c, panel) && first + v * LANES_F32 < s->filters; v++) {
      const float *sum = w->sum + done * across * lanes + v * LANES_F32;
      for (int64_t i = 0; i < n; i++)
        for (int64_t x = 0; x < across; x++, sum += lanes)
          (tile == 4 ? transform_back4 : transform_back2)(sum, c->sum_step,
                                                          w->results + (i * width + x) * tile * LANES_F32,
                                                          width * LANES_F32, least(tile, s->out[0] - above - i * tile),
                                                          least(tile, width - x * tile));
      write_places(j, first + v * LANES_F32, w->results, places, out + v * LANES_F32 * s->out[0] * width);
    }
    if (!j->reports_tiles) continue;
    const TileReady *l = j->c->tile_ready;
    const int64_t plane = s->out[0] * width, end = least(s->filters - first, lanes);
    if (places == plane) l->ready(l->context, out - j->out, end * plane);
    else
      for (int64_t f = 0; f < end; f++) l->ready(l->context, out - j->out + f * plane, places);
  }
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

static void run_panel(const ForwardCall *j, int64_t group, int64_t panel, const float *data,
                      const ForwardWorkspace *w) {
  const WinogradCut *c = &j->cut;
  const int64_t tiles = least(c->group, c->rows - group * c->group) * c->source.tiles[1], lanes = c->vector * LANES_F32;
  for (int64_t b = 0; b < c->blocks; b++) {
    const float *made = j->made ? j->made + (panel * c->blocks + b) * WINOGRAD_POSITIONS * c->made_step : w->made;
    if (!j->made) make_weights(j, panel, b, w->made);
    for (int64_t q = 0; q < WINOGRAD_POSITIONS; q++)
      chain_tiles(tiles, vectors_of(c, panel), channels_of(j, b), WINOGRAD_BLOCK,
                  &(TileFactors){ data + (b * WINOGRAD_POSITIONS + q) * c->data_step, c->block, 1,
                                  made + q * c->made_step, lanes },
                  w->sum + q * c->sum_step, lanes, b == 0);
  }
  write_panel(j, group, panel, w);
}

static void transform_group(const ForwardCall *j, int64_t group, int64_t first, int64_t end, float *data, float *band) {
  const WinogradCut *c = &j->cut;
  const WinogradTarget to = { data, c->block, c->data_step };
  winograd_transform(&c->source, group * c->group, least(c->group, c->rows - group * c->group), first, end, &to, band);
}

/* Runs groups, each in one thread. */
static void run_groups(void *context, int64_t first, int64_t last) {
  const ForwardCall *j = context;
  const ForwardWorkspace w = workspace_of(j->s, &j->cut, call_thread_workspace(j->c));
  for (int64_t i = first; i < last && !interrupted(); i++) {
    transform_group(j, i, 0, j->cut.channels / LANES_F32, w.data, w.band);
    for (int64_t p = 0; p < j->cut.panels && !interrupted(); p++) run_panel(j, i, p, w.data, &w);
  }
}

/* All threads run one group: vectors of its channels, then panels. Its data are in the first thread's workspace. */
static void transform_vectors(void *context, int64_t first, int64_t last) {
  const ForwardCall *j = context;
  const ForwardWorkspace w = workspace_of(j->s, &j->cut, call_thread_workspace(j->c));
  transform_group(j, j->at, first, last, (float *)j->c->thread_workspace, w.band);
}

static void run_panels(void *context, int64_t first, int64_t last) {
  const ForwardCall *j = context;
  const ForwardWorkspace w = workspace_of(j->s, &j->cut, call_thread_workspace(j->c));
  for (int64_t p = first; p < last && !interrupted(); p++)
    run_panel(j, j->at, p, (const float *)j->c->thread_workspace, &w);
}

/* Is the result large and its ranges long enough? As in conv_algorithm.c. */
static bool is_worth_reporting(const WinogradLayer *s, const WinogradCut *c) {
  enum { LARGE = 1 << 20, SHORTEST = 128 };       /* bytes, elements */
  const int64_t plane = s->out[0] * s->out[1];
  if (debug.report_tiles) return true;
  return s->images * s->filters * plane * (int64_t)sizeof(float) >= LARGE &&
         (c->source.tiles[0] == 1 || least(plane, c->source.tile * s->out[1]) >= SHORTEST);
}

Status winograd_run(WinogradLayer s, const Call *c, const float *data, const float *weight, WinogradWeights how,
                    const float *bias, float *out) {
  const double work = winograd_work(&s);
  const int64_t worth = debug.share ? INT_MAX : most(1, (int64_t)(work / CONVOLVE_GRAIN));
  const int threads = (int)least(parallel_threads(), worth);
  ForwardCall j = {
    .s = &s, .c = c, .cut = cut_of(&s, threads), .weight = weight, .bias = bias, .how = how, .out = out
  };
  const WinogradCut *cut = &j.cut;
  if (cut->rows == 0) return OK;
  j.cut.source.data = data;
  j.reports_tiles = c->tile_ready && is_worth_reporting(&s, cut);
  if (cut->groups > 1 && made_once(cut)) {
    j.made = c->workspace;
    parallel_for(cut->panels * cut->blocks, parts(cut->panels * cut->blocks, threads), make_all, &j);
  }
  if (!cut->one_after_another) parallel_for(cut->groups, items_of_grain(cut->groups, work), run_groups, &j);
  else
    for (j.at = 0; j.at < cut->groups && !interrupted(); j.at++) {
      parallel_for(cut->channels / LANES_F32, 1, transform_vectors, &j);
      parallel_for(cut->panels, 1, run_panels, &j);
    }
  return interrupt_status();
}
