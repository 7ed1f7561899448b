/* unary.c - elementwise operators of one operand.
**
** Rows from the lists of unary.h. Their kernels: kernels/elementwise/unary_kernels.c.
*/
#include "ops/common/elementwise_rule.h"
#include "ops/elementwise/unary.h"
#include "ops/op_registry.h"

#define FLOATS_OF(name, expr, grad, ...) \
  ELEMENTWISE(name##_y, "a", 0, FLOAT_TYPES, #expr) ELEMENTWISE(name##_dy, "", 0, FLOAT_TYPES, #grad)
#define NUMBERS_OF(name, expr, grad, ...) \
  ELEMENTWISE(name##_y, "a", 0, NUMBER_TYPES, #expr) ELEMENTWISE(name##_dy, "", 0, FLOAT_TYPES, #grad)
EACH_DIFFERENTIABLE(FLOATS_OF, NUMBERS_OF)

#define STEP_OF(name, expr, ...) ELEMENTWISE(name##_y, "a", 0, NUMBER_TYPES, #expr)
#define VALUES_OF(name, expr, ...) ELEMENTWISE(name##_y, "a", 0, VALUE_TYPES, #expr)
EACH_STEP(STEP_OF, VALUES_OF)

#define COMMON(title, range, text, more_flags)                                                             \
  .name = #title, .doc = text, .domain = #range, .inputs = "data", .flags = OP_IN_PLACE | more_flags,      \
  .infer = infer_elementwise, .elementwise = &title##_y

#define ROW(title, expr, dexpr, range, text, lua) \
  { COMMON(title, range, text, 0), .metamethod = lua, .grad = elementwise_grad, .gradient = { &title##_dy } },
#define STEP_ROW(title, expr, range, text) { COMMON(title, range, text, OP_NO_GRAD) },
#define VALUE_ROW(title, expr, range, text, lua, more) \
  { COMMON(title, range, text, OP_NO_GRAD | more), .metamethod = lua },

Op unary_ops[] = { EACH_DIFFERENTIABLE(ROW, ROW) EACH_STEP(STEP_ROW, VALUE_ROW){ 0 } };
