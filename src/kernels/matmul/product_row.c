/* product_row.c - see product_row.h.
**
** Lanes are outputs. If b's lines are columns, (n, k), eight lines by four terms at a time are transposed in registers.
** Up to four chains of the same lines, or one chain of 32 lines, are computed side by side, because a multiply-add
** waits for the previous one.
*/
#include "kernels/matmul/chain_tiles.h"

#include <string.h>

#include "base/size_math.h"
#include "kernels/matmul/product_order.h"
#include "kernels/matmul/product_row.h"

/* One output, chain by chain. */
static float one_output(const float *x, const float *w, int64_t step, int64_t k) {
  float sum = 0;
  for (int64_t t = 0; t < k; t += PRODUCT_CHAIN) {
    float acc = 0;
    for (int64_t s = t; s < least(k, t + PRODUCT_CHAIN); s++) acc = MULTIPLY_ADD(x[s], w[s * step], acc);
    sum = t == 0 ? acc : sum + acc;
  }
  return sum;
}

#if defined __AVX2__ && defined __FMA__

enum { LINES = 8, LINE_FLOATS = LINE_BYTES / 4 };      /* lines of b whose outputs are the lanes of a vector */

/* Transposes four terms of eight lines. The upper four are loaded directly into upper halves. */
HL_INLINE void turn_lines(const float *w, int64_t ld, __m256 *out) {
  __m256 pair[4];
  _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++)
    pair[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(w + i * ld)), _mm_loadu_ps(w + (i + 4) * ld), 1);
  const __m256 a = _mm256_unpacklo_ps(pair[0], pair[1]), b = _mm256_unpackhi_ps(pair[0], pair[1]);
  const __m256 c = _mm256_unpacklo_ps(pair[2], pair[3]), d = _mm256_unpackhi_ps(pair[2], pair[3]);
  out[0] = _mm256_shuffle_ps(a, c, 0x44);
  out[1] = _mm256_shuffle_ps(a, c, 0xee);
  out[2] = _mm256_shuffle_ps(b, d, 0x44);
  out[3] = _mm256_shuffle_ps(b, d, 0xee);
}

/* G groups of eight lines by H chains side by side, n terms each; the chains are added to sum[g] in order. Prefetches
** the same positions `ahead` elements later, because the processor does not track this many lines. */
#define TURNED(G, H)                                                                                       \
  static void turned_##G##x##H(const float *w, int64_t ld, const float *x, int64_t n, __m256 *sum, bool begins, \
                               int64_t ahead) {                                                            \
    __m256 acc[G][H];                                                                                      \
    _Pragma("GCC unroll 4") for (int g = 0; g < G; g++)                                                    \
      _Pragma("GCC unroll 4") for (int h = 0; h < H; h++) acc[g][h] = _mm256_setzero_ps();                 \
    int64_t s = 0;                                                                                         \
    for (; s + 4 <= n; s += 4) {                                                                           \
      if (s % LINE_FLOATS == 0)                                                                            \
        for (int line = 0; line < G * LINES; line++)                                                       \
          for (int h = 0; h < H; h++) __builtin_prefetch(w + line * ld + h * PRODUCT_CHAIN + s + ahead, 0, 2); \
      _Pragma("GCC unroll 4") for (int g = 0; g < G; g++)                                                  \
        _Pragma("GCC unroll 4") for (int h = 0; h < H; h++) {                                              \
          __m256 lines[4];                                                                                 \
          turn_lines(w + g * LINES * ld + h * PRODUCT_CHAIN + s, ld, lines);                               \
          _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++)                                              \
            acc[g][h] = _mm256_fmadd_ps(lines[i], _mm256_broadcast_ss(x + h * PRODUCT_CHAIN + s + i), acc[g][h]); \
        }                                                                                                  \
    }                                                                                                      \
    for (; s < n; s++)                                                                                     \
      for (int g = 0; g < G; g++)                                                                          \
        for (int h = 0; h < H; h++) {                                                                      \
          const float *f = w + g * LINES * ld + h * PRODUCT_CHAIN + s;                                     \
          acc[g][h] = _mm256_fmadd_ps(_mm256_setr_ps(f[0], f[ld], f[2 * ld], f[3 * ld], f[4 * ld], f[5 * ld], \
                                                     f[6 * ld], f[7 * ld]),                                \
                                      _mm256_broadcast_ss(x + h * PRODUCT_CHAIN + s), acc[g][h]);          \
        }                                                                                                  \
    for (int g = 0; g < G; g++)                                                                            \
      for (int h = 0; h < H; h++) sum[g] = begins && h == 0 ? acc[g][h] : _mm256_add_ps(sum[g], acc[g][h]); \
  }
TURNED(4, 1)
TURNED(1, 1)
TURNED(1, 2)
TURNED(1, 3)
TURNED(1, 4)

typedef void Turned(const float *w, int64_t ld, const float *x, int64_t n, __m256 *sum, bool begins, int64_t ahead);

/* Eight outputs: whole chains, four side by side, then the last one. */
static void eight_outputs(const float *w, int64_t ld, const float *x, int64_t k, float *to) {
  enum { SIDE_BY_SIDE = 4 };
  static Turned *const by[SIDE_BY_SIDE + 1] = { NULL, turned_1x1, turned_1x2, turned_1x3, turned_1x4 };
  __m256 sum;
  int64_t t = 0;
  for (int64_t chains; (chains = least(SIDE_BY_SIDE, (k - t) / PRODUCT_CHAIN)) > 0; t += chains * PRODUCT_CHAIN) {
    const int64_t next = t + chains * PRODUCT_CHAIN;
    by[chains](w + t, ld, x + t, PRODUCT_CHAIN, &sum, t == 0, next < k ? next - t : LINES * ld - t);
  }
  if (t < k) turned_1x1(w + t, ld, x + t, k - t, &sum, t == 0, LINES * ld - t);
  _mm256_storeu_ps(to, sum);
}

/* 32 outputs of one chain. */
static void short_outputs(const float *w, int64_t ld, const float *x, int64_t k, float *to) {
  __m256 sum[4];
  turned_4x1(w, ld, x, k, sum, true, 4 * LINES * ld);
  for (int g = 0; g < 4; g++) _mm256_storeu_ps(to + g * LINES, sum[g]);
}

static void columns_of_lines(const float *w, int64_t ld, const float *x, int64_t k, int64_t n, float *to) {
  int64_t j = 0;
  if (k <= PRODUCT_CHAIN)
    for (; j + 4 * LINES <= n; j += 4 * LINES) short_outputs(w + j * ld, ld, x, k, to + j);
  for (; j + LINES <= n; j += LINES) eight_outputs(w + j * ld, ld, x, k, to + j);
  if (n - j > 1 && n >= LINES) {             /* the last eight outputs, some again with the same bits */
    float eight[LINES];
    eight_outputs(w + (n - LINES) * ld, ld, x, k, eight);
    memcpy(to + j, eight + LINES - (n - j), (size_t)(n - j) * sizeof *to);
    return;
  }
  for (; j < n; j++) to[j] = one_output(x, w + j * ld, 1, k);
}

/* The dot product of two vectors, by sixteen chains side by side. */
static float dot(const float *x, const float *w, int64_t k) {
  enum { GROUPS = 2, CHAINS = GROUPS * LINES };
  int64_t t = 0;
  float sum = 0, of_chain[CHAINS];
  for (; k - t >= CHAINS * PRODUCT_CHAIN; t += CHAINS * PRODUCT_CHAIN) {
    __m256 acc[GROUPS] = { _mm256_setzero_ps(), _mm256_setzero_ps() };
    for (int64_t s = 0; s < PRODUCT_CHAIN; s += 4) _Pragma("GCC unroll 2") for (int g = 0; g < GROUPS; g++) {
        const int64_t at = t + g * LINES * PRODUCT_CHAIN + s;
        __m256 a[4], b[4];
        if (s % LINE_FLOATS == 0)
          for (int i = 0; i < LINES; i++) {
            __builtin_prefetch(x + at + i * PRODUCT_CHAIN + CHAINS * PRODUCT_CHAIN, 0, 2);
            __builtin_prefetch(w + at + i * PRODUCT_CHAIN + CHAINS * PRODUCT_CHAIN, 0, 2);
          }
        turn_lines(x + at, PRODUCT_CHAIN, a);
        turn_lines(w + at, PRODUCT_CHAIN, b);
        _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++) acc[g] = _mm256_fmadd_ps(a[i], b[i], acc[g]);
      }
    for (int g = 0; g < GROUPS; g++) _mm256_storeu_ps(of_chain + g * LINES, acc[g]);
    for (int i = 0; i < CHAINS; i++) sum = t == 0 && i == 0 ? of_chain[0] : sum + of_chain[i];
  }
  if (t == 0) return one_output(x, w, 1, k);
  for (; t < k; t += PRODUCT_CHAIN) sum = sum + one_output(x + t, w + t, 1, least(PRODUCT_CHAIN, k - t));
  return sum;
}

#else

static float dot(const float *x, const float *w, int64_t k) { return one_output(x, w, 1, k); }

static void columns_of_lines(const float *w, int64_t ld, const float *x, int64_t k, int64_t n, float *to) {
  for (int64_t j = 0; j < n; j++) to[j] = one_output(x, w + j * ld, 1, k);
}

#endif

/* sum += x[s] times line s, for a few lines of n elements in whole vectors; with `begins`, from zeros. */
enum { TOGETHER = 8, VECTORS = 4 };

static void add_lines(const float *x, const float *line, int64_t ld, int64_t n, float *sum, bool begins) {
  int64_t l = 0;
  for (; l + VECTORS * LANES_F32 <= n; l += VECTORS * LANES_F32) {
    lanes_f32 acc[VECTORS];
    _Pragma("GCC unroll 4") for (int v = 0; v < VECTORS; v++)
      acc[v] = begins ? (lanes_f32){ 0 } : *(const lanes_f32 *)(sum + l + v * LANES_F32);
    _Pragma("GCC unroll 8") for (int s = 0; s < TOGETHER; s++) _Pragma("GCC unroll 4") for (int v = 0; v < VECTORS; v++)
      lanes_add_product_f32(&acc[v], *(const lanes_f32 *)(line + s * ld + l + v * LANES_F32), x[s]);
    _Pragma("GCC unroll 4") for (int v = 0; v < VECTORS; v++) * (lanes_f32 *)(sum + l + v * LANES_F32) = acc[v];
  }
  for (; l < n; l += LANES_F32) {
    lanes_f32 acc = begins ? (lanes_f32){ 0 } : *(const lanes_f32 *)(sum + l);
    for (int s = 0; s < TOGETHER; s++) lanes_add_product_f32(&acc, *(const lanes_f32 *)(line + s * ld + l), x[s]);
    *(lanes_f32 *)(sum + l) = acc;
  }
}

static void add_line(float x, const float *line, int64_t n, float *sum, bool begins) {
  for (int64_t l = 0; l < n; l += LANES_F32) {
    lanes_f32 *to = (lanes_f32 *)(sum + l), acc = begins ? (lanes_f32){ 0 } : *to;
    lanes_add_product_f32(&acc, *(const lanes_f32 *)(line + l), x);
    *to = acc;
  }
}

/* For b with rows as lines. A chain processes a few contiguous lines at a time; its sums stay in the first cache. */
static void columns_by_lines(const float *b, int64_t ld, const float *x, int64_t k, int64_t n, float *to) {
  enum { COLUMNS = 2048 };
  float sums[COLUMNS];
  const int64_t whole = n - n % LANES_F32;
  for (int64_t l = 0; l < whole; l += COLUMNS) {
    const int64_t columns = least(COLUMNS, whole - l);
    for (int64_t t = 0; t < k; t += PRODUCT_CHAIN) {
      const int64_t end = least(k, t + PRODUCT_CHAIN);
      float *chain = t == 0 ? to + l : sums;
      int64_t s = t;
      for (; s + TOGETHER <= end; s += TOGETHER) add_lines(x + s, b + s * ld + l, ld, columns, chain, s == t);
      for (; s < end; s++) add_line(x[s], b + s * ld + l, columns, chain, s == t);
      for (int64_t i = 0; t > 0 && i < columns; i++) to[l + i] += sums[i];
    }
  }
  for (int64_t j = whole; j < n; j++) to[j] = one_output(x, b + j, ld, k);
}

void product_row(const Product *p, int64_t row, int64_t column, int64_t end, float *to) {
  const float *x = (const float *)p->a + (p->transpose_a ? row : row * p->lda);
  const float *w = (const float *)p->b + (p->transpose_b ? column * p->ldb : column);
  if (end - column == 1 && (p->transpose_b || p->ldb == 1)) *to = dot(x, w, p->k);
  else if (p->transpose_b) columns_of_lines(w, p->ldb, x, p->k, end - column, to);
  else columns_by_lines(w, p->ldb, x, p->k, end - column, to);
}
