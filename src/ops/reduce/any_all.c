/* any_all.c - tests and counts of elements: any, all, count_nonzero, isnan and the like, array_equal, allclose.
**
** The kernels: kernels/reduce/any_all_kernels.c.
*/
#include "ops/reduce/any_all.h"

#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"
#include "ops/reduce/reduced_axes.h"
#include "ops/reduce/sum_mean_max.h"

static Status has_kernel(DType in) {
  return in == DT_FLOAT16 ? fail("data: expected any dtype but float16; convert with astype") : OK;
}

static Status infer_truth(Infer *f, ReduceParams axes, DType dtype) {
  bool reduced[MAX_DIMS];
  TRY(has_kernel(f->in[0].dtype));
  TRY(output_dtype(f, 0, dtype));
  if (f->in[0].shape.ndim < 0) return OK;
  TRY(reduced_axes(f->op->name, "axis", &axes, f->in[0].shape.ndim, reduced));
  Shape s = reduced_shape(&f->in[0].shape, reduced, &axes);
  return output_shape(f, 0, &s);
}

static Status infer_bool(Infer *f) { return infer_truth(f, truth_axes(f->params), DT_BOOL); }
static Status infer_count(Infer *f) { return infer_truth(f, truth_axes(f->params), DT_INT64); }
Status reduce_bools_infer(Infer *f, const ReduceParams *axes) { return infer_truth(f, *axes, DT_INT64); }

/* ---- isnan and the like ------------------------------------------------------------------------------------- */

static Status infer_is(Infer *f) {
  TRY(has_kernel(f->in[0].dtype));
  TRY(output_dtype(f, 0, DT_BOOL));
  return one_shape(f, 0, 0);
}

/* ---- array_equal ------------------------------------------------------------------------------------------------- */

/* The shapes may differ; the answer is then false. */
static Status infer_array_equal(Infer *f) {
  TRY(has_kernel(f->in[0].dtype));
  TRY(input_dtype(f, 0, f->in[1].dtype));
  TRY(input_dtype(f, 1, f->in[0].dtype));
  TRY(output_dtype(f, 0, DT_BOOL));
  const Shape one = number_shape((Shape){ 0 }, ((const EqualParams *)f->params)->np);
  return output_shape(f, 0, &one);
}

/* ---- allclose ---------------------------------------------------------------------------------------------------- */

static Status infer_allclose(Infer *f) {
  DType dtype = f->in[0].dtype == DT_UNKNOWN ? f->in[1].dtype : f->in[0].dtype;
  TRY(input_dtype(f, 0, dtype));
  TRY(input_dtype(f, 1, dtype));
  TRY(input_shape(f, 0, &f->in[1].shape));
  TRY(input_shape(f, 1, &f->in[0].shape));
  TRY(output_dtype(f, 0, DT_UINT8));
  return output_shape(f, 0, &(Shape){ 0 });
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

#define AXES                                                                                \
  "axis shape? None The axes to reduce; None or (): all.\n"                                 \
  "keepdims bool False Keep reduced axes, with dimension 1.\n" NP_SHAPES

#define TRUTH_ROW(title, names, infer_, text)                                     \
  { .name = title, .aliases = names, .doc = text, .inputs = "data",                         \
    .example = "F." title "(F.array{{0, 2, 0}, {0, 5, 6}}, {axis = 0})\n"                   \
               "F." title "(F.array{{0, 2, 0}, {3, 5, 6}}, {axis = 1, keepdims = true})\n"  \
               "F." title "(F.array{0, 1})",                                                \
    .params = AXES, .params_size = sizeof(TruthParams), .flags = OP_NO_GRAD, .typed_by = 1,                  \
    .infer = infer_ }

#define IS_ROW(title, test, text)                                                           \
  { .name = #title, .aliases = "_npi_" #title, .doc = text " The result is bool", .inputs = "data", \
    .example = "F." #title "(F.array{1, 1 / 0, -1 / 0, 0 / 0})", .flags = OP_NO_GRAD, .infer = infer_is, \
    .typed_by = 1 },

/* clang-format off */
Op truth_ops[] = {
  TRUTH_ROW("any", "_np_any", infer_bool,
            "Whether any element over axes is not 0, as bool. NaN counts as not 0; without elements it is false"),
  TRUTH_ROW("all", "_np_all", infer_bool,
            "Whether all elements over axes are not 0, as bool. NaN counts as not 0; without elements it is true"),
  TRUTH_ROW("count_nonzero", NULL, infer_count,
            "The number of elements not equal to 0 over axes, as int64"),
  EACH_IS(IS_ROW)
  { .name = "array_equal", .inputs = "a1 a2",
    .doc = "Whether two arrays have the same shape and elements: one bool of shape (1,)",
    .example = "F.array_equal(F.array{1, 2}, F.array{1, 2})\nF.array_equal(F.array{1, 2}, F.array{{1, 2}})\n"
               "F.array_equal(F.array{1, 0 / 0}, F.array{1, 0 / 0}, {equal_nan = true})",
    .params = "equal_nan bool False NaN equals NaN.\n" NP_SHAPES, .params_size = sizeof(EqualParams), .flags = OP_NO_GRAD,
    .infer = infer_array_equal, .typed_by = 1 },
  { .name = "_contrib_allclose", .aliases = "contrib.allclose", .inputs = "a b",
    .doc = "1 if |a - b| <= atol + rtol |b| for all elements, else 0. As in MXNet the result is a 0-d uint8 array, "
           "and NaN equals NaN. a and b must have the same dtype. See also allclose, which follows NumPy",
    .example = "F._contrib_allclose(F.array{1, 2}, F.array{1.000001, 2})\n"
               "F._contrib_allclose(F.array{1, 2}, F.array{1.1, 2})",
    .params = "rtol float 1e-05 Relative tolerance, a factor of |b|.\natol float 1e-08 Absolute tolerance.\n"
              "equal_nan bool True NaN equals NaN.\n",
    .params_size = sizeof(CloseParams), .flags = OP_NO_GRAD, .infer = infer_allclose, .typed_by = 1 },
  { 0 }
};
/* clang-format on */
