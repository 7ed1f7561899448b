/* take.h - slices of an array at the positions in an index array, along one axis. See plain/common/indices.h for
** positions and `mode`. Exported code must check before whether an index that is an error is there; texts do not.
*/
#include "plain/common/indices.h"

/* The slices of data (outer, n, width) at `count` indices: out is (outer, count, width). */
static void TYPED(take)(const real *data, const other *index, real *out, int64_t outer, int64_t n, int64_t width,
                        int64_t count, int64_t mode) {
  for (int64_t o = 0; o < outer; o++)
    for (int64_t i = 0; i < count; i++)
      for (int64_t k = 0; k < width; k++)
        out[(o * count + i) * width + k] = data[(o * n + TYPED(position_of)(index[i], n, mode)) * width + k];
}

/* The rows of weight (n, width) at `count` indices, clipped. */
static void TYPED(embedding)(const other *index, const real *weight, real *out, int64_t n, int64_t width,
                             int64_t count) {
  TYPED(take)(weight, index, out, 1, n, width, count, 0);
}

/* One element of each line of data (outer, n, inner): index and out are (outer, inner). */
static void TYPED(pick)(const real *data, const other *index, real *out, int64_t outer, int64_t n, int64_t inner,
                        int64_t mode) {
  for (int64_t o = 0; o < outer; o++)
    for (int64_t c = 0; c < inner; c++) {
      const int64_t at = o * inner + c;
      out[at] = data[(o * n + TYPED(position_of)(index[at], n, mode)) * inner + c];
    }
}

/* The elements of data (outer, n, inner) at index (outer, count, inner); negative indices count from the end. */
static void TYPED(take_along)(const real *data, const other *index, real *out, int64_t outer, int64_t n, int64_t inner,
                              int64_t count) {
  for (int64_t o = 0; o < outer; o++)
    for (int64_t i = 0; i < count; i++)
      for (int64_t c = 0; c < inner; c++) {
        const int64_t at = (o * count + i) * inner + c;
        out[at] = data[(o * n + TYPED(position_of)(index[at], n, 1)) * inner + c];
      }
}
