/* roi_pooling_kernels.c - kernels of ROIPooling, ROIAlign and their gradients. */
#include <math.h>

#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "kernels/vision/region_places.h"
#include "ops/vision/roi_pooling.h"
#include "tensor/cast_copy.h"

/* Sizes of data and of the output, and the arrays that the kernel reads and writes. */
typedef struct Regions {
  int64_t images, channels, height, width;
  int64_t n, columns, out_channels, rows, across;        /* sizes of rois, then of the output */
  double scale;
  int64_t ratio;
  bool sensitive, aligned;
  const void *data, *rois, *values, *y;
  void *to;
} Regions;

#define IS_MAX(a, b) ((a) == (b) || ((a) != (a) && (b) != (b)))

/* Runs the body for each bin of a roi: number `bin`, elements [top, bottom) x [left, right), the roi's `image`. */
#define EACH_BIN(r, T, roi, ...)                                                                            \
  {                                                                                                         \
    const T *box = (const T *)(r)->rois + (roi) * 5, by = (T)(r)->scale;                                    \
    const int64_t image = image_of(box[0], (r)->images);                                                    \
    const int64_t from_x = as_place(round(box[1] * by)), from_y = as_place(round(box[2] * by));             \
    const int64_t wide = as_place(round(box[3] * by)) - from_x + 1, high = as_place(round(box[4] * by)) - from_y + 1; \
    const T bin_height = (T)(high > 1 ? high : 1) / (T)(r)->rows;                                           \
    const T bin_width = (T)(wide > 1 ? wide : 1) / (T)(r)->across;                                          \
    for (int64_t i = 0, bin = 0; i < (r)->rows; i++)                                                        \
      for (int64_t j = 0; j < (r)->across; j++, bin++) {                                                    \
        const int64_t top = within((int64_t)floor((T)i * bin_height) + from_y, (r)->height);                \
        const int64_t bottom = within((int64_t)ceil((T)(i + 1) * bin_height) + from_y, (r)->height);        \
        const int64_t left = within((int64_t)floor((T)j * bin_width) + from_x, (r)->width);                 \
        const int64_t right = within((int64_t)ceil((T)(j + 1) * bin_width) + from_x, (r)->width);           \
        __VA_ARGS__                                                                                         \
      }                                                                                                     \
  }

#define POOL(code, T, suffix)                                                                               \
  /* A work item is a roi. */                                                                               \
  static void pool_##suffix(void *context, int64_t first, int64_t last) {                                   \
    const Regions *r = context;                                                                             \
    const int64_t bins = r->rows * r->across, size = r->height * r->width;                                  \
    for (int64_t roi = first; roi < last && !interrupted(); roi++)                                          \
      EACH_BIN(r, T, roi,                                                                                   \
        for (int64_t c = 0; c < r->channels; c++) {                                                         \
          const bool none = image < 0 || top >= bottom || left >= right;                                    \
          const T *plane = (const T *)r->data + ((image < 0 ? 0 : image) * r->channels + c) * size;         \
          T best = none ? 0 : -(T)HUGE_VAL;                                                                 \
          for (int64_t y = top; y < bottom && !none; y++)                                                   \
            for (int64_t x = left; x < right; x++) {                                                        \
              const T a = plane[y * r->width + x];                                                          \
              best = a > best || a != a ? a : best;                                                         \
            }                                                                                               \
          ((T *)r->to)[(roi * r->channels + c) * bins + bin] = best;                                        \
        })                                                                                                  \
  }                                                                                                         \
  /* The first element of a bin with its maximum; -1 if the bin is empty. */                                \
  static int64_t find_##suffix(const Regions *r, const T *plane, int64_t top, int64_t bottom, int64_t left, \
                               int64_t right, T best) {                                                     \
    for (int64_t y = top; y < bottom; y++)                                                                  \
      for (int64_t x = left; x < right; x++) if (IS_MAX(plane[y * r->width + x], best)) return y * r->width + x; \
    return -1;                                                                                              \
  }                                                                                                         \
  /* A work item is a channel, because several rois may see the same element. `back`: adds values at data's \
  ** positions, which are zeros at first; else reads values there. */                                       \
  static void move_##suffix(const Regions *r, int64_t c, bool back) {                                       \
    const int64_t bins = r->rows * r->across, size = r->height * r->width;                                  \
    const T *values = r->values;                                                                            \
    T *to = r->to;                                                                                          \
    for (int64_t roi = 0; roi < r->n; roi++)                                                                \
      EACH_BIN(r, T, roi,                                                                                   \
        const int64_t o = (roi * r->channels + c) * bins + bin;                                             \
        const int64_t plane = ((image < 0 ? 0 : image) * r->channels + c) * size;                           \
        const int64_t at = image < 0 ? -1 : find_##suffix(r, (const T *)r->data + plane, top, bottom, left, right, \
                                                          ((const T *)r->y)[o]);                            \
        if (!back) to[o] = at < 0 ? 0 : values[plane + at];                                                 \
        else if (at >= 0) to[plane + at] += values[o];)                                                     \
  }                                                                                                         \
  static void backward_pool_##suffix(void *context, int64_t first, int64_t last) {                          \
    for (int64_t c = first; c < last && !interrupted(); c++) move_##suffix(context, c, true);               \
  }                                                                                                         \
  static void at_max_##suffix(void *context, int64_t first, int64_t last) {                                 \
    for (int64_t c = first; c < last && !interrupted(); c++) move_##suffix(context, c, false);              \
  }
EACH_FLOAT(POOL)

EACH_FLOAT(REGION_SAMPLE)

#define ALIGN(code, T, suffix)                                                                              \
  /* One channel of the output. `back`: adds g at data's positions, which are zeros at first. */            \
  static void align_channel_##suffix(const Regions *r, int64_t roi, int64_t c, bool back) {                 \
    const T *box = (const T *)r->rois + roi * r->columns, by = (T)r->scale, offset = r->aligned ? (T)0.5 : 0; \
    const int64_t image = r->columns == 5 ? image_of(box[0], r->images) : 0;                                \
    if (r->columns == 5) box++;                                                                             \
    const T from_x = box[0] * by - offset, from_y = box[1] * by - offset;                                   \
    T wide = box[2] * by - offset - from_x, high = box[3] * by - offset - from_y;                           \
    if (!r->aligned) { wide = wide > 1 ? wide : 1; high = high > 1 ? high : 1; }                            \
    const T bin_height = high / (T)r->rows, bin_width = wide / (T)r->across;                                \
    const int64_t down = points_along(r->ratio, ceil(bin_height));                                          \
    const int64_t over = points_along(r->ratio, ceil(bin_width));                                           \
    const T count = (T)(down * over);                                                                       \
    for (int64_t i = 0, bin = 0; i < r->rows; i++)                                                          \
      for (int64_t j = 0; j < r->across && !interrupted(); j++, bin++) {                                    \
        const int64_t channel = r->sensitive ? c * r->rows * r->across + bin : c;                           \
        const int64_t plane = ((image < 0 ? 0 : image) * r->channels + channel) * r->height * r->width;     \
        const int64_t o = (roi * r->out_channels + c) * r->rows * r->across + bin;                          \
        T sum = 0;                                                                                          \
        for (int64_t k = 0; k < down && image >= 0 && !interrupted(); k++)                                  \
          for (int64_t m = 0; m < over; m++) {                                                              \
            const T y = from_y + (T)i * bin_height + ((T)k + (T)0.5) * bin_height / (T)down;                \
            const T x = from_x + (T)j * bin_width + ((T)m + (T)0.5) * bin_width / (T)over;                  \
            Sample_##suffix read;                                                                           \
            if (!sample_##suffix(r->height, r->width, y, x, &read)) continue;                               \
            if (!back) {                                                                                    \
              const T *data = (const T *)r->data + plane;                                                   \
              for (int q = 0; q < 4; q++) sum += read.weight[q] * data[read.at[q]];                         \
            } else {                                                                                        \
              T *to = (T *)r->to + plane;                                                                   \
              for (int q = 0; q < 4; q++) to[read.at[q]] += ((const T *)r->values)[o] * read.weight[q] / count; \
            }                                                                                               \
          }                                                                                                 \
        if (!back) ((T *)r->to)[o] = image < 0 ? 0 : sum / count;                                           \
      }                                                                                                     \
  }                                                                                                         \
  static void align_##suffix(void *context, int64_t first, int64_t last) {                                  \
    const Regions *r = context;                                                                             \
    for (int64_t i = first; i < last && !interrupted(); i++)                                                \
      align_channel_##suffix(r, i / r->out_channels, i % r->out_channels, false);                           \
  }                                                                                                         \
  /* A work item is a channel, because several rois may see the same element. */                            \
  static void backward_align_##suffix(void *context, int64_t first, int64_t last) {                         \
    const Regions *r = context;                                                                             \
    for (int64_t c = first; c < last; c++)                                                                  \
      for (int64_t roi = 0; roi < r->n && !interrupted(); roi++) align_channel_##suffix(r, roi, c, true);   \
  }                                                                                                         \
  static bool has_area_##suffix(const Regions *r, int64_t roi) {                                            \
    const T *box = (const T *)r->rois + roi * r->columns + (r->columns == 5), by = (T)r->scale;             \
    return box[2] * by - box[0] * by > 0 && box[3] * by - box[1] * by > 0;                                  \
  }
EACH_FLOAT(ALIGN)

static Regions regions_of(const Call *c, const Shape *data, const Tensor *rois, const Shape *out) {
  return (Regions){ .images = data->dim[0],
                    .channels = data->dim[1],
                    .height = data->dim[2],
                    .width = data->dim[3],
                    .n = out->dim[0],
                    .columns = rois->type.shape.dim[1],
                    .out_channels = out->dim[1],
                    .rows = out->dim[2],
                    .across = out->dim[3],
                    .scale = (float)((const PoolingRegions *)c->params)->spatial_scale,
                    .rois = rois->data,
                    .to = c->out[0]->data };
}

/* Runs work items that read `work` elements each. */
static Status run_regions(Regions *r, int64_t items, double work, ParallelBody *body) {
  return run_parallel(items, (int64_t)((1 << 13) / (work + 1)) + 1, body, r);
}

static Status pooling(Call *c) {
  const Shape *data = &c->in[0]->type.shape;
  Regions r = regions_of(c, data, c->in[1], &c->out[0]->type.shape);
  r.data = c->in[0]->data;
  return run_regions(&r, r.n, (double)(r.channels * r.height) * (double)r.width, c->kernel->body);
}

static Status move_values(Call *c) {
  Regions r = regions_of(c, &c->in[1]->type.shape, c->in[2], &c->in[3]->type.shape);
  r.values = c->in[0]->data;
  r.data = c->in[1]->data;
  r.y = c->in[3]->data;
  return run_regions(&r, r.channels, (double)(r.n * r.height) * (double)r.width, c->kernel->body);
}

static Status backward_pooling(Call *c) {
  clear_block(c->out[0]->data, tensor_bytes(c->out[0]));
  return move_values(c);
}

static void read_align(Regions *r, const AlignRegions *p) {
  r->ratio = p->sample_ratio;
  r->sensitive = p->position_sensitive != 0;
  r->aligned = p->aligned != 0;
}

/* The column `own` of ROIAlign: does a roi have an area? */
typedef struct AlignCheck { bool (*has_area)(const Regions *r, int64_t roi); } AlignCheck;

static Status align(Call *c) {
  Regions r = regions_of(c, &c->in[0]->type.shape, c->in[1], &c->out[0]->type.shape);
  read_align(&r, c->params);
  r.data = c->in[0]->data;
  const AlignCheck *check = c->kernel->own;
  for (int64_t i = 0; i < r.n && r.aligned; i++)
    if (!check->has_area(&r, i))
      return fail("%s: rois: expected boxes with an area if aligned, got none in row %lld", op_title(c->op),
                  (long long)i);
  return run_regions(&r, r.n * r.out_channels, 64 * (double)(r.rows * r.across), c->kernel->body);
}

static Status backward_align(Call *c) {
  Regions r = regions_of(c, &c->out[0]->type.shape, c->in[1], &c->in[0]->type.shape);
  read_align(&r, c->params);
  r.values = c->in[0]->data;
  clear_block(r.to, tensor_bytes(c->out[0]));
  return run_regions(&r, r.out_channels, 64 * (double)(r.n * r.rows * r.across), c->kernel->body);
}

const Kernel roi_pooling_kernels[] = {
  FLOAT_KERNELS("ROIPooling", pooling, pool),
  FLOAT_KERNELS("_backward_roi_pooling", backward_pooling, backward_pool),
  FLOAT_KERNELS("_roi_pooling_at_max", move_values, at_max),
  { .op = "_contrib_ROIAlign",
    .types = ONE_TYPE(DT_FLOAT32),
    .run = align,
    .body = align_f32,
    .own = &(const AlignCheck){ has_area_f32 } },
  { .op = "_contrib_ROIAlign",
    .types = ONE_TYPE(DT_FLOAT64),
    .run = align,
    .body = align_f64,
    .own = &(const AlignCheck){ has_area_f64 } },
  FLOAT_KERNELS("_backward_roi_align", backward_align, backward_align),
  { 0 },
};
