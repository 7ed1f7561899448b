/* max_pool_rows.c - see max_pool_rows.h. */
#include "kernels/conv/max_pool_rows.h"

#include <string.h>

#include "kernels/loops/simd.h"

#if LANES_WIDE

enum { LANES = LANES_F32, MOST_OUT = 512, MOST_ROWS = 8 };

/* The places along a row whose windows are inside data. */
static int64_t inside_begin(const Windows *w) { return windows_ceil(w->pad[2], w->stride[2]); }
static int64_t inside_end(const Windows *w) {
  const int64_t end = windows_floor(w->in[2] - w->kernel[2] + w->pad[2], w->stride[2]) + 1;
  return end < w->out[2] ? end : w->out[2];
}

bool max_rows_fit(const Windows *w) {
  const bool flat = w->in[0] == 1 && w->out[0] == 1 && w->kernel[0] == 1 && w->pad[0] == 0;
  const bool small = w->kernel[1] <= MOST_ROWS && w->out[2] <= MOST_OUT && w->stride[2] <= 2 && w->kernel[2] > 1;
  return flat && small && inside_end(w) - inside_begin(w) >= LANES;
}

/* The processor's maximum returns the second operand if it is not less, or if one is NaN. */
#if defined __AVX512F__
HL_INLINE lanes_f32 larger_of(lanes_f32 a, lanes_f32 b) {
  const __mmask16 nan = _mm512_cmp_ps_mask((__m512)b, (__m512)b, _CMP_UNORD_Q);
  return (lanes_f32)_mm512_mask_mov_ps(_mm512_max_ps((__m512)b, (__m512)a), nan, (__m512)b);
}
HL_INLINE lanes_f32 every_second(const float *x, int first) {
  const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  const __m512i at = _mm512_add_epi32(even, _mm512_set1_epi32(first));
  return (lanes_f32)_mm512_permutex2var_ps(_mm512_loadu_ps(x), at, _mm512_loadu_ps(x + LANES));
}
#else
HL_INLINE lanes_f32 larger_of(lanes_f32 a, lanes_f32 b) {
  const __m256 nan = _mm256_cmp_ps((__m256)b, (__m256)b, _CMP_UNORD_Q);
  return (lanes_f32)_mm256_blendv_ps(_mm256_max_ps((__m256)b, (__m256)a), (__m256)b, nan);
}
HL_INLINE lanes_f32 every_second(const float *x, int first) {
  const __m256 low = _mm256_loadu_ps(x), high = _mm256_loadu_ps(x + LANES);
  const __m256 mixed = first ? _mm256_shuffle_ps(low, high, 0xdd) : _mm256_shuffle_ps(low, high, 0x88);
  return (lanes_f32)_mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(mixed), 0xd8));
}
#endif

/* Maxima of n windows, the first beginning at `in`. Reading from x + k - 1 stays inside the receptive fields. */
HL_INLINE void inside_by(int64_t kernel, int64_t stride, int64_t n, const float *in, float *out) {
  for (int64_t i = 0; i < n; i += LANES) {
    const int64_t at = i < n - LANES ? i : n - LANES;
    const float *x = in + at * stride;
    lanes_f32 m = stride == 1 ? *(const lanes_f32 *)x : every_second(x, 0);
    for (int64_t k = 1; k < kernel; k++)
      m = larger_of(m, stride == 1 ? *(const lanes_f32 *)(x + k) : every_second(x + k - 1, 1));
    *(lanes_f32 *)(out + at) = m;
  }
}

static void inside(int64_t kernel, int64_t stride, int64_t n, const float *in, float *out) {
  if (kernel == 3 && stride == 2) inside_by(3, 2, n, in, out);
  else if (kernel == 3 && stride == 1) inside_by(3, 1, n, in, out);
  else if (stride == 2) inside_by(kernel, 2, n, in, out);
  else inside_by(kernel, 1, n, in, out);
}

static float larger(float a, float b) { return b > a || b != b ? b : a; }

static void along_row(const Windows *w, const float *in, float *out) {
  const int64_t stride = w->stride[2], pad = w->pad[2], begin = inside_begin(w), end = inside_end(w);
  for (int64_t i = begin > 0 ? 0 : end; i < w->out[2]; i = i + 1 == begin ? end : i + 1) {
    const int64_t at = i * stride - pad, last = at + w->kernel[2];
    float m = in[at < 0 ? 0 : at];
    for (int64_t x = at < 0 ? 1 : at + 1; x < last && x < w->in[2]; x++) m = larger(m, in[x]);
    out[i] = m;
  }
  inside(w->kernel[2], stride, end - begin, in + begin * stride - pad, out + begin);
}

void max_rows(const Windows *w, const float *in, float *out) {
  float row[MOST_ROWS][MOST_OUT];
  const int64_t n = w->out[2];
  for (int64_t o = 0, next = 0; o < w->out[1]; o++, out += n) {
    const int64_t start = o * w->stride[1] - w->pad[1], from = start < 0 ? 0 : start;
    const int64_t end = start + w->kernel[1] < w->in[1] ? start + w->kernel[1] : w->in[1];
    for (next = next < from ? from : next; next < end; next++)
      along_row(w, in + next * w->in[2], row[next % MOST_ROWS]);
    memcpy(out, row[from % MOST_ROWS], (size_t)n * sizeof *out);
    for (int64_t r = from + 1; r < end; r++)
      for (int64_t i = 0; i < n; i += LANES) {
        const int64_t at = i < n - LANES ? i : n - LANES;
        lanes_f32 *to = (lanes_f32 *)(out + at);
        *to = larger_of(*to, *(const lanes_f32 *)(row[r % MOST_ROWS] + at));
      }
  }
}

#else

bool max_rows_fit(const Windows *w) {
  (void)w;
  return false;
}
void max_rows(const Windows *w, const float *in, float *out) { (void)w, (void)in, (void)out; }

#endif
