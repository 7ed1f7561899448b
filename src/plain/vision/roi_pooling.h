/* roi_pooling.h - regions of images, each divided into rows x columns bins.
**
** rois has a row (image, left, top, right, bottom) for each output, in the coordinates of an image that is 1 / scale
** times as large as data. The output is 0 if the image does not exist. Everything is computed in the type of elements.
*/
#include "plain/vision/region_places.h"

/* Each bin's maximum; a NaN wins, and an empty bin gives 0. Boxes are rounded to elements, ends included. */
static void TYPED(roi_pooling)(const real *data, const real *rois, real *out, real *unused, int64_t n, int64_t images,
                               int64_t channels, int64_t height, int64_t width, int64_t rows, int64_t columns,
                               real scale) {
  (void)unused;
  for (int64_t r = 0; r < n; r++, rois += 5) {
    const int64_t image = TYPED(roi_image)((double)rois[0], images);
    const int64_t from_x = TYPED(roi_place)(round((double)(rois[1] * scale)));
    const int64_t from_y = TYPED(roi_place)(round((double)(rois[2] * scale)));
    const int64_t wide = TYPED(roi_place)(round((double)(rois[3] * scale))) - from_x + 1;
    const int64_t high = TYPED(roi_place)(round((double)(rois[4] * scale))) - from_y + 1;
    const real bin_height = (real)(high > 1 ? high : 1) / (real)rows,
               bin_width = (real)(wide > 1 ? wide : 1) / (real)columns;
    for (int64_t c = 0; c < channels; c++)
      for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
          const int64_t top = TYPED(clipped)((int64_t)FLOOR((real)i * bin_height) + from_y, height);
          const int64_t bottom = TYPED(clipped)((int64_t)ceil((double)((real)(i + 1) * bin_height)) + from_y, height);
          const int64_t left = TYPED(clipped)((int64_t)FLOOR((real)j * bin_width) + from_x, width);
          const int64_t right = TYPED(clipped)((int64_t)ceil((double)((real)(j + 1) * bin_width)) + from_x, width);
          const bool none = image < 0 || top >= bottom || left >= right;
          real most = none ? 0 : -(real)HUGE_VAL;
          for (int64_t y = top; y < bottom && !none; y++)
            for (int64_t x = left; x < right; x++) {
              const real v = data[((image * channels + c) * height + y) * width + x];
              most = v > most || v != v ? v : most;
            }
          *out++ = most;
        }
  }
}

/* The mean of samples at even steps in each bin: ratio x ratio of them, or one per element if ratio is below 1. Rows of
** four numbers belong to the first image. If `sensitive`, each bin reads channels of its own; if `aligned`, boxes give
** corners of elements. */
static void TYPED(roi_align)(const real *data, const real *rois, real *out, int64_t n, int64_t numbers, int64_t images,
                             int64_t channels, int64_t height, int64_t width, int64_t out_channels, int64_t rows,
                             int64_t columns, int64_t ratio, bool sensitive, bool aligned, real scale) {
  const real offset = aligned ? (real)0.5 : 0;
  for (int64_t r = 0; r < n; r++) {
    const real *box = rois + r * numbers + (numbers == 5);
    const int64_t image = numbers == 5 ? TYPED(roi_image)((double)rois[r * numbers], images) : 0;
    const real from_x = box[0] * scale - offset, from_y = box[1] * scale - offset;
    real wide = box[2] * scale - offset - from_x, high = box[3] * scale - offset - from_y;
    if (!aligned) {
      wide = wide > 1 ? wide : 1;
      high = high > 1 ? high : 1;
    }
    const real bin_height = high / (real)rows, bin_width = wide / (real)columns;
    const int64_t down = ratio > 0 ? ratio : TYPED(clipped)(TYPED(roi_place)(ceil((double)bin_height)), 1 << 20);
    const int64_t over = ratio > 0 ? ratio : TYPED(clipped)(TYPED(roi_place)(ceil((double)bin_width)), 1 << 20);
    for (int64_t c = 0; c < out_channels; c++)
      for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
          const int64_t channel = sensitive ? c * rows * columns + i * columns + j : c;
          const real *plane = data + (image < 0 ? 0 : image * channels + channel) * height * width;
          real sum = 0;
          for (int64_t k = 0; k < down && image >= 0; k++)
            for (int64_t m = 0; m < over; m++) {
              const real y = from_y + (real)i * bin_height + ((real)k + (real)0.5) * bin_height / (real)down;
              const real x = from_x + (real)j * bin_width + ((real)m + (real)0.5) * bin_width / (real)over;
              sum = TYPED(roi_sample)(plane, height, width, y, x, sum);
            }
          *out++ = image < 0 ? 0 : sum / (real)(down * over);
        }
  }
}
