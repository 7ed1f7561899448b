/* custom_kernels.c - kernels of operators that the script defines, which src/bind runs (ir/custom_operator.h). */
#include "ir/custom_operator.h"
#include "kernels/kernel_registry.h"

static Status run_custom(Call *c) { return custom_engine->forward(c, ((const CustomParams *)c->params)->custom); }

static Status run_back(Call *c) { return custom_engine->backward(c, ((const CustomBackParams *)c->params)->custom); }

const Kernel custom_kernels[] = {
  { .op = "_Custom", .types = ALL_TYPES, .run = run_custom },
  { .op = "_backward_Custom", .types = ALL_TYPES, .run = run_back },
  { 0 },
};
