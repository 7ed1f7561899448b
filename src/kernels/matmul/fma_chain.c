/* fma_chain.c - see fma_chain.h. */
#include "kernels/matmul/fma_chain.h"

#include "kernels/loops/simd.h"

/* A tile of R rows by V vectors of lanes is held in registers for all steps; without `more` it starts from zeros. */
#define TILE(T, suffix, R, V)                                                                           \
  HL_INLINE void tile_##R##x##V##_##suffix(int64_t steps, const T *factor, int64_t row_step, int64_t term_step, \
                                           const T *from, const int32_t *line, T *acc, const bool more) { \
    enum { EACH = LANES_BYTES / sizeof(T) };                                                            \
    lanes_##suffix sum[R][V];                                                                           \
    _Pragma("GCC unroll 16") for (int r = 0; r < R; r++)                                                \
      _Pragma("GCC unroll 4") for (int v = 0; v < V; v++)                                               \
        sum[r][v] = more ? *(const lanes_##suffix *)(acc + r * CHAIN_LANES + v * EACH) : (lanes_##suffix){ 0 }; \
    for (int64_t s = 0; s < steps; s++) {                                                               \
      lanes_##suffix x[V];                                                                              \
      _Pragma("GCC unroll 4") for (int v = 0; v < V; v++) x[v] = *(const lanes_##suffix *)(from + line[s] + v * EACH); \
      _Pragma("GCC unroll 16") for (int r = 0; r < R; r++)                                              \
        _Pragma("GCC unroll 4") for (int v = 0; v < V; v++)                                             \
          sum[r][v] = lanes_multiply_add_##suffix(x[v], factor[r * row_step + s * term_step], sum[r][v]); \
    }                                                                                                   \
    _Pragma("GCC unroll 16") for (int r = 0; r < R; r++)                                                \
      _Pragma("GCC unroll 4") for (int v = 0; v < V; v++)                                               \
        *(lanes_##suffix *)(acc + r * CHAIN_LANES + v * EACH) = sum[r][v];                              \
  }

/* While some rows are processed, prefetches the first factors of the next ones: processors do not do so if rows
** are far apart. Prefetches past the last row are harmless. */
enum { FAR = 2 * CHAIN_LANES };
#define FETCH_ROWS(n, next)                                                                             \
  if (row_step > FAR)                                                                                    \
    for (int r = 0; r < n; r++)                                                                          \
      for (int64_t s = 0; s < steps && s < 64; s += 16) __builtin_prefetch((next) + r * row_step + s, 0, 2);

/* All rows by V vectors: A at a time, the rest by fewer. */
#define PASS_BY(suffix, R, V, more)                                                                      \
  for (; rows >= R; rows -= R, factor += R * row_step, acc += R * CHAIN_LANES) {                         \
    if (R > 1) FETCH_ROWS(R, factor + R * row_step)                                                      \
    tile_##R##x##V##_##suffix(steps, factor, row_step, 1, from, line, acc, more);                        \
  }
#define PASS(T, suffix, name, A, B, C, V, more)                                                          \
  static void name##_##V##_##suffix(int64_t rows, int64_t steps, const T *factor, int64_t row_step, const T *from, \
                                    const int32_t *line, T *acc) {                                       \
    PASS_BY(suffix, A, V, more)                                                                          \
    PASS_BY(suffix, B, V, more)                                                                          \
    PASS_BY(suffix, C, V, more)                                                                          \
    PASS_BY(suffix, 1, V, more)                                                                          \
  }
#define ROWS_OF(T, suffix, A, B, C, V)                                                                   \
  TILE(T, suffix, A, V)                                                                                  \
  TILE(T, suffix, B, V)                                                                                  \
  TILE(T, suffix, C, V)                                                                                  \
  TILE(T, suffix, 1, V)                                                                                  \
  PASS(T, suffix, rows, A, B, C, V, true)                                                                \
  PASS(T, suffix, fresh, A, B, C, V, false)                                                              \
  static void across_##V##_##suffix(int64_t rows, int64_t steps, const T *factor, const T *from,         \
                                    const int32_t *line, T *acc) {                                       \
    for (; rows >= A; rows -= A, factor += A, acc += A * CHAIN_LANES)                                    \
      tile_##A##x##V##_##suffix(steps, factor, 1, CHAIN_LANES, from, line, acc, true);                   \
    for (; rows >= B; rows -= B, factor += B, acc += B * CHAIN_LANES)                                    \
      tile_##B##x##V##_##suffix(steps, factor, 1, CHAIN_LANES, from, line, acc, true);                   \
    for (; rows > 0; rows--, factor++, acc += CHAIN_LANES)                                               \
      tile_1x##V##_##suffix(steps, factor, 1, CHAIN_LANES, from, line, acc, true);                       \
  }

/* R places by V vectors of a panel, whose lines are `lanes` apart, like those of acc. */
#define PLACE_TILE(T, suffix, R, V)                                                                     \
  HL_INLINE void spots_##R##x##V##_##suffix(int64_t steps, const T *seen, const int32_t *place, const int32_t *offset, \
                                            const T *panel, T *acc, int64_t lanes) {                    \
    enum { EACH = LANES_BYTES / sizeof(T) };                                                            \
    const T *x[R];                                                                                      \
    lanes_##suffix sum[R][V];                                                                           \
    _Pragma("GCC unroll 16") for (int r = 0; r < R; r++) x[r] = seen + place[r];                        \
    _Pragma("GCC unroll 16") for (int r = 0; r < R; r++)                                                \
      _Pragma("GCC unroll 4") for (int v = 0; v < V; v++)                                               \
        sum[r][v] = *(const lanes_##suffix *)(acc + r * lanes + v * EACH);                              \
    for (int64_t s = 0; s < steps; s++, panel += lanes) {                                               \
      const int64_t at = offset[s];                                                                     \
      lanes_##suffix w[V];                                                                              \
      _Pragma("GCC unroll 4") for (int v = 0; v < V; v++) w[v] = *(const lanes_##suffix *)(panel + v * EACH); \
      _Pragma("GCC unroll 16") for (int r = 0; r < R; r++)                                              \
        _Pragma("GCC unroll 4") for (int v = 0; v < V; v++)                                             \
          sum[r][v] = lanes_multiply_add_##suffix(w[v], x[r][at], sum[r][v]);                           \
    }                                                                                                   \
    _Pragma("GCC unroll 16") for (int r = 0; r < R; r++)                                                \
      _Pragma("GCC unroll 4") for (int v = 0; v < V; v++)                                               \
        *(lanes_##suffix *)(acc + r * lanes + v * EACH) = sum[r][v];                                    \
  }

/* All places by V vectors: A at a time, the rest by fewer. */
#define PLACES_BY(suffix, R, V)                                                                          \
  for (; places >= R; places -= R, place += R, acc += R * lanes)                                         \
    spots_##R##x##V##_##suffix(steps, seen, place, offset, panel, acc, lanes);
#define PLACES_OF(T, suffix, A, V)                                                                       \
  PLACE_TILE(T, suffix, A, V)                                                                            \
  PLACE_TILE(T, suffix, 4, V)                                                                            \
  PLACE_TILE(T, suffix, 2, V)                                                                            \
  PLACE_TILE(T, suffix, 1, V)                                                                            \
  static void places_##V##_##suffix(int64_t places, int64_t steps, const T *seen, const int32_t *place,  \
                                    const int32_t *offset, const T *panel, T *acc, int64_t lanes) {      \
    PLACES_BY(suffix, A, V)                                                                              \
    PLACES_BY(suffix, 4, V)                                                                              \
    PLACES_BY(suffix, 2, V)                                                                              \
    PLACES_BY(suffix, 1, V)                                                                              \
  }

/* One row by V vectors, from zeros. */
#define ROW(T, suffix, V)                                                                               \
  static void row_##V##_##suffix(const ChainRow *row, int64_t lane, T *to) {                            \
    enum { EACH = LANES_BYTES / sizeof(T) };                                                            \
    const T *factor = row->factor, *x = (const T *)row->x + lane;                                       \
    lanes_##suffix sum[V] = { { 0 } };                                                                  \
    for (int64_t s = 0; s < row->steps; s++)                                                            \
      _Pragma("GCC unroll 4") for (int v = 0; v < V; v++)                                               \
        sum[v] = lanes_multiply_add_##suffix(*(const lanes_##suffix *)(x + row->line[s] + v * EACH), factor[s], \
                                             sum[v]);                                                   \
    _Pragma("GCC unroll 4") for (int v = 0; v < V; v++) *(lanes_##suffix *)(to + v * EACH) = sum[v];    \
  }

/* One row by V vectors, from zeros; lines are `lanes` apart. x is read once, so the caches limit the speed if there are
** enough sums to hide a multiply-add's latency. */
#define LONE(T, suffix, V)                                                                               \
  static void lone_##V##_##suffix(int64_t steps, const T *factor, const T *x, T *acc, int64_t lanes) {   \
    enum { EACH = LANES_BYTES / sizeof(T) };                                                            \
    lanes_##suffix sum[V];                                                                              \
    _Pragma("GCC unroll 8") for (int v = 0; v < V; v++) sum[v] = (lanes_##suffix){ 0 };                \
    for (int64_t s = 0; s < steps; s++, x += lanes)                                                     \
      _Pragma("GCC unroll 8") for (int v = 0; v < V; v++)                                              \
        sum[v] = lanes_multiply_add_##suffix(*(const lanes_##suffix *)(x + v * EACH), factor[s], sum[v]); \
    _Pragma("GCC unroll 8") for (int v = 0; v < V; v++) *(lanes_##suffix *)(acc + v * EACH) = sum[v];  \
  }
#define LONES(T, suffix)                                                                                 \
  LONE(T, suffix, 8) LONE(T, suffix, 6) LONE(T, suffix, 4) LONE(T, suffix, 3) LONE(T, suffix, 2) LONE(T, suffix, 1) \
  static void begin_row_##suffix(int64_t steps, const void *factor, const void *x, void *acc, int64_t lanes) { \
    static const struct { int64_t vectors; void (*run)(int64_t, const T *, const T *, T *, int64_t); } all[] = { \
      { 8, lone_8_##suffix }, { 6, lone_6_##suffix }, { 4, lone_4_##suffix }, { 3, lone_3_##suffix },    \
      { 2, lone_2_##suffix }, { 1, lone_1_##suffix } };                                                  \
    enum { EACH = LANES_BYTES / sizeof(T) };                                                             \
    int which = 0;                                                                                       \
    for (int64_t l = 0; l < lanes; l += all[which].vectors * EACH) {                                     \
      while (all[which].vectors * EACH > lanes - l) which++;                                             \
      all[which].run(steps, factor, (const T *)x + l, (T *)acc + l, lanes);                              \
    }                                                                                                    \
  }

#if LANES_WIDE
#define VECTORS(T, suffix)                                          \
  ROWS_OF(T, suffix, 6, 4, 2, 4) ROWS_OF(T, suffix, 8, 4, 2, 3)     \
  ROWS_OF(T, suffix, 12, 6, 3, 2) ROWS_OF(T, suffix, 16, 8, 3, 1)   \
  PLACES_OF(T, suffix, 6, 4) PLACES_OF(T, suffix, 8, 3)             \
  PLACES_OF(T, suffix, 8, 2) PLACES_OF(T, suffix, 8, 1)             \
  ROW(T, suffix, 4) ROW(T, suffix, 3) ROW(T, suffix, 2) ROW(T, suffix, 1)
#define BY_VECTORS(name, V, suffix) \
  (V == 4 ? name##_4_##suffix : V == 3 ? name##_3_##suffix : V == 2 ? name##_2_##suffix : name##_1_##suffix)
#else
#define VECTORS(T, suffix)                                          \
  ROWS_OF(T, suffix, 6, 4, 2, 2) ROWS_OF(T, suffix, 12, 6, 3, 1)    \
  PLACES_OF(T, suffix, 6, 2) PLACES_OF(T, suffix, 8, 1)             \
  ROW(T, suffix, 2) ROW(T, suffix, 1)
#define BY_VECTORS(name, V, suffix) (V == 2 ? name##_2_##suffix : name##_1_##suffix)
#endif

/* out = sum + term; reads whole vectors of sum */
HL_INLINE void shift_f32(const float *sum, float term, float *out, int64_t n) {
  int64_t i = 0;
  for (; i + LANES_F32 <= n; i += LANES_F32) *(lanes_f32 *)(out + i) = *(const lanes_f32 *)(sum + i) + term;
  if (i < n) lanes_store_part(lanes_part(0, n - i), *(const lanes_f32 *)(sum + i) + term, out + i);
}

HL_INLINE void shift_f64(const double *sum, double term, double *out, int64_t n) {
  for (int64_t i = 0; i < n; i++) out[i] = sum[i] + term;
}

/* Every second element of out = sum + term; reads whole vectors of sum. */
HL_INLINE void spread_f32(const float *sum, float term, float *out, int64_t n) {
  int64_t i = 0;
#if defined __AVX512F__
  const __m512i low = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
  const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(8));
  for (; i + LANES_F32 <= n; i += LANES_F32) {
    const __m512 x = (__m512)(*(const lanes_f32 *)(sum + i) + term);
    _mm512_mask_storeu_ps(out + 2 * i, 0x5555, _mm512_permutexvar_ps(low, x));
    _mm512_mask_storeu_ps(out + 2 * i + LANES_F32, 0x5555, _mm512_permutexvar_ps(high, x));
  }
#endif
  for (; i < n; i++) out[2 * i] = sum[i] + term;
}

HL_INLINE void spread_f64(const double *sum, double term, double *out, int64_t n) {
  for (int64_t i = 0; i < n; i++) out[2 * i] = sum[i] + term;
}

/* Loops over groups of v vectors starting at lane l. */
#define EACH_OF(T) ((int64_t)(LANES_BYTES / sizeof(T)))
#define VECTORS_AT(T, lanes, l) \
  ((lanes) - (l) < LANES_VECTORS * EACH_OF(T) ? ((lanes) - (l)) / EACH_OF(T) : LANES_VECTORS)
#define EACH_VECTORS(T, lanes, l, v) \
  for (int64_t l = 0, v; l < (lanes) && (v = VECTORS_AT(T, lanes, l), true); l += v * EACH_OF(T))

#define CHAINS(code, T, suffix)                                                                         \
  VECTORS(T, suffix)                                                                                    \
  LONES(T, suffix)                                                                                      \
  static void run_##suffix(int64_t rows, int64_t steps, const void *factor, int64_t row_step, const void *from, \
                           const int32_t *line, void *acc, int64_t lanes) {                             \
    EACH_VECTORS(T, lanes, l, v)                                                                        \
      BY_VECTORS(rows, v, suffix)(rows, steps, factor, row_step, (const T *)from + l, line, (T *)acc + l);       \
  }                                                                                                     \
  static void begin_##suffix(int64_t rows, int64_t steps, const void *factor, int64_t row_step, const void *from, \
                             const int32_t *line, void *acc, int64_t lanes) {                           \
    EACH_VECTORS(T, lanes, l, v)                                                                        \
      BY_VECTORS(fresh, v, suffix)(rows, steps, factor, row_step, (const T *)from + l, line, (T *)acc + l);      \
  }                                                                                                     \
  static void run_across_##suffix(int64_t rows, int64_t steps, const void *factor, const void *from,    \
                                  const int32_t *line, void *acc, int64_t lanes) {                      \
    EACH_VECTORS(T, lanes, l, v)                                                                        \
      BY_VECTORS(across, v, suffix)(rows, steps, factor, (const T *)from + l, line, (T *)acc + l);               \
  }                                                                                                     \
  static void run_places_##suffix(int64_t places, int64_t steps, const void *seen, const int32_t *place, \
                                  const int32_t *offset, const void *panel, void *acc, int64_t lanes) { \
    EACH_VECTORS(T, lanes, l, v)                                                                        \
      BY_VECTORS(places, v, suffix)(places, steps, seen, place, offset, (const T *)panel + l, (T *)acc + l, lanes); \
  }                                                                                                     \
  static void add_##suffix(const void *from, void *to, int64_t n) {                                     \
    const T *acc = from;                                                                                \
    T *sum = to;                                                                                        \
    IVDEP                                                                                               \
    for (int64_t i = 0; i < n; i++) sum[i] += acc[i];                                                   \
  }                                                                                                     \
  static void finish_##suffix(const void *from, const void *bias, void *to, int64_t n) {                \
    const T *sum = from, term = bias ? *(const T *)bias : 0;                                            \
    T *out = to;                                                                                        \
    for (int64_t i = 0; i < n; i++) out[i] = sum[i] + term;                                             \
  }                                                                                                     \
  static void finish_parts_##suffix(const void *from, const void *bias, void *to, int64_t by, const ChainPart *part, \
                                    int parts) {                                                        \
    const T term = bias ? *(const T *)bias : 0;                                                         \
    for (const ChainPart *p = part; p < part + parts; p++) {                                            \
      const T *sum = (const T *)from + p->lane;                                                         \
      T *out = (T *)to + p->to;                                                                         \
      if (by == 1) shift_##suffix(sum, term, out, p->n);                                                \
      else if (by == 2) spread_##suffix(sum, term, out, p->n);                                          \
      else for (int64_t i = 0; i < p->n; i++) out[i * by] = sum[i] + term;                              \
    }                                                                                                   \
  }                                                                                                     \
  static void run_row_##suffix(const ChainRow *row, int64_t lanes, void *to, int64_t by, const ChainPart *part, \
                               int parts) {                                                             \
    _Alignas(64) T sum[CHAIN_LANES + CHAIN_VECTOR];    /* parts are read in whole vectors */            \
    const T term = row->bias ? *(const T *)row->bias : 0;                                               \
    EACH_VECTORS(T, lanes, l, v) BY_VECTORS(row, v, suffix)(row, l, sum + l);                                    \
    for (const ChainPart *p = part; p < part + parts; p++) {                                            \
      T *out = (T *)to + p->to;                                                                         \
      if (by == 1) shift_##suffix(sum + p->lane, term, out, p->n);                                      \
      else for (int64_t i = 0; i < p->n; i++) out[i * by] = sum[p->lane + i] + term;                    \
    }                                                                                                   \
  }                                                                                                     \
  static void move_##suffix(const void *from, int64_t from_step, void *to, int64_t to_step, int64_t n) { \
    const T *x = from;                                                                                  \
    T *out = to;                                                                                        \
    for (int64_t i = 0; i < n; i++) out[i * to_step] = x[i * from_step];                                \
  }
EACH_FLOAT(CHAINS)

/* Takes 16 columns at a time, to read whole cache lines. */
#define TURN_PLAIN(x, from_step, out, to_step, n, m)                                  \
  for (int64_t first = 0; first < (m); first += 16)                                   \
    for (int64_t i = 0; i < (n); i++)                                                 \
      for (int64_t k = first; k < (m) && k < first + 16; k++) (out)[k * (to_step) + i] = (x)[i * (from_step) + k];

static void turn_f64(const void *from, int64_t from_step, void *to, int64_t to_step, int64_t n, int64_t m) {
  const double *x = from;
  double *out = to;
  TURN_PLAIN(x, from_step, out, to_step, n, m)
}

/* Transposes fewer than LANES_F32 lines or columns. */
static void turn_rest(const float *x, int64_t from_step, float *out, int64_t to_step, int64_t n, int64_t m) {
  enum { FEW = 4 };
  if (n < FEW || m < FEW || LANES_BYTES < 32) {
    TURN_PLAIN(x, from_step, out, to_step, n, m)
    return;
  }
  for (int64_t i = 0; i < n; i += LANES_F32)
    for (int64_t k = 0; k < m; k += LANES_F32)
      lanes_turn_part(x + i * from_step + k, from_step, out + k * to_step + i, to_step,
                      (int)(n - i < LANES_F32 ? n - i : LANES_F32), (int)(m - k < LANES_F32 ? m - k : LANES_F32));
}

static void turn_f32(const void *from, int64_t from_step, void *to, int64_t to_step, int64_t n, int64_t m) {
  const float *x = from;
  float *out = to;
  const int64_t rows = n - n % LANES_F32, columns = m - m % LANES_F32;
  for (int64_t i = 0; i < rows; i += LANES_F32)
    for (int64_t k = 0; k < columns; k += LANES_F32)
      lanes_turn(x + i * from_step + k, from_step, out + k * to_step + i, to_step);
  turn_rest(x + columns, from_step, out + columns * to_step, to_step, rows, m - columns);
  turn_rest(x + rows * from_step, from_step, out + rows, to_step, n - rows, m);
}

const Chains *chains_of(DType dtype) {
  static const Chains f32 = { sizeof(float),    run_f32,        begin_f32, run_across_f32,
                              begin_row_f32,    run_places_f32, add_f32,   finish_f32,
                              finish_parts_f32, run_row_f32,    turn_f32,  move_f32 };
  static const Chains f64 = { sizeof(double),   run_f64,        begin_f64, run_across_f64,
                              begin_row_f64,    run_places_f64, add_f64,   finish_f64,
                              finish_parts_f64, run_row_f64,    turn_f64,  move_f64 };
  return dtype == DT_FLOAT64 ? &f64 : &f32;
}

#define EIGHT(i) (i) * CHAIN_LINE, (i + 1) * CHAIN_LINE, (i + 2) * CHAIN_LINE, (i + 3) * CHAIN_LINE, \
                 (i + 4) * CHAIN_LINE, (i + 5) * CHAIN_LINE, (i + 6) * CHAIN_LINE, (i + 7) * CHAIN_LINE
/* clang-format off */
const int32_t chain_lines[CHAIN_STEPS] = { EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24),
                                           EIGHT(32), EIGHT(40), EIGHT(48), EIGHT(56) };
/* clang-format on */
