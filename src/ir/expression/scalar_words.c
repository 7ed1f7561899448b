/* scalar_words.c - the functions that expressions may call, with the names of their C functions by type.
**
** base/math/typed_functions.h defines those that begin with hl_, others are C99's. scalar_functions.h chooses among the
** same functions for loops that this program compiles; spec/ir/expression/printed_loops_spec.lua compares both.
*/
#include <string.h>

#include "ir/expression/expression.h"

#define BY(argument, title, n, f32, f64, i64)                                                     \
  { .name = title, .n_args = n, .by = argument,                                                   \
    .word = { [SCALAR_FLOAT] = f32, [SCALAR_DOUBLE] = f64, [SCALAR_INT64] = i64 } },
#define FOUR(argument, title, n, stem)                                                            \
  { .name = title, .n_args = n, .by = argument,                                                   \
    .word = { [SCALAR_FLOAT] = stem "32", [SCALAR_DOUBLE] = stem "64", [SCALAR_INT32] = stem "_int32", \
              [SCALAR_INT64] = stem "_int64" } },
#define FLOATS(title, f32, f64) BY(0, title, 1, f32, f64, NULL)
#define PAIR(title, f32, f64, i64) BY(0, title, 2, f32, f64, i64)
#define ALL(title, f32, f64, i64) BY(0, title, 1, f32, f64, i64)

/* clang-format off */
static const ScalarFunction functions[] = {
  FLOATS("exp", "hl_exp32", "exp")
  FLOATS("expm1", "hl_expm1_32", "expm1")
  FLOATS("exp_nonpositive", "hl_exp_nonpositive32", "exp")
  FLOATS("log", "hl_log32", "log")
  FLOATS("log2", "hl_log2_32", "log2")
  FLOATS("log10", "hl_log10_32", "log10")
  FLOATS("log1p", "hl_log1p_32", "log1p")
  FLOATS("sigmoid", "hl_sigmoid32", "hl_sigmoid64")
  FLOATS("softrelu", "hl_softrelu32", "hl_softrelu64")
  FLOATS("sqrt", "sqrtf", "sqrt")
  FLOATS("cbrt", "hl_cbrt32", "cbrt")
  FLOATS("rsqrt", "hl_rsqrt32", "hl_rsqrt64")
  FLOATS("rcbrt", "hl_rcbrt32", "hl_rcbrt64")
  FLOATS("sin", "hl_sin32", "sin")
  FLOATS("cos", "hl_cos32", "cos")
  FLOATS("tan", "hl_tan32", "tan")
  FLOATS("arcsin", "hl_arcsin32", "asin")
  FLOATS("arccos", "hl_arccos32", "acos")
  FLOATS("arctan", "hl_arctan32", "atan")
  FLOATS("sinh", "hl_sinh32", "sinh")
  FLOATS("cosh", "hl_cosh32", "cosh")
  FLOATS("tanh", "hl_tanh32", "tanh")
  FLOATS("arcsinh", "hl_arcsinh32", "asinh")
  FLOATS("arccosh", "hl_arccosh32", "acosh")
  FLOATS("arctanh", "hl_arctanh32", "atanh")
  FLOATS("erf", "hl_erf32", "erf")
  FLOATS("erfinv", "hl_erfinv32", "hl_erfinv64")
  FLOATS("gamma", "hl_gamma32", "tgamma")
  FLOATS("gammaln", "hl_gammaln32", "lgamma")
  FLOATS("digamma", "hl_digamma32", "hl_digamma64")
  FLOATS("trigamma", "hl_trigamma32", "hl_trigamma64")
  BY(1, "polygamma", 2, "hl_polygamma32", "hl_polygamma64", NULL)
  PAIR("hypot", "hl_hypot32", "hypot", NULL)
  PAIR("arctan2", "hl_arctan2_32", "atan2", NULL)
  PAIR("copysign", "copysignf", "copysign", NULL)
  PAIR("power", "hl_power32", "pow", "hl_powi")
  PAIR("mod", "hl_mod32", "hl_mod64", "hl_modi")
  PAIR("divide", "hl_divide32", "hl_divide64", "hl_divi")
  PAIR("floor_divide", "hl_floor_divide32", "hl_floor_divide64", "hl_floor_dividei")
  PAIR("bit_and", "hl_and32", "hl_and64", "hl_andi")
  PAIR("bit_or", "hl_or32", "hl_or64", "hl_ori")
  PAIR("bit_xor", "hl_xor32", "hl_xor64", "hl_xori")
  { .name = "bit_not", .n_args = 1,
    .word = { [SCALAR_BOOL] = "hl_notb", [SCALAR_INT64] = "hl_noti", [SCALAR_FLOAT] = "hl_not32",
              [SCALAR_DOUBLE] = "hl_not64" } },
  PAIR("shift_left", NULL, NULL, "hl_shift_left")
  PAIR("shift_right", NULL, NULL, "hl_shift_right")
  ALL("floor", "floorf", "floor", "hl_same")
  ALL("ceil", "ceilf", "ceil", "hl_same")
  ALL("trunc", "truncf", "trunc", "hl_same")
  ALL("rint", "hl_rint32", "hl_rint64", "hl_same")
  ALL("round", "hl_round32", "hl_round64", "hl_same")
  ALL("abs", "fabsf", "fabs", "hl_absi")
  FOUR(0, "square", 1, "hl_square")
  FOUR(0, "sign", 1, "hl_sign")
  FOUR(-1, "maximum", 2, "hl_maximum")
  FOUR(-1, "minimum", 2, "hl_minimum")
  BY(-1, "bounded", 2, "hl_bounded32", "hl_bounded64", NULL)
};
/* clang-format on */

const ScalarFunction *scalar_function_find(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (*functions[i].name == *name && strncmp(functions[i].name, name, length) == 0 && !functions[i].name[length])
      return &functions[i];
  return NULL;
}

ScalarType scalar_type_of(DType dtype) {
  switch (dtype) {
    case DT_FLOAT32: return SCALAR_FLOAT;
    case DT_FLOAT64: return SCALAR_DOUBLE;
    case DT_INT64: return SCALAR_INT64;
    case DT_BOOL: return SCALAR_BOOL;
    default: return SCALAR_INT32;
  }
}

/* ---- Dialects ---------------------------------------------------------------------------------- */

/* clang-format off */
static const char *const c_types[N_DTYPES] = {
  [DT_FLOAT32] = "float", [DT_FLOAT64] = "double", [DT_INT32] = "int32_t", [DT_INT64] = "int64_t",
  [DT_INT8] = "int8_t", [DT_UINT8] = "uint8_t", [DT_BOOL] = "bool"
};
/* clang-format on */

/* What this program compiles itself, with -fwrapv. */
const Dialect dialect_gnu_c = { .name = "GNU C", .type = c_types, .wraps = true };

const Dialect dialect_c99 = { .name = "C99", .type = c_types };
