/* array_scalar.h - the lists of elementwise operators of one array and numbers: x + 2, 2 - x, clip.
**
** The columns of a line are registry name, expression (s, t, u are the parameters in order), gradient, range of test
** inputs, number of parameters, their text, further names, stem of automatic names, doc.
*/
#ifndef HL_OPS_ELEMENTWISE_ARRAY_SCALAR_H
#define HL_OPS_ELEMENTWISE_ARRAY_SCALAR_H

#define SCALAR "scalar float 1 The number.\n"

#define EACH_ARITHMETIC(N, F)                                                                                 \
  N(_plus_scalar, a + s, g, -2 2, 1, SCALAR, "_PlusScalar /_npi_add_scalar", "_plusscalar", "x + scalar")                      \
  N(_minus_scalar, a - s, g, -2 2, 1, SCALAR, "_MinusScalar /_npi_subtract_scalar", "_minusscalar", "x - scalar")                   \
  N(_rminus_scalar, s - a, -g, -2 2, 1, SCALAR, "_RMinusScalar /_npi_rsubtract_scalar", "_rminusscalar", "scalar - x")               \
  N(_mul_scalar, a * s, g * s, -2 2, 1, SCALAR, "_MulScalar /_npi_multiply_scalar", "_mulscalar", "x * scalar")                     \
  N(_div_scalar, divide(a, s), g / s, -2 2, 1, SCALAR, "_DivScalar /_npi_true_divide_scalar", "_divscalar", "x / scalar")              \
  N(_rdiv_scalar, divide(s, a), -g * y / a, 0.5 2, 1, SCALAR, "_RDivScalar /_npi_rtrue_divide_scalar", "_rdivscalar", "scalar / x")     \
  N(_mod_scalar, mod(a, s), g, 0.2 0.9, 1, SCALAR, "_ModScalar /_npi_mod_scalar", "_modscalar", \
    "x modulo scalar; the result has the sign of scalar") \
  N(_rmod_scalar, mod(s, a), -g * floor(s / a), 0.6 0.9, 1, SCALAR, "_RModScalar /_npi_rmod_scalar", "_rmodscalar", \
    "scalar modulo x; the result has the sign of x") \
  N(_power_scalar, power(a, s), g * s * power(a, s - 1), 0.5 2, 1, SCALAR, "_PowerScalar /_npi_power_scalar", "_powerscalar", \
    "x to the power of scalar") \
  N(_rpower_scalar, power(s, a), g * y * log(s), -1 2, 1, SCALAR, "_RPowerScalar /_npi_rpower_scalar", NULL, "scalar to the power of x") \
  N(_maximum_scalar, maximum(a, s), a >= s ? g : 0, -2 0.9, 1, SCALAR, "_MaximumScalar /_npi_maximum_scalar", NULL, \
    "The larger of x and scalar, or NaN if x is NaN") \
  N(_minimum_scalar, minimum(a, s), a <= s ? g : 0, -2 0.9, 1, SCALAR, "_MinimumScalar /_npi_minimum_scalar", NULL, \
    "The smaller of x and scalar, or NaN if x is NaN") \
  F(_hypot_scalar, hypot(a, s), g * a / y, -2 2, 1, SCALAR, "_HypotScalar", NULL, "sqrt(x^2 + scalar^2)")     \
  F(_npi_arctan2_scalar, arctan2(a, s), g * (s / hypot(a, s) / hypot(a, s)), 0.5 2, 1, SCALAR, NULL, NULL,    \
    "The angle of the point (scalar, x)")                                                                     \
  F(_npi_rarctan2_scalar, arctan2(s, a), -g * (s / hypot(a, s) / hypot(a, s)), 0.5 2, 1, SCALAR, NULL, NULL,  \
    "The angle of the point (x, scalar)")                                                                     \
  F(_npi_copysign_scalar, copysign(a, s), g * (copysign(K(1), s) * sign(a)), 0.5 2, 1, SCALAR, NULL, NULL,    \
    "|x| with the sign of scalar")                                                                            \
  F(_npi_rcopysign_scalar, copysign(s, a), 0 * g, 0.5 2, 1, SCALAR, NULL, NULL, "|scalar| with the sign of x") \
  F(smooth_l1, abs(a) < 1 / (s * s) ? K(0.5) * s * s * a * a : abs(a) - K(0.5) / (s * s),                     \
    abs(a) >= 1 / (s * s) ? g * sign(a) : g * s * s * a, 0.1 0.9, 1, SCALAR, NULL, NULL,                       \
    "0.5 (s x)^2 where |x| < 1 / s^2, else |x| - 0.5 / s^2, with s = scalar")                              \
  N(clip, a > t ? t : a < s ? s : a, a < s || a > t ? 0 : g, -0.9 0.9, 2,                                   \
    "a_min float - The lower bound.\na_max float - The upper bound.\n", NULL, NULL, "x clipped to [a_min, a_max]") \
  F(hard_sigmoid, a * s + t < 0 ? 0 : a * s + t > 1 ? 1 : a * s + t, y > 0 && y < 1 ? g * s : 0, -2 2, 2,     \
    "alpha float 0.2 The slope.\nbeta float 0.5 The offset.\n", NULL, NULL, "alpha x + beta clipped to [0, 1]") \
  F(_contrib_quadratic, s * a * a + t * a + u, g * (2 * s * a + t), -2 2, 3,                                  \
    "a float 0 The coefficient of x^2.\nb float 0 The coefficient of x.\nc float 0 The constant.\n", \
    "contrib.quadratic", NULL, "a x^2 + b x + c") \
  N(nan_to_num, a != a ? s : a - a == 0 ? a :                                                                 \
    a > 0 ? (t > FLOATS(a, 3.4028235e38f, 1.7976931348623157e308) ?                                           \
               FLOATS(a, 3.4028235e38f, 1.7976931348623157e308) : t) :                                        \
    (u < -FLOATS(a, 3.4028235e38f, 1.7976931348623157e308) ?                                                  \
       -FLOATS(a, 3.4028235e38f, 1.7976931348623157e308) : u),                                                \
    a - a == 0 ? g : 0, -2 2, 3,                                                                              \
    "nan float 0 The replacement for NaN.\n"                                                                      \
    "posinf float inf The replacement for infinity, clipped to the range of the dtype.\n"                       \
    "neginf float -inf The replacement for minus infinity, clipped likewise.\n", NULL, NULL,                           \
    "x with NaN replaced by 0 and infinities by the greatest numbers of the dtype, or by the given numbers")

/* The gradients of trigamma and of higher orders. */
#define EACH_ORDER(F) \
  F(_polygamma_scalar, polygamma(s, a), g * polygamma(s + 1, a), 0.5 3, 1, \
    "scalar float 2 The order, an integer of 2 or more.\n", NULL, NULL, \
    "The derivative of digamma of order scalar (M. Abramowitz, I. A. Stegun, 1964, 6.4.10)")

#define EACH_COMPARISON(A)                                                                                    \
  A(_equal_scalar, a == s, "_EqualScalar /_npi_equal_scalar", "1 where x = scalar, else 0, in x's dtype")                        \
  A(_not_equal_scalar, a != s, "_NotEqualScalar /_npi_not_equal_scalar", "1 where x differs from scalar, else 0")                    \
  A(_greater_scalar, a > s, "_GreaterScalar /_npi_greater_scalar", "1 where x > scalar, else 0")                                   \
  A(_greater_equal_scalar, a >= s, "_GreaterEqualScalar /_npi_greater_equal_scalar", "1 where x >= scalar, else 0")                      \
  A(_lesser_scalar, a < s, "_LesserScalar /_npi_less_scalar", "1 where x < scalar, else 0")                                     \
  A(_lesser_equal_scalar, a <= s, "_LesserEqualScalar /_npi_less_equal_scalar", "1 where x <= scalar, else 0")                        \
  A(_logical_and_scalar, a != 0 && s != 0, "_LogicalAndScalar", "1 where x and scalar are not 0, else 0")     \
  A(_logical_or_scalar, a != 0 || s != 0, "_LogicalOrScalar", "1 where x or scalar is not 0, else 0")         \
  A(_logical_xor_scalar, (a != 0) != (s != 0), "_LogicalXorScalar", \
    "1 where exactly one of x and scalar is not 0, else 0")

/* Rounding operators have no gradient. */
#define EACH_ROUNDING(D)                                                                                      \
  D(_floor_divide_scalar, floor_divide(a, s), "x / scalar rounded down, as Lua's x // scalar")                   \
  D(_rfloor_divide_scalar, floor_divide(s, a), "scalar / x rounded down, as Lua's scalar // x")

#endif
