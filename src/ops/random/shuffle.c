/* shuffle.c - rows in random order: shuffle.
**
** The kernel is in kernels/random/shuffle_kernels.c.
*/
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

/* clang-format off */
Op shuffle_ops[] = {
  { .name = "_shuffle", .aliases = "shuffle random.shuffle",
    .doc = "The rows of data, its slices along axis 0, in random order. All orders are equally likely",
    .example = "F.shuffle(F.array{{1, 2}, {3, 4}, {5, 6}})", .inputs = "data", .effects = op_draws_always,
    .flags = OP_NO_GRAD, .infer = infer_same_type },
  { 0 }
};
/* clang-format on */
