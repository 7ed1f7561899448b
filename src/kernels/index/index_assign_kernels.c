/* index_assign_kernels.c - x[key] = v, and the gradient of v. */
#include <string.h>

#include "base/threads/parallel_for.h"
#include "kernels/index/chosen_rows.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/fill_region.h"
#include "ops/index/index_assign.h"
#include "tensor/cast_copy.h"

static Region spread_value(const Tensor *value, const Shape *target) {
  Shape s = without_leading(&value->type.shape, target->ndim);
  return region_broadcast(&s, target);
}

static inline void copy_element(size_t size, const char *from, char *to) {
  switch (size) {                          /* constant sizes need no call */
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    default: memcpy(to, from, size);
  }
}

/* Copies the elements of the value starting at `from`, over the axes starting with `outer`, to the row of x at `to`. */
static void write_row(const Region *spread, int outer, size_t size, const char *from, char *to) {
  Shape shape = { .ndim = spread->shape.ndim - outer };
  int64_t strides[MAX_DIMS];
  if (shape.ndim == 0) {
    copy_element(size, from, to);
    return;
  }
  memcpy(shape.dim, spread->shape.dim + outer, (size_t)shape.ndim * sizeof *shape.dim);
  strides_of(&shape, strides);
  strided_copy(size, &shape, from, spread->stride + outer, to, strides);
}

/* Do all rows over the axes [0, outer) get the same elements? */
static bool is_one_row(const Region *spread, int outer) {
  bool one = true;
  for (int i = 0; i < outer; i++) one = one && (spread->stride[i] == 0 || spread->shape.dim[i] == 1);
  return one;
}

static void fill_row(size_t size, const char *element, char *to, int64_t width) {
  for (int64_t i = 0; i < width; i++) copy_element(size, element, to + (size_t)i * size);
}

/* Writes the first row from `spread`, or fills it with one element if `spread` is NULL, and copies it to the others. */
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

/* Writes row by row in the order of the indices, so that the last of equal ones wins. Rows are counted over the axes
** [0, outer) of the selection. */
static Status write_rows(Call *c, const RowGather *rows, int outer, const Region *spread) {
  size_t size = element_size(c);
  const char *value = c->in[1]->data;
  char *out = c->out[0]->data;
  int64_t place[ROWS_BLOCK], from[ROWS_BLOCK];
  for (int64_t at = 0; at < rows->n && rows->width > 0 && !interrupted(); at += ROWS_BLOCK) {
    int64_t n = rows->n - at < ROWS_BLOCK ? rows->n - at : ROWS_BLOCK;
    rows->find(rows, at, n, place);
    index_offsets(spread->shape.dim, spread->stride, outer, at, n, from);
    for (int64_t i = 0; i < n; i++)
      write_row(spread, outer, size, value + from[i] * (int64_t)size, out + place[i] * (int64_t)size);
  }
  return interrupt_status();
}

/* Writes rows that together have the shape `whole`. */
static Status write_rows_of(Call *c, const RowGather *rows, int outer, const Shape *whole) {
  enum { LITTLE = 1024 };       /* longest row that fill_row writes */
  if (rows->width <= LITTLE && tensor_size(c->in[1]) == 1) return write_one_row(c, rows, outer, NULL);
  Region spread = spread_value(c->in[1], whole);
  if (is_one_row(&spread, outer)) return write_one_row(c, rows, outer, &spread);
  if (!region_contiguous(&spread)) return write_rows(c, rows, outer, &spread);
  rows_scatter(rows, element_size(c), c->in[1]->data, c->out[0]->data);
  return interrupt_status();
}

/* Copies rows [from, from + n) of the value to rows [to, to + n) of x, whose rows span the axes starting with `first`.
** Axis 0 of `spread` counts the value's rows. */
static void write_run(Call *c, int first, int64_t to, int64_t n, const Region *spread, int64_t from) {
  Region source = *spread, target;
  source.shape.dim[0] = n;
  source.offset = from * spread->stride[0];
  target = region_of(&source.shape);
  target.offset = to * shape_size_range(&c->out[0]->type.shape, first, c->out[0]->type.shape.ndim);
  region_copy(element_size(c), c->in[1]->data, &source, c->out[0]->data, &target);
}

/* The shape of the elements that a mask marks. */
static Shape marked_shape(const Tensor *mask, const Shape *x) {
  const bool *truth = mask->data;
  Shape s = { .ndim = 1 };
  for (int64_t i = 0, n = tensor_size(mask); i < n; i++) s.dim[0] += truth[i];
  for (int i = mask->type.shape.ndim; i < x->ndim; i++) s.dim[s.ndim++] = x->dim[i];
  return s;
}

/* Writes to the elements marked by a mask over all axes. */
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

/* Copies x to output 0 unless they share memory. */
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

static Status index_assign(Call *c) {
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

/* ---- The gradient of the value: the last row written to each element ------------------------------------ */

/* Workspace: the last row written to each element of x. */
static Status last_workspace(const Query *q, Workspace *w) {
  w->bytes = (size_t)shape_size(&query_in(q, 0)->shape) * sizeof(int64_t);
  return OK;
}

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
    for (int64_t i = 0; i < n; i++)
      if (last[place[i]] != at + i) memset(out + (size_t)(at + i) * bytes, 0, bytes);
  }
}

static Status index_last(Call *c) {
  ChosenRows r;
  TRY(chosen_rows(key_of(c->params), &c->in[0]->type.shape, c->in + 1, c->n_in - 1, &r));
  if (tensor_size(c->out[0]) == 0) return OK;
  rows_gather(&r.rows, element_size(c), c->in[0]->data, c->out[0]->data);
  mark_last(&r, c->workspace);
  clear_overwritten(&r, c->workspace, c->out[0]->data, (size_t)r.rows.width * element_size(c));
  return interrupt_status();
}

const Kernel index_assign_kernels[] = {
  { .op = "_index_assign", .types = ALL_TYPES, .run = index_assign },
  { .op = "_backward_index_assign", .types = ALL_TYPES, .run = index_last, .workspace = last_workspace },
  { 0 },
};
