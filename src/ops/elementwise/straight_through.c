/* straight_through.c - elementwise operators whose gradients are chosen by design.
**
** Rows from the list of straight_through.h. Their kernels: kernels/elementwise/straight_through_kernels.c.
*/
#include "ops/common/elementwise_rule.h"
#include "ops/elementwise/straight_through.h"
#include "ops/op_registry.h"

typedef struct MultiplierParams { double scalar; int64_t is_int; } MultiplierParams;

#define EXPRESSIONS(name, expr, grad, params, n, ...) \
  ELEMENTWISE(name##_y, "a", n, FLOAT_TYPES, #expr) ELEMENTWISE(name##_dy, "", n, FLOAT_TYPES, #grad)
EACH_STRAIGHT_THROUGH(EXPRESSIONS)

#define ROW(title, expr, grad_, parameters, n, text, options)                                                \
  { .name = "_contrib_" #title, .aliases = "contrib." #title, .doc = text, .domain = "-2 2", .inputs = "data", \
    .example = "F.contrib." #title "(F.array{-1.5, 0, 0.3, 2.5}" options ")", .params = parameters,          \
    .params_size = (n) * sizeof(MultiplierParams), .flags = OP_IN_PLACE | OP_BY_DESIGN,                      \
    .infer = infer_elementwise, .elementwise = &title##_y, .grad = elementwise_grad, .gradient = { &title##_dy } },

Op straight_through_ops[] = { EACH_STRAIGHT_THROUGH(ROW){ 0 } };
