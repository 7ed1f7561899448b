/* plain_rnn.c - the row RNN, which rnn.h defines, and its numbers. */
#include "ops/sequence/rnn_layout.h"
#include "plain/plain_registry.h"

static void rnn_numbers(const Query *q, PlainCall *c) {
  const RnnParams *p = q->params;
  const Shape *data = query_in_shape(q, 0);
  const int64_t size = rnn_out(p), hidden = p->state_size, directions = rnn_directions(p);
  plain_wholes(c, data->dim, 3);
  plain_whole(c, hidden);
  plain_whole(c, size);
  plain_whole(c, p->num_layers);
  plain_whole(c, directions);
  plain_whole(c, p->mode);
  plain_whole(c, p->projection_size != NONE);
  plain_whole(c, p->clip_min == p->clip_min);
  plain_whole(c, p->clip_nan);
  plain_number(c, p->clip_min);
  plain_number(c, p->clip_max);
  c->workspace = size + 2 * hidden + (p->num_layers > 1 ? 2 * data->dim[0] * data->dim[1] * directions * size : 0);
}

const Plain plain_rnn[] = { { .op = "RNN",
                              .text = "sequence/rnn",
                              .types = FLOAT_TYPES,
                              .rounded = ONE_TYPE(DT_FLOAT64), /* OpenBLAS computes some of the products */
                              .arguments = rnn_numbers },
                            { 0 } };
