/* any_all.c - tests and counts of elements: any, all, count_nonzero, isnan and the like, array_equal, allclose.
**
** any, all and count_nonzero count the elements that are not 0, which includes NaN, along fold_order.h. A count is the
** same in any order.
*/
#include <math.h>
#include <string.h>

#include "base/threads/parallel_for.h"
#include "kernels/loops/fold_order.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/reduce/fold_outputs.h"
#include "ops/reduce/sum_mean_max.h"
#include "ops/op_registry.h"
#include "ops/reduce/reduced_axes.h"

typedef struct TruthParams { List axis; int64_t keepdims; } TruthParams;

static ReduceParams truth_axes(const TruthParams *p) {
  return (ReduceParams){ .axis = p->axis, .keepdims = p->keepdims };
}

static Status has_kernel(DType in) {
  return in == DT_FLOAT16 ? fail("data: expected any dtype but float16; convert with astype") : OK;
}

static Status infer_truth(Infer *f, ReduceParams axes, DType dtype) {
  bool reduced[MAX_DIMS];
  TRY(has_kernel(f->in[0].dtype));
  TRY(output_dtype(f, 0, dtype));
  if (f->in[0].shape.ndim < 0) return OK;
  TRY(reduced_axes(f->op->name, "axis", &axes, f->in[0].shape.ndim, reduced));
  Shape s = reduced_shape(&f->in[0].shape, reduced, axes.keepdims);
  return output_shape(f, 0, &s);
}

static Status infer_bool(Infer *f) { return infer_truth(f, truth_axes(f->params), DT_BOOL); }
static Status infer_count(Infer *f) { return infer_truth(f, truth_axes(f->params), DT_INT64); }
Status reduce_bools_infer(Infer *f, const ReduceParams *axes) { return infer_truth(f, *axes, DT_INT64); }

/* ---- Counting -------------------------------------------------------------------------------------------- */

typedef enum Question { ANY, ALL, HOW_MANY } Question;

typedef struct Truth {
  FoldOrder walk;
  Question question;
  DType dtype;
  void *out;
} Truth;

/* Number of elements counted between calls of answered. */
enum { COUNT_BLOCK = 4096 };

static int64_t count_run(DType dtype, const void *from, int64_t n) {
  uint32_t count = 0;
  switch (dtype) {
#define COUNT(code, T) case code: for (int64_t i = 0; i < n; i++) count += ((const T *)from)[i] != 0; break;
    EACH_C_DTYPE(COUNT)
    default: break;
  }
  return count;
}

static void count_row(DType dtype, const void *from, int64_t n, int64_t *counts) {
  switch (dtype) {
#define COUNT_EACH(code, T) case code: for (int64_t k = 0; k < n; k++) counts[k] += ((const T *)from)[k] != 0; break;
    EACH_C_DTYPE(COUNT_EACH)
    default: break;
  }
}

static void answer(const Truth *t, int64_t at, int64_t count) {
  if (t->question == HOW_MANY) ((int64_t *)t->out)[at] = count;
  else ((bool *)t->out)[at] = t->question == ANY ? count > 0 : count == t->walk.count;
}

/* Is the answer known after `seen` elements? A true element answers any, a false one answers all. */
static bool answered(const Truth *t, int64_t count, int64_t seen) {
  return t->question == ANY ? count > 0 : t->question == ALL ? count < seen : false;
}

static void runs_piece(void *context, int64_t first, int64_t last) {
  const Truth *t = context;
  const FoldOrder *w = &t->walk;
  int64_t runs = walk_product(w->reduced, w->n_reduced);
  for (int64_t at = first; at < last && !interrupted(); at++) {
    int64_t begin = walk_offset(at, w->n_kept, w->kept, w->kept_stride), count = 0, seen = 0;
    for (int64_t r = 0; r < runs && !answered(t, count, seen); r++) {
      const char *from = w->in + (size_t)(begin + walk_row(w, r)) * w->size;
      for (int64_t i = 0; i < w->inner && !answered(t, count, seen) && !interrupted(); i += COUNT_BLOCK) {
        int64_t n = w->inner - i < COUNT_BLOCK ? w->inner - i : COUNT_BLOCK;
        count += count_run(t->dtype, from + (size_t)i * w->size, n);
        seen += n;
      }
    }
    answer(t, at, count);
  }
}

static void rows_piece(void *context, int64_t first, int64_t last) {
  const Truth *t = context;
  const FoldOrder *w = &t->walk;
  int64_t rows = walk_product(w->reduced, w->n_reduced), outer, column, n;
  for (int64_t c = first; c < last && !interrupted(); c++) {
    fold_columns(w, c, &outer, &column, &n);
    int64_t begin = walk_offset(outer, w->n_kept, w->kept, w->kept_stride) + column, counts[WALK_COLUMNS] = { 0 };
    for (int64_t r = 0; r < rows; r++)
      count_row(t->dtype, w->in + (size_t)(begin + walk_row(w, r)) * w->size, n, counts);
    for (int64_t k = 0; k < n; k++) answer(t, outer * w->inner + column + k, counts[k]);
  }
}

static Status ask(Call *c, ReduceParams axes, Question question) {
  bool reduced[MAX_DIMS];
  TRY(reduced_axes(c->op->name, "axis", &axes, c->in[0]->type.shape.ndim, reduced));
  if (tensor_size(c->out[0]) == 0) return OK;
  Truth t;
  walk_of(c->in[0], reduced, &t.walk);
  t.question = question;
  t.dtype = c->in[0]->type.dtype;
  t.out = c->out[0]->data;
  fold_outputs(&t.walk, 1 << 15, runs_piece, rows_piece, &t);
  return interrupt_status();
}

static Status any_forward(Call *c) { return ask(c, truth_axes(c->params), ANY); }
static Status all_forward(Call *c) { return ask(c, truth_axes(c->params), ALL); }
static Status count_forward(Call *c) { return ask(c, truth_axes(c->params), HOW_MANY); }
Status reduce_bools(Call *c, const ReduceParams *axes) { return ask(c, *axes, HOW_MANY); }

/* ---- isnan and the like ------------------------------------------------------------------------------------- */

static Status infer_is(Infer *f) {
  TRY(has_kernel(f->in[0].dtype));
  TRY(output_dtype(f, 0, DT_BOOL));
  return one_shape(f, 0, 0);
}

/* For integers the answer is a constant. */
#define EACH_IS(F)                                                                          \
  F(isnan,    x != x,               "Whether each element is NaN.")                           \
  F(isinf,    x - x != 0 && x == x, "Whether each element is infinite, of either sign.")      \
  F(isfinite, x - x == 0,           "Whether each element is neither infinite nor NaN.")      \
  F(isposinf, x - x != 0 && x > 0,  "Whether each element is plus infinity.")                 \
  F(isneginf, x - x != 0 && x < 0,  "Whether each element is minus infinity.")

#define IS_LOOP(title, test, T)                                                             \
  static void title##_##T(void *context, int64_t first, int64_t last) {                     \
    const Call *c = context;                                                                \
    const T *data = c->in[0]->data;                                                         \
    bool *out = c->out[0]->data;                                                            \
    for (int64_t i = first; i < last; i++) { const T x = data[i]; out[i] = (test); }        \
  }
#define IS(title, test, text)                                                               \
  IS_LOOP(title, test, float) IS_LOOP(title, test, double)                                  \
  static Status title##_forward(Call *c) {                                                  \
    DType in = c->in[0]->type.dtype;                                                        \
    int64_t n = tensor_size(c->out[0]);                                                     \
    if (in == DT_FLOAT32) parallel_chunks(n, 1 << 15, title##_float, c);                    \
    else if (in == DT_FLOAT64) parallel_chunks(n, 1 << 15, title##_double, c);              \
    else memset(c->out[0]->data, title##_of_integers, (size_t)n);                           \
    return interrupt_status();                                                              \
  }
enum { isnan_of_integers, isinf_of_integers = 0, isposinf_of_integers = 0, isneginf_of_integers = 0, isfinite_of_integers = 1 };
EACH_IS(IS)

/* ---- array_equal ------------------------------------------------------------------------------------------------- */

typedef struct EqualParams { int64_t equal_nan; } EqualParams;

/* The shapes may differ; the answer is then false. */
static Status infer_array_equal(Infer *f) {
  TRY(has_kernel(f->in[0].dtype));
  TRY(input_dtype(f, 0, f->in[1].dtype));
  TRY(input_dtype(f, 1, f->in[0].dtype));
  TRY(output_dtype(f, 0, DT_BOOL));
  return output_shape(f, 0, &(Shape){ 1, { 1 } });
}

#define ALL_EQUAL(code, T)                                                                  \
  case code: {                                                                              \
    const T *a = c->in[0]->data, *b = c->in[1]->data;                                       \
    for (int64_t i = 0; i < n && equal; i++) equal = a[i] == b[i] || (nan && a[i] != a[i] && b[i] != b[i]); \
    break;                                                                                  \
  }

static Status array_equal_forward(Call *c) {
  const int64_t n = tensor_size(c->in[0]);
  const bool nan = ((const EqualParams *)c->params)->equal_nan;
  bool equal = shape_equal(&c->in[0]->type.shape, &c->in[1]->type.shape);
  switch (c->in[0]->type.dtype) {
    EACH_C_DTYPE(ALL_EQUAL)
    default: break;
  }
  *(bool *)c->out[0]->data = equal;
  return interrupt_status();
}

/* ---- allclose ---------------------------------------------------------------------------------------------------- */

typedef struct CloseParams { double rtol, atol; int64_t equal_nan; } CloseParams;

static Status infer_allclose(Infer *f) {
  DType dtype = f->in[0].dtype == DT_UNKNOWN ? f->in[1].dtype : f->in[0].dtype;
  TRY(input_dtype(f, 0, dtype));
  TRY(input_dtype(f, 1, dtype));
  TRY(input_shape(f, 0, &f->in[1].shape));
  TRY(input_shape(f, 1, &f->in[0].shape));
  TRY(output_dtype(f, 0, DT_UINT8));
  return output_shape(f, 0, &(Shape){ 0 });
}

static bool is_close(double a, double b, const CloseParams *p) {
  if (a != a || b != b) return p->equal_nan && a != a && b != b;
  return a == b || (b - b == 0 && fabs(a - b) <= p->atol + p->rtol * fabs(b));
}

/* The difference of 64-bit integers is exact. */
static bool is_close_int64(int64_t a, int64_t b, const CloseParams *p) {
  const uint64_t apart = a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
  return apart == 0 || (double)apart <= p->atol + p->rtol * fabs((double)b);
}

static bool is_close_half(uint16_t a, uint16_t b, const CloseParams *p) {
  return is_close(half_to_float(a), half_to_float(b), p);
}

#define ALL_CLOSE(code, T, test)                                                            \
  case code: {                                                                              \
    const T *a = c->in[0]->data, *b = c->in[1]->data;                                       \
    for (int64_t i = 0; i < n && close && !interrupted(); i++) close = test(a[i], b[i], c->params); \
    break;                                                                                  \
  }

static Status allclose_forward(Call *c) {
  const int64_t n = tensor_size(c->in[0]);
  bool close = true;
  switch (c->in[0]->type.dtype) {
    ALL_CLOSE(DT_FLOAT32, float, is_close)
    ALL_CLOSE(DT_FLOAT64, double, is_close)
    ALL_CLOSE(DT_FLOAT16, uint16_t, is_close_half)
    ALL_CLOSE(DT_UINT8, uint8_t, is_close)
    ALL_CLOSE(DT_INT8, int8_t, is_close)
    ALL_CLOSE(DT_INT32, int32_t, is_close)
    ALL_CLOSE(DT_INT64, int64_t, is_close_int64)
    ALL_CLOSE(DT_BOOL, bool, is_close)
    default: break;
  }
  *(uint8_t *)c->out[0]->data = close;
  return interrupt_status();
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

#define AXES                                                                                \
  "axis shape? None The axes to reduce; None or (): all.\n"                                 \
  "keepdims bool False Keep reduced axes, with dimension 1.\n"

#define TRUTH_ROW(title, names, infer_, forward_, text)                                     \
  { .name = title, .aliases = names, .doc = text, .inputs = "data",                         \
    .example = "F." title "(F.array{{0, 2, 0}, {0, 5, 6}}, {axis = 0})\n"                   \
               "F." title "(F.array{{0, 2, 0}, {3, 5, 6}}, {axis = 1, keepdims = true})\n"  \
               "F." title "(F.array{0, 1})",                                                \
    .params = AXES, .params_size = sizeof(TruthParams), .flags = OP_NO_GRAD, .infer = infer_, .forward = forward_ }

#define IS_ROW(title, test, text)                                                           \
  { .name = #title, .aliases = "_npi_" #title, .doc = text " The result is bool", .inputs = "data", \
    .example = "F." #title "(F.array{1, 1 / 0, -1 / 0, 0 / 0})", .flags = OP_NO_GRAD, .infer = infer_is,  \
    .forward = title##_forward },

/* clang-format off */
Op truth_ops[] = {
  TRUTH_ROW("any", "_np_any", infer_bool, any_forward,
            "Whether any element over axes is not 0, as bool. NaN counts as not 0; without elements it is false"),
  TRUTH_ROW("all", "_np_all", infer_bool, all_forward,
            "Whether all elements over axes are not 0, as bool. NaN counts as not 0; without elements it is true"),
  TRUTH_ROW("count_nonzero", NULL, infer_count, count_forward,
            "The number of elements not equal to 0 over axes, as int64"),
  EACH_IS(IS_ROW)
  { .name = "array_equal", .inputs = "a1 a2",
    .doc = "Whether two arrays have the same shape and elements: one bool of shape (1,)",
    .example = "F.array_equal(F.array{1, 2}, F.array{1, 2})\nF.array_equal(F.array{1, 2}, F.array{{1, 2}})\n"
               "F.array_equal(F.array{1, 0 / 0}, F.array{1, 0 / 0}, {equal_nan = true})",
    .params = "equal_nan bool False NaN equals NaN.\n", .params_size = sizeof(EqualParams), .flags = OP_NO_GRAD,
    .infer = infer_array_equal, .forward = array_equal_forward },
  { .name = "_contrib_allclose", .aliases = "contrib.allclose", .inputs = "a b",
    .doc = "1 if |a - b| <= atol + rtol |b| for all elements, else 0. As in MXNet the result is a 0-d uint8 array, "
           "and NaN equals NaN. a and b must have the same dtype. See also allclose, which follows NumPy",
    .example = "F._contrib_allclose(F.array{1, 2}, F.array{1.000001, 2})\n"
               "F._contrib_allclose(F.array{1, 2}, F.array{1.1, 2})",
    .params = "rtol float 1e-05 Relative tolerance, a factor of |b|.\natol float 1e-08 Absolute tolerance.\n"
              "equal_nan bool True NaN equals NaN.\n",
    .params_size = sizeof(CloseParams), .flags = OP_NO_GRAD, .infer = infer_allclose, .forward = allclose_forward },
  { 0 }
};
/* clang-format on */
