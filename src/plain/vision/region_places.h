/* region_places.h - the images and elements that regions name, and bilinear samples. */

static inline int64_t TYPED(clipped)(int64_t i, int64_t n) { return i < 0 ? 0 : i > n ? n : i; }

/* A coordinate as an index from -1e9 to 1e9. */
static inline int64_t TYPED(roi_place)(double x) { return x > 1e9 ? 1000000000 : x > -1e9 ? (int64_t)x : -1000000000; }

/* -1 if there is no such image. */
static inline int64_t TYPED(roi_image)(double number, int64_t images) {
  return number > -1 && number < (double)images ? (int64_t)number : -1;
}

/* The bilinear sample of a plane at (x, y): four elements times weights, added to `sum` one by one. A point more than
** an element outside adds nothing. */
static inline real TYPED(roi_sample)(const real *plane, int64_t height, int64_t width, real y, real x, real sum) {
  if (height == 0 || width == 0) return sum;
  if (!(y >= -1 && y <= (real)height && x >= -1 && x <= (real)width)) return sum;
  y = y > 0 ? y : 0;
  x = x > 0 ? x : 0;
  const int64_t top = TYPED(clipped)((int64_t)y, height - 1), left = TYPED(clipped)((int64_t)x, width - 1);
  const int64_t bottom = TYPED(clipped)(top + 1, height - 1), right = TYPED(clipped)(left + 1, width - 1);
  const real down = top < bottom ? y - (real)top : 0, over = left < right ? x - (real)left : 0;
  sum += (1 - down) * (1 - over) * plane[top * width + left];
  sum += (1 - down) * over * plane[top * width + right];
  sum += down * (1 - over) * plane[bottom * width + left];
  return sum + down * over * plane[bottom * width + right];
}
