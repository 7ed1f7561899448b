/* proposals.h - parameters of Proposal and MultiProposal. */
#ifndef HL_OPS_VISION_PROPOSALS_H
#define HL_OPS_VISION_PROPOSALS_H

#include "ir/params.h"

typedef struct ProposalParams {
  int64_t rpn_pre_nms_top_n, rpn_post_nms_top_n;
  double threshold;
  int64_t rpn_min_size;
  List scales, ratios;
  int64_t feature_stride, output_score, iou_loss;
} ProposalParams;

/* The number of anchors at each place. */
static inline int64_t proposal_anchors(const ProposalParams *p) { return p->scales.count * p->ratios.count; }

/* The number of boxes of an image that go into the suppression, of `all`. */
static inline int64_t proposal_candidates(const ProposalParams *p, int64_t all) {
  return p->rpn_pre_nms_top_n > 0 && p->rpn_pre_nms_top_n < all ? p->rpn_pre_nms_top_n : all;
}

#endif
