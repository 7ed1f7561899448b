/* chains.c - see chains.h. */
#include "ops/machinery/chains.h"

#include "base/scalar.h"

/* a * b + c in one rounding where the processor can, which tells itself by the compiler's macros. */
#if defined __FMA__ || defined __FP_FAST_FMAF || defined __ARM_FEATURE_FMA
#define MULTIPLY_ADD(a, b, c) FLOATS(a, __builtin_fmaf, __builtin_fma)(a, b, c)
#else
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#endif

enum { UNROLL = 8 };             /* terms for which a lane stays in a register */

/* FROM and the terms of one lane, from the s-th on; TERM_FACTORS keeps the row's factors in registers. */
#define TERM(k, FROM) MULTIPLY_ADD(row##k, at[k * CHAIN_LANES + l], FROM)
#define TERMS(FROM) TERM(7, TERM(6, TERM(5, TERM(4, TERM(3, TERM(2, TERM(1, TERM(0, FROM))))))))
#define TERM_FACTORS(T)                                                                                 \
  const T row0 = row[s], row1 = row[s + 1], row2 = row[s + 2], row3 = row[s + 3],                       \
          row4 = row[s + 4], row5 = row[s + 5], row6 = row[s + 6], row7 = row[s + 7];

#define CHAINS(code, T, suffix)                                                                         \
  static void run_##suffix(int64_t steps, const void *a, const void *panel, void *to, int64_t lanes) {  \
    const T *row = a, *at = panel;                                                                      \
    T *acc = to;                                                                                        \
    int64_t s = 0;                                                                                      \
    for (; s + UNROLL <= steps; s += UNROLL, at += UNROLL * CHAIN_LANES) {                              \
      TERM_FACTORS(T)                                                                                   \
      IVDEP                                                                                             \
      for (int64_t l = 0; l < (lanes & -CHAIN_VECTOR); l++) acc[l] = TERMS(acc[l]);                     \
    }                                                                                                   \
    for (; s < steps; s++, at += CHAIN_LANES) {                                                         \
      const T row0 = row[s];                                                                            \
      IVDEP                                                                                             \
      for (int64_t l = 0; l < (lanes & -CHAIN_VECTOR); l++) acc[l] = TERM(0, acc[l]);                   \
    }                                                                                                   \
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
  static void move_##suffix(const void *from, int64_t from_step, void *to, int64_t to_step, int64_t n) { \
    const T *x = from;                                                                                  \
    T *out = to;                                                                                        \
    for (int64_t i = 0; i < n; i++) out[i * to_step] = x[i * from_step];                                \
  }
EACH_FLOAT(CHAINS)

const Chains *chains_of(DType dtype) {
  static const Chains f32 = { sizeof(float), run_f32, add_f32, finish_f32, move_f32 };
  static const Chains f64 = { sizeof(double), run_f64, add_f64, finish_f64, move_f64 };
  return dtype == DT_FLOAT64 ? &f64 : &f32;
}
