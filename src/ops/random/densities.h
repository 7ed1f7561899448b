/* densities.h - the list of distributions with densities: their logarithms as elementwise expressions.
**
** One line is an internal row, the logarithm of the density of a sample a with parameters b and c, the gradients of
** a, b and c, and a public row, random_pdf_NAME. The last columns are the inputs, the differentiable ones as a set
** of bits, the doc and the example's operands. F2  one parameter        F3  two parameters
*/
#ifndef HL_OPS_RANDOM_DENSITIES_H
#define HL_OPS_RANDOM_DENSITIES_H

#include "tensor/shape.h"

#define EACH_DENSITY(F2, F3)                                                                                 \
  F3(uniform, a != a ? a : -log(c - b), 0 * g, g / (c - b), -g / (c - b), "sample low high", 6,              \
     "uniform distributions on [low, high]: 1 / (high - low), also outside",                                 \
     "F.array{{0.5, 1}, {2, 3}}, F.array{0, 1}, F.array{2, 4}")                                              \
  F3(normal, K(-0.5) * square((a - b) / c) - log(c) - K(0.91893853320467274), g * (b - a) / (c * c),         \
     g * (a - b) / (c * c), g * (square((a - b) / c) - 1) / c, "sample mu sigma", 7,                         \
     "normal distributions of mean mu and standard deviation sigma",                                         \
     "F.array{{0.5, 1}, {2, 3}}, F.array{0, 1}, F.array{2, 1.5}")                                            \
  F3(gamma, b * log(c) + (b - 1) * log(a) - c * a - gammaln(b), g * ((b - 1) / a - c),                       \
     g * (log(c) + log(a) - digamma(b)), g * (b / c - a), "sample alpha beta", 7,                            \
     "gamma distributions of shape alpha and rate beta, the inverse of random_gamma's beta",                 \
     "F.array{{0.5, 1}, {2, 3}}, F.array{1.5, 2}, F.array{0.5, 2}")                                          \
  F2(exponential, log(b) - b * a, -g * b, g * (1 / b - a), "sample lam", 3,                                  \
     "exponential distributions of rate lam", "F.array{{0.5, 1}, {2, 3}}, F.array{1.5, 2}")                  \
  F2(poisson, a * log(b) - gammaln(a + 1) - b, 0 * g, g * (a / b - 1), "sample lam", 2,                      \
     "Poisson distributions of mean lam", "F.rint(F.array{{0, 1}, {2, 3}}), F.array{1.5, 2}")                \
  F3(negative_binomial, gammaln(a + b) - gammaln(a + 1) - gammaln(b) + b * log(c) + a * log(1 - c), 0 * g,   \
     g * (digamma(a + b) - digamma(b) + log(c)), g * (b / c - a / (1 - c)), "sample k p", 6,                 \
     "negative binomial distributions: the number of failures before k successes of probability p",          \
     "F.rint(F.array{{0, 1}, {2, 3}}), F.array{1.5, 2}, F.array{0.3, 0.6}")                                  \
  F3(generalized_negative_binomial,                                                                          \
     gammaln(a + 1 / c) - gammaln(a + 1) - gammaln(1 / c) - (a + 1 / c) * log(1 + b * c) + a * log(b * c),   \
     0 * g, g * (a / b - (a * c + 1) / (1 + b * c)),                                                         \
     g * ((digamma(1 / c) - digamma(a + 1 / c) + log(1 + b * c)) / (c * c) - (a + 1 / c) * b / (1 + b * c) + a / c), \
     "sample mu alpha", 6, "negative binomial distributions of mean mu and dispersion alpha",                \
     "F.rint(F.array{{0, 1}, {2, 3}}), F.array{1.5, 2}, F.array{0.5, 0.8}")

/* The parameters of all rows. */
typedef struct DensityParams { int64_t is_log; } DensityParams;

/* The shape of a parameter that broadcasts to a sample of `ndim` axes: its axes, with axes of size 1 before the last
** `shared` ones. */
static inline Shape density_shape(const Shape *own, int ndim, int shared) {
  Shape s = { .ndim = ndim };
  for (int i = 0; i < ndim; i++)
    s.dim[i] = i < own->ndim - shared ? own->dim[i] : i < ndim - shared ? 1 : own->dim[i - ndim + own->ndim];
  return s;
}

#endif
