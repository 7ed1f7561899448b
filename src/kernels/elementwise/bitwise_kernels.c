/* bitwise_kernels.c - bitwise operators and shifts. */
#include "kernels/kernel_registry.h"
#include "kernels/loops/elementwise_loops.h"
#include "ops/elementwise/bitwise.h"

#define VALUES_OF(name, used, n, expr) LOOPS_VALUE(name##_y, expr)
#define INTEGERS_OF(name, used, n, expr) LOOPS_INT(name##_y, expr)
#define BITWISE_OF(title, fn, ...) BITWISE_EXPRESSIONS(VALUES_OF, title, fn)
#define SHIFT_OF(title, fn, ...) SHIFT_EXPRESSIONS(INTEGERS_OF, title, fn)
EACH_BITWISE(BITWISE_OF)
EACH_SHIFT(SHIFT_OF)
BITWISE_NOT_EXPRESSION(VALUES_OF)

#define BIT_ROWS(title, ...) \
  VALUE_ELEMENTS("_npi_" #title, title##_y) VALUE_ELEMENTS("_npi_" #title "_scalar", title##_scalar_y)
#define SHIFT_ROWS(title, ...)                                                                                \
  INTEGER_ELEMENTS(#title, title##_y) INTEGER_ELEMENTS("_" #title "_scalar", title##_scalar_y)                \
  INTEGER_ELEMENTS("_r" #title "_scalar", r##title##_scalar_y)

/* clang-format off */
const Kernel bitwise_kernels[] = {
  EACH_BITWISE(BIT_ROWS) EACH_SHIFT(SHIFT_ROWS) VALUE_ELEMENTS("_npi_bitwise_not", bitwise_not_y) { 0 }
};
/* clang-format on */
