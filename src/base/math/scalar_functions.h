/* scalar_functions.h - the scalar functions by the names that expressions use: the operators' names.
**
** For loops that this program compiles: a name chooses the function of its argument's C type in typed_functions.h.
** Printed code calls those functions themselves (ir/expression/expression.h).
*/
#ifndef HL_BASE_MATH_SCALAR_FUNCTIONS_H
#define HL_BASE_MATH_SCALAR_FUNCTIONS_H

#include "base/math/typed_functions.h"

/* A constant in the type of the loop. */
#define K(x) ((real)(x))

/* One function per C type; integers use the last. */
#define BY_TYPE(x, f32, f64, other) _Generic((x), float: f32, double: f64, default: other)
#define FLOATS(x, f32, f64) _Generic((x), float: f32, default: f64)
#define FOUR_TYPES(x, name) \
  _Generic((x), float: name##32, double: name##64, int64_t: name##_int64, default: name##_int32)

/* A number converted to the C type T, and to the loop's type. */
#define HL_FROM_FLOAT(T, x) \
  _Generic((T)0, float: (x), double: (x), bool: (x), int64_t: hl_to_int64(x), default: hl_to_int32(x))
#define HL_AS(T, x) ((T)_Generic((x), float: HL_FROM_FLOAT(T, x), double: HL_FROM_FLOAT(T, x), default: (x)))
#define HL_REAL(x) HL_AS(real, x)

/* clang-format off */

/* ---- The names that expressions use ------------------------------------------------ */

#define exp(x) FLOATS(x, hl_exp32, exp)(x)
#define tanh(x) FLOATS(x, hl_tanh32, tanh)(x)
#define sigmoid(x) FLOATS(x, hl_sigmoid32, hl_sigmoid64)(x)
#define softrelu(x) FLOATS(x, hl_softrelu32, hl_softrelu64)(x)
#define log(x) FLOATS(x, hl_log32, log)(x)
#define log2(x) FLOATS(x, hl_log2_32, log2)(x)
#define log10(x) FLOATS(x, hl_log10_32, log10)(x)
#define log1p(x) FLOATS(x, hl_log1p_32, log1p)(x)
#define expm1(x) FLOATS(x, hl_expm1_32, expm1)(x)
#define exp_nonpositive(x) FLOATS(x, hl_exp_nonpositive32, exp)(x)
#define sqrt(x) FLOATS(x, sqrtf, sqrt)(x)
#define cbrt(x) FLOATS(x, hl_cbrt32, cbrt)(x)
#define rsqrt(x) FLOATS(x, hl_rsqrt32, hl_rsqrt64)(x)
#define rcbrt(x) FLOATS(x, hl_rcbrt32, hl_rcbrt64)(x)
#define sin(x) FLOATS(x, hl_sin32, sin)(x)
#define cos(x) FLOATS(x, hl_cos32, cos)(x)
#define tan(x) FLOATS(x, hl_tan32, tan)(x)
#define arcsin(x) FLOATS(x, hl_arcsin32, asin)(x)
#define arccos(x) FLOATS(x, hl_arccos32, acos)(x)
#define arctan(x) FLOATS(x, hl_arctan32, atan)(x)
#define sinh(x) FLOATS(x, hl_sinh32, sinh)(x)
#define cosh(x) FLOATS(x, hl_cosh32, cosh)(x)
#define arcsinh(x) FLOATS(x, hl_arcsinh32, asinh)(x)
#define arccosh(x) FLOATS(x, hl_arccosh32, acosh)(x)
#define arctanh(x) FLOATS(x, hl_arctanh32, atanh)(x)
#define erf(x) FLOATS(x, hl_erf32, erf)(x)
#define erfinv(x) FLOATS(x, hl_erfinv32, hl_erfinv64)(x)
#define gamma(x) FLOATS(x, hl_gamma32, tgamma)(x)
#define gammaln(x) FLOATS(x, hl_gammaln32, lgamma)(x)
#define digamma(x) FLOATS(x, hl_digamma32, hl_digamma64)(x)
#define trigamma(x) FLOATS(x, hl_trigamma32, hl_trigamma64)(x)
#define polygamma(n, x) FLOATS(x, hl_polygamma32, hl_polygamma64)(n, x)
#define power(a, b) BY_TYPE(a, hl_power32, pow, hl_powi)(a, b)
#define hypot(a, b) FLOATS(a, hl_hypot32, hypot)(a, b)
#define arctan2(a, b) FLOATS(a, hl_arctan2_32, atan2)(a, b)
#define copysign(a, b) FLOATS(a, copysignf, copysign)(a, b)
#define mod(a, b) BY_TYPE(a, hl_mod32, hl_mod64, hl_modi)(a, b)
#define divide(a, b) BY_TYPE(a, hl_divide32, hl_divide64, hl_divi)(a, b)
#define floor_divide(a, b) BY_TYPE(a, hl_floor_divide32, hl_floor_divide64, hl_floor_dividei)(a, b)
#define bit_and(a, b) BY_TYPE(a, hl_and32, hl_and64, hl_andi)(a, b)
#define bit_or(a, b) BY_TYPE(a, hl_or32, hl_or64, hl_ori)(a, b)
#define bit_xor(a, b) BY_TYPE(a, hl_xor32, hl_xor64, hl_xori)(a, b)
#define bit_not(a) _Generic((a), float: hl_not32, double: hl_not64, bool: hl_notb, default: hl_noti)(a)
#define shift_left(a, b) hl_shift_left(a, b)
#define shift_right(a, b) hl_shift_right(a, b)
#define floor(x) BY_TYPE(x, floorf, floor, hl_same)(x)
#define ceil(x) BY_TYPE(x, ceilf, ceil, hl_same)(x)
#define trunc(x) BY_TYPE(x, truncf, trunc, hl_same)(x)
#define rint(x) BY_TYPE(x, hl_rint32, hl_rint64, hl_same)(x)
#define round(x) BY_TYPE(x, hl_round32, hl_round64, hl_same)(x)
#define abs(x) BY_TYPE(x, fabsf, fabs, hl_absi)(x)
#define square(x) FOUR_TYPES((x) + 0, hl_square)(x)
#define sign(x) FOUR_TYPES((x) + 0, hl_sign)(x)
#define maximum(a, b) FOUR_TYPES((a) + (b), hl_maximum)(a, b)
#define minimum(a, b) FOUR_TYPES((a) + (b), hl_minimum)(a, b)
#define bounded(x, most) FLOATS(x, hl_bounded32, hl_bounded64)(x, most)

/* clang-format on */

#endif
