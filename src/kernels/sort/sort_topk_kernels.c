/* sort_topk_kernels.c - kernels of sort, argsort and topk.
**
** A line is the elements along the axis at one position of the other axes. Its elements become keys (sort_keys.h),
** which are sorted; if indices are requested, keys and indices are sorted together, so that equal elements keep their
** order. For the first k of a long line, only elements below a bound are sorted. A sample of the line estimates the
** bound; if it was too low, all elements are sorted. Threads share the lines, each with its own buffers; along axes
** other than the last, blocks of columns are copied to lines first.
*/
#include <math.h>
#include <string.h>

#include "base/size_math.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/axis_blocks.h"
#include "kernels/loops/kernel_calls.h"
#include "kernels/loops/sort_keys.h"
#include "ops/sort/sort_topk.h"
#include "tensor/cast_copy.h"

/* sort returns whole lines of values. */
enum { WHOLE_VALUES = TOPK_BOTH + 1 };

/* ---- Sorting lines --------------------------------------------------------------------------------- */

/* BLOCK: columns in a block. LONG: least length of a line that is sampled; SAMPLE: most elements of a sample. STRETCH:
** elements whose keys are computed together; FEW: elements compared together. */
enum { BLOCK = 16, LONG = 256, SAMPLE = 1024, STRETCH = 256, FEW = 32 };

/* One call. Its results, NULL if not requested, are the first k of each line: values, indices (`places`), or a mask
** with 1 at their indices. */
typedef struct Sorting {
  KeyOrder order;
  Along a;
  int64_t k;
  const Tensor *data;
  Tensor *values, *places, *mask;
  bool pairs;                        /* keys are sorted together with places */
  size_t size, place_size;           /* bytes per element, per place */
  int64_t blocks, width;             /* number of blocks; lines in each: 1, or BLOCK columns */
  size_t key_bytes;
  const Call *c;
} Sorting;

/* Plans the buffers of a thread and returns their bytes: keys twice and, if lines are columns, copies of a block and of
** its results. */
static size_t plan_buffers(Sorting *s) {
  size_t key = s->pairs       ? (s->size <= 4 ? sizeof(uint64_t) : sizeof(WideKey))
               : s->size <= 4 ? sizeof(uint32_t)
                              : sizeof(uint64_t);
  s->width = s->a.inner == 1 ? 1 : BLOCK;
  s->key_bytes = whole_lines((size_t)(s->a.n + 1) * key);      /* + 1: COLLECT writes uncounted keys too */
  s->blocks = s->a.outer * ((s->a.inner + s->width - 1) / s->width);
  if (s->width == 1) return 2 * s->key_bytes;
  return 2 * s->key_bytes + BLOCK * (whole_lines((size_t)s->a.n * s->size) + whole_lines((size_t)s->k * s->size) +
                                     whole_lines((size_t)s->k * s->place_size) + whole_lines((size_t)s->a.n * s->size));
}

static uint64_t key_at(const Sorting *s, const void *x, int64_t i) {
  uint32_t narrow;
  uint64_t wide;
  const char *at = (const char *)x + (size_t)i * s->size;
  if (s->size > 4) keys_64(s->order, at, 1, &wide);
  else keys_32(s->order, at, 1, &narrow), wide = narrow;
  return wide;
}

/* Estimates from a sample a bound that somewhat more than k keys of the line do not exceed. */
static uint64_t guess_bound(const Sorting *s, const void *x) {
  uint64_t sample[SAMPLE], other[SAMPLE];
  const int64_t size = s->a.n / 16 < 64 ? 64 : s->a.n / 16 < SAMPLE ? s->a.n / 16 : SAMPLE;
  double share = (double)s->k * (double)size / (double)s->a.n;
  int64_t rank = (int64_t)(share + 4 * sqrt(share) + 4);
  for (int64_t i = 0; i < size; i++) sample[i] = key_at(s, x, i * (s->a.n - 1) / (size - 1));
  return sort_64(sample, other, size)[rank < size ? rank : size - 1];
}

/* Writes keys and places of the line's elements whose key is at most `bound`; returns their number. */
#define COLLECT(name, K, keys_of, T, put)                                                                   \
  static int64_t name(const Sorting *s, const char *x, K bound, T *out) {                                   \
    K key[STRETCH];                                                                                         \
    int64_t count = 0;                                                                                      \
    for (int64_t at = 0; at < s->a.n && !interrupted(); at += STRETCH) {                                    \
      const int64_t n = s->a.n - at < STRETCH ? s->a.n - at : STRETCH;                                      \
      keys_of(s->order, x + (size_t)at * s->size, n, key);                                                  \
      if (bound == (K)~(K)0) {                                                                              \
        for (int64_t i = 0; i < n; i++) out[at + i] = put;                                                  \
        count += n;                                                                                         \
        continue;                                                                                           \
      }                                                                                                     \
      for (int64_t i = n; i < STRETCH; i++) key[i] = ~(K)0;                                                 \
      for (int64_t part = 0; part < STRETCH; part += FEW) {                                                 \
        int any = 0;                                                                                        \
        for (int64_t i = part; i < part + FEW; i++) any |= key[i] <= bound;                                 \
        for (int64_t i = part; any && i < part + FEW; i++) {                                                \
          out[count] = put;                                                                                 \
          count += key[i] <= bound;                                                                         \
        }                                                                                                   \
      }                                                                                                     \
    }                                                                                                       \
    return count;                                                                                           \
  }
COLLECT(collect_pairs, uint32_t, keys_32, uint64_t, ((uint64_t)key[i] << 32 | (uint64_t)(at + i)))
COLLECT(collect_wide, uint64_t, keys_64, WideKey, ((WideKey){ key[i], at + i }))

/* The line's keys with places, sorted at least up to the first k. Short elements have places of 32 bits, which suffice:
** see infer_line. */
static const void *sorted_places(const Sorting *s, const char *x, char *buffer) {
  const bool wide = s->size > 4;
  void *a = buffer, *b = buffer + s->key_bytes;
  int64_t n = s->a.n, count = 0;
  if (n >= LONG && s->k < n / 8) {
    uint64_t bound = guess_bound(s, x);
    count = wide ? collect_wide(s, x, bound, a) : collect_pairs(s, x, (uint32_t)bound, a);
  }
  if (count < s->k) count = wide ? collect_wide(s, x, UINT64_MAX, a) : collect_pairs(s, x, UINT32_MAX, a);
  return wide ? (const void *)sort_wide(a, b, count) : sort_pairs(a, b, count);
}

static int64_t place_of(const Sorting *s, const void *sorted, int64_t i) {
  return s->size > 4 ? ((const WideKey *)sorted)[i].place : (int64_t)(uint32_t)((const uint64_t *)sorted)[i];
}

#define COPY_PLACES(T)                                                                                      \
  for (int64_t i = 0; i < s->k; i++) ((T *)values)[i] = ((const T *)x)[place_of(s, sorted, i)]

static void put_places(const Sorting *s, const char *x, const void *sorted, char *values, char *places, char *mask) {
  if (values) {
    switch (s->size) {
      case 1: COPY_PLACES(uint8_t); break;
      case 2: COPY_PLACES(uint16_t); break;
      case 4: COPY_PLACES(uint32_t); break;
      default: COPY_PLACES(uint64_t);
    }
  }
  for (int64_t at = 0; places && at < s->k; at += STRETCH) {
    int64_t piece[STRETCH], n = s->k - at < STRETCH ? s->k - at : STRETCH;
    for (int64_t i = 0; i < n; i++) piece[i] = place_of(s, sorted, at + i);
    convert(DT_INT64, piece, s->places->type.dtype, places + (size_t)at * s->place_size, n);
  }
  if (mask) {
    char one[8];
    convert(DT_INT64, &(int64_t){ 1 }, s->order.dtype, one, 1);
    memset(mask, 0, (size_t)s->a.n * s->size);
    for (int64_t i = 0; i < s->k; i++) memcpy(mask + (size_t)place_of(s, sorted, i) * s->size, one, s->size);
  }
}

/* Zeros of both signs are equal, so this restores their order in the line. */
#define ORDER_ZEROS(name, T)                                                                                \
  static void name(const T *x, int64_t n, bool descending, T *sorted) {                                     \
    int64_t low = 0, high = n;                                                                              \
    while (low < high) {                                                                                    \
      const int64_t middle = low + (high - low) / 2;                                                        \
      if (descending ? sorted[middle] > 0 : sorted[middle] < 0) low = middle + 1;                           \
      else high = middle;                                                                                   \
    }                                                                                                       \
    int64_t zeros = 0, minus = 0;                                                                           \
    for (; low + zeros < n && sorted[low + zeros] == 0; zeros++) minus += signbit(sorted[low + zeros]) != 0; \
    if (minus == 0 || minus == zeros) return;                                                               \
    for (int64_t i = 0; i < n; i++) if (x[i] == 0) sorted[low++] = x[i];                                    \
  }
ORDER_ZEROS(order_zeros_f32, float)
ORDER_ZEROS(order_zeros_f64, double)

/* Sorts all values of a line, without places. */
static void sort_values(const Sorting *s, const char *x, char *buffer, char *values) {
  void *a = s->size < 4 ? buffer : values, *b = buffer + s->key_bytes; /* keys of 4 bytes or more fit in values */
  int64_t n = s->a.n;
  if (s->size <= 4) {
    keys_32(s->order, x, n, a);
    keys_back_32(s->order, sort_32(a, b, n), n, values);
  } else {
    keys_64(s->order, x, n, a);
    keys_back_64(s->order, sort_64(a, b, n), n, values);
  }
  if (s->order.dtype == DT_FLOAT32) order_zeros_f32((const void *)x, n, s->order.descending, (void *)values);
  if (s->order.dtype == DT_FLOAT64) order_zeros_f64((const void *)x, n, s->order.descending, (void *)values);
}

static void sort_line(const Sorting *s, const char *x, char *buffer, char *values, char *places, char *mask) {
  if (s->pairs) put_places(s, x, sorted_places(s, x, buffer), values, places, mask);
  else sort_values(s, x, buffer, values);
}

/* ---- Blocks of lines ------------------------------------------------------------------------------ */

static char *line_of(const Tensor *t, int64_t line, int64_t length) {
  return t ? (char *)t->data + (size_t)(line * length) * dtype_size(t->type.dtype) : NULL;
}

/* Copies `width` columns of n elements, `inner` apart, to lines that are `line_bytes` apart; `back` copies the other
** way. */
#define MOVE_COLUMNS(T)                                                                                     \
  for (int64_t i = 0; i < n; i++)                                                                           \
    for (int64_t w = 0; w < width; w++) {                                                                   \
      T *const column = (T *)array + i * inner + w, *const line = (T *)(lines + (size_t)w * line_bytes) + i; \
      if (back) *column = *line;                                                                            \
      else *line = *column;                                                                                 \
    }

static void move_columns(void *array, int64_t n, int64_t inner, int64_t width, size_t size, char *lines,
                         size_t line_bytes, bool back) {
  switch (size) {
    case 1: MOVE_COLUMNS(uint8_t) break;
    case 2: MOVE_COLUMNS(uint16_t) break;
    case 4: MOVE_COLUMNS(uint32_t) break;
    default: MOVE_COLUMNS(uint64_t)
  }
}

/* The part of a result that belongs to a block of columns, and the lines in which it is computed. */
typedef struct SortedPart { Tensor *out; int64_t n; size_t size, line_bytes; char *lines; } SortedPart;

static SortedPart part_of(Tensor *out, int64_t n, size_t size, char **buffer) {
  SortedPart p = { out, n, size, whole_lines((size_t)n * size), *buffer };
  if (out) *buffer += BLOCK * p.line_bytes;
  return p;
}

static char *part_line(const SortedPart *p, int64_t w) { return p->out ? p->lines + (size_t)w * p->line_bytes : NULL; }

static void part_back(const SortedPart *p, const Sorting *s, int64_t outer, int64_t column, int64_t width) {
  if (!p->out) return;
  char *array = (char *)p->out->data + (size_t)(outer * p->n * s->a.inner + column) * p->size;
  move_columns(array, p->n, s->a.inner, width, p->size, p->lines, p->line_bytes, true);
}

static void sort_columns(const Sorting *s, int64_t outer, int64_t column, char *buffer) {
  int64_t width = s->a.inner - column < BLOCK ? s->a.inner - column : BLOCK;
  size_t line_bytes = whole_lines((size_t)s->a.n * s->size);
  char *lines = buffer + 2 * s->key_bytes, *rest = lines + BLOCK * line_bytes;
  char *array = (char *)s->data->data + (size_t)(outer * s->a.n * s->a.inner + column) * s->size;
  SortedPart values = part_of(s->values, s->k, s->size, &rest), places = part_of(s->places, s->k, s->place_size, &rest);
  SortedPart mask = part_of(s->mask, s->a.n, s->size, &rest);
  move_columns(array, s->a.n, s->a.inner, width, s->size, lines, line_bytes, false);
  for (int64_t w = 0; w < width; w++)
    sort_line(s, lines + (size_t)w * line_bytes, buffer, part_line(&values, w), part_line(&places, w),
              part_line(&mask, w));
  part_back(&values, s, outer, column, width);
  part_back(&places, s, outer, column, width);
  part_back(&mask, s, outer, column, width);
}

static void sort_blocks(void *context, int64_t first, int64_t last) {
  const Sorting *s = context;
  char *buffer = call_thread_workspace(s->c);
  int64_t of_outer = s->a.outer > 0 ? s->blocks / s->a.outer : 0;
  for (int64_t b = first; b < last && !interrupted(); b++) {
    if (s->a.inner > 1) sort_columns(s, b / of_outer, b % of_outer * BLOCK, buffer);
    else
      sort_line(s, line_of(s->data, b, s->a.n), buffer, line_of(s->values, b, s->k), line_of(s->places, b, s->k),
                line_of(s->mask, b, s->a.n));
  }
}

/* ---- Calls ---------------------------------------------------------------------------------------- */

/* sort and argsort as parameters of topk. */
static TopkParams sort_params(const SortParams *p) {
  return (TopkParams){ .axis = p->axis, .ret_typ = WHOLE_VALUES, .is_ascend = p->is_ascend };
}
static TopkParams argsort_params(const ArgsortParams *p) {
  return (TopkParams){ .axis = p->axis, .ret_typ = TOPK_INDICES, .is_ascend = p->is_ascend, .dtype = p->dtype };
}

static Sorting sorting_of(const Type *in, const TopkParams *p) {
  const bool pairs = p->ret_typ != WHOLE_VALUES;
  Along a = lines_along(&in->shape, p->axis);
  return (Sorting){ .order = { .dtype = in->dtype, .descending = !p->is_ascend, .one_zero = pairs },
                    .a = a,
                    .k = p->k > 0 ? p->k : a.n,
                    .pairs = pairs,
                    .size = dtype_size(in->dtype),
                    .place_size = pairs ? dtype_size((DType)p->dtype) : 0 };
}

static Status run_sorting(Call *c, TopkParams p) {
  Sorting s = sorting_of(&c->in[0]->type, &p);
  s.data = c->in[0];
  s.c = c;
  *(p.ret_typ == TOPK_MASK ? &s.mask : p.ret_typ == TOPK_INDICES ? &s.places : &s.values) = c->out[0];
  if (c->n_out > 1 && c->out[1]->data) s.places = c->out[1];
  if (s.a.n == 0 || s.a.outer == 0 || s.a.inner == 0) return OK;
  (void)plan_buffers(&s);
  return run_parallel(s.blocks, 4096 / (s.a.n * s.width) + 1, sort_blocks, &s);
}

static Status sorting_workspace(const Query *q, TopkParams p, Workspace *w) {
  Sorting s = sorting_of(query_in(q, 0), &p);
  const size_t bytes = plan_buffers(&s);
  w->thread_bytes = workspace_by_items(s.blocks, bytes, &w->most_threads);
  return OK;
}

static Status sort(Call *c) { return run_sorting(c, sort_params(c->params)); }
static Status argsort(Call *c) { return run_sorting(c, argsort_params(c->params)); }
static Status topk(Call *c) { return run_sorting(c, *(const TopkParams *)c->params); }

static Status sort_workspace(const Query *q, Workspace *w) { return sorting_workspace(q, sort_params(q->params), w); }
static Status argsort_workspace(const Query *q, Workspace *w) {
  return sorting_workspace(q, argsort_params(q->params), w);
}
static Status topk_workspace(const Query *q, Workspace *w) {
  return sorting_workspace(q, *(const TopkParams *)q->params, w);
}

#define SORT_SIZES BLOCK_SIZES(BLOCK, FEW, LONG, SAMPLE)

const Kernel sort_topk_kernels[] = {
  { .op = "sort", .types = ALL_TYPES, .run = sort, .workspace = sort_workspace, SORT_SIZES },
  { .op = "argsort", .types = ALL_TYPES, .run = argsort, .workspace = argsort_workspace, SORT_SIZES },
  { .op = "topk", .types = ALL_TYPES, .run = topk, .workspace = topk_workspace, SORT_SIZES },
  { 0 },
};
