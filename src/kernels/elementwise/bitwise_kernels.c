/* bitwise_kernels.c - bitwise operators and shifts. */
#include "kernels/kernel_registry.h"
#include "kernels/loops/elementwise_loops.h"
#include "ops/elementwise/bitwise.h"

#define BITS_OF(title, fn, ...) LOOPS_VALUE(title##_y, fn(a, b)) LOOPS_VALUE(title##_scalar_y, fn(a, s))
#define SHIFT_OF(title, fn, ...) \
  LOOPS_INT(title##_y, fn(a, b)) LOOPS_INT(title##_scalar_y, fn(a, s)) LOOPS_INT(r##title##_scalar_y, fn(s, a))
EACH_BITWISE(BITS_OF)
EACH_SHIFT(SHIFT_OF)
LOOPS_VALUE(bitwise_not_y, bit_not(a))

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
