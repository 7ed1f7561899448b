/* binary_kernels.c - elementwise operators of two operands, with and without broadcasting. */
#include "kernels/kernel_registry.h"
#include "kernels/loops/elementwise_loops.h"
#include "ops/elementwise/binary.h"

#define NUMBERS_OF(title, expr, da, db, ...) \
  LOOPS_NUMBER(title##_y, expr) LOOPS_FLOAT(title##_da, da) LOOPS_FLOAT(title##_db, db)
#define FLOATS_OF(title, expr, da, db, ...) \
  LOOPS_FLOAT(title##_y, expr) LOOPS_FLOAT(title##_da, da) LOOPS_FLOAT(title##_db, db)
#define VALUES_OF(title, expr, ...) LOOPS_VALUE(title##_y, expr)
#define DIVISION_OF(title, expr) LOOPS_NUMBER(title##_y, expr)
EACH_ARITHMETIC(NUMBERS_OF, FLOATS_OF)
EACH_COMPARISON(VALUES_OF)
EACH_FURTHER(FLOATS_OF)
EACH_FLOOR_DIVISION(DIVISION_OF)

#define GRADIENTS(row, title) \
  FLOAT_ELEMENTS("_backward_" row "_0", title##_da) FLOAT_ELEMENTS("_backward_" row "_1", title##_db)
#define NUMBER_ROWS(title, expr, da, db, tested, lua, names, same, ...)                                       \
  NUMBER_ELEMENTS("broadcast_" #title, title##_y) NUMBER_ELEMENTS(same, title##_y, .range = elementwise_range) \
  GRADIENTS("broadcast_" #title, title) GRADIENTS(same, title)
#define FLOAT_ROWS(title, expr, da, db, tested, lua, names, same, ...)                                        \
  FLOAT_ELEMENTS("broadcast_" #title, title##_y) FLOAT_ELEMENTS(same, title##_y, .range = elementwise_range)  \
  GRADIENTS("broadcast_" #title, title) GRADIENTS(same, title)
#define VALUE_ROWS(title, ...) \
  VALUE_ELEMENTS("broadcast_" #title, title##_y) VALUE_ELEMENTS("_" #title, title##_y, .range = elementwise_range)
#define FURTHER(title, ...) FLOAT_ELEMENTS(#title, title##_y) GRADIENTS(#title, title)

/* clang-format off */
const Kernel binary_kernels[] = {
  EACH_ARITHMETIC(NUMBER_ROWS, FLOAT_ROWS) EACH_COMPARISON(VALUE_ROWS) EACH_FURTHER(FURTHER)
  NUMBER_ELEMENTS("broadcast_floor_divide", floor_divide_y) { 0 }
};
/* clang-format on */
