/* gather_nd_kernels.c - gather_nd, scatter_nd, boolean_mask, index_copy, and operators that create and convert indices.
**
** Tuples and indices choose rows (kernels/loops/gather_rows.h); a mask chooses runs of rows.
*/
#include <string.h>

#include "base/threads/parallel_for.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/gather_rows.h"
#include "ops/common/shape_params.h"
#include "ops/common/shared_params.h"
#include "ops/index/gather_nd.h"
#include "tensor/cast_copy.h"

/* ---- gather_nd, scatter_nd ------------------------------------------------------------------------- */

/* Row i is at (index[0, i], index[1, i], ..): each row of index has the indices along one axis. */
typedef struct TupleRows {
  RowGather rows;
  const Tensor *index;
  const Shape *array;
  int axes;
} TupleRows;

static void find_tuples(const RowGather *rows, int64_t first, int64_t n, int64_t *place) {
  const TupleRows *r = (const TupleRows *)rows;
  int64_t index[ROWS_BLOCK];
  memset(place, 0, (size_t)n * sizeof *place);
  for (int a = 0; a < r->axes; a++) {
    index_values(r->index, a * r->rows.n + first, n, index);
    index_normal(TAKE_RAISE, r->array->dim[a], n, index);
    for (int64_t i = 0; i < n; i++) place[i] = place[i] * r->array->dim[a] + index[i];
  }
}

static Status tuple_rows(const char *who, const Tensor *index, const Shape *array, TupleRows *out) {
  int axes = (int)index->type.shape.dim[0];
  int64_t n = shape_size_range(&index->type.shape, 1, index->type.shape.ndim);
  *out = (TupleRows){ .rows = { .n = n,
                                .places = shape_size_range(array, 0, axes),
                                .width = shape_size_range(array, axes, array->ndim),
                                .find = find_tuples },
                      .index = index,
                      .array = array,
                      .axes = axes };
  for (int a = 0; a < axes; a++) TRY(index_check(who, "indices", index, a * n, n, array->dim[a], true));
  return OK;
}

static Status gather_nd(Call *c) {
  TupleRows r;
  TRY(tuple_rows(c->op->name, c->in[1], &c->in[0]->type.shape, &r));
  rows_gather(&r.rows, dtype_size(c->in[0]->type.dtype), c->in[0]->data, c->out[0]->data);
  return interrupt_status();
}

static Status scatter_nd(Call *c) {
  Tensor *out = c->out[0];
  TupleRows r;
  TRY(tuple_rows(c->op->name, c->in[1], &out->type.shape, &r));
  clear_block(out->data, tensor_bytes(out));
  rows_scatter(&r.rows, dtype_size(out->type.dtype), c->in[0]->data, out->data);
  return interrupt_status();
}

static Status add_nd(Call *c) {
  Tensor *out = c->out[0];
  TupleRows r;
  TRY(tuple_rows(c->op->name, c->in[1], &out->type.shape, &r));
  clear_block(out->data, tensor_bytes(out));
  rows_add(&r.rows, c->kernel->own, c->in[0]->data, out->data);
  return interrupt_status();
}

/* ---- boolean_mask -------------------------------------------------------------------------------------- */

typedef void UseRun(void *context, int64_t first, int64_t n);

/* Calls `use` with each run of true elements, in order. */
static void each_true_run(const Tensor *mask, UseRun *use, void *context) {
  enum { STRETCH = 1024 };
  DType dtype = mask->type.dtype;
  bool truth[STRETCH];
  for (int64_t at = 0, n = tensor_size(mask); at < n && !interrupted(); at += STRETCH) {
    int64_t m = n - at < STRETCH ? n - at : STRETCH;
    convert(dtype, (const char *)mask->data + (size_t)at * dtype_size(dtype), DT_BOOL, truth, m);
    for (int64_t i = 0; i < m;) {
      while (i < m && !truth[i]) i++;
      int64_t first = i;
      while (i < m && truth[i]) i++;
      if (i > first) use(context, at + first, i - first);
    }
  }
}

static void count_run(void *context, int64_t first, int64_t n) {
  (void)first;
  *(int64_t *)context += n;
}

static int64_t count_true(const Tensor *mask) {
  int64_t n = 0;
  each_true_run(mask, count_run, &n);
  return n;
}

static Status mask_dynamic(const Query *q, Type *out) {
  out[0].shape.dim[0] = count_true(q->in[1]);
  return interrupt_status();
}

/* A copy of runs of rows from the masked array to a dense one; `scatter` copies the other way. */
typedef struct MaskCopy { const char *from; char *to; size_t row; bool scatter; int64_t at; } MaskCopy;

static void copy_rows(void *context, int64_t first, int64_t n) {
  MaskCopy *m = context;
  size_t masked = (size_t)first * m->row, dense = (size_t)m->at * m->row, bytes = (size_t)n * m->row;
  memcpy(m->to + (m->scatter ? masked : dense), m->from + (m->scatter ? dense : masked), bytes);
  m->at += n;
}

static Status copy_masked(const Tensor *mask, const Tensor *array, const void *from, void *to, bool scatter) {
  const Shape *s = &array->type.shape;
  MaskCopy m = { .from = from,
                 .to = to,
                 .scatter = scatter,
                 .row = (size_t)shape_size_range(s, mask->type.shape.ndim, s->ndim) * dtype_size(array->type.dtype) };
  each_true_run(mask, copy_rows, &m);
  return interrupt_status();
}

static Status mask(Call *c) { return copy_masked(c->in[1], c->in[0], c->in[0]->data, c->out[0]->data, false); }

static Status backward_mask(Call *c) {
  Tensor *out = c->out[0];
  clear_block(out->data, tensor_bytes(out));
  return copy_masked(c->in[1], out, c->in[0]->data, out->data, true);
}

/* ---- index_copy -------------------------------------------------------------------------------------------- */

typedef struct CopyRows { RowGather rows; const Tensor *index; } CopyRows;

static void find_copied(const RowGather *rows, int64_t first, int64_t n, int64_t *place) {
  index_values(((const CopyRows *)rows)->index, first, n, place);
}

static Status index_copy(Call *c) {
  Tensor *out = c->out[0];
  const Shape *s = &out->type.shape;
  CopyRows r = { .rows = { .n = tensor_size(c->in[1]),
                           .places = s->dim[0],
                           .width = shape_size_range(s, 1, s->ndim),
                           .find = find_copied },
                 .index = c->in[1] };
  TRY(index_check(c->op->name, "index_vector", c->in[1], 0, r.rows.n, s->dim[0], false));
  copy_block(c->in[0]->data, out->data, tensor_bytes(out));
  rows_scatter(&r.rows, dtype_size(out->type.dtype), c->in[2]->data, out->data);
  return interrupt_status();
}

/* ---- Indices: positions in a shape ----------------------------------------------------------------------------- */

/* Stores n integers as elements starting with `first`. */
static void store_values(Tensor *t, int64_t first, int64_t n, const int64_t *from) {
  DType dtype = t->type.dtype;
  convert(DT_INT64, from, dtype, (char *)t->data + (size_t)first * dtype_size(dtype), n);
}

static Status ravel(Call *c) {
  const List *dims = &((const ShapeParams *)c->params)->shape;
  int64_t total = tensor_size(c->out[0]), index[ROWS_BLOCK], sum[ROWS_BLOCK];
  for (int64_t at = 0; at < total && !interrupted(); at += ROWS_BLOCK) {
    int64_t n = total - at < ROWS_BLOCK ? total - at : ROWS_BLOCK;
    memset(sum, 0, sizeof sum);
    for (int d = 0; d < dims->count; d++) {
      index_values(c->in[0], d * total + at, n, index);
      for (int64_t i = 0; i < n; i++) sum[i] = sum[i] * dims->u.i[d] + index[i];
    }
    store_values(c->out[0], at, n, sum);
  }
  return interrupt_status();
}

static Status unravel(Call *c) {
  const List *dims = &((const ShapeParams *)c->params)->shape;
  int64_t total = tensor_size(c->in[0]), rest[ROWS_BLOCK], index[ROWS_BLOCK];
  for (int64_t at = 0; at < total && !interrupted(); at += ROWS_BLOCK) {
    int64_t n = total - at < ROWS_BLOCK ? total - at : ROWS_BLOCK;
    index_values(c->in[0], at, n, rest);
    for (int d = (int)dims->count - 1; d > 0; d--) {
      for (int64_t i = 0; i < n; i++) {
        index[i] = rest[i] % dims->u.i[d];
        rest[i] /= dims->u.i[d];
      }
      store_values(c->out[0], d * total + at, n, index);
    }
    store_values(c->out[0], at, n, rest);
  }
  return interrupt_status();
}

static Status index_array(Call *c) {
  const List *axes = &((const IndexArrayParams *)c->params)->axes;
  const Shape *s = &c->in[0]->type.shape;
  int64_t *out = c->out[0]->data, position[MAX_DIMS] = { 0 };
  int n = (int)(axes->count < 0 ? s->ndim : axes->count);
  for (int64_t i = 0, total = tensor_size(c->in[0]); i < total; i++) {
    for (int k = 0; k < n; k++) { *out++ = position[axes->count < 0 ? k : axis_at(list_ints(axes)[k], s->ndim)]; }
    for (int d = s->ndim - 1; d >= 0 && ++position[d] == s->dim[d]; d--) position[d] = 0;
  }
  return OK;
}

static Status arange_like(Call *c) {
  const ArangeLikeParams *p = c->params;
  const double start = dtype_cut(c->out[0]->type.dtype, p->start), step = dtype_cut(c->out[0]->type.dtype, p->step);
  for (int64_t i = 0, n = tensor_size(c->out[0]); i < n; i++)
    tensor_set(c->out[0], i, start + (double)(i / p->repeat) * step);
  return OK;
}

const Kernel gather_nd_kernels[] = {
  { .op = "gather_nd", .types = ALL_TYPES, .run = gather_nd },
  { .op = "scatter_nd", .types = ALL_TYPES, .run = scatter_nd },
  ADDING_KERNELS("_backward_gather_nd", add_nd),
  { .op = "_contrib_boolean_mask", .types = ALL_TYPES, .run = mask, .dynamic = mask_dynamic },
  { .op = "_backward_boolean_mask", .types = ALL_TYPES, .run = backward_mask },
  { .op = "_contrib_index_copy", .types = ALL_TYPES, .run = index_copy },
  { .op = "_ravel_multi_index", .types = ALL_TYPES, .run = ravel },
  { .op = "_unravel_index", .types = ALL_TYPES, .run = unravel },
  { .op = "_contrib_index_array", .types = ONE_TYPE(DT_INT64), .run = index_array },
  { .op = "_contrib_arange_like", .types = ALL_TYPES, .run = arange_like },
  { 0 },
};
