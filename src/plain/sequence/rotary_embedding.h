/* rotary_embedding.h - pairs of each token's elements, rotated by angles that grow with its position.
**
** data (outer, tokens, width). Pair i is rotated by the angle position scale base^(-i / pairs), computed in double as
** its cosine and sine are, which are then rounded. A pair is elements i and i + pairs, or neighbours. `each` of the
** outer arrays have the same positions (.., tokens); NULL: 0, 1, 2, ...
*/
static void TYPED(rotary_embedding)(const real *data, const other *positions, real *out, int64_t outer, int64_t tokens,
                                    int64_t width, int64_t pairs, int64_t each, bool interleaved, bool inverse,
                                    double base, double scale) {
  for (int64_t row = 0; row < outer * tokens; row++) {
    const int64_t token = row % tokens, group = row / tokens / each;
    const double at = (positions ? (double)positions[group * tokens + token] : (double)token) * scale;
    const real *x = data + row * width;
    real *y = out + row * width;
    for (int64_t i = 0; i < pairs; i++) {
      const double angle = at * hl_pow64(base, -(double)i / (double)pairs), sine = hl_sin64(angle);
      const real c = (real)hl_cos64(angle), s = (real)(inverse ? -sine : sine);
      const int64_t first = interleaved ? 2 * i : i, second = interleaved ? 2 * i + 1 : pairs + i;
      y[first] = x[first] * c - x[second] * s;
      y[second] = x[second] * c + x[first] * s;
    }
    for (int64_t i = 2 * pairs; i < width; i++) y[i] = x[i];
  }
}
