/* activation.h - parameters of LeakyReLU, and how its gamma broadcasts. */
#ifndef HL_OPS_NN_ACTIVATION_H
#define HL_OPS_NN_ACTIVATION_H

#include "ir/params.h"

typedef struct LeakyParams { int64_t act_type; double slope, lower_bound, upper_bound; } LeakyParams;
enum { LEAKY, PRELU, ELU, SELU, GELU, RRELU };     /* values of act_type */

/* The shape in which gamma broadcasts along data's axis 1, for shapes (channels) and (1); data's shape is kept. */
Shape leaky_gamma_shape(const Shape *data, const Shape *gamma);

#endif
