/* winograd.h - 3x3 convolutions by F(4x4, 3x3) and 5x5 ones by F(2x2, 5x5), as kernels/conv/winograd_form.h defines
** them, with its sources.
**
** The output (images, filters, to) is divided into tiles of 4x4 places, or 2x2 for a 5x5 window. A tile reads 6x6
** places of data (images, channels, in), with zeros outside. These are transformed to 36 positions, as are the weights
** (filters, channels, window, window) of each filter and channel: first down each column, then along each row. At each
** position products are summed over channels, in chains of 64 multiply-adds, and transformed back to the tile.
*/

/* The transforms along one axis: of six values of data, of `n` weights, and back to `n` places of the output. */
static inline void TYPED(winograd_data)(const real *d, real *v) {
  const real ea = FMA(d[2], -2.0f, d[4]), oa = FMA(d[1], -2.0f, d[3]);
  const real eb = FMA(d[2], -0.5f, d[4]), ob = FMA(d[1], -0.5f, d[3]);
  v[0] = d[0] + FMA(d[2], -2.5f, d[4]);
  v[1] = FMA(oa, 0x1.6a09e6p-1f, ea);
  v[2] = FMA(oa, -0x1.6a09e6p-1f, ea);
  v[3] = FMA(ob, 0x1.6a09e6p+0f, eb);
  v[4] = FMA(ob, -0x1.6a09e6p+0f, eb);
  v[5] = d[1] + FMA(d[3], -2.5f, d[5]);
}

static inline void TYPED(winograd_weight)(const real *g, real *u, int64_t n) {
  const float root = 0x1.6a09e6p+0f;
  u[0] = g[0];
  u[5] = g[n - 1];
  if (n == 3) {
    const real ea = FMA(g[2], -1 / 3.0f, g[0] * (-2 / 3.0f)), eb = FMA(g[2], 1 / 3.0f, g[0] * (1 / 6.0f));
    u[1] = FMA(g[1], -root / 3, ea);
    u[2] = FMA(g[1], root / 3, ea);
    u[3] = FMA(g[1], root / 6, eb);
    u[4] = FMA(g[1], -root / 6, eb);
  } else {
    const real ea = FMA(g[4], -1 / 6.0f, FMA(g[2], -1 / 3.0f, g[0] * (-2 / 3.0f)));
    const real eb = FMA(g[4], 2 / 3.0f, FMA(g[2], 1 / 3.0f, g[0] * (1 / 6.0f)));
    const real oa = FMA(g[3], -root / 6, g[1] * (-root / 3)), ob = FMA(g[3], root / 3, g[1] * (root / 6));
    u[1] = ea + oa;
    u[2] = ea - oa;
    u[3] = eb + ob;
    u[4] = eb - ob;
  }
}

static inline void TYPED(winograd_back)(const real *m, real *y, int64_t n) {
  const float half = 0x1.6a09e6p-1f, root = 0x1.6a09e6p+0f;
  const real sa = m[1] + m[2], da = m[1] - m[2], sb = m[3] + m[4], db = m[3] - m[4];
  y[0] = m[0] + sa + sb;
  if (n == 2) {
    y[1] = FMA(db, root, FMA(da, half, m[5]));
  } else {
    y[1] = FMA(db, root, da * half);
    y[2] = FMA(sb, 2.0f, sa * 0.5f);
    y[3] = FMA(db, 2 * root, FMA(da, half / 2, m[5]));
  }
}

/* Transforms a window's weights; `step` is 1, or -1 if they are in reverse order. */
static inline void TYPED(winograd_filter)(const real *weight, int64_t step, int64_t window, real *u) {
  real down[6][5], column[5], moved[6];
  for (int64_t j = 0; j < window; j++) {
    for (int64_t i = 0; i < window; i++) column[i] = weight[(i * window + j) * step];
    TYPED(winograd_weight)(column, moved, window);
    for (int64_t i = 0; i < 6; i++) down[i][j] = moved[i];
  }
  for (int64_t i = 0; i < 6; i++) TYPED(winograd_weight)(down[i], u + 6 * i, window);
}

/* Transforms the places of a plane that a tile reads, from (y, x) on. */
static inline void TYPED(winograd_tile)(const real *plane, const int64_t *in, int64_t y, int64_t x, real *v) {
  real down[6][6], column[6], moved[6];
  for (int64_t j = 0; j < 6; j++) {
    for (int64_t i = 0; i < 6; i++) {
      const bool inside = y + i >= 0 && y + i < in[1] && x + j >= 0 && x + j < in[2];
      column[i] = inside ? plane[(y + i) * in[2] + x + j] : 0;
    }
    TYPED(winograd_data)(column, moved);
    for (int64_t i = 0; i < 6; i++) down[i][j] = moved[i];
  }
  for (int64_t i = 0; i < 6; i++) TYPED(winograd_data)(down[i], v + 6 * i);
}

/* Sums over the channels of a tile and a filter, and its places. */
static inline void TYPED(winograd_sums)(const real *v, const real *u, int64_t channels, int64_t size, real *back) {
  real sum[36], down[4][6], column[6], moved[4];
  for (int64_t q = 0; q < 36; q++)
    for (int64_t first = 0; first < channels; first += 64) {
      real chain = 0;
      for (int64_t c = first; c < channels && c < first + 64; c++) chain = FMA(v[36 * c + q], u[36 * c + q], chain);
      sum[q] = first == 0 ? chain : sum[q] + chain;
    }
  for (int64_t j = 0; j < 6; j++) {
    for (int64_t i = 0; i < 6; i++) column[i] = sum[6 * i + j];
    TYPED(winograd_back)(column, moved, size);
    for (int64_t i = 0; i < size; i++) down[i][j] = moved[i];
  }
  for (int64_t i = 0; i < size; i++) TYPED(winograd_back)(down[i], back + size * i, size);
}

/* The workspace has 36 * channels * (filters + 1) elements. bias (filters) may be NULL. `turned`: the gradient of data.
** Then weight is (channels, filters, window, window), its taps in reverse order, and bias is added after 0. */
static void TYPED(winograd)(const real *data, const real *weight, const real *bias, real *out, real *workspace,
                            int64_t images, int64_t channels, int64_t filters, const int64_t in[3], const int64_t to[3],
                            const int64_t pad[3], int64_t window, bool turned) {
  const int64_t size = 7 - window, taps = window * window;
  real *u = workspace, *v = workspace + 36 * channels * filters, back[16];
  for (int64_t f = 0; f < filters; f++)
    for (int64_t c = 0; c < channels; c++) {
      const real *w = weight + (turned ? (c * filters + f) * taps + taps - 1 : (f * channels + c) * taps);
      TYPED(winograd_filter)(w, turned ? -1 : 1, window, u + 36 * (f * channels + c));
    }
  for (int64_t n = 0; n < images; n++)
    for (int64_t y = 0; y < to[1]; y += size)
      for (int64_t x = 0; x < to[2]; x += size) {
        for (int64_t c = 0; c < channels; c++)
          TYPED(winograd_tile)(data + (n * channels + c) * in[1] * in[2], in, y - pad[1], x - pad[2], v + 36 * c);
        for (int64_t f = 0; f < filters; f++) {
          TYPED(winograd_sums)(v, u + 36 * f * channels, channels, size, back);
          for (int64_t j = 0; j < size && y + j < to[1]; j++)
            for (int64_t k = 0; k < size && x + k < to[2]; k++) {
              const real value = back[j * size + k] + (bias && !turned ? bias[f] : 0);
              out[((n * filters + f) * to[1] + y + j) * to[2] + x + k] = bias && turned ? value + bias[f] : value;
            }
        }
      }
}
