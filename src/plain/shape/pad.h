/* pad.h - planes (depth, height, width), with `before` elements before and as many after each axis as `to` leaves.
** These are `value` (mode 0), the nearest element (1), or those of the plane reflected at its edge (2).
*/
static inline int64_t TYPED(padded_from)(int64_t i, int64_t before, int64_t n, int64_t mode) {
  const int64_t at = i - before;
  if (at >= 0 && at < n) return at;
  if (mode == 0) return -1;
  if (mode == 1) return at < 0 ? 0 : n - 1;
  return at < 0 ? -at : 2 * (n - 1) - at;
}

static void TYPED(pad)(const real *data, real *out, int64_t planes, const int64_t in[3], const int64_t to[3],
                       const int64_t before[3], int64_t mode, real value) {
  for (int64_t p = 0; p < planes; p++)
    for (int64_t d = 0; d < to[0]; d++)
      for (int64_t h = 0; h < to[1]; h++)
        for (int64_t w = 0; w < to[2]; w++) {
          const int64_t z = TYPED(padded_from)(d, before[0], in[0], mode),
                        y = TYPED(padded_from)(h, before[1], in[1], mode),
                        x = TYPED(padded_from)(w, before[2], in[2], mode);
          out[((p * to[0] + d) * to[1] + h) * to[2] + w] = z < 0 || y < 0 || x < 0
                                                             ? value
                                                             : data[((p * in[0] + z) * in[1] + y) * in[2] + x];
        }
}
