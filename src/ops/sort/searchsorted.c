/* searchsorted.c - searching and counting: searchsorted, digitize, isin, histogram, bincount, argwhere.
**
** Values are compared in one dtype: their common one, int64 for different integers, else float64. A NaN is greater than
** all numbers, as in NumPy. The sorted values are converted to that dtype in the workspace, the values to find in small
** pieces.
*/
#include <math.h>
#include <string.h>

#include "base/threads/parallel_for.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/common/shape_rules.h"
#include "kernels/loops/sort_keys.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"
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

static size_t search_scratch(const Query *q) { return (size_t)shape_size(&query_in(q, 0)->shape) * sizeof(int64_t); }

static size_t digitize_scratch(const Query *q) { return (size_t)shape_size(&query_in(q, 1)->shape) * sizeof(int64_t); }

static Ladder ladder_of(const Call *c, const Tensor *sorted, const Tensor *values, bool right) {
  DType dtype = common_dtype(sorted->type.dtype, values->type.dtype);
  int64_t n = tensor_size(sorted);
  return (Ladder){ elements_as(sorted, 0, n, dtype, c->workspace), n, 1, dtype, right };
}

typedef struct SearchParams { int64_t side; } SearchParams;
typedef struct DigitizeParams { int64_t right; } DigitizeParams;

static Status searchsorted_forward(Call *c) {
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

static Status digitize_forward(Call *c) {
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

static Status infer_search(Infer *f, int ladder, int values) {
  const Shape *s = &f->in[ladder].shape;
  TRY(output_dtype(f, 0, DT_INT64));
  if (s->ndim >= 0 && s->ndim != 1)
    return fail("%s: expected 1 dimension, got %s", f->op->info->input[ladder], shape_text(s));
  return one_shape(f, values, 0);
}

static Status infer_searchsorted(Infer *f) { return infer_search(f, 0, 1); }
static Status infer_digitize(Infer *f) { return infer_search(f, 1, 0); }

/* ---- isin -------------------------------------------------------------------------------------------- */

typedef struct IsinParams { int64_t invert; } IsinParams;

static DType wide_dtype(DType a, DType b) { return dtype_is_float(a) || dtype_is_float(b) ? DT_FLOAT64 : DT_INT64; }

static size_t isin_scratch(const Query *q) { return 2 * (size_t)shape_size(&query_in(q, 1)->shape) * sizeof(uint64_t); }

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

static Status isin_forward(Call *c) {
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

static Status infer_isin(Infer *f) {
  TRY(output_dtype(f, 0, DT_BOOL));
  return one_shape(f, 0, 0);
}

/* ---- Runs of equal elements ------------------------------------------------------------------------------------ */

#define MARK_RUNS(code, T)                                                                              \
  case code: {                                                                                          \
    const T *x = c->in[0]->data;                                                                        \
    for (int64_t i = 1; i < n; i++) out[i] = (x[i] != x[i - 1]) & ((x[i] == x[i]) | (x[i - 1] == x[i - 1])); \
    break;                                                                                              \
  }

static Status run_starts_forward(Call *c) {
  bool *out = c->out[0]->data;
  const int64_t n = tensor_size(c->in[0]);
  if (n > 0) out[0] = true;
  switch (c->in[0]->type.dtype) {
    EACH_C_DTYPE(MARK_RUNS)
    default: break;
  }
  return OK;
}

static Status infer_run_starts(Infer *f) {
  if (f->in[0].dtype == DT_FLOAT16) return fail("a: expected any dtype but float16; convert with astype");
  TRY(output_dtype(f, 0, DT_BOOL));
  if (f->in[0].shape.ndim >= 0 && f->in[0].shape.ndim != 1)
    return fail("a: expected 1 dimension, got %s", shape_text(&f->in[0].shape));
  return one_shape(f, 0, 0);
}

/* ---- argwhere ------------------------------------------------------------------------------------------- */

static Status infer_argwhere(Infer *f) {
  Shape s = { .ndim = 2, .dim = { UNKNOWN, UNKNOWN } };
  TRY(output_dtype(f, 0, DT_INT64));
  if (f->in[0].shape.ndim >= 0) s.dim[1] = f->in[0].shape.ndim;
  return output_shape(f, 0, &s);
}

static Status argwhere_dynamic(const Query *q, const Tensor *const *in, Type *out) {
  (void)q;
  int64_t count = 0;
  bool truth[STRETCH];
  for (int64_t at = 0, total = tensor_size(in[0]); at < total && !interrupted(); at += STRETCH) {
    int64_t n = total - at < STRETCH ? total - at : STRETCH;
    const bool *t = elements_as(in[0], at, n, DT_BOOL, truth);
    for (int64_t i = 0; i < n; i++) count += t[i];
  }
  out[0].shape.dim[0] = count;
  return interrupt_status();
}

static Status argwhere_forward(Call *c) {
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

typedef struct BincountParams { int64_t minlength, weighted; } BincountParams;

static int bincount_inputs(const Query *q) { return ((const BincountParams *)q->params)->weighted ? 2 : 1; }

static Status infer_bincount(Infer *f) {
  const BincountParams *p = f->params;
  const Shape *s = &f->in[0].shape;
  Shape out = { .ndim = 1, .dim = { UNKNOWN } };
  if (p->minlength < 0) return fail("minlength: expected 0 or more, got %lld", (long long)p->minlength);
  TRY(output_dtype(f, 0, f->n_in > 1 ? DT_FLOAT64 : DT_INT64));
  if (s->ndim >= 0 && s->ndim != 1) return fail("x: expected 1 dimension, got %s", shape_text(s));
  if (f->n_in > 1) TRY(input_shape(f, 1, s));
  return output_shape(f, 0, &out);
}

static Status bincount_dynamic(const Query *q, const Tensor *const *in, Type *out) {
  int64_t most = -1;
  for (int64_t i = 0, n = tensor_size(in[0]); i < n && !interrupted(); i++) {
    int64_t x = tensor_get_int(in[0], i);
    if (x < 0 || (dtype_is_float(in[0]->type.dtype) && (double)x != tensor_get(in[0], i)))
      return fail("x: expected whole numbers of 0 or more, got %g at %lld", tensor_get(in[0], i), (long long)i);
    if (x > most) most = x;
  }
  int64_t least = ((const BincountParams *)q->params)->minlength;
  out[0].shape.dim[0] = most + 1 > least ? most + 1 : least;
  return interrupt_status();
}

static Status bincount_forward(Call *c) {
  clear_block(c->out[0]->data, tensor_bytes(c->out[0]));
  for (int64_t i = 0, n = tensor_size(c->in[0]); i < n && !interrupted(); i++) {
    int64_t x = tensor_get_int(c->in[0], i);
    if (c->n_in > 1) ((double *)c->out[0]->data)[x] += tensor_get(c->in[1], i);
    else ((int64_t *)c->out[0]->data)[x]++;
  }
  return interrupt_status();
}

/* ---- histogram -------------------------------------------------------------------------------------------- */

typedef struct HistogramParams { int64_t bin_cnt; List range; } HistogramParams;

static int histogram_inputs(const Query *q) { return ((const HistogramParams *)q->params)->bin_cnt == NONE ? 2 : 1; }

static Status infer_histogram(Infer *f) {
  const HistogramParams *p = f->params;
  const Shape *bins = &f->in[f->n_in - 1].shape;
  DType dtype = f->in[0].dtype;
  int64_t edges = UNKNOWN;
  TRY(output_dtype(f, 0, DT_INT64));
  if (p->bin_cnt != NONE) {
    if (p->bin_cnt < 1) return fail("bin_cnt: expected 1 or more, got %lld", (long long)p->bin_cnt);
    if (p->range.count >= 0 && (p->range.count != 2 || !(list_floats(&p->range)[0] <= list_floats(&p->range)[1]) ||
                                !isfinite(list_floats(&p->range)[1] - list_floats(&p->range)[0])))
      return fail("range: expected two finite numbers, the lower first");
    edges = p->bin_cnt + 1;
    if (dtype != DT_UNKNOWN) TRY(output_dtype(f, 1, dtype == DT_FLOAT64 ? DT_FLOAT64 : DT_FLOAT32));
  } else {
    TRY(output_dtype(f, 1, f->in[1].dtype));
    if (bins->ndim >= 0 && bins->ndim != 1) return fail("bins: expected 1 dimension, got %s", shape_text(bins));
    if (bins->ndim == 1 && bins->dim[0] == 0) return fail("bins: expected edges, got none");
    if (bins->ndim == 1) edges = bins->dim[0];
  }
  Shape s = { .ndim = 1, .dim = { edges } }, counts = { .ndim = 1, .dim = { edges < 0 ? UNKNOWN : edges - 1 } };
  TRY(output_shape(f, 1, &s));
  return output_shape(f, 0, &counts);
}

/* The outer edges of the bins: the given range, else the data's minimum and maximum, widened if they are equal. */
static Status histogram_range(const HistogramParams *p, const Tensor *data, double *low, double *high) {
  double buffer[STRETCH];
  int64_t total = tensor_size(data);
  *low = p->range.count == 2 ? list_floats(&p->range)[0] : total > 0 ? INFINITY : 0;
  *high = p->range.count == 2 ? list_floats(&p->range)[1] : total > 0 ? -INFINITY : 1;
  for (int64_t at = 0; p->range.count < 0 && at < total && !interrupted(); at += STRETCH) {
    int64_t n = total - at < STRETCH ? total - at : STRETCH;
    const double *x = elements_as(data, at, n, DT_FLOAT64, buffer);
    for (int64_t i = 0; i < n; i++) {
      *low = x[i] >= *low ? *low : x[i];
      *high = x[i] <= *high ? *high : x[i];
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

static size_t histogram_scratch(const Query *q) { return (size_t)shape_size(&query_out(q, 1)->shape) * sizeof(double); }

static Status histogram_forward(Call *c) {
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

/* ---- Rows -------------------------------------------------------------------------------------------------- */

/* clang-format off */
Op search_ops[] = {
  { .name = "_searchsorted",
    .doc = "The indices, as int64, at which to insert values into the ascending elements of a to keep their order: "
           "before or after equal elements. A NaN is greater than all numbers",
    .inputs = "a v", .flags = OP_NO_GRAD,
    .example = "F._searchsorted(F.array{1, 2, 2, 5}, F.array{{0, 2}, {3, 9}})\n"
               "F._searchsorted(F.array{1, 2, 2, 5}, F.array{2, 5}, \"right\")",
    .params = "side {left,right} left Before or after equal elements.\n", .params_size = sizeof(SearchParams),
    .infer = infer_searchsorted, .forward = searchsorted_forward, .workspace = search_scratch },
  { .name = "_digitize",
    .doc = "The bin of each element, as int64: bin i holds bins[i - 1] <= x < bins[i], or with right bins[i - 1] < x "
           "<= bins[i]. For descending edges the inequalities are reversed",
    .inputs = "x bins", .flags = OP_NO_GRAD,
    .example = "F._digitize(F.array{{0.2, 6.4}, {3, 1.6}}, F.array{0, 1, 2.5, 4, 10})\n"
               "F._digitize(F.array{1, 3, 2}, F.array{3, 2, 1}, {right = true})",
    .params = "right bool False Bins include their right edge, not the left one.\n",
    .params_size = sizeof(DigitizeParams), .infer = infer_digitize, .forward = digitize_forward,
    .workspace = digitize_scratch },
  { .name = "_isin", .doc = "Whether each element is among the test elements, as bool. A NaN equals nothing",
    .inputs = "element test_elements", .flags = OP_NO_GRAD,
    .example = "F._isin(F.array{{1, 2}, {3, 4}}, F.array{2, 4, 6})\n"
               "F._isin(F.array{1, 2}, F.array{2}, {invert = true})",
    .params = "invert bool False Return whether it is not.\n", .params_size = sizeof(IsinParams),
    .infer = infer_isin, .forward = isin_forward, .workspace = isin_scratch },
  { .name = "_run_starts", .doc = "Whether each element differs from the one before it, as bool. A NaN equals a NaN",
    .inputs = "a", .flags = OP_NO_GRAD, .example = "F._run_starts(F.array{1, 1, 2, 1})", .infer = infer_run_starts,
    .forward = run_starts_forward },
  { .name = "_argwhere", .doc = "The indices of the elements that are not 0, one row per element", .inputs = "a",
    .flags = OP_NO_GRAD | OP_DYNAMIC, .example = "F._argwhere(F.array{{0, 1}, {2, 0}})",
    .infer = infer_argwhere, .dynamic = argwhere_dynamic, .forward = argwhere_forward },
  { .name = "_bincount", .doc = "The number of occurrences of 0, 1, 2, ... in x, or the sums of their weights",
    .inputs = "x weights", .n_inputs = bincount_inputs, .flags = OP_NO_GRAD | OP_DYNAMIC,
    .example = "F._bincount(F.array{1, 3, 1})",
    .params = "minlength int 0 The least length of the result.\n" "weighted bool False Weights are given.\n",
    .params_size = sizeof(BincountParams), .infer = infer_bincount, .dynamic = bincount_dynamic,
    .forward = bincount_forward },
  { .name = "_histogram",
    .doc = "The number of elements in each bin, and the edges of the bins. Bin i holds edge[i] <= x < edge[i + 1]; "
           "the last bin includes both of its edges",
    .inputs = "data bins", .outputs = "counts edges", .n_inputs = histogram_inputs, .flags = OP_NO_GRAD,
    .example = "F._histogram(F.array{1, 2, 1, 4}, {bin_cnt = 3, range = {0, 3}})\n"
               "F._histogram(F.array{1, 2, 1, 4}, F.array{0, 1, 2, 3})",
    .params = "bin_cnt int? None Number of bins of equal width; None: bins are the edges.\n"
              "range floats? None The outer edges of the bins; None: the least and the greatest element.\n",
    .params_size = sizeof(HistogramParams), .infer = infer_histogram, .forward = histogram_forward,
    .workspace = histogram_scratch },
  { 0 }
};
/* clang-format on */
