/* indices.h - elements of index arrays as positions on an axis. */

/* An index without its fraction; floats that int64_t cannot hold give its least value. */
static inline int64_t TYPED(index_of)(other x) {
  const bool whole = (other)0.5 == 0;
  return whole || ((double)x >= -9223372036854775808.0 && (double)x < 9223372036854775808.0) ? (int64_t)x : INT64_MIN;
}

/* A position on an axis of n elements. Mode 0 clips the index, 1 counts negative ones from the end, 2 wraps around. */
static inline int64_t TYPED(position_of)(other x, int64_t n, int64_t mode) {
  const int64_t i = TYPED(index_of)(x);
  if (mode == 0) return i < 0 ? 0 : i >= n ? n - 1 : i;
  if (mode == 1) return i < 0 ? i + n : i;
  return i % n < 0 ? i % n + n : i % n;
}
