/* upsampling.h - parameters and windows of UpSampling and its gradients. */
#ifndef HL_OPS_VISION_UPSAMPLING_H
#define HL_OPS_VISION_UPSAMPLING_H

#include "ir/params.h"

typedef struct UpSamplingParams {
  int64_t scale, num_filter, sample_type, multi_input_mode, num_args, workspace;
} UpSamplingParams;

/* Parameters of bilinear's gradients. */
typedef struct BilinearParams { int64_t scale; } BilinearParams;

enum { SAMPLE_BILINEAR, SAMPLE_NEAREST };
enum { MULTI_CONCAT, MULTI_SUM };

/* The height and width of bilinear's windows of weights. */
static inline int64_t window_side(int64_t scale) { return 2 * scale - scale % 2; }

#endif
