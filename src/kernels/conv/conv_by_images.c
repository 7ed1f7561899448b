/* conv_by_images.c - forward and the gradient of data for many small images.
**
** Lanes are images, CHAIN_LANES at most, processed place by place: the receptive field of a row block is copied
** images-last. So the ends of rows leave no lanes empty. In the gradient of data, the zero terms of windows outside the
** output are skipped, so an infinite weight gives no NaN there. Several places use the same weights in turn while these
** are cached; results are transposed when they are written.
*/
#include "base/threads/parallel_for.h"
#include "kernels/conv/conv_problem.h"

enum {
  MOST_COPIED = 1 << 18,       /* elements */
  MOST_SUMS = 1 << 16,
  FEWEST_IMAGES = 2 * CHAIN_VECTOR,
  FEWEST_PLACES = 4,
  MOST_PLACES = 16        /* that share cached weights */
};

static int64_t places_together(const ConvProblem *j) {
  const int64_t fit = MOST_SUMS / (j->rows * CHAIN_LANES);
  return most(FEWEST_PLACES, least(MOST_PLACES, fit));
}

/* Images are divided into blocks of whole vectors, as equal as possible. */
static int64_t image_blocks_of(const ConvProblem *j) { return parts(j->v->images, CHAIN_LANES); }
static int64_t image_at(const ConvProblem *j, int64_t image_block) {
  return least(j->v->images, parts(j->v->images, CHAIN_VECTOR) * image_block / image_blocks_of(j) * CHAIN_VECTOR);
}
static int64_t most_lanes(const ConvProblem *j) {
  return parts(parts(j->v->images, CHAIN_VECTOR), image_blocks_of(j)) * CHAIN_VECTOR;
}

/* The input offset of place `at` for tap t along an axis. */
static int64_t input_offset(const Panels *p, int axis, int64_t at, int64_t t) {
  return at * p->step[axis] + p->base[axis] + t * p->move[axis];
}

/* Elements [low, high) of the array, along an axis, that places [first, first + n) read. */
typedef struct Reach { int64_t low, high; } Reach;

static Reach reach_of(const Panels *p, int axis, int64_t first, int64_t n) {
  const int64_t last = p->taps[axis] - 1, a = input_offset(p, axis, first, 0), b = input_offset(p, axis, first, last);
  const int64_t c = input_offset(p, axis, first + n - 1, 0), d = input_offset(p, axis, first + n - 1, last);
  Reach r = { most(0, least(a, b)), least(p->extent[axis] - 1, most(c, d)) + 1 };
  return r.high > r.low ? r : (Reach){ 0, 0 };
}

/* Rows of the first two axes that a row block reads, counted over both. */
static Reach rows_of(const ConvProblem *j, int64_t first, int64_t n) {
  const Panels *p = &j->from;
  const Reach depth = reach_of(p, 0, j->axis == 0 ? first : 0, j->axis == 0 ? n : j->to.extent[0]);
  const Reach height = reach_of(p, 1, j->axis == 1 ? first : 0, j->axis == 1 ? n : j->to.extent[1]);
  if (depth.high == depth.low || height.high == height.low) return (Reach){ 0, 0 };
  return (Reach){ depth.low * p->extent[1] + height.low, (depth.high - 1) * p->extent[1] + height.high };
}

/* The maximum number of rows that a row block reads. */
static int64_t most_rows(const ConvProblem *j) {
  int64_t seen[2];
  for (int a = 0; a < 2; a++) {
    const int64_t reach = (j->from.taps[a] - 1) * j->from.move[a], n = j->axis == a ? j->row_block : j->to.extent[a];
    seen[a] = least(j->from.extent[a], (n - 1) * j->from.step[a] + (reach < 0 ? -reach : reach) + 1);
  }
  return seen[0] > 1 ? seen[0] * j->from.extent[1] : seen[1];
}

static int64_t copied(const ConvProblem *j) { return j->channels * most_rows(j) * j->from.extent[2] * most_lanes(j); }

static void take_row_block(ConvProblem *j, int64_t row_block) {
  j->row_block = most(1, row_block);
  j->row_blocks = parts(j->to.extent[j->axis], j->row_block);
}

void images_share(ConvProblem *j, int threads) {
  const int64_t items = j->v->groups * image_blocks_of(j), wanted = threads > 1 ? 2 * (int64_t)threads : 1;
  j->axis = row_block_axis(&j->to);
  take_row_block(j, parts(j->to.extent[j->axis], parts(wanted, most(1, items))));
  while (copied(j) > MOST_COPIED && j->row_block > 1 && j->axis < 2) take_row_block(j, parts(j->row_block, 2));
  j->items = items * j->row_blocks;
}

/* The maximum: the number of items for row blocks of one place. */
int64_t images_items(const ConvProblem *j) { return j->v->groups * image_blocks_of(j) * j->to.extent[j->axis]; }

/* The number of pairs (place, tap) inside the array. */
static double taps_inside(const ConvProblem *j) {
  double all = 1;
  for (int a = 0; a < WINDOW_AXES; a++) {
    int64_t n = 0;
    for (int64_t i = 0; i < j->to.extent[a]; i++)
      for (int64_t t = 0; t < j->from.taps[a]; t++) {
        const int64_t x = input_offset(&j->from, a, i, t);
        n += x >= 0 && x < j->from.extent[a];
      }
    all *= (double)n;
  }
  return all;
}

bool images_choose(const ConvProblem *j, double cost) {
  if (j->v->images < FEWEST_IMAGES || j->rows * CHAIN_LANES * FEWEST_PLACES > MOST_SUMS || j->terms == 0) return false;
  ConvProblem shared = *j;
  images_share(&shared, 1);
  if (copied(&shared) > MOST_COPIED) return false;
  const double lanes = (double)(image_blocks_of(j) * most_lanes(j)), places = (double)windows_size(j->to.extent);
  const double seen = j->taps_slower ? taps_inside(j) : places * (double)windows_size(j->from.taps);
  const double products = seen * (double)(j->channels * j->rows) * lanes / 32;
  const double copies = (double)(copied(&shared) * shared.row_blocks * image_blocks_of(j)) +
                        places * (double)j->rows * lanes;
  const double looks = places * (double)(j->terms * image_blocks_of(j));
  const double ranges = j->taps_slower ? (double)(j->from.taps[0] * j->from.taps[1]) : 0;
  const double runs = places * ((double)j->terms / CHAIN_STEPS + ranges);
  const double ends = runs * (20 * (double)image_blocks_of(j) + 0.1 * (double)j->rows * lanes);
  return 1.1 * (products + 0.5 * copies + 1.5 * looks + ends) < cost;
}

/* ---- Items ------------------------------------------------------------------------------------------------------- */

/* A place's receptive field: the offset of each term's line, and the ranges of existing terms. */
typedef struct CopyRange { int64_t from, end; } CopyRange;
typedef struct ImageTap { int64_t place; int ranges; CopyRange *range; int32_t *line; } ImageTap;

static int64_t most_ranges(const ConvProblem *j) {
  return j->from.taps[0] * j->from.taps[1] * parts(j->from.taps[2], 2) + 1;
}

static size_t lines_bytes(const ConvProblem *j) { return whole_lines((size_t)j->terms * sizeof(int32_t)); }
static size_t field_bytes(const ConvProblem *j) {
  return lines_bytes(j) + whole_lines((size_t)most_ranges(j) * sizeof(CopyRange));
}

/* The chains and, if they have several blocks, their sums, [place][row][lane]; zeros for taps outside the array; the
** copy; the lines and ranges of places. */
size_t images_workspace(const ConvProblem *j) {
  const int64_t together = places_together(j), chains = j->terms > CHAIN_BLOCK ? 2 : 1;
  const size_t elements = (size_t)(chains * together * j->rows * CHAIN_LANES + CHAIN_LANES + copied(j));
  return whole_lines(elements * j->chains->size) + (size_t)together * field_bytes(j);
}

/* Finds a place's lines and ranges: the ranges of taps inside the array or, for forward, one range of all terms, with
** zeros for taps outside. */
static void look(const ConvProblem *j, Reach rows, int64_t lanes, const int64_t *at, ImageTap *s) {
  const Panels *p = &j->from;
  const int64_t taps = windows_size(p->taps), channel = (rows.high - rows.low) * p->extent[2] * lanes;
  const int64_t row = taps * (j->taps_slower ? 0 : 1), next = j->taps_slower ? 1 : row;
  s->ranges = 0;
  for (int64_t t = 0; t < taps; t++) {
    const int64_t depth = input_offset(p, 0, at[0], t / p->taps[2] / p->taps[1]);
    const int64_t height = input_offset(p, 1, at[1], t / p->taps[2] % p->taps[1]);
    const int64_t width = input_offset(p, 2, at[2], t % p->taps[2]);
    const bool seen = depth >= 0 && depth < p->extent[0] && height >= 0 && height < p->extent[1] && width >= 0 &&
                      width < p->extent[2];
    int32_t *line = s->line + (j->taps_slower ? t * j->channels : t);
    const int64_t first = ((depth * p->extent[1] + height - rows.low) * p->extent[2] + width) * lanes;
    if (seen || !j->taps_slower)
      for (int64_t c = 0; c < j->channels; c++) line[c * next] = (int32_t)(seen ? first + c * channel : -CHAIN_LANES);
    if (!seen || !j->taps_slower) continue;
    CopyRange *last = &s->range[s->ranges - 1];
    if (s->ranges > 0 && last->end == t * j->channels) last->end += j->channels;
    else s->range[s->ranges++] = (CopyRange){ t * j->channels, (t + 1) * j->channels };
  }
  if (!j->taps_slower) s->range[s->ranges++] = (CopyRange){ 0, j->terms };
}

/* Runs terms [k, end) of a place's chains. */
static void run_terms(const ConvProblem *j, const ImageTap *s, const char *weight, const char *seen, int64_t lanes,
                      int64_t k, int64_t end, char *acc) {
  for (int i = 0; i < s->ranges; i++) {
    const int64_t from = most(k, s->range[i].from), to = least(end, s->range[i].end);
    if (from >= to) continue;
    j->chains->run(j->rows, to - from, weight + (size_t)from * j->chains->size, j->terms, seen, s->line + from, acc,
                   lanes);
  }
}

/* Writes n places of some images; neighbours in the result are transposed together. */
static void write_places(const ConvProblem *j, const ImageTap *s, int64_t n, int64_t group, int64_t image,
                         int64_t images, char *sum) {
  const size_t size = j->chains->size;
  const int64_t places = windows_size(j->to.whole), channels = j->v->groups * j->rows, tile = j->rows * CHAIN_LANES;
  for (int64_t r = 0; r < j->rows; r++, sum += CHAIN_LANES * size) {
    const int64_t channel = group * j->rows + r;
    const char *bias = j->bias ? j->bias + (size_t)channel * size : NULL;
    char *out = j->out + (size_t)((image * channels + channel) * places) * size;
    for (int64_t t = 0, m; t < n; t += m) {
      for (m = 0; t + m < n && s[t + m].place == s[t].place + m; m++)
        j->chains->finish(sum + (size_t)((t + m) * tile) * size, bias, sum + (size_t)((t + m) * tile) * size, images);
      j->chains->turn(sum + (size_t)(t * tile) * size, tile, out + (size_t)s[t].place * size, channels * places, m,
                      images);
    }
  }
}

/* Computes n places whose lines and ranges are set. */
static void run_places(const ConvProblem *j, const ImageTap *s, int64_t n, int64_t group, const char *seen,
                       int64_t lanes, char *acc, char *sum) {
  const Chains *chains = j->chains;
  const int64_t tile = j->rows * CHAIN_LANES, all = n * tile;
  const char *weight = j->weight + (size_t)(group * j->rows * j->terms) * chains->size;
  memset(acc, 0, (size_t)all * chains->size);
  for (int64_t k = 0, end; k < j->terms; k = end) {
    if (k > 0 && k % CHAIN_BLOCK == 0) end_chain(chains, acc, sum, all, k == CHAIN_BLOCK);
    end = least(k + CHAIN_STEPS, j->terms);
    for (int64_t t = 0; t < n; t++)
      run_terms(j, &s[t], weight, seen, lanes, k, end, acc + (size_t)(t * tile) * chains->size);
  }
  if (j->terms > CHAIN_BLOCK) end_chain(chains, acc, sum, all, false);
}

/* Computes a row block of an image block, for all rows of a group. */
void images_run(const ConvProblem *j, int64_t item, char *workspace) {
  const size_t size = j->chains->size;
  const int64_t image_blocks = image_blocks_of(j), together = places_together(j), tile = j->rows * CHAIN_LANES;
  const int64_t group = item / j->row_blocks / image_blocks, image_block = item / j->row_blocks % image_blocks,
                row_block = item % j->row_blocks;
  const int64_t image = image_at(j, image_block), images = image_at(j, image_block + 1) - image,
                lanes = whole_vectors(images);
  const Panels *p = &j->from;
  const ConvGrid to = row_block_at(j, row_block * j->row_block);
  const Reach rows = rows_of(j, row_block * j->row_block, to.extent[j->axis]);
  const int64_t plane = windows_size(p->extent), elements = (rows.high - rows.low) * p->extent[2];
  const size_t sums = (size_t)(together * tile) * size;
  char *acc = workspace, *sum = j->terms > CHAIN_BLOCK ? acc + sums : acc, *none = sum + sums;
  char *seen = none + CHAIN_LANES * size,
       *fields_workspace = workspace + images_workspace(j) - (size_t)together * field_bytes(j);
  memset(none, 0, (size_t)(CHAIN_LANES + (lanes > images ? j->channels * elements * lanes : 0)) * size);
  for (int64_t c = 0; c < j->channels; c++) {
    const int64_t at = (image * p->channels + group * j->channels + c) * plane + rows.low * p->extent[2];
    j->chains->turn((const char *)p->data + (size_t)at * size, p->channels * plane,
                    seen + (size_t)(c * elements * lanes) * size, lanes, images, elements);
  }
  ImageTap field[MOST_PLACES];
  int64_t n = 0;
  for (int64_t i = 0, all = windows_size(to.extent); i < all; i++) {
    int64_t at[WINDOW_AXES] = { i / to.extent[2] / to.extent[1], i / to.extent[2] % to.extent[1], i % to.extent[2] };
    ImageTap *s = &field[n];
    s->line = (int32_t *)(fields_workspace + (size_t)n * field_bytes(j));
    s->range = (CopyRange *)((char *)s->line + lines_bytes(j));
    s->place = place_in(&to, at);
    at[j->axis] += row_block * j->row_block;
    look(j, rows, lanes, at, s);
    if (++n < together && i + 1 < all) continue;
    run_places(j, field, n, group, seen, lanes, acc, sum);
    write_places(j, field, n, group, image, images, sum);
    n = 0;
  }
  for (int64_t k = 0; k < images; k++) report_row_block(j, &to, image + k, group * j->rows, j->rows);
}
