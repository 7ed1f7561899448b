/* plain_lines.c - the rows that reduce/extremes.h and reduce/cumsum.h define, and their numbers. */
#include "ops/reduce/argmax.h"
#include "ops/reduce/cumsum.h"
#include "plain/plain_registry.h"

static void argmax_numbers(const Query *q, PlainCall *c) {
  plain_lines_of(c, query_in_shape(q, 0), ((const ArgParams *)q->params)->axis);
  plain_whole(c, *(const bool *)q->op->plain->own);
}

static void argmax_channel_numbers(const Query *q, PlainCall *c) {
  plain_axis(c, query_in_shape(q, 0), 1);
  plain_whole(c, false);
}

static void cumsum_numbers(const Query *q, PlainCall *c) {
  plain_lines_of(c, query_in_shape(q, 0), ((const ScanParams *)q->params)->axis);
}

#define EXTREMES(row, least)                                                                                  \
  { .op = row, .text = "reduce/extremes", .types = PLAIN_TYPES, .arguments = argmax_numbers,                  \
    .own = &(const bool){ least } }

const Plain plain_lines[] = {
  EXTREMES("argmax", false),
  EXTREMES("argmin", true),
  { .op = "argmax_channel", .text = "reduce/extremes", .types = PLAIN_TYPES, .arguments = argmax_channel_numbers },
  { .op = "_np_cumsum", .text = "reduce/cumsum", .types = PLAIN_TYPES, .arguments = cumsum_numbers },
  { 0 }
};
