/* creation.c - new arrays: zeros, ones, full, arange, linspace, eye, and their _like forms with another array's type.
**
** Their kernels: kernels/shape/creation_kernels.c.
*/
#include "ops/shape/creation.h"

#include <math.h>

#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

typedef struct FilledParams { List shape; int64_t dtype; } FilledParams;

static Status infer_filled(Infer *f, const List *shape, int64_t dtype) {
  if (shape->count > MAX_DIMS)
    return fail("shape: expected at most %d dimensions, got %lld", MAX_DIMS, (long long)shape->count);
  f->out[0].dtype = dtype == DT_UNKNOWN ? DT_FLOAT32 : (DType)dtype;
  if (shape->count < 0) return OK; /* the output's use determines the shape */
  Shape s = list_shape(shape);
  return output_shape(f, 0, &s);
}

static Status infer_filled_params(Infer *f) {
  const FilledParams *p = f->params;
  return infer_filled(f, &p->shape, p->dtype);
}

static Status infer_full(Infer *f) {
  const FullParams *p = f->params;
  return infer_filled(f, &p->shape, p->dtype);
}

static Status infer_full_like(Infer *f) {
  int64_t dtype = ((const FullLikeParams *)f->params)->dtype;
  if (dtype == DT_UNKNOWN) return infer_same_type(f);
  TRY(output_dtype(f, 0, (DType)dtype));
  return one_shape(f, 0, 0);
}

/* ---- arange, linspace, eye ---------------------------------------------------------------------- */

void arange_range(const ArangeParams *p, double *start, double *stop) {
  *start = isnan(p->stop) && !p->infer_range ? 0 : p->start;
  *stop = isnan(p->stop) && !p->infer_range ? p->start : p->stop;
}

/* Fails if the values are whole numbers that float32 must round. */
static Status check_steps(double start, double step, double count) {
  const double last = start + (count - 1) * step;
  if (count == 0 || start != floor(start) || step != floor(step) || !(fabs(start) < 0x1p53) || !(fabs(last) < 0x1p53))
    return OK;
  const double three[] = { start, last, count > 1 ? last - step : last };
  for (int i = 0; i < 3; i++)
    if (rounds_in_float32((int64_t)three[i])) return fail_rounded((int64_t)three[i]);
  return OK;
}

static Status infer_arange(Infer *f) {
  const ArangeParams *p = f->params;
  double start, stop;
  arange_range(p, &start, &stop);
  if (p->step == 0) return fail("step: expected a number other than 0, got 0");
  if (p->repeat < 1) return fail("repeat: expected 1 or more, got %lld", (long long)p->repeat);
  f->out[0].dtype = (DType)p->dtype;
  if (p->infer_range && isnan(p->stop)) return OK; /* the output's use determines the length */
  double count = ceil((stop - start) / p->step);
  if (count < 0) count = 0;
  if (!(count * (double)p->repeat <= (double)MAX_ELEMENTS))
    return fail("stop: expected at most 2^48 elements, got %.6g", count * (double)p->repeat);
  f->out[0].shape = shape_of(1, (int64_t[]){ (int64_t)count * p->repeat });
  return p->dtype == DT_FLOAT32 ? check_steps(start, p->step, count) : OK;
}

static Status infer_linspace(Infer *f) {
  const LinspaceParams *p = f->params;
  if (p->num < 0) return fail("num: expected 0 or more, got %lld", (long long)p->num);
  f->out[0] = (Type){ .dtype = (DType)p->dtype, .shape = shape_of(1, (int64_t[]){ p->num }) };
  return OK;
}

static Status infer_eye(Infer *f) {
  const EyeParams *p = f->params;
  if (p->N < 0 || p->M < 0)
    return fail("N: expected 0 or more rows and columns, got %lld by %lld", (long long)p->N, (long long)p->M);
  f->out[0] = (Type){ .dtype = (DType)p->dtype, .shape = shape_of(2, (int64_t[]){ p->N, p->M ? p->M : p->N }) };
  return OK;
}

/* ---- Rows ------------------------------------------------------------------------------------------ */

#define SHAPE_LINE "shape shape - The shape; () is 0-d.\n"
#define DTYPE_LINE "dtype dtype float32 The element type.\n"

#define FILLED .inputs = "", .params = SHAPE_LINE DTYPE_LINE, .params_size = sizeof(FilledParams), \
  .flags = OP_NO_GRAD, .infer = infer_filled_params

/* clang-format off */
Op create_ops[] = {
  { .name = "_zeros", .aliases = "zeros", .doc = "An array of zeros", .example = "F.zeros{2, 3}", FILLED },
  { .name = "_ones", .aliases = "ones", .doc = "An array of ones", .example = "F.ones{2, 3}", FILLED },
  { .name = "_empty", .aliases = "empty", .doc = "A new array. Its elements are 0 now, but this may change",
    .example = "F.empty{2}", FILLED },
  { .name = "_full", .aliases = "full", .doc = "An array of one value",
    .example = "F.full({2, 2}, 7)", .inputs = "", .params = SHAPE_LINE "value float - The value.\n" DTYPE_LINE,
    .synonyms = "val value", .params_size = sizeof(FullParams), .flags = OP_NO_GRAD | OP_FILLS, .role = ROLE_CONSTANT,
    .infer = infer_full },
  { .name = "zeros_like", .doc = "Zeros of data's shape and dtype",
    .example = "F.zeros_like(F.array{1, 2})", .inputs = "data",
    .flags = OP_NO_GRAD | OP_BY_TYPES, .role = ROLE_ZEROS_LIKE, .infer = infer_same_type },
  { .name = "ones_like", .doc = "Ones of data's shape and dtype",
    .example = "F.ones_like(F.array{1, 2})", .inputs = "data",
    .flags = OP_NO_GRAD | OP_BY_TYPES, .role = ROLE_ONES_LIKE, .infer = infer_same_type },
  { .name = "full_like", .aliases = "_npi_full_like", .doc = "An array of one value, of data's shape and dtype",
    .example = "F.full_like(F.array{1, 2}, 7)\nF.full_like(F.array{1, 2}, 7, {dtype = \"int32\"})", .inputs = "data",
    .params = "fill_value float - The value.\ndtype dtype? None The element type; None: data's.\n",
    .params_size = sizeof(FullLikeParams), .flags = OP_NO_GRAD | OP_BY_TYPES | OP_FILLS,
    .infer = infer_full_like },
  { .name = "_arange", .aliases = "arange",
    .doc = "start, start + step, ... below stop, each `repeat` times; arange(n) counts from 0 to n - 1. For an integer "
           "dtype start and step are truncated to whole numbers; the number of values stays the same",
    .example = "F.arange(4)\nF.arange(2, 8, 2)", .inputs = "",
    .params = "start float 0 The first value; without stop, the end.\n"
              "stop float? None The end, not included.\n"
              "step float 1 The difference.\n"
              "repeat int 1 Number of repetitions of each value.\n"
              "infer_range bool False In a graph and without stop: infer the length from the operands that "
              "the values are used with.\n" DTYPE_LINE,
    .params_size = sizeof(ArangeParams), .flags = OP_NO_GRAD, .infer = infer_arange },
  { .name = "_linspace", .aliases = "linspace", .doc = "num evenly spaced values from start to stop",
    .example = "F.linspace(0, 1, 5)", .inputs = "",
    .params = "start float - The first value.\n"
              "stop float - The last value.\n"
              "num int - Number of values.\n"
              "endpoint bool True Include stop as the last value.\n" DTYPE_LINE,
    .params_size = sizeof(LinspaceParams), .flags = OP_NO_GRAD, .infer = infer_linspace },
  { .name = "_eye", .aliases = "eye", .doc = "Ones on a diagonal, zeros elsewhere",
    .example = "F.eye(2)\nF.eye(2, 3, 1)", .inputs = "",
    .params = "N int - Number of rows.\n"
              "M int 0 Number of columns; 0: N.\n"
              "k int 0 The diagonal: 0 is the main one, positive ones are above it.\n" DTYPE_LINE,
    .params_size = sizeof(EyeParams), .flags = OP_NO_GRAD, .infer = infer_eye },
  { 0 }
};
/* clang-format on */
