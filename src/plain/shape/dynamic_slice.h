/* dynamic_slice.h - parts of n places along an axis of `places` places of data (outer, places, inner), which begin at
** places given by an array: one for all, or one for each of `groups` equal parts of the outer axis.
*/
static inline int64_t TYPED(part_place)(const other *begin, int64_t o, int64_t outer, int64_t groups) {
  return (int64_t)begin[groups == 1 ? 0 : o / (outer / groups)];
}

static void TYPED(read_part)(const real *data, const other *begin, real *out, int64_t outer, int64_t places,
                             int64_t inner, int64_t n, int64_t groups) {
  for (int64_t o = 0; o < outer; o++)
    for (int64_t i = 0; i < n * inner; i++)
      out[o * n * inner + i] = data[(o * places + TYPED(part_place)(begin, o, outer, groups)) * inner + i];
}

/* Data with a part replaced. */
static void TYPED(replace_part)(const real *data, const real *update, const other *begin, real *out, int64_t outer,
                                int64_t places, int64_t inner, int64_t n, int64_t groups) {
  for (int64_t i = 0; i < outer * places * inner; i++) out[i] = data[i];
  for (int64_t o = 0; o < outer; o++)
    for (int64_t i = 0; i < n * inner; i++)
      out[(o * places + TYPED(part_place)(begin, o, outer, groups)) * inner + i] = update[o * n * inner + i];
}
