/* window_geometry.h - the window that Convolution and Pooling move over one to three axes.
**
** Arrays are (images, channels, then the axes). Everything is stored for three axes, depth, height and width: an array
** with fewer uses the last ones, and the others have length 1. Place o of the output reads, for tap t of the window,
** place o * stride + t * dilate - pad of the input; places outside it are padding.
*/
#ifndef HL_OPS_NN_WINDOW_GEOMETRY_H
#define HL_OPS_NN_WINDOW_GEOMETRY_H

#include "tensor/shape.h"

enum { WINDOW_AXES = 3 };

typedef struct Windows {
  int axes;                                                     /* of the array, 1 to 3 */
  int64_t kernel[WINDOW_AXES], stride[WINDOW_AXES], dilate[WINDOW_AXES], pad[WINDOW_AXES];
  int64_t in[WINDOW_AXES], out[WINDOW_AXES];
} Windows;

/* The axes of an array, possibly unknown. */
static inline void windows_set(int64_t *extent, const Shape *s, int axes) {
  for (int i = 0; i < axes; i++) extent[WINDOW_AXES - axes + i] = s->dim[2 + i];
}

static inline int64_t windows_span(const Windows *w, int axis) { return w->dilate[axis] * (w->kernel[axis] - 1) + 1; }
static inline int64_t windows_size(const int64_t *extent) { return extent[0] * extent[1] * extent[2]; }

/* x / by, rounded down and up; `by` is mostly 1 or 2, and a division takes 25 cycles. */
static inline int64_t windows_floor(int64_t x, int64_t by) {
  if (by == 1) return x;
  if (by == 2) return x >> 1;
  return x >= 0 ? x / by : -((-x + by - 1) / by);
}
static inline int64_t windows_ceil(int64_t x, int64_t by) { return -windows_floor(-x, by); }

#endif
