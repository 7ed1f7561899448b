/* image_color.c - MXNet's nd.image: brightness, contrast, saturation, hue and lighting, by given or random amounts.
**
** An image is (height, width, channels) with 1 channel or 3 (red, green, blue), uint8 or float32. Everything is
** computed in float32; uint8 results are clipped to 0 .. 255 and truncated. Random operators draw their amounts when
** they run. The kernels are in kernels/vision/image_color_kernels.c.
*/
#include "ops/vision/image_color.h"

#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

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

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define PICTURE "F.array({{{1, 20, 255}, {40, 5, 60}}, {{100, 0, 3}, {4, 250, 6}}}, {dtype = \"uint8\"})"

#define FACTOR_ROW(title, text)                                                                                     \
  { .name = "_image_random_" #title, .aliases = "image.random_" #title, .doc = text " of an image by a random "     \
    "factor between min_factor and max_factor; uint8 is clipped",                                                   \
    .example = "F.image.random_" #title "(" PICTURE ", {min_factor = 0.8, max_factor = 1.2})",                      \
    .inputs = "data", .params = "min_factor float - The lowest factor, 0 or more.\nmax_factor float - The highest.\n", \
    .params_size = sizeof(FactorParams), .effects = op_draws_always, .infer = infer_factor }

/* clang-format off */
Op image_color_ops[] = {
  FACTOR_ROW(brightness, "Scales the brightness"),
  FACTOR_ROW(contrast, "Scales the contrast (the distance from the mean gray)"),
  FACTOR_ROW(saturation, "Scales the saturation (the distance from each pixel's gray)"),
  { .name = "_image_random_hue", .aliases = "image.random_hue",
    .doc = "Rotates the hue of an image by 360 degrees times a random factor between min_factor and max_factor",
    .example = "F.image.random_hue(" PICTURE ", {min_factor = 0.9, max_factor = 1.1})", .inputs = "data",
    .params = "min_factor float - The lowest factor, 0 or more; 1 changes nothing.\nmax_factor float - The highest.\n",
    .params_size = sizeof(FactorParams), .effects = op_draws_always, .infer = infer_factor },
  { .name = "_image_random_color_jitter", .aliases = "image.random_color_jitter",
    .doc = "Changes brightness, contrast, saturation and hue of an image in random order, each by a random factor from "
           "1 - amount to 1 + amount",
    .example = "F.image.random_color_jitter(" PICTURE
               ", {brightness = 0.2, contrast = 0.1, saturation = 0.3, hue = 0.1})",
    .inputs = "data",
    .params = "brightness float - The amount of brightness.\ncontrast float - The amount of contrast.\n"
              "saturation float - The amount of saturation.\nhue float - The amount of hue.\n",
    .params_size = sizeof(JitterParams), .effects = op_draws_always, .infer = infer_jitter },
  { .name = "_image_adjust_lighting", .aliases = "image.adjust_lighting",
    .doc = "Adds the three principal colours of ImageNet's images, times alpha and their deviations (A. Krizhevsky et "
           "al., 2012); a gray image is unchanged",
    .example = "F.image.adjust_lighting(" PICTURE ", {alpha = {0.1, -0.2, 0.3}})", .inputs = "data",
    .params = "alpha floats - The amount of each colour.\n", .params_size = sizeof(LightingParams),
    .infer = infer_lighting },
  { .name = "_image_random_lighting", .aliases = "image.random_lighting",
    .doc = "adjust_lighting by three random normal numbers", .example = "F.image.random_lighting(" PICTURE ", "
    "{alpha_std = 0.1})", .inputs = "data", .params = "alpha_std float 0.05 The deviation of the numbers.\n",
    .params_size = sizeof(RandomLightingParams), .effects = op_draws_always, .infer = infer_random_lighting },
  { 0 }
};
/* clang-format on */
