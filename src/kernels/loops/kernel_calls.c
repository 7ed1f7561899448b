/* kernel_calls.c - see kernel_calls.h. */
#include "kernels/loops/kernel_calls.h"

#include "ops/common/shape_rules.h"

Status check_numbers_within(const char *who, const Tensor *numbers, int64_t least, int64_t most, const char *most_is) {
  for (int64_t i = 0; numbers && i < tensor_size(numbers); i++) {
    const int64_t n = tensor_get_int(numbers, i);
    if (n < least || n > most)
      return fail("%s: expected %lld to %lld%s, got %lld for sequence %lld", who, (long long)least, (long long)most,
                  most_is, (long long)n, (long long)i);
  }
  return OK;
}

const Tensor *named_input(const Call *c, int name) {
  const int at = input_place(c->op->takes, c->params, name);
  return at < 0 ? NULL : c->in[at];
}
