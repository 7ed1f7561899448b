/* gradient_checks.h - parameters of the checks of gradients. */
#ifndef HL_OPS_TRAIN_GRADIENT_CHECKS_H
#define HL_OPS_TRAIN_GRADIENT_CHECKS_H

#include "ir/params.h"

typedef struct LarsParams { double eta, eps, rescale_grad; } LarsParams;

#endif
