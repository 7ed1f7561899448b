/* plain_boxes.c - the rows that boxes.h, multibox.h, proposals.h, roi_pooling.h, region_bins.h and correlation.h
** define, and their numbers.
*/
#include <string.h>

#include "ops/vision/bounding_boxes.h"
#include "ops/vision/correlation.h"
#include "ops/vision/proposals.h"
#include "ops/vision/region_bins.h"
#include "ops/vision/roi_pooling.h"
#include "ops/vision/ssd_multibox.h"
#include "plain/plain_registry.h"

/* Parameters of boxes are float32, as MXNet's are. */
static void add_float(PlainCall *c, double x) { plain_number(c, (float)x); }

/* ---- Regions ------------------------------------------------------------------------------------ */

static void roi_pooling_numbers(const Query *q, PlainCall *c) {
  plain_whole(c, query_out_shape(q, 0)->dim[0]);
  plain_wholes(c, query_in_shape(q, 0)->dim, 4);
  plain_wholes(c, query_out_shape(q, 0)->dim + 2, 2);
  add_float(c, ((const PoolingRegions *)q->params)->spatial_scale);
}

static void roi_align_numbers(const Query *q, PlainCall *c) {
  const AlignRegions *p = q->params;
  plain_whole(c, query_out_shape(q, 0)->dim[0]);
  plain_whole(c, query_in_shape(q, 1)->dim[1]);
  plain_wholes(c, query_in_shape(q, 0)->dim, 4);
  plain_wholes(c, query_out_shape(q, 0)->dim + 1, 3);
  plain_whole(c, p->sample_ratio);
  plain_whole(c, p->position_sensitive);
  plain_whole(c, p->aligned);
  add_float(c, p->spatial_scale);
}

static void add_bins(const Query *q, PlainCall *c) {
  plain_whole(c, query_out_shape(q, 0)->dim[0]);
  plain_whole(c, query_in_shape(q, 1)->dim[1]);
  plain_wholes(c, query_in_shape(q, 0)->dim, 4);
}

static void psroi_numbers(const Query *q, PlainCall *c) {
  const PsroiParams *p = q->params;
  add_bins(q, c);
  plain_wholes(c, query_out_shape(q, 0)->dim + 1, 3);
  plain_whole(c, psroi_groups(p));
  add_float(c, p->spatial_scale);
}

static void rroi_numbers(const Query *q, PlainCall *c) {
  const RroiParams *p = q->params;
  add_bins(q, c);
  plain_wholes(c, query_out_shape(q, 0)->dim + 2, 2);
  plain_whole(c, p->sampling_ratio);
  add_float(c, p->of.spatial_scale);
}

static void correlation_numbers(const Query *q, PlainCall *c) {
  const CorrelationParams *p = q->params;
  plain_wholes(c, query_in_shape(q, 0)->dim, 4);
  plain_wholes(c, query_out_shape(q, 0)->dim + 2, 2);
  plain_whole(c, correlation_steps(p));
  plain_whole(c, p->stride2);
  plain_whole(c, p->kernel_size);
  plain_whole(c, p->max_displacement - p->pad_size);
  plain_whole(c, p->stride1);
  plain_whole(c, p->is_multiply != 0);
}

/* ---- Boxes -------------------------------------------------------------------------------------- */

static void iou_numbers(const Query *q, PlainCall *c) {
  for (int i = 0; i < 2; i++) plain_whole(c, shape_size(query_in_shape(q, i)) / 4);
  plain_whole(c, ((const OverlapParams *)q->params)->format == CORNER);
}

static void nms_numbers(const Query *q, PlainCall *c) {
  const NmsParams *p = q->params;
  const Shape *data = query_in_shape(q, 0);
  plain_axis(c, data, data->ndim - 2);
  plain_whole(c, p->topk);
  plain_whole(c, p->coord_start);
  plain_whole(c, p->score_index);
  plain_whole(c, p->id_index);
  plain_whole(c, p->force_suppress);
  plain_whole(c, p->in_format == CORNER);
  plain_whole(c, p->out_format == CORNER);
  add_float(c, p->overlap_thresh);
  add_float(c, p->valid_thresh);
  plain_number(c, (double)p->background_id);
  c->workspace = data->dim[data->ndim - 2];
}

static void matching_numbers(const Query *q, PlainCall *c) {
  const MatchParams *p = q->params;
  const Shape *data = query_in_shape(q, 0);
  plain_axis(c, data, data->ndim - 2);
  plain_whole(c, p->is_ascend);
  plain_whole(c, p->topk);
  add_float(c, p->threshold);
}

static void encode_numbers(const Query *q, PlainCall *c) {
  plain_wholes(c, query_in_shape(q, 0)->dim, 2);
  plain_whole(c, query_in_shape(q, 3)->dim[1]);
}

static void decode_numbers(const Query *q, PlainCall *c) {
  const DecodeParams *p = q->params;
  plain_wholes(c, query_in_shape(q, 0)->dim, 2);
  plain_whole(c, p->format == CORNER);
  for (int i = 0; i < 4; i++) add_float(c, p->std[i]);
  add_float(c, p->clip);
}

/* The bits of scales, then ratios. */
static int64_t anchor_bits(const Query *q, int i) {
  const ProposalParams *p = q->params;
  int64_t bits;
  memcpy(&bits, i < p->scales.count ? list_floats(&p->scales) + i : list_floats(&p->ratios) + i - p->scales.count,
         sizeof bits);
  return bits;
}

static void proposals_numbers(const Query *q, PlainCall *c) {
  const ProposalParams *p = q->params;
  const Shape *prob = query_in_shape(q, 0);
  const int64_t all = proposal_anchors(p) * prob->dim[2] * prob->dim[3];
  c->size = anchor_bits;
  c->n_sizes = (int)(p->scales.count + p->ratios.count);
  c->workspace = 7 * all;
  plain_whole(c, prob->dim[0]);
  plain_wholes(c, prob->dim + 2, 2);
  plain_whole(c, p->scales.count);
  plain_whole(c, p->ratios.count);
  plain_whole(c, proposal_candidates(p, all));
  plain_whole(c, p->rpn_post_nms_top_n);
  plain_whole(c, p->rpn_min_size);
  plain_whole(c, p->feature_stride);
  plain_whole(c, p->iou_loss != 0);
  plain_number(c, p->threshold);
}

/* ---- The single-shot detector ------------------------------------------------------------------- */

static void target_numbers(const Query *q, PlainCall *c) {
  const TargetParams *p = q->params;
  const Shape *label = query_in_shape(q, 1), *pred = query_in_shape(q, 2);
  plain_whole(c, label->dim[0]);
  plain_whole(c, pred->dim[2]);
  plain_wholes(c, label->dim + 1, 2);
  plain_whole(c, pred->dim[1]);
  plain_whole(c, p->minimum_negative_samples);
  add_float(c, p->ignore_label);
  add_float(c, p->overlap_threshold);
  add_float(c, p->negative_mining_ratio);
  add_float(c, p->negative_mining_thresh);
  for (int i = 0; i < 4; i++) add_float(c, list_floats(&p->variances)[i]);
  c->workspace = 3 * pred->dim[2] + label->dim[1];
}

static void detection_numbers(const Query *q, PlainCall *c) {
  const DetectionParams *p = q->params;
  const Shape *prob = query_in_shape(q, 0);
  plain_wholes(c, prob->dim, 3);
  plain_whole(c, p->clip);
  plain_whole(c, p->nms_threshold > 0 && p->nms_threshold <= 1);
  plain_whole(c, p->force_suppress);
  plain_whole(c, p->nms_topk);
  add_float(c, p->threshold);
  add_float(c, p->nms_threshold);
  for (int i = 0; i < 4; i++) add_float(c, list_floats(&p->variances)[i]);
  c->workspace = 7 * prob->dim[2];
}

#define BOXES(row, file, name, numbers)                                                                       \
  { .op = row, .text = "vision/" file, .function = name, .types = FLOAT_TYPES, .arguments = numbers }

const Plain plain_boxes[] = { BOXES("ROIPooling", "roi_pooling", "roi_pooling", roi_pooling_numbers),
                              BOXES("_contrib_ROIAlign", "roi_pooling", "roi_align", roi_align_numbers),
                              BOXES("_contrib_PSROIPooling", "region_bins", "psroi_pooling", psroi_numbers),
                              BOXES("_contrib_RROIAlign", "region_bins", "rroi_align", rroi_numbers),
                              BOXES("Correlation", "correlation", "correlation", correlation_numbers),
                              BOXES("_contrib_Proposal", "proposals", "proposals", proposals_numbers),
                              BOXES("_contrib_MultiProposal", "proposals", "proposals", proposals_numbers),
                              BOXES("_contrib_box_iou", "boxes", "box_iou", iou_numbers),
                              BOXES("_contrib_box_nms", "boxes", "box_nms", nms_numbers),
                              BOXES("_contrib_bipartite_matching", "boxes", "bipartite_matching", matching_numbers),
                              BOXES("_contrib_box_encode", "boxes", "box_encode", encode_numbers),
                              BOXES("_contrib_box_decode", "boxes", "box_decode", decode_numbers),
                              BOXES("_contrib_MultiBoxTarget", "multibox", "multibox_target", target_numbers),
                              BOXES("_contrib_MultiBoxDetection", "multibox", "multibox_detection", detection_numbers),
                              { 0 } };
