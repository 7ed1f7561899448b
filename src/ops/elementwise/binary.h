/* binary.h - the lists of elementwise operators of two operands.
**
** Each line of EACH_ARITHMETIC or EACH_COMPARISON makes two rows: the broadcasting one, which Lua's operators and
** nd.add use, and MXNet's older one for equal shapes, which loaded graphs contain. Columns: title, expression, gradient
** of a, gradient of b, range of test inputs, Lua's operator, names of the broadcasting row, name and further names of
** the other, the rows for a number instead of b or of a, stem of automatic names, role of the other row, doc.
*/
#ifndef HL_OPS_ELEMENTWISE_BINARY_H
#define HL_OPS_ELEMENTWISE_BINARY_H

#define EACH_ARITHMETIC(N, F)                                                                                 \
  N(add, a + b, g, g, -2 2, "__add", "add broadcast_plus",                                                    \
    "elemwise_add", "_add _plus _Plus _grad_add", "_plus_scalar", "_plus_scalar", "_plus", ROLE_SUM, "a + b")   \
  N(sub, a - b, g, -g, -2 2, "__sub", "subtract sub broadcast_minus",                                             \
    "elemwise_sub", "_sub _minus _Minus", "_minus_scalar", "_rminus_scalar", "_minus", ROLE_NONE, "a - b")            \
  N(mul, a * b, g * b, g * a, -2 2, "__mul", "multiply mul",                                                      \
    "elemwise_mul", "_mul _Mul", "_mul_scalar", "_mul_scalar", "_mul", ROLE_NONE, "a * b")                            \
  N(div, divide(a, b), g / b, -g * a / (b * b), 0.5 2, "__div", "divide div true_divide",                         \
    "elemwise_div", "_div _Div", "_div_scalar", "_rdiv_scalar", "_div", ROLE_NONE, \
    "a / b; for integers truncated towards 0, and 0 if b is 0") \
  N(mod, mod(a, b), g, -g * floor(a / b), 0.6 0.9, "__mod", "modulo mod",                                         \
    "_mod", "_Mod", "_mod_scalar", "_rmod_scalar", "_mod", ROLE_NONE, \
    "a modulo b, with the sign of b; 0 if b is 0") \
  N(power, power(a, b), g * b * power(a, b - 1), g * y * log(a), 0.5 2, "__pow", "power pow",                 \
    "_power", "_Power", "_power_scalar", "_rpower_scalar", "_power", ROLE_NONE, "a to the power of b")                \
  N(maximum, maximum(a, b), a >= b ? g : 0, a < b ? g : 0, -2 2, NULL, "maximum",                            \
    "_maximum", "_Maximum", "_maximum_scalar", "_maximum_scalar", NULL, ROLE_NONE, "The larger of a and b, or NaN") \
  N(minimum, minimum(a, b), a <= b ? g : 0, a > b ? g : 0, -2 2, NULL, "minimum",                            \
    "_minimum", "_Minimum", "_minimum_scalar", "_minimum_scalar", NULL, ROLE_NONE, "The smaller of a and b, or NaN") \
  F(hypot, hypot(a, b), g * a / y, g * b / y, 0.5 2, NULL, "hypot",                                           \
    "_hypot", "_Hypot", "_hypot_scalar", "_hypot_scalar", NULL, ROLE_NONE, "sqrt(a^2 + b^2), without overflow")

#define EACH_COMPARISON(A)                                                                                    \
  A(equal, a == b, "equal", "_Equal", "_equal_scalar", "_equal_scalar", "1 where a = b, else 0, in the operands' dtype") \
  A(not_equal, a != b, "not_equal", "_Not_Equal", "_not_equal_scalar", "_not_equal_scalar", \
    "1 where a differs from b, else 0") \
  A(greater, a > b, "greater", "_Greater", "_greater_scalar", "_lesser_scalar", "1 where a > b, else 0")           \
  A(greater_equal, a >= b, "greater_equal", "_Greater_Equal", "_greater_equal_scalar", "_lesser_equal_scalar", \
    "1 where a >= b, else 0") \
  A(lesser, a < b, "less", "_Lesser", "_lesser_scalar", "_greater_scalar", "1 where a < b, else 0")             \
  A(lesser_equal, a <= b, "less_equal", "_Lesser_Equal", "_lesser_equal_scalar", "_greater_equal_scalar", \
    "1 where a <= b, else 0") \
  A(logical_and, a != 0 && b != 0, "logical_and", "_Logical_And", "_logical_and_scalar", "_logical_and_scalar", \
    "1 where both are not 0, else 0") \
  A(logical_or, a != 0 || b != 0, "logical_or", "_Logical_Or", "_logical_or_scalar", "_logical_or_scalar", \
    "1 where either is not 0, else 0") \
  A(logical_xor, (a != 0) != (b != 0), "logical_xor", "_Logical_Xor", "_logical_xor_scalar", "_logical_xor_scalar", \
    "1 where exactly one is not 0, else 0")

#define EACH_FLOOR_DIVISION(F) F(floor_divide, floor_divide(a, b))

/* Rows that broadcast and have no older one. Columns: title, expression, gradient of a, gradient of b, range of test
** inputs, further names, the rows for a number instead of b or of a, doc. */
#define EACH_FURTHER(F)                                                                                        \
  F(logaddexp, a == b ? a + K(0.69314718055994531) : maximum(a, b) + softrelu(-abs(a - b)),                    \
    a == b ? g * K(0.5) : g * sigmoid(a - b), a == b ? g * K(0.5) : g * sigmoid(b - a), -2 2, NULL, NULL, NULL, \
    "log(e^a + e^b), without overflow")                                                                        \
  F(arctan2, arctan2(a, b), g * (b / hypot(a, b) / hypot(a, b)), -g * (a / hypot(a, b) / hypot(a, b)), 0.5 2,  \
    "_npi_arctan2", "_npi_arctan2_scalar", "_npi_rarctan2_scalar",                                             \
    "The angle of the point (b, a), from -pi to pi: arctan(a / b) in the quadrant of the signs of a and b")    \
  F(copysign, copysign(a, b), g * (copysign(K(1), b) * sign(a)), 0 * g, 0.5 2, "_npi_copysign",                \
    "_npi_copysign_scalar", "_npi_rcopysign_scalar", "|a| with the sign of b, which may be that of a zero")

#endif
