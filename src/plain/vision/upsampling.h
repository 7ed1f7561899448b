/* upsampling.h - images (images, channels, height, width) enlarged by repetition, or by windows of weights. */

/* `count` arrays enlarged to the output's size, side by side along the channels or, with `sums`, added from left to
** right. size has the channels, height and width of each. */
static void TYPED(enlarge)(const real *const *data, real *out, int64_t count, const int64_t size[], int64_t images,
                           int64_t channels, int64_t height, int64_t width, bool sums) {
  for (int64_t i = 0; i < images * channels; i++)
    for (int64_t y = 0; y < height; y++)
      for (int64_t x = 0; x < width; x++) {
        int64_t channel = i % channels;
        real sum = 0;
        for (int64_t k = 0; k < count; k++) {
          const int64_t c = size[3 * k], h = size[3 * k + 1], w = size[3 * k + 2];
          if (channel >= 0 && channel < c) {
            const int64_t row = (i / channels * c + channel) * h + y / (height / h);
            const real v = data[k][row * w + x / (width / w)];
            sum = sums && k > 0 ? sum + v : v;
          }
          if (!sums) channel -= c;
        }
        *out++ = sum;
      }
}

/* Each element of data times its channel's window (channels, 1, side, side) is added around its position, in the order
** of the elements. */
static void TYPED(spread)(const real *data, const real *weight, real *out, int64_t planes, int64_t channels,
                          int64_t height, int64_t width, int64_t scale, int64_t side) {
  for (int64_t p = 0; p < planes; p++, data += height * width)
    for (int64_t y = 0; y < height * scale; y++)
      for (int64_t x = 0; x < width * scale; x++) {
        real sum = 0;
        for (int64_t i = 0; i < height; i++)
          for (int64_t j = 0; j < width; j++) {
            const int64_t down = y + scale / 2 - i * scale, across = x + scale / 2 - j * scale;
            if (down >= 0 && down < side && across >= 0 && across < side)
              sum += data[i * width + j] * weight[(p % channels * side + down) * side + across];
          }
        *out++ = sum;
      }
}
