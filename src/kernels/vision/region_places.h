/* region_places.h - what kernels of regions share: the images and elements that regions name, and bilinear samples. */
#ifndef HL_KERNELS_VISION_REGION_PLACES_H
#define HL_KERNELS_VISION_REGION_PLACES_H

#include <stdbool.h>
#include <stdint.h>

static inline int64_t within(int64_t i, int64_t n) { return i < 0 ? 0 : i > n ? n : i; }

/* Converts a coordinate to an index from -1e9 to 1e9. */
static inline int64_t as_place(double x) { return x > 1e9 ? 1000000000 : x > -1e9 ? (int64_t)x : -1000000000; }

/* The image of a roi; -1 if it does not exist. */
static inline int64_t image_of(double number, int64_t images) {
  return number > -1 && number < (double)images ? (int64_t)number : -1;
}

/* The number of points along a side of a bin. */
static inline int64_t points_along(int64_t ratio, double size) {
  return ratio > 0 ? ratio : within(as_place(size), 1 << 20);
}

/* sample_SUFFIX: the four elements of a plane around a point, and their weights; false if the point is outside. */
#define REGION_SAMPLE(code, T, suffix)                                                                      \
  typedef struct Sample_##suffix { int64_t at[4]; T weight[4]; } Sample_##suffix;                           \
                                                                                                            \
  static bool sample_##suffix(int64_t height, int64_t width, T y, T x, Sample_##suffix *to) {               \
    if (height == 0 || width == 0) return false;                                                            \
    if (!(y >= -1 && y <= (T)height && x >= -1 && x <= (T)width)) return false;                             \
    y = y > 0 ? y : 0;                                                                                      \
    x = x > 0 ? x : 0;                                                                                      \
    const int64_t top = within((int64_t)y, height - 1), left = within((int64_t)x, width - 1);               \
    const int64_t bottom = within(top + 1, height - 1), right = within(left + 1, width - 1);                \
    const T down = top < bottom ? y - (T)top : 0, over = left < right ? x - (T)left : 0;                    \
    *to = (Sample_##suffix){ { top * width + left, top * width + right, bottom * width + left,              \
                               bottom * width + right },                                                    \
                             { (1 - down) * (1 - over), (1 - down) * over, down * (1 - over), down * over } }; \
    return true;                                                                                            \
  }

#endif
