/* bounding_boxes.h - parameters of the operators on bounding boxes. */
#ifndef HL_OPS_VISION_BOUNDING_BOXES_H
#define HL_OPS_VISION_BOUNDING_BOXES_H

#include "ir/params.h"

/* The format of boxes: see bounding_boxes.c. */
enum { CENTER, CORNER };

typedef struct OverlapParams { int64_t format; } OverlapParams;
typedef struct NmsParams {
  double overlap_thresh, valid_thresh;
  int64_t topk, coord_start, score_index, id_index, background_id, force_suppress, in_format, out_format;
} NmsParams;
typedef struct MoveParams { int64_t coord_start, in_format, out_format; } MoveParams;
typedef struct MatchParams { int64_t is_ascend; double threshold; int64_t topk; } MatchParams;
typedef struct DecodeParams { double std[4], clip; int64_t format; } DecodeParams;

#endif
