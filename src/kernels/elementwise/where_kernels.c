/* where_kernels.c - a choice between two arrays. */
#include "kernels/kernel_registry.h"
#include "kernels/loops/elementwise_loops.h"
#include "ops/elementwise/where.h"

#define LOOPS_OF(name, used, expression) LOOPS_VALUE(name, expression)
EACH_CHOICE(LOOPS_OF)

/* The loops of _npi_where with the condition's shape read as (n, 1, ..). */
static Status choose_rows(Call *c) {
  Tensor condition = *c->in[0];
  condition.type.shape = where_condition_shape(&condition.type.shape, &c->out[0]->type.shape);
  return elementwise_run(op_find("_npi_where"), (const Tensor *[]){ &condition, c->in[1], c->in[2] }, 3, c->out[0],
                         NULL);
}

/* clang-format off */
const Kernel where_kernels[] = {
  { .op = "where", .types = VALUE_TYPES, .run = choose_rows },
  VALUE_ELEMENTS("_npi_where", choose) VALUE_ELEMENTS("_where_true", keep_true)
  VALUE_ELEMENTS("_where_false", keep_false) { 0 }
};
/* clang-format on */
