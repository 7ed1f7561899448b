/* fourier_kernels.c - fft and ifft, in double.
**
** If the length n is a power of 2, the transform is Cooley and Tukey's: bit-reversed order, then steps that combine
** halves. Otherwise each result is the sum of its n terms in order.
*/
#include "base/math/scalar_functions.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"

typedef struct Complex { double re, im; } Complex;

/* A factor, with the negated imaginary part: products that subtract one number and add its neighbour would be fused by
** gcc 12, in spite of -ffp-contract=off. */
typedef struct Turn { double re, im, minus_im; } Turn;

/* One call; turn[k] is e^(+-2 pi i k / n). */
typedef struct Fourier {
  Call *call;
  int64_t n;
  bool inverse;
  const Turn *turn;
} Fourier;

static Complex plus_times(Complex a, Turn b, Complex c) {
  return (Complex){ a.re + (b.re * c.re + b.minus_im * c.im), a.im + (b.re * c.im + b.im * c.re) };
}

static bool is_power(int64_t n) { return (n & (n - 1)) == 0; }

/* In place. */
static void transform_halves(const Fourier *f, Complex *x) {
  for (int64_t i = 0, j = 0; i < f->n; i++) {          /* j has the bits of i in reverse order */
    if (i < j) {
      const Complex other = x[i];
      x[i] = x[j];
      x[j] = other;
    }
    int64_t bit = f->n / 2;
    while (bit > 0 && (j & bit)) j ^= bit, bit /= 2;
    j |= bit;
  }
  for (int64_t half = 1; half < f->n && !interrupted(); half *= 2)
    for (int64_t first = 0; first < f->n; first += 2 * half)
      for (int64_t k = first; k < first + half; k++) {
        const Turn turn = f->turn[(k - first) * (f->n / (2 * half))];
        const Complex low = x[k], high = x[k + half];
        x[k] = plus_times(low, turn, high);
        x[k + half] = plus_times(low, (Turn){ -turn.re, turn.minus_im, turn.im }, high);
      }
}

static Complex term_sum(const Fourier *f, const Complex *x, int64_t k) {
  Complex sum = { 0, 0 };
  for (int64_t i = 0, at = 0; i < f->n; i++) {
    sum = plus_times(sum, f->turn[at], x[i]);
    at = at + k >= f->n ? at + k - f->n : at + k;
  }
  return sum;
}

/* A work item is a row. */
#define FOURIER(code, T, suffix)                                                                             \
  static void fourier_##suffix(void *context, int64_t first, int64_t last) {                                 \
    const Fourier *f = context;                                                                              \
    Complex *x = call_thread_workspace(f->call);                                                             \
    const bool power = is_power(f->n);                                                                       \
    for (int64_t row = first; row < last && !interrupted(); row++) {                                         \
      const T *from = (const T *)f->call->in[0]->data + row * f->n * (f->inverse ? 2 : 1);                   \
      T *to = (T *)f->call->out[0]->data + row * f->n * (f->inverse ? 1 : 2);                                \
      for (int64_t i = 0; i < f->n; i++)                                                                     \
        x[i] = f->inverse ? (Complex){ from[2 * i], from[2 * i + 1] } : (Complex){ from[i], 0 };             \
      if (power) transform_halves(f, x);                                                                     \
      for (int64_t k = 0; k < f->n && !interrupted(); k++) {                                                 \
        const Complex y = power ? x[k] : term_sum(f, x, k);                                                  \
        if (f->inverse) to[k] = (T)y.re;                                                                     \
        else to[2 * k] = (T)y.re, to[2 * k + 1] = (T)y.im;                                                   \
      }                                                                                                      \
    }                                                                                                        \
  }
EACH_FLOAT(FOURIER)

static int64_t last_of(const Shape *s) { return s->dim[s->ndim - 1]; }

/* fft has the real numbers as input, ifft as output. */
static Status room(const Shape *real, Workspace *w) {
  w->bytes = (size_t)last_of(real) * sizeof(Turn);
  w->thread_bytes = (size_t)last_of(real) * sizeof(Complex);
  return OK;
}
static Status fft_workspace(const Query *q, Workspace *w) { return room(query_in_shape(q, 0), w); }
static Status ifft_workspace(const Query *q, Workspace *w) { return room(query_out_shape(q, 0), w); }

static Status run_fourier(Call *c, const Tensor *real, bool inverse) {
  const Fourier f = { .call = c, .n = last_of(&real->type.shape), .inverse = inverse, .turn = c->workspace };
  Turn *turn = c->workspace;
  for (int64_t k = 0; k < f.n; k++) {
    const double part = (double)k / (double)f.n, sine = hl_cos_turns64(part - 0.25);
    turn[k] = (Turn){ hl_cos_turns64(part), inverse ? sine : -sine, inverse ? -sine : sine };
  }
  return run_parallel(tensor_size(real) / f.n, (1 << 10) / f.n + 1, c->kernel->body, (void *)&f);
}

static Status fft(Call *c) { return run_fourier(c, c->in[0], false); }
static Status ifft(Call *c) { return run_fourier(c, c->out[0], true); }

const Kernel fourier_kernels[] = {
  FLOAT_KERNELS("_contrib_fft", fft, fourier, .workspace = fft_workspace),
  FLOAT_KERNELS("_contrib_ifft", ifft, fourier, .workspace = ifft_workspace),
  { 0 },
};
