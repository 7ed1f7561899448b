/* take_pick_kernels.c - take, Embedding, pick, batch_take, fill_element_0index, one_hot, and gradients: rows
** chosen by indices (kernels/loops/gather_rows.h). */
#include <math.h>
#include <string.h>

#include "base/threads/parallel_for.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/gather_rows.h"
#include "ops/common/shape_params.h"
#include "ops/index/take_pick.h"
#include "tensor/cast_copy.h"
#include "tensor/strided_region.h"

/* ---- Indices that must be in range ------------------------------------------------------------------- */

/* Appends the position of an index to the error: " in row 3", and with more axes " in row 3, at (3, 1)". */
static void append_place(const Shape *s, int64_t place) {
  int64_t at[MAX_DIMS], row = place;
  for (int i = s->ndim - 1; i >= 0; i--) {
    at[i] = place % s->dim[i];
    place /= s->dim[i];
  }
  fail_append(E_INPUT, " in row %lld", (long long)(s->ndim > 0 ? at[0] : row));
  for (int i = 0; s->ndim > 1 && i < s->ndim; i++)
    fail_append(E_INPUT, "%s%lld", i ? ", " : ", at (", (long long)at[i]);
  if (s->ndim > 1) fail_append(E_INPUT, ")");
}

static Status outside(const char *who, const Tensor *index, int64_t place, int64_t dim) {
  double value;
  DType dtype = index->type.dtype;
  convert(dtype, (const char *)index->data + (size_t)place * dtype_size(dtype), DT_FLOAT64, &value, 1);
  fail(isnan(value) ? "%s: expected indices from 0 to %lld, got nan" : "%s: expected indices from 0 to %lld, got %.17g",
       who, (long long)dim - 1, value);
  append_place(&index->type.shape, place);
  return value == (double)dim ? fail_append(E_INPUT, "; they count from 0") : E_INPUT;
}

#define FIRST_OUTSIDE(name, T)                                                                   \
  static int64_t name(const T *index, int64_t n, T low, T end) {                                 \
    for (int64_t at = 0; at < n; ) {                                                             \
      int64_t stop = n - at < ROWS_BLOCK ? n : at + ROWS_BLOCK;                                  \
      bool inside = true;                                                                        \
      for (int64_t i = at; i < stop; i++) inside = inside & (index[i] > low) & (index[i] < end); \
      for (; at < stop; at++) if (!inside && !(index[at] > low && index[at] < end)) return at;   \
    }                                                                                            \
    return -1;                                                                                   \
  }
FIRST_OUTSIDE(outside_f32, float)
FIRST_OUTSIDE(outside_f64, double)
FIRST_OUTSIDE(outside_i32, int32_t)
FIRST_OUTSIDE(outside_i64, int64_t)

static int64_t first_outside(const Tensor *index, int64_t dim) {
  int64_t n = tensor_size(index), value[ROWS_BLOCK];
  switch (index->type.dtype) {
    case DT_FLOAT32: return outside_f32(index->data, n, -1, (float)dim);
    case DT_FLOAT64: return outside_f64(index->data, n, -1, (double)dim);
    case DT_INT32: return outside_i32(index->data, n, -1, dim > INT32_MAX ? INT32_MAX : (int32_t)dim);
    case DT_INT64: return outside_i64(index->data, n, -1, dim);
    default: break;
  }
  for (int64_t at = 0; at < n; at += ROWS_BLOCK) {
    int64_t m = n - at < ROWS_BLOCK ? n - at : ROWS_BLOCK;
    index_values(index, at, m, value);
    int64_t found = outside_i64(value, m, -1, dim);
    if (found >= 0) return at + found;
  }
  return -1;
}

/* Fails if an index, truncated, is outside [0, dim) or NaN; does nothing if `who` is NULL. */
static Status check_inside(const char *who, const Tensor *index, int64_t dim) {
  int64_t place = who ? first_outside(index, dim) : -1;
  return place < 0 ? OK : outside(who, index, place, dim);
}

/* ---- take, Embedding --------------------------------------------------------------------------------- */

/* `count` indices into an array (before, dim, after) give rows (before, count) of `after` elements. */
typedef struct TakeRows {
  RowGather rows;
  const Tensor *index;
  int64_t count, dim;
  int mode;
} TakeRows;

static void find_taken(const RowGather *rows, int64_t first, int64_t n, int64_t *place) {
  const TakeRows *r = (const TakeRows *)rows;
  for (int64_t done = 0; done < n;) { /* every block begins with the first index again */
    int64_t block = (first + done) / r->count, at = (first + done) % r->count;
    int64_t run = r->count - at < n - done ? r->count - at : n - done;
    index_values(r->index, at, run, place + done);
    index_normal(r->mode, r->dim, run, place + done);
    for (int64_t i = 0; i < run; i++) place[done + i] += block * r->dim;
    done += run;
  }
}

static TakeRows take_rows(const Shape *from, int axis, const Tensor *index, int mode) {
  int64_t before = shape_size_range(from, 0, axis), count = tensor_size(index), dim = from->dim[axis];
  return (TakeRows){ .rows = { .n = before * count,
                               .places = before * dim,
                               .width = shape_size_range(from, axis + 1, from->ndim),
                               .find = find_taken },
                     .index = index,
                     .count = count,
                     .dim = dim,
                     .mode = mode };
}

static Status take_along(Call *c, const Tensor *from, const Tensor *index, int axis, int mode) {
  TakeRows r = take_rows(&from->type.shape, axis, index, mode);
  if (mode == TAKE_RAISE) TRY(index_check(c->op->name, "indices", index, 0, r.count, r.dim, true));
  rows_gather(&r.rows, dtype_size(from->type.dtype), from->data, c->out[0]->data);
  return interrupt_status();
}

static Status take(Call *c) {
  const TakeParams *p = c->params;
  return take_along(c, c->in[0], c->in[1], axis_at(p->axis, c->in[0]->type.shape.ndim), (int)p->mode);
}

static Status backward_take(Call *c) {
  const TakeBackwardParams *p = c->params;
  Tensor *out = c->out[0];
  TakeRows r = take_rows(&out->type.shape, axis_at(p->take.axis, out->type.shape.ndim), c->in[1], (int)p->take.mode);
  clear_block(out->data, tensor_bytes(out));
  rows_add(&r.rows, c->kernel->own, c->in[0]->data, out->data);
  return interrupt_status();
}

static Status embedding(Call *c) {
  const EmbeddingParams *p = c->params;
  TRY(check_inside(p->check, c->in[0], p->input_dim));
  return take_along(c, c->in[1], c->in[0], 0, TAKE_CLIP);
}

/* ---- pick, batch_take, fill_element_0index: one element along an axis ----------------------------------- */

/* The array is (before, dim, after), with one index for each (before, after). */
typedef struct PickRows {
  RowGather rows;
  const Tensor *index;
  int64_t dim, after;
  int mode;
} PickRows;

static void find_picked(const RowGather *rows, int64_t first, int64_t n, int64_t *place) {
  const PickRows *r = (const PickRows *)rows;
  index_values(r->index, first, n, place);
  index_normal(r->mode, r->dim, n, place);
  int64_t block = first / r->after, column = first % r->after;
  for (int64_t i = 0; i < n; i++) {
    place[i] = (block * r->dim + place[i]) * r->after + column;
    if (++column == r->after) {
      column = 0;
      block++;
    }
  }
}

static PickRows pick_rows(const Shape *from, int axis, const Tensor *index, bool wrap) {
  int64_t before = shape_size_range(from, 0, axis), dim = from->dim[axis],
          after = shape_size_range(from, axis + 1, from->ndim);
  return (PickRows){
    .rows = { .n = before * after, .places = before * dim * after, .width = 1, .distinct = true, .find = find_picked },
    .index = index,
    .dim = dim,
    .after = after,
    .mode = wrap ? TAKE_WRAP : TAKE_CLIP
  };
}

static Status pick_along(Call *c, int64_t given, bool wrap, const char *check) {
  const Tensor *data = c->in[0];
  const int axis = axis_at(given, data->type.shape.ndim);
  TRY(check_inside(check, c->in[1], data->type.shape.dim[axis]));
  PickRows r = pick_rows(&data->type.shape, axis, c->in[1], wrap);
  rows_gather(&r.rows, dtype_size(data->type.dtype), data->data, c->out[0]->data);
  return interrupt_status();
}

static Status pick(Call *c) {
  const PickParams *p = c->params;
  return pick_along(c, p->axis, p->mode == 1, p->check);
}

static Status backward_pick(Call *c) {
  const PickBackwardParams *p = c->params;
  Tensor *out = c->out[0];
  PickRows r = pick_rows(&out->type.shape, axis_at(p->axis, out->type.shape.ndim), c->in[1], p->mode == 1);
  clear_block(out->data, tensor_bytes(out));
  rows_scatter(&r.rows, dtype_size(out->type.dtype), c->in[0]->data, out->data);
  return interrupt_status();
}

static Status batch_take(Call *c) { return pick_along(c, -1, false, NULL); }

static Status fill_element(Call *c) {
  Tensor *out = c->out[0];
  PickRows r = pick_rows(&out->type.shape, out->type.shape.ndim - 1, c->in[2], false);
  copy_block(c->in[0]->data, out->data, tensor_bytes(out));
  rows_scatter(&r.rows, dtype_size(out->type.dtype), c->in[1]->data, out->data);
  return interrupt_status();
}

/* ---- one_hot ----------------------------------------------------------------------------------------- */

/* An index outside [0, depth) gives a row of off_value. */
static Status one_hot(Call *c) {
  const OneHotParams *p = c->params;
  Tensor *out = c->out[0];
  uint64_t bits;
  Tensor element = { .data = &bits, .type = { .dtype = out->type.dtype } };
  size_t size = dtype_size(out->type.dtype);
  Region from = region_broadcast(&element.type.shape, &out->type.shape), to = region_of(&out->type.shape);
  tensor_set(&element, 0, p->off_value);
  region_copy(size, &bits, &from, out->data, &to);
  tensor_set(&element, 0, p->on_value);
  int64_t index[ROWS_BLOCK], n = tensor_size(c->in[0]);
  for (int64_t at = 0; at < n && !interrupted(); at += ROWS_BLOCK) {
    int64_t m = n - at < ROWS_BLOCK ? n - at : ROWS_BLOCK;
    index_values(c->in[0], at, m, index);
    for (int64_t i = 0; i < m; i++) {
      if (index[i] < 0 || index[i] >= p->depth) continue;
      memcpy((char *)out->data + (size_t)((at + i) * p->depth + index[i]) * size, &bits, size);
    }
  }
  return interrupt_status();
}

const Kernel take_pick_kernels[] = {
  { .op = "take", .types = ALL_TYPES, .run = take, BLOCK_SIZES(ROWS_BLOCK) },
  ADDING_KERNELS("_backward_take", backward_take),
  { .op = "Embedding", .types = ALL_TYPES, .run = embedding, BLOCK_SIZES(ROWS_BLOCK) },
  { .op = "pick", .types = ALL_TYPES, .run = pick },
  { .op = "_backward_pick", .types = ALL_TYPES, .run = backward_pick },
  { .op = "batch_take", .types = ALL_TYPES, .run = batch_take },
  { .op = "fill_element_0index", .types = ALL_TYPES, .run = fill_element },
  { .op = "one_hot", .types = ALL_TYPES, .run = one_hot },
  { 0 },
};
