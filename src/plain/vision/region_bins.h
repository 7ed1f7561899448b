/* region_bins.h - means over the rows x columns bins of regions, in the type of elements. Images that do not exist give
** 0.
*/
#include "plain/vision/region_places.h"

/* The mean of a bin's elements, row by row; 0 for empty bins. rois has rows (image, left, top, right, bottom), in the
** coordinates of an image that is 1 / scale times as large as data. Each bin reads channels of its own, of `groups` x
** `groups` groups. */
static void TYPED(psroi_pooling)(const real *data, const real *rois, real *out, int64_t n, int64_t numbers,
                                 int64_t images, int64_t channels, int64_t height, int64_t width, int64_t out_channels,
                                 int64_t rows, int64_t columns, int64_t groups, real scale) {
  for (int64_t item = 0; item < n * out_channels * rows * columns; item++) {
    const int64_t j = item % columns, i = item / columns % rows, c = item / columns / rows % out_channels;
    const real *box = rois + item / columns / rows / out_channels * numbers;
    const int64_t image = TYPED(roi_image)((double)box[0], images);
    const real left = (real)round((double)box[1]) * scale, top = (real)round((double)box[2]) * scale;
    const real wide = ((real)round((double)box[3]) + 1) * scale - left;
    const real high = ((real)round((double)box[4]) + 1) * scale - top;
    const real bin_width = (wide > (real)0.1 ? wide : (real)0.1) / (real)columns;
    const real bin_height = (high > (real)0.1 ? high : (real)0.1) / (real)rows;
    const int64_t y0 = TYPED(clipped)(TYPED(roi_place)(floor((double)((real)i * bin_height + top))), height);
    const int64_t y1 = TYPED(clipped)(TYPED(roi_place)(ceil((double)((real)(i + 1) * bin_height + top))), height);
    const int64_t x0 = TYPED(clipped)(TYPED(roi_place)(floor((double)((real)j * bin_width + left))), width);
    const int64_t x1 = TYPED(clipped)(TYPED(roi_place)(ceil((double)((real)(j + 1) * bin_width + left))), width);
    const int64_t channel = (c * groups + i * groups / rows) * groups + j * groups / columns;
    const bool none = image < 0 || y1 <= y0 || x1 <= x0;
    real sum = 0;
    for (int64_t y = y0; y < y1 && !none; y++)
      for (int64_t x = x0; x < x1; x++) sum += data[((image * channels + channel) * height + y) * width + x];
    out[item] = none ? 0 : sum / (real)((y1 - y0) * (x1 - x0));
  }
}

/* The mean of samples at even steps in each bin of a rotated box: ratio x ratio of them, or one per element if ratio is
** below 1. rois has rows (image, centre x, centre y, width, height, degrees). */
static void TYPED(rroi_align)(const real *data, const real *rois, real *out, int64_t n, int64_t numbers, int64_t images,
                              int64_t channels, int64_t height, int64_t width, int64_t rows, int64_t columns,
                              int64_t ratio, real scale) {
  for (int64_t item = 0; item < n * channels * rows * columns; item++) {
    const int64_t j = item % columns, i = item / columns % rows, c = item / columns / rows % channels;
    const real *box = rois + item / columns / rows / channels * numbers;
    const int64_t image = TYPED(roi_image)((double)box[0], images);
    const real wide = box[3] * scale > 1 ? box[3] * scale : 1, high = box[4] * scale > 1 ? box[4] * scale : 1;
    const real bin_width = wide / (real)columns, bin_height = high / (real)rows;
    const int64_t down = ratio > 0 ? ratio : TYPED(clipped)(TYPED(roi_place)(ceil((double)bin_height)), 1 << 20);
    const int64_t over = ratio > 0 ? ratio : TYPED(clipped)(TYPED(roi_place)(ceil((double)bin_width)), 1 << 20);
    const real y0 = (real)i * bin_height - high / 2, x0 = (real)j * bin_width - wide / 2;
    const real angle = box[5] * (real)0.017453292519943295, cosine = COSINE(angle), sine = SINE(angle);
    const real *plane = data + (image < 0 ? 0 : image * channels + c) * height * width;
    real sum = 0;
    for (int64_t k = 0; k < down && image >= 0; k++)
      for (int64_t m = 0; m < over; m++) {
        const real v = y0 + ((real)k + (real)0.5) * bin_height / (real)down;
        const real h = x0 + ((real)m + (real)0.5) * bin_width / (real)over;
        const real x = h * cosine + v * sine + box[1] * scale, y = v * cosine - h * sine + box[2] * scale;
        sum = TYPED(roi_sample)(plane, height, width, y, x, sum);
      }
    out[item] = image < 0 ? 0 : sum / (real)(down * over);
  }
}
