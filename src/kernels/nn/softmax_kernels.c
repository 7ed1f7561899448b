/* softmax_kernels.c - softmax, log_softmax, softmin, SoftmaxActivation and their gradients.
**
** Along the last axis kernels read a row three times in the cache: for its maximum; for e^(x - maximum) and the sum of
** these; for the division. Along another axis they do the same with a block of columns (axis_blocks.h). Sums are tree
** sums (base/math/tree_sum.h) or sums over blocks of rows, so their order depends only on the shape.
*/
#include "base/math/scalar_functions.h"
#include "base/math/tree_sum.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/elementwise_loops.h"
#include "kernels/nn/softmax_loops.h"
#include "ops/nn/softmax.h"
#include "tensor/cast_copy.h"

/* The column `own`: begins with the loops (axis_blocks.h). */
typedef struct SoftmaxKind { AlongLoops loops; bool log, negate; } SoftmaxKind;

/* ---- Forward ------------------------------------------------------------------------------------ */

static int64_t valid_length(const SoftmaxRun *r, int64_t outer, int64_t inner) {
  if (!r->length) return r->along.n;
  int64_t n = tensor_get_int(r->length, outer * r->along.inner + inner);
  return n < 0 ? 0 : n > r->along.n ? r->along.n : n;
}

/* Most rows are `plain`: full length, neither negated nor scaled. Their loops use constants. */
#define SOFTMAX_ROW(code, T, suffix)                                                          \
  HL_INLINE void softmax_one_row_##suffix(const SoftmaxRun *r, int64_t outer, const bool plain) { \
    const int64_t whole = r->along.n, n = plain ? whole : valid_length(r, outer, 0);          \
    const T sign = !plain && r->negate ? -1 : 1, factor = plain ? 1 : (T)r->factor;           \
    const T *x = (const T *)r->x + outer * whole;                                             \
    T *y = (T *)r->y + outer * whole, top;                                                    \
    double sum;                                                                               \
    TREE_FOLD(top, T, T, n, -HUGE_VAL, TREE_MAX, sign * x[i]);                                \
    if (r->log) {                                                                             \
      TREE_FOLD(sum, T, double, n, 0, TREE_ADD, exp_nonpositive((sign * x[i] - top) * factor)); \
      const T whole_sum = (T)sum, less = log(whole_sum);                                      \
      for (int64_t i = 0; i < n; i++) y[i] = (sign * x[i] - top) * factor - less;             \
    } else {                                                                                  \
      for (int64_t i = 0; i < n; i++) y[i] = exp_nonpositive((sign * x[i] - top) * factor);   \
      TREE_FOLD(sum, T, double, n, 0, TREE_ADD, y[i]);                                        \
      const T total = (T)sum;                                                                 \
      for (int64_t i = 0; i < n; i++) y[i] /= total;                                          \
    }                                                                                         \
    for (int64_t i = n; i < whole; i++) y[i] = 0;                                             \
  }                                                                                           \
  void softmax_row_##suffix(const void *context, int64_t outer) {                      \
    const SoftmaxRun *r = context;                                                            \
    if (!r->length && !r->negate && r->factor == 1) softmax_one_row_##suffix(r, outer, true); \
    else softmax_one_row_##suffix(r, outer, false);                                           \
  }
EACH_FLOAT(SOFTMAX_ROW)

/* In `masked` calls each column has a length. */
#define SOFTMAX_COLUMNS(code, T, suffix)                                                      \
  HL_INLINE void softmax_block_##suffix(const SoftmaxRun *r, int64_t outer, int64_t column, int64_t count, \
                                        const bool masked) {                                  \
    const int64_t n = r->along.n, inner = r->along.inner, from = outer * n * inner + column;  \
    const T *x = (const T *)r->x + from, sign = r->negate ? -1 : 1, factor = (T)r->factor;    \
    T *y = (T *)r->y + from, top[ALONG_COLUMNS], block[ALONG_COLUMNS];                        \
    double total[ALONG_COLUMNS], group[ALONG_COLUMNS];                                        \
    int64_t length[ALONG_COLUMNS];                                                            \
    for (int64_t k = 0; k < count; k++) {                                                     \
      top[k] = -HUGE_VAL;                                                                     \
      total[k] = 0;                                                                           \
      length[k] = masked ? valid_length(r, outer, column + k) : n;                            \
    }                                                                                         \
    for (int64_t i = 0; i < n; i++)                                                           \
      for (int64_t k = 0; k < count; k++) {                                                   \
        const T v = !masked || i < length[k] ? sign * x[i * inner + k] : -HUGE_VAL;           \
        top[k] = TREE_MAX(top[k], v);                                                         \
      }                                                                                       \
    for (int64_t at = 0; at < n; at += TREE_ROWS) {                                           \
      const int64_t end = at + TREE_ROWS < n ? at + TREE_ROWS : n;                            \
      for (int64_t k = 0; k < count; k++) block[k] = 0;                                       \
      for (int64_t i = at; i < end; i++)                                                      \
        for (int64_t k = 0; k < count; k++) {                                                 \
          const T d = (sign * x[i * inner + k] - top[k]) * factor, e = exp_nonpositive(d);    \
          block[k] += !masked || i < length[k] ? e : 0;                                       \
          y[i * inner + k] = r->log ? d : e;                                                  \
        }                                                                                     \
      TREE_JOIN_PARTS(double, total, group, block, count, at, end, n, 0, TREE_ADD);           \
    }                                                                                         \
    for (int64_t k = 0; k < count; k++) {                                                     \
      const T whole_sum = (T)total[k];                                                        \
      block[k] = r->log ? log(whole_sum) : whole_sum;                                         \
    }                                                                                         \
    for (int64_t i = 0; i < n; i++)                                                           \
      for (int64_t k = 0; k < count; k++) {                                                   \
        const T v = y[i * inner + k];                                                         \
        y[i * inner + k] = masked && i >= length[k] ? 0 : r->log ? v - block[k] : v / block[k]; \
      }                                                                                       \
  }                                                                                           \
  void softmax_columns_##suffix(const void *context, int64_t outer, int64_t column, int64_t count) { \
    const SoftmaxRun *r = context;                                                            \
    if (r->length) softmax_block_##suffix(r, outer, column, count, true);                     \
    else softmax_block_##suffix(r, outer, column, count, false);                              \
  }
EACH_FLOAT(SOFTMAX_COLUMNS)

static Status softmax(Call *c) {
  const SoftmaxParams *p = c->params;
  const SoftmaxKind *kind = c->kernel->own;
  const DType from = c->in[0]->type.dtype, to = c->out[0]->type.dtype;
  SoftmaxRun r = { .x = c->in[0]->data,
                   .y = c->out[0]->data,
                   .log = kind->log,
                   .negate = kind->negate,
                   .factor = softmax_factor(p),
                   .length = c->n_in > 1 ? c->in[1] : NULL };
  TRY(along_axis(c->op->name, &c->out[0]->type.shape, p->axis, &r.along));
  if (from != to) {
    convert_parallel(from, r.x, to, r.y, tensor_size(c->out[0]));
    r.x = r.y;
  }
  return along_call(c, &r.along, &r);
}

static Status softmax_activation(Call *c) {
  SoftmaxRun r = { .x = c->in[0]->data, .y = c->out[0]->data, .factor = 1 };
  TRY(along_axis(c->op->name, &c->out[0]->type.shape, softmax_activation_axis(c->params), &r.along));
  return along_call(c, &r.along, &r);
}

/* ---- Gradients ---------------------------------------------------------------------------------- */

/* dx = factor y (g - sum of g y); for log_softmax, factor (g - e^y sum of g). */
typedef struct SoftmaxGradRun {
  const void *g, *y;
  void *dx;
  Along along;
  bool log;
  double factor;
} SoftmaxGradRun;

#define BACKWARD(code, T, suffix)                                                             \
  static void backward_row_##suffix(const void *context, int64_t outer) {                     \
    const SoftmaxGradRun *r = context;                                                        \
    const int64_t n = r->along.n;                                                             \
    const T *g = (const T *)r->g + outer * n, *y = (const T *)r->y + outer * n, factor = (T)r->factor; \
    T *dx = (T *)r->dx + outer * n;                                                           \
    double sum;                                                                               \
    if (r->log) {                                                                             \
      TREE_FOLD(sum, T, double, n, 0, TREE_ADD, g[i]);                                        \
      for (int64_t i = 0; i < n; i++) dx[i] = (g[i] - exp_nonpositive(y[i]) * (T)sum) * factor; \
    } else {                                                                                  \
      TREE_FOLD(sum, T, double, n, 0, TREE_ADD, g[i] * y[i]);                                 \
      for (int64_t i = 0; i < n; i++) dx[i] = (g[i] - (T)sum) * y[i] * factor;                \
    }                                                                                         \
  }                                                                                           \
  static void backward_columns_##suffix(const void *context, int64_t outer, int64_t column, int64_t count) { \
    const SoftmaxGradRun *r = context;                                                        \
    const int64_t inner = r->along.inner, size = r->along.n * inner, from = outer * size + column; \
    const T *g = (const T *)r->g + from, *y = (const T *)r->y + from, factor = (T)r->factor;  \
    T *dx = (T *)r->dx + from, block[ALONG_COLUMNS];                                          \
    double total[ALONG_COLUMNS] = { 0 }, group[ALONG_COLUMNS];                                \
    for (int64_t at = 0; at < r->along.n; at += TREE_ROWS) {                                  \
      const int64_t end = at + TREE_ROWS < r->along.n ? at + TREE_ROWS : r->along.n;          \
      for (int64_t k = 0; k < count; k++) block[k] = 0;                                       \
      for (int64_t i = at * inner; i < end * inner; i += inner)                               \
        for (int64_t k = 0; k < count; k++) block[k] += r->log ? g[i + k] : g[i + k] * y[i + k]; \
      TREE_JOIN_PARTS(double, total, group, block, count, at, end, r->along.n, 0, TREE_ADD);  \
    }                                                                                         \
    for (int64_t k = 0; k < count; k++) block[k] = (T)total[k];                               \
    for (int64_t i = 0; i < size; i += inner)                                                 \
      for (int64_t k = 0; k < count; k++)                                                     \
        dx[i + k] = (r->log ? g[i + k] - exp_nonpositive(y[i + k]) * block[k] :               \
                     (g[i + k] - block[k]) * y[i + k]) * factor;                              \
  }
EACH_FLOAT(BACKWARD)

static Status backward(Call *c) {
  const SoftmaxGradParams *p = c->params;
  SoftmaxGradRun r = { .g = c->in[0]->data,
                       .y = c->in[1]->data,
                       .dx = c->out[0]->data,
                       .log = ((const SoftmaxKind *)c->kernel->own)->log,
                       .factor = p->factor };
  TRY(along_axis(c->op->name, &c->out[0]->type.shape, p->axis, &r.along));
  return along_call(c, &r.along, &r);
}

/* ---- Table -------------------------------------------------------------------------------------- */

#define KIND(code, suffix, title, function, stem, ...)                                        \
  { .op = title, .types = ONE_TYPE(code), .run = function, BLOCK_SIZES(ALONG_COLUMNS),        \
    .own = &(const SoftmaxKind){ ALONG_LOOPS(stem, suffix), __VA_ARGS__ } }
#define KINDS(...) KIND(DT_FLOAT32, f32, __VA_ARGS__), KIND(DT_FLOAT64, f64, __VA_ARGS__)

#define EXPONENTIAL_LOOPS(name, expr, grad) LOOPS_FLOAT(name##_y, expr) LOOPS_FLOAT(name##_da, grad)
#define EXPONENTIAL_ROWS(name, ...) FLOAT_ELEMENTS("_" #name, name##_y) FLOAT_ELEMENTS("_backward__" #name, name##_da)
EACH_EXPONENTIAL(EXPONENTIAL_LOOPS)

/* clang-format off */
const Kernel softmax_kernels[] = {
  KINDS("softmax", softmax, softmax, .log = false),
  KINDS("log_softmax", softmax, softmax, .log = true),
  KINDS("softmin", softmax, softmax, .negate = true),
  KINDS("SoftmaxActivation", softmax_activation, softmax, .log = false),
  KINDS("_backward_softmax", backward, backward, .log = false),
  KINDS("_backward_log_softmax", backward, backward, .log = true),
  EACH_EXPONENTIAL(EXPONENTIAL_ROWS) { 0 }
};
/* clang-format on */
