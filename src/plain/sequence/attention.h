/* attention.h - each query's average of values, weighted by the softmax of its products with the keys.
**
** query (batch, heads, queries, width), out (batch, heads, queries, size). `shared` heads of queries use the same head
** of keys and values (.., keys, size). An element of a key is key_step from that of the next key and width_step from its
** next. mask_step: elements of mask from one batch, head, query and key to the next. offset_step is 0 if all sequences
** have one offset. A key has a score unless it is past length, masked or, if `causal`, after the query, whose position
** is its number plus `offset`, by default the one that makes the last query see all keys.
**
** Keys are taken in blocks of 64, and for each block in this order: scores, products in the order of
** plain/common/chains.h times scale; `most`, their maximum so far; the factor e^(old maximum - most), by which 16 totals
** and the sums are multiplied; weights, e^(score - most), or 0 without a score; totals, to which the weight of key k is
** added as number k % 16; and sums, to which weight times value is added with one rounding. Then the totals are added by
** halves, and divide the sums. Keys without a score take part, with weight 0, if one of the queries that follow up to a
** multiple of 48 may see them: their values matter if they are not finite.
*/
#include "plain/common/chains.h"

/* The number of keys that a query of a sequence may see without a mask. */
static inline int64_t TYPED(attention_seen)(const third *length, const fourth *offset, int64_t batch, int64_t query,
                                            int64_t queries, int64_t keys, int64_t offset_step, bool causal) {
  const int64_t n = length ? (int64_t)length[batch] : keys;
  const int64_t from = offset ? (int64_t)offset[batch * offset_step] : keys - queries;
  const int64_t most = !causal || from >= keys ? keys : from + query + 1;
  return most < 0 ? 0 : most < n ? most : n;
}

static inline void TYPED(attention_of)(const real *query, const real *key, const real *value, const other *mask,
                                       const third *length, const fourth *offset, real *out, int64_t batch,
                                       int64_t heads, int64_t shared, int64_t queries, int64_t keys, int64_t width,
                                       int64_t size, bool causal, int64_t key_step, int64_t width_step,
                                       const int64_t *mask_step, int64_t offset_step, real scale) {
  for (int64_t i = 0; i < batch * heads * queries; i++) {
    const int64_t at = i % queries, head = i / queries % heads, b = i / queries / heads;
    const int64_t pair = i / queries / shared, last = at / 48 * 48 + 47 < queries ? at / 48 * 48 + 47 : queries - 1;
    const int64_t n = TYPED(attention_seen)(length, offset, b, at, queries, keys, offset_step, causal);
    const int64_t all = TYPED(attention_seen)(length, offset, b, last, queries, keys, offset_step, causal);
    const real *q = query + i * width, *k = key + pair * keys * width, *v = value + pair * keys * size;
    const other *seen = mask ? mask + b * mask_step[0] + head * mask_step[1] + at * mask_step[2] : NULL;
    real *y = out + i * size, total[16] = { 0 }, most = -(real)HUGE_VAL;
    for (int64_t j = 0; j < size; j++) y[j] = 0;
    for (int64_t block = 0; block < all; block += 64) {
      const int64_t end = block + 64 < all ? block + 64 : all;
      const real before = most;
      real weight[64];
      for (int64_t t = block; t < end; t++) {
        const bool scored = t < n && (!seen || seen[t * mask_step[3]] != 0);
        const real sum = TYPED(sum_of_products)(q, 1, k + t * key_step, width_step, width);
        weight[t - block] = scored ? sum * scale : -(real)HUGE_VAL;
        most = weight[t - block] > most ? weight[t - block] : most;
      }
      const real from = most == -(real)HUGE_VAL ? 0 : most, factor = EXP_NONPOSITIVE(before - from);
      for (int64_t l = 0; l < 16; l++) total[l] *= factor;
      for (int64_t j = 0; j < size; j++) y[j] *= factor;
      for (int64_t t = block; t < end; t++) {
        weight[t - block] = EXP_NONPOSITIVE(weight[t - block] - from);
        total[t % 16] += weight[t - block];
        for (int64_t j = 0; j < size; j++) y[j] = FMA(weight[t - block], v[t * size + j], y[j]);
      }
    }
    for (int64_t half = 8; half > 0; half /= 2)
      for (int64_t l = 0; l < half; l++) total[l] += total[l + half];
    for (int64_t j = 0; j < size; j++)
      if (total[0] != 0) y[j] /= total[0];
  }
}

static void TYPED(attention)(const real *query, const real *key, const real *value, const other *mask,
                             const third *length, const fourth *offset, real *out, int64_t batch, int64_t heads,
                             int64_t shared, int64_t queries, int64_t keys, int64_t width, int64_t size, bool causal,
                             const int64_t mask_step[4], int64_t offset_step, real scale) {
  TYPED(attention_of)(query, key, value, mask, length, offset, out, batch, heads, shared, queries, keys, width, size,
                      causal, width, 1, mask_step, offset_step, scale);
}

/* First the keys and values of new tokens are written to the caches, from each sequence's position on: key_cache (batch,
** heads, width, keys) and value_cache (batch, heads, keys, size). */
static void TYPED(cached_attention)(const real *query, const real *key, const real *value, real *key_cache,
                                    real *value_cache, const fourth *position, const other *mask, const third *length,
                                    real *out, int64_t batch, int64_t heads, int64_t shared, int64_t queries,
                                    int64_t keys, int64_t width, int64_t size, const int64_t mask_step[4],
                                    int64_t offset_step, real scale) {
  const int64_t others = heads / shared;
  for (int64_t i = 0; i < batch * others; i++)
    for (int64_t t = 0; t < queries; t++) {
      const int64_t at = (int64_t)position[i / others * offset_step] + t;
      for (int64_t j = 0; j < width; j++) key_cache[(i * width + j) * keys + at] = key[(i * queries + t) * width + j];
      for (int64_t j = 0; j < size; j++) value_cache[(i * keys + at) * size + j] = value[(i * queries + t) * size + j];
    }
  TYPED(attention_of)(query, key_cache, value_cache, mask, length, position, out, batch, heads, shared, queries, keys,
                      width, size, true, 1, keys, mask_step, offset_step, scale);
}
