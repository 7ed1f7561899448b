/* chosen_rows.c - see chosen_rows.h. */
#include "kernels/index/chosen_rows.h"

#include <string.h>

#include "tensor/cast_copy.h"

void index_offsets(const int64_t *dim, const int64_t *stride, int axes, int64_t first, int64_t n, int64_t *to) {
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

/* Elements [first, first + n) of index array k, broadcast. */
static void chosen_values(const ChosenRows *r, int k, int64_t first, int64_t n, int64_t *to) {
  const Region *spread = &r->spread[k];
  if (region_contiguous(spread)) {
    index_values(r->index[k], first, n, to);
    return;
  }
  index_offsets(spread->shape.dim, spread->stride, spread->shape.ndim, first, n, to);
  for (int64_t i = 0; i < n; i++) to[i] = tensor_get_int(r->index[k], to[i]);
}

/* The offsets that the index arrays add at their positions [first, first + n). */
static void chosen_places(const ChosenRows *r, int64_t first, int64_t n, int64_t *place) {
  int64_t value[ROWS_BLOCK];
  memset(place, 0, (size_t)n * sizeof *place);
  for (int k = 0; k < r->s.n_arrays; k++) {
    chosen_values(r, k, first, n, value);
    index_normal(TAKE_RAISE, r->dim[k], n, value);
    for (int64_t i = 0; i < n; i++) place[i] += value[i] * r->stride[k];
  }
}

void find_chosen(const RowGather *rows, int64_t first, int64_t n, int64_t *place) {
  const ChosenRows *r = (const ChosenRows *)rows;
  const Region *region = &r->s.region;
  int after = r->s.first + r->s.chosen;
  for (int64_t done = 0, run; done < n; done += run) {
    int64_t inner = (first + done) % r->n_inner, rest = (first + done) / r->n_inner;
    int64_t chosen = rest % r->n_chosen, base, *to = place + done;
    index_offsets(region->shape.dim, region->stride, r->s.first, rest / r->n_chosen, 1, &base);
    base += region->offset;
    run = r->n_inner > 1 ? r->n_inner - inner : r->n_chosen - chosen;
    if (run > n - done) run = n - done;
    if (r->n_inner > 1) {
      int64_t at;
      chosen_places(r, chosen, 1, &at);
      base += at;
      index_offsets(region->shape.dim + after, region->stride + after, r->outer - after, inner, run, to);
    } else {
      chosen_places(r, chosen, run, to);
    }
    for (int64_t i = 0; i < run; i++) to[i] += base;
  }
}

/* Fails if an index is outside its axis. */
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

/* Refuses x[x:greater(3)]: comparisons return floats, which as indices would select rows 0 and 1. */
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

/* Returns the number of outer axes. The others follow the axes of the index arrays and are contiguous in memory, with
** *width elements. */
static int rows_outer(const Selection *s, int64_t *width) {
  int outer = s->region.shape.ndim;
  for (*width = 1; outer > s->first + s->chosen; outer--) {
    int64_t dim = s->region.shape.dim[outer - 1];
    if (dim != 1 && s->region.stride[outer - 1] != *width) break;
    *width *= dim;
  }
  return outer;
}

Status chosen_rows(const Key *key, const Shape *x, const Tensor *const *index, int n, ChosenRows *r) {
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

static void find_named(const RowGather *rows, int64_t first, int64_t n, int64_t *place) {
  const NamedRows *r = (const NamedRows *)rows;
  index_values(r->index, first, n, place);
  index_normal(TAKE_RAISE, r->dim, n, place);
  for (int64_t i = 0; i < n; i++) place[i] *= r->rows.width;
}

Status named_rows(const Shape *x, const Tensor *index, NamedRows *r) {
  TRY(refuse_float_mask(index, x));
  TRY(check_places(index, 0, x));
  r->rows = (RowGather){ .n = tensor_size(index),
                         .places = shape_size(x),
                         .width = shape_size_range(x, 1, x->ndim),
                         .unit = 1,
                         .find = find_named };
  r->index = index;
  r->dim = x->dim[0];
  return OK;
}
