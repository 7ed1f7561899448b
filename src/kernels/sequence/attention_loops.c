/* attention_loops.c - see attention_loops.h.
**
** Forwards, a work item is ATTEND_ROWS queries of a head; backwards, it is a head of keys with all its queries, which
** add to the same gradients. A thread packs the keys it works on. A block of keys is a packed panel with a line for
** each index of the width, so keys are lanes; a cache stores its keys this way already. Values and other lines are read
** in place if the width is a multiple of CHAIN_VECTOR, else from a zero-padded copy. Forwards, if the lines are long,
** only the last block of values is copied: after earlier blocks, reads past the end find other values. Lanes past a
** line have no effect. Sums are stored CHAIN_LANES per row; longer rows are stored in chunks of that.
*/
#include "kernels/sequence/attention_loops.h"

#include <math.h>
#include <string.h>

#include "base/threads/parallel_for.h"
#include "base/math/scalar_functions.h"
#include "base/size_math.h"
#include "base/math/tree_sum.h"
#include "kernels/matmul/fma_chain.h"
#include "kernels/matmul/product_order.h"
#include "tensor/cast_copy.h"

_Static_assert(PRODUCT_CHAIN % ATTEND_KEYS == 0, "a block of keys is in one chain");
_Static_assert((int)ATTEND_KEYS == (int)CHAIN_LANES && (int)ATTEND_ROWS <= (int)CHAIN_LANES, "tiles fit");

/* Maximum distance of a panel's lines: the offset of the last of CHAIN_STEPS must fit an int32_t. */
enum { MOST_STEP = INT32_MAX / CHAIN_STEPS };

static int64_t padded(int64_t width) { return parts(width, CHAIN_VECTOR) * CHAIN_VECTOR; }
static int64_t chunks_of(int64_t width) { return parts(width, CHAIN_LANES); }

/* ---- Which keys are seen --------------------------------------------------------------------------------------- */

int64_t attend_seen(const Attend *a, int64_t batch, int64_t query) {
  int64_t n = a->length ? tensor_get_int(a->length, batch) : a->keys;
  if (!a->causal) return n;
  const int64_t from = !a->offset ? a->keys - a->queries
                                  : tensor_get_int(a->offset, tensor_size(a->offset) == 1 ? 0 : batch);
  n = least(n, from >= a->keys ? a->keys : from + query + 1);
  return n < 0 ? 0 : n;
}

void attend_lay_mask(Attend *a, const Shape *mask) {
  int64_t step = 1;
  for (int i = mask->ndim - 1; i >= 0; step *= mask->dim[i--])
    a->mask_step[4 - mask->ndim + i] = mask->dim[i] == 1 ? 0 : step;
}

void attend_masked(const Attend *a, int64_t batch, int64_t head, int64_t query, int64_t key, int64_t n, uint8_t *to) {
  const int64_t *step = a->mask_step, at = batch * step[0] + head * step[1] + query * step[2] + key * step[3];
#define CASE(code, T)                                                                     \
  case code: {                                                                            \
    const T *x = (const T *)a->mask->data + at;                                           \
    for (int64_t i = 0; i < n; i++) to[i] = x[i * step[3]] != 0;                          \
    break;                                                                                \
  }
  switch (a->mask->type.dtype) {
    EACH_C_DTYPE(CASE)
    default: {                                            /* float16: all bits except the sign */
      const uint16_t *x = (const uint16_t *)a->mask->data + at;
      for (int64_t i = 0; i < n; i++) to[i] = (x[i * step[3]] & 0x7fff) != 0;
    }
  }
#undef CASE
}

/* ---- Workspace ------------------------------------------------------------------------------------------------- */

/* A thread's workspace; offsets in elements. Some parts are empty forwards. */
typedef struct AttendWorkspace {
  int64_t keys, values;                  /* panels */
  int64_t key_lines, value_lines;        /* copies, if needed */
  int64_t query_lines, g_lines;
  int64_t scores, mixed, turned, part;   /* tiles; part: a chain of scores after the first */
  int64_t sums, of_keys, of_values;      /* sums of queries, keys, values */
  int64_t sums_chain, keys_chain, values_chain;        /* backwards: the current chain of each */
  int64_t top, total, lanes;
  int64_t end;
} AttendWorkspace;

static int64_t place(int64_t *end, int64_t elements) {
  const int64_t at = *end;
  *end += parts(elements, CHAIN_VECTOR) * CHAIN_VECTOR;
  return at;
}

static int64_t copy_of(int64_t *end, int64_t rows, int64_t width) {
  return place(end, padded(width) == width ? 0 : rows * padded(width));
}

/* Number of chains added to the gradients of a head's keys and values. */
static int64_t chains_of_pair(const Attend *a) { return a->shared * parts(a->queries, PRODUCT_CHAIN); }

static AttendWorkspace workspace_of(const Attend *a, bool back) {
  const int64_t all = parts(a->keys, ATTEND_KEYS) * ATTEND_KEYS, tile = ATTEND_KEYS * CHAIN_LANES;
  AttendWorkspace r = { .end = 0 };
  r.keys = place(&r.end, (a->lanes > 0 ? (int64_t)ATTEND_KEYS : all) * a->width);
  r.value_lines = back ? 0 : copy_of(&r.end, a->out < CHAIN_VECTOR ? a->keys : (int64_t)ATTEND_KEYS, a->out);
  r.scores = place(&r.end, tile);
  r.part = place(&r.end, most(a->width, back ? a->out : 0) > PRODUCT_CHAIN ? tile : 0);
  r.sums = place(&r.end, chunks_of(back ? a->width : a->out) * ATTEND_ROWS * CHAIN_LANES);
  r.top = place(&r.end, ATTEND_ROWS);
  r.total = place(&r.end, ATTEND_ROWS * TREE_LANES);
  r.turned = back ? 0 : place(&r.end, TREE_LANES * CHAIN_LANES);
  r.lanes = back ? 0 : place(&r.end, ATTEND_ROWS * TREE_LANES);
  if (!back) return r;
  r.values = place(&r.end, all * a->out);
  r.key_lines = copy_of(&r.end, a->keys, a->width);
  r.query_lines = copy_of(&r.end, ATTEND_ROWS, a->width);
  r.g_lines = copy_of(&r.end, ATTEND_ROWS, a->out);
  r.mixed = place(&r.end, tile);
  const int64_t of_keys = chunks_of(a->width) * a->keys * CHAIN_LANES;
  const int64_t of_values = chunks_of(a->out) * a->keys * CHAIN_LANES;
  const bool several = chains_of_pair(a) > 1;
  r.of_keys = place(&r.end, of_keys);
  r.of_values = place(&r.end, of_values);
  r.keys_chain = place(&r.end, several ? of_keys : 0);
  r.values_chain = place(&r.end, several ? of_values : 0);
  r.sums_chain = place(&r.end, a->keys > PRODUCT_CHAIN ? chunks_of(a->width) * ATTEND_ROWS * CHAIN_LANES : 0);
  return r;
}

static int64_t tiles_of(const Attend *a) { return parts(a->queries, ATTEND_ROWS); }
static int64_t pairs_of(const Attend *a) { return a->batch * (a->heads / a->shared); }
static int64_t items_of(const Attend *a, bool back) {
  return back ? pairs_of(a) : pairs_of(a) * a->shared * tiles_of(a);
}

size_t attend_workspace(const Attend *a, bool back, int *most) {
  return workspace_by_items(items_of(a, back), (size_t)workspace_of(a, back).end * dtype_size(a->dtype), most);
}

/* ---- Work items ------------------------------------------------------------------------------------------------- */

/* Lines of lanes, `step` elements apart. */
typedef struct Lines { const char *at; int64_t step; } Lines;

typedef struct AttendWork {
  const Attend *a;
  const Chains *chains;
  AttendWorkspace workspace;
  char *own;                             /* the thread's workspace */
  int64_t batch, pair, head;             /* the current ones; head: of queries */
  Lines keys, values, last_values;       /* last_values: those starting with key `last` */
  int64_t last;
} AttendWork;

static void *own(const AttendWork *w, int64_t at) { return w->own + (size_t)at * w->chains->size; }
static const char *after(const AttendWork *w, const void *at, int64_t elements) {
  return (const char *)at + (size_t)elements * w->chains->size;
}

static AttendWork work_of(const Call *c, const Attend *a, bool back) {
  return (AttendWork){ .a = a,
                       .chains = chains_of(a->dtype),
                       .workspace = workspace_of(a, back),
                       .own = call_thread_workspace(c),
                       .pair = -1 };
}

/* n rows of `width` as lines. */
static Lines lines_of(const AttendWork *w, const void *from, int64_t n, int64_t width, int64_t copy) {
  const int64_t step = padded(width);
  if (step == width) return (Lines){ from, width };
  char *to = own(w, copy);
  memset(to, 0, (size_t)(n * step) * w->chains->size);
  for (int64_t i = 0; i < n; i++)
    memcpy(to + (size_t)(i * step) * w->chains->size, after(w, from, i * width), (size_t)width * w->chains->size);
  return (Lines){ to, step };
}

/* Packs the first n rows of `width` as panels of ATTEND_KEYS lanes. */
static void pack(const AttendWork *w, const void *from, int64_t n, int64_t width, int64_t at) {
  for (int64_t i = 0; i < n; i += ATTEND_KEYS) {
    char *to = own(w, at + i * width);
    const int64_t rows = least(ATTEND_KEYS, n - i);
    if (rows < ATTEND_KEYS) memset(to, 0, (size_t)(ATTEND_KEYS * width) * w->chains->size);
    w->chains->turn(after(w, from, i * width), width, to, CHAIN_LANES, rows, width);
  }
}

static Lines panel_at(const AttendWork *w, int64_t at) { return (Lines){ own(w, at), CHAIN_LANES }; }

/* A block of n keys of the current pair, starting at `key`; forwards. */
static Lines keys_at(const AttendWork *w, int64_t key, int64_t n) {
  const Attend *a = w->a;
  if (a->lanes == 0) return panel_at(w, w->workspace.keys + key * a->width);
  const char *from = after(w, a->k, w->pair * a->width * a->lanes + key);
  if (key + padded(n) <= a->lanes && a->lanes <= MOST_STEP) return (Lines){ from, a->lanes };
  char *to = own(w, w->workspace.keys);
  for (int64_t s = 0; s < a->width; s++)
    memcpy(to + (size_t)(s * CHAIN_LANES) * w->chains->size, from + (size_t)(s * a->lanes) * w->chains->size,
           (size_t)n * w->chains->size);
  return panel_at(w, w->workspace.keys);
}

/* to += from, for n elements of the workspace. */
static void add_chain(const AttendWork *w, int64_t to, int64_t from, int64_t n) {
  w->chains->add(own(w, from), own(w, to), n);
}

/* tile = rows by the panel's n keys, over the width in the order of product_order.h. */
static void multiply(const AttendWork *w, const void *rows, int64_t n_rows, int64_t width, Lines panel, int64_t n,
                     int64_t tile) {
  int32_t line[CHAIN_STEPS];
  for (int64_t s = 0; s < least(CHAIN_STEPS, width); s++) line[s] = (int32_t)(s * panel.step);
  for (int64_t first = 0; first < width; first += PRODUCT_CHAIN) {
    const int64_t to = first ? w->workspace.part : tile, end = least(width, first + PRODUCT_CHAIN);
    for (int64_t s = first; s < end; s += CHAIN_STEPS)
      (s > first ? w->chains->run : w->chains->begin)(n_rows, least(CHAIN_STEPS, end - s), after(w, rows, s), width,
                                                      after(w, panel.at, s * panel.step), line, own(w, to), padded(n));
    if (first) add_chain(w, tile, to, n_rows * CHAIN_LANES);
  }
}

/* Continues rows of sums of `width` over n lines starting at `first`: sums[r] += tile[r][s] line[s] or, with `across`,
** tile[s][r] line[s]. A chunk of all sums has `apart` rows. */
static void mix(const AttendWork *w, const void *tile, bool across, int64_t n_rows, const Lines *x, int64_t first,
                int64_t n, int64_t width, void *sums, int64_t apart) {
  int32_t line[CHAIN_STEPS];
  for (int64_t s = 0; s < n; s++) line[s] = (int32_t)(s * x->step);
  for (int64_t l = 0; l < padded(width); l += CHAIN_LANES) {
    const int64_t lanes = least(CHAIN_LANES, padded(width) - l);
    const char *from = after(w, x->at, first * x->step + l);
    char *to = (char *)sums + (size_t)(l * apart) * w->chains->size;
    if (across) w->chains->run_across(n_rows, n, tile, from, line, to, lanes);
    else w->chains->run(n_rows, n, tile, CHAIN_LANES, from, line, to, lanes);
  }
}

/* Writes chunked sums as rows of `width`. */
static void put_out(const AttendWork *w, const void *sums, int64_t n_rows, int64_t apart, int64_t width, void *to) {
  for (int64_t l = 0; l < width; l += CHAIN_LANES)
    for (int64_t r = 0; r < n_rows; r++)
      memcpy((char *)to + (size_t)(r * width + l) * w->chains->size, after(w, sums, l * apart + r * CHAIN_LANES),
             (size_t)least(CHAIN_LANES, width - l) * w->chains->size);
}

static void clear(const AttendWork *w, int64_t at, int64_t elements) {
  memset(own(w, at), 0, (size_t)elements * w->chains->size);
}

/* ---- Rows of a tile --------------------------------------------------------------------------------------------- */

/* Queries [first, first + n) of the current head, and the block of keys starting at `key`. */
typedef struct Tile { int64_t first, n, key; } Tile;

/* Sets which keys of the block the tile's query `row` sees; returns the number without regard to the mask. */
static int64_t look(const AttendWork *w, const Tile *t, int64_t row, uint8_t *seen) {
  const int64_t query = t->first + row, n = attend_seen(w->a, w->batch, query) - t->key;
  if (n <= 0) return 0;
  if (w->a->mask) attend_masked(w->a, w->batch, w->head, query, t->key, least(n, ATTEND_KEYS), seen);
  return least(n, ATTEND_KEYS);
}

/* For loops over lanes with nested work: gcc would unroll them and then not vectorize them. */
#define LANE_LOOP TREE_MAX_LOOP

#define ROWS(code, T, suffix)                                                                             \
  /* Scores of unseen keys become -infinity. */                                                           \
  HL_INLINE void scale_##suffix(const AttendWork *w, T *s, int64_t n, const uint8_t *seen) {              \
    const T scale = (T)w->a->scale;                                                                       \
    if (n == ATTEND_KEYS) IVDEP for (int64_t i = 0; i < ATTEND_KEYS; i++) s[i] *= scale;                  \
    else for (int64_t i = 0; i < ATTEND_KEYS; i++) s[i] = i < n ? s[i] * scale : (T)-INFINITY;            \
    if (w->a->mask) for (int64_t i = 0; i < n; i++) if (!seen[i]) s[i] = (T)-INFINITY;                    \
  }                                                                                                       \
  static void weigh_##suffix(const AttendWork *w, const Tile *t) {                                        \
    uint8_t seen[ATTEND_KEYS];                                                                            \
    T *lanes = own(w, w->workspace.lanes), *turned = own(w, w->workspace.turned), *top = own(w, w->workspace.top); \
    T from[ATTEND_ROWS], c[ATTEND_ROWS];                                                                  \
    for (int64_t r = 0; r < t->n; r++) {                                                                  \
      T *s = (T *)own(w, w->workspace.scores) + r * CHAIN_LANES, *lane = lanes + r * TREE_LANES;          \
      scale_##suffix(w, s, look(w, t, r, seen), seen);                                                    \
      IVDEP LANE_LOOP for (int l = 0; l < TREE_LANES; l++) {                                              \
        T most = s[l];                                                                                    \
        for (int i = TREE_LANES; i < ATTEND_KEYS; i += TREE_LANES) most = TREE_MAX_QUICK(s[i + l], most); \
        lane[l] = most;                                                                                   \
      }                                                                                                   \
    }                                                                                                     \
    w->chains->turn(lanes, TREE_LANES, turned, CHAIN_LANES, t->n, TREE_LANES);                            \
    IVDEP for (int64_t r = 0; r < t->n; r++) {                                                            \
      T most = top[r];                                                                                    \
      for (int l = 0; l < TREE_LANES; l++) most = TREE_MAX_QUICK(turned[l * CHAIN_LANES + r], most);      \
      from[r] = most == (T)-INFINITY ? 0 : most;                                                          \
      c[r] = exp_nonpositive(top[r] - from[r]);                                                           \
      top[r] = most;                                                                                      \
    }                                                                                                     \
    for (int64_t r = 0; r < t->n; r++) {                                                                  \
      T *s = (T *)own(w, w->workspace.scores) + r * CHAIN_LANES;                                          \
      T *sums = (T *)own(w, w->workspace.sums) + r * CHAIN_LANES;                                         \
      T *total = (T *)own(w, w->workspace.total) + r * TREE_LANES;                                        \
      IVDEP for (int64_t i = 0; i < ATTEND_KEYS; i++) s[i] = exp_nonpositive(s[i] - from[r]);             \
      IVDEP LANE_LOOP for (int l = 0; l < TREE_LANES; l++) {                                              \
        T sum = total[l] * c[r];                                                                          \
        for (int i = 0; i < ATTEND_KEYS; i += TREE_LANES) sum += s[i + l];                                \
        total[l] = sum;                                                                                   \
      }                                                                                                   \
      if (c[r] != 1)                                                                                      \
        for (int64_t l = 0; l < chunks_of(w->a->out); l++)                                                \
          IVDEP for (int64_t i = 0; i < CHAIN_LANES; i++) sums[l * ATTEND_ROWS * CHAIN_LANES + i] *= c[r];\
    }                                                                                                     \
  }                                                                                                       \
  static void divide_##suffix(const AttendWork *w, const Tile *t, void *to, void *logsum) {               \
    T *top = own(w, w->workspace.top), *total = own(w, w->workspace.total);                               \
    put_out(w, own(w, w->workspace.sums), t->n, ATTEND_ROWS, w->a->out, to);                              \
    for (int64_t r = 0; r < t->n; r++) {                                                                  \
      T *out = (T *)to + r * w->a->out;                                                                   \
      T *lane = total + r * TREE_LANES;                                                                   \
      for (int half = TREE_LANES / 2; half > 0; half /= 2)                                                \
        for (int l = 0; l < half; l++) lane[l] += lane[l + half];                                         \
      const T sum = lane[0];                                                                              \
      if (sum != 0) for (int64_t i = 0; i < w->a->out; i++) out[i] /= sum;                                \
      if (logsum) ((T *)logsum)[r] = sum != 0 ? top[r] + log(sum) : (T)-INFINITY;                         \
    }                                                                                                     \
  }                                                                                                       \
  static void begin_##suffix(const AttendWork *w, int64_t rows) {                                         \
    T *top = own(w, w->workspace.top), *total = own(w, w->workspace.total);                               \
    for (int64_t r = 0; r < rows; r++) top[r] = (T)-INFINITY;                                             \
    for (int64_t i = 0; i < rows * TREE_LANES; i++) total[i] = 0;                                         \
  }                                                                                                       \
  /* Turns scores into weights, and products of g and values into their gradients; total: dot, top: logsum. */\
  static void weigh_back_##suffix(const AttendWork *w, const Tile *t) {                                   \
    const T scale = (T)w->a->scale;                                                                       \
    uint8_t seen[ATTEND_KEYS];                                                                            \
    for (int64_t r = 0; r < t->n; r++) {                                                                  \
      T *s = (T *)own(w, w->workspace.scores) + r * CHAIN_LANES;                                          \
      T *x = (T *)own(w, w->workspace.mixed) + r * CHAIN_LANES;                                           \
      const T logsum = ((T *)own(w, w->workspace.top))[r], dot = ((T *)own(w, w->workspace.total))[r];    \
      const int64_t n = look(w, t, r, seen);                                                              \
      if (logsum == (T)-INFINITY || n == 0) {                                                             \
        memset(s, 0, ATTEND_KEYS * sizeof(T));                                                            \
        memset(x, 0, ATTEND_KEYS * sizeof(T));                                                            \
        continue;                                                                                         \
      }                                                                                                   \
      scale_##suffix(w, s, n, seen);                                                                      \
      IVDEP for (int64_t i = 0; i < ATTEND_KEYS; i++) {                                                   \
        s[i] = exp_nonpositive(s[i] - logsum);                           /* no score exceeds logsum */    \
        x[i] = s[i] * (x[i] - dot) * scale;                                                               \
      }                                                                                                   \
    }                                                                                                     \
  }                                                                                                       \
  static void begin_back_##suffix(const AttendWork *w, const Tile *t, int64_t row) {                      \
    T *top = own(w, w->workspace.top), *total = own(w, w->workspace.total);                               \
    for (int64_t r = 0; r < t->n; r++) {                                                                  \
      const T *g = (const T *)w->a->g + (row + r) * w->a->out, *y = (const T *)w->a->result + (row + r) * w->a->out; \
      double dot;                                                                                         \
      TREE_FOLD(dot, T, double, w->a->out, 0, TREE_ADD, g[i] * y[i]);                                     \
      total[r] = (T)dot;                                                                                  \
      top[r] = ((const T *)w->a->logsum)[row + r];                                                        \
    }                                                                                                     \
  }
EACH_FLOAT(ROWS)

#define BY_DTYPE(a, f) ((a)->dtype == DT_FLOAT64 ? f##_f64 : f##_f32)

/* The number of keys that any query of the tile sees. */
static int64_t seen_by(const AttendWork *w, const Tile *t) { return attend_seen(w->a, w->batch, t->first + t->n - 1); }

/* ---- Forwards --------------------------------------------------------------------------------------------------- */

typedef struct AttendLoop { const Attend *a; const Call *c; } AttendLoop;

static void turn_to(AttendWork *w, int64_t pair, bool back) {
  const Attend *a = w->a;
  w->pair = pair;
  w->batch = pair / (a->heads / a->shared);
  const int64_t n = attend_seen(a, w->batch, a->queries - 1);
  const void *k = after(w, a->k, pair * a->keys * a->width), *v = after(w, a->v, pair * a->keys * a->out);
  if (a->lanes == 0) pack(w, k, n, a->width, w->workspace.keys);
  if (back) {
    pack(w, v, n, a->out, w->workspace.values);
    w->keys = lines_of(w, k, n, a->width, w->workspace.key_lines);
    return;
  }
  w->last = n > 0 && a->out >= CHAIN_VECTOR ? (n - 1) / ATTEND_KEYS * ATTEND_KEYS : 0;
  w->values = (Lines){ v, a->out };
  w->last_values = lines_of(w, after(w, v, w->last * a->out), n - w->last, a->out, w->workspace.value_lines);
}

static void attend_tile(AttendWork *w, Tile t) {
  const Attend *a = w->a;
  const int64_t row = (w->batch * a->heads + w->head) * a->queries + t.first, n = seen_by(w, &t);
  const void *q = after(w, a->q, row * a->width);
  const void *scores = own(w, w->workspace.scores);
  for (int64_t l = 0; l < chunks_of(a->out); l++)
    clear(w, w->workspace.sums + l * ATTEND_ROWS * CHAIN_LANES, t.n * CHAIN_LANES);
  BY_DTYPE(a, begin)(w, t.n);
  for (t.key = 0; t.key < n; t.key += ATTEND_KEYS) {
    const int64_t keys = least(ATTEND_KEYS, n - t.key);
    multiply(w, q, t.n, a->width, keys_at(w, t.key, keys), keys, w->workspace.scores);
    BY_DTYPE(a, weigh)(w, &t);
    const bool last = t.key >= w->last;
    mix(w, scores, false, t.n, last ? &w->last_values : &w->values, last ? t.key - w->last : t.key, keys, a->out,
        own(w, w->workspace.sums), ATTEND_ROWS);
  }
  BY_DTYPE(a, divide)(w, &t, (char *)a->result + (size_t)(row * a->out) * w->chains->size,
                      a->logsum ? (char *)a->logsum + (size_t)row * w->chains->size : NULL);
}

static void forward_items(void *context, int64_t first, int64_t last) {
  const AttendLoop *loop = context;
  const Attend *a = loop->a;
  AttendWork w = work_of(loop->c, a, false);
  for (int64_t i = first; i < last && !interrupted(); i++) {
    const int64_t tile = i % tiles_of(a), head = i / tiles_of(a), pair = head / a->shared;
    if (pair != w.pair) turn_to(&w, pair, false);
    w.head = head % a->heads;
    attend_tile(&w, (Tile){ .first = tile * ATTEND_ROWS, .n = least(ATTEND_ROWS, a->queries - tile * ATTEND_ROWS) });
  }
}

/* ---- Backwards -------------------------------------------------------------------------------------------------- */

/* Offsets of the summed gradients. */
typedef struct Gradients { int64_t keys, values; } Gradients;

static void back_tile(AttendWork *w, Tile t, Gradients into) {
  const Attend *a = w->a;
  const AttendWorkspace *at = &w->workspace;
  const int64_t row = (w->batch * a->heads + w->head) * a->queries + t.first, n = seen_by(w, &t);
  const int64_t size = chunks_of(a->width) * ATTEND_ROWS * CHAIN_LANES;
  const void *q = after(w, a->q, row * a->width), *g = after(w, a->g, row * a->out);
  const Lines q_lines = lines_of(w, q, t.n, a->width, at->query_lines);
  const Lines g_lines = lines_of(w, g, t.n, a->out, at->g_lines);
  const void *scores = own(w, at->scores), *mixed = own(w, at->mixed);
  clear(w, at->sums, size);
  BY_DTYPE(a, begin_back)(w, &t, row);
  for (t.key = 0; t.key < n; t.key += ATTEND_KEYS) {
    const int64_t keys = least(ATTEND_KEYS, n - t.key), end = t.key + keys;
    const bool later = t.key >= PRODUCT_CHAIN;
    multiply(w, q, t.n, a->width, panel_at(w, at->keys + t.key * a->width), keys, at->scores);
    multiply(w, g, t.n, a->out, panel_at(w, at->values + t.key * a->out), keys, at->mixed);
    BY_DTYPE(a, weigh_back)(w, &t);
    if (later && t.key % PRODUCT_CHAIN == 0) clear(w, at->sums_chain, size);
    mix(w, mixed, false, t.n, &w->keys, t.key, keys, a->width, own(w, later ? at->sums_chain : at->sums), ATTEND_ROWS);
    if (later && (end % PRODUCT_CHAIN == 0 || end == n)) add_chain(w, at->sums, at->sums_chain, size);
    mix(w, scores, true, keys, &g_lines, 0, t.n, a->out, own(w, into.values + t.key * CHAIN_LANES), a->keys);
    mix(w, mixed, true, keys, &q_lines, 0, t.n, a->width, own(w, into.keys + t.key * CHAIN_LANES), a->keys);
  }
  put_out(w, own(w, at->sums), t.n, ATTEND_ROWS, a->width, (char *)a->dq + (size_t)(row * a->width) * w->chains->size);
}

/* A chain of the gradients of keys and values: the current head's queries starting at `first`. */
static void back_chain(AttendWork *w, int64_t first, Gradients into) {
  const int64_t end = least(w->a->queries, first + PRODUCT_CHAIN);
  for (int64_t i = first; i < end && !interrupted(); i += ATTEND_ROWS)
    back_tile(w, (Tile){ .first = i, .n = least(ATTEND_ROWS, end - i) }, into);
}

static void backward_items(void *context, int64_t first, int64_t last) {
  const AttendLoop *loop = context;
  const Attend *a = loop->a;
  AttendWork w = work_of(loop->c, a, true);
  const AttendWorkspace *at = &w.workspace;
  const int64_t of_keys = chunks_of(a->width) * a->keys * CHAIN_LANES;
  const int64_t of_values = chunks_of(a->out) * a->keys * CHAIN_LANES, of_head = parts(a->queries, PRODUCT_CHAIN);
  for (int64_t pair = first; pair < last && !interrupted(); pair++) {
    turn_to(&w, pair, true);
    clear(&w, at->of_keys, of_keys);
    clear(&w, at->of_values, of_values);
    for (int64_t i = 0; i < chains_of_pair(a) && !interrupted(); i++) {
      w.head = pair % (a->heads / a->shared) * a->shared + i / of_head;
      const Gradients into = i == 0 ? (Gradients){ at->of_keys, at->of_values }
                                    : (Gradients){ at->keys_chain, at->values_chain };
      if (i > 0) clear(&w, into.keys, of_keys), clear(&w, into.values, of_values);
      back_chain(&w, i % of_head * PRODUCT_CHAIN, into);
      if (i > 0) add_chain(&w, at->of_keys, into.keys, of_keys), add_chain(&w, at->of_values, into.values, of_values);
    }
    put_out(&w, own(&w, at->of_keys), a->keys, a->keys, a->width,
            (char *)a->dk + (size_t)(pair * a->keys * a->width) * w.chains->size);
    put_out(&w, own(&w, at->of_values), a->keys, a->keys, a->out,
            (char *)a->dv + (size_t)(pair * a->keys * a->out) * w.chains->size);
  }
}

/* ---- Both ------------------------------------------------------------------------------------------------------- */

static Status run_items(const Attend *a, const Call *c, bool back) {
  const double each = (double)least(a->queries, ATTEND_ROWS) * (double)a->keys * (double)(a->width + a->out);
  const int64_t grain = back || each >= 65536 ? 1 : (int64_t)(65536 / (each + 1)) + 1;
  if (items_of(a, back) == 0) return OK;
  parallel_for(items_of(a, back), grain, back ? backward_items : forward_items, &(AttendLoop){ a, c });
  return interrupt_status();
}

Status attend_forward(const Attend *a, const Call *c) { return run_items(a, c, false); }
Status attend_backward(const Attend *a, const Call *c) { return run_items(a, c, true); }
