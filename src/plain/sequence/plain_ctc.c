/* plain_ctc.c - the row CTCLoss, which ctc_loss.h defines, and its numbers. */
#include "ops/sequence/ctc_loss.h"
#include "plain/plain_registry.h"

static void ctc_numbers(const Query *q, PlainCall *c) {
  const CtcParams *p = q->params;
  const Shape *data = query_in_shape(q, 0);
  const int64_t most = query_in(q, 1)->shape.dim[1];
  const bool first = p->blank_label == BLANK_FIRST;
  plain_wholes(c, data->dim, 3);
  plain_whole(c, most);
  plain_whole(c, first ? 0 : data->dim[2] - 1);
  plain_whole(c, first ? 0 : -1);
  c->workspace = 2 * (2 * most + 1);
}

const Plain plain_ctc[] = {
  { .op = "CTCLoss", .text = "sequence/ctc_loss", .types = FLOAT_TYPES, .arguments = ctc_numbers },
  { 0 },
};
