/* conv_weight_grad.c - see conv_algorithm.h: the gradient of weight.
**
** A row block of an image is copied channels-last, so neighbouring elements are channels and taps along the width.
** These are the lanes, at most CHAIN_LANES at a time. A row is a filter, whose g is read in place, one place after
** another. So each step multiplies one place's g, for some filters, by that place's receptive field. Invariant: no two
** work items write the same element, and an item computes whole chains.
*/
#include "base/threads/parallel_for.h"
#include "kernels/conv/conv_shared.h"
#include "kernels/conv/winograd_kernel.h"

/* Places of the output whose terms form one chain: whole images, or whole rows (of all but the last axis) of one image.
** They have at most CHAIN_BLOCK places unless a row has more, and are as equal as possible. */
typedef struct Grouping { int64_t images, rows; } Grouping;

static Grouping group_places(const Convolution *v) {
  const int64_t *out = v->w.out, rows = out[0] * out[1];
  const int64_t most_images = CHAIN_BLOCK / (rows * out[2]), most_rows = CHAIN_BLOCK / out[2];
  if (most_images > 1 && v->images > 1) return (Grouping){ parts(v->images, parts(v->images, most_images)), rows };
  return (Grouping){ 1, parts(rows, parts(rows, most_rows > 1 ? most_rows : 1)) };
}

/* The layout of a row block's copy. A column is a place along the width with its elements: some channels or, if folded,
** some channels by all taps of the first two axes. A place reads strips of contiguous elements: the columns of all taps
** of the last axis. There is one strip per tap of the first two axes unless folded, and if the last axis is dilated,
** one per tap of it. */
typedef struct WeightColumns {
  bool folded, dilated;
  int64_t channels, column, width;     /* channels processed together; elements of a column; columns of a row */
  int64_t strips, lanes, tiles;        /* per place; elements of a strip; tiles of lanes of one */
  int64_t row_block, places, rows;     /* rows of the output and places of each, per block; rows of the copy */
} WeightColumns;

enum { MOST_COPIED = 1 << 16, CHANNELS_AT_ONCE = 64 };

static int64_t taps_of_rows(const Windows *w) { return w->kernel[0] * w->kernel[1]; }
static int64_t copied(const WeightColumns *s) { return s->rows * s->width * s->column; }

static void take_places(const Windows *w, WeightColumns *s, int64_t row_block, int64_t places) {
  s->row_block = row_block;
  s->places = places;
  s->rows = s->folded ? row_block : w->kernel[0] * ((row_block - 1) * w->stride[1] + windows_span(w, 1));
  s->width = (places - 1) * w->stride[2] + windows_span(w, 2);
}

static WeightColumns columns_by(const Convolution *v, int64_t channels, bool folded) {
  const Windows *w = &v->w;
  WeightColumns s = { .folded = folded, .dilated = w->dilate[2] > 1 && w->kernel[2] > 1, .channels = channels };
  s.column = channels * (folded ? taps_of_rows(w) : 1);
  s.strips = (folded ? 1 : taps_of_rows(w)) * (s.dilated ? w->kernel[2] : 1);
  s.lanes = s.column * (s.dilated ? 1 : w->kernel[2]);
  s.tiles = parts(s.lanes, CHAIN_LANES);
  take_places(w, &s, folded ? group_places(v).rows : least(group_places(v).rows, w->out[1]), w->out[2]);
  while (copied(&s) > MOST_COPIED && s.row_block > 1) take_places(w, &s, parts(s.row_block, 2), s.places);
  while (copied(&s) > MOST_COPIED && s.places > CHAIN_STEPS) take_places(w, &s, 1, parts(s.places, 2));
  return s;
}

/* Rough cycles per place: the products of a filter, and the copy of its columns. */
static double filter_cost(const WeightColumns *s) { return (double)(s->strips * whole_vectors(s->lanes)) / 32; }

static double copying_cost(const Convolution *v, const WeightColumns *s) {
  return (s->folded ? 1.5 : 0.5) * (double)(v->w.stride[2] * s->column);
}

static double cost_of(const Convolution *v, const WeightColumns *s) {
  return (double)v->filters * filter_cost(s) + copying_cost(v, s);
}

static WeightColumns columns_of(const Convolution *v) {
  const int64_t channels = least(v->channels, CHANNELS_AT_ONCE);
  const WeightColumns plain = columns_by(v, channels, false), folded = columns_by(v, channels, true);
  return cost_of(v, &folded) < cost_of(v, &plain) ? folded : plain;
}

/* The vectors of a strip are divided into tiles as equal as possible. */
static int64_t tile_at(const WeightColumns *s, int64_t tile) {
  return parts(s->lanes, CHAIN_VECTOR) * tile / s->tiles * CHAIN_VECTOR;
}

/* ---- The copy ---------------------------------------------------------------------------------------------------- */

/* Rows [row, row + rows) of an image's output, and their places [place, place + places). */
typedef struct RowRange { int64_t image, row, rows, place, places; } RowRange;

typedef struct WeightGradProblem {
  const Convolution *v;
  const Call *c;                       /* provides the workspace */
  const Chains *chains;
  const char *g, *data;
  char *out;
  int64_t terms;                       /* weights per filter */
  WeightColumns columns;
  int64_t channel_blocks, chunk, items;   /* blocks of a group's channels; filters per item; work items */
} WeightGradProblem;

/* The offset of a row of data in its channel; -1 if outside. */
static int64_t row_at(const Windows *w, int64_t depth, int64_t height) {
  if (depth < 0 || depth >= w->in[0] || height < 0 || height >= w->in[1]) return -1;
  return (depth * w->in[1] + height) * w->in[2];
}

/* Copies a row of n channels to the first elements of columns. */
static void copy_row(const WeightGradProblem *j, const WeightColumns *s, const RowRange *t, int64_t channel, int64_t n,
                     int64_t row, char *to) {
  const Windows *w = &j->v->w;
  const size_t size = j->chains->size;
  const int64_t plane = windows_size(w->in), channels = j->v->groups * j->v->channels;
  const int64_t shift = t->place * w->stride[2] - w->pad[2];
  const int64_t first = most(0, -shift), end = least(s->width, w->in[2] - shift);
  if (end <= first) return;
  const char *x = j->data + (size_t)((t->image * channels + channel) * plane + row + shift + first) * size;
  j->chains->turn(x, plane, to + (size_t)(first * s->column) * size, s->column, n, end - first);
}

static void copy_folded(const WeightGradProblem *j, const WeightColumns *s, const RowRange *t, int64_t channel,
                        char *copy) {
  const Windows *w = &j->v->w;
  const size_t size = j->chains->size, bytes = (size_t)(s->width * s->column) * size;
  const int64_t taps = taps_of_rows(w);
  for (int64_t r = t->row; r < t->row + t->rows; r++, copy += bytes) {
    const int64_t depth = r / w->out[1] * w->stride[0] - w->pad[0], height = r % w->out[1] * w->stride[1] - w->pad[1];
    memset(copy, 0, bytes);
    for (int64_t k = 0; k < taps; k++) {
      const int64_t row = row_at(w, depth + k / w->kernel[1] * w->dilate[0], height + k % w->kernel[1] * w->dilate[1]);
      for (int64_t c = 0; c < s->channels && row >= 0; c++)
        copy_row(j, s, t, channel + c, 1, row, copy + (size_t)(c * taps + k) * size);
    }
  }
}

/* Copies the rows that the range reads, for each tap along the depth. */
static void copy_plain(const WeightGradProblem *j, const WeightColumns *s, const RowRange *t, int64_t channel,
                       char *copy) {
  const Windows *w = &j->v->w;
  const size_t bytes = (size_t)(s->width * s->column) * j->chains->size;
  const int64_t depth = t->row / w->out[1] * w->stride[0] - w->pad[0];
  const int64_t height = t->row % w->out[1] * w->stride[1] - w->pad[1];
  const int64_t rows = (t->rows - 1) * w->stride[1] + windows_span(w, 1), each = s->rows / w->kernel[0];
  if (s->places < w->out[2]) memset(copy, 0, (size_t)s->rows * bytes); /* each range has its padding elsewhere */
  for (int64_t d = 0; d < w->kernel[0]; d++)
    for (int64_t i = 0; i < rows; i++) {
      char *to = copy + (size_t)(d * each + i) * bytes;
      const int64_t row = row_at(w, depth + d * w->dilate[0], height + i);
      if (row < 0) memset(to, 0, bytes);
      else copy_row(j, s, t, channel, s->channels, row, to);
    }
}

/* The offset of the first place's strip in the copy. */
static int64_t strip_at(const Windows *w, const WeightColumns *s, int64_t strip) {
  const int64_t tap = s->dilated ? strip / w->kernel[2] : strip;
  const int64_t across = s->dilated ? strip % w->kernel[2] * w->dilate[2] : 0;
  const int64_t row = s->folded ? 0 : tap / w->kernel[1] * (s->rows / w->kernel[0]) + tap % w->kernel[1] * w->dilate[1];
  return (row * s->width + across) * s->column;
}

/* ---- Items ------------------------------------------------------------------------------------------------------- */

static int64_t sums_of(const WeightColumns *s, int64_t filters) { return s->strips * s->tiles * filters * CHAIN_LANES; }

static int64_t weights_of(const WeightColumns *s) { return s->strips * s->lanes; } /* per filter */

/* The chains of some filters and their sums, [strip and tile][filter][lane]; the sums of one filter by taps; the copy
** with spare elements; the offsets of places in it. */
static size_t item_workspace(const WeightColumns *s, int64_t filters, size_t size) {
  const size_t elements = (size_t)(2 * sums_of(s, filters) + weights_of(s) + copied(s) + CHAIN_VECTOR);
  return elements * size + (size_t)(s->row_block * s->places) * sizeof(int32_t);
}

/* Continues the chains over n places. */
static void run_places(const WeightGradProblem *j, const WeightColumns *s, int64_t filters, const char *g,
                       const char *copy, const int32_t *line, int64_t n, char *acc) {
  enum { CACHED = 1 << 12 };           /* elements of the copy read by all strips in turn */
  const size_t size = j->chains->size;
  const int64_t each = least(4 * CHAIN_STEPS, most(CHAIN_STEPS, CACHED / (s->column * j->v->w.stride[2])));
  for (int64_t k = 0; k < n; k += each) {
    char *to = acc;
    for (int64_t strip = 0; strip < s->strips; strip++)
      for (int64_t tile = 0; tile < s->tiles; tile++, to += (size_t)(filters * CHAIN_LANES) * size) {
        const int64_t lane = tile_at(s, tile);
        const char *x = copy + (size_t)(strip_at(&j->v->w, s, strip) + lane) * size;
        j->chains->run(filters, least(each, n - k), g + (size_t)k * size, windows_size(j->v->w.out), x, line + k, to,
                       tile_at(s, tile + 1) - lane);
      }
  }
}

/* Reorders a filter's sums from strips, tap by tap, to the gradient, where a channel's taps are contiguous. */
static void write_sums(const WeightGradProblem *j, const WeightColumns *s, int64_t filters, const char *sum,
                       char *by_tap, char *out) {
  const size_t size = j->chains->size;
  const int64_t taps = s->strips * s->lanes / s->column;
  for (int64_t f = 0; f < filters; f++, out += (size_t)j->terms * size) {
    for (int64_t i = 0; i < s->strips * s->tiles; i++) {
      const int64_t first = tile_at(s, i % s->tiles), end = least(tile_at(s, i % s->tiles + 1), s->lanes);
      if (end > first)
        memcpy(by_tap + (size_t)(i / s->tiles * s->lanes + first) * size,
               sum + (size_t)((i * filters + f) * CHAIN_LANES) * size, (size_t)(end - first) * size);
    }
    j->chains->turn(by_tap, s->column, out, taps, taps, s->column);
  }
}

/* Filters of a group by a block of its channels, and their workspace. */
typedef struct WeightItem {
  WeightColumns s;
  int64_t group, filter, filters, channel; /* channel: the block's first, within the group */
  char *acc, *sum, *by_tap, *copy;
  int32_t *line;
} WeightItem;

static WeightItem item_of(const WeightGradProblem *j, int64_t item, char *workspace) {
  const int64_t filters = j->v->filters, channels = j->columns.channels, chunks = parts(filters, j->chunk);
  const int64_t channel_block = item / chunks % j->channel_blocks;
  WeightItem i = {
    .s = j->columns, .group = item / chunks / j->channel_blocks, .filter = item % chunks * j->chunk, .acc = workspace
  };
  i.filters = least(j->chunk, filters - i.filter);
  i.channel = channel_block * channels;
  if (j->v->channels - i.channel < channels) i.s = columns_by(j->v, j->v->channels - i.channel, i.s.folded);
  i.sum = i.acc + (size_t)sums_of(&i.s, i.filters) * j->chains->size;
  i.by_tap = i.sum + (i.sum - i.acc);
  i.copy = i.by_tap + (size_t)weights_of(&i.s) * j->chains->size;
  i.line = (int32_t *)(i.copy + (size_t)(copied(&i.s) + CHAIN_VECTOR) * j->chains->size);
  return i;
}

/* Continues the chains over rows [from, end) of an image. */
static void run_rows(const WeightGradProblem *j, const WeightItem *i, int64_t image, int64_t from, int64_t end) {
  const Convolution *v = j->v;
  const WeightColumns *s = &i->s;
  const int64_t *out = v->w.out, filter = (image * v->groups + i->group) * v->filters + i->filter;
  RowRange t = { .image = image, .row = from };
  for (; t.row < end; t.row += t.rows) {
    t.rows = least(s->row_block, end - t.row);
    if (!s->folded) t.rows = least(t.rows, out[1] - t.row % out[1]);
    for (t.place = 0; t.place < out[2]; t.place += t.places) {
      const int64_t at = filter * windows_size(out) + t.row * out[2] + t.place;
      t.places = least(s->places, out[2] - t.place);
      (s->folded ? copy_folded : copy_plain)(j, s, &t, i->group * v->channels + i->channel, i->copy);
      run_places(j, s, i->filters, j->g + (size_t)at * j->chains->size, i->copy, i->line, t.rows * t.places, i->acc);
    }
  }
}

static void run_item(const WeightGradProblem *j, int64_t item, char *workspace) {
  const Convolution *v = j->v;
  const WeightItem i = item_of(j, item, workspace);
  const WeightColumns *s = &i.s;
  const Grouping of = group_places(v);
  const int64_t height = v->w.out[0] * v->w.out[1], far = s->folded ? s->width : v->w.stride[1] * s->width;
  int64_t done = 0;
  memset(workspace, 0, (size_t)((char *)i.line - workspace));
  for (int64_t p = 0; p < s->row_block * s->places; p++)
    i.line[p] = (int32_t)((p / s->places * far + p % s->places * v->w.stride[2]) * s->column);
  for (int64_t image = 0; image < v->images && !interrupted(); image += of.images)
    for (int64_t from = 0; from < height; from += of.rows, done++) {
      for (int64_t k = image; k < least(image + of.images, v->images); k++)
        run_rows(j, &i, k, from, least(from + of.rows, height));
      end_chain(j->chains, i.acc, i.sum, sums_of(s, i.filters), done == 0);
    }
  j->chains->finish(i.sum, NULL, i.sum, sums_of(s, i.filters));
  const int64_t at = (i.group * v->filters + i.filter) * j->terms + i.channel * windows_size(v->w.kernel);
  write_sums(j, s, i.filters, i.sum, i.by_tap, j->out + (size_t)at * j->chains->size);
}

static void run_items(void *context, int64_t first, int64_t last) {
  const WeightGradProblem *j = context;
  char *workspace = call_thread_workspace(j->c);
  for (int64_t i = first; i < last && !interrupted(); i++) run_item(j, i, workspace);
}

/* Filters per work item, at most `fit`, whose chains fit the cache: a few items per thread, evenly distributed,
** although each item makes its own copies. */
static int64_t filters_of_item(const WeightGradProblem *j, int64_t fit, int64_t threads) {
  const Convolution *v = j->v;
  const WeightColumns *s = &j->columns;
  const double copies = copying_cost(v, s) / filter_cost(s); /* in filters */
  int64_t best = least(v->filters, fit);
  double least_cost = __builtin_inf();
  if (threads == 1 || v->filters == 0) return best;
  for (int64_t chunks = parts(v->filters, best); chunks <= least(v->filters, ITEMS_A_THREAD * threads); chunks++) {
    const int64_t filters = least(fit, parts(parts(v->filters, chunks), 2) * 2);
    const int64_t items = v->groups * j->channel_blocks * parts(v->filters, filters);
    const double cost = ((double)filters + copies) * ((double)parts(items, threads) + 0.05);
    if (cost >= least_cost) continue;
    least_cost = cost;
    best = filters;
  }
  return best;
}

static WeightGradProblem weight_problem(const Convolution *v, int64_t threads) {
  enum { FEWEST_FILTERS = 8, CACHED = 1 << 18 };      /* bytes of an item's chains */
  WeightGradProblem j = { .v = v, .chains = chains_of(v->dtype), .terms = v->channels * windows_size(v->w.kernel) };
  j.columns = columns_of(v);
  j.channel_blocks = parts(v->channels, most(1, j.columns.channels));
  const int64_t fit = CACHED / (int64_t)j.chains->size / most(1, sums_of(&j.columns, FEWEST_FILTERS)) * FEWEST_FILTERS;
  j.chunk = most(1, filters_of_item(&j, most(FEWEST_FILTERS, fit), threads));
  j.items = v->groups * j.channel_blocks * parts(v->filters, j.chunk);
  return j;
}

Status convolve_weight_workspace(const Convolution *v, Workspace *w) {
  const bool winograd = convolution_form(v).winograd;
  if (winograd) {
    w->bytes = winograd_grad_workspace(winograd_forward_layer(v));
    w->thread_bytes = winograd_grad_thread_workspace(winograd_forward_layer(v));
  } else {
    const WeightGradProblem j = weight_problem(v, 1);
    w->thread_bytes = workspace_by_items(v->groups * j.channel_blocks * v->filters,
                                         item_workspace(&j.columns, j.chunk, j.chains->size), &w->most_threads);
  }
  return conv_plan(&(ConvPlan){ *v, winograd }, w);
}

Status convolve_weight(const Call *c, const void *g, const void *data, void *out) {
  const ConvPlan *plan = c->plan;
  const Convolution *v = &plan->v;
  if (plan->winograd) return winograd_weight_grad(winograd_forward_layer(v), c, data, g, out);
  WeightGradProblem j = weight_problem(v, parallel_threads());
  const double places = (double)(v->images * windows_size(v->w.out));
  j.c = c;
  j.g = g;
  j.data = data;
  j.out = out;
  if (j.items == 0) return OK;
  parallel_for(j.items, items_of_grain(j.items, (double)(v->groups * v->filters * j.terms) * places), run_items, &j);
  return interrupt_status();
}
