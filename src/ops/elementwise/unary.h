/* unary.h - the lists of elementwise operators of one operand.
**
** One line is a whole operator: its expression, the gradient of its input in terms of g (the output's gradient), a (the
** input) and y (the output), the range of inputs in tests and in the doc example, the doc, and the Lua operator that it
** implements. Kernels, nd.*, sym.*, methods, inference, gradients of any order, docs and tests are made from it.
**     F  float32 and float64        N  also integers        A  also bool
** Operands are clipped to 1e4 where infinity would be multiplied by 0.
*/
#ifndef HL_OPS_ELEMENTWISE_UNARY_H
#define HL_OPS_ELEMENTWISE_UNARY_H

#define EACH_DIFFERENTIABLE(F, N)                                                                          \
  N(negative,    -a,                 -g,                                   -2 2,     "-x", "__unm")             \
  N(abs,         abs(a),             a > 0 ? g : a < 0 ? -g : 0,           0.1 2,    "|x|", NULL)            \
  N(square,      square(a),          2 * a * g,                            -2 2,     "x^2", NULL)                      \
  F(reciprocal,  1 / a,              -g * y * y,                           0.5 2,    "1 / x", NULL)          \
  F(sqrt,        sqrt(a),            g / (2 * y),                          0.5 4,    "The square root", NULL) \
  F(rsqrt,       rsqrt(a),           K(-0.5) * g * y / a,                  0.5 4,    "1 / sqrt(x)", NULL)    \
  F(cbrt,        cbrt(a),            g / (3 * y * y),                      0.5 4,    "The cube root", NULL)  \
  F(rcbrt,       rcbrt(a),           -g * y / (3 * a),                     0.5 4,    "1 / cbrt(x)", NULL)    \
  F(exp,         exp(a),             g * y,                                -2 2,     "e^x", NULL)            \
  F(expm1,       expm1(a),           g * (y + 1),                          -2 2,     "e^x - 1, exact near 0", NULL) \
  F(log,         log(a),             g / a,                                0.2 4,    "The natural logarithm", NULL) \
  F(log2,        log2(a),            g / (a * K(0.69314718055994531)),     0.2 4,    "The logarithm to base 2", NULL) \
  F(log10,       log10(a),           g / (a * K(2.3025850929940457)),      0.2 4,    "The logarithm to base 10", NULL) \
  F(log1p,       log1p(a),           g / (1 + a),                          -0.5 3,   "log(1 + x), exact near 0", NULL) \
  F(sin,         sin(a),             g * cos(a),                           -3 3,     "The sine; x in radians", NULL) \
  F(cos,         cos(a),             -g * sin(a),                          -3 3,     "The cosine; x in radians", NULL) \
  F(tan,         tan(a),             g * (1 + y * y),                      -1 1, \
    "The tangent; x in radians", NULL) \
  F(arcsin,      arcsin(a),          g * rsqrt(1 - a * a),                 -0.8 0.8, \
    "The inverse of sin, in [-pi/2, pi/2]", NULL) \
  F(arccos,      arccos(a),          -g * rsqrt(1 - a * a),                -0.8 0.8, \
    "The inverse of cos, in [0, pi]", NULL) \
  F(arctan,      arctan(a),          g / (1 + a * a),                      -2 2, \
    "The inverse of tan, in (-pi/2, pi/2)", NULL) \
  F(sinh,        sinh(a),            g * cosh(a),                          -2 2,     "The hyperbolic sine", NULL) \
  F(cosh,        cosh(a),            g * sinh(a),                          -2 2,     "The hyperbolic cosine", NULL) \
  F(tanh,        tanh(a),            g * (1 - y * y),                      -2 2,     "The hyperbolic tangent", NULL) \
  F(arcsinh,     arcsinh(a),         g * rsqrt(a * a + 1),                 -2 2,     "The inverse of sinh", NULL) \
  F(arccosh,     arccosh(a),         g * rsqrt(a * a - 1),                 1.5 4, \
    "The inverse of cosh; x >= 1", NULL) \
  F(arctanh,     arctanh(a),         g / (1 - a * a),                      -0.8 0.8, \
    "The inverse of tanh; |x| < 1", NULL) \
  F(degrees,     a * K(57.295779513082323), g * K(57.295779513082323),     -3 3,     "Radians to degrees", NULL) \
  F(radians,     a * K(0.017453292519943295), g * K(0.017453292519943295), -180 180, "Degrees to radians", NULL) \
  F(erf,         erf(a),             g * K(1.1283791670955126) * exp(-(a * a)), -2 2, "The error function", NULL) \
  F(erfinv,      erfinv(a),          g * K(0.88622692545275801) * exp(y * y), -0.8 0.8, \
    "The inverse of erf; |x| < 1", NULL) \
  F(gamma,       gamma(a),           g * y * digamma(a),                   0.5 3,    "The gamma function", NULL) \
  F(gammaln,     gammaln(a),         g * digamma(a),                       0.5 3,    "log |gamma(x)|", NULL) \
  F(digamma,     digamma(a),         g * trigamma(a),                      0.5 3, \
    "The derivative of gammaln", NULL) \
  F(trigamma,    trigamma(a),        g * polygamma(2, a),                  0.5 3, \
    "The derivative of digamma", NULL) \
  N(relu,        a < 0 ? 0 : a,      y > 0 ? g : y,                        0.1 2,    "max(x, 0); NaN for NaN", NULL) \
  F(sigmoid,     sigmoid(a),         g * y * (1 - y),                      -3 3,     "1 / (1 + e^-x)", NULL)  \
  F(log_sigmoid, -softrelu(-a),      g * sigmoid(-a),                      -3 3, \
    "log(1 / (1 + e^-x)), accurate also far from 0", NULL) \
  F(softsign,    a / (1 + abs(a)),   g / square(1 + abs(a)),               0.1 2,    "x / (1 + |x|)", NULL)            \
  F(_softrelu,   softrelu(a),        g * sigmoid(a),                       -3 3,     "log(1 + e^x)", NULL)    \
  F(silu, maximum(a, K(-1e4)) * sigmoid(a), g * sigmoid(a) * (1 + minimum(maximum(a, K(-1e4)), K(1e4)) * sigmoid(-a)), \
    -3 3, "x sigmoid(x), also called swish (S. Elfwing et al., 2017)", NULL)                                     \
  F(mish, maximum(a, K(-1e4)) * tanh(softrelu(a)),                                                         \
    g * (tanh(softrelu(a)) + minimum(maximum(a, K(-1e4)), K(1e4)) * (1 - square(tanh(softrelu(a)))) * sigmoid(a)), \
    -3 3, "x tanh(log(1 + e^x)) (D. Misra, 2019)", NULL)                                                         \
  F(_gelu_tanh,                                                                                                        \
    maximum(a, K(-1e4)) * sigmoid(K(1.5957691216057308) * minimum(maximum(a, K(-1e4)), K(1e4)) *                       \
                                  (1 + K(0.044715) * square(minimum(maximum(a, K(-1e4)), K(1e4))))),                   \
    g * sigmoid(K(1.5957691216057308) * minimum(maximum(a, K(-1e4)), K(1e4)) *                                         \
                (1 + K(0.044715) * square(minimum(maximum(a, K(-1e4)), K(1e4))))) *                                    \
    (1 + K(1.5957691216057308) * minimum(maximum(a, K(-1e4)), K(1e4)) *                                                \
     (1 + K(0.134145) * square(minimum(maximum(a, K(-1e4)), K(1e4)))) *                                                \
     sigmoid(K(-1.5957691216057308) * minimum(maximum(a, K(-1e4)), K(1e4)) *                                           \
             (1 + K(0.044715) * square(minimum(maximum(a, K(-1e4)), K(1e4)))))), -3 3,                                 \
    "gelu approximated by 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) (D. Hendrycks, K. Gimpel, 2016)", NULL)

/* The gradient is zero wherever it exists. */
#define EACH_STEP(N, A)                                                                                    \
  N(sign,        sign(a),            -2 2,   "-1, 0 or 1, or NaN for NaN")                                      \
  N(rint,        rint(a),            -2 2,   "x rounded to the nearest integer, ties to the lower one")              \
  N(_round_even, 2 * (a - floor(a)) == 1 ? 2 * floor((a + K(0.5)) / 2) : rint(a), -2 2, \
    "x rounded to the nearest integer, ties to the even one") \
  N(round,       round(a),           -2 2,   "x rounded to the nearest integer, ties away from 0")                   \
  N(ceil,        ceil(a),            -2 2,   "The least integer not below x")                              \
  N(floor,       floor(a),           -2 2,   "The greatest integer not above x")                           \
  N(trunc,       trunc(a),           -2 2,   "x without its fraction")                                     \
  N(fix,         trunc(a),           -2 2,   "x rounded to the nearest integer towards 0")                           \
  A(logical_not, a == 0 ? 1 : 0,     -2 2,   "1 where x is 0, else 0, in x's dtype", NULL, 0) \
  A(_spread,     a,                  -2 2,   \
    "x: the expression of broadcasting rows in fused kernels", NULL, OP_INTERNAL)

#endif
