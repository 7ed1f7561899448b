/* image_color_kernels.c - kernels of brightness, contrast, saturation, hue and lighting. */
#include <math.h>
#include <string.h>

#include "base/math/double_functions.h"
#include "base/math/random_stream.h"
#include "kernels/kernel_registry.h"
#include "ops/vision/image_color.h"
#include "state/engine.h"
#include "tensor/cast_copy.h"

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

static Status brightness(Call *c) { return change(c, set_brightness); }
static Status contrast(Call *c) { return change(c, set_contrast); }
static Status saturation(Call *c) { return change(c, set_saturation); }
static Status hue(Call *c) { return change(c, set_hue); }

/* Applies the four changes in random order, by factors from 1 - amount to 1 + amount; amounts of 0 are skipped. */
static Status jitter(Call *c) {
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

static Status lighting(Call *c) {
  const double *given = list_floats(&((const LightingParams *)c->params)->alpha);
  const float alpha[3] = { (float)given[0], (float)given[1], (float)given[2] };
  Picture p = picture_of(c);
  set_lighting(&p, alpha);
  return interrupt_status();
}

/* Draws normal numbers by Box-Muller, two from two uniform ones. */
static Status random_lighting(Call *c) {
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

/* ---- Table ---------------------------------------------------------------------------------------------------- */

enum { PICTURE_TYPES = ONE_TYPE(DT_UINT8) | ONE_TYPE(DT_FLOAT32) };

const Kernel image_color_kernels[] = {
  { .op = "_image_random_brightness", .types = PICTURE_TYPES, .run = brightness },
  { .op = "_image_random_contrast", .types = PICTURE_TYPES, .run = contrast },
  { .op = "_image_random_saturation", .types = PICTURE_TYPES, .run = saturation },
  { .op = "_image_random_hue", .types = PICTURE_TYPES, .run = hue },
  { .op = "_image_random_color_jitter", .types = PICTURE_TYPES, .run = jitter },
  { .op = "_image_adjust_lighting", .types = PICTURE_TYPES, .run = lighting },
  { .op = "_image_random_lighting", .types = PICTURE_TYPES, .run = random_lighting },
  { 0 },
};
