/* folded_place.h - elements along some axes of an array, of sizes `size` and with `step` elements between neighbours.
** Missing axes come first and have size 1.
*/

/* Where element i, counted in order, is. */
static inline int64_t TYPED(folded_place)(int64_t i, const int64_t size[8], const int64_t step[8]) {
  int64_t place = 0;
  for (int a = 7; a >= 0; i /= size[a], a--) place += i % size[a] * step[a];
  return place;
}
