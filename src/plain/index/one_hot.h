/* one_hot.h - for each of `count` indices (plain/common/indices.h) a row of `depth` elements that are `off`, but
** `on` at the index. An index out of range gives a row without `on`.
*/
#include "plain/common/indices.h"
#include "plain/common/numbers.h"

static void TYPED(one_hot)(const other *index, real *out, int64_t count, int64_t depth, double on, double off) {
  for (int64_t i = 0; i < count; i++)
    for (int64_t k = 0; k < depth; k++)
      out[i * depth + k] = TYPED(index_of)(index[i]) == k ? TYPED(number)(on) : TYPED(number)(off);
}
