/* corners.h - bilinear samples of planes: the elements around some points, found once for many channels. */
#ifndef HL_KERNELS_LOOPS_CORNERS_H
#define HL_KERNELS_LOOPS_CORNERS_H

#include <stdbool.h>
#include <stdint.h>

enum { PART = 64, CHANNELS = 8 };      /* points and channels that are computed together */

/* CORNERS_OF: the weights of the four elements around points, and their indices in a plane, -1 outside. The weight of an
** element along an axis has a derivative of any order by the distance t from the first. A sample is summed in the order
** of the elements. */
#define CORNERS_OF(code, T, suffix)                                                                         \
  typedef struct Corners_##suffix { T weight[4][PART]; int64_t at[4][PART]; } Corners_##suffix;             \
                                                                                                            \
  static T weight_##suffix(int derived, bool second, T t) {                                                 \
    if (derived == 0) return second ? t : 1 - t;                                                            \
    return derived > 1 ? 0 : second ? 1 : -1;                                                               \
  }                                                                                                         \
  /* The samples of a plane at n points. */                                                                 \
  static void read_corners_##suffix(const Corners_##suffix *c, const T *plane, int64_t n, T *to) {          \
    for (int64_t i = 0; i < n; i++) {                                                                       \
      T sum = 0;                                                                                            \
      for (int m = 0; m < 4; m++) sum += (c->at[m][i] < 0 ? 0 : plane[c->at[m][i]]) * c->weight[m][i];      \
      to[i] = sum;                                                                                          \
    }                                                                                                       \
  }                                                                                                         \
  /* Adds g to the elements of a plane. */                                                                  \
  static void add_to_corners_##suffix(const Corners_##suffix *c, const T *g, int64_t n, T *plane) {         \
    for (int64_t i = 0; i < n; i++)                                                                         \
      for (int m = 0; m < 4; m++) if (c->at[m][i] >= 0) plane[c->at[m][i]] += g[i] * c->weight[m][i];       \
  }

#endif
