/* gather_nd.h - slices at index tuples. Each of the `axes` rows of index, of `count` elements, has the indices
** along one axis; negative ones count from the end (plain/common/indices.h). The array has these axes, of the
** dimensions dim, and slices of `width` elements.
*/
#include "plain/common/indices.h"

static inline int64_t TYPED(place_of)(const other *index, int64_t count, int64_t axes, const int64_t dim[8]) {
  int64_t place = 0;
  for (int64_t a = 0; a < axes; a++) place = place * dim[a] + TYPED(position_of)(index[a * count], dim[a], 1);
  return place;
}

static void TYPED(gather_nd)(const real *data, const other *index, real *out, int64_t count, int64_t width,
                             int64_t axes, const int64_t dim[8]) {
  for (int64_t i = 0; i < count; i++)
    for (int64_t k = 0; k < width; k++)
      out[i * width + k] = data[TYPED(place_of)(index + i, count, axes, dim) * width + k];
}

/* Zeros, `size` of them, in which the slices are set to data; of equal tuples the last one wins. */
static void TYPED(scatter_nd)(const real *data, const other *index, real *out, int64_t count, int64_t width,
                              int64_t axes, const int64_t dim[8], int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = 0;
  for (int64_t i = 0; i < count; i++)
    for (int64_t k = 0; k < width; k++)
      out[TYPED(place_of)(index + i, count, axes, dim) * width + k] = data[i * width + k];
}
