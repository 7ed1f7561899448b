/* plain_hawkes.c - the row hawkesll, which hawkes.h defines, and its numbers. */
#include "plain/plain_registry.h"

static void hawkes_numbers(const Query *q, PlainCall *c) {
  const Shape *lda = query_in_shape(q, 0), *lags = query_in_shape(q, 4);
  plain_wholes(c, lda->dim, 2);
  plain_whole(c, lags->dim[1]);
  c->workspace = lda->dim[1];
}

const Plain plain_hawkes[] = { { .op = "_contrib_hawkesll",
                                 .text = "sequence/hawkes",
                                 .function = "hawkes_likelihood",
                                 .types = FLOAT_TYPES,
                                 .arguments = hawkes_numbers },
                               { 0 } };
