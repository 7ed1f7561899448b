/* array_scalar.c - elementwise operators of one array and numbers: x + 2, 2 - x, clip.
**
** Rows from the lists of array_scalar.h. Their kernels: kernels/elementwise/array_scalar_kernels.c.
*/
#include <math.h>

#include "ops/common/elementwise_rule.h"
#include "ops/common/shared_params.h"
#include "ops/elementwise/array_scalar.h"
#include "ops/op_registry.h"

#define NUMBERS_OF(name, expr, grad, range, n, ...) \
  ELEMENTWISE(name##_y, "a", n, NUMBER_TYPES, #expr) ELEMENTWISE(name##_dy, "", n, FLOAT_TYPES, #grad)
#define FLOATS_OF(name, expr, grad, range, n, ...) \
  ELEMENTWISE(name##_y, "a", n, FLOAT_TYPES, #expr) ELEMENTWISE(name##_dy, "", n, FLOAT_TYPES, #grad)
#define VALUES_OF(name, expr, ...) ELEMENTWISE(name##_y, "a", 1, VALUE_TYPES, #expr)
#define ROUNDING_OF(name, expr, ...) ELEMENTWISE(name##_y, "a", 1, NUMBER_TYPES, #expr)
EACH_ARITHMETIC(NUMBERS_OF, FLOATS_OF)
EACH_ORDER(FLOATS_OF)
EACH_COMPARISON(VALUES_OF)
EACH_ROUNDING(ROUNDING_OF)

/* Refuses a fraction for an array of integers. MXNet drops it, which no script intends. */
static Status infer_with_numbers(Infer *f) {
  TRY(infer_elementwise(f));
  DType t = f->in[0].dtype;
  if (t == DT_UNKNOWN || t == DT_BOOL || dtype_is_float(t)) return OK;
  const double *number = f->params;
  for (int i = 0; i < f->op->info->n_params; i++)
    if (number[i] != floor(number[i]) || isinf(number[i]))
      return fail("%s: expected a whole number with an array of %s, got %.14g; cast the array first: x:cast "
                  "\"float32\"",
                  f->op->info->param[i].name, dtype_name(t), number[i]);
  return OK;
}

#define ROW(title, expr, dexpr, range, n, parameters, names, hint_, text)                                     \
  { .name = #title, .aliases = names, .doc = text, .domain = #range, .inputs = "data", .params = parameters,  \
    .params_size = n * sizeof(double), .flags = OP_IN_PLACE, .infer = infer_with_numbers, .elementwise = &title##_y, \
    .synonyms = n == 2 ? "min a_min max a_max" : NULL,                                                         \
    .grad = elementwise_grad, .gradient = { &title##_dy }, .name_stem = hint_ },
#define ORDER_ROW(title, expr, dexpr, range, n, parameters, names, hint_, text)                               \
  { .name = #title, .doc = text, .inputs = "data", .params = parameters, .params_size = sizeof(ScalarParams), \
    .flags = OP_IN_PLACE | OP_INTERNAL, .infer = infer_elementwise, .elementwise = &title##_y,                 \
    .grad = elementwise_grad, .gradient = { &title##_dy } },
#define PLAIN_ROW(title, names, text, more)                                                                    \
  { .name = #title, .aliases = names, .doc = text, .inputs = "data", .params = SCALAR, \
    .params_size = sizeof(ScalarParams), \
    .flags = OP_IN_PLACE | OP_NO_GRAD | more, .infer = infer_with_numbers, .elementwise = &title##_y },
#define COMPARISON_ROW(title, expr, names, text) PLAIN_ROW(title, names, text, OP_TRUTH)
#define ROUNDING_ROW(title, expr, text) PLAIN_ROW(title, NULL, text, 0)

/* clang-format off */
Op scalar_ops[] = {
  EACH_ARITHMETIC(ROW, ROW) EACH_ORDER(ORDER_ROW) EACH_COMPARISON(COMPARISON_ROW) EACH_ROUNDING(ROUNDING_ROW) { 0 }
};
/* clang-format on */
