/* fourier.c - fft and ifft: discrete Fourier transforms along the last axis, with complex numbers as pairs.
**
** Complex numbers are pairs (real, imaginary) along the last axis. ifft does not divide by the length, and returns the
** real part. So each is the gradient of the other. The kernels are in kernels/linalg/fourier_kernels.c.
*/
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

typedef struct FourierParams { int64_t compute_size; } FourierParams;

/* The output is `up` / `down` times as long as data along the last axis. */
static Status infer_length(Infer *f, int64_t up, int64_t down) {
  Shape s = f->in[0].shape;
  TRY(one_float_dtype(f, 1, 1));
  if (s.ndim < 0) return OK;
  TRY(least_dims(f, 0, 1));
  int64_t *n = &s.dim[s.ndim - 1];
  if (*n == 0 || (*n > 0 && *n % down != 0))
    return fail("data: expected %s along the last axis, got shape %s", down == 1 ? "numbers" : "pairs of numbers",
                shape_text(&f->in[0].shape));
  *n = *n < 0 ? UNKNOWN : *n / down * up;
  return output_shape(f, 0, &s);
}

static Status infer_fft(Infer *f) { return infer_length(f, 2, 1); }
static Status infer_ifft(Infer *f) { return infer_length(f, 1, 2); }
static Status fft_grad(Gradient *d) { return gradient_by(d, "_contrib_ifft"); }
static Status ifft_grad(Gradient *d) { return gradient_by(d, "_contrib_fft"); }

#define PARAMS "compute_size int 128 Accepted for MXNet's sake.\n"

/* clang-format off */
Op fourier_ops[] = {
  { .name = "_contrib_fft", .aliases = "contrib.fft",
    .doc = "The discrete Fourier transform of real numbers along the last axis: n numbers become n pairs (real, "
           "imaginary) (J. Cooley, J. Tukey, 1965)",
    .example = "F.contrib.fft(F.array{{1, 2, 0.5, -1}, {3, 0, 1, 2}})\nF.contrib.fft(F.array{1, -2, 0.5})",
    .inputs = "data", .params = PARAMS, .params_size = sizeof(FourierParams), .flags = OP_NAMED_INPUT,
    .infer = infer_fft, .grad = fft_grad },
  { .name = "_contrib_ifft", .aliases = "contrib.ifft",
    .doc = "The real part of the inverse Fourier transform of n pairs (real, imaginary) along the last axis, not "
           "divided by n: for real numbers, ifft(fft(x)) is n x",
    .example = "F.contrib.ifft(F.array{{1, 2, 0.5, -1}, {3, 0, 1, 2}})\nF.contrib.ifft(F.array{1, -2, 0.5, 3, 2, 1})",
    .inputs = "data", .params = PARAMS, .params_size = sizeof(FourierParams), .flags = OP_NAMED_INPUT,
    .infer = infer_ifft, .grad = ifft_grad },
  { 0 }
};
/* clang-format on */
