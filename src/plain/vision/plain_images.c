/* plain_images.c - the rows that image_resize.h, image_transform.h, image_taps.h, image_color.h, grid_sampler.h and
** upsampling.h define, and their numbers.
*/
#include "ops/vision/grid_sampler.h"
#include "ops/vision/image_color.h"
#include "ops/vision/image_resize.h"
#include "ops/vision/image_transform.h"
#include "ops/vision/upsampling.h"
#include "plain/plain_registry.h"

/* ---- Resizing ----------------------------------------------------------------------------------- */

static void adaptive_numbers(const Query *q, PlainCall *c) {
  const Shape *data = query_in_shape(q, 0);
  plain_whole(c, data->dim[0] * data->dim[1]);
  plain_wholes(c, data->dim + 2, 2);
  plain_wholes(c, query_out_shape(q, 0)->dim + 2, 2);
}

static void resize_numbers(const Query *q, PlainCall *c) {
  adaptive_numbers(q, c);
  plain_whole(c, ((const ResizeParams *)q->params)->align_corners);
}

/* ---- Grids -------------------------------------------------------------------------------------- */

static void generator_numbers(const Query *q, PlainCall *c) {
  const Shape *grid = query_out_shape(q, 0);
  c->function = ((const GridParams *)q->params)->transform_type == GRID_WARP ? "warp_grid" : "affine_grid";
  plain_whole(c, grid->dim[0]);
  plain_wholes(c, grid->dim + 2, 2);
}

static void sampler_numbers(const Query *q, PlainCall *c) {
  plain_wholes(c, query_in_shape(q, 0)->dim, 4);
  plain_whole(c, shape_size_range(query_out_shape(q, 0), 2, 4));
}

/* ---- Images ------------------------------------------------------------------------------------- */

static void to_tensor_numbers(const Query *q, PlainCall *c) {
  const Shape *s = query_in_shape(q, 0);
  const int at = s->ndim - 3;
  plain_whole(c, shape_size_range(s, 0, at));
  plain_whole(c, shape_size_range(s, at, at + 2));
  plain_whole(c, s->dim[at + 2]);
}

static void add_channels(PlainCall *c, const List *numbers) {
  for (int i = 0; i < 3; i++) plain_number(c, list_floats(numbers)[i < numbers->count ? i : 0]);
}

static void normalize_numbers(const Query *q, PlainCall *c) {
  const NormalizeParams *p = q->params;
  const Shape *s = query_in_shape(q, 0);
  const int at = s->ndim - 3;
  plain_whole(c, shape_size_range(s, 0, at));
  plain_whole(c, s->dim[at]);
  plain_whole(c, shape_size_range(s, at + 1, s->ndim));
  add_channels(c, &p->mean);
  add_channels(c, &p->std);
}

static void image_resize_numbers(const Query *q, PlainCall *c) {
  const Shape *from = query_in_shape(q, 0), *to = query_out_shape(q, 0);
  const int at = from->ndim - 3;
  plain_whole(c, shape_size_range(from, 0, at));
  plain_wholes(c, from->dim + at, 3);
  plain_wholes(c, to->dim + at, 2);
  plain_whole(c, ((const ImageResizeParams *)q->params)->interp);
  plain_whole(c, query_in(q, 0)->dtype == DT_UINT8);
  c->workspace = from->dim[at] + from->dim[at + 1] + 12;     /* the most taps, and their counts */
}

/* What the principal components of colours in ImageNet add to each channel, in float. */
static void lighting_numbers(const Query *q, PlainCall *c) {
  static const float colour[3][3] = { { 55.46f * -0.5675f, 4.794f * 0.7192f, 1.148f * 0.4009f },
                                      { 55.46f * -0.5808f, 4.794f * -0.0045f, 1.148f * -0.8140f },
                                      { 55.46f * -0.5836f, 4.794f * -0.6948f, 1.148f * 0.4203f } };
  const double *alpha = list_floats(&((const LightingParams *)q->params)->alpha);
  const float a[3] = { (float)alpha[0], (float)alpha[1], (float)alpha[2] };
  const Shape *s = query_in_shape(q, 0);
  plain_whole(c, s->dim[0] * s->dim[1]);
  plain_whole(c, s->dim[2]);
  for (int i = 0; i < 3; i++) plain_number(c, colour[i][0] * a[0] + colour[i][1] * a[1] + colour[i][2] * a[2]);
}

/* ---- UpSampling -------------------------------------------------------------------------------- */

static int64_t enlarged_size(const Query *q, int i) { return query_in_shape(q, i / 3)->dim[1 + i % 3]; }

static void upsampling_numbers(const Query *q, PlainCall *c) {
  const UpSamplingParams *p = q->params;
  const Shape *data = query_in_shape(q, 0), *out = query_out_shape(q, 0);
  if (p->sample_type == SAMPLE_NEAREST) {
    c->function = "enlarge";
    c->size = enlarged_size;
    c->n_sizes = 3 * q->n_in;
    plain_whole(c, q->n_in);
    plain_wholes(c, out->dim, 4);
    plain_whole(c, p->multi_input_mode == MULTI_SUM);
  } else {
    plain_whole(c, data->dim[0] * data->dim[1]);
    plain_wholes(c, data->dim + 1, 3);
    plain_whole(c, p->scale);
    plain_whole(c, window_side(p->scale));
  }
}

/* ---- Rows -------------------------------------------------------------------------------------- */

enum { FLOAT32 = ONE_TYPE(DT_FLOAT32), IMAGES = FLOAT32 | ONE_TYPE(DT_UINT8) };

#define VISION(row, file, name, set, numbers)                                                                 \
  { .op = row, .text = "vision/" file, .function = name, .types = set, .arguments = numbers }

const Plain plain_images[] = {
  VISION("_contrib_AdaptiveAvgPooling2D", "image_resize", "adaptive_mean", FLOAT_TYPES, adaptive_numbers),
  VISION("_contrib_BilinearResize2D", "image_resize", "bilinear_resize", FLOAT_TYPES, resize_numbers),
  VISION("GridGenerator", "grid_sampler", "affine_grid", FLOAT_TYPES, generator_numbers),
  VISION("BilinearSampler", "grid_sampler", "sample_grid", FLOAT_TYPES, sampler_numbers),
  VISION("_image_to_tensor", "image_transform", "image_to_tensor", FLOAT32, to_tensor_numbers),
  VISION("_image_normalize", "image_transform", "image_normalize", FLOAT_TYPES, normalize_numbers),
  VISION("_image_adjust_lighting", "image_color", "adjust_lighting", IMAGES, lighting_numbers),
  VISION("UpSampling", "upsampling", "spread", FLOAT_TYPES, upsampling_numbers),
  VISION("_image_resize", "image_taps", "image_resize", IMAGES, image_resize_numbers),
  { 0 }
};
