/* activation.h - parameters and expressions of LeakyReLU, and how its gamma broadcasts. */
#ifndef HL_OPS_NN_ACTIVATION_H
#define HL_OPS_NN_ACTIVATION_H

#include "ir/params.h"

typedef struct LeakyParams { int64_t act_type; double slope, lower_bound, upper_bound; } LeakyParams;
enum { LEAKY, PRELU, ELU, SELU, GELU, RRELU };     /* values of act_type */

/* The internal rows: F(name, number of scalars, expression, gradient). Scalars are the first fields of LeakyParams: s
** is act_type, t is slope. */
#define EACH_LEAKY(F)                                                                                         \
  F(leaky, 2, a > 0 ? a : t * a, a > 0 ? g : t * g)                                                           \
  F(elu, 2, a > 0 ? a : t * expm1(a), a > 0 ? g : g * (y + t))                                                \
  F(selu, 0, a > 0 ? K(1.0507009873554805) * a : K(1.7580993408473766) * expm1(a),                            \
    a > 0 ? K(1.0507009873554805) * g : g * (y + K(1.7580993408473766)))                                      \
  F(gelu, 0, K(0.5) * maximum(a, K(-1e4)) * (1 + erf(a * K(0.70710678118654752))),                            \
    g * (K(0.5) * (1 + erf(a * K(0.70710678118654752))) +                                                     \
         minimum(maximum(a, K(-1e4)), K(1e4)) * K(0.39894228040143268) * exp(K(-0.5) * a * a)))

/* F(name, expression, gradient of data, gradient of gamma) */
#define EACH_PRELU(F) F(prelu, a > 0 ? a : b * a, a > 0 ? g : b * g, a > 0 ? 0 : a * g)

/* The shape in which gamma broadcasts along data's axis 1, for shapes (channels) and (1); data's shape is kept. */
Shape leaky_gamma_shape(const Shape *data, const Shape *gamma);

#endif
