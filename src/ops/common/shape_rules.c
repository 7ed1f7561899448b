/* shape_rules.c - see shape_rules.h. */
#include "ops/common/shape_rules.h"

#include <string.h>

#include "ops/common/shape_params.h"
#include "ops/common/shared_params.h"

/* The name of an output, for errors; variadic rows name only their first ones. */
static const char *output_name(const Op *op, int i) { return i < op->info->n_outputs ? op->info->output[i] : "output"; }

static Status wrong_dtype(DType got, DType wanted, const char *who) {
  return fail("%s: expected dtype %s, got %s; convert with astype", who, dtype_name(wanted), dtype_name(got));
}

static Status wrong_shape(const Shape *got, const Shape *wanted, const char *who) {
  return fail("%s: expected shape %s, got %s", who, shape_text(wanted), shape_text(got));
}

Status input_dtype(Infer *f, int i, DType dtype) {
  DType *known = &f->in[i].dtype;
  return dtype_merge(known, dtype) ? OK : wrong_dtype(*known, dtype, op_input_title(f->op, f->params, i));
}

Status output_dtype(Infer *f, int i, DType dtype) {
  DType *known = &f->out[i].dtype;
  return dtype_merge(known, dtype) ? OK : wrong_dtype(*known, dtype, output_name(f->op, i));
}

Status input_shape(Infer *f, int i, const Shape *shape) {
  Shape *known = &f->in[i].shape;
  return shape_merge(known, shape) ? OK : wrong_shape(known, shape, op_input_title(f->op, f->params, i));
}

Status output_shape(Infer *f, int i, const Shape *shape) {
  Shape *known = &f->out[i].shape;
  return shape_merge(known, shape) ? OK : wrong_shape(known, shape, output_name(f->op, i));
}

Status output_type(Infer *f, int i, Type *type) {
  if (types_merge(&f->out[i], type)) return OK;
  return fail("%s: expected %s, got %s", output_name(f->op, i), type_text(type), type_text(&f->out[i]));
}

Status one_dtype(Infer *f, int first, int last) {
  DType dtype = DT_UNKNOWN;
  for (int i = first; i < last && dtype == DT_UNKNOWN; i++) dtype = f->in[i].dtype;
  for (int i = 0; i < f->n_out && dtype == DT_UNKNOWN; i++) dtype = f->out[i].dtype;
  for (int i = first; i < last; i++) TRY(input_dtype(f, i, dtype));
  for (int i = 0; i < f->n_out; i++) TRY(output_dtype(f, i, dtype));
  return OK;
}

static bool may_be_float(DType t) { return t == DT_UNKNOWN || t == DT_FLOAT32 || t == DT_FLOAT64; }

static Status no_float(DType got, const char *who) {
  return fail("%s: expected dtype float32 or float64, got %s; convert with astype", who, dtype_name(got));
}

Status float_inputs(const Infer *f, int n) {
  for (int i = 0; i < n; i++)
    if (!may_be_float(f->in[i].dtype)) return no_float(f->in[i].dtype, op_input_title(f->op, f->params, i));
  return OK;
}

Status one_float_dtype(Infer *f, int n_in, int n_out) {
  DType dtype = DT_UNKNOWN;
  TRY(float_inputs(f, n_in));
  for (int i = 0; i < n_out; i++)
    if (!may_be_float(f->out[i].dtype)) return no_float(f->out[i].dtype, output_name(f->op, i));
  for (int i = 0; i < n_in && dtype == DT_UNKNOWN; i++) dtype = f->in[i].dtype;
  for (int i = 0; i < n_out && dtype == DT_UNKNOWN; i++) dtype = f->out[i].dtype;
  for (int i = 0; i < n_in; i++) TRY(input_dtype(f, i, dtype));
  for (int i = 0; i < n_out; i++) TRY(output_dtype(f, i, dtype));
  return OK;
}

Status one_shape(Infer *f, int i, int o) {
  TRY(input_shape(f, i, &f->out[o].shape));
  return output_shape(f, o, &f->in[i].shape);
}

Status least_dims(const Infer *f, int i, int least) {
  const Shape *s = &f->in[i].shape;
  if (s->ndim < 0 || s->ndim >= least) return OK;
  return fail("%s: expected at least %d dimension%s, got shape %s", op_input_title(f->op, f->params, i), least,
              least == 1 ? "" : "s", shape_text(s));
}

Status check_images(const char *who, const Shape *s) {
  if (s->ndim < 0 || s->ndim == 4) return OK;
  return fail("%s: expected 4 dimensions (batch, channel, height, width), got %s", who, shape_text(s));
}

Status square_matrices(Infer *f, int i) {
  Shape *s = &f->in[i].shape;
  TRY(least_dims(f, i, 2));
  if (s->ndim < 0) return OK;
  int64_t *rows = &s->dim[s->ndim - 2], *columns = &s->dim[s->ndim - 1];
  if (*rows < 0) *rows = *columns;
  if (*columns < 0) *columns = *rows;
  return *rows == *columns
           ? OK
           : fail("%s: expected square matrices, got shape %s", op_input_title(f->op, f->params, i), shape_text(s));
}

Status infer_matrix_number(Infer *f) {
  TRY(one_float_dtype(f, 1, f->n_out));
  TRY(square_matrices(f, 0));
  Shape out = f->in[0].shape;
  if (out.ndim < 0) return OK;
  out.ndim -= 2;
  out = number_shape(out, f->op->info->n_params > 0 && ((const NpParams *)f->params)->np);
  for (int i = 0; i < f->n_out; i++) TRY(output_shape(f, i, &out));
  return OK;
}

Shape without_axis(const Shape *s, int axis) {
  Shape out = { .ndim = s->ndim - 1 };
  for (int i = 0; i < out.ndim; i++) out.dim[i] = s->dim[i < axis ? i : i + 1];
  return out;
}

Shape only_axis(const Shape *s, int axis) {
  Shape out = { .ndim = s->ndim };
  for (int i = 0; i < out.ndim; i++) out.dim[i] = i == axis ? s->dim[i] : 1;
  return out;
}

Status new_axis(int64_t axis, int ndim, int *out) {
  if (axis < -ndim - 1 || axis > ndim)
    return fail("axis: expected a position from %d to %d for a new axis of an array with %d dimension%s, got %lld",
                -ndim - 1, ndim, ndim, ndim == 1 ? "" : "s", (long long)axis);
  *out = (int)(axis < 0 ? axis + ndim + 1 : axis);
  return OK;
}

Status infer_same_type(Infer *f) {
  TRY(one_dtype(f, 0, 1));
  return one_shape(f, 0, 0);
}

Status infer_same_floats(Infer *f) {
  TRY(one_float_dtype(f, f->n_in, 1));
  for (int i = 0; i < f->n_in; i++) TRY(one_shape(f, i, 0));
  for (int i = 0; i < f->n_in; i++) TRY(one_shape(f, i, 0));
  return OK;
}

bool types_merge(Type *a, Type *b) {
  if (a->dtype != DT_UNKNOWN && b->dtype != DT_UNKNOWN && a->dtype != b->dtype) return false;
  if (a->dtype == DT_UNKNOWN) a->dtype = b->dtype;
  b->dtype = a->dtype;
  if (!shape_merge(&a->shape, &b->shape)) return false;
  b->shape = a->shape;
  return true;
}

Type row_type(const Type *whole) {
  Type t = *whole;
  t.shape = whole->shape.ndim > 0 ? without_axis(&whole->shape, 0) : SHAPE_UNKNOWN;
  return t;
}

Status rows_type(const Type *row, int64_t length, Type *out) {
  *out = (Type){ .dtype = row->dtype, .shape = SHAPE_UNKNOWN };
  if (row->shape.ndim < 0) return OK;
  if (row->shape.ndim == MAX_DIMS)
    return fail("expected rows of at most %d dimensions, got %s", MAX_DIMS - 1, shape_text(&row->shape));
  out->shape.ndim = row->shape.ndim + 1;
  out->shape.dim[0] = length;
  memcpy(out->shape.dim + 1, row->shape.dim, (size_t)row->shape.ndim * sizeof *row->shape.dim);
  return OK;
}

int input_place(bool (*takes)(const Query *q, int name), const void *params, int name) {
  const Query q = { .params = params };
  int at = 0;
  if (!takes(&q, name)) return -1;
  for (int i = 0; i < name; i++) at += takes(&q, i);
  return at;
}

Status layer_error(const Infer *f, Status s, const char *what, int64_t wanted, int64_t got, const char *hint) {
  const char *layer = op_check(f->op, f->params);
  const DType data = f->in[0].dtype, weight = f->in[1].dtype;
  if (s != E_INPUT || !layer) return s;
  fail_within(s, "%s", f->op->name);
  if (data != weight && data != DT_UNKNOWN && weight != DT_UNKNOWN)
    return fail_because(s, "%s: expected dtype %s, got %s; convert with astype", layer, dtype_name(weight),
                        dtype_name(data));
  if (got >= 0 && wanted >= 0 && got != wanted)
    return fail_because(s, "%s: expected %lld %s, got %lld%s", layer, (long long)wanted, what, (long long)got, hint);
  return fail_within(s, "%.*s", (int)strcspn(layer, ":"), layer);
}
