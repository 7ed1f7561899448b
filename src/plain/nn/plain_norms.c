/* plain_norms.c - the rows that nn/norms.h, nn/channel_norms.h and nn/sparseness.h define, and their numbers. */
#include "ops/nn/batch_norm.h"
#include "ops/nn/layer_norm.h"
#include "ops/nn/local_response_norm.h"
#include "ops/nn/rms_norm.h"
#include "plain/plain_registry.h"

static void layer_norm_numbers(const Query *q, PlainCall *c) {
  const LayerNormParams p = norm_params(q->op, q->params);
  NormLayout l;
  if (norm_layout(&p, query_in_shape(q, 0), &l) != OK) return;        /* inference has accepted it */
  plain_axis(c, &l.view, l.axis);
  plain_whole(c, p.kind == KIND_LAYER ? 0 : l.view.dim[1]);
  plain_number(c, p.eps);
}

static void rms_norm_numbers(const Query *q, PlainCall *c) {
  const RmsParams *p = q->params;
  plain_axis(c, query_in_shape(q, 0), p->axis);
  plain_number(c, p->eps);
}

static void l2_norm_numbers(const Query *q, PlainCall *c) {
  const L2Params *p = q->params;
  const NormLayout l = l2_layout(p, query_in_shape(q, 0));
  plain_axis(c, &l.view, l.axis);
  plain_number(c, p->eps);
}

static void batch_norm_numbers(const Query *q, PlainCall *c) {
  const BatchNormParams *p = q->params;
  plain_axis(c, query_in_shape(q, 0), batch_norm_axis(q->op, p));
  plain_whole(c, p->fix_gamma != 0);
  plain_whole(c, *(const bool *)q->op->plain->own);
  plain_number(c, p->eps);
}

static void sparseness_numbers(const Query *q, PlainCall *c) { plain_wholes(c, query_in_shape(q, 0)->dim, 2); }

static void lrn_numbers(const Query *q, PlainCall *c) {
  const LRNParams *p = q->params;
  plain_axis(c, query_in_shape(q, 0), 1);
  plain_whole(c, p->nsize / 2);
  plain_number(c, lrn_scale(p));
  plain_number(c, p->knorm);
  plain_number(c, -p->beta);
}

#define NORM(row, file, name, numbers, ...)                                                                   \
  { .op = row, .text = "nn/" file, .function = name, .types = FLOAT_TYPES, .arguments = numbers, __VA_ARGS__ }
#define BATCH_NORM(row, relu)                                                                                 \
  NORM(row, "channel_norms", "batch_norm", batch_norm_numbers, .own = &(const bool){ relu })

const Plain plain_norms[] = {
  NORM("LayerNorm", "norms", "layer_norm", layer_norm_numbers, .own = NULL),
  NORM("InstanceNorm", "norms", "layer_norm", layer_norm_numbers, .own = NULL),
  NORM("GroupNorm", "norms", "layer_norm", layer_norm_numbers, .own = NULL),
  NORM("RMSNorm", "norms", "rms_norm", rms_norm_numbers, .own = NULL),
  NORM("L2Normalization", "norms", "l2_norm", l2_norm_numbers, .own = NULL),
  BATCH_NORM("BatchNorm", false),
  BATCH_NORM("_contrib_BatchNormWithReLU", true),
  BATCH_NORM("_contrib_SyncBatchNorm", false),
  NORM("LRN", "channel_norms", "lrn", lrn_numbers, .own = NULL),
  { .op = "IdentityAttachKLSparseReg", .text = "nn/sparseness", .types = FLOAT_TYPES, .arguments = sparseness_numbers },
  { 0 }
};
