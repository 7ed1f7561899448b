/* searchsorted.h - places of values in a sorted array, and membership. Integers are compared as int64, others as
** double; a NaN is greater than all numbers.
*/

/* Does x come before y? */
static inline bool TYPED(other_before_third)(other x, third y) {
  if ((other)0.5 == 0 && (third)0.5 == 0) return (int64_t)x < (int64_t)y;
  return (double)x < (double)y || ((double)y != (double)y && (double)x == (double)x);
}

static inline bool TYPED(third_before_other)(third y, other x) {
  if ((other)0.5 == 0 && (third)0.5 == 0) return (int64_t)y < (int64_t)x;
  return (double)y < (double)x || ((double)x != (double)x && (double)y == (double)y);
}

/* The place of x by halving, before elements that are equal to it, or after them; `step` is -1 if the sorted array is
** read from its end. */
static inline int64_t TYPED(place_of_value)(const other *sorted, int64_t n, int64_t step, third x, bool right) {
  const other *first = step < 0 ? sorted + (n - 1) : sorted;
  int64_t low = 0, length = n;
  for (; length > 1; length -= length / 2) {
    const other y = first[(low + length / 2 - 1) * step];
    if (right ? !TYPED(third_before_other)(x, y) : TYPED(other_before_third)(y, x)) low += length / 2;
  }
  if (length != 1) return low;
  const other y = first[low * step];
  return low + (right ? !TYPED(third_before_other)(x, y) : TYPED(other_before_third)(y, x));
}

static void TYPED(searchsorted)(const other *sorted, const third *values, int64_t *out, int64_t n, int64_t n_values,
                                bool right) {
  for (int64_t i = 0; i < n_values; i++) out[i] = TYPED(place_of_value)(sorted, n, 1, values[i], right);
}

/* The bins of values, whose edges ascend or descend. */
static void TYPED(digitize)(const third *values, const other *edges, int64_t *out, int64_t n, int64_t n_values,
                            bool right) {
  bool falling = false;
  for (int64_t i = 1; i < n; i++) falling = falling || !((double)edges[i] >= (double)edges[i - 1]);
  for (int64_t i = 0; i < n_values; i++) {
    const int64_t place = TYPED(place_of_value)(edges, n, falling ? -1 : 1, values[i], right);
    out[i] = falling ? n - place : place;
  }
}

/* Is each value among the tests? A NaN never is. */
static void TYPED(isin)(const third *values, const other *tests, bool *out, int64_t n, int64_t n_values, bool invert) {
  for (int64_t i = 0; i < n_values; i++) {
    bool found = false;
    for (int64_t k = 0; k < n && !found; k++)
      found = (other)0.5 == 0 && (third)0.5 == 0 ? (int64_t)values[i] == (int64_t)tests[k]
                                                 : (double)values[i] == (double)tests[k];
    out[i] = found != invert;
  }
}
