/* straight_through.h - the list of elementwise operators whose gradients are chosen by design.
**
** As in unary.h, a line has the expression and the gradient of the input; then the parameters and their number, the
** doc, and the options of the example. s is the first parameter.
*/
#ifndef HL_OPS_ELEMENTWISE_STRAIGHT_THROUGH_H
#define HL_OPS_ELEMENTWISE_STRAIGHT_THROUGH_H

#define EACH_STRAIGHT_THROUGH(F)                                                                             \
  F(round_ste, round(a), g, NULL, 0,                                                                         \
    "x rounded to the nearest integer, ties away from 0. The gradient is passed on as it is (Y. Bengio et al., 2013)", \
    "")                                                                                                      \
  F(sign_ste, sign(a), g, NULL, 0,                                                                           \
    "-1, 0 or 1: the sign of x. The gradient is passed on as it is (Y. Bengio et al., 2013)", "")            \
  F(gradientmultiplier, a, g * s,                                                                            \
    "scalar float 1 Multiplies the gradient.\nis_int bool True Accepted for MXNet's sake.\n", 1,             \
    "data, with the gradient multiplied by scalar; a negative one reverses it (Y. Ganin, V. Lempitsky, 2015)", \
    ", {scalar = -0.5}")

#endif
