/* brackets.h - elements that a key with index arrays selects, as in x[key] with NumPy's meaning (ir/index_key.h).
**
** Element (e0, e1, ...) of the selection, of the dimensions dim, is at offset + e0 * step[0] + e1 * step[1] + ... in
** data, plus, for each index array, its number times stride: negative numbers count from the end of an axis of
** `length`. The number is at e0 * steps[0] + ... in its array. Missing axes come first and have dimension 1, missing
** arrays are NULL.
*/

/* Where element i, counted in order, is in an array with these steps. */
static inline int64_t TYPED(bracket_place)(int64_t i, const int64_t dim[8], const int64_t step[8]) {
  int64_t place = 0;
  for (int a = 7; a >= 0; i /= dim[a], a--) place += i % dim[a] * step[a];
  return place;
}

static inline int64_t TYPED(counted_place)(int64_t number, const int64_t axis[2]) {
  return (number < 0 ? number + axis[0] : number) * axis[1];
}

static inline int64_t TYPED(chosen_place)(int64_t i, const other *i0, const third *i1, const fourth *i2, int64_t offset,
                                          const int64_t dim[8], const int64_t step[8], const int64_t length_stride[6],
                                          const int64_t steps[24]) {
  int64_t place = offset + TYPED(bracket_place)(i, dim, step);
  if (i0) place += TYPED(counted_place)((int64_t)i0[TYPED(bracket_place)(i, dim, steps)], length_stride);
  if (i1) place += TYPED(counted_place)((int64_t)i1[TYPED(bracket_place)(i, dim, steps + 8)], length_stride + 2);
  if (i2) place += TYPED(counted_place)((int64_t)i2[TYPED(bracket_place)(i, dim, steps + 16)], length_stride + 4);
  return place;
}

static inline int64_t TYPED(bracket_size)(const int64_t dim[8]) {
  int64_t n = 1;
  for (int a = 0; a < 8; a++) n *= dim[a];
  return n;
}

static void TYPED(read_chosen)(const real *data, const other *i0, const third *i1, const fourth *i2, real *out,
                               int64_t offset, const int64_t dim[8], const int64_t step[8],
                               const int64_t length_stride[6], const int64_t steps[24]) {
  const int64_t n = TYPED(bracket_size)(dim);
  for (int64_t i = 0; i < n; i++)
    out[i] = data[TYPED(chosen_place)(i, i0, i1, i2, offset, dim, step, length_stride, steps)];
}

/* Data, of `size` elements, with the selection replaced by a value that has steps of its own. If an element
** gets several values, the last one stays. */
static void TYPED(assign_chosen)(const real *data, const real *value, const other *i0, const third *i1,
                                 const fourth *i2, real *out, int64_t size, const int64_t value_step[8], int64_t offset,
                                 const int64_t dim[8], const int64_t step[8], const int64_t length_stride[6],
                                 const int64_t steps[24]) {
  const int64_t n = TYPED(bracket_size)(dim);
  for (int64_t i = 0; i < size; i++) out[i] = data[i];
  for (int64_t i = 0; i < n; i++)
    out[TYPED(chosen_place)(i, i0, i1, i2, offset, dim, step, length_stride,
                            steps)] = value[TYPED(bracket_place)(i, dim, value_step)];
}

/* Data with the elements replaced that a mask over its first axes marks, each of the dimensions dim. The values of
** successive marked ones are `next` apart. */
static void TYPED(assign_marked)(const real *data, const real *value, const bool *mask, real *out, int64_t marks,
                                 int64_t next, const int64_t dim[8], const int64_t value_step[8]) {
  const int64_t n = TYPED(bracket_size)(dim);
  int64_t marked = 0;
  for (int64_t m = 0; m < marks; m++) {
    for (int64_t i = 0; i < n; i++)
      out[m * n + i] = mask[m] ? value[marked * next + TYPED(bracket_place)(i, dim, value_step)] : data[m * n + i];
    marked += mask[m];
  }
}
