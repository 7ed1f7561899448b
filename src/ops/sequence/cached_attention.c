/* cached_attention.c - attention of new tokens to themselves and to earlier tokens in a cache of keys and values.
**
** A call writes the new keys and values into the cache in place, so earlier tokens are not copied. The cache stores
** keys transposed, (width, positions), so that they are lanes of the scores without packing. The order of sums is
** attention's (kernels/sequence/attention_loops.h). There is no gradient, because later calls overwrite values that
** backward would read.
*/
#include "ops/sequence/cached_attention.h"

#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"
#include "ops/sequence/attention.h"

static bool takes(const Query *q, int name) {
  const CachedParams *p = q->params;
  return name == MASK ? p->use_mask : name == LENGTH ? p->use_length : true;
}

static unsigned cached_effects(const Query *q) { return (void)q, (unsigned)(WRITES | FAILS); }

static int place_of(const CachedParams *p, int name) { return input_place(takes, p, name); }
static int inputs(const Query *q) { return place_of(q->params, N_NAMES); }
static bool is_cache(const Query *q, int input) {
  (void)q;
  return input == KEY_CACHE || input == VALUE_CACHE;
}

/* ---- Inference ------------------------------------------------------------------------------------------------- */

/* Infers input i as (batch, heads, *x, *y), and sets *x and *y if they are unknown. */
static Status infer_cache(Infer *f, int i, int64_t *x, int64_t *y) {
  const Shape *k = &f->in[KEY].shape, *s = &f->in[i].shape;
  TRY(input_shape(f, i, &(Shape){ 4, { dim_of(k, 0), dim_of(k, 1), *x, *y } }));
  *x = s->dim[2];
  *y = s->dim[3];
  return OK;
}

static Status infer_cached(Infer *f) {
  const CachedParams *p = f->params;
  const Shape *q = &f->in[QUERY].shape, *k = &f->in[KEY].shape, *v = &f->in[VALUE].shape;
  const int mask = place_of(p, MASK), length = place_of(p, LENGTH);
  TRY(one_float_dtype(f, 5, 1));
  TRY(check_scale(p->scale));
  for (int i = QUERY; i <= VALUE; i++) TRY(infer_vectors(f, i));
  if (q->ndim == 4) TRY(input_shape(f, KEY, &(Shape){ 4, { q->dim[0], UNKNOWN, q->dim[2], q->dim[3] } }));
  if (k->ndim == 4) TRY(input_shape(f, QUERY, &(Shape){ 4, { k->dim[0], UNKNOWN, k->dim[2], k->dim[3] } }));
  TRY(infer_heads(f));
  if (k->ndim == 4) TRY(input_shape(f, VALUE, &(Shape){ 4, { k->dim[0], k->dim[1], k->dim[2], UNKNOWN } }));
  if (k->ndim < 0) return OK;
  int64_t width = k->dim[3], out = dim_of(v, 3), capacity = UNKNOWN;
  TRY(infer_cache(f, KEY_CACHE, &width, &capacity));
  TRY(infer_cache(f, VALUE_CACHE, &capacity, &out));
  TRY(infer_cache(f, KEY_CACHE, &width, &capacity));
  if (capacity >= 0 && k->dim[2] > capacity)
    return fail("key: expected at most %lld tokens, the capacity of the cache, got shape %s", (long long)capacity,
                shape_text(k));
  if (f->in[POSITION].shape.ndim < 0) TRY(input_shape(f, POSITION, &(Shape){ 1, { 1 } }));
  TRY(infer_offset(f, POSITION));
  if (mask >= 0) TRY(infer_mask(f, mask, capacity));
  if (length >= 0) TRY(input_shape(f, length, &(Shape){ 1, { dim_of(q, 0) } }));
  if (q->ndim < 0) return OK;
  return output_shape(f, 0, &(Shape){ 4, { q->dim[0], q->dim[1], q->dim[2], dim_of(v, 3) } });
}

/* Counts all positions of the cache. */
static double flops(const Query *query) {
  const Shape *q = &query_in(query, QUERY)->shape, *v = &query_in(query, VALUE_CACHE)->shape;
  return 2 * (double)(q->dim[0] * q->dim[1]) * (double)q->dim[2] * (double)v->dim[2] * (double)(q->dim[3] + v->dim[3]);
}

static Status no_gradient(Gradient *d) {
  return d->b->status = fail("contrib_cached_attention: expected no gradient through a cache that is written in place; "
                             "contrib.dynamic_update_slice and contrib.attention have one");
}

#define VECTORS "F.array{{{{1, 0.5}}}}, F.array{{{{0.25, -1}}}}, F.array{{{{-0.5, 0.75, 2}}}}"
#define CACHES "F.array{{{{0.5, 0, 0}, {-0.25, 0, 0}}}}, F.array{{{{1, 2, 3}, {0, 0, 0}, {0, 0, 0}}}}"

/* clang-format off */
Op cached_attention_ops[] = {
  { .name = "_contrib_cached_attention", .aliases = "contrib.cached_attention",
    .doc = "Attention over keys and values in a cache. The call writes key and value, those of its tokens, into "
           "key_cache and value_cache, starting at `position`; then query i sees all keys up to its own. The caches "
           "are states, changed in place and only at these positions. query is (batch, heads, tokens, width), key "
           "(batch, other heads, tokens, width), value (batch, other heads, tokens, other width), key_cache (batch, "
           "other heads, width, positions) and value_cache (batch, other heads, positions, other width). position, (1) "
           "or (batch), is that of the first token. mask broadcasts to (batch, heads, tokens, positions). mask, "
           "length, scale and bits are as in contrib.attention with offset = position. There is no gradient",
    .example = "F.contrib.cached_attention(" VECTORS ", " CACHES ", F.array({1}, {dtype = \"int32\"}))\n"
               "F.contrib.cached_attention(" VECTORS ", " CACHES ", F.array({2}, {dtype = \"int32\"}), "
               "{scale = 0.5, mask = F.array({{1, 0, 1}}, {dtype = \"bool\"}), "
               "length = F.array({3}, {dtype = \"int32\"})})",
    .inputs = "query key value key_cache value_cache position mask length",
    .params = "scale float? None Multiplies scores; None: 1 / sqrt(width).\n"
              "use_mask bool False Is there a mask? Set by calls that name one.\n"
              "use_length bool False Is there a number of keys for each sequence? Set by calls that name length.\n",
    .params_size = sizeof(CachedParams), .n_inputs = inputs, .takes = takes, .effects = cached_effects,
    .writes = is_cache, .state = is_cache, .differentiable = 1 << QUERY | 1 << KEY | 1 << VALUE,
    .name_stem = "cached_attention", .infer = infer_cached, .flops = flops,
    .grad = no_gradient },
  { 0 }
};
/* clang-format on */
