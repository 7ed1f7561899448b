/* im2col.h - parameters and windows of im2col, col2im and deformable convolutions. */
#ifndef HL_OPS_NN_IM2COL_H
#define HL_OPS_NN_IM2COL_H

#include "ops/nn/window_params.h"

typedef struct Im2colParams { List kernel, stride, dilate, pad; } Im2colParams;
typedef struct Col2imParams { List output_size, kernel, stride, dilate, pad; } Col2imParams;

/* Reads the windows, with all sizes; the shape of im2col's data must be known. */
Status im2col_windows(const Im2colParams *p, const Shape *data, Windows *w);
Status col2im_windows(const Col2imParams *p, Windows *w);

/* The first fields of the parameters of both deformable convolutions. */
typedef struct DeformableParams {
  List kernel, stride, dilate, pad;
  int64_t num_filter, num_group, num_deformable_group, workspace, no_bias;
} DeformableParams;
typedef struct DeformableV1Params { DeformableParams of; int64_t layout; } DeformableV1Params;
typedef struct DeformableV2Params { DeformableParams of; int64_t im2col_step, layout; } DeformableV2Params;

/* Their columns. dy, dx: the orders of the derivative of the interpolation's weights; outside: are points less than an
** element outside data interpolated with zeros, not 0? shape: of data, in the row that adds. */
typedef struct DeformedColumnsParams {
  List kernel, stride, dilate, pad;
  int64_t num_deformable_group, outside, dy, dx;
  List shape;
} DeformedColumnsParams;

static inline DeformedColumnsParams deformed_columns_of(const DeformableParams *p, bool outside) {
  return (DeformedColumnsParams){ .kernel = p->kernel,
                                  .stride = p->stride,
                                  .dilate = p->dilate,
                                  .pad = p->pad,
                                  .num_deformable_group = p->num_deformable_group,
                                  .outside = outside };
}

/* Reads their windows over images of this height and width, which may be UNKNOWN; fails if a window does not fit. */
Status deformable_windows(const DeformedColumnsParams *p, int64_t height, int64_t width, Windows *w);

#endif
