/* image_transform.h - images (height, width, channels) as tensors (channels, height, width), and these normalized. */

/* Elements divided by 255, with channels first. */
static void TYPED(image_to_tensor)(const other *data, real *out, int64_t images, int64_t places, int64_t channels) {
  for (int64_t image = 0; image < images; image++, data += places * channels)
    for (int64_t c = 0; c < channels; c++)
      for (int64_t i = 0; i < places; i++) *out++ = (real)data[i * channels + c] / 255;
}

/* (x - mean) / std, with numbers for each of up to three channels of tensors. */
static void TYPED(image_normalize)(const real *data, real *out, int64_t images, int64_t channels, int64_t places,
                                   real mean0, real mean1, real mean2, real std0, real std1, real std2) {
  const real mean[3] = { mean0, mean1, mean2 }, std[3] = { std0, std1, std2 };
  for (int64_t image = 0; image < images; image++)
    for (int64_t c = 0; c < channels; c++)
      for (int64_t i = 0; i < places; i++) *out++ = (*data++ - mean[c]) / std[c];
}
