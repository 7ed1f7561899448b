/* image_taps.h - images (height, width, channels) of floats or bytes, resized with OpenCV's values.
**
** Along each axis an element of the result is a weighted sum of elements of data, its taps; taps outside repeat the
** border. Methods are 0 nearest, 1 bilinear, 2 bicubic, and 3 the mean of the area.
*/
enum { TYPED(NEAREST_TAP), TYPED(LINEAR_TAPS), TYPED(CUBIC_TAPS), TYPED(AREA_TAPS), TYPED(FIXED_POINT) = 2048 };

/* The number of floats that an output's first tap, count of taps and weights need along an axis. */
static inline int64_t TYPED(taps_size)(int64_t method, int64_t in, int64_t out, bool shrinks) {
  if (method == TYPED(AREA_TAPS)) return 2 + (shrinks ? in / out + 3 : 2);
  return 2 + (method == TYPED(NEAREST_TAP) ? 1 : method == TYPED(CUBIC_TAPS) ? 4 : 2);
}

/* The part of data that output i covers: whole elements, and fractions at both ends. `to` gets the first tap, their
** count, and their weights. */
static inline void TYPED(area_taps)(double *to, int64_t i, int64_t in, double scale) {
  const double from = (double)i * scale, end = from + scale, cell = fmin(scale, (double)in - from);
  int64_t last = (int64_t)floor(end), first = (int64_t)ceil(from), count = 0;
  if (last > in - 1) last = in - 1;
  if (first > last) first = last;
  to[0] = (double)first;
  if ((double)first - from > 1e-3) {
    to[0] = (double)(first - 1);
    to[2 + count++] = (double)(float)(((double)first - from) / cell);
  }
  for (int64_t k = first; k < last; k++) to[2 + count++] = (double)(float)(1 / cell);
  if (end - (double)last > 1e-3) to[2 + count++] = (double)(float)(fmin(fmin(end - (double)last, 1), cell) / cell);
  to[1] = (double)count;
}

/* The taps of output i. If not all axes shrink, an area is bilinear with other weights. */
static inline void TYPED(find_taps)(double *to, int64_t method, int64_t i, int64_t in, int64_t out, bool shrinks) {
  const double scale = (double)in / (double)out;
  if (method == TYPED(AREA_TAPS) && shrinks) {
    TYPED(area_taps)(to, i, in, scale);
    return;
  }
  const int64_t below = (int64_t)floor((double)i * scale);
  float x = (float)(((double)i + 0.5) * scale - 0.5);
  int64_t at = (int64_t)floorf(x);
  x -= (float)at;
  if (method == TYPED(AREA_TAPS)) {
    at = below;
    x = (float)((double)(i + 1) - (double)(at + 1) / scale);
    x = x <= 0 ? 0 : x - floorf(x);
  }
  if (method == TYPED(NEAREST_TAP)) {
    to[0] = (double)(below < in ? below : in - 1);
    to[1] = to[2] = 1;
  } else if (method == TYPED(CUBIC_TAPS)) {                /* Catmull-Rom with -0.75 */
    const float a = -0.75f, more = x + 1, less = 1 - x;
    const float w0 = ((a * more - 5 * a) * more + 8 * a) * more - 4 * a;
    const float w1 = ((a + 2) * x - (a + 3)) * x * x + 1, w2 = ((a + 2) * less - (a + 3)) * less * less + 1;
    to[0] = (double)(at - 1);
    to[1] = 4;
    to[2] = (double)w0;
    to[3] = (double)w1;
    to[4] = (double)w2;
    to[5] = (double)(1 - w0 - w1 - w2);
  } else {
    to[0] = (double)at;
    to[1] = 2;
    to[2] = (double)(1 - x);
    to[3] = (double)x;
  }
}

static inline int64_t TYPED(tap_place)(const double *taps, int64_t k, int64_t n) {
  const int64_t at = (int64_t)taps[0] + k;
  return at < 0 ? 0 : at >= n ? n - 1 : at;
}

static inline int64_t TYPED(fixed_weight)(const double *taps, int64_t k) {
  return (int64_t)lrint((double)((float)taps[2 + k] * (float)TYPED(FIXED_POINT)));
}

static inline real TYPED(as_byte)(double x) { return (real)(x <= 0 ? 0 : x >= 255 ? 255 : lrint(x)); }

/* Sums over columns, then rows, in float. */
static inline float TYPED(sum_of_taps)(const real *data, const double *row, const double *column, int64_t height,
                                       int64_t width, int64_t channels) {
  float sum = 0;
  for (int64_t k = 0; k < (int64_t)row[1]; k++) {
    const real *line = data + TYPED(tap_place)(row, k, height) * width * channels;
    float across = 0;
    for (int64_t m = 0; m < (int64_t)column[1]; m++)
      across += (float)line[TYPED(tap_place)(column, m, width) * channels] * (float)column[2 + m];
    sum += across * (float)row[2 + k];
  }
  return sum;
}

/* Sums of bytes, in integers, with weights that are multiples of 1 / 2048. Bilinear ones drop bits on the way. */
static inline real TYPED(fixed_sum)(const real *data, const double *row, const double *column, int64_t height,
                                    int64_t width, int64_t channels, bool linear) {
  int64_t sum = linear ? 2 : 0;
  for (int64_t k = 0; k < (int64_t)row[1]; k++) {
    const real *line = data + TYPED(tap_place)(row, k, height) * width * channels;
    int64_t across = 0;
    for (int64_t m = 0; m < (int64_t)column[1]; m++)
      across += (int64_t)line[TYPED(tap_place)(column, m, width) * channels] * TYPED(fixed_weight)(column, m);
    sum += linear ? TYPED(fixed_weight)(row, k) * (across / 16) / 65536 : across * TYPED(fixed_weight)(row, k);
  }
  const int64_t whole = TYPED(FIXED_POINT) * TYPED(FIXED_POINT);
  return linear ? (real)(sum / 4) : TYPED(as_byte)((double)sum / (double)whole);
}

/* Bilinear is the mean of four elements if both axes shrink by 2; for bytes the sum of four, plus 2, divided by 4.
** Bytes are summed in integers if bilinear or bicubic. The workspace has the taps of a row, then those of a column. */
static void TYPED(image_resize)(const real *data, real *out, double *workspace, int64_t images, int64_t height,
                                int64_t width, int64_t channels, int64_t rows, int64_t columns, int64_t interp,
                                bool bytes) {
  const bool shrinks = height >= rows && width >= columns, halves = height == 2 * rows && width == 2 * columns;
  const int64_t method = interp == TYPED(LINEAR_TAPS) && halves ? TYPED(AREA_TAPS) : interp;
  const bool cubic = method == TYPED(CUBIC_TAPS), area = method == TYPED(AREA_TAPS);
  double *row = workspace, *column = row + TYPED(taps_size)(method, height, rows, shrinks);
  for (int64_t image = 0; image < images; image++, data += height * width * channels)
    for (int64_t y = 0; y < rows; y++) {
      TYPED(find_taps)(row, method, y, height, rows, shrinks);
      for (int64_t x = 0; x < columns; x++) {
        TYPED(find_taps)(column, method, x, width, columns, shrinks);
        for (int64_t c = 0; c < channels; c++) {
          const real *from = data + c;
          if (!bytes) {
            *out++ = (real)TYPED(sum_of_taps)(from, row, column, height, width, channels);
          } else if (area && halves) {
            int64_t sum = 2;
            for (int k = 0; k < 4; k++) sum += (int64_t)from[((2 * y + k / 2) * width + 2 * x + k % 2) * channels];
            *out++ = (real)(sum / 4);
          } else if (method == TYPED(NEAREST_TAP) || (area && shrinks)) {
            *out++ = TYPED(as_byte)((double)TYPED(sum_of_taps)(from, row, column, height, width, channels));
          } else {
            *out++ = TYPED(fixed_sum)(from, row, column, height, width, channels, !cubic);
          }
        }
      }
    }
}
