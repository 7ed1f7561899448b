/* region.h - copies of elements at even steps: element (i0, i1, ...) of an array of up to 16 axes, of the
** dimensions dim, is at offset + i0 * step[0] + i1 * step[1] + ... in a larger one. Steps are 0 if one element
** serves a whole axis, and negative if an axis is read backwards. Missing axes come first and have dimension 1.
*/
#include "plain/common/numbers.h"

/* Where element i, counted in order, is. */
static inline int64_t TYPED(place_in_region)(int64_t i, int64_t offset, const int64_t dim[16], const int64_t step[16]) {
  for (int a = 15; a >= 0; a--) {
    offset += i % dim[a] * step[a];
    i /= dim[a];
  }
  return offset;
}

static inline int64_t TYPED(region_size)(const int64_t dim[16]) {
  int64_t n = 1;
  for (int a = 0; a < 16; a++) n *= dim[a];
  return n;
}

/* Out is the region of data. */
static void TYPED(read_region)(const real *data, real *out, int64_t offset, const int64_t dim[16],
                               const int64_t step[16]) {
  const int64_t n = TYPED(region_size)(dim);
  for (int64_t i = 0; i < n; i++) out[i] = data[TYPED(place_in_region)(i, offset, dim, step)];
}

/* The same for rows with a second array, of which only the shape counts. */
static void TYPED(read_region_like)(const real *data, const other *like, real *out, int64_t offset,
                                    const int64_t dim[16], const int64_t step[16]) {
  (void)like;
  TYPED(read_region)(data, out, offset, dim, step);
}

/* Out, of `size` elements, is data in the region, and 0 elsewhere. */
static void TYPED(fill_region)(const real *data, real *out, int64_t size, int64_t offset, const int64_t dim[16],
                               const int64_t step[16]) {
  const int64_t n = TYPED(region_size)(dim);
  for (int64_t i = 0; i < size; i++) out[i] = 0;
  for (int64_t i = 0; i < n; i++) out[TYPED(place_in_region)(i, offset, dim, step)] = data[i];
}

/* Out is old, of `size` elements, with the region replaced by value. */
static void TYPED(assign_region)(const real *old, const real *value, real *out, int64_t size, int64_t offset,
                                 const int64_t dim[16], const int64_t step[16]) {
  const int64_t n = TYPED(region_size)(dim);
  for (int64_t i = 0; i < size; i++) out[i] = old[i];
  for (int64_t i = 0; i < n; i++) out[TYPED(place_in_region)(i, offset, dim, step)] = value[i];
}

/* The same with one number. */
static void TYPED(assign_number)(const real *old, real *out, int64_t size, int64_t offset, const int64_t dim[16],
                                 const int64_t step[16], double value) {
  const int64_t n = TYPED(region_size)(dim);
  for (int64_t i = 0; i < size; i++) out[i] = old[i];
  for (int64_t i = 0; i < n; i++) out[TYPED(place_in_region)(i, offset, dim, step)] = TYPED(number)(value);
}
