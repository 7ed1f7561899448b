/* any_all_kernels.c - any, all, count_nonzero, sums of bools; isnan and the like; array_equal, allclose.
**
** any, all and count_nonzero count the elements that are not 0, which includes NaN, along fold_order.h. A count is the
** same in any order.
*/
#include <math.h>
#include <string.h>

#include "base/threads/parallel_for.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/fold_order.h"
#include "kernels/reduce/fold_outputs.h"
#include "ops/reduce/any_all.h"
#include "ops/reduce/reduced_axes.h"
#include "tensor/cast_copy.h"

/* ---- Counting -------------------------------------------------------------------------------------------- */

typedef enum Question { ANY, ALL, HOW_MANY } Question;

typedef struct TruthLoops {
  int64_t (*run)(const void *from, int64_t n);
  void (*row)(const void *from, int64_t n, int64_t *counts);
} TruthLoops;

typedef struct Truth {
  FoldOrder walk;
  Question question;
  const TruthLoops *loops;
  void *out;
} Truth;

/* Number of elements counted between calls of answered. */
enum { COUNT_BLOCK = 4096 };

#define COUNT(code, T)                                                                      \
  static int64_t count_run_##code(const void *from, int64_t n) {                            \
    uint32_t count = 0;                                                                     \
    for (int64_t i = 0; i < n; i++) count += ((const T *)from)[i] != 0;                     \
    return count;                                                                           \
  }                                                                                         \
  static void count_row_##code(const void *from, int64_t n, int64_t *counts) {              \
    for (int64_t k = 0; k < n; k++) counts[k] += ((const T *)from)[k] != 0;                 \
  }
EACH_C_DTYPE(COUNT)

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
        count += t->loops->run(from + (size_t)i * w->size, n);
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
    for (int64_t r = 0; r < rows; r++) t->loops->row(w->in + (size_t)(begin + walk_row(w, r)) * w->size, n, counts);
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
  t.loops = c->kernel->own;
  t.out = c->out[0]->data;
  fold_outputs(&t.walk, 1 << 15, runs_piece, rows_piece, &t);
  return interrupt_status();
}

static Status any(Call *c) { return ask(c, truth_axes(c->params), ANY); }
static Status all(Call *c) { return ask(c, truth_axes(c->params), ALL); }
static Status count_nonzero(Call *c) { return ask(c, truth_axes(c->params), HOW_MANY); }

/* A sum of bools is a count. */
static Status sum_bools(Call *c) { return ask(c, *(const ReduceParams *)c->params, HOW_MANY); }

/* ---- isnan and the like ------------------------------------------------------------------------------------- */

#define IS_LOOP(title, test, T)                                                             \
  static void title##_##T(void *context, int64_t first, int64_t last) {                     \
    const Call *c = context;                                                                \
    const T *data = c->in[0]->data;                                                         \
    bool *out = c->out[0]->data;                                                            \
    for (int64_t i = first; i < last; i++) { const T x = data[i]; out[i] = (test); }        \
  }
#define IS(title, test, text) IS_LOOP(title, test, float) IS_LOOP(title, test, double)
EACH_IS(IS)

static Status is_each(Call *c) {
  parallel_chunks(tensor_size(c->out[0]), 1 << 15, c->kernel->body, c);
  return interrupt_status();
}

static Status is_of_integers(Call *c, int answer) {
  memset(c->out[0]->data, answer, tensor_bytes(c->out[0]));
  return interrupt_status();
}

static Status no_integer(Call *c) { return is_of_integers(c, 0); }
static Status each_integer(Call *c) { return is_of_integers(c, 1); }

/* ---- array_equal ------------------------------------------------------------------------------------------------- */

#define ALL_EQUAL(code, T)                                                                  \
  static bool all_equal_##code(const void *x, const void *y, int64_t n, bool nan) {         \
    const T *a = x, *b = y;                                                                 \
    bool equal = true;                                                                      \
    for (int64_t i = 0; i < n && equal; i++) equal = a[i] == b[i] || (nan && a[i] != a[i] && b[i] != b[i]); \
    return equal;                                                                           \
  }
EACH_C_DTYPE(ALL_EQUAL)

typedef struct EqualLoop { bool (*all)(const void *a, const void *b, int64_t n, bool nan); } EqualLoop;

static Status array_equal(Call *c) {
  const EqualLoop *loop = c->kernel->own;
  const bool nan = ((const EqualParams *)c->params)->equal_nan;
  *(bool *)c->out[0]->data = shape_equal(&c->in[0]->type.shape, &c->in[1]->type.shape) &&
                             loop->all(c->in[0]->data, c->in[1]->data, tensor_size(c->in[0]), nan);
  return interrupt_status();
}

/* ---- allclose ---------------------------------------------------------------------------------------------------- */

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
  static bool all_close_##code(const void *x, const void *y, int64_t n, const CloseParams *p) { \
    const T *a = x, *b = y;                                                                 \
    bool close = true;                                                                      \
    for (int64_t i = 0; i < n && close && !interrupted(); i++) close = test(a[i], b[i], p); \
    return close;                                                                           \
  }
#define EACH_CLOSE(F)                                                                       \
  F(DT_FLOAT32, float, is_close) F(DT_FLOAT64, double, is_close) F(DT_FLOAT16, uint16_t, is_close_half) \
  F(DT_UINT8, uint8_t, is_close) F(DT_INT8, int8_t, is_close) F(DT_INT32, int32_t, is_close) \
  F(DT_INT64, int64_t, is_close_int64) F(DT_BOOL, bool, is_close)
EACH_CLOSE(ALL_CLOSE)

typedef struct CloseLoop { bool (*all)(const void *a, const void *b, int64_t n, const CloseParams *p); } CloseLoop;

static Status allclose(Call *c) {
  const CloseLoop *loop = c->kernel->own;
  *(uint8_t *)c->out[0]->data = loop->all(c->in[0]->data, c->in[1]->data, tensor_size(c->in[0]), c->params);
  return interrupt_status();
}

/* ---- The table ------------------------------------------------------------------------------------------------- */

#define LOOPS(code) &(const TruthLoops){ count_run_##code, count_row_##code }
#define COUNT_KERNELS(code, T)                                                              \
  { .op = "any", .types = ONE_TYPE(code), .run = any, .own = LOOPS(code) },                 \
  { .op = "all", .types = ONE_TYPE(code), .run = all, .own = LOOPS(code) },                 \
  { .op = "count_nonzero", .types = ONE_TYPE(code), .run = count_nonzero, .own = LOOPS(code) },

/* float16, which inference refuses, has no kernel. */
#define IS_KERNELS(row, title, integers)                                                    \
  { .op = row, .types = ONE_TYPE(DT_FLOAT32), .run = is_each, .body = title##_float },      \
  { .op = row, .types = ONE_TYPE(DT_FLOAT64), .run = is_each, .body = title##_double },     \
  { .op = row, .types = INTEGER_TYPES | ONE_TYPE(DT_BOOL), .run = integers },

#define EQUAL_KERNEL(code, T) \
  { .op = "array_equal", .types = ONE_TYPE(code), .run = array_equal, .own = &(const EqualLoop){ all_equal_##code } },
#define CLOSE_KERNEL(code, T, test) \
  { .op = "_contrib_allclose", .types = ONE_TYPE(code), .run = allclose, .own = &(const CloseLoop){ all_close_##code } },

/* clang-format off */
const Kernel any_all_kernels[] = {
  EACH_C_DTYPE(COUNT_KERNELS)
  { .op = "sum", .types = ONE_TYPE(DT_BOOL), .run = sum_bools, .own = LOOPS(DT_BOOL) },
  IS_KERNELS("isnan", isnan, no_integer)
  IS_KERNELS("isinf", isinf, no_integer)
  IS_KERNELS("isfinite", isfinite, each_integer)
  IS_KERNELS("isposinf", isposinf, no_integer)
  IS_KERNELS("isneginf", isneginf, no_integer)
  EACH_C_DTYPE(EQUAL_KERNEL)
  EACH_CLOSE(CLOSE_KERNEL)
  { 0 }
};
/* clang-format on */
