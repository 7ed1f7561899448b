/* put.h - arrays with elements or slices replaced at the positions in an index array (plain/common/indices.h). Of equal
** positions the last one wins.
*/
#include "plain/common/indices.h"

/* data (outer, n) with the element at each row's index, clipped, replaced by the row's value. */
static void TYPED(put_element)(const real *data, const real *value, const other *index, real *out, int64_t outer,
                               int64_t n) {
  for (int64_t i = 0; i < outer * n; i++) out[i] = data[i];
  for (int64_t o = 0; o < outer; o++) out[o * n + TYPED(position_of)(index[o], n, 0)] = value[o];
}

/* old (n, width) with the rows at `count` indices replaced. */
static void TYPED(put_rows)(const real *old, const other *index, const real *value, real *out, int64_t n, int64_t width,
                            int64_t count) {
  for (int64_t i = 0; i < n * width; i++) out[i] = old[i];
  for (int64_t i = 0; i < count; i++)
    for (int64_t k = 0; k < width; k++) out[TYPED(index_of)(index[i]) * width + k] = value[i * width + k];
}
