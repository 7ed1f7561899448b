/* convolution.h - convolutions over up to three axes, and the gradient of data, which is a Deconvolution.
**
** Data is (images, groups * channels, in), the output (images, groups * filters, to), weight (groups * filters,
** channels, kernel). Missing axes have length 1. Place o of the output reads, for tap t of the window, place o * stride
** + t * dilate - pad of data; places outside it are zeros. An element is a chain of multiply-adds over its terms, each
** rounded once, from 0; after each 1,024 terms another chain begins, and the chains are added in order.
*/

/* The place of data that the window at `at` of the output reads by a tap, or -1. */
static inline int64_t TYPED(convolution_read)(int64_t at, int64_t tap, const int64_t *in, const int64_t *to,
                                              const int64_t *kernel, const int64_t *stride, const int64_t *dilate,
                                              const int64_t *pad) {
  int64_t place = 0, size = 1;
  for (int a = 2; a >= 0; a--) {
    const int64_t x = at % to[a] * stride[a] + tap % kernel[a] * dilate[a] - pad[a];
    if (x < 0 || x >= in[a]) return -1;
    place += x * size;
    size *= in[a];
    at /= to[a];
    tap /= kernel[a];
  }
  return place;
}

/* The place of the output whose window reads place `at` of data by a tap; -1 if it is outside the output, -2 if the
** stride skips it. */
static inline int64_t TYPED(convolution_reader)(int64_t at, int64_t tap, const int64_t *in, const int64_t *to,
                                                const int64_t *kernel, const int64_t *stride, const int64_t *dilate,
                                                const int64_t *pad) {
  int64_t place = 0, size = 1;
  bool outside = false;
  for (int a = 2; a >= 0; a--) {
    const int64_t x = at % in[a] + pad[a] - tap % kernel[a] * dilate[a];
    if (x % stride[a] != 0) return -2;
    outside = outside || x < 0 || x / stride[a] >= to[a];
    place += x / stride[a] * size;
    size *= to[a];
    at /= in[a];
    tap /= kernel[a];
  }
  return outside ? -1 : place;
}

/* Terms in the order of channels, then taps; bias (groups * filters), or 0 for NULL, is added last. */
static void TYPED(convolution)(const real *data, const real *weight, const real *bias, real *out, int64_t images,
                               int64_t groups, int64_t channels, int64_t filters, const int64_t in[3],
                               const int64_t to[3], const int64_t kernel[3], const int64_t stride[3],
                               const int64_t dilate[3], const int64_t pad[3]) {
  const int64_t taps = kernel[0] * kernel[1] * kernel[2], reads = in[0] * in[1] * in[2], size = to[0] * to[1] * to[2];
  for (int64_t plane = 0; plane < images * groups * filters; plane++) {
    const int64_t f = plane % (groups * filters), group = plane / filters;
    const real *x = data + group * channels * reads, *w = weight + f * channels * taps;
    for (int64_t at = 0; at < size; at++) {
      real sum = 0, chain = 0;
      for (int64_t k = 0; k < channels * taps; k++) {
        const int64_t place = TYPED(convolution_read)(at, k % taps, in, to, kernel, stride, dilate, pad);
        if (k > 0 && k % 1024 == 0) {
          sum = k == 1024 ? chain : sum + chain;
          chain = 0;
        }
        chain = FMA(w[k], place < 0 ? 0 : x[k / taps * reads + place], chain);
      }
      if (channels * taps > 1024) chain = sum + chain;
      out[plane * size + at] = chain + (bias ? bias[f] : 0);
    }
  }
}

/* The gradient of data from that of the output, g; terms in the order of taps, then filters. The stride skips some
** taps, which are not terms; those of places outside the output count, but add nothing. bias (groups * channels) may be
** NULL. */
static void TYPED(convolution_data)(const real *g, const real *weight, const real *bias, real *out, int64_t images,
                                    int64_t groups, int64_t channels, int64_t filters, const int64_t in[3],
                                    const int64_t to[3], const int64_t kernel[3], const int64_t stride[3],
                                    const int64_t dilate[3], const int64_t pad[3]) {
  const int64_t taps = kernel[0] * kernel[1] * kernel[2], size = in[0] * in[1] * in[2], reads = to[0] * to[1] * to[2];
  for (int64_t plane = 0; plane < images * groups * channels; plane++) {
    const int64_t c = plane % channels, group = plane / channels % groups;
    const real *x = g + plane / channels * filters * reads, *w = weight + group * filters * channels * taps;
    for (int64_t at = 0; at < size; at++) {
      real sum = 0, chain = 0;
      int64_t terms = 0;
      for (int64_t k = 0; k < filters * taps; k++) {
        const int64_t tap = k / filters, f = k % filters;
        const int64_t place = TYPED(convolution_reader)(at, tap, in, to, kernel, stride, dilate, pad);
        if (place == -2) continue;
        if (terms > 0 && terms % 1024 == 0) {
          sum = terms == 1024 ? chain : sum + chain;
          chain = 0;
        }
        if (place >= 0) chain = FMA(w[(f * channels + c) * taps + tap], x[f * reads + place], chain);
        terms++;
      }
      if (terms > 1024) chain = sum + chain;
      chain += 0;
      out[plane * size + at] = bias ? chain + bias[group * channels + c] : chain;
    }
  }
}

/* Patches of data (planes, in): column `at` of row (plane, tap) is the element that the window at `at` reads by the
** tap, or 0. */
static void TYPED(im2col)(const real *data, real *out, int64_t planes, const int64_t in[3], const int64_t to[3],
                          const int64_t kernel[3], const int64_t stride[3], const int64_t dilate[3],
                          const int64_t pad[3]) {
  const int64_t taps = kernel[0] * kernel[1] * kernel[2], reads = in[0] * in[1] * in[2], size = to[0] * to[1] * to[2];
  for (int64_t i = 0; i < planes * taps * size; i++) {
    const int64_t place = TYPED(convolution_read)(i % size, i / size % taps, in, to, kernel, stride, dilate, pad);
    out[i] = place < 0 ? 0 : data[i / size / taps * reads + place];
  }
}

/* The sums of such patches at each place of the output (planes, in), in the order of taps, from 0. */
static void TYPED(col2im)(const real *data, real *out, int64_t planes, const int64_t in[3], const int64_t to[3],
                          const int64_t kernel[3], const int64_t stride[3], const int64_t dilate[3],
                          const int64_t pad[3]) {
  const int64_t taps = kernel[0] * kernel[1] * kernel[2], size = in[0] * in[1] * in[2], reads = to[0] * to[1] * to[2];
  for (int64_t i = 0; i < planes * size; i++) {
    real sum = 0;
    for (int64_t tap = 0; tap < taps; tap++) {
      const int64_t place = TYPED(convolution_reader)(i % size, tap, in, to, kernel, stride, dilate, pad);
      if (place >= 0) sum += data[(i / size * taps + tap) * reads + place];
    }
    out[i] = sum;
  }
}
