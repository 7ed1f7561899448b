/* roll.h - elements moved along axes, of the dimensions dim: those shifted out at the end of an axis come in at its
** beginning. Shifts are from 0 to the dimension. Missing axes come first and have dimension 1.
*/
static void TYPED(roll)(const real *data, real *out, int64_t size, const int64_t dim[8], const int64_t shift[8]) {
  for (int64_t i = 0; i < size; i++) {
    int64_t to = 0, rest = i, step = 1;
    for (int a = 7; a >= 0; a--) {
      to += (rest % dim[a] + shift[a]) % dim[a] * step;
      rest /= dim[a];
      step *= dim[a];
    }
    out[to] = data[i];
  }
}
