/* region_bins_kernels.c - PSROIPooling, RROIAlign and their gradients.
**
** Everything is computed in the element type. A bin's mean adds its elements row by row; a gradient adds in the
** order of rois, bins and elements.
*/
#include "ops/vision/region_bins.h"

#include <math.h>

#include "base/math/scalar_functions.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "kernels/vision/region_places.h"
#include "tensor/cast_copy.h"

/* Sizes of data and of the output, and the arrays that the kernel reads and writes. back: adds g at data's
** positions. */
typedef struct Bins {
  int64_t images, channels, height, width, n, columns, out_channels, rows, across, groups, ratio;
  double scale;
  bool back;
  const void *from, *rois;
  void *to;
} Bins;

/* The loop over work items: forward, one is a channel of a roi; backward a channel, because several rois may see the
** same element. */
#define EACH_REGION(name, suffix)                                                                            \
  static void name##_each_##suffix(void *context, int64_t first, int64_t last) {                             \
    const Bins *r = context;                                                                                 \
    for (int64_t i = first; i < last && !interrupted(); i++) {                                               \
      if (!r->back) name##_##suffix(r, i / r->out_channels, i % r->out_channels);                            \
      else for (int64_t roi = 0; roi < r->n && !interrupted(); roi++) name##_##suffix(r, roi, i);            \
    }                                                                                                        \
  }

EACH_FLOAT(REGION_SAMPLE)

#define BINS(code, T, suffix)                                                                                \
  /* One channel of the output for one roi. */                                                               \
  static void psroi_##suffix(const Bins *r, int64_t roi, int64_t c) {                                        \
    const T *box = (const T *)r->rois + roi * r->columns, by = (T)r->scale;                                  \
    const int64_t image = image_of(box[0], r->images);                                                       \
    const T left = round(box[1]) * by, top = round(box[2]) * by;                                             \
    const T wide = (round(box[3]) + 1) * by - left, high = (round(box[4]) + 1) * by - top;                   \
    const T bin_width = (wide > (T)0.1 ? wide : (T)0.1) / (T)r->across;                                      \
    const T bin_height = (high > (T)0.1 ? high : (T)0.1) / (T)r->rows;                                       \
    for (int64_t i = 0; i < r->rows; i++)                                                                    \
      for (int64_t j = 0; j < r->across && !interrupted(); j++) {                                            \
        const int64_t y0 = within(as_place(floor((T)i * bin_height + top)), r->height);                      \
        const int64_t y1 = within(as_place(ceil((T)(i + 1) * bin_height + top)), r->height);                 \
        const int64_t x0 = within(as_place(floor((T)j * bin_width + left)), r->width);                       \
        const int64_t x1 = within(as_place(ceil((T)(j + 1) * bin_width + left)), r->width);                  \
        const int64_t group = i * r->groups / r->rows * r->groups + j * r->groups / r->across;               \
        const int64_t channel = c * r->groups * r->groups + group;                                           \
        const int64_t plane = ((image < 0 ? 0 : image) * r->channels + channel) * r->height * r->width;      \
        const int64_t o = ((roi * r->out_channels + c) * r->rows + i) * r->across + j;                       \
        const bool none = image < 0 || y1 <= y0 || x1 <= x0;                                                 \
        const T count = none ? 1 : (T)((y1 - y0) * (x1 - x0));                                               \
        T sum = 0;                                                                                           \
        for (int64_t y = y0; y < y1 && !none; y++)                                                           \
          for (int64_t x = x0; x < x1; x++) {                                                                \
            const int64_t at = plane + y * r->width + x;                                                     \
            if (r->back) ((T *)r->to)[at] += ((const T *)r->from)[o] / count;                                \
            else sum += ((const T *)r->from)[at];                                                            \
          }                                                                                                  \
        if (!r->back) ((T *)r->to)[o] = sum / count;                                                         \
      }                                                                                                      \
  }                                                                                                          \
  /* The mean of samples at the points of one bin, or its gradient; the bin's first corner is (x0, y0) from the \
  ** box's centre. */                                                                                        \
  static T sample_bin_##suffix(const Bins *r, int64_t plane, T g, const T *box, T y0, T x0, T high, T wide,  \
                               int64_t down, int64_t over) {                                                 \
    const T by = (T)r->scale, angle = box[5] * (T)0.017453292519943295, c = cos(angle), s = sin(angle);      \
    const T count = (T)(down * over);                                                                        \
    T sum = 0;                                                                                               \
    for (int64_t k = 0; k < down && !interrupted(); k++)                                                     \
      for (int64_t m = 0; m < over; m++) {                                                                   \
        const T v = y0 + ((T)k + (T)0.5) * high / (T)down, h = x0 + ((T)m + (T)0.5) * wide / (T)over;        \
        const T x = h * c + v * s + box[1] * by, y = v * c - h * s + box[2] * by;                            \
        Sample_##suffix read;                                                                                \
        if (!sample_##suffix(r->height, r->width, y, x, &read)) continue;                                    \
        for (int q = 0; q < 4; q++) {                                                                        \
          if (r->back) ((T *)r->to)[plane + read.at[q]] += g * read.weight[q] / count;                       \
          else sum += read.weight[q] * ((const T *)r->from)[plane + read.at[q]];                             \
        }                                                                                                    \
      }                                                                                                      \
    return sum / count;                                                                                      \
  }                                                                                                          \
  static void rroi_##suffix(const Bins *r, int64_t roi, int64_t c) {                                         \
    const T *box = (const T *)r->rois + roi * r->columns, by = (T)r->scale;                                  \
    const int64_t image = image_of(box[0], r->images);                                                       \
    const int64_t plane = ((image < 0 ? 0 : image) * r->channels + c) * r->height * r->width;                \
    const T wide = box[3] * by > 1 ? box[3] * by : 1, high = box[4] * by > 1 ? box[4] * by : 1;              \
    const T bin_width = wide / (T)r->across, bin_height = high / (T)r->rows;                                 \
    const int64_t down = points_along(r->ratio, ceil(bin_height));                                           \
    const int64_t over = points_along(r->ratio, ceil(bin_width));                                            \
    for (int64_t i = 0; i < r->rows; i++)                                                                    \
      for (int64_t j = 0; j < r->across && !interrupted(); j++) {                                            \
        const int64_t o = ((roi * r->out_channels + c) * r->rows + i) * r->across + j;                       \
        const T g = r->back ? ((const T *)r->from)[o] : 0;                                                   \
        const T mean = image < 0 ? 0 : sample_bin_##suffix(r, plane, g, box, (T)i * bin_height - high / 2,   \
                                                      (T)j * bin_width - wide / 2, bin_height, bin_width, down, over); \
        if (!r->back) ((T *)r->to)[o] = mean;                                                                \
      }                                                                                                      \
  }                                                                                                          \
  EACH_REGION(psroi, suffix)                                                                                 \
  EACH_REGION(rroi, suffix)
EACH_FLOAT(BINS)

/* `image` and `bins` are input 0 and the output, or the other way round. */
static Status run_bins(Call *c, const Shape *image, const Shape *bins, bool back, double scale, int64_t groups,
                       int64_t ratio) {
  Bins r = { .images = image->dim[0],
             .channels = image->dim[1],
             .height = image->dim[2],
             .width = image->dim[3],
             .n = bins->dim[0],
             .columns = c->in[1]->type.shape.dim[1],
             .out_channels = bins->dim[1],
             .rows = bins->dim[2],
             .across = bins->dim[3],
             .groups = groups,
             .ratio = ratio,
             .scale = (float)scale,
             .back = back,
             .from = c->in[0]->data,
             .rois = c->in[1]->data,
             .to = c->out[0]->data };
  const double work = 64 * (double)(r.rows * r.across) * (back ? (double)r.n : 1);
  if (back) clear_block(r.to, tensor_bytes(c->out[0]));
  return run_parallel(back ? r.out_channels : r.n * r.out_channels, (int64_t)((1 << 13) / (work + 1)) + 1,
                      c->kernel->body, &r);
}

static const Shape *shape_at(const Tensor *t) { return &t->type.shape; }

static Status psroi(Call *c) {
  const PsroiParams *p = c->params;
  return run_bins(c, shape_at(c->in[0]), shape_at(c->out[0]), false, p->spatial_scale, psroi_groups(p), 0);
}

static Status psroi_back(Call *c) {
  const PsroiParams *p = c->params;
  return run_bins(c, shape_at(c->out[0]), shape_at(c->in[0]), true, p->spatial_scale, psroi_groups(p), 0);
}

static Status rroi(Call *c) {
  const RroiParams *p = c->params;
  return run_bins(c, shape_at(c->in[0]), shape_at(c->out[0]), false, p->of.spatial_scale, 1, p->sampling_ratio);
}

static Status rroi_back(Call *c) {
  const RroiParams *p = c->params;
  return run_bins(c, shape_at(c->out[0]), shape_at(c->in[0]), true, p->of.spatial_scale, 1, p->sampling_ratio);
}

const Kernel region_bins_kernels[] = {
  FLOAT_KERNELS("_contrib_PSROIPooling", psroi, psroi_each),
  FLOAT_KERNELS("_backward_psroi_pooling", psroi_back, psroi_each),
  FLOAT_KERNELS("_contrib_RROIAlign", rroi, rroi_each),
  FLOAT_KERNELS("_backward_rroi_align", rroi_back, rroi_each),
  { 0 },
};
