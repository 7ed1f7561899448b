/* cast_copy.c - see cast_copy.h.
**
** strided_copy merges neighbouring dimensions that both sides traverse evenly, so that most copies become a few long
** runs, and then loops over the outer dimensions like an odometer. A transposition is done in square tiles. Threads
** divide the outer positions.
*/
#include "tensor/cast_copy.h"

#include <math.h>
#include <string.h>

#include "base/math/scalar_bits.h"
#include "base/threads/parallel_for.h"

double dtype_cut(DType t, double x) { return dtype_is_float(t) ? x : trunc(x); }

#define AS_IS(x) (x)

#define CONVERT_CASE(code, T, value)                                                              \
  case code: {                                                                                    \
    T *d = dst;                                                                                   \
    for (int64_t i = 0; i < n; i++) d[i] = (T)(value);                                            \
    break;                                                                                        \
  }

/* Loops from one C type to every other; TO_32 and TO_64 convert floats out of range. */
#define CONVERT_FROM(S, TO_32, TO_64)                                                             \
  static void from_##S(const S *s, DType to, void *dst, int64_t n) {                              \
    switch (to) {                                                                                 \
      CONVERT_CASE(DT_FLOAT32, float, s[i])                                                       \
      CONVERT_CASE(DT_FLOAT64, double, s[i])                                                      \
      CONVERT_CASE(DT_FLOAT16, uint16_t, half_from_float((float)s[i]))                            \
      CONVERT_CASE(DT_UINT8, uint8_t, TO_32(s[i]))                                                \
      CONVERT_CASE(DT_INT8, int8_t, TO_32(s[i]))                                                  \
      CONVERT_CASE(DT_INT32, int32_t, TO_32(s[i]))                                                \
      CONVERT_CASE(DT_INT64, int64_t, TO_64(s[i]))                                                \
      CONVERT_CASE(DT_BOOL, bool, s[i] != 0)                                                      \
      default: break;                                                                             \
    }                                                                                             \
  }
CONVERT_FROM(float, hl_to_int32, hl_to_int64)
CONVERT_FROM(double, hl_to_int32, hl_to_int64)
CONVERT_FROM(uint8_t, AS_IS, AS_IS)
CONVERT_FROM(int8_t, AS_IS, AS_IS)
CONVERT_FROM(int32_t, AS_IS, AS_IS)
CONVERT_FROM(int64_t, AS_IS, AS_IS)

/* float16 is converted through float32, in stretches. */
static void from_float16(const uint16_t *s, DType to, void *dst, int64_t n) {
  enum { STRETCH = 256 };
  float wide[STRETCH];
  for (int64_t done = 0; done < n; done += STRETCH) {
    int64_t m = n - done < STRETCH ? n - done : STRETCH;
    for (int64_t i = 0; i < m; i++) wide[i] = half_to_float(s[done + i]);
    from_float(wide, to, (char *)dst + (size_t)done * dtype_size(to), m);
  }
}

void convert(DType from, const void *src, DType to, void *dst, int64_t n) {
  if (n == 0) return;                                  /* src and dst may be NULL */
  if (from == to) {
    memmove(dst, src, (size_t)n * dtype_size(from));
    return;
  }
  switch (from) {
    case DT_FLOAT32: from_float(src, to, dst, n); break;
    case DT_FLOAT64: from_double(src, to, dst, n); break;
    case DT_FLOAT16: from_float16(src, to, dst, n); break;
    case DT_UINT8:
    case DT_BOOL: from_uint8_t(src, to, dst, n); break;
    case DT_INT8: from_int8_t(src, to, dst, n); break;
    case DT_INT32: from_int32_t(src, to, dst, n); break;
    case DT_INT64: from_int64_t(src, to, dst, n); break;
    default: break;
  }
}

typedef struct Conversion { DType from, to; const char *src; char *dst; } Conversion;

static void convert_piece(void *context, int64_t first, int64_t last) {
  const Conversion *c = context;
  convert(c->from, c->src + (size_t)first * dtype_size(c->from), c->to, c->dst + (size_t)first * dtype_size(c->to),
          last - first);
}

void convert_parallel(DType from, const void *src, DType to, void *dst, int64_t n) {
  Conversion c = { from, to, src, dst };
  parallel_chunks(n, 1 << 16, convert_piece, &c);
}

void strides_of(const Shape *shape, int64_t *strides) {
  int64_t step = 1;
  for (int i = shape->ndim - 1; i >= 0; i--) {
    strides[i] = step;
    step *= shape->dim[i];
  }
}

void broadcast_strides(const Shape *shape, const Shape *to, int64_t *strides) {
  int64_t step = 1;
  for (int i = 1; i <= to->ndim; i++) {
    const int64_t dim = i <= shape->ndim ? shape->dim[shape->ndim - i] : 1;
    strides[to->ndim - i] = dim == 1 ? 0 : step;
    step *= dim;
  }
}

/* ---- Layouts ------------------------------------------------------------------------------- */

typedef struct Block { const char *src; char *dst; } Block;

static void block_piece(void *context, int64_t first, int64_t last) {
  const Block *b = context;
  memcpy(b->dst + first, b->src + first, (size_t)(last - first));
}

void copy_block(const void *src, void *dst, size_t bytes) {
  if (src == dst) return;
  Block b = { src, dst };
  parallel_chunks((int64_t)bytes, 1 << 18, block_piece, &b);
}

static void clear_piece(void *context, int64_t first, int64_t last) {
  memset((char *)context + first, 0, (size_t)(last - first));
}

void clear_block(void *dst, size_t bytes) { parallel_chunks((int64_t)bytes, 1 << 18, clear_piece, dst); }

/* Each step of the loop copies a panel: `rows` runs of `run` elements. A panel has several rows if its columns are
** contiguous in src and the elements of a run contiguous in dst. That is a transposition, done in square tiles, which
** stay in the cache while their columns are read. */
enum { TILE = 32 };

typedef struct StridedCopy {
  size_t size;
  int outer;                     /* dimensions of the outer loop */
  int64_t dim[MAX_DIMS + 1], s[MAX_DIMS + 1], d[MAX_DIMS + 1];
  int64_t rows, rows_d;          /* number of rows, TILE per panel; 1 if nothing is transposed */
  int panels;                    /* the dimension that counts panels */
  int64_t run, run_s, run_d;     /* the innermost dimension */
  const char *src;
  char *dst;
} StridedCopy;

#define COPY_RUN(T)                                                                          \
  { const T *s = (const T *)src; T *d = (T *)dst;                                            \
    if (c->run_s == 0 && c->run_d == 1) { T v = *s; for (int64_t i = 0; i < n; i++) d[i] = v; } \
    else for (int64_t i = 0; i < n; i++) d[i * c->run_d] = s[i * c->run_s];                  \
    break; }

/* Copies n elements of a run. */
static inline void copy_run(const StridedCopy *c, const char *src, char *dst, int64_t n) {
  if (c->run_s == 1 && c->run_d == 1) {
    memcpy(dst, src, (size_t)n * c->size);
    return;
  }
  switch (c->size) {
    case 1: COPY_RUN(uint8_t)
    case 2: COPY_RUN(uint16_t)
    case 4: COPY_RUN(uint32_t)
    default: COPY_RUN(uint64_t)
  }
}

enum { LONG_RUN = 1 << 20 };       /* elements between checks of the interrupt flag */

static void copy_part(const StridedCopy *c, const char *src, char *dst, int64_t first, int64_t last) {
  const int64_t size = (int64_t)c->size;
  copy_run(c, src + first * c->run_s * size, dst + first * c->run_d * size, last - first);
}

static void copy_long_run(const StridedCopy *c, const char *src, char *dst) {
  for (int64_t at = 0; at < c->run && !(interrupt_flag & STOP_INTERRUPT); at += LONG_RUN)
    copy_part(c, src, dst, at, c->run - at < LONG_RUN ? c->run : at + LONG_RUN);
}

static void run_piece(void *context, int64_t first, int64_t last) {
  const StridedCopy *c = context;
  copy_part(c, c->src, c->dst, first, last);
}

/* A square of elements, one vector per row, is transposed by interleaving its upper and lower halves until the halves
** are single rows. */
#define UNROLL _Pragma("GCC unroll 16")
#ifdef __clang__
#define INTERLEAVE(Row, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define INTERLEAVE(Row, a, b, ...) __builtin_shuffle(a, b, (Row){ __VA_ARGS__ })      /* gcc 11 has no other */
#endif
#define LOW_4 0, 4, 1, 5
#define HIGH_4 2, 6, 3, 7
#define LOW_8 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH_8 4, 12, 5, 13, 6, 14, 7, 15
#define LOW_16 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH_16 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31

#define DEFINE_SQUARE(T, LANES, LOW, HIGH)                                                   \
  static inline void square_##T(const T *s, int64_t step, T (*tile)[TILE], int column) {     \
    typedef T Row __attribute__((vector_size(LANES * sizeof(T))));                           \
    Row x[LANES], y[LANES];                                                                  \
    UNROLL for (int k = 0; k < LANES; k++) memcpy(&x[k], s + k * step, sizeof x[k]);         \
    UNROLL for (int half = LANES; half > 1; half /= 2) {                                     \
      UNROLL for (int k = 0; k < LANES / 2; k++) {                                           \
        y[2 * k] = INTERLEAVE(Row, x[k], x[k + LANES / 2], LOW);                             \
        y[2 * k + 1] = INTERLEAVE(Row, x[k], x[k + LANES / 2], HIGH);                        \
      }                                                                                      \
      UNROLL for (int k = 0; k < LANES; k++) x[k] = y[k];                                    \
    }                                                                                        \
    UNROLL for (int k = 0; k < LANES; k++) memcpy(&tile[k][column], &x[k], sizeof x[k]);     \
  }
DEFINE_SQUARE(uint8_t, 16, LOW_16, HIGH_16)
DEFINE_SQUARE(uint16_t, 16, LOW_16, HIGH_16)
DEFINE_SQUARE(uint32_t, 8, LOW_8, HIGH_8)
DEFINE_SQUARE(uint64_t, 4, LOW_4, HIGH_4)

/* A tile is transposed in a buffer, so that src and dst are both accessed in whole stretches: lines a power of two
** apart would evict each other from the cache. */
#define COPY_TILES(T, LANES)                                                                 \
  for (int64_t from = 0; from < c->run; from += TILE) {                                      \
    const T *s = (const T *)src + from * c->run_s;                                           \
    T *d = (T *)dst + from, tile[TILE][TILE];                                                \
    int64_t n = c->run - from < TILE ? c->run - from : TILE;                                 \
    if (rows == TILE && n == TILE) {                                                         \
      for (int k = 0; k < TILE; k += LANES)                                                  \
        for (int i = 0; i < TILE; i += LANES) square_##T(s + k * c->run_s + i, c->run_s, tile + i, k); \
      for (int i = 0; i < TILE; i++) memcpy(d + i * c->rows_d, tile[i], sizeof tile[i]);     \
    } else {                                                                                 \
      for (int64_t k = 0; k < n; k++)                                                        \
        for (int64_t i = 0; i < rows; i++) tile[i][k] = s[k * c->run_s + i];                 \
      for (int64_t i = 0; i < rows; i++) memcpy(d + i * c->rows_d, tile[i], (size_t)n * sizeof(T)); \
    }                                                                                        \
  }                                                                                          \
  break;

static void copy_panel(const StridedCopy *c, const char *src, char *dst, int64_t rows) {
  switch (c->size) {
    case 1: COPY_TILES(uint8_t, 16)
    case 2: COPY_TILES(uint16_t, 16)
    case 4: COPY_TILES(uint32_t, 8)
    default: COPY_TILES(uint64_t, 4)
  }
}

static void copy_piece(void *context, int64_t first, int64_t last) {
  const StridedCopy *c = context;
  int64_t at[MAX_DIMS + 1], rest = first;
  const char *src = c->src;
  char *dst = c->dst;
  const int64_t size = (int64_t)c->size;
  const bool runs = c->rows == 1, short_runs = runs && c->run <= LONG_RUN;
  for (int i = c->outer - 1; i >= 0; i--) {
    at[i] = rest % c->dim[i];
    rest /= c->dim[i];
    src += at[i] * c->s[i] * size;
    dst += at[i] * c->d[i] * size;
  }
  for (int64_t n = first; n < last; n++) {
    if (short_runs) {
      copy_run(c, src, dst, c->run);
    } else if (runs) {
      copy_long_run(c, src, dst);
    } else {
      int64_t left = c->rows - at[c->panels] * TILE;
      copy_panel(c, src, dst, left < TILE ? left : TILE);
    }
    for (int i = c->outer - 1; i >= 0; i--) {
      src += c->s[i] * size;
      dst += c->d[i] * size;
      if (++at[i] < c->dim[i]) break;
      src -= c->s[i] * c->dim[i] * size;
      dst -= c->d[i] * c->dim[i] * size;
      at[i] = 0;
    }
  }
}

/* If the innermost dimension is short, the previous one becomes the run. */
static void exchange_short_run(StridedCopy *c) {
  int last = c->outer - 1;
  if (last < 0 || c->run >= 16 || c->dim[last] <= c->run) return;
  int64_t dim = c->run, s = c->run_s, d = c->run_d;
  c->run = c->dim[last];
  c->run_s = c->s[last];
  c->run_d = c->d[last];
  c->dim[last] = dim;
  c->s[last] = s;
  c->d[last] = d;
}

/* If the innermost dimension is contiguous in dst only, the outer dimension along which src is contiguous becomes the
** rows of panels. */
static void find_panels(StridedCopy *c) {
  if (c->run_s == 1 || c->run_s == 0 || c->run_d != 1) return;
  for (int i = 0; i < c->outer; i++) {
    if (c->s[i] != 1) continue;
    c->panels = i;
    c->rows = c->dim[i];
    c->rows_d = c->d[i];
    c->dim[i] = (c->rows + TILE - 1) / TILE;
    c->s[i] *= TILE;
    c->d[i] *= TILE;
    return;
  }
}

void strided_copy(size_t size, const Shape *shape, const void *src, const int64_t *src_strides, void *dst,
                  const int64_t *dst_strides) {
  StridedCopy c = { .size = size, .rows = 1, .run = 1, .run_s = 1, .run_d = 1, .src = src, .dst = dst };
  int n = 0;
  for (int i = 0; i < shape->ndim; i++) {
    int64_t dim = shape->dim[i], s = src_strides[i], d = dst_strides[i];
    if (dim == 0) return;
    if (dim == 1) continue;
    if (n > 0 && c.s[n - 1] == s * dim && c.d[n - 1] == d * dim) {   /* evenly spaced on both sides */
      c.dim[n - 1] *= dim;
      c.s[n - 1] = s;
      c.d[n - 1] = d;
    } else {
      c.dim[n] = dim;
      c.s[n] = s;
      c.d[n] = d;
      n++;
    }
  }
  if (n > 0) {
    n--;
    c.run = c.dim[n];
    c.run_s = c.s[n];
    c.run_d = c.d[n];
  }
  c.outer = n;
  if (n == 0) {
    parallel_chunks(c.run, 1 << 16, run_piece, &c);
    return;
  }
  find_panels(&c);
  if (c.rows == 1) exchange_short_run(&c);
  int64_t steps = 1, elements = c.rows > 1 ? c.run * TILE : c.run;
  for (int i = 0; i < n; i++) steps *= c.dim[i];
  parallel_chunks(steps, (1 << 16) / (elements > (1 << 16) ? 1 << 16 : elements) + 1, copy_piece, &c);
}
