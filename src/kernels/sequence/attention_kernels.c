/* attention_kernels.c - kernels of attention, of its gradient, and of the keys that queries see. */
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "kernels/sequence/attention_loops.h"
#include "ops/common/shape_rules.h"
#include "ops/sequence/attention.h"
#include "ops/sequence/attention_inputs.h"
#include "tensor/cast_copy.h"

/* Finds the sizes from shapes and parameters. */
static Attend sizes_of(const Query *query) {
  const AttentionParams *p = query->params;
  const Shape *q = &query_in(query, QUERY)->shape, *k = &query_in(query, KEY)->shape;
  const Shape *v = &query_in(query, VALUE)->shape;
  const int mask = input_place(query->op->takes, p, MASK);
  Attend a = { .dtype = query_in(query, QUERY)->dtype,
               .batch = q->dim[0],
               .heads = q->dim[1],
               .shared = k->dim[1] > 0 ? q->dim[1] / k->dim[1] : 1,
               .queries = q->dim[2],
               .keys = k->dim[2],
               .width = q->dim[3],
               .out = v->dim[3],
               .scale = attention_scale(p->scale, q->dim[3]),
               .causal = p->causal };
  if (a.shared == 0) a.shared = 1;
  if (mask >= 0) attend_lay_mask(&a, &query_in(query, mask)->shape);
  return a;
}

static Attend attend_of(const Call *c) {
  const Query q = query_of_call(c);
  Attend a = sizes_of(&q);
  a.mask = named_input(c, MASK);
  a.length = named_input(c, LENGTH);
  a.offset = named_input(c, OFFSET);
  a.q = c->in[QUERY]->data;
  a.k = c->in[KEY]->data;
  return a;
}

static Status check_numbers(const Attend *a) {
  TRY(check_numbers_within("contrib_attention: length", a->length, 0, a->keys, ", the tokens of key"));
  for (int64_t i = 0; a->offset && i < tensor_size(a->offset); i++) {
    const int64_t n = tensor_get_int(a->offset, i);
    if (n < 0) return fail("contrib_attention: offset: expected 0 or more, got %lld", (long long)n);
  }
  return OK;
}

static Status forward(Call *c) {
  Attend a = attend_of(c);
  TRY(check_numbers(&a));
  a.v = c->in[VALUE]->data;
  a.result = c->out[0]->data;
  a.logsum = c->out[1]->data;
  return attend_forward(&a, c);
}

static Status backward(Call *c) {
  Attend a = attend_of(c);
  TRY(check_numbers(&a));
  a.v = c->in[VALUE]->data;
  a.result = named_input(c, OUT)->data;
  a.logsum = named_input(c, LOGSUM)->data;
  a.g = named_input(c, G)->data;
  a.dq = c->out[QUERY]->data;
  a.dk = c->out[KEY]->data;
  a.dv = c->out[VALUE]->data;
  if (a.queries == 0 || a.heads == 0)
    for (int i = KEY; i <= VALUE; i++) clear_block(c->out[i]->data, tensor_bytes(c->out[i]));
  return attend_backward(&a, c);
}

static Status forward_workspace(const Query *q, Workspace *w) {
  const Attend a = sizes_of(q);
  w->thread_bytes = attend_workspace(&a, false, &w->most_threads);
  return OK;
}

static Status backward_workspace(const Query *q, Workspace *w) {
  const Attend a = sizes_of(q);
  w->thread_bytes = attend_workspace(&a, true, &w->most_threads);
  return OK;
}

/* ---- The keys that each query sees ------------------------------------------------------------------------------ */

#define SEEN(code, T, suffix)                                                                             \
  static void seen_##suffix(const Attend *a, int64_t row, int64_t n, const uint8_t *marks, void *to) {    \
    T *out = (T *)to + row * a->keys;                                                                     \
    for (int64_t i = 0; i < a->keys; i++) out[i] = i < n && (!a->mask || marks[i]);                       \
  }
EACH_FLOAT(SEEN)

static Status seen_workspace(const Query *q, Workspace *w) {
  w->bytes = (size_t)query_in(q, KEY)->shape.dim[2];
  return OK;
}

/* The column `own` of _attention_seen. */
typedef struct SeenLoop {
  void (*mark)(const Attend *a, int64_t row, int64_t n, const uint8_t *marks, void *to);
} SeenLoop;

static Status seen(Call *c) {
  AttentionParams p = *(const AttentionParams *)c->params;
  const Shape *out = &c->out[0]->type.shape;
  Attend a = {
    .batch = out->dim[0], .heads = out->dim[1], .queries = out->dim[2], .keys = out->dim[3], .causal = p.causal
  };
  const Tensor *const *rest = c->in + 2;
  a.mask = p.use_mask ? *rest++ : NULL;
  a.length = p.use_length ? *rest++ : NULL;
  a.offset = p.use_offset ? *rest : NULL;
  if (a.mask) attend_lay_mask(&a, &a.mask->type.shape);
  TRY(check_numbers(&a));
  for (int64_t row = 0; row < a.batch * a.heads * a.queries; row++) {
    const int64_t query = row % a.queries, head = row / a.queries % a.heads, batch = row / a.queries / a.heads;
    if (interrupted()) return interrupt_status();
    if (a.mask) attend_masked(&a, batch, head, query, 0, a.keys, c->workspace);
    ((const SeenLoop *)c->kernel->own)->mark(&a, row, attend_seen(&a, batch, query), c->workspace, c->out[0]->data);
  }
  return OK;
}

const Kernel attention_kernels[] = {
  { .op = "_contrib_attention",
    .types = FLOAT_TYPES,
    .run = forward,
    .workspace = forward_workspace,
    BLOCK_SIZES(ATTEND_ROWS, ATTEND_KEYS) },
  { .op = "_backward_attention", .types = FLOAT_TYPES, .run = backward, .workspace = backward_workspace },
  { .op = "_attention_seen",
    .types = ONE_TYPE(DT_FLOAT32),
    .run = seen,
    .workspace = seen_workspace,
    .own = &(const SeenLoop){ seen_f32 } },
  { .op = "_attention_seen",
    .types = ONE_TYPE(DT_FLOAT64),
    .run = seen,
    .workspace = seen_workspace,
    .own = &(const SeenLoop){ seen_f64 } },
  { 0 },
};
