/* ssd_multibox.h - parameters of MultiBoxPrior, MultiBoxTarget and MultiBoxDetection. */
#ifndef HL_OPS_VISION_SSD_MULTIBOX_H
#define HL_OPS_VISION_SSD_MULTIBOX_H

#include "ir/params.h"

typedef struct PriorParams { List sizes, ratios; int64_t clip; List steps, offsets; } PriorParams;
typedef struct TargetParams {
  double overlap_threshold, ignore_label, negative_mining_ratio, negative_mining_thresh;
  int64_t minimum_negative_samples;
  List variances;
} TargetParams;
typedef struct DetectionParams {
  int64_t clip;
  double threshold;
  int64_t background_id;
  double nms_threshold;
  int64_t force_suppress;
  List variances;
  int64_t nms_topk;
} DetectionParams;

/* Number of boxes at each position: all sizes with the first ratio, and the first size with the other ratios. */
static inline int64_t boxes_at_place(const PriorParams *p) { return p->sizes.count + p->ratios.count - 1; }

#endif
