/* binary.c - elementwise operators of two operands.
**
** Rows from the lists of binary.h. Their kernels: kernels/elementwise/binary_kernels.c.
*/
#include "ops/common/elementwise_rule.h"
#include "ops/elementwise/binary.h"
#include "ops/op_registry.h"

#define NUMBERS_OF(title, expr, da, db, ...) \
  ELEMENTWISE(title##_y, "ab", 0, NUMBER_TYPES, #expr) ELEMENTWISE(title##_da, "", 0, FLOAT_TYPES, #da) \
  ELEMENTWISE(title##_db, "", 0, FLOAT_TYPES, #db)
#define FLOATS_OF(title, expr, da, db, ...) \
  ELEMENTWISE(title##_y, "ab", 0, FLOAT_TYPES, #expr) ELEMENTWISE(title##_da, "", 0, FLOAT_TYPES, #da) \
  ELEMENTWISE(title##_db, "", 0, FLOAT_TYPES, #db)
#define VALUES_OF(title, expr, ...) ELEMENTWISE(title##_y, "ab", 0, VALUE_TYPES, #expr)
#define DIVISION_OF(title, expr) ELEMENTWISE(title##_y, "ab", 0, NUMBER_TYPES, #expr)
EACH_ARITHMETIC(NUMBERS_OF, FLOATS_OF)
EACH_COMPARISON(VALUES_OF)
EACH_FURTHER(FLOATS_OF)
EACH_FLOOR_DIVISION(DIVISION_OF)

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

/* np: the operator's name in NumPy, for files of np (_npi_less). */
#define COMPARISON_ROW(title, expr, np, same_names, scalar, reversed, text)                                   \
  { BROADCASTING(title, NULL, #title " /_npi_" np, scalar, reversed, NULL, text),                              \
    .flags = OP_IN_PLACE | OP_NO_GRAD | OP_TRUTH },                                                           \
  { SAME_SHAPE(title, "_" #title, same_names, NULL, text), .flags = OP_IN_PLACE | OP_NO_GRAD },

/* MXNet lacks these operators, so they have no row for equal shapes. */
#define FLOOR_DIVIDE_ROW                                                                                      \
  { BROADCASTING(floor_divide, "__idiv", "floor_divide", "_floor_divide_scalar", "_rfloor_divide_scalar", "_floordiv", \
                 "a / b rounded down, as Lua's a // b; for integers 0 if b is 0"), .domain = "0.5 2", \
    .flags = OP_IN_PLACE | OP_NO_GRAD },

#define FURTHER_ROW(title, expr, da, db, range, names, scalar, reversed, text)                                \
  { .name = #title, .aliases = names, .doc = text, .domain = #range, .inputs = "lhs rhs", .flags = OP_IN_PLACE, \
    .infer = infer_elementwise, .elementwise = &title##_y, .scalar_form = scalar, .scalar_form_reversed = reversed, \
    .grad = elementwise_grad, .gradient = { &title##_da, &title##_db } },

Op binary_ops[] = { EACH_ARITHMETIC(ROW, ROW) EACH_COMPARISON(COMPARISON_ROW)
                      FLOOR_DIVIDE_ROW EACH_FURTHER(FURTHER_ROW){ 0 } };
