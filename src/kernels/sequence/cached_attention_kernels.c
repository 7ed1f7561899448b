/* cached_attention_kernels.c - the kernel of attention with a cache. */
#include <string.h>

#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "kernels/matmul/fma_chain.h"
#include "kernels/sequence/attention_loops.h"
#include "ops/common/shape_rules.h"
#include "ops/sequence/attention.h"
#include "ops/sequence/cached_attention.h"

static Attend sizes_of(const Query *query) {
  const CachedParams *p = query->params;
  const Shape *q = &query_in(query, QUERY)->shape, *v = &query_in(query, VALUE_CACHE)->shape;
  const int mask = input_place(query->op->takes, p, MASK);
  Attend a = { .dtype = query_in(query, QUERY)->dtype,
               .batch = q->dim[0],
               .heads = q->dim[1],
               .shared = v->dim[1] > 0 && q->dim[1] > 0 ? q->dim[1] / v->dim[1] : 1,
               .queries = q->dim[2],
               .keys = v->dim[2],
               .lanes = v->dim[2],
               .width = q->dim[3],
               .out = v->dim[3],
               .scale = attention_scale(p->scale, q->dim[3]),
               .causal = true };
  if (mask >= 0) attend_lay_mask(&a, &query_in(query, mask)->shape);
  return a;
}

static int64_t position_of(const Tensor *position, int64_t batch) {
  return tensor_get_int(position, tensor_size(position) == 1 ? 0 : batch);
}

/* Writes the keys and values of the new tokens into the cache. */
static void write(const Call *c, const Attend *a) {
  const Chains *chains = chains_of(a->dtype);
  const size_t size = chains->size;
  const int64_t heads = a->heads / a->shared, n = a->queries;
  for (int64_t i = 0; i < a->batch * heads; i++) {
    const int64_t at = position_of(a->offset, i / heads);
    const char *k = (const char *)c->in[KEY]->data + (size_t)(i * n * a->width) * size;
    const char *v = (const char *)c->in[VALUE]->data + (size_t)(i * n * a->out) * size;
    char *keys = (char *)c->in[KEY_CACHE]->data + (size_t)(i * a->width * a->lanes + at) * size;
    char *values = (char *)c->in[VALUE_CACHE]->data + (size_t)((i * a->keys + at) * a->out) * size;
    if (n == 1) chains->move(k, 1, keys, a->lanes, a->width);
    else chains->turn(k, a->width, keys, a->lanes, n, a->width);
    memcpy(values, v, (size_t)(n * a->out) * size);
  }
}

static Status cached_attention(Call *c) {
  const Query q = query_of_call(c);
  Attend a = sizes_of(&q);
  a.offset = c->in[POSITION];
  a.mask = named_input(c, MASK);
  a.length = named_input(c, LENGTH);
  TRY(check_numbers_within("contrib_cached_attention: length", a.length, 0, a.keys, ", the tokens of key"));
  TRY(check_numbers_within("contrib_cached_attention: position", a.offset, 0, a.keys - a.queries, ""));
  write(c, &a);
  a.q = c->in[QUERY]->data;
  a.k = c->in[KEY_CACHE]->data;
  a.v = c->in[VALUE_CACHE]->data;
  a.result = c->out[0]->data;
  return attend_forward(&a, c);
}

static Status workspace(const Query *q, Workspace *w) {
  const Attend a = sizes_of(q);
  w->thread_bytes = attend_workspace(&a, false, &w->most_threads);
  return OK;
}

const Kernel cached_attention_kernels[] = {
  { .op = "_contrib_cached_attention", .types = FLOAT_TYPES, .run = cached_attention, .workspace = workspace },
  { 0 },
};
