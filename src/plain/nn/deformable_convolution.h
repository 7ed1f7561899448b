/* deformable_convolution.h - convolutions of images whose windows have learned offsets (J. Dai et al., 2017), and masks
** (X. Zhu et al., 2018).
**
** Each tap of a window is sampled at its place plus an offset: four elements times weights, added by rows. The samples,
** times the mask, are multiplied by the weight in the order of plain/common/chains.h. The channels of a deformable
** group share offsets, (y, x) for each tap. Workspace: the samples of an image, (channels x taps, places).
*/
#include "plain/common/chains.h"

/* The first of the two elements around a coordinate, and the distance from it. With `ends`, the last element is
** extended to its end. */
static inline int64_t TYPED(first_element)(real x, int64_t n, bool ends, real *distance) {
  const real low = FLOOR(x);
  const bool end = ends && low >= (real)(n - 1);
  *distance = end ? 0 : x - low;
  return end ? n - 1 : (int64_t)low;
}

/* With `outside`, a point less than an element outside is interpolated with zeros; else it gives 0. */
static inline real TYPED(deformed_sample)(const real *plane, int64_t height, int64_t width, real y, real x,
                                          bool outside) {
  const real least = outside ? -1 : 0;
  const bool low = outside ? !(y > least && x > least) : !(y >= least && x >= least);
  if (low || !(y < (real)height && x < (real)width)) return 0;
  real down, right, sum = 0;
  const int64_t top = TYPED(first_element)(y, height, !outside, &down);
  const int64_t left = TYPED(first_element)(x, width, !outside, &right);
  for (int k = 0; k < 4; k++) {
    int64_t row = top + k / 2, column = left + k % 2;
    if (!outside && row == height) row--;
    if (!outside && column == width) column--;
    const bool inside = row >= 0 && row < height && column >= 0 && column < width;
    const real weight = (k / 2 ? down : 1 - down) * (k % 2 ? right : 1 - right);
    sum += (inside ? plane[row * width + column] : 0) * weight;
  }
  return sum;
}

static void TYPED(modulated_convolution)(const real *data, const real *offset, const real *mask, const real *weight,
                                         const real *bias, real *out, real *workspace, int64_t images, int64_t channels,
                                         int64_t height, int64_t width, int64_t filters, int64_t rows, int64_t columns,
                                         int64_t groups, int64_t offset_groups, bool outside, const int64_t kernel[2],
                                         const int64_t stride[2], const int64_t dilate[2], const int64_t pad[2]) {
  const int64_t taps = kernel[0] * kernel[1], places = rows * columns, terms = channels / groups * taps;
  for (int64_t image = 0; image < images; image++) {
    for (int64_t i = 0; i < channels * taps * places; i++) {
      const int64_t place = i % places, tap = i / places % taps, channel = i / places / taps;
      const int64_t group = image * offset_groups + channel / (channels / offset_groups), at = group * taps + tap;
      const int64_t from_y = place / columns * stride[0] + tap / kernel[1] * dilate[0] - pad[0];
      const int64_t from_x = place % columns * stride[1] + tap % kernel[1] * dilate[1] - pad[1];
      const real y = (real)from_y + offset[2 * at * places + place];
      const real x = (real)from_x + offset[(2 * at + 1) * places + place];
      const real *plane = data + (image * channels + channel) * height * width;
      workspace[i] = TYPED(deformed_sample)(plane, height, width, y, x, outside);
      if (mask) workspace[i] *= mask[at * places + place];
    }
    for (int64_t f = 0; f < filters; f++)
      for (int64_t place = 0; place < places; place++) {
        const int64_t group = f / (filters / groups);
        const real sum = TYPED(sum_of_products)(weight + f * terms, 1, workspace + group * terms * places + place,
                                                places, terms);
        out[(image * filters + f) * places + place] = bias ? sum + bias[f] : sum;
      }
  }
}

/* Without masks. */
static void TYPED(deformable_convolution)(const real *data, const real *offset, const real *weight, const real *bias,
                                          real *out, real *workspace, int64_t images, int64_t channels, int64_t height,
                                          int64_t width, int64_t filters, int64_t rows, int64_t columns, int64_t groups,
                                          int64_t offset_groups, bool outside, const int64_t kernel[2],
                                          const int64_t stride[2], const int64_t dilate[2], const int64_t pad[2]) {
  TYPED(modulated_convolution)(data, offset, NULL, weight, bias, out, workspace, images, channels, height, width,
                               filters, rows, columns, groups, offset_groups, outside, kernel, stride, dilate, pad);
}
