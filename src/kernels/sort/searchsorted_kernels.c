/* searchsorted_kernels.c - kernels of searching and counting.
**
** Values are compared in one dtype: their common one, int64 for different integers, else float64. A NaN is greater than
** all numbers, as in NumPy. The sorted values are converted to that dtype in the workspace, the values to find in small
** pieces.
*/
#include <math.h>
#include <string.h>

#include "base/math/scalar_functions.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "kernels/loops/sort_keys.h"
#include "ops/sort/searchsorted.h"
#include "tensor/cast_copy.h"

enum { STRETCH = 512 };

/* ---- Binary search --------------------------------------------------------------------------------- */

static DType common_dtype(DType a, DType b) {
  bool whole = !dtype_is_float(a) && !dtype_is_float(b);
  if (a == b && (a == DT_FLOAT32 || a == DT_FLOAT64 || a == DT_INT32 || a == DT_INT64)) return a;
  return whole ? DT_INT64 : DT_FLOAT64;
}

/* n sorted values starting with `first`. `step` is 1, or -1 if they descend and are read from their end. */
typedef struct Ladder {
  const void *first;
  int64_t n, step;
  DType dtype;
  bool right;              /* find positions after equal values, not before */
} Ladder;

#define BEFORE(x, y) (((x) < (y)) | (((y) != (y)) & ((x) == (x))))
#define GOES_UP(x, y) (l->right ? !BEFORE(x, y) : BEFORE(y, x))
/* The loop has no branches, because half of them would be mispredicted. */
#define FIND(T, suffix)                                                                                 \
  static void find_##suffix(const Ladder *l, const T *v, int64_t n, int64_t *place) {                   \
    const T *const first = l->first;                                                                    \
    for (int64_t i = 0; i < n; i++) {                                                                   \
      const T x = v[i];                                                                                 \
      int64_t low = 0, length = l->n;                                                                   \
      for (; length > 1; length -= length / 2) {                                                        \
        const int64_t half = length / 2;                                                                \
        const T y = first[(low + half - 1) * l->step];                                                  \
        low += GOES_UP(x, y) ? half : 0;                                                                \
      }                                                                                                 \
      place[i] = low + (length == 1 && GOES_UP(x, first[low * l->step]));                               \
    }                                                                                                   \
  }
/* clang-format off */
FIND(float, f32) FIND(double, f64) FIND(int32_t, i32) FIND(int64_t, i64)
  /* clang-format on */

  static void find_places(const Ladder *l, const void *v, int64_t n, int64_t *place) {
  switch (l->dtype) {
    case DT_FLOAT32: find_f32(l, v, n, place); break;
    case DT_FLOAT64: find_f64(l, v, n, place); break;
    case DT_INT32: find_i32(l, v, n, place); break;
    default: find_i64(l, v, n, place);
  }
}

/* Elements [first, first + n) of t as `dtype`: t's memory, or `buffer` if they are converted. */
static const void *elements_as(const Tensor *t, int64_t first, int64_t n, DType dtype, void *buffer) {
  const char *x = (const char *)t->data + (size_t)first * dtype_size(t->type.dtype);
  if (t->type.dtype == dtype) return x;
  convert(t->type.dtype, x, dtype, buffer, n);
  return buffer;
}

typedef struct SortedSearch {
  Ladder ladder;
  const Tensor *values;
  Tensor *out;
  bool falling, invert;
} SortedSearch;

static void search_piece(void *context, int64_t first, int64_t last) {
  const SortedSearch *s = context;
  int64_t place[STRETCH], buffer[STRETCH];
  for (int64_t at = first; at < last && !interrupted(); at += STRETCH) {
    int64_t n = last - at < STRETCH ? last - at : STRETCH;
    find_places(&s->ladder, elements_as(s->values, at, n, s->ladder.dtype, buffer), n, place);
    for (int64_t i = 0; s->falling && i < n; i++) place[i] = s->ladder.n - place[i];
    convert(DT_INT64, place, s->out->type.dtype, (char *)s->out->data + (size_t)at * dtype_size(s->out->type.dtype), n);
  }
}

static Status search_workspace(const Query *q, Workspace *w) {
  w->bytes = (size_t)shape_size(&query_in(q, 0)->shape) * sizeof(int64_t);
  return OK;
}

static Status digitize_workspace(const Query *q, Workspace *w) {
  w->bytes = (size_t)shape_size(&query_in(q, 1)->shape) * sizeof(int64_t);
  return OK;
}

static Ladder ladder_of(const Call *c, const Tensor *sorted, const Tensor *values, bool right) {
  DType dtype = common_dtype(sorted->type.dtype, values->type.dtype);
  int64_t n = tensor_size(sorted);
  return (Ladder){ elements_as(sorted, 0, n, dtype, c->workspace), n, 1, dtype, right };
}

static Status searchsorted(Call *c) {
  SortedSearch s = { .values = c->in[1], .out = c->out[0] };
  s.ladder = ladder_of(c, c->in[0], c->in[1], ((const SearchParams *)c->params)->side);
  return run_parallel(tensor_size(c->in[1]), 4096, search_piece, &s);
}

/* 1 if the values never descend, -1 if they never ascend, else 0. */
static int direction(const Tensor *t) {
  bool rises = false, falls = false;
  for (int64_t i = 1, n = tensor_size(t); i < n && !(rises && falls); i++) {
    double a = tensor_get(t, i - 1), b = tensor_get(t, i);
    rises |= !(b <= a);
    falls |= !(b >= a);
  }
  return !falls ? 1 : !rises ? -1 : 0;
}

static Status digitize(Call *c) {
  const bool right = ((const DigitizeParams *)c->params)->right;
  SortedSearch s = { .values = c->in[0], .out = c->out[0] };
  int way = direction(c->in[1]);
  if (way == 0) return fail("%s: bins: expected ascending or descending values", c->op->name);
  s.ladder = ladder_of(c, c->in[1], c->in[0], !right);
  s.falling = way < 0;
  if (s.falling && s.ladder.n > 0) {
    s.ladder.first = (const char *)s.ladder.first + (size_t)(s.ladder.n - 1) * dtype_size(s.ladder.dtype);
    s.ladder.step = -1;
  }
  return run_parallel(tensor_size(c->in[0]), 4096, search_piece, &s);
}

/* ---- isin -------------------------------------------------------------------------------------------- */

static DType wide_dtype(DType a, DType b) { return dtype_is_float(a) || dtype_is_float(b) ? DT_FLOAT64 : DT_INT64; }

static Status isin_workspace(const Query *q, Workspace *w) {
  w->bytes = 2 * (size_t)shape_size(&query_in(q, 1)->shape) * sizeof(uint64_t);
  return OK;
}

static void isin_piece(void *context, int64_t first, int64_t last) {
  const SortedSearch *s = context;
  const uint64_t *sorted = s->ladder.first;
  const KeyOrder order = { s->ladder.dtype, false, true };
  int64_t buffer[STRETCH], place[STRETCH];
  uint64_t key[STRETCH];
  bool *out = s->out->data;
  const Ladder l = { .first = sorted, .n = s->ladder.n, .step = 1, .dtype = DT_INT64 };
  for (int64_t at = first; at < last && !interrupted(); at += STRETCH) {
    int64_t n = last - at < STRETCH ? last - at : STRETCH;
    keys_64(order, elements_as(s->values, at, n, order.dtype, buffer), n, key);
    for (int64_t i = 0; i < n; i++) key[i] ^= (uint64_t)1 << 63;      /* signed numbers in the same order */
    find_places(&l, key, n, place);
    for (int64_t i = 0; i < n; i++) {
      const bool nan = order.dtype == DT_FLOAT64 && key[i] == (uint64_t)INT64_MAX;
      const bool there = !nan && place[i] < l.n && sorted[place[i]] == key[i];
      out[at + i] = there != s->invert;
    }
  }
}

static Status isin(Call *c) {
  const Tensor *tests = c->in[1];
  int64_t n = tensor_size(tests);
  DType dtype = wide_dtype(c->in[0]->type.dtype, tests->type.dtype);
  uint64_t *a = c->workspace, *b = a + n;
  if (n > 0) keys_64((KeyOrder){ dtype, false, true }, elements_as(tests, 0, n, dtype, b), n, a);
  uint64_t *sorted = n > 0 ? sort_64(a, b, n) : NULL;
  TRY(interrupt_status());
  for (int64_t i = 0; i < n; i++) sorted[i] ^= (uint64_t)1 << 63;
  SortedSearch s = { .ladder = { .first = sorted, .n = n, .dtype = dtype },
                     .values = c->in[0],
                     .out = c->out[0],
                     .invert = ((const IsinParams *)c->params)->invert };
  return run_parallel(tensor_size(c->in[0]), 4096, isin_piece, &s);
}

/* ---- Runs of equal elements ------------------------------------------------------------------------------------ */

#define RUN_STARTS(T, suffix)                                                                               \
  static Status run_starts_##suffix(Call *c) {                                                              \
    const T *x = c->in[0]->data;                                                                            \
    bool *out = c->out[0]->data;                                                                            \
    const int64_t n = tensor_size(c->in[0]);                                                                \
    if (n > 0) out[0] = true;                                                                               \
    for (int64_t i = 1; i < n; i++) out[i] = (x[i] != x[i - 1]) & ((x[i] == x[i]) | (x[i - 1] == x[i - 1])); \
    return OK;                                                                                              \
  }
RUN_STARTS(float, f32)
RUN_STARTS(double, f64)
RUN_STARTS(uint8_t, u8)          /* of bool and int8, too */
RUN_STARTS(int32_t, i32)
RUN_STARTS(int64_t, i64)

/* ---- argwhere ------------------------------------------------------------------------------------------- */

static Status argwhere_dynamic(const Query *q, Type *out) {
  const Tensor *data = q->in[0];
  int64_t count = 0;
  bool truth[STRETCH];
  for (int64_t at = 0, total = tensor_size(data); at < total && !interrupted(); at += STRETCH) {
    int64_t n = total - at < STRETCH ? total - at : STRETCH;
    const bool *t = elements_as(data, at, n, DT_BOOL, truth);
    for (int64_t i = 0; i < n; i++) count += t[i];
  }
  out[0].shape.dim[0] = count;
  return interrupt_status();
}

static Status argwhere(Call *c) {
  const Shape *s = &c->in[0]->type.shape;
  int64_t *out = c->out[0]->data;
  bool truth[STRETCH];
  for (int64_t at = 0, total = tensor_size(c->in[0]); at < total && !interrupted(); at += STRETCH) {
    int64_t n = total - at < STRETCH ? total - at : STRETCH;
    const bool *t = elements_as(c->in[0], at, n, DT_BOOL, truth);
    for (int64_t i = 0; i < n; i++) {
      if (!t[i]) continue;
      int64_t rest = at + i;
      for (int d = s->ndim - 1; d >= 0; rest /= s->dim[d--]) out[d] = rest % s->dim[d];
      out += s->ndim;
    }
  }
  return interrupt_status();
}

/* ---- bincount --------------------------------------------------------------------------------------------- */

static Status bincount_dynamic(const Query *q, Type *out) {
  const Tensor *data = q->in[0];
  int64_t most = -1;
  for (int64_t i = 0, n = tensor_size(data); i < n && !interrupted(); i++) {
    int64_t x = tensor_get_int(data, i);
    if (x < 0 || (dtype_is_float(data->type.dtype) && (double)x != tensor_get(data, i)))
      return fail("x: expected whole numbers of 0 or more, got %g at %lld", tensor_get(data, i), (long long)i);
    if (x > most) most = x;
  }
  int64_t least = ((const BincountParams *)q->params)->minlength;
  out[0].shape.dim[0] = most + 1 > least ? most + 1 : least;
  return interrupt_status();
}

static Status count_values(Call *c) {
  int64_t *out = c->out[0]->data;
  clear_block(out, tensor_bytes(c->out[0]));
  for (int64_t i = 0, n = tensor_size(c->in[0]); i < n && !interrupted(); i++) out[tensor_get_int(c->in[0], i)]++;
  return interrupt_status();
}

static Status sum_weights(Call *c) {
  double *out = c->out[0]->data;
  clear_block(out, tensor_bytes(c->out[0]));
  for (int64_t i = 0, n = tensor_size(c->in[0]); i < n && !interrupted(); i++)
    out[tensor_get_int(c->in[0], i)] += tensor_get(c->in[1], i);
  return interrupt_status();
}

/* ---- histogram -------------------------------------------------------------------------------------------- */

/* The outer edges of the bins: the given range, else the data's minimum and maximum, of which a NaN is both, widened if
** they are equal. */
static Status histogram_range(const HistogramParams *p, const Tensor *data, double *low, double *high) {
  double buffer[STRETCH];
  int64_t total = tensor_size(data);
  *low = p->range.count == 2 ? list_floats(&p->range)[0] : total > 0 ? INFINITY : 0;
  *high = p->range.count == 2 ? list_floats(&p->range)[1] : total > 0 ? -INFINITY : 1;
  for (int64_t at = 0; p->range.count < 0 && at < total && !interrupted(); at += STRETCH) {
    int64_t n = total - at < STRETCH ? total - at : STRETCH;
    const double *x = elements_as(data, at, n, DT_FLOAT64, buffer);
    for (int64_t i = 0; i < n; i++) {
      *low = minimum(x[i], *low);
      *high = maximum(x[i], *high);
    }
  }
  if (!isfinite(*low) || !isfinite(*high))
    return fail("histogram: data: expected finite elements, got elements from %g to %g; pass range", *low, *high);
  if (*low == *high) *low -= 0.5, *high += 0.5;
  return interrupt_status();
}

/* Counts in bins of equal width: a division finds the bin, and its rounded edges correct it. */
static void count_even(const Tensor *data, double low, double high, int64_t bins, const Tensor *edges, int64_t *count,
                       double *edge) {
  double buffer[STRETCH];
  const double scale = (double)bins / (high - low);
  for (int64_t i = 0; i <= bins; i++) edge[i] = tensor_get(edges, i);
  for (int64_t at = 0, total = tensor_size(data); at < total && !interrupted(); at += STRETCH) {
    int64_t n = total - at < STRETCH ? total - at : STRETCH;
    const double *x = elements_as(data, at, n, DT_FLOAT64, buffer);
    for (int64_t i = 0; i < n; i++) {
      if (!(x[i] >= low && x[i] <= high)) continue;
      int64_t bin = (int64_t)((x[i] - low) * scale);
      if (bin >= bins) bin = bins - 1;
      bin -= x[i] < edge[bin] && bin > 0;
      bin += bin < bins - 1 && x[i] >= edge[bin + 1];
      count[bin]++;
    }
  }
}

/* Counts in bins between given edges; the last bin includes both of its edges. */
static void count_between(const Ladder *edges, const Tensor *data, int64_t *count) {
  int64_t place[STRETCH], buffer[STRETCH], last[1];
  const char *top = (const char *)edges->first + (size_t)(edges->n - 1) * dtype_size(edges->dtype);
  Ladder before = *edges;
  before.right = false;
  find_places(&before, top, 1, last);                /* the first position of the last edge */
  for (int64_t at = 0, total = tensor_size(data); at < total && !interrupted(); at += STRETCH) {
    int64_t n = total - at < STRETCH ? total - at : STRETCH, left[STRETCH];
    const void *x = elements_as(data, at, n, edges->dtype, buffer);
    find_places(edges, x, n, place);
    find_places(&before, x, n, left);
    for (int64_t i = 0; i < n; i++) {
      int64_t bin = place[i] - 1;
      if (place[i] == edges->n && left[i] == last[0]) bin = edges->n - 2;      /* equals the last edge */
      if (bin >= 0 && bin < edges->n - 1) count[bin]++;
    }
  }
}

static Status histogram_workspace(const Query *q, Workspace *w) {
  w->bytes = (size_t)shape_size(&query_out(q, 1)->shape) * sizeof(double);
  return OK;
}

static Status histogram(Call *c) {
  const HistogramParams *p = c->params;
  Tensor *counts = c->out[0], *edges = c->out[1];
  double low, high;
  clear_block(counts->data, tensor_bytes(counts));
  if (p->bin_cnt == NONE) {
    if (direction(c->in[1]) != 1) return fail("%s: bins: expected ascending edges", c->op->name);
    memcpy(edges->data, c->in[1]->data, tensor_bytes(edges));
    Ladder l = ladder_of(c, c->in[1], c->in[0], true);
    count_between(&l, c->in[0], counts->data);
    return interrupt_status();
  }
  TRY(histogram_range(p, c->in[0], &low, &high));
  for (int64_t i = 0; i <= p->bin_cnt; i++)
    tensor_set(edges, i, i == p->bin_cnt ? high : low + (double)i * ((high - low) / (double)p->bin_cnt));
  count_even(c->in[0], low, high, p->bin_cnt, edges, counts->data, c->workspace);
  return interrupt_status();
}

/* ---- Table -------------------------------------------------------------------------------------------------- */

enum { BYTE_TYPES = ONE_TYPE(DT_UINT8) | ONE_TYPE(DT_INT8) | ONE_TYPE(DT_BOOL) };

const Kernel searchsorted_kernels[] = {
  { .op = "_searchsorted", .types = ONE_TYPE(DT_INT64), .run = searchsorted, .workspace = search_workspace },
  { .op = "_digitize", .types = ONE_TYPE(DT_INT64), .run = digitize, .workspace = digitize_workspace },
  { .op = "_isin", .types = ONE_TYPE(DT_BOOL), .run = isin, .workspace = isin_workspace },
  { .op = "_run_starts", .types = ONE_TYPE(DT_FLOAT32), .run = run_starts_f32 },
  { .op = "_run_starts", .types = ONE_TYPE(DT_FLOAT64), .run = run_starts_f64 },
  { .op = "_run_starts", .types = ONE_TYPE(DT_INT32), .run = run_starts_i32 },
  { .op = "_run_starts", .types = ONE_TYPE(DT_INT64), .run = run_starts_i64 },
  { .op = "_run_starts", .types = BYTE_TYPES, .run = run_starts_u8 },
  { .op = "_argwhere", .types = ONE_TYPE(DT_INT64), .run = argwhere, .dynamic = argwhere_dynamic },
  { .op = "_bincount", .types = ONE_TYPE(DT_INT64), .run = count_values, .dynamic = bincount_dynamic },
  { .op = "_bincount", .types = ONE_TYPE(DT_FLOAT64), .run = sum_weights, .dynamic = bincount_dynamic },
  { .op = "_histogram",
    .types = ONE_TYPE(DT_INT64),
    .run = histogram,
    .workspace = histogram_workspace,
    BLOCK_SIZES(STRETCH) },
  { 0 },
};
