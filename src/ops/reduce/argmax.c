/* argmax.c - indices of extremes: argmax, argmin.
**
** A row is read twice while it is cached, many elements at a time: for its extreme, and for the first element equal to
** it. Along axes other than the last, a block of columns is read row by row; each column keeps its extreme and index.
** As in NumPy the result is the first of equal elements, and a NaN is the extreme.
*/
#include "kernels/loops/axis_blocks.h"
#include "ops/reduce/sum_mean_max.h"
#include "ops/op_registry.h"

typedef struct ArgParams { int64_t axis, keepdims; } ArgParams;

static Status infer_along(Infer *f, const ReduceParams *axes) {
  TRY(reduce_infer(f, axes));
  const Shape *in = &f->in[0].shape;
  if (shape_known(in) && shape_size(in) == 0 && shape_known(&f->out[0].shape) && shape_size(&f->out[0].shape) > 0)
    return fail("data: expected elements along the axis, got shape %s", shape_text(in));
  return OK;
}

static Status infer_arg(Infer *f) {
  const ArgParams *p = f->params;
  return infer_along(f, &(ReduceParams){ .axis = { .count = p->axis == NONE ? 0 : 1, .u.i = { p->axis } },
                                         .keepdims = p->keepdims });
}

static Status infer_channel(Infer *f) {
  return infer_along(f, &(ReduceParams){ .axis = { .count = 1, .u.i = { 1 } } });
}

/* ---- Kernels -------------------------------------------------------------------------------------- */

typedef struct ArgmaxSearch {
  const void *x;
  Tensor *out;
  Along along;
} ArgmaxSearch;

enum { LANES = 64 };      /* elements compared together */

#define BETTER_MAX >
#define BETTER_MIN <

/* Finds the index of the extreme in a row; `unordered` is set if the row has a NaN. */
#define SEARCH_ROW(kind, code, T)                                                             \
  static void kind##_row_##code(const void *context, int64_t outer) {                         \
    const ArgmaxSearch *s = context;                                                          \
    const int64_t n = s->along.n;                                                             \
    const T *x = (const T *)s->x + outer * n;                                                 \
    T top[LANES], best = x[0];                                                                \
    bool unordered = best != best;                                                            \
    int64_t i = 0;                                                                            \
    for (int l = 0; l < LANES; l++) top[l] = best;                                            \
    for (; i + LANES <= n; i += LANES) {                                                      \
      int odd = 0;                                                                            \
      for (int l = 0; l < LANES; l++) {                                                       \
        const T v = x[i + l];                                                                 \
        top[l] = v BETTER_##kind top[l] ? v : top[l];                                         \
        odd |= v != v;                                                                        \
      }                                                                                       \
      unordered |= odd;                                                                       \
    }                                                                                         \
    for (int l = 0; l < LANES; l++) best = top[l] BETTER_##kind best ? top[l] : best;         \
    for (; i < n; i++) {                                                                      \
      best = x[i] BETTER_##kind best ? x[i] : best;                                           \
      unordered |= x[i] != x[i];                                                              \
    }                                                                                         \
    for (i = 0; i + LANES <= n; i += LANES) {                                                 \
      int found = 0;                                                                          \
      if (unordered) for (int l = 0; l < LANES; l++) found |= x[i + l] != x[i + l];           \
      else for (int l = 0; l < LANES; l++) found |= x[i + l] == best;                         \
      if (found) break;                                                                       \
    }                                                                                         \
    while (i < n - 1 && !(unordered ? x[i] != x[i] : x[i] == best)) i++;                      \
    tensor_set_int(s->out, outer, i);                                                         \
  }

#define SEARCH_COLUMNS(kind, code, T)                                                         \
  static void kind##_columns_##code(const void *context, int64_t outer, int64_t column, int64_t count) { \
    const ArgmaxSearch *s = context;                                                          \
    const int64_t inner = s->along.inner;                                                     \
    const T *x = (const T *)s->x + outer * s->along.n * inner + column;                       \
    T best[ALONG_COLUMNS];                                                                    \
    int64_t place[ALONG_COLUMNS] = { 0 };                                                     \
    for (int64_t k = 0; k < count; k++) best[k] = x[k];                                       \
    for (int64_t i = 1; i < s->along.n; i++)                                                  \
      for (int64_t k = 0; k < count; k++) {                                                   \
        const T v = x[i * inner + k], b = best[k];                                            \
        const bool better = (b == b) & ((v BETTER_##kind b) | (v != v));                      \
        best[k] = better ? v : b;                                                             \
        place[k] = better ? i : place[k];                                                     \
      }                                                                                       \
    for (int64_t k = 0; k < count; k++) tensor_set_int(s->out, outer * inner + column + k, place[k]); \
  }

#define SEARCHES(code, T) \
  SEARCH_ROW(MAX, code, T) SEARCH_ROW(MIN, code, T) SEARCH_COLUMNS(MAX, code, T) SEARCH_COLUMNS(MIN, code, T)
EACH_C_DTYPE(SEARCHES)

#define ENTRY_MAX(code, T) [code] = { MAX_row_##code, MAX_columns_##code },
#define ENTRY_MIN(code, T) [code] = { MIN_row_##code, MIN_columns_##code },
typedef struct ArgmaxKernels { AlongRow *row; AlongColumns *columns; } ArgmaxKernels;
static const ArgmaxKernels max_kernels[N_DTYPES] = { EACH_C_DTYPE(ENTRY_MAX) };
static const ArgmaxKernels min_kernels[N_DTYPES] = { EACH_C_DTYPE(ENTRY_MIN) };

static Status search(Call *c, int64_t axis, const ArgmaxKernels *kernels) {
  const Tensor *in = c->in[0];
  ArgmaxSearch s = { .x = in->data, .out = c->out[0], .along = { 1, tensor_size(in), 1 } };
  if (axis != NONE) TRY(along_axis(c->op->name, &in->type.shape, axis, &s.along));
  const ArgmaxKernels *k = &kernels[in->type.dtype];
  return along_run(&s.along, k->row, k->columns, &s);
}

static Status argmax_forward(Call *c) { return search(c, ((const ArgParams *)c->params)->axis, max_kernels); }
static Status argmin_forward(Call *c) { return search(c, ((const ArgParams *)c->params)->axis, min_kernels); }
static Status argmax_channel_forward(Call *c) { return search(c, 1, max_kernels); }

/* ---- Rows ------------------------------------------------------------------------------------------- */

#define AXIS                                                              \
  "axis int? None The axis to search; None: the flattened array.\n"       \
  "keepdims bool False Keep the axis, with dimension 1.\n"

/* clang-format off */
Op extreme_ops[] = {
  { .name = "argmax", .doc = "The index of the greatest element, the first of equal ones, in data's dtype",
    .inputs = "data", .example = "F.argmax(F.array{{1, 5, 2}, {7, 3, 4}}, {axis = 1})", .params = AXIS,
    .params_size = sizeof(ArgParams), .flags = OP_NO_GRAD, .infer = infer_arg, .forward = argmax_forward },
  { .name = "argmin", .doc = "The index of the least element, the first of equal ones, in data's dtype",
    .inputs = "data", .example = "F.argmin(F.array{{1, 5, 2}, {7, 3, 4}}, {axis = 1})", .params = AXIS,
    .params_size = sizeof(ArgParams), .flags = OP_NO_GRAD, .infer = infer_arg, .forward = argmin_forward },
  { .name = "argmax_channel", .doc = "argmax over axis 1", .inputs = "data",
    .example = "F.argmax_channel(F.array{{1, 5, 2}, {7, 3, 4}})", .flags = OP_NO_GRAD,
    .infer = infer_channel, .forward = argmax_channel_forward },
  { 0 }
};
/* clang-format on */
