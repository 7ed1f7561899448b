/* image_resize.h - planes of height x width, resized to rows x columns: by means of parts, or bilinear. */

/* Output o of n along an axis of size s is the mean of [floor(o s / n), ceil((o + 1) s / n)): a sum in double, in
** row-major order, divided by the count. */
static void TYPED(adaptive_mean)(const real *data, real *out, int64_t planes, int64_t height, int64_t width,
                                 int64_t rows, int64_t columns) {
  for (int64_t p = 0; p < planes; p++, data += height * width)
    for (int64_t y = 0; y < rows; y++) {
      const int64_t top = y * height / rows, bottom = ((y + 1) * height + rows - 1) / rows;
      for (int64_t x = 0; x < columns; x++) {
        const int64_t left = x * width / columns, right = ((x + 1) * width + columns - 1) / columns;
        double sum = 0;
        for (int64_t i = top; i < bottom; i++)
          for (int64_t j = left; j < right; j++) sum += (double)data[i * width + j];
        *out++ = (real)(sum / (double)((bottom - top) * (right - left)));
      }
    }
}

/* The position of output o of n along an axis of size s, in double. */
static inline double TYPED(resized_place)(int64_t o, int64_t n, int64_t s, bool corners) {
  const double place = corners ? (double)(o * (s - 1)) / (double)(n - 1)
                               : ((double)o + 0.5) * (double)s / (double)n - 0.5;
  return place < 0 || n == 1 ? 0 : place;
}

/* The sum of the four neighbours of a position, with weights in the type of elements; the last row and column are their
** own neighbours. `like` is not read. */
static void TYPED(bilinear_resize)(const real *data, const other *like, real *out, int64_t planes, int64_t height,
                                   int64_t width, int64_t rows, int64_t columns, bool corners) {
  (void)like;
  for (int64_t p = 0; p < planes; p++, data += height * width)
    for (int64_t y = 0; y < rows; y++) {
      const double row = TYPED(resized_place)(y, rows, height, corners);
      const int64_t top = (int64_t)row < height - 1 ? (int64_t)row : height - 1;
      const real *above = data + top * width, *below = top < height - 1 ? above + width : above;
      const real low = (real)(row - (double)top), high = 1 - low;
      for (int64_t x = 0; x < columns; x++) {
        const double column = TYPED(resized_place)(x, columns, width, corners);
        const int64_t at = (int64_t)column < width - 1 ? (int64_t)column : width - 1,
                      next = at < width - 1 ? at + 1 : at;
        const real right = (real)(column - (double)at), left = 1 - right;
        *out++ = high * (left * above[at] + right * above[next]) + low * (left * below[at] + right * below[next]);
      }
    }
}
