/* correlation.h - comparisons of patches of two arrays (images, channels, height, width), displaced by -steps to steps
** along both axes, times `step`: the mean of products or absolute differences of elements, added over channels, then
** rows, then columns of the patch. Elements outside count as 0.
**
** The patch of output (i, j) begins at first + i * stride, first + j * stride.
*/
static inline real TYPED(element_or_zero)(const real *plane, int64_t height, int64_t width, int64_t y, int64_t x) {
  return y >= 0 && y < height && x >= 0 && x < width ? plane[y * width + x] : 0;
}

static void TYPED(correlation)(const real *data1, const real *data2, real *out, int64_t images, int64_t channels,
                               int64_t height, int64_t width, int64_t rows, int64_t columns, int64_t steps,
                               int64_t step, int64_t patch, int64_t first, int64_t stride, bool multiply) {
  const int64_t side = 2 * steps + 1, size = height * width;
  for (int64_t item = 0; item < images * side * side * rows * columns; item++) {
    const int64_t j = item % columns, i = item / columns % rows, d = item / columns / rows % (side * side);
    const int64_t image = item / columns / rows / side / side;
    const int64_t dy = (d / side - steps) * step, dx = (d % side - steps) * step;
    real sum = 0;
    for (int64_t c = image * channels; c < (image + 1) * channels; c++)
      for (int64_t k = 0; k < patch * patch; k++) {
        const int64_t y = first + i * stride + k / patch, x = first + j * stride + k % patch;
        const real a = TYPED(element_or_zero)(data1 + c * size, height, width, y, x);
        const real b = TYPED(element_or_zero)(data2 + c * size, height, width, y + dy, x + dx);
        sum += multiply ? a * b : (real)fabs((double)(a - b));
      }
    out[item] = sum / (real)(patch * patch * channels);
  }
}
