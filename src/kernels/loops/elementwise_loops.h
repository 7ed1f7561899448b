/* elementwise_loops.h - loops over every dtype from one scalar expression, and kernels that run them.
**
** LOOPS_FLOAT(name, expression) and similar macros define one loop per dtype; FLOAT_ELEMENTS(row, name) and similar
** ones are entries of a table of kernels with these loops. The expressions are in headers of src/ops (ops/elementwise),
** from which rows are made, too: in a row they are texts. An expression may use the operands a, b, c, the scalars s, t,
** u, in gradients also g and y, constants as K(0.5) or integers, and the functions of base/math/scalar_functions.h.
*/
#ifndef HL_KERNELS_LOOPS_ELEMENTWISE_LOOPS_H
#define HL_KERNELS_LOOPS_ELEMENTWISE_LOOPS_H

#include "base/math/scalar_functions.h"
#include "ir/op.h"

/* The loop over n elements of contiguous operands, in the order of ELEMENT_SLOTS. Slots that the expression does not
** use point at values that may be loaded. `out` may be one of the operands. */
typedef void ElementLoop(int64_t n, const void *const *slots, void *out, const double *scalars);

#define ELEMENT_LOOP(function, T, expression)                                            \
  static void function(int64_t n, const void *const *slots, void *to, const double *scalars) { \
    typedef T real;                                                                      \
    const real *g_ = slots[0], *a_ = slots[1], *b_ = slots[2], *c_ = slots[3], *y_ = slots[4]; \
    const real s = HL_REAL(scalars[0]), t = HL_REAL(scalars[1]), u = HL_REAL(scalars[2]); \
    real *out = to;                                                                      \
    (void)s, (void)t, (void)u;                                                           \
    IVDEP                                                                                \
    for (int64_t i = 0; i < n; i++) {                                                    \
      const real g = g_[i], a = a_[i], b = b_[i], c = c_[i], y = y_[i];                  \
      (void)g, (void)a, (void)b, (void)c, (void)y;                                       \
      out[i] = (real)(expression);                                                       \
    }                                                                                    \
  }

#define LOOPS_FLOAT(name, expr) ELEMENT_LOOP(name##_f32, float, expr) ELEMENT_LOOP(name##_f64, double, expr)
#define LOOPS_INT(name, expr)                                                            \
  ELEMENT_LOOP(name##_i32, int32_t, expr) ELEMENT_LOOP(name##_i64, int64_t, expr)        \
  ELEMENT_LOOP(name##_i8, int8_t, expr) ELEMENT_LOOP(name##_u8, uint8_t, expr)
#define LOOPS_BOOL(name, expr) ELEMENT_LOOP(name##_bool, bool, expr)
#define LOOPS_NUMBER(name, expr) LOOPS_FLOAT(name, expr) LOOPS_INT(name, expr)
#define LOOPS_VALUE(name, expr) LOOPS_NUMBER(name, expr) LOOPS_BOOL(name, expr)

/* The kernels of a row with these loops; `row` is its name. */
#define ELEMENT_KERNEL(row, loop, dtype, ...) \
  { .op = row, .types = ONE_TYPE(dtype), .run = elementwise_kernel, .own = (const void *)loop, __VA_ARGS__ },
#define FLOAT_ELEMENTS(row, name, ...)                                                   \
  ELEMENT_KERNEL(row, name##_f32, DT_FLOAT32, __VA_ARGS__) ELEMENT_KERNEL(row, name##_f64, DT_FLOAT64, __VA_ARGS__)
#define INTEGER_ELEMENTS(row, name, ...)                                                 \
  ELEMENT_KERNEL(row, name##_i32, DT_INT32, __VA_ARGS__) ELEMENT_KERNEL(row, name##_i64, DT_INT64, __VA_ARGS__) \
  ELEMENT_KERNEL(row, name##_i8, DT_INT8, __VA_ARGS__) ELEMENT_KERNEL(row, name##_u8, DT_UINT8, __VA_ARGS__)
#define NUMBER_ELEMENTS(row, name, ...)                                                  \
  FLOAT_ELEMENTS(row, name, __VA_ARGS__) INTEGER_ELEMENTS(row, name, __VA_ARGS__)
#define VALUE_ELEMENTS(row, name, ...)                                                   \
  NUMBER_ELEMENTS(row, name, __VA_ARGS__) ELEMENT_KERNEL(row, name##_bool, DT_BOOL, __VA_ARGS__)

/* The loop of an elementwise row; NULL if it does not support the dtype. */
static inline ElementLoop *elementwise_loop(const Op *row, DType dtype) {
  const Kernel *k = row->kernel[ON_HOST][dtype];
  return k ? (ElementLoop *)(uintptr_t)k->own : NULL;
}

/* Runs an elementwise row over operands that broadcast to the shape of `out`. */
Status elementwise_run(const Op *row, const Tensor *const *in, int n_in, Tensor *out, const double *scalars);

/* Kernels of elementwise rows, with their loop as `own`. For bound rows (op.h: OpInfo.unbound) it fails for numbers
** that the row with parameters rejects. */
Status elementwise_kernel(Call *c);

/* The same for operands of equal shapes: elements [first, last). */
void elementwise_range(const Call *c, int64_t first, int64_t last);

/* Kernels of rows that choose an elementwise row (op.h: choose_row). */
Status elementwise_chosen(Call *c);

#endif
