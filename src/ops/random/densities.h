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
     "F.rint(F.array{{0, 1}, {2, 3}}), F.array{1.5, 2}, F.array{0.5, 0.8}")                                  \
  F3(laplace, -abs(a - b) / c - log(2 * c), -g * sign(a - b) / c, g * sign(a - b) / c, g * (abs(a - b) /     \
     c - 1) / c, "sample loc scale", 7,                                                                      \
     "Laplace distributions around loc",                                                                     \
     "F.array{{0.5, 1}, {2, 3}}, F.array{0, 1.5}, F.array{2, 1.5}")                                          \
  F3(logistic, -(a - b) / c - 2 * softrelu(-(a - b) / c) - log(c), -g * tanh(K(0.5) * (a - b) / c) / c,      \
     g * tanh(K(0.5) * (a - b) / c) / c, g * (tanh(K(0.5) * (a - b) / c) * (a - b) / c - 1) / c, "sample     \
     loc scale", 7,                                                                                          \
     "logistic distributions around loc",                                                                    \
     "F.array{{0.5, 1}, {2, 3}}, F.array{0, 1.5}, F.array{2, 1.5}")                                          \
  F3(gumbel, -(a - b) / c - exp(-(a - b) / c) - log(c), g * (exp(-(a - b) / c) - 1) / c, g * (1 -            \
     exp(-(a - b) / c)) / c, g * ((1 - exp(-(a - b) / c)) * (a - b) / c - 1) / c, "sample loc scale", 7,     \
     "Gumbel distributions of mode loc",                                                                     \
     "F.array{{0.5, 1}, {2, 3}}, F.array{0, 1.5}, F.array{2, 1.5}")                                          \
  F3(lognormal, K(-0.5) * square((log(a) - b) / c) - log(a) - log(c) - K(0.91893853320467274), g * ((b -     \
     log(a)) / (c * c) - 1) / a, g * (log(a) - b) / (c * c), g * (square((log(a) - b) / c) - 1) / c,         \
     "sample mean sigma", 7,                                                                                 \
     "numbers whose logarithms are normal with that mean and standard deviation",                            \
     "F.array{{0.5, 1}, {2, 3}}, F.array{0, 1.5}, F.array{2, 1.5}")                                          \
  F3(beta, (b - 1) * log(a) + (c - 1) * log1p(-a) + gammaln(b + c) - gammaln(b) - gammaln(c), g * ((b -      \
     1) / a - (c - 1) / (1 - a)), g * (log(a) + digamma(b + c) - digamma(b)), g * (log1p(-a) + digamma(b     \
     + c) - digamma(c)), "sample alpha beta", 7,                                                             \
     "beta distributions",                                                                                   \
     "F.array{{0.5, 0.1}, {0.2, 0.7}}, F.array{0.8, 1.5}, F.array{2, 1.5}")                                  \
  F3(f, K(0.5) * b * log(b) + K(0.5) * c * log(c) + (K(0.5) * b - 1) * log(a) - K(0.5) * (b + c) * log(c     \
     + b * a) + gammaln(K(0.5) * (b + c)) - gammaln(K(0.5) * b) - gammaln(K(0.5) * c), g * ((K(0.5) * b      \
     - 1) / a - K(0.5) * (b + c) * b / (c + b * a)), g * K(0.5) * (log(b) + 1 + log(a) - log(c + b * a)      \
     - (b + c) * a / (c + b * a) + digamma(K(0.5) * (b + c)) - digamma(K(0.5) * b)), g * K(0.5) *            \
     (log(c) + 1 - log(c + b * a) - (b + c) / (c + b * a) + digamma(K(0.5) * (b + c)) - digamma(K(0.5) *     \
     c)), "sample dfnum dfden", 7,                                                                           \
     "Fisher's F distributions",                                                                             \
     "F.array{{0.5, 1}, {2, 3}}, F.array{3, 1.5}, F.array{5, 4}")                                            \
  F3(binomial, gammaln(b + 1) - gammaln(a + 1) - gammaln(b - a + 1) + a * log(c) + (b - a) * log1p(-c),      \
     0 * g, 0 * g, g * (a / c - (b - a) / (1 - c)), "sample n p", 4,                                         \
     "binomial distributions: the number of successes in n trials of probability p",                         \
     "F.rint(F.array{{0, 1}, {2, 3}}), F.rint(F.array{3, 5}), F.array{0.3, 0.6}")                            \
  F2(chisquare, (K(0.5) * b - 1) * log(a) - K(0.5) * a - K(0.34657359027997264) * b - gammaln(K(0.5) *       \
     b), g * ((K(0.5) * b - 1) / a - K(0.5)), g * K(0.5) * (log(a) - K(0.69314718055994531) -                \
     digamma(K(0.5) * b)), "sample df", 3,                                                                   \
     "chi-square distributions of df degrees of freedom",                                                    \
     "F.array{{0.5, 1}, {2, 3}}, F.array{1.5, 4}")                                                           \
  F2(standard_t, gammaln(K(0.5) * (b + 1)) - gammaln(K(0.5) * b) - K(0.5) * log(b *                          \
     K(3.1415926535897931)) - K(0.5) * (b + 1) * log1p(a * a / b), -g * (b + 1) * a / (b + a * a), g *       \
     K(0.5) * (digamma(K(0.5) * (b + 1)) - digamma(K(0.5) * b) - 1 / b - log1p(a * a / b) + (b + 1) * a      \
     * a / (b * (b + a * a))), "sample df", 3,                                                               \
     "Student's t distributions of df degrees of freedom",                                                   \
     "F.array{{0.5, 1}, {2, -3}}, F.array{1.5, 4}")                                                          \
  F2(pareto, log(b) - (b + 1) * log1p(a), -g * (b + 1) / (1 + a), g * (1 / b - log1p(a)), "sample a", 3,     \
     "Pareto's second distributions, which begin at 0",                                                      \
     "F.array{{0.5, 1}, {2, 3}}, F.array{1.5, 4}")                                                           \
  F2(power, log(b) + (b - 1) * log(a), g * (b - 1) / a, g * (1 / b + log(a)), "sample a", 3,                 \
     "power distributions on [0, 1]: a x^(a - 1)",                                                           \
     "F.array{{0.5, 0.1}, {0.2, 0.7}}, F.array{1.5, 4}")                                                     \
  F2(rayleigh, log(a) - 2 * log(b) - K(0.5) * square(a / b), g * (1 / a - a / (b * b)), g * (square(a /      \
     b) - 2) / b, "sample scale", 3,                                                                         \
     "Rayleigh distributions",                                                                               \
     "F.array{{0.5, 1}, {2, 3}}, F.array{1.5, 4}")                                                           \
  F2(weibull, log(b) + (b - 1) * log(a) - power(a, b), g * ((b - 1) / a - b * power(a, b - 1)), g * (1 /     \
     b + log(a) - power(a, b) * log(a)), "sample a", 3,                                                      \
     "Weibull distributions of shape a and scale 1",                                                         \
     "F.array{{0.5, 1.2}, {2, 1.5}}, F.array{1.5, 2}")                                                       \
  F2(geometric, (a - 1) * log1p(-b) + log(b), 0 * g, g * (1 / b - (a - 1) / (1 - b)), "sample p", 2,         \
     "geometric distributions: the number of trials up to the first success",                                \
     "F.rint(F.array{{1, 1}, {2, 3}}), F.array{0.3, 0.6}")                                                   \
  F2(bernoulli, a != 0 ? log(b) : log1p(-b), 0 * g, a != 0 ? g / b : -g / (1 - b), "sample prob", 2,         \
     "Bernoulli distributions: 1 with the probability prob, else 0",                                         \
     "F.rint(F.array{{0, 1}, {1, 0}}), F.array{0.3, 0.6}")

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
