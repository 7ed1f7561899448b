/* index_rows.c - what x[key] and x[key] = v are: reading the elements that a key names, and writing them.
**
** A key (ir/index_key.h) is a parameter; its index arrays are inputs. Without index arrays a key selects a region: a
** view where that is one piece of memory, else a copy. With them it selects rows (kernels/loops/gather_rows.h): an index
** array's place along its axis, times that axis's stride, is added to where the region's element lies. The gradient
** puts each element back; elements that are named several times are added in the order of the indices. A mask, an
** array of bool as the whole key, marks elements of the first axes; it is for writing only, since what it reads has a
** shape that depends on values (boolean_mask).
*/
#include <string.h>

#include "base/threads/parallel_for.h"
#include "ops/common/gradient_rules.h"
#include "ops/index/index_portable.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"
#include "kernels/loops/gather_rows.h"
#include "tensor/cast_copy.h"

typedef struct IndexParams { const Key *key; } IndexParams;
typedef struct IndexBackwardParams { const Key *key; List shape; } IndexBackwardParams;

static size_t element_size(const Call *c) { return dtype_size(c->out[0]->type.dtype); }

static const Key *key_of(const void *params) { return ((const IndexParams *)params)->key; }
static int read_inputs(const Query *q) { return 1 + key_arrays(key_of(q->params)); }
static int write_inputs(const Query *q) { return 2 + key_arrays(key_of(q->params)); }

/* ---- Types ---------------------------------------------------------------------------------------- */

static Status no_common_shape(const Shape *const *shape, int n) {
  fail("index: expected arrays of shapes that broadcast together, got %s", shape_text(shape[0]));
  for (int i = 1; i < n; i++) fail_append(E_INPUT, " and %s", shape_text(shape[i]));
  return E_INPUT;
}

/* The shape that index arrays broadcast to; "()" for none. */
static Status arrays_shape(const Shape *const *shape, int n, Shape *out) {
  *out = n > 0 ? *shape[0] : (Shape){ 0 };
  for (int i = 1; i < n; i++) if (!shape_broadcast(out, shape[i], out)) return no_common_shape(shape, n);
  return OK;
}

/* One index array as the whole key: x[indices], by far the most frequent, has a short way everywhere. */
static bool names_rows(const Key *key) { return key->n == 1 && key->part[0].kind == KEY_ARRAY; }

/* Its types; false where the long way tells what is wrong, or not known. */
static bool select_rows(const Shape *x, const Shape *index, Shape *out) {
  int rest = x->ndim - 1;
  if (rest < 0 || !shape_known(x) || !shape_known(index) || index->ndim + rest > MAX_DIMS) return false;
  out->ndim = index->ndim + rest;
  memcpy(out->dim, index->dim, (size_t)index->ndim * sizeof *out->dim);
  memcpy(out->dim + index->ndim, x->dim + 1, (size_t)rest * sizeof *out->dim);
  return true;
}

/* Of the selection, the shape. */
static Status select_types(const Key *key, const Shape *x, const Type *arrays, int n, Selection *out) {
  const Shape *shape[MAX_DIMS];
  Shape chosen;
  if (names_rows(key) && n == 1 && select_rows(x, &arrays[0].shape, &out->region.shape)) return OK;
  if (n > MAX_DIMS) return fail("index: expected at most %d arrays, got %d", MAX_DIMS, n);
  for (int i = 0; i < n; i++) shape[i] = &arrays[i].shape;
  TRY(arrays_shape(shape, n, &chosen));
  return key_select(key, x, &chosen, out);
}

static Status refuse_masks(const Type *arrays, int n) {
  for (int i = 0; i < n; i++)
    if (arrays[i].dtype == DT_BOOL)
      return fail("index: a mask cannot be used here: the shape of the result would depend on values; use F.where");
  return OK;
}

static Status infer_index(Infer *f) {
  Selection s;
  TRY(one_dtype(f, 0, 1));
  TRY(refuse_masks(f->in + 1, f->n_in - 1));
  TRY(select_types(key_of(f->params), &f->in[0].shape, f->in + 1, f->n_in - 1, &s));
  return output_shape(f, 0, &s.region.shape);
}

static Status infer_index_backward(Infer *f) {
  const IndexBackwardParams *p = f->params;
  Shape x = list_shape(&p->shape);
  Selection s;
  if (p->shape.count < 0) return fail("shape: expected a shape, got nothing");
  TRY(one_dtype(f, 0, 1));
  TRY(output_shape(f, 0, &x));
  TRY(refuse_masks(f->in + 1, f->n_in - 1));
  TRY(select_types(p->key, &x, f->in + 1, f->n_in - 1, &s));
  return input_shape(f, 0, &s.region.shape);
}

/* A mask as the whole key. */
static bool is_mask(const Key *key, DType dtype) {
  return dtype == DT_BOOL && key->n == 1 && key->part[0].kind == KEY_ARRAY;
}

/* The value's shape where it may have more axes than what it goes into: (1, 3) into (3,). */
static Shape without_leading(const Shape *value, int ndim) {
  Shape s = *value;
  while (s.ndim > ndim && s.dim[0] == 1) memmove(s.dim, s.dim + 1, (size_t)(--s.ndim) * sizeof *s.dim);
  return s;
}

static Status check_value(const Shape *value, const Shape *target) {
  Shape shape = without_leading(value, target->ndim), sum;
  if (!shape_known(value) || !shape_known(target)) return OK;
  if (shape_broadcast(&shape, target, &sum) && shape_equal(&sum, target)) return OK;
  return fail("assignment: expected a value of shape %s or one that broadcasts to it, got %s",
              shape_text(target), shape_text(value));
}

static Status check_mask(const Shape *x, const Shape *mask) {
  if (!shape_known(x) || !shape_known(mask)) return OK;
  bool counts = mask->ndim >= 1 && mask->ndim <= x->ndim;
  if (counts && memcmp(mask->dim, x->dim, (size_t)mask->ndim * sizeof *mask->dim) == 0) return OK;
  return fail("assignment: expected a mask of shape %s or its first axes, got %s", shape_text(x), shape_text(mask));
}

static Status infer_index_assign(Infer *f) {
  const Key *key = key_of(f->params);
  const Shape *x = &f->in[0].shape;
  Selection s;
  TRY(one_dtype(f, 0, 2));
  TRY(one_shape(f, 0, 0));
  if (f->n_in == 3 && is_mask(key, f->in[2].dtype)) return check_mask(x, &f->in[2].shape);
  TRY(refuse_masks(f->in + 2, f->n_in - 2));
  TRY(select_types(key, x, f->in + 2, f->n_in - 2, &s));
  return check_value(&f->in[1].shape, &s.region.shape);
}

/* ---- Rows that index arrays choose -------------------------------------------------------------------- */

/* The selection's elements in order, as rows of its innermost axes that lie in one piece in x. */
typedef struct ChosenRows {
  RowGather rows;
  Selection s;
  int outer;                                /* rows are counted over the axes [0, outer) of the selection... */
  int64_t n_chosen, n_inner;                /* ...so many places of the index arrays, so many rows at each of them */
  const Tensor *index[MAX_DIMS];
  Region spread[MAX_DIMS];                  /* each index array over the axes that they broadcast to */
  int64_t dim[MAX_DIMS], stride[MAX_DIMS];  /* of the axis of x that it is for */
} ChosenRows;

/* Where the elements [first, first + n) of a strided array lie. */
static void walk(const int64_t *dim, const int64_t *stride, int axes, int64_t first, int64_t n, int64_t *to) {
  int64_t at[MAX_DIMS], offset = 0;
  for (int i = axes - 1; i >= 0; i--) {
    at[i] = first % dim[i];
    offset += at[i] * stride[i];
    first /= dim[i];
  }
  for (int64_t k = 0; k < n; k++) {
    to[k] = offset;
    for (int i = axes - 1; i >= 0; i--) {
      offset += stride[i];
      if (++at[i] < dim[i]) break;
      offset -= stride[i] * dim[i];
      at[i] = 0;
    }
  }
}

/* Elements [first, first + n) of index array k, spread out. */
static void chosen_values(const ChosenRows *r, int k, int64_t first, int64_t n, int64_t *to) {
  const Region *spread = &r->spread[k];
  if (region_contiguous(spread)) { index_values(r->index[k], first, n, to); return; }
  walk(spread->shape.dim, spread->stride, spread->shape.ndim, first, n, to);
  for (int64_t i = 0; i < n; i++) to[i] = tensor_get_int(r->index[k], to[i]);
}

/* What the index arrays add to the place, [first, first + n) of their places. */
static void chosen_places(const ChosenRows *r, int64_t first, int64_t n, int64_t *place) {
  int64_t value[ROWS_BLOCK];
  memset(place, 0, (size_t)n * sizeof *place);
  for (int k = 0; k < r->s.n_arrays; k++) {
    chosen_values(r, k, first, n, value);
    index_normal(TAKE_RAISE, r->dim[k], n, value);
    for (int64_t i = 0; i < n; i++) place[i] += value[i] * r->stride[k];
  }
}

static void find_chosen(const RowGather *rows, int64_t first, int64_t n, int64_t *place) {
  const ChosenRows *r = (const ChosenRows *)rows;
  const Region *region = &r->s.region;
  int after = r->s.first + r->s.chosen;
  for (int64_t done = 0, run; done < n; done += run) {
    int64_t inner = (first + done) % r->n_inner, rest = (first + done) / r->n_inner;
    int64_t chosen = rest % r->n_chosen, base, *to = place + done;
    walk(region->shape.dim, region->stride, r->s.first, rest / r->n_chosen, 1, &base);
    base += region->offset;
    run = r->n_inner > 1 ? r->n_inner - inner : r->n_chosen - chosen;
    if (run > n - done) run = n - done;
    if (r->n_inner > 1) {
      int64_t at;
      chosen_places(r, chosen, 1, &at);
      base += at;
      walk(region->shape.dim + after, region->stride + after, r->outer - after, inner, run, to);
    } else {
      chosen_places(r, chosen, run, to);
    }
    for (int64_t i = 0; i < run; i++) to[i] += base;
  }
}

/* Every place must be on its axis. */
static Status check_places(const Tensor *index, int axis, const Shape *x) {
  int64_t value[ROWS_BLOCK], dim = x->dim[axis];
  for (int64_t at = 0, total = tensor_size(index); at < total; at += ROWS_BLOCK) {
    int64_t n = total - at < ROWS_BLOCK ? total - at : ROWS_BLOCK;
    bool inside = true;
    index_values(index, at, n, value);
    for (int64_t i = 0; i < n; i++) inside &= value[i] >= -dim && value[i] < dim;
    for (int64_t i = 0; i < n && !inside; i++)
      if (value[i] < -dim || value[i] >= dim) return key_out_of_range(value[i], axis, x);
  }
  return OK;
}

/* x[x:greater(3)]: comparisons give floats, which as indices would mean rows 0 and 1. */
static Status refuse_float_mask(const Tensor *index, const Shape *x) {
  int64_t n = tensor_size(index);
  if (!dtype_is_float(index->type.dtype) || n == 0 || x->ndim == 0 || !shape_equal(&index->type.shape, x)) return OK;
  for (int64_t i = 0; i < n; i++) {
    double v = tensor_get(index, i);
    if (v != 0 && v != 1) return OK;
  }
  return fail("index: a %s array of the indexed array's own shape that holds only 0 and 1 may be meant as a mask or as "
              "indices: cast it, to bool for a mask (mask:astype \"bool\"), to int32 for indices",
              dtype_name(index->type.dtype));
}

/* How many of the last axes, all of them after the index arrays', lie in one piece; their elements. */
static int rows_outer(const Selection *s, int64_t *width) {
  int outer = s->region.shape.ndim;
  for (*width = 1; outer > s->first + s->chosen; outer--) {
    int64_t dim = s->region.shape.dim[outer - 1];
    if (dim != 1 && s->region.stride[outer - 1] != *width) break;
    *width *= dim;
  }
  return outer;
}

/* What a key with index arrays selects of x. */
static Status chosen_rows(const Key *key, const Shape *x, const Tensor *const *index, int n, ChosenRows *r) {
  const Shape *shape[MAX_DIMS];
  Shape chosen;
  int64_t stride[MAX_DIMS];
  for (int i = 0; i < n; i++) shape[i] = &index[i]->type.shape;
  TRY(arrays_shape(shape, n, &chosen));
  TRY(key_select(key, x, &chosen, &r->s));
  if (key->n == 1) TRY(refuse_float_mask(index[0], x));
  strides_of(x, stride);
  for (int i = 0; i < n; i++) {
    int axis = r->s.axis[i];
    TRY(check_places(index[i], axis, x));
    r->index[i] = index[i];
    r->spread[i] = region_broadcast(shape[i], &chosen);
    r->dim[i] = x->dim[axis];
    r->stride[i] = stride[axis];
  }
  const Shape *whole = &r->s.region.shape;
  r->rows = (RowGather){ .unit = 1, .places = shape_size(x), .find = find_chosen };
  r->outer = rows_outer(&r->s, &r->rows.width);
  r->rows.n = shape_size_range(whole, 0, r->outer);
  r->n_chosen = shape_size(&chosen);
  r->n_inner = shape_size_range(whole, r->s.first + r->s.chosen, r->outer);
  return OK;
}

/* The rows along the first axis that one array names. */
typedef struct NamedRows {
  RowGather rows;
  const Tensor *index;
  int64_t dim;
} NamedRows;

static void find_named(const RowGather *rows, int64_t first, int64_t n, int64_t *place) {
  const NamedRows *r = (const NamedRows *)rows;
  index_values(r->index, first, n, place);
  index_normal(TAKE_RAISE, r->dim, n, place);
  for (int64_t i = 0; i < n; i++) place[i] *= r->rows.width;
}

static Status named_rows(const Shape *x, const Tensor *index, NamedRows *r) {
  TRY(refuse_float_mask(index, x));
  TRY(check_places(index, 0, x));
  r->rows = (RowGather){ .n = tensor_size(index), .places = shape_size(x), .width = shape_size_range(x, 1, x->ndim),
                    .unit = 1, .find = find_named };
  r->index = index;
  r->dim = x->dim[0];
  return OK;
}

/* ---- Reading --------------------------------------------------------------------------------------- */

static bool index_view(const Query *q, size_t *offset) {
  const Type *x = query_in(q, 0);
  Selection s;
  if (q->n_in > 1 || key_select(key_of(q->params), &x->shape, NULL, &s) != OK) return false;
  if (!region_contiguous(&s.region)) return false;
  *offset = selection_begin(&s) * dtype_size(x->dtype);
  return true;
}

static Status index_forward(Call *c) {
  const Key *key = key_of(c->params);
  const Shape *x = &c->in[0]->type.shape;
  if (c->n_in == 1) {
    Selection s;
    TRY(key_select(key, x, NULL, &s));
    Region to = region_of(&s.region.shape);
    region_copy(element_size(c), c->in[0]->data, &s.region, c->out[0]->data, &to);
  } else if (names_rows(key)) {
    NamedRows r;
    TRY(named_rows(x, c->in[1], &r));
    rows_gather(&r.rows, element_size(c), c->in[0]->data, c->out[0]->data);
  } else {
    ChosenRows r;
    TRY(chosen_rows(key, x, c->in + 1, c->n_in - 1, &r));
    rows_gather(&r.rows, element_size(c), c->in[0]->data, c->out[0]->data);
  }
  return interrupt_status();
}

/* A row of these on g and the node's index arrays, which begin at input `first`. */
static Entry build_with_arrays(Gradient *d, const char *op, const void *params, Entry g, int first) {
  Entry in[1 + MAX_DIMS] = { g };
  int n = d->node->n_in - first;
  memcpy(in + 1, d->node->in + first, (size_t)n * sizeof *in);
  return build_op_list(d->b, op, params, 1 + n, in);
}

static IndexBackwardParams backward_params(const Key *key, const Shape *x) {
  IndexBackwardParams p = { .key = key, .shape = { .count = x->ndim } };
  memcpy(p.shape.u.i, x->dim, sizeof x->dim);
  return p;
}

static Status index_grad(Gradient *d) {
  IndexBackwardParams p = backward_params(key_of(d->node->params->fields), &entry_type(d->node->in[0])->shape);
  d->in_grad[0] = build_with_arrays(d, "_backward_index", &p, d->out_grad[0], 1);
  return d->b->status;
}

static Entry portable(Builder *b, const Node *n) { return index_portable(b, key_of(n->params->fields), n); }

/* ---- The gradient of reading -------------------------------------------------------------------------- */

/* A region that is one piece of memory leaves only what is around it to be zeroed. */
static void put_region(Call *c, const Region *to) {
  Tensor *out = c->out[0];
  Region from = region_of(&to->shape);
  size_t size = element_size(c), before = 0, part = 0;
  if (region_contiguous(to) && tensor_size(c->in[0]) > 0) {
    before = (size_t)to->offset * size;
    part = tensor_bytes(c->in[0]);
  }
  clear_block(out->data, before);
  clear_block((char *)out->data + before + part, tensor_bytes(out) - before - part);
  region_copy(size, c->in[0]->data, &from, out->data, to);
}

static Status index_backward_forward(Call *c) {
  const Key *key = key_of(c->params);
  Tensor *out = c->out[0];
  if (c->n_in == 1) {
    Selection s;
    TRY(key_select(key, &out->type.shape, NULL, &s));
    put_region(c, &s.region);
  } else {
    ChosenRows r;
    TRY(chosen_rows(key, &out->type.shape, c->in + 1, c->n_in - 1, &r));
    clear_block(out->data, tensor_bytes(out));
    rows_add(&r.rows, out->type.dtype, c->in[0]->data, out->data);
  }
  return interrupt_status();
}

static Status index_backward_grad(Gradient *d) {
  IndexParams p = { key_of(d->node->params->fields) };
  d->in_grad[0] = build_with_arrays(d, "_index", &p, d->out_grad[0], 1);
  return d->b->status;
}

/* ---- Writing ------------------------------------------------------------------------------------------ */

/* The value over what it goes into. */
static Region spread_value(const Tensor *value, const Shape *target) {
  Shape s = without_leading(&value->type.shape, target->ndim);
  return region_broadcast(&s, target);
}

static inline void copy_element(size_t size, const char *from, char *to) {
  switch (size) {                          /* not worth a call */
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    default: memcpy(to, from, size);
  }
}

/* Row `to` of x gets the elements of the value from `from` on, over the axes from `outer` on. */
static void write_row(const Region *spread, int outer, size_t size, const char *from, char *to) {
  Shape shape = { .ndim = spread->shape.ndim - outer };
  int64_t strides[MAX_DIMS];
  if (shape.ndim == 0) { copy_element(size, from, to); return; }
  memcpy(shape.dim, spread->shape.dim + outer, (size_t)shape.ndim * sizeof *shape.dim);
  strides_of(&shape, strides);
  strided_copy(size, &shape, from, spread->stride + outer, to, strides);
}

/* Does each of the rows over the axes [0, outer) get the same? */
static bool is_one_row(const Region *spread, int outer) {
  bool one = true;
  for (int i = 0; i < outer; i++) one = one && (spread->stride[i] == 0 || spread->shape.dim[i] == 1);
  return one;
}

static void fill_row(size_t size, const char *element, char *to, int64_t width) {
  for (int64_t i = 0; i < width; i++) copy_element(size, element, to + (size_t)i * size);
}

/* The first is spread out, or filled with one element where `spread` is NULL; the others are copies of it. */
static Status write_one_row(Call *c, const RowGather *rows, int outer, const Region *spread) {
  size_t size = element_size(c), bytes = (size_t)rows->width * size;
  char *out = c->out[0]->data, *written = NULL;
  int64_t place[ROWS_BLOCK];
  for (int64_t at = 0; at < rows->n && bytes > 0 && !interrupted(); at += ROWS_BLOCK) {
    int64_t n = rows->n - at < ROWS_BLOCK ? rows->n - at : ROWS_BLOCK;
    rows->find(rows, at, n, place);
    for (int64_t i = 0; i < n; i++) {
      char *to = out + place[i] * (int64_t)size;
      if (written && to != written) memcpy(to, written, bytes);
      if (!written && spread) write_row(spread, outer, size, c->in[1]->data, to);
      if (!written && !spread) fill_row(size, c->in[1]->data, to, rows->width);
      if (!written) written = to;
    }
  }
  return interrupt_status();
}

/* Row by row, in the order of the indices: of equal ones the last stays. Rows are counted over the axes [0, outer) of
** what is written. */
static Status write_rows(Call *c, const RowGather *rows, int outer, const Region *spread) {
  size_t size = element_size(c);
  const char *value = c->in[1]->data;
  char *out = c->out[0]->data;
  int64_t place[ROWS_BLOCK], from[ROWS_BLOCK];
  for (int64_t at = 0; at < rows->n && rows->width > 0 && !interrupted(); at += ROWS_BLOCK) {
    int64_t n = rows->n - at < ROWS_BLOCK ? rows->n - at : ROWS_BLOCK;
    rows->find(rows, at, n, place);
    walk(spread->shape.dim, spread->stride, outer, at, n, from);
    for (int64_t i = 0; i < n; i++)
      write_row(spread, outer, size, value + from[i] * (int64_t)size, out + place[i] * (int64_t)size);
  }
  return interrupt_status();
}

/* Rows that together have the shape `whole`. */
static Status write_rows_of(Call *c, const RowGather *rows, int outer, const Shape *whole) {
  enum { LITTLE = 1024 };       /* elements that are not worth more */
  if (rows->width <= LITTLE && tensor_size(c->in[1]) == 1) return write_one_row(c, rows, outer, NULL);
  Region spread = spread_value(c->in[1], whole);
  if (is_one_row(&spread, outer)) return write_one_row(c, rows, outer, &spread);
  if (!region_contiguous(&spread)) return write_rows(c, rows, outer, &spread);
  rows_scatter(rows, element_size(c), c->in[1]->data, c->out[0]->data);
  return interrupt_status();
}

/* Rows [from, from + n) of the value into rows [to, to + n) of x, whose rows are its axes from `first` on. The
** value's axis 0 counts its rows. */
static void write_run(Call *c, int first, int64_t to, int64_t n, const Region *spread, int64_t from) {
  Region source = *spread, target;
  source.shape.dim[0] = n;
  source.offset = from * spread->stride[0];
  target = region_of(&source.shape);
  target.offset = to * shape_size_range(&c->out[0]->type.shape, first, c->out[0]->type.shape.ndim);
  region_copy(element_size(c), c->in[1]->data, &source, c->out[0]->data, &target);
}

/* The shape of what a mask marks. */
static Shape marked_shape(const Tensor *mask, const Shape *x) {
  const bool *truth = mask->data;
  Shape s = { .ndim = 1 };
  for (int64_t i = 0, n = tensor_size(mask); i < n; i++) s.dim[0] += truth[i];
  for (int i = mask->type.shape.ndim; i < x->ndim; i++) s.dim[s.ndim++] = x->dim[i];
  return s;
}

/* A mask for every axis: element by element. */
static Status write_marked_elements(Call *c, const Region *spread) {
  const bool *truth = c->in[2]->data;
  const char *from = c->in[1]->data;
  size_t size = element_size(c);
  int64_t step = spread->stride[0] * (int64_t)size;
  for (int64_t i = 0, n = tensor_size(c->in[2]); i < n && !interrupted(); i++) {
    if (!truth[i]) continue;
    copy_element(size, from, (char *)c->out[0]->data + (size_t)i * size);
    from += step;
  }
  return interrupt_status();
}

static Status write_marked(Call *c, const Shape *target) {
  const bool *truth = c->in[2]->data;
  Region spread = spread_value(c->in[1], target);
  int first = c->in[2]->type.shape.ndim;
  if (first == c->out[0]->type.shape.ndim) return write_marked_elements(c, &spread);
  for (int64_t i = 0, from = 0, n, rows = tensor_size(c->in[2]); i < rows && !interrupted(); i += n + 1) {
    for (n = 0; i + n < rows && truth[i + n]; n++) {}
    if (n > 0) write_run(c, first, i, n, &spread, from);
    from += n;
  }
  return interrupt_status();
}

/* Output 0 is x, or a copy of it is made first. */
static void begin_writing(Call *c) {
  if (c->out[0]->data != c->in[0]->data) copy_block(c->in[0]->data, c->out[0]->data, tensor_bytes(c->out[0]));
}

static Status write_named(Call *c) {
  const Tensor *index = c->in[2];
  NamedRows r;
  Shape whole;
  TRY(named_rows(&c->out[0]->type.shape, index, &r));
  select_rows(&c->out[0]->type.shape, &index->type.shape, &whole);
  begin_writing(c);
  return write_rows_of(c, &r.rows, index->type.shape.ndim, &whole);
}

static Status index_assign_forward(Call *c) {
  const Key *key = key_of(c->params);
  const Shape *x = &c->out[0]->type.shape;
  if (c->n_in == 2) {
    Selection s;
    TRY(key_select(key, x, NULL, &s));
    Region from = spread_value(c->in[1], &s.region.shape);
    begin_writing(c);
    region_copy(element_size(c), c->in[1]->data, &from, c->out[0]->data, &s.region);
    return interrupt_status();
  }
  if (c->n_in == 3 && is_mask(key, c->in[2]->type.dtype)) {
    Shape target = marked_shape(c->in[2], x);
    TRY(check_value(&c->in[1]->type.shape, &target));
    begin_writing(c);
    return write_marked(c, &target);
  }
  if (names_rows(key)) return write_named(c);
  ChosenRows r;
  TRY(chosen_rows(key, x, c->in + 2, c->n_in - 2, &r));
  begin_writing(c);
  return write_rows_of(c, &r.rows, r.outer, &r.s.region.shape);
}

/* The gradient that flows to what an assignment leaves: of elements that are named several times the last stays, and
** the others get 0. */
static Status infer_index_last(Infer *f) {
  Selection s;
  TRY(one_dtype(f, 0, 1));
  TRY(select_types(key_of(f->params), &f->in[0].shape, f->in + 1, f->n_in - 1, &s));
  return output_shape(f, 0, &s.region.shape);
}

/* For each element of x the row that it went to last. */
static size_t last_scratch(const Query *q) { return (size_t)shape_size(&query_in(q, 0)->shape) * sizeof(int64_t); }

static void mark_last(const ChosenRows *r, int64_t *last) {
  int64_t place[ROWS_BLOCK];
  for (int64_t at = 0; at < r->rows.n && !interrupted(); at += ROWS_BLOCK) {
    int64_t n = r->rows.n - at < ROWS_BLOCK ? r->rows.n - at : ROWS_BLOCK;
    find_chosen(&r->rows, at, n, place);
    for (int64_t i = 0; i < n; i++) last[place[i]] = at + i;
  }
}

static void clear_overwritten(const ChosenRows *r, const int64_t *last, char *out, size_t bytes) {
  int64_t place[ROWS_BLOCK];
  for (int64_t at = 0; at < r->rows.n && !interrupted(); at += ROWS_BLOCK) {
    int64_t n = r->rows.n - at < ROWS_BLOCK ? r->rows.n - at : ROWS_BLOCK;
    find_chosen(&r->rows, at, n, place);
    for (int64_t i = 0; i < n; i++) if (last[place[i]] != at + i) memset(out + (size_t)(at + i) * bytes, 0, bytes);
  }
}

static Status index_last_forward(Call *c) {
  ChosenRows r;
  TRY(chosen_rows(key_of(c->params), &c->in[0]->type.shape, c->in + 1, c->n_in - 1, &r));
  if (tensor_size(c->out[0]) == 0) return OK;
  rows_gather(&r.rows, element_size(c), c->in[0]->data, c->out[0]->data);
  mark_last(&r, c->workspace);
  clear_overwritten(&r, c->workspace, c->out[0]->data, (size_t)r.rows.width * element_size(c));
  return interrupt_status();
}

static Status index_last_grad(Gradient *d) {
  Entry in[2 + MAX_DIMS] = { build_zeros_like(d->b, d->node->in[0]), d->out_grad[0] };
  memcpy(in + 2, d->node->in + 1, (size_t)(d->node->n_in - 1) * sizeof *in);
  d->in_grad[0] = build_op_list(d->b, "_index_assign", d->node->params->fields, d->node->n_in + 1, in);
  return d->b->status;
}

static Entry value_gradient(Gradient *d) {
  const IndexParams *p = (const IndexParams *)d->node->params->fields;
  Entry e = build_with_arrays(d, d->node->n_in > 2 ? "_backward_index_assign" : "_index", p, d->out_grad[0], 2);
  return sum_to(d->b, e, entry_type(d->node->in[1]));
}

static Status index_assign_grad(Gradient *d) {
  const Node *n = d->node;
  if (d->wanted[0]) {
    Entry in[2 + MAX_DIMS] = { d->out_grad[0], build_zeros_like(d->b, n->in[1]) };
    memcpy(in + 2, n->in + 2, (size_t)(n->n_in - 2) * sizeof *in);
    d->in_grad[0] = build_op_list(d->b, n->op->name, n->params->fields, n->n_in, in);
  }
  if (!d->wanted[1]) return d->b->status;
  if (n->n_in == 3 && is_mask(key_of(n->params->fields), entry_type(n->in[2])->dtype))
    return fail("assignment: a value that a mask places has no gradient; use F.where");
  d->in_grad[1] = value_gradient(d);
  return d->b->status;
}

/* ---- Rows ----------------------------------------------------------------------------------------------- */

#define ARRAYS " i0 i1 i2 i3 i4 i5 i6 i7"
#define KEY_LINE "key key ... What stands in the brackets; @ for each index array.\n"

Op bracket_ops[] = {
  { .name = "_index", .name_stem = "index", .error_name = "index",
    .doc = "data[key], in NumPy's meaning: begin:end:step, single places, None, ..., and index arrays. "
           "What is one piece of memory shares it with data",
    .inputs = "data" ARRAYS,
    .example = "F.index(F.array{{1, 2, 3}, {4, 5, 6}}, {key = \"1, ::-2\"})\n"
               "F.index(F.array{{1, 2, 3}, {4, 5, 6}}, {key = \"None, -1\"})\n"
               "F.index(F.array{{1, 2, 3}, {4, 5, 6}}, "
               "F.array({2, 0, -1, 2}, {dtype = \"int32\"}), {key = \"..., @\"})\n"
               "F.index(F.array{{1, 2, 3}, {4, 5, 6}}, F.array({1, 0}, {dtype = \"int32\"}), "
               "F.array({{2}, {0}}, {dtype = \"int32\"}), {key = \"@, @\"})",
    .params = KEY_LINE, .params_size = sizeof(IndexParams), .n_inputs = read_inputs, .differentiable = 1,
    .role = ROLE_INDEX, .infer = infer_index, .view = index_view, .forward = index_forward, .grad = index_grad,
    .portable = portable },
  { .name = "_backward_index",
    .doc = "Zeros of a shape, with elements put back, or added where they are named several times",
    .inputs = "grad" ARRAYS, .error_name = "index", .params = KEY_LINE "shape shape - The shape.\n",
    .params_size = sizeof(IndexBackwardParams), .n_inputs = read_inputs, .differentiable = 1, .flags = OP_INTERNAL,
    .infer = infer_index_backward, .forward = index_backward_forward, .grad = index_backward_grad },
  { .name = "_index_assign", .name_stem = "index_assign", .error_name = "index assignment",
    .doc = "data with data[key] replaced by value, which broadcasts; of elements named several times the last stays. "
           "A mask, an array of bool as the whole key, covers the first axes",
    .inputs = "data value" ARRAYS,
    .example = "F.index_assign(F.array{{1, 2, 3}, {4, 5, 6}}, F.array{{7}, {8}}, {key = \":, 1:\"})\n"
               "F.index_assign(F.array{{1, 2, 3}, {4, 5, 6}}, F.array{7, 8, 9}, "
               "F.array({1, 0, 1}, {dtype = \"int32\"}), "
               "{key = \"0, @\"})\n"
               "F.index_assign(F.array{1, 2, 3, 4}, F.array{5}, F.array({1, 3}, {dtype = \"int32\"}), {key = \"@\"})",
    .params = KEY_LINE, .params_size = sizeof(IndexParams), .n_inputs = write_inputs, .differentiable = 3,
    .flags = OP_IN_PLACE_EACH, .role = ROLE_INDEX_ASSIGN,
    .infer = infer_index_assign, .forward = index_assign_forward, .grad = index_assign_grad },
  { .name = "_backward_index_assign",
    .doc = "grad[key], and 0 for all but the last of the elements that are named several times",
    .inputs = "grad" ARRAYS, .error_name = "index", .params = KEY_LINE, .params_size = sizeof(IndexParams),
    .n_inputs = read_inputs, .differentiable = 1,
    .flags = OP_INTERNAL, .workspace = last_scratch,
    .infer = infer_index_last, .forward = index_last_forward, .grad = index_last_grad },
  { 0 }
};
