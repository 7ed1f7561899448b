/* winograd_form.h - the operations that fix the bits of 3x3 convolutions by Winograd's F(4x4, 3x3), of 5x5 ones by
** F(2x2, 5x5), and of their two gradients.
**
** Sources: Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks" (2015). The points are 0, +-1/sqrt 2,
** +-sqrt 2 and infinity; the usual 0, +-1, +-2 have three times the rounding errors. See Alam and others, "Winograd
** Convolution for Deep Neural Networks: Efficient Point Selection" (2022).
**
** Forward. The output is divided into tiles of 4x4 places (2x2 for a 5x5 window); the last tiles of a row or column
** include places outside it. A tile reads 6x6 places of data, with zeros outside. The tile's 36 data values of each
** channel are transformed (winograd_data), and the weights of each filter and channel (winograd_weight3 or 5): first
** down each column, then along each row. At each of the 36 positions the products are summed over the channels: for
** each WINOGRAD_BLOCK channels, a chain of multiply-adds from +0, in order of channels, data * weight + acc. The sum is
** the first chain, to which the others are added in order. The sums are transformed back (winograd_back4 or 2), down,
** then along: the tile's results, + bias or + 0.
**
** Gradient of data. The same with g as data, channels and filters exchanged, the weights in reverse order, and window -
** 1 - pad as padding.
**
** Gradient of weight. The rows of tiles of all images, image by image, are divided into groups: as few whole rows as
** contain at least WINOGRAD_GROUP tiles; the last group may have fewer. Each tile's 6x6 places of data are transformed
** as in forward, and its places of g, with zeros outside, by winograd_grad4 or 2. At each position a chain from +0 runs
** over the tiles of the group, row by row, data * g + acc. It is transformed back (winograd_taps3 or 5) to the window's
** values, which are added to the gradient, from +0, group by group.
**
** A NaN or infinity in data therefore spoils every tile that reads it; infinity becomes NaN there. A value whose
** transform overflows, from about 8e37, spoils them, too. A tile of zeros gives +0 + bias.
**
** Multiply-adds are fused if the processor can (simd.h): MULTIPLY_ADD(x, factor, c) is x * factor + c. Everything else
** may be chosen freely: the order of tiles, panels and blocks, threads, lanes, kept weights.
*/
#ifndef HL_KERNELS_CONV_WINOGRAD_FORM_H
#define HL_KERNELS_CONV_WINOGRAD_FORM_H

enum {
  WINOGRAD_SEEN = 6,             /* places along an axis that a tile reads; its own are 7 - window */
  WINOGRAD_POSITIONS = 36,
  WINOGRAD_MOST_TAPS = 25,
  WINOGRAD_BLOCK = 64,           /* channels per chain */
  WINOGRAD_GROUP = 64            /* minimum number of tiles per group of the gradient of weight */
};

#define WINOGRAD_HALF_ROOT 0x1.6a09e6p-1f       /* sqrt(1/2), rounded to float */
#define WINOGRAD_ROOT 0x1.6a09e6p+0f            /* sqrt 2 */

/* The transforms along one axis, for values of type T: a float, or a vector of floats. With a = sqrt(1/2), b = sqrt 2
** and m(x) = x (x^2 - a^2) (x^2 - b^2), the row of point p is m(x) / (x - p) for data; (1, p, p^2 ...) / product of (p
** - other points) for weight and grad; (p^i) in row i of back and taps. The number in a name is the number of places of
** a tile, or taps of the window, along the axis. */
#define WINOGRAD_TRANSFORMS(T, suffix, INLINE, MULTIPLY_ADD)                                               \
  INLINE void winograd_data_##suffix(const T *d, T *v) { /* 6 -> 6 */                                      \
    const T ea = MULTIPLY_ADD(d[2], -2.0f, d[4]), oa = MULTIPLY_ADD(d[1], -2.0f, d[3]);                    \
    const T eb = MULTIPLY_ADD(d[2], -0.5f, d[4]), ob = MULTIPLY_ADD(d[1], -0.5f, d[3]);                    \
    v[0] = d[0] + MULTIPLY_ADD(d[2], -2.5f, d[4]);                                                         \
    v[1] = MULTIPLY_ADD(oa, WINOGRAD_HALF_ROOT, ea);                                                       \
    v[2] = MULTIPLY_ADD(oa, -WINOGRAD_HALF_ROOT, ea);                                                      \
    v[3] = MULTIPLY_ADD(ob, WINOGRAD_ROOT, eb);                                                            \
    v[4] = MULTIPLY_ADD(ob, -WINOGRAD_ROOT, eb);                                                           \
    v[5] = d[1] + MULTIPLY_ADD(d[3], -2.5f, d[5]);                                                         \
  }                                                                                                        \
  INLINE void winograd_weight3_##suffix(const T *g, T *u) { /* 3 -> 6 */                                   \
    const T ea = MULTIPLY_ADD(g[2], -1 / 3.0f, g[0] * (-2 / 3.0f));                                        \
    const T eb = MULTIPLY_ADD(g[2], 1 / 3.0f, g[0] * (1 / 6.0f));                                          \
    u[0] = g[0];                                                                                           \
    u[1] = MULTIPLY_ADD(g[1], -WINOGRAD_ROOT / 3, ea);                                                     \
    u[2] = MULTIPLY_ADD(g[1], WINOGRAD_ROOT / 3, ea);                                                      \
    u[3] = MULTIPLY_ADD(g[1], WINOGRAD_ROOT / 6, eb);                                                      \
    u[4] = MULTIPLY_ADD(g[1], -WINOGRAD_ROOT / 6, eb);                                                     \
    u[5] = g[2];                                                                                           \
  }                                                                                                        \
  INLINE void winograd_weight5_##suffix(const T *g, T *u) { /* 5 -> 6 */                                   \
    const T ea = MULTIPLY_ADD(g[4], -1 / 6.0f, MULTIPLY_ADD(g[2], -1 / 3.0f, g[0] * (-2 / 3.0f)));         \
    const T eb = MULTIPLY_ADD(g[4], 2 / 3.0f, MULTIPLY_ADD(g[2], 1 / 3.0f, g[0] * (1 / 6.0f)));            \
    const T oa = MULTIPLY_ADD(g[3], -WINOGRAD_ROOT / 6, g[1] * (-WINOGRAD_ROOT / 3));                      \
    const T ob = MULTIPLY_ADD(g[3], WINOGRAD_ROOT / 3, g[1] * (WINOGRAD_ROOT / 6));                        \
    u[0] = g[0];                                                                                           \
    u[1] = ea + oa;                                                                                        \
    u[2] = ea - oa;                                                                                        \
    u[3] = eb + ob;                                                                                        \
    u[4] = eb - ob;                                                                                        \
    u[5] = g[4];                                                                                           \
  }                                                                                                        \
  INLINE void winograd_back4_##suffix(const T *m, T *y) { /* 6 -> 4 */                                     \
    const T sa = m[1] + m[2], da = m[1] - m[2], sb = m[3] + m[4], db = m[3] - m[4];                        \
    y[0] = m[0] + sa + sb;                                                                                 \
    y[1] = MULTIPLY_ADD(db, WINOGRAD_ROOT, da * WINOGRAD_HALF_ROOT);                                       \
    y[2] = MULTIPLY_ADD(sb, 2.0f, sa * 0.5f);                                                              \
    y[3] = MULTIPLY_ADD(db, 2 * WINOGRAD_ROOT, MULTIPLY_ADD(da, WINOGRAD_HALF_ROOT / 2, m[5]));            \
  }                                                                                                        \
  INLINE void winograd_back2_##suffix(const T *m, T *y) { /* 6 -> 2 */                                     \
    const T sa = m[1] + m[2], da = m[1] - m[2], sb = m[3] + m[4], db = m[3] - m[4];                        \
    y[0] = m[0] + sa + sb;                                                                                 \
    y[1] = MULTIPLY_ADD(db, WINOGRAD_ROOT, MULTIPLY_ADD(da, WINOGRAD_HALF_ROOT, m[5]));                    \
  }                                                                                                        \
  INLINE void winograd_grad4_##suffix(const T *g, T *u) { /* 4 -> 6 */                                     \
    const T ea = MULTIPLY_ADD(g[2], -1 / 3.0f, g[0] * (-2 / 3.0f));                                        \
    const T eb = MULTIPLY_ADD(g[2], 1 / 3.0f, g[0] * (1 / 6.0f));                                          \
    const T oa = MULTIPLY_ADD(g[3], -WINOGRAD_ROOT / 6, g[1] * (-WINOGRAD_ROOT / 3));                      \
    const T ob = MULTIPLY_ADD(g[3], WINOGRAD_ROOT / 3, g[1] * (WINOGRAD_ROOT / 6));                        \
    u[0] = g[0];                                                                                           \
    u[1] = ea + oa;                                                                                        \
    u[2] = ea - oa;                                                                                        \
    u[3] = eb + ob;                                                                                        \
    u[4] = eb - ob;                                                                                        \
    u[5] = g[3];                                                                                           \
  }                                                                                                        \
  INLINE void winograd_grad2_##suffix(const T *g, T *u) { /* 2 -> 6 */                                     \
    const T ea = g[0] * (-2 / 3.0f), eb = g[0] * (1 / 6.0f);                                               \
    u[0] = g[0];                                                                                           \
    u[1] = MULTIPLY_ADD(g[1], -WINOGRAD_ROOT / 3, ea);                                                     \
    u[2] = MULTIPLY_ADD(g[1], WINOGRAD_ROOT / 3, ea);                                                      \
    u[3] = MULTIPLY_ADD(g[1], WINOGRAD_ROOT / 6, eb);                                                      \
    u[4] = MULTIPLY_ADD(g[1], -WINOGRAD_ROOT / 6, eb);                                                     \
    u[5] = g[1];                                                                                           \
  }                                                                                                        \
  INLINE void winograd_taps3_##suffix(const T *m, T *w) { /* 6 -> 3 */                                     \
    const T sa = m[1] + m[2], da = m[1] - m[2], sb = m[3] + m[4], db = m[3] - m[4];                        \
    w[0] = m[0] + sa + sb;                                                                                 \
    w[1] = MULTIPLY_ADD(db, WINOGRAD_ROOT, da * WINOGRAD_HALF_ROOT);                                       \
    w[2] = MULTIPLY_ADD(sb, 2.0f, MULTIPLY_ADD(sa, 0.5f, m[5]));                                           \
  }                                                                                                        \
  INLINE void winograd_taps5_##suffix(const T *m, T *w) { /* 6 -> 5 */                                     \
    const T sa = m[1] + m[2], da = m[1] - m[2], sb = m[3] + m[4], db = m[3] - m[4];                        \
    w[0] = m[0] + sa + sb;                                                                                 \
    w[1] = MULTIPLY_ADD(db, WINOGRAD_ROOT, da * WINOGRAD_HALF_ROOT);                                       \
    w[2] = MULTIPLY_ADD(sb, 2.0f, sa * 0.5f);                                                              \
    w[3] = MULTIPLY_ADD(db, 2 * WINOGRAD_ROOT, da * (WINOGRAD_HALF_ROOT / 2));                             \
    w[4] = MULTIPLY_ADD(sb, 4.0f, MULTIPLY_ADD(sa, 0.25f, m[5]));                                          \
  }

#endif
