/* image_color.c - MXNet's nd.image: brightness, contrast, saturation, hue and lighting, by given or random amounts.
**
** An image is (height, width, channels) with 1 channel or 3 (red, green, blue), uint8 or float32. Everything is
** computed in float32; uint8 results are clipped to 0 .. 255 and truncated. Random operators draw their amounts when
** they run.
*/
#include <math.h>
#include <string.h>

#include "base/threads/parallel_for.h"
#include "base/math/double_functions.h"
#include "base/math/random_stream.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"
#include "state/engine.h"
#include "tensor/cast_copy.h"

typedef struct FactorParams { double min_factor, max_factor; } FactorParams;
typedef struct JitterParams { double brightness, contrast, saturation, hue; } JitterParams;
typedef struct LightingParams { List alpha; } LightingParams;
typedef struct RandomLightingParams { double alpha_std; } RandomLightingParams;

/* ---- Inference ------------------------------------------------------------------------------------------ */

static Status infer_color(Infer *f) {
  const Shape *data = &f->in[0].shape;
  const DType dtype = f->in[0].dtype;
  TRY(infer_same_type(f));
  if (dtype != DT_UNKNOWN && dtype != DT_UINT8 && dtype != DT_FLOAT32)
    return fail("data: expected dtype uint8 or float32, got %s; convert with astype", dtype_name(dtype));
  if (data->ndim < 0) return OK;
  if (data->ndim != 3) return fail("data: expected 3 dimensions (height, width, channels), got %s", shape_text(data));
  if (data->dim[2] >= 0 && data->dim[2] != 1 && data->dim[2] != 3)
    return fail("data: expected 1 or 3 channels, got %s", shape_text(data));
  return OK;
}

static Status infer_factor(Infer *f) {
  const FactorParams *p = f->params;
  if (!(p->min_factor >= 0)) return fail("min_factor: expected 0 or more, got %g", p->min_factor);
  if (!(p->max_factor >= p->min_factor))
    return fail("max_factor: expected min_factor = %g or more, got %g", p->min_factor, p->max_factor);
  return infer_color(f);
}

static Status infer_jitter(Infer *f) {
  static const char *const names[] = { "brightness", "contrast", "saturation", "hue" };
  const double *amount = f->params;
  for (int i = 0; i < 4; i++)
    if (!(amount[i] >= 0)) return fail("%s: expected 0 or more, got %g", names[i], amount[i]);
  return infer_color(f);
}

static Status infer_lighting(Infer *f) {
  const LightingParams *p = f->params;
  if (p->alpha.count != 3) return fail("alpha: expected 3 numbers, got %lld", (long long)p->alpha.count);
  return infer_color(f);
}

static Status infer_random_lighting(Infer *f) {
  const RandomLightingParams *p = f->params;
  if (!(p->alpha_std >= 0)) return fail("alpha_std: expected 0 or more, got %g", p->alpha_std);
  return infer_color(f);
}

/* ---- Changes of an image ------------------------------------------------------------------------------ */

/* An image of n pixels; `to` may be `from`. */
typedef struct Picture { DType dtype; int64_t n; int channels; const void *from; void *to; } Picture;

static Picture picture_of(const Call *c) {
  const Shape *s = &c->in[0]->type.shape;
  return (Picture){ c->in[0]->type.dtype, s->dim[0] * s->dim[1], (int)s->dim[2], c->in[0]->data, c->out[0]->data };
}

static float get(const Picture *p, int64_t i) {
  return p->dtype == DT_UINT8 ? (float)((const uint8_t *)p->from)[i] : ((const float *)p->from)[i];
}

static void put(const Picture *p, int64_t i, float x) {
  if (p->dtype == DT_FLOAT32) ((float *)p->to)[i] = x;
  else ((uint8_t *)p->to)[i] = x > 0 ? (x < 255 ? (uint8_t)x : 255) : 0;
}

static float gray_of(const float *rgb) { return rgb[0] * 0.299f + rgb[1] * 0.587f + rgb[2] * 0.114f; }

static void read_pixel(const Picture *p, int64_t i, float *rgb) {
  for (int c = 0; c < 3; c++) rgb[c] = get(p, 3 * i + c);
}

static void scale(const Picture *p, float factor, float shift) {
  for (int64_t i = 0; i < p->n * p->channels; i++) {
    if (i % 65536 == 0 && interrupted()) return;
    put(p, i, get(p, i) * factor + shift);
  }
}

static void set_brightness(const Picture *p, float factor) { scale(p, factor, 0); }

/* Scales the distance from the mean gray. */
static void set_contrast(const Picture *p, float factor) {
  double sum = 0;
  for (int64_t i = 0; i < p->n; i++) {
    float rgb[3] = { 0 };
    if (p->channels == 3) read_pixel(p, i, rgb);
    sum += p->channels == 3 ? gray_of(rgb) : get(p, i);
  }
  scale(p, factor, p->n > 0 ? (1 - factor) * (float)(sum / (double)p->n) : 0);
}

static void keep(const Picture *p) {
  if (p->from != p->to) memcpy(p->to, p->from, (size_t)(p->n * p->channels) * dtype_size(p->dtype));
}

/* Is the image gray? Then copies it unchanged. */
static bool keep_gray(const Picture *p) {
  if (p->channels == 1) keep(p);
  return p->channels == 1;
}

/* Scales the distance from each pixel's gray. MXNet's operator omits red and green from the gray; its
** mx.image.SaturationJitterAug does not. */
static void set_saturation(const Picture *p, float factor) {
  if (keep_gray(p)) return;
  for (int64_t i = 0; i < p->n; i++) {
    float rgb[3];
    read_pixel(p, i, rgb);
    const float gray = gray_of(rgb) * (1 - factor);
    for (int c = 0; c < 3; c++) put(p, 3 * i + c, gray + rgb[c] * factor);
  }
}

typedef struct HLS { float hue, light, saturation; } HLS;      /* hue in degrees, the others from 0 to 1 */

static HLS hls_of(const float *rgb) {
  const float r = rgb[0] / 255, g = rgb[1] / 255, b = rgb[2] / 255;
  const float most = fmaxf(fmaxf(r, g), b), least = fminf(fminf(r, g), b), range = most - least;
  HLS x = { 0, (most + least) * 0.5f, 0 };
  if (!(range > 0x1p-23f)) return x;
  x.saturation = x.light < 0.5f ? range / (most + least) : range / (2 - most - least);
  const float degrees = 60 / range;
  if (most == r) x.hue = (g - b) * degrees;
  else if (most == g) x.hue = (b - r) * degrees + 120;
  else x.hue = (r - g) * degrees + 240;
  if (x.hue < 0) x.hue += 360;
  return x;
}

static void rgb_of(HLS x, float *rgb) {
  static const int8_t part[6][3] = { { 0, 3, 1 }, { 2, 0, 1 }, { 1, 0, 3 }, { 1, 2, 0 }, { 3, 1, 0 }, { 0, 1, 2 } };
  rgb[0] = rgb[1] = rgb[2] = x.light * 255;
  if (x.saturation == 0) return;
  const float high = x.light <= 0.5f ? x.light * (1 + x.saturation) : x.light + x.saturation - x.light * x.saturation;
  const float low = 2 * x.light - high;
  float h = fmodf(x.hue * (1 / 60.0f), 6);
  if (h < 0) h += 6;
  const int sector = h < 6 ? (int)h : 0;       /* for NaN too */
  h -= (float)(h >= 6 ? 6 : sector);
  const float value[4] = { high, low, low + (high - low) * (1 - h), low + (high - low) * h };
  for (int c = 0; c < 3; c++) rgb[c] = value[part[sector][c]] * 255;
}

/* Rotates the hue by factor * 360 degrees. */
static void set_hue(const Picture *p, float factor) {
  if (keep_gray(p)) return;
  for (int64_t i = 0; i < p->n; i++) {
    float rgb[3];
    read_pixel(p, i, rgb);
    HLS x = hls_of(rgb);
    x.hue += factor * 360;
    rgb_of(x, rgb);
    for (int c = 0; c < 3; c++) put(p, 3 * i + c, rgb[c]);
  }
}

/* Adds the principal colours of ImageNet's images, times alpha and their deviations (A. Krizhevsky, 2012). */
static void set_lighting(const Picture *p, const float *alpha) {
  static const float colour[3][3] = { { 55.46f * -0.5675f, 4.794f * 0.7192f, 1.148f * 0.4009f },
                                      { 55.46f * -0.5808f, 4.794f * -0.0045f, 1.148f * -0.8140f },
                                      { 55.46f * -0.5836f, 4.794f * -0.6948f, 1.148f * 0.4203f } };
  if (keep_gray(p)) return;
  float shift[3];
  for (int c = 0; c < 3; c++) shift[c] = colour[c][0] * alpha[0] + colour[c][1] * alpha[1] + colour[c][2] * alpha[2];
  for (int64_t i = 0; i < p->n; i++)
    for (int c = 0; c < 3; c++) put(p, 3 * i + c, get(p, 3 * i + c) + shift[c]);
}

/* ---- Random amounts -------------------------------------------------------------------------------------- */

/* A number from low to high, from draw k. */
static float between(double low, double high, const uint32_t *bits, int k) {
  return (float)(low + (high - low) * (double)random_unit32(bits[k]));
}

typedef void Change(const Picture *p, float factor);

static Status change(const Call *c, Change *by) {
  const FactorParams *f = c->params;
  Picture p = picture_of(c);
  uint32_t bits[4];
  random_four(random_take(&engine_now()->random, 1), 0, bits);
  by(&p, between(f->min_factor, f->max_factor, bits, 0));
  return interrupt_status();
}

static Status brightness_forward(Call *c) { return change(c, set_brightness); }
static Status contrast_forward(Call *c) { return change(c, set_contrast); }
static Status saturation_forward(Call *c) { return change(c, set_saturation); }
static Status hue_forward(Call *c) { return change(c, set_hue); }

/* Applies the four changes in random order, by factors from 1 - amount to 1 + amount; amounts of 0 are skipped. */
static Status jitter_forward(Call *c) {
  static Change *const all[4] = { set_brightness, set_contrast, set_saturation, set_hue };
  const double *amount = c->params;
  Picture p = picture_of(c);
  RandomBlock block = random_take(&engine_now()->random, 2);
  uint32_t places[4], bits[4];
  int order[4] = { 0, 1, 2, 3 };
  random_four(block, 0, places);
  random_four(block, 1, bits);
  for (int i = 3; i > 0; i--) {
    const int k = (int)(places[i] % (uint32_t)(i + 1)), kept = order[i];
    order[i] = order[k];
    order[k] = kept;
  }
  keep(&p);
  p.from = p.to;
  for (int i = 0; i < 4 && !interrupted(); i++) {
    const int k = order[i];
    if (amount[k] > 0) all[k](&p, between(k == 3 ? 1 - amount[k] : fmax(0, 1 - amount[k]), 1 + amount[k], bits, k));
  }
  return interrupt_status();
}

static Status lighting_forward(Call *c) {
  const double *given = list_floats(&((const LightingParams *)c->params)->alpha);
  const float alpha[3] = { (float)given[0], (float)given[1], (float)given[2] };
  Picture p = picture_of(c);
  set_lighting(&p, alpha);
  return interrupt_status();
}

/* Draws normal numbers by Box-Muller, two from two uniform ones. */
static Status random_lighting_forward(Call *c) {
  const double deviation = ((const RandomLightingParams *)c->params)->alpha_std;
  Picture p = picture_of(c);
  uint32_t bits[4];
  float alpha[3];
  random_four(random_take(&engine_now()->random, 1), 0, bits);
  for (int i = 0; i < 3; i++) {
    const double radius = sqrt(-2 * hl_log64(1 - (double)random_unit32(bits[i / 2 * 2])));
    const double turns = (double)random_unit32(bits[i / 2 * 2 + 1]);
    alpha[i] = (float)(deviation * radius * (i % 2 ? hl_sin_turns64(turns) : hl_cos_turns64(turns)));
  }
  set_lighting(&p, alpha);
  return interrupt_status();
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define PICTURE "F.array({{{1, 20, 255}, {40, 5, 60}}, {{100, 0, 3}, {4, 250, 6}}}, {dtype = \"uint8\"})"

#define FACTOR_ROW(title, text)                                                                                     \
  { .name = "_image_random_" #title, .aliases = "image.random_" #title, .doc = text " of an image by a random "     \
    "factor between min_factor and max_factor; uint8 is clipped",                                                   \
    .example = "F.image.random_" #title "(" PICTURE ", {min_factor = 0.8, max_factor = 1.2})",                      \
    .inputs = "data", .params = "min_factor float - The lowest factor, 0 or more.\nmax_factor float - The highest.\n", \
    .params_size = sizeof(FactorParams), .effects = op_draws_always, .infer = infer_factor,                         \
    .forward = title##_forward }

/* clang-format off */
Op image_color_ops[] = {
  FACTOR_ROW(brightness, "Scales the brightness"),
  FACTOR_ROW(contrast, "Scales the contrast (the distance from the mean gray)"),
  FACTOR_ROW(saturation, "Scales the saturation (the distance from each pixel's gray)"),
  { .name = "_image_random_hue", .aliases = "image.random_hue",
    .doc = "Rotates the hue of an image by 360 degrees times a random factor between min_factor and max_factor",
    .example = "F.image.random_hue(" PICTURE ", {min_factor = 0.9, max_factor = 1.1})", .inputs = "data",
    .params = "min_factor float - The lowest factor, 0 or more; 1 changes nothing.\nmax_factor float - The highest.\n",
    .params_size = sizeof(FactorParams), .effects = op_draws_always, .infer = infer_factor, .forward = hue_forward },
  { .name = "_image_random_color_jitter", .aliases = "image.random_color_jitter",
    .doc = "Changes brightness, contrast, saturation and hue of an image in random order, each by a random factor from "
           "1 - amount to 1 + amount",
    .example = "F.image.random_color_jitter(" PICTURE
               ", {brightness = 0.2, contrast = 0.1, saturation = 0.3, hue = 0.1})",
    .inputs = "data",
    .params = "brightness float - The amount of brightness.\ncontrast float - The amount of contrast.\n"
              "saturation float - The amount of saturation.\nhue float - The amount of hue.\n",
    .params_size = sizeof(JitterParams), .effects = op_draws_always, .infer = infer_jitter, .forward = jitter_forward },
  { .name = "_image_adjust_lighting", .aliases = "image.adjust_lighting",
    .doc = "Adds the three principal colours of ImageNet's images, times alpha and their deviations (A. Krizhevsky et "
           "al., 2012); a gray image is unchanged",
    .example = "F.image.adjust_lighting(" PICTURE ", {alpha = {0.1, -0.2, 0.3}})", .inputs = "data",
    .params = "alpha floats - The amount of each colour.\n", .params_size = sizeof(LightingParams),
    .infer = infer_lighting, .forward = lighting_forward },
  { .name = "_image_random_lighting", .aliases = "image.random_lighting",
    .doc = "adjust_lighting by three random normal numbers", .example = "F.image.random_lighting(" PICTURE ", "
    "{alpha_std = 0.1})", .inputs = "data", .params = "alpha_std float 0.05 The deviation of the numbers.\n",
    .params_size = sizeof(RandomLightingParams), .effects = op_draws_always, .infer = infer_random_lighting,
    .forward = random_lighting_forward },
  { 0 }
};
/* clang-format on */
