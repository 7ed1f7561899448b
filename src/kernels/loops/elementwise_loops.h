/* elementwise_loops.h - loops over every dtype from one scalar expression.
**
** DEFINE_FLOATS(name, letters, scalars, expression) and similar macros define one loop per dtype, and `Elementwise
** name` with the loops and the expression's text for the code generator. Lists of rows use STAMP_FLOATS and similar
** ones, with the text as a separate argument, because macros in an expression are expanded while it is passed through a
** list. An expression may use the operands a, b, c, the scalars s, t, u, in gradients also g and y, constants as K(0.5)
** or integers, and the functions of base/math/scalar_functions.h.
*/
#ifndef HL_KERNELS_LOOPS_ELEMENTWISE_LOOPS_H
#define HL_KERNELS_LOOPS_ELEMENTWISE_LOOPS_H

#include "base/math/scalar_functions.h"
#include "ir/op.h"

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

#define TABLE_FLOAT(name) [DT_FLOAT32] = name##_f32, [DT_FLOAT64] = name##_f64
#define TABLE_INT(name) [DT_INT32] = name##_i32, [DT_INT64] = name##_i64, [DT_INT8] = name##_i8, [DT_UINT8] = name##_u8

/* `used`: the operands' letters; "" lets the registry find them in the text. */
#define STAMP_ROW(name, used, scalars, text, ...)                                            \
  static Elementwise name = { .expr = text, .slots = used, .n_scalars = scalars, .loop = { __VA_ARGS__ } };
#define STAMP_FLOATS(name, used, scalars, text, expression)                              \
  LOOPS_FLOAT(name, expression) STAMP_ROW(name, used, scalars, text, TABLE_FLOAT(name))
#define STAMP_INTEGERS(name, used, scalars, text, expression)                            \
  LOOPS_INT(name, expression) STAMP_ROW(name, used, scalars, text, TABLE_INT(name))
#define STAMP_NUMBERS(name, used, scalars, text, expression)                             \
  LOOPS_FLOAT(name, expression) LOOPS_INT(name, expression)                              \
  STAMP_ROW(name, used, scalars, text, TABLE_FLOAT(name), TABLE_INT(name))
#define STAMP_ALL(name, used, scalars, text, expression)                                 \
  LOOPS_FLOAT(name, expression) LOOPS_INT(name, expression) LOOPS_BOOL(name, expression) \
  STAMP_ROW(name, used, scalars, text, TABLE_FLOAT(name), TABLE_INT(name), [DT_BOOL] = name##_bool)

#define DEFINE_FLOATS(name, used, scalars, expression) STAMP_FLOATS(name, used, scalars, #expression, expression)
#define DEFINE_ALL(name, used, scalars, expression) STAMP_ALL(name, used, scalars, #expression, expression)

/* Runs an expression over operands that broadcast to the shape of `out`. */
Status elementwise_run(const Elementwise *e, const Tensor *const *in, int n_in, Tensor *out, const double *scalars);

/* The column `forward` of elementwise rows: chooses the row's expression and runs it. */
Status elementwise_forward(Call *c);

/* The same for bound rows (op.h: OpInfo.unbound). Fails for numbers that the row with parameters rejects. */
Status elementwise_forward_bound(Call *c);

#endif
