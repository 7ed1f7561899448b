/* roi_pooling.c - ROIPooling and ROIAlign: regions of images, given by boxes, resized to the same size.
**
** rois has a row (image, left, top, right, bottom) for each output, in the coordinates of an image that is 1 /
** spatial_scale times as large as data. A row gives zeros if its image does not exist. rois has no gradient.
**
** ROIPooling rounds the box to elements, ends included, and divides it into bins, in the element type. A bin's output
** is its first maximum, where a NaN exceeds all others, or 0 if the bin is empty. The gradient row adds g to that
** element, which it finds by value; this row and its reverse are each other's gradients.
**
** ROIAlign samples each bin at evenly spaced points by bilinear interpolation and returns the mean. It is linear in
** data. Its gradient adds in the order of rois, bins and points; the two are each other's gradients.
*/
#include <math.h>

#include "base/threads/parallel_for.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/hidden_outputs.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"
#include "tensor/cast_copy.h"

typedef struct PoolingRegions { List pooled_size; double spatial_scale; } PoolingRegions;
typedef struct AlignRegions {
  List pooled_size;
  double spatial_scale;
  int64_t sample_ratio, position_sensitive, aligned;
} AlignRegions;
typedef struct AlignBackward { AlignRegions align; List shape; } AlignBackward;

/* ---- Inference ------------------------------------------------------------------------------------------ */

/* pooled_size and spatial_scale are the first parameters of all rows. */
static Status check_params(const PoolingRegions *p) {
  const Shape s = list_shape(&p->pooled_size);
  if (s.ndim != 2 || s.dim[0] < 1 || s.dim[1] < 1)
    return fail("pooled_size: expected two numbers of 1 or more, height and width, got %s", shape_numbers(&s));
  TRY(shape_check(&s, "pooled_size"));
  if (!(p->spatial_scale >= 0 && p->spatial_scale <= 1))
    return fail("spatial_scale: expected a number from 0 to 1, got %g", p->spatial_scale);
  return OK;
}

static Status check_rois(Infer *f, int i, bool may_be_four) {
  const Shape *s = &f->in[i].shape;
  if (s->ndim < 0) return input_shape(f, i, &(Shape){ 2, { UNKNOWN, may_be_four ? UNKNOWN : 5 } });
  if (s->ndim == 2 && (s->dim[1] < 0 || s->dim[1] == 5 || (may_be_four && s->dim[1] == 4))) return OK;
  return fail("rois: expected rows (image, left, top, right, bottom), shape (?, 5), got %s", shape_text(s));
}

static Shape regions_shape(const PoolingRegions *p, const Shape *rois, int64_t channels) {
  const int64_t *size = list_ints(&p->pooled_size);
  return (Shape){ 4, { rois->ndim < 0 ? UNKNOWN : rois->dim[0], channels, size[0], size[1] } };
}

static Status infer_pooling(Infer *f) {
  const PoolingRegions *p = f->params;
  const Shape *data = &f->in[0].shape;
  TRY(check_params(p));
  TRY(one_float_dtype(f, 2, f->n_out));
  TRY(check_images("data", &f->in[0].shape));
  TRY(check_rois(f, 1, false));
  TRY(infer_empty_outputs(f));
  Shape out = regions_shape(p, &f->in[1].shape, data->ndim < 0 ? UNKNOWN : data->dim[1]);
  return output_shape(f, 0, &out);
}

/* Inputs (values, data, rois, output): values have the shape of input `from`, the result that of input `to`. */
static Status infer_move(Infer *f, int from, int to) {
  TRY(one_float_dtype(f, 4, 1));
  TRY(check_images("data", &f->in[1].shape));
  TRY(check_rois(f, 2, false));
  TRY(input_shape(f, 0, &f->in[from].shape));
  return one_shape(f, to, 0);
}

static Status infer_backward_pooling(Infer *f) { return infer_move(f, 3, 1); }
static Status infer_at_max(Infer *f) { return infer_move(f, 1, 3); }

static Status align_channels(const AlignRegions *p, const Shape *data, int64_t *channels) {
  const int64_t *size = list_ints(&p->pooled_size), bins = size[0] * size[1];
  *channels = data->ndim < 0 ? UNKNOWN : data->dim[1];
  if (!p->position_sensitive || *channels < 0) return OK;
  if (*channels % bins != 0)
    return fail("data: expected a multiple of the %lld bins as channels if position_sensitive, got %s", (long long)bins,
                shape_text(data));
  *channels /= bins;
  return OK;
}

static Status infer_align(Infer *f) {
  const AlignRegions *p = f->params;
  int64_t channels;
  TRY(check_params(f->params));
  TRY(one_float_dtype(f, 2, 1));
  TRY(check_images("data", &f->in[0].shape));
  TRY(check_rois(f, 1, true));
  TRY(align_channels(p, &f->in[0].shape, &channels));
  Shape out = regions_shape(f->params, &f->in[1].shape, channels);
  return output_shape(f, 0, &out);
}

static Status infer_backward_align(Infer *f) {
  const AlignBackward *p = f->params;
  Shape data = list_shape(&p->shape);
  TRY(one_float_dtype(f, 2, 1));
  TRY(check_rois(f, 1, true));
  return output_shape(f, 0, &data);
}

/* ---- Kernels ------------------------------------------------------------------------------------------------ */

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

static int64_t within(int64_t i, int64_t n) { return i < 0 ? 0 : i > n ? n : i; }

/* Converts a coordinate to an index from -1e9 to 1e9. */
static int64_t as_place(double x) { return x > 1e9 ? 1000000000 : x > -1e9 ? (int64_t)x : -1000000000; }

/* The image of a roi; -1 if it does not exist. */
static int64_t image_of(const Regions *r, double number) {
  return number > -1 && number < (double)r->images ? (int64_t)number : -1;
}

#define IS_MAX(a, b) ((a) == (b) || ((a) != (a) && (b) != (b)))

/* Runs the body for each bin of a roi: number `bin`, elements [top, bottom) x [left, right), the roi's `image`. */
#define EACH_BIN(r, T, roi, ...)                                                                            \
  {                                                                                                         \
    const T *box = (const T *)(r)->rois + (roi) * 5, by = (T)(r)->scale;                                    \
    const int64_t image = image_of(r, box[0]);                                                              \
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

/* A point that is sampled: four elements of a plane and their weights. */
#define ALIGN(code, T, suffix)                                                                              \
  typedef struct Read_##suffix { int64_t at[4]; T weight[4]; } Read_##suffix;                               \
                                                                                                            \
  static bool read_##suffix(const Regions *r, T y, T x, Read_##suffix *to) {                                \
    if (!(y >= -1 && y <= (T)r->height && x >= -1 && x <= (T)r->width)) return false;                       \
    y = y > 0 ? y : 0;                                                                                      \
    x = x > 0 ? x : 0;                                                                                      \
    const int64_t top = within((int64_t)y, r->height - 1), left = within((int64_t)x, r->width - 1);         \
    const int64_t bottom = within(top + 1, r->height - 1), right = within(left + 1, r->width - 1);          \
    const T down = top < bottom ? y - (T)top : 0, over = left < right ? x - (T)left : 0;                    \
    *to = (Read_##suffix){ { top * r->width + left, top * r->width + right, bottom * r->width + left,       \
                             bottom * r->width + right },                                                   \
                           { (1 - down) * (1 - over), (1 - down) * over, down * (1 - over), down * over } }; \
    return true;                                                                                            \
  }                                                                                                         \
  /* One channel of the output. `back`: adds g at data's positions, which are zeros at first. */            \
  static void align_channel_##suffix(const Regions *r, int64_t roi, int64_t c, bool back) {                 \
    const T *box = (const T *)r->rois + roi * r->columns, by = (T)r->scale, offset = r->aligned ? (T)0.5 : 0; \
    const int64_t image = r->columns == 5 ? image_of(r, box[0]) : 0;                                        \
    if (r->columns == 5) box++;                                                                             \
    const T from_x = box[0] * by - offset, from_y = box[1] * by - offset;                                   \
    T wide = box[2] * by - offset - from_x, high = box[3] * by - offset - from_y;                           \
    if (!r->aligned) { wide = wide > 1 ? wide : 1; high = high > 1 ? high : 1; }                            \
    const T bin_height = high / (T)r->rows, bin_width = wide / (T)r->across;                                \
    const int64_t down = r->ratio > 0 ? r->ratio : within(as_place(ceil(bin_height)), 1 << 20);             \
    const int64_t over = r->ratio > 0 ? r->ratio : within(as_place(ceil(bin_width)), 1 << 20);              \
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
            Read_##suffix read;                                                                             \
            if (!read_##suffix(r, y, x, &read)) continue;                                                   \
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

static Status pooling_forward(Call *c) {
  const Shape *data = &c->in[0]->type.shape;
  Regions r = regions_of(c, data, c->in[1], &c->out[0]->type.shape);
  r.data = c->in[0]->data;
  return run_regions(&r, r.n, (double)(r.channels * r.height) * (double)r.width, BY_DTYPE(c, pool));
}

static Status move_values(Call *c, ParallelBody *body) {
  Regions r = regions_of(c, &c->in[1]->type.shape, c->in[2], &c->in[3]->type.shape);
  r.values = c->in[0]->data;
  r.data = c->in[1]->data;
  r.y = c->in[3]->data;
  return run_regions(&r, r.channels, (double)(r.n * r.height) * (double)r.width, body);
}

static Status backward_pooling_forward(Call *c) {
  clear_block(c->out[0]->data, tensor_bytes(c->out[0]));
  return move_values(c, BY_DTYPE(c, backward_pool));
}

static Status at_max_forward(Call *c) { return move_values(c, BY_DTYPE(c, at_max)); }

static void read_align(Regions *r, const AlignRegions *p) {
  r->ratio = p->sample_ratio;
  r->sensitive = p->position_sensitive != 0;
  r->aligned = p->aligned != 0;
}

static Status align_forward(Call *c) {
  Regions r = regions_of(c, &c->in[0]->type.shape, c->in[1], &c->out[0]->type.shape);
  read_align(&r, c->params);
  r.data = c->in[0]->data;
  for (int64_t i = 0; i < r.n && r.aligned; i++)
    if (!BY_DTYPE(c, has_area)(&r, i))
      return fail("%s: rois: expected boxes with an area if aligned, got none in row %lld", op_title(c->op),
                  (long long)i);
  return run_regions(&r, r.n * r.out_channels, 64 * (double)(r.rows * r.across), BY_DTYPE(c, align));
}

static Status backward_align_forward(Call *c) {
  Regions r = regions_of(c, &c->out[0]->type.shape, c->in[1], &c->in[0]->type.shape);
  read_align(&r, c->params);
  r.values = c->in[0]->data;
  clear_block(r.to, tensor_bytes(c->out[0]));
  return run_regions(&r, r.out_channels, 64 * (double)(r.n * r.rows * r.across), BY_DTYPE(c, backward_align));
}

/* ---- Gradients -------------------------------------------------------------------------------------------------- */

static Status grad_at_max(Gradient *d, const char *row, Entry data, Entry rois, Entry y) {
  return only_gradient(d, build_op(d->b, row, gradient_params(d), 4, d->out_grad[0], data, rois, y));
}

static Status pooling_grad(Gradient *d) {
  const Entry *in = d->node->in;
  return grad_at_max(d, "_backward_roi_pooling", in[0], in[1], (Entry){ d->node, 0 });
}

static Status backward_pooling_grad(Gradient *d) {
  const Entry *in = d->node->in;
  return grad_at_max(d, "_roi_pooling_at_max", in[1], in[2], in[3]);
}

static Status at_max_grad(Gradient *d) {
  const Entry *in = d->node->in;
  return grad_at_max(d, "_backward_roi_pooling", in[1], in[2], in[3]);
}

static Status align_grad(Gradient *d) {
  const Entry *in = d->node->in;
  const AlignBackward p = { *(const AlignRegions *)gradient_params(d), list_of_shape(&entry_type(in[0])->shape) };
  return only_gradient(d, build_op(d->b, "_backward_roi_align", &p, 2, d->out_grad[0], in[1]));
}

static Status backward_align_grad(Gradient *d) {
  const AlignBackward *p = gradient_params(d);
  return only_gradient(d, build_op(d->b, "_contrib_ROIAlign", &p->align, 2, d->out_grad[0], d->node->in[1]));
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define REGION_PARAMS                                                           \
  "pooled_size shape - The output's size, (height, width).\n"                   \
  "spatial_scale float - data's size divided by that of rois' image, from 0 to 1.\n"
#define ALIGN_PARAMS REGION_PARAMS                                                                                  \
  "sample_ratio int -1 Number of points along each axis of a bin; below 1: the bin's size.\n"                       \
  "position_sensitive bool False Each bin reads separate channels, so the output has fewer channels.\n"             \
  "aligned bool False Boxes give corners of elements, not centres.\n"
#define PICTURE "F.array{{{{1, 2, 0.5, 4}, {3, -1, 1.5, 0}, {2.5, 5, 6, 1.2}}}}"

/* clang-format off */
Op regions_ops[] = {
  { .name = "ROIPooling",
    .doc = "The maximum in each bin of regions of data, (batch, channel, height, width). rois has a row (image, left, "
           "top, right, bottom) for each output (R. Girshick, 2015). The output is 0 if there is no such image",
    .example = "F.ROIPooling(" PICTURE ", F.array{{0, 0, 0, 2, 2}, {0, 1.2, 0.8, 4, 2}}, "
               "{pooled_size = {2, 2}, spatial_scale = 1})\n"
               "F.ROIPooling(" PICTURE ", F.array{{0, 2, 0, 6, 4}}, {pooled_size = {1, 2}, spatial_scale = 0.5})",
    .inputs = "data rois", .outputs = "output maxidx", .params = REGION_PARAMS, .params_size = sizeof(PoolingRegions),
    .n_visible = one_visible, .unused = hidden_empty, .differentiable = 1, .infer = infer_pooling,
    .forward = pooling_forward, .grad = pooling_grad },
  { .name = "_backward_roi_pooling", .doc = "The gradient of data: g at the position of each maximum",
    .inputs = "g data rois output", .params = REGION_PARAMS, .params_size = sizeof(PoolingRegions),
    .differentiable = 1, .flags = OP_INTERNAL, .infer = infer_backward_pooling, .forward = backward_pooling_forward,
    .grad = backward_pooling_grad },
  { .name = "_roi_pooling_at_max", .doc = "The element of an array of data's shape at the position of each maximum",
    .inputs = "values data rois output", .params = REGION_PARAMS, .params_size = sizeof(PoolingRegions),
    .differentiable = 1, .flags = OP_INTERNAL, .infer = infer_at_max, .forward = at_max_forward, .grad = at_max_grad },
  { .name = "_contrib_ROIAlign", .aliases = "contrib.ROIAlign",
    .doc = "The mean of bilinear samples in each bin of regions of data, (batch, channel, height, width). rois has a "
           "row (image, left, top, right, bottom) for each output, or (left, top, right, bottom) for the first image "
           "(K. He et al., 2017). The output is 0 if there is no such image",
    .example = "F.contrib.ROIAlign(" PICTURE ", F.rint(F.array{{0, 0, 0, 20, 20}, {0, 12, 8, 40, 20}}), "
               "{pooled_size = {2, 2}, spatial_scale = 0.1})\n"
               "F.contrib.ROIAlign(" PICTURE ", F.rint(F.array{{3, 2, 60, 50}}), {pooled_size = {1, 2}, "
               "spatial_scale = 0.05, sample_ratio = 2, aligned = true})",
    .inputs = "data rois", .params = ALIGN_PARAMS, .params_size = sizeof(AlignRegions), .differentiable = 1,
    .name_stem = "roialign", .infer = infer_align, .forward = align_forward, .grad = align_grad },
  { .name = "_backward_roi_align", .doc = "The gradient of data", .inputs = "g rois",
    .params = ALIGN_PARAMS "shape shape - The shape of data.\n", .params_size = sizeof(AlignBackward),
    .differentiable = 1, .flags = OP_INTERNAL, .infer = infer_backward_align, .forward = backward_align_forward,
    .grad = backward_align_grad },
  { 0 }
};
/* clang-format on */
