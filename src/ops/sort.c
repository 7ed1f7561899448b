/* sort.c - sort, argsort, topk, take_along_axis.
**
** A line of elements along the axis becomes keys (keys.h), which are sorted; where places are wanted, keys and places
** together, so that equal elements keep their order. Of the first k of a long line only those are sorted that come
** before a bound; a sample of the line says where that may lie, and all are sorted where it was wrong. Lines are
** shared among threads, each with buffers of its own; axes other than the last are taken in blocks of columns.
*/
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "ops/along.h"
#include "ops/gradients.h"
#include "ops/inference.h"
#include "ops/keys.h"
#include "ops/params.h"
#include "ops/registry.h"
#include "ops/rows.h"
#include "tensor/convert.h"

typedef struct SortParams { int64_t axis, is_ascend; } SortParams;
typedef struct ArgsortParams { int64_t axis, is_ascend, dtype; } ArgsortParams;
typedef struct TopkParams { int64_t axis, k, ret_typ, is_ascend, dtype; } TopkParams;
enum { TOPK_INDICES, TOPK_VALUE, TOPK_MASK, TOPK_BOTH };

/* ---- Sorting lines --------------------------------------------------------------------------------- */

/* Columns of a block; lines worth a sample, and its most; elements whose keys are made together, and looked at together. */
enum { BLOCK = 16, LONG = 256, SAMPLE = 1024, STRETCH = 256, FEW = 32 };

/* The first k of each line in order: their values, their places, or 1 at their places; what is wanted is not NULL. */
typedef struct Sorting {
  KeyOrder order;
  Along a;
  int64_t k;
  const Tensor *data;
  Tensor *values, *places, *mask;
  size_t size, place_size;           /* bytes of an element, of a place */
  int64_t lanes, blocks;             /* a lane is a share of the blocks, with buffers of its own */
  size_t lane_bytes, key_bytes;
  char *scratch;
} Sorting;

static size_t rounded(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

/* Buffers of a lane: twice the keys; where lines are columns, copies of a block of them and of its results. */
static void plan_buffers(Sorting *s) {
  bool pairs = s->places || s->mask;
  size_t key = pairs ? (s->size <= 4 ? sizeof(uint64_t) : sizeof(WideKey)) : s->size <= 4 ? sizeof(uint32_t) : sizeof(uint64_t);
  int64_t width = s->a.inner == 1 ? 1 : BLOCK;
  s->key_bytes = rounded((size_t)(s->a.n + 1) * key);      /* one more: collecting writes before it counts */
  s->lane_bytes = 2 * s->key_bytes;
  if (width > 1)
    s->lane_bytes += BLOCK * (rounded((size_t)s->a.n * s->size) + rounded((size_t)s->k * s->size) + rounded((size_t)s->k * s->place_size)
                              + rounded((size_t)s->a.n * s->size));
  s->blocks = s->a.outer * ((s->a.inner + width - 1) / width);
  s->lanes = s->blocks < parallel_threads() ? s->blocks : parallel_threads();
}

static uint64_t key_at(const Sorting *s, const void *x, int64_t i) {
  uint32_t narrow;
  uint64_t wide;
  const char *at = (const char *)x + (size_t)i * s->size;
  if (s->size > 4) keys_64(s->order, at, 1, &wide);
  else keys_32(s->order, at, 1, &narrow), wide = narrow;
  return wide;
}

/* A key that, going by a sample, somewhat more than k of the line do not come after. */
static uint64_t guess_bound(const Sorting *s, const void *x) {
  uint64_t sample[SAMPLE], other[SAMPLE];
  const int64_t size = s->a.n / 16 < 64 ? 64 : s->a.n / 16 < SAMPLE ? s->a.n / 16 : SAMPLE;
  double share = (double)s->k * (double)size / (double)s->a.n;
  int64_t rank = (int64_t)(share + 4 * sqrt(share) + 4);
  for (int64_t i = 0; i < size; i++) sample[i] = key_at(s, x, i * (s->a.n - 1) / (size - 1));
  return sort_64(sample, other, size)[rank < size ? rank : size - 1];
}

/* Keys and places of the line's elements whose key is at most `bound`; how many. */
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

/* The line's keys with places, the first k sorted. Long lines of short elements have places of 32 bits: see infer_line. */
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

/* Zeros of both signs are equals: they go into the order in which they stand in the line. */
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

/* A whole line's values. */
static void sort_values(const Sorting *s, const char *x, char *buffer, char *values) {
  void *a = s->size < 4 ? buffer : values, *b = buffer + s->key_bytes;      /* keys of the elements' own size */
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
  if (places || mask) put_places(s, x, sorted_places(s, x, buffer), values, places, mask);
  else sort_values(s, x, buffer, values);
}

/* ---- Blocks of lines ------------------------------------------------------------------------------ */

static char *line_of(const Tensor *t, int64_t line, int64_t length) {
  return t ? (char *)t->data + (size_t)(line * length) * dtype_size(t->type.dtype) : NULL;
}

/* `width` columns of n elements each, `inner` apart, from or to lines of their own, `room` bytes apart. */
#define MOVE_COLUMNS(T)                                                                                     \
  for (int64_t i = 0; i < n; i++)                                                                           \
    for (int64_t w = 0; w < width; w++) {                                                                   \
      T *const column = (T *)array + i * inner + w, *const line = (T *)(lines + (size_t)w * room) + i;      \
      if (back) *column = *line;                                                                            \
      else *line = *column;                                                                                 \
    }

static void move_columns(void *array, int64_t n, int64_t inner, int64_t width, size_t size, char *lines, size_t room, bool back) {
  switch (size) {
    case 1: MOVE_COLUMNS(uint8_t) break;
    case 2: MOVE_COLUMNS(uint16_t) break;
    case 4: MOVE_COLUMNS(uint32_t) break;
    default: MOVE_COLUMNS(uint64_t)
  }
}

/* A result's part that belongs to a block of columns, and the lines it is made in. */
typedef struct Part { Tensor *out; int64_t n; size_t size, room; char *lines; } Part;

static Part part_of(Tensor *out, int64_t n, size_t size, char **buffer) {
  Part p = { out, n, size, rounded((size_t)n * size), *buffer };
  if (out) *buffer += BLOCK * p.room;
  return p;
}

static char *part_line(const Part *p, int64_t w) { return p->out ? p->lines + (size_t)w * p->room : NULL; }

static void part_back(const Part *p, const Sorting *s, int64_t outer, int64_t column, int64_t width) {
  if (!p->out) return;
  char *array = (char *)p->out->data + (size_t)(outer * p->n * s->a.inner + column) * p->size;
  move_columns(array, p->n, s->a.inner, width, p->size, p->lines, p->room, true);
}

static void sort_columns(const Sorting *s, int64_t outer, int64_t column, char *buffer) {
  int64_t width = s->a.inner - column < BLOCK ? s->a.inner - column : BLOCK;
  size_t room = rounded((size_t)s->a.n * s->size);
  char *lines = buffer + 2 * s->key_bytes, *rest = lines + BLOCK * room;
  char *array = (char *)s->data->data + (size_t)(outer * s->a.n * s->a.inner + column) * s->size;
  Part values = part_of(s->values, s->k, s->size, &rest), places = part_of(s->places, s->k, s->place_size, &rest);
  Part mask = part_of(s->mask, s->a.n, s->size, &rest);
  move_columns(array, s->a.n, s->a.inner, width, s->size, lines, room, false);
  for (int64_t w = 0; w < width; w++)
    sort_line(s, lines + (size_t)w * room, buffer, part_line(&values, w), part_line(&places, w), part_line(&mask, w));
  part_back(&values, s, outer, column, width);
  part_back(&places, s, outer, column, width);
  part_back(&mask, s, outer, column, width);
}

static void sort_lane(const Sorting *s, int64_t lane) {
  char *buffer = s->scratch + (size_t)lane * s->lane_bytes;
  int64_t of_outer = s->a.outer > 0 ? s->blocks / s->a.outer : 0;
  for (int64_t b = lane; b < s->blocks && !interrupted(); b += s->lanes) {
    if (s->a.inner > 1) sort_columns(s, b / of_outer, b % of_outer * BLOCK, buffer);
    else sort_line(s, line_of(s->data, b, s->a.n), buffer, line_of(s->values, b, s->k), line_of(s->places, b, s->k), line_of(s->mask, b, s->a.n));
  }
}

static void sort_lanes(void *context, int64_t first, int64_t last) {
  for (int64_t lane = first; lane < last; lane++) sort_lane(context, lane);
}

/* ---- Calls ---------------------------------------------------------------------------------------- */

/* The lines of `in`; NONE is the array as one line. */
static Along lines_of(const Shape *in, int64_t axis) {
  Along a = { 1, shape_size(in), 1 };
  if (axis != NONE) (void)along_axis("", in, axis, &a);     /* infer looked at the axis */
  return a;
}

static Sorting sorting_of(const Type *in, int64_t axis, bool ascending, int64_t k) {
  Along a = lines_of(&in->shape, axis);
  return (Sorting){ .order = { .dtype = in->dtype, .descending = !ascending }, .a = a, .k = k > 0 ? k : a.n, .size = dtype_size(in->dtype) };
}

static Status run_sorting(Sorting *s, const Call *c) {
  s->data = c->in[0];
  s->scratch = c->scratch;
  if (s->places) s->place_size = dtype_size(s->places->type.dtype);
  s->order.one_zero = s->places || s->mask;
  if (s->a.n == 0 || s->a.outer == 0 || s->a.inner == 0) return OK;
  plan_buffers(s);
  parallel_for(s->lanes, s->a.n * s->blocks / s->lanes > 4096 ? 1 : s->lanes, sort_lanes, s);
  return interrupt_status();
}

static size_t sorting_scratch(Sorting s, bool places, bool mask, size_t place_size) {
  static Tensor some;
  s.places = places ? &some : NULL;
  s.mask = mask ? &some : NULL;
  s.place_size = place_size;
  plan_buffers(&s);
  return (size_t)s.lanes * s.lane_bytes;
}

static size_t sort_scratch(const void *params, const Type *in, const Type *out) {
  const SortParams *p = params;
  (void)out;
  return sorting_scratch(sorting_of(in, p->axis, p->is_ascend, 0), false, false, 0);
}

static Status sort_forward(Call *c) {
  const SortParams *p = c->params;
  Sorting s = sorting_of(&c->in[0]->type, p->axis, p->is_ascend, 0);
  s.values = c->out[0];
  return run_sorting(&s, c);
}

static size_t argsort_scratch(const void *params, const Type *in, const Type *out) {
  const ArgsortParams *p = params;
  return sorting_scratch(sorting_of(in, p->axis, p->is_ascend, 0), true, false, dtype_size(out->dtype));
}

static Status argsort_forward(Call *c) {
  const ArgsortParams *p = c->params;
  Sorting s = sorting_of(&c->in[0]->type, p->axis, p->is_ascend, 0);
  s.places = c->out[0];
  return run_sorting(&s, c);
}

static size_t topk_scratch(const void *params, const Type *in, const Type *out) {
  const TopkParams *p = params;
  (void)out;
  return sorting_scratch(sorting_of(in, p->axis, p->is_ascend, p->k), p->ret_typ != TOPK_MASK, p->ret_typ == TOPK_MASK,
                         dtype_size((DType)p->dtype));
}

static Status topk_forward(Call *c) {
  const TopkParams *p = c->params;
  Sorting s = sorting_of(&c->in[0]->type, p->axis, p->is_ascend, p->k);
  if (p->ret_typ == TOPK_MASK) s.mask = c->out[0];
  else if (p->ret_typ == TOPK_INDICES) s.places = c->out[0];
  else s.values = c->out[0], s.places = c->out[1];
  return run_sorting(&s, c);
}

/* ---- Inference ------------------------------------------------------------------------------------ */

/* The shape of k elements of each line (0: all), flat where there is no axis. */
static Status infer_line(const Infer *f, int64_t given, int64_t k, Shape *out) {
  const Shape *in = &f->in[0].shape;
  Shape flat = { .ndim = 1, .dim = { UNKNOWN } };
  int axis = 0;
  *out = SHAPE_UNKNOWN;
  if (in->ndim < 0) return OK;
  if (given == NONE) {
    if (shape_known(in)) flat.dim[0] = shape_size(in);
    in = &flat;
  } else {
    TRY(axis_normal(f->op->name, "axis", given, in->ndim, &axis));
  }
  *out = *in;
  if (in->dim[axis] >= 0 && k > in->dim[axis])
    return fail("k: expected at most %lld, the elements along the axis, got %lld", (long long)in->dim[axis], (long long)k);
  if (in->dim[axis] > UINT32_MAX) return fail("data: expected fewer than 2^32 elements along the axis, got %lld", (long long)in->dim[axis]);
  if (k > 0) out->dim[axis] = k;
  return OK;
}

static Status infer_sort(Infer *f) {
  Shape s;
  TRY(one_dtype(f, 0, 1));
  TRY(infer_line(f, ((const SortParams *)f->params)->axis, 0, &s));
  return output_shape(f, 0, &s);
}

static Status place_dtype(Infer *f, int output, int64_t dtype) {
  if (dtype == DT_BOOL) return fail("dtype: expected a number's, got bool");
  return output_dtype(f, output, (DType)dtype);
}

static Status infer_argsort(Infer *f) {
  const ArgsortParams *p = f->params;
  Shape s;
  TRY(place_dtype(f, 0, p->dtype));
  TRY(infer_line(f, p->axis, 0, &s));
  return output_shape(f, 0, &s);
}

static int topk_outputs(const void *params) {
  const TopkParams *p = params;
  return p->ret_typ == TOPK_VALUE || p->ret_typ == TOPK_BOTH ? 2 : 1;
}

static int topk_visible(const void *params) { return ((const TopkParams *)params)->ret_typ == TOPK_BOTH ? 2 : 1; }

static Status infer_topk(Infer *f) {
  const TopkParams *p = f->params;
  Shape s;
  TRY(infer_line(f, p->axis, p->k > 0 ? p->k : 0, &s));
  if (p->ret_typ == TOPK_INDICES) TRY(place_dtype(f, 0, p->dtype));
  else TRY(output_dtype(f, 0, f->in[0].dtype));
  if (f->n_out > 1) {
    TRY(place_dtype(f, 1, p->dtype));
    TRY(output_shape(f, 1, &s));
  }
  if (p->ret_typ == TOPK_MASK) return one_shape(f, 0, 0);
  return output_shape(f, 0, &s);
}

/* ---- Taking along an axis --------------------------------------------------------------------------- */

typedef struct AlongBackwardParams { List shape; int64_t axis; } AlongBackwardParams;

/* Of two arrays that differ along one axis at most: places in the longer one. */
typedef struct AlongRows { Rows rows; const Tensor *index; Along a; int64_t dim; } AlongRows;

static void find_along(const Rows *rows, int64_t first, int64_t n, int64_t *place) {
  const AlongRows *r = (const AlongRows *)rows;
  index_values(r->index, first, n, place);
  index_normal(TAKE_RAISE, r->dim, n, place);
  for (int64_t i = 0; i < n; i++) {
    int64_t outer = (first + i) / (r->a.n * r->a.inner), inner = (first + i) % r->a.inner;
    place[i] = (outer * r->dim + place[i]) * r->a.inner + inner;
  }
}

/* `whole`: the array that is chosen from. */
static Status along_rows(const char *who, const Tensor *index, const Shape *whole, int64_t axis, AlongRows *out) {
  Along all = lines_of(whole, axis), a = lines_of(&index->type.shape, axis);
  *out = (AlongRows){ .rows = { .n = tensor_size(index), .places = shape_size(whole), .width = 1, .find = find_along },
                      .index = index, .a = a, .dim = all.n };
  return index_check(who, "indices", index, 0, out->rows.n, all.n, true);
}

static Status infer_take_along(Infer *f) {
  const Shape *a = &f->in[0].shape, *index = &f->in[1].shape;
  int64_t given = ((const AxisParams *)f->params)->axis;
  int axis;
  TRY(one_dtype(f, 0, 1));
  TRY(one_shape(f, 1, 0));
  if (a->ndim < 0 || index->ndim < 0) return OK;
  if (given == NONE) return index->ndim == 1 ? OK : fail("indices: expected 1 dimension where axis is None, got %s", shape_text(index));
  TRY(axis_normal(f->op->name, "axis", given, a->ndim, &axis));
  Shape like = *a;
  like.dim[axis] = index->ndim == a->ndim ? index->dim[axis] : UNKNOWN;
  return input_shape(f, 1, &like);
}

static Status take_along_forward(Call *c) {
  AlongRows r;
  TRY(along_rows(c->op->name, c->in[1], &c->in[0]->type.shape, ((const AxisParams *)c->params)->axis, &r));
  rows_gather(&r.rows, dtype_size(c->in[0]->type.dtype), c->in[0]->data, c->out[0]->data);
  return interrupt_status();
}

static Status infer_put_along(Infer *f) {
  Shape s = list_shape(&((const AlongBackwardParams *)f->params)->shape);
  TRY(one_dtype(f, 0, 1));
  return output_shape(f, 0, &s);
}

static Status put_along_forward(Call *c) {
  const AlongBackwardParams *p = c->params;
  Tensor *out = c->out[0];
  AlongRows r;
  TRY(along_rows(c->op->name, c->in[1], &out->type.shape, p->axis, &r));
  clear_block(out->data, tensor_bytes(out));
  rows_add(&r.rows, out->type.dtype, c->in[0]->data, out->data);
  return interrupt_status();
}

/* g put back to the places along an axis of an array like `whole`. */
static Entry put_along(Builder *b, Entry g, Entry places, const Shape *whole, int64_t axis) {
  AlongBackwardParams p = { .shape = { .count = whole->ndim }, .axis = axis };
  memcpy(p.shape.u.i, whole->dim, sizeof whole->dim);
  return build_op(b, "_backward_take_along_axis", &p, 2, g, places);
}

static Status take_along_grad(Gradient *d) {
  d->in_grad[0] = put_along(d->b, d->out_grad[0], d->node->in[1], &entry_type(d->node->in[0])->shape,
                            ((const AxisParams *)d->node->params->fields)->axis);
  return d->b->status;
}

static Status put_along_grad(Gradient *d) {
  AxisParams p = { ((const AlongBackwardParams *)d->node->params->fields)->axis };
  d->in_grad[0] = build_op(d->b, "take_along_axis", &p, 2, d->out_grad[0], d->node->in[1]);
  return d->b->status;
}

/* ---- Gradients: what was moved moves back ------------------------------------------------------------ */

static Status sort_grad(Gradient *d) {
  const SortParams *p = (const SortParams *)d->node->params->fields;
  ArgsortParams q = { p->axis, p->is_ascend, DT_INT64 };
  Entry data = d->node->in[0], places = build_op(d->b, "argsort", &q, 1, data);
  d->in_grad[0] = put_along(d->b, d->out_grad[0], places, &entry_type(data)->shape, p->axis);
  return d->b->status;
}

/* Does the dtype hold every place in a line of n? */
static bool holds_places(DType dtype, int64_t n) {
  return dtype == DT_INT64 || dtype == DT_FLOAT64 || dtype == DT_INT32 || (dtype == DT_FLOAT32 && n <= 1 << 24);
}

static Status topk_grad(Gradient *d) {
  TopkParams p = *(const TopkParams *)d->node->params->fields;
  Entry data = d->node->in[0], places = { d->node, 1 };
  const Shape *whole = &entry_type(data)->shape;
  if (d->node->n_out < 2 || !d->out_grad[0].node) return OK;
  if (!holds_places((DType)p.dtype, shape_size(whole))) {
    p.ret_typ = TOPK_INDICES;
    p.dtype = DT_INT64;
    places = build_op(d->b, "topk", &p, 1, data);
  }
  d->in_grad[0] = put_along(d->b, d->out_grad[0], places, whole, p.axis);
  return d->b->status;
}

/* ---- Rows ------------------------------------------------------------------------------------------------- */

#define AXIS "axis int? -1 The axis; None: the flattened array.\n"

Op sort_ops[] = {
  { .name = "sort", .doc = "The elements along an axis in order. NaNs come last, upwards and downwards", .inputs = "data",
    .example = "F.sort(F.array{{3, 1, 2}, {5, 6, 4}})\n"
               "F.sort(F.array{{3, 1, 2}, {5, 6, 4}}, {axis = 0, is_ascend = false})\n"
               "F.sort(F.array{{3, 1, 2}, {5, 6, 4}}, {axis = \"None\"})",
    .params = AXIS "is_ascend bool True From the least to the greatest.\n", .params_size = sizeof(SortParams),
    .infer = infer_sort, .forward = sort_forward, .scratch = sort_scratch, .grad = sort_grad },
  { .name = "argsort", .doc = "The places along an axis in the order of their elements; of equal elements the first comes first, and NaNs "
                              "come last",
    .inputs = "data", .example = "F.argsort(F.array{{3, 1, 2}, {5, 6, 4}})\n"
                                 "F.argsort(F.array{{3, 1, 2}, {5, 6, 4}}, {axis = 0, is_ascend = false, dtype = \"int64\"})",
    .params = AXIS "is_ascend bool True From the least to the greatest.\n"
                   "dtype dtype float32 The places' element type.\n",
    .params_size = sizeof(ArgsortParams), .flags = OP_NO_GRAD, .infer = infer_argsort, .forward = argsort_forward,
    .scratch = argsort_scratch },
  { .name = "topk", .doc = "The k greatest elements along an axis, greatest first: their places, their values, both, or a mask of data's shape "
                           "with 1 at their places. Of equal elements the first comes first; NaNs come last",
    .inputs = "data", .outputs = "output indices",
    .example = "F.topk(F.array{{3, 1, 2}, {5, 6, 4}}, {k = 2})\n"
               "F.topk(F.array{{3, 1, 2}, {5, 6, 4}}, {k = 2, ret_typ = \"value\"})\n"
               "F.topk(F.array{{3, 1, 2}, {5, 6, 4}}, {k = 1, axis = 0, ret_typ = \"both\", is_ascend = true})\n"
               "F.topk(F.array{{3, 1, 2}, {5, 6, 4}}, {k = 2, ret_typ = \"mask\"})",
    .params = AXIS "k int 1 How many; 0 or less: all.\n"
                   "ret_typ {indices,value,mask,both} indices What is returned.\n"
                   "is_ascend bool False The k least elements, least first.\n"
                   "dtype dtype float32 The places' element type.\n",
    .params_size = sizeof(TopkParams), .n_outputs = topk_outputs, .n_visible = topk_visible, .infer = infer_topk,
    .forward = topk_forward, .scratch = topk_scratch, .grad = topk_grad },
  { .name = "take_along_axis", .doc = "The elements at places along an axis, for each line its own: what argsort and argmax point at. Negative "
                                      "places count from the end",
    .inputs = "a indices", .differentiable = 1,
    .example = "F.take_along_axis(F.array{{3, 1, 2}, {5, 6, 4}}, F.array({{1, 2, 0}, {2, 0, 1}}, {dtype = \"int64\"}), 1)\n"
               "F.take_along_axis(F.array{{3, 1, 2}, {5, 6, 4}}, F.array({{1, 0, 1}}, {dtype = \"int64\"}), {axis = 0})",
    .params = "axis int? - The axis; None: the flattened array, and indices of one dimension.\n", .params_size = sizeof(AxisParams),
    .infer = infer_take_along, .forward = take_along_forward, .grad = take_along_grad },
  { .name = "_backward_take_along_axis", .doc = "The gradient of a", .inputs = "g indices", .differentiable = 1,
    .params = "shape shape - The shape of a.\n" "axis int? - The axis.\n", .params_size = sizeof(AlongBackwardParams),
    .flags = OP_INTERNAL, .infer = infer_put_along, .forward = put_along_forward, .grad = put_along_grad },
  { 0 }
};
