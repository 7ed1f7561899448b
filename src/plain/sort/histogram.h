/* histogram.h - counts of elements in bins: bin i has edges[i] <= x < edges[i + 1], and the last one its right edge,
** too. A NaN is in none.
*/

/* The outer edges are low and high or, without a range, the least and the greatest element; equal ones are moved apart.
** A division finds the bin, which may be wrong by one, since edges are rounded. */
static void TYPED(histogram)(const other *data, int64_t *counts, real *edges, int64_t n, int64_t bins, bool has_range,
                             double low, double high) {
  for (int64_t i = 0; i < n && !has_range; i++) {
    const double x = (double)data[i];
    low = i > 0 && x >= low ? low : x;
    high = i > 0 && x <= high ? high : x;
  }
  if (low == high) {
    low -= 0.5;
    high += 0.5;
  }
  for (int64_t i = 0; i < bins; i++) {
    edges[i] = (real)(low + (double)i * ((high - low) / (double)bins));
    counts[i] = 0;
  }
  edges[bins] = (real)high;
  for (int64_t i = 0; i < n; i++) {
    const double x = (double)data[i];
    if (!(x >= low && x <= high)) continue;
    int64_t bin = (int64_t)((x - low) * ((double)bins / (high - low)));
    if (bin >= bins) bin = bins - 1;
    if (bin > 0 && x < (double)edges[bin]) bin--;
    if (bin < bins - 1 && x >= (double)edges[bin + 1]) bin++;
    counts[bin]++;
  }
}

/* Integers are compared as int64, others as double. */
static inline bool TYPED(is_at_least)(other x, real edge) {
  const bool whole = (other)0.5 == 0 && (real)0.5 == 0;
  return whole ? (int64_t)x >= (int64_t)edge : (double)x >= (double)edge;
}

static inline bool TYPED(is_at_most)(other x, real edge) {
  const bool whole = (other)0.5 == 0 && (real)0.5 == 0;
  return whole ? (int64_t)x <= (int64_t)edge : (double)x <= (double)edge;
}

/* Bins between given edges, which ascend. */
static void TYPED(histogram_between)(const other *data, const real *given, int64_t *counts, real *edges, int64_t n,
                                     int64_t bins) {
  for (int64_t i = 0; i <= bins; i++) edges[i] = given[i];
  for (int64_t i = 0; i < bins; i++) counts[i] = 0;
  for (int64_t i = 0; i < n; i++) {
    int64_t bin = bins - 1;
    if (bins == 0 || !TYPED(is_at_least)(data[i], given[0]) || !TYPED(is_at_most)(data[i], given[bins])) continue;
    if (!TYPED(is_at_least)(data[i], given[bins]))
      while (!TYPED(is_at_least)(data[i], given[bin])) bin--;
    counts[bin]++;
  }
}
