/* ravel.h - index tuples, one per column, as positions in an array of `axes` axes, of the dimensions dim, and back.
** Dimension 0 is not used. See plain/common/indices.h.
*/
#include "plain/common/indices.h"

/* Index is (axes, count). */
static void TYPED(ravel)(const other *index, real *out, int64_t count, int64_t axes, const int64_t dim[8]) {
  for (int64_t i = 0; i < count; i++) {
    uint64_t place = 0;
    for (int64_t a = 0; a < axes; a++)
      place = place * (uint64_t)dim[a] + (uint64_t)TYPED(index_of)(index[a * count + i]);
    out[i] = (real)(int64_t)place;
  }
}

/* Out is (axes, count). */
static void TYPED(unravel)(const other *place, real *out, int64_t count, int64_t axes, const int64_t dim[8]) {
  for (int64_t i = 0; i < count; i++) {
    int64_t rest = TYPED(index_of)(place[i]);
    for (int64_t a = axes - 1; a > 0; a--) {
      out[a * count + i] = (real)(rest % dim[a]);
      rest /= dim[a];
    }
    out[i] = (real)rest;
  }
}
