/* grid_sampler.h - grids of points (x, y), from -1 to 1 over the width and height of images, and images sampled there.
** Everything is computed in the type of elements; an axis with one point is treated as if it had two.
*/

/* The coordinate of point i of n along an axis. */
static inline real TYPED(grid_place)(int64_t i, int64_t n) {
  return (real)(-1 + (double)i * 2 / (double)(n > 1 ? n - 1 : 1));
}

/* A transform (a, b, c, d, e, f) of each image moves (x, y) to (a x + b y + c, d x + e y + f). */
static void TYPED(affine_grid)(const real *data, real *out, real *unused, int64_t images, int64_t height,
                               int64_t width) {
  (void)unused;
  for (int64_t row = 0; row < 2 * images; row++, data += 3)
    for (int64_t i = 0; i < height; i++)
      for (int64_t j = 0; j < width; j++)
        *out++ = data[0] * TYPED(grid_place)(j, width) + data[1] * TYPED(grid_place)(i, height) + data[2];
}

/* Data moves each point by a number of elements. */
static void TYPED(warp_grid)(const real *data, real *out, real *unused, int64_t images, int64_t height, int64_t width) {
  (void)unused;
  for (int64_t plane = 0; plane < 2 * images; plane++) {
    const int64_t n = plane % 2 ? height : width;
    const real half = (real)((double)(n > 1 ? n - 1 : 1) / 2);
    for (int64_t i = 0; i < height; i++)
      for (int64_t j = 0; j < width; j++) *out++ = (*data++ + (real)(plane % 2 ? i : j)) / half - 1;
  }
}

/* The sum of the four elements around a point, times weights: above left, above right, below left, below right.
** Elements outside of data are 0. */
static void TYPED(sample_grid)(const real *data, const real *grid, real *out, real *unused, int64_t images,
                               int64_t channels, int64_t height, int64_t width, int64_t points) {
  (void)unused;
  for (int64_t image = 0; image < images; image++)
    for (int64_t c = 0; c < channels; c++) {
      const real *plane = data + (image * channels + c) * height * width;
      for (int64_t p = 0; p < points; p++) {
        const real x = (grid[2 * image * points + p] + 1) * (real)(width - 1) / 2;
        const real y = (grid[(2 * image + 1) * points + p] + 1) * (real)(height - 1) / 2;
        const real left = FLOOR(x), top = FLOOR(y);
        real sum = 0;
        for (int k = 0; k < 4; k++) {
          const real row = top + (real)(k / 2), column = left + (real)(k % 2);
          const bool inside = row >= 0 && row <= (real)(height - 1) && column >= 0 && column <= (real)(width - 1);
          const real weight = (k / 2 ? y - top : 1 - (y - top)) * (k % 2 ? x - left : 1 - (x - left));
          sum += (inside ? plane[(int64_t)row * width + (int64_t)column] : 0) * weight;
        }
        *out++ = sum;
      }
    }
}
