/* binary.c - elementwise operators of two operands.
**
** Each line of EACH_ARITHMETIC or EACH_COMPARISON makes two rows: the broadcasting one, which Lua's operators and
** nd.add use, and MXNet's older one for equal shapes, which loaded graphs contain. Columns: title, expression, gradient
** of a, gradient of b, range of test inputs, Lua's operator, names of the broadcasting row, name and further names of
** the other, the rows for a number instead of b or of a, stem of automatic names, role of the other row, doc.
*/
#include "kernels/loops/elementwise_loops.h"
#include "ops/common/elementwise_rule.h"
#include "ops/op_registry.h"

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
  A(equal, a == b, NULL, "_Equal", "_equal_scalar", "_equal_scalar", "1 where a = b, else 0, in the operands' dtype") \
  A(not_equal, a != b, NULL, "_Not_Equal", "_not_equal_scalar", "_not_equal_scalar", \
    "1 where a differs from b, else 0") \
  A(greater, a > b, NULL, "_Greater", "_greater_scalar", "_lesser_scalar", "1 where a > b, else 0")           \
  A(greater_equal, a >= b, NULL, "_Greater_Equal", "_greater_equal_scalar", "_lesser_equal_scalar", \
    "1 where a >= b, else 0") \
  A(lesser, a < b, NULL, "_Lesser", "_lesser_scalar", "_greater_scalar", "1 where a < b, else 0")             \
  A(lesser_equal, a <= b, NULL, "_Lesser_Equal", "_lesser_equal_scalar", "_greater_equal_scalar", \
    "1 where a <= b, else 0") \
  A(logical_and, a != 0 && b != 0, NULL, "_Logical_And", "_logical_and_scalar", "_logical_and_scalar", \
    "1 where both are not 0, else 0") \
  A(logical_or, a != 0 || b != 0, NULL, "_Logical_Or", "_logical_or_scalar", "_logical_or_scalar", \
    "1 where either is not 0, else 0") \
  A(logical_xor, (a != 0) != (b != 0), NULL, "_Logical_Xor", "_logical_xor_scalar", "_logical_xor_scalar", \
    "1 where exactly one is not 0, else 0")

#define STAMP_N(title, expr, da, db, ...) \
  STAMP_NUMBERS(title##_y, "ab", 0, #expr, expr) STAMP_FLOATS(title##_da, "", 0, #da, da) \
  STAMP_FLOATS(title##_db, "", 0, #db, db)
#define STAMP_F(title, expr, da, db, ...) \
  STAMP_FLOATS(title##_y, "ab", 0, #expr, expr) STAMP_FLOATS(title##_da, "", 0, #da, da) \
  STAMP_FLOATS(title##_db, "", 0, #db, db)
#define STAMP_A(title, expr, ...) STAMP_ALL(title##_y, "ab", 0, #expr, expr)
EACH_ARITHMETIC(STAMP_N, STAMP_F)
EACH_COMPARISON(STAMP_A)
STAMP_F(logaddexp, a == b ? a + K(0.69314718055994531) : maximum(a, b) + softrelu(-abs(a - b)),
        a == b ? g * K(0.5) : g * sigmoid(a - b), a == b ? g * K(0.5) : g * sigmoid(b - a), )
STAMP_NUMBERS(floor_divide_y, "ab", 0, "floor_divide(a, b)", floor_divide(a, b))

#define BROADCASTING(title, lua, names, scalar, reversed, hint_, text)                                        \
  .name = "broadcast_" #title, .aliases = names, .doc = text, .inputs = "lhs rhs", .infer = infer_elementwise, \
  .elementwise = &title##_y, .metamethod = lua, .scalar_form = scalar, .scalar_form_reversed = reversed,      \
  .operator_stem = hint_
#define SAME_SHAPE(title, name_, names, hint_, text)                                                          \
  .name = name_, .aliases = names, .doc = text " (equal shapes)", .inputs = "lhs rhs", .infer = infer_same_shape, \
  .elementwise = &title##_y, .name_stem = hint_

#define ROW(title, expr, da, db, range, lua, names, same, same_names, scalar, reversed, hint, as, text)       \
  { BROADCASTING(title, lua, names, scalar, reversed, hint, text), .domain = #range, .flags = OP_IN_PLACE,    \
    .grad = elementwise_grad, .gradient = { &title##_da, &title##_db } },                                     \
  { SAME_SHAPE(title, same, same_names, hint, text), .domain = #range, .flags = OP_IN_PLACE, .role = as,      \
    .grad = elementwise_grad, .gradient = { &title##_da, &title##_db } },

#define COMPARISON_ROW(title, expr, lua, same_names, scalar, reversed, text)                                  \
  { BROADCASTING(title, lua, #title, scalar, reversed, NULL, text), .flags = OP_IN_PLACE | OP_NO_GRAD },      \
  { SAME_SHAPE(title, "_" #title, same_names, NULL, text), .flags = OP_IN_PLACE | OP_NO_GRAD },

/* MXNet lacks these operators, so they have no row for equal shapes. */
#define FLOOR_DIVIDE_ROW                                                                                      \
  { BROADCASTING(floor_divide, "__idiv", "floor_divide", "_floor_divide_scalar", "_rfloor_divide_scalar", "_floordiv", \
                 "a / b rounded down, as Lua's a // b; for integers 0 if b is 0"), .domain = "0.5 2", \
    .flags = OP_IN_PLACE | OP_NO_GRAD },

#define LOGADDEXP_ROW                                                                                         \
  { .name = "logaddexp", .doc = "log(e^a + e^b), without overflow", .inputs = "lhs rhs", .flags = OP_IN_PLACE, \
    .infer = infer_elementwise, .elementwise = &logaddexp_y, .grad = elementwise_grad, \
    .gradient = { &logaddexp_da, &logaddexp_db } },

Op binary_ops[] = { EACH_ARITHMETIC(ROW, ROW) EACH_COMPARISON(COMPARISON_ROW) FLOOR_DIVIDE_ROW LOGADDEXP_ROW{ 0 } };
