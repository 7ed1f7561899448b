/* plain_attention.c - the rows of attention, which attention.h and interleaved_attention.h define, and their numbers. */
#include <string.h>

#include "ops/sequence/attention.h"
#include "ops/sequence/attention_params.h"
#include "ops/sequence/interleaved_attention.h"
#include "plain/plain_registry.h"

/* The shape of the input with this name; NULL if the call omits it. */
static const Shape *shape_named(const Query *q, const char *name) {
  for (int i = 0, at = 0; i < q->op->info->n_inputs; i++) {
    if (!op_takes(q->op, q->params, i)) continue;
    if (strcmp(q->op->info->input[i], name) == 0) return query_in_shape(q, at);
    at++;
  }
  return NULL;
}

/* Adds batch, heads, heads that share keys, queries, keys, width and the width of values, (.., keys, width). */
static void add_heads(const Query *q, PlainCall *c, const Shape *values) {
  const Shape *query = query_in_shape(q, 0);
  plain_wholes(c, query->dim, 2);
  plain_whole(c, values->dim[1] > 0 && query->dim[1] > 0 ? query->dim[1] / values->dim[1] : 1);
  plain_whole(c, query->dim[2]);
  plain_whole(c, values->dim[2]);
  plain_whole(c, query->dim[3]);
  plain_whole(c, values->dim[3]);
}

/* Adds the steps of the mask and of the positions, and the scale. */
static void add_sight(const Query *q, PlainCall *c, const char *positions, double scale) {
  const Shape *mask = shape_named(q, "mask"), *offset = shape_named(q, positions);
  int64_t step[4] = { 0 }, all = 1;
  for (int i = mask ? mask->ndim - 1 : -1; i >= 0; all *= mask->dim[i--])
    step[4 - mask->ndim + i] = mask->dim[i] == 1 ? 0 : all;
  plain_wholes(c, step, 4);
  plain_whole(c, offset && offset->dim[0] > 1);
  plain_number(c, attention_scale(scale, query_in(q, 0)->shape.dim[3]));
}

static void attention_numbers(const Query *q, PlainCall *c) {
  const AttentionParams *p = q->params;
  add_heads(q, c, query_in_shape(q, 2));
  plain_whole(c, p->causal);
  add_sight(q, c, "offset", p->scale);
}

static void cached_numbers(const Query *q, PlainCall *c) {
  const CachedParams *p = q->params;
  add_heads(q, c, shape_named(q, "value_cache"));
  add_sight(q, c, "position", p->scale);
}

/* ---- Interleaved vectors ------------------------------------------------------------------------------ */

static int64_t size_of(const Shape *s, int64_t heads, int64_t pieces) { return s->dim[2] / (heads * pieces); }

/* Adds where the vectors of a piece are: the first, the next head's, the next position's. */
static void add_part(PlainCall *c, const Shape *s, int64_t heads, int64_t pieces, int64_t piece) {
  const int64_t size = size_of(s, heads, pieces);
  plain_whole(c, piece * size);
  plain_whole(c, pieces * size);
  plain_whole(c, s->dim[1] * s->dim[2]);
}

static void scores_numbers(const Query *q, PlainCall *c) {
  const int64_t heads = ((const HeadsParams *)q->params)->heads;
  const bool self = q->n_in == 1;
  const Shape *a = query_in_shape(q, 0), *b = query_in_shape(q, q->n_in - 1);
  plain_wholes(c, query_out(q, 0)->shape.dim, 3);
  plain_whole(c, size_of(a, heads, self ? 3 : 1));
  add_part(c, a, heads, self ? 3 : 1, 0);
  add_part(c, b, heads, self ? 3 : 2, self ? 1 : 0);
  plain_number(c, score_factor(a, heads, self ? 3 : 1));
}

static void mix_numbers(const Query *q, PlainCall *c) {
  const int64_t heads = ((const HeadsParams *)q->params)->heads, pieces = *(const int64_t *)q->op->plain->own;
  const Shape *x = query_in_shape(q, 0);
  plain_wholes(c, query_in(q, 1)->shape.dim, 3);
  plain_whole(c, size_of(x, heads, pieces));
  add_part(c, x, heads, pieces, pieces - 1);
}

/* OpenBLAS computes products in float64. */
#define INTERLEAVED(row, name, numbers, ...)                                                                  \
  { .op = "_contrib_interleaved_matmul_" row,                                                                 \
    .text = "sequence/interleaved_attention",                                                                 \
    .function = name,                                                                                         \
    .types = FLOAT_TYPES,                                                                                     \
    .rounded = ONE_TYPE(DT_FLOAT64),                                                                          \
    .arguments = numbers,                                                                                     \
    __VA_ARGS__ }

const Plain plain_attention[] = {
  { .op = "_contrib_attention", .text = "sequence/attention", .types = FLOAT_TYPES, .arguments = attention_numbers },
  { .op = "_contrib_cached_attention",
    .text = "sequence/attention",
    .function = "cached_attention",
    .types = FLOAT_TYPES,
    .arguments = cached_numbers },
  INTERLEAVED("selfatt_qk", "interleaved_scores", scores_numbers, .own = NULL),
  INTERLEAVED("encdec_qk", "interleaved_scores", scores_numbers, .own = NULL),
  INTERLEAVED("selfatt_valatt", "interleaved_mix", mix_numbers, .own = &(const int64_t){ 3 }),
  INTERLEAVED("encdec_valatt", "interleaved_mix", mix_numbers, .own = &(const int64_t){ 2 }),
  { 0 }
};
