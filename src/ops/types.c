/* types.c - see types.h. */
#include "ops/types.h"

static Status not_float(const char *name, DType got) {
  return fail("%s: expected dtype float32 or float64, got %s; convert with astype", name, dtype_name(got));
}

Status types_float(Infer *f, int n_in, int n_out) {
  DType dtype = DT_UNKNOWN;
  for (int i = 0; i < n_in; i++) {
    DType got = f->in[i].dtype;
    if (got != DT_UNKNOWN && got != DT_FLOAT32 && got != DT_FLOAT64) return not_float(op_input_name(f->op, i), got);
    if (!dtype_merge(&dtype, got))
      return fail("%s: expected dtype %s, got %s; convert one with astype", op_input_name(f->op, i), dtype_name(dtype), dtype_name(got));
  }
  for (int i = 0; i < n_out; i++)
    if (!dtype_merge(&dtype, f->out[i].dtype))
      return fail("%s: expected dtype %s, got %s", f->op->info->output[i], dtype_name(f->out[i].dtype), dtype_name(dtype));
  if (dtype != DT_UNKNOWN && dtype != DT_FLOAT32 && dtype != DT_FLOAT64) return not_float("output", dtype);
  for (int i = 0; i < n_in; i++) f->in[i].dtype = dtype;
  for (int i = 0; i < n_out; i++) f->out[i].dtype = dtype;
  return OK;
}

static Status merge(Type *t, const char *name, const Shape *expected) {
  if (!shape_merge(&t->shape, expected)) return fail("%s: expected shape %s, got %s", name, shape_text(expected), shape_text(&t->shape));
  return OK;
}

Status types_input(Infer *f, int i, const Shape *expected) { return merge(&f->in[i], op_input_name(f->op, i), expected); }
Status types_output(Infer *f, int i, const Shape *expected) { return merge(&f->out[i], f->op->info->output[i], expected); }

Status types_same_shape(Infer *f, int i, int o) {
  TRY(types_output(f, o, &f->in[i].shape));
  return types_input(f, i, &f->out[o].shape);
}

Status types_least_dims(const Infer *f, int i, int least) {
  const Shape *s = &f->in[i].shape;
  if (s->ndim < 0 || s->ndim >= least) return OK;
  return fail("%s: expected at least %d dimension%s, got shape %s", op_input_name(f->op, i), least, least == 1 ? "" : "s", shape_text(s));
}

Shape types_without_axis(const Shape *s, int axis) {
  Shape out = { .ndim = s->ndim - 1 };
  for (int i = 0; i < out.ndim; i++) out.dim[i] = s->dim[i < axis ? i : i + 1];
  return out;
}
