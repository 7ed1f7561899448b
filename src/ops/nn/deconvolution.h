/* deconvolution.h - the sizes of a Deconvolution. */
#ifndef HL_OPS_NN_DECONVOLUTION_H
#define HL_OPS_NN_DECONVOLUTION_H

#include "ops/nn/convolution.h"

/* The convolution whose gradient of data this is, from the type of this operator's data. Inference has checked the
** parameters. */
Convolution deconvolution_of(const void *params, const Type *data);

#endif
