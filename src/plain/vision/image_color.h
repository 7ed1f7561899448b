/* image_color.h - changes of colours of images whose last axis has their channels, in float; bytes are cut off. */

/* Adds a number to each channel; gray images stay as they are. */
static void TYPED(adjust_lighting)(const real *data, real *out, int64_t pixels, int64_t channels, float red,
                                   float green, float blue) {
  const bool whole = (real)0.5 == 0;
  for (int64_t i = 0; i < pixels * channels; i++) {
    const float x = (float)data[i] + (i % 3 == 0 ? red : i % 3 == 1 ? green : blue);
    if (channels == 1) out[i] = data[i];
    else out[i] = !whole ? (real)x : x > 0 ? (x < 255 ? (real)x : (real)255) : 0;
  }
}
