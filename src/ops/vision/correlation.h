/* correlation.h - parameters and sizes of Correlation and its gradients. */
#ifndef HL_OPS_VISION_CORRELATION_H
#define HL_OPS_VISION_CORRELATION_H

#include "ir/params.h"

typedef struct CorrelationParams {
  int64_t kernel_size, max_displacement, stride1, stride2, pad_size, is_multiply;
} CorrelationParams;

/* side: the operand, 0 or 1, that is differentiated. */
typedef struct CorrelationSideParams { CorrelationParams of; int64_t side; } CorrelationSideParams;

/* The displacements along an axis are those of -steps to steps, times stride2. */
static inline int64_t correlation_steps(const CorrelationParams *p) { return p->max_displacement / p->stride2; }

#endif
