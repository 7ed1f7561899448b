/* numbers.h - elements: NaN, and parameters in their type. */

/* Integers are never NaN. */
static inline bool TYPED(is_nan)(real v) {
  const double x = (double)v;
  return x != x;
}

/* A number in the type of elements, as Cast converts it: integers drop the fraction; those of less than 64 bits are
** rounded to 32 bits first, of which they keep the last ones. */
static inline real TYPED(number)(double x) {
  const real half = (real)0.5;
  if (half != 0) return (real)x;
  return sizeof(real) == 8 ? (real)hl_to_int64(x) : (real)hl_to_int32(x);
}
