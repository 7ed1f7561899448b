/* attention.c - attention: each query's average of values, weighted by the softmax of its products with the keys.
**
** The matrix of scores, queries by keys, is never stored: kernels/sequence/attention_loops.h defines the blocks and
** the order of sums. The gradient is one row, which recomputes the weights from the logarithms of their sums, a hidden
** output (T. Dao et al., 2022). Differentiated again, it becomes products of whole matrices, which store the scores.
*/
#include "ops/sequence/attention.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/hidden_outputs.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"
#include "ops/sequence/attention_inputs.h"

static bool takes(const Query *q, int name) {
  const AttentionParams *p = q->params;
  switch (name) {
    case MASK: return p->use_mask;
    case LENGTH: return p->use_length;
    case OFFSET: return p->use_offset;
    default: return true;
  }
}

static int place_of(const AttentionParams *p, int name) { return input_place(takes, p, name); }

static int attention_inputs(const Query *q) { return place_of(q->params, OUT); }
static int backward_inputs(const Query *q) { return place_of(q->params, G) + 1; }
static int seen_inputs(const Query *q) { return attention_inputs(q) - 1; }                 /* all but value */

/* ---- Inference ------------------------------------------------------------------------------------------------- */

Status infer_vectors(const Infer *f, int i) {
  const Shape *s = &f->in[i].shape;
  const char *name = op_input_name(f->op, i);
  if (s->ndim >= 0 && s->ndim != 4)
    return fail("%s: expected 4 dimensions (batch, heads, tokens, width), got shape %s", name, shape_text(s));
  const int64_t width = dim_of(s, 3);
  if (width != 0 && width <= 1 << 20) return OK;
  return fail("%s: expected a width of 1 or more, got shape %s", name, shape_text(s));
}

Status check_scale(double scale) {
  return scale != scale || isfinite(scale) ? OK : fail("scale: expected a finite number, got %g", scale);
}

Status infer_heads(const Infer *f) {
  const int64_t heads = dim_of(&f->in[QUERY].shape, 1), keys = dim_of(&f->in[KEY].shape, 1);
  if (heads < 0 || keys < 0 || (keys == 0 ? heads == 0 : heads % keys == 0)) return OK;
  return fail("key: expected a divisor of the query's %lld heads, got shape %s", (long long)heads,
              shape_text(&f->in[KEY].shape));
}

Status infer_mask(const Infer *f, int input, int64_t keys) {
  const Shape *q = &f->in[QUERY].shape, *mask = &f->in[input].shape;
  const int64_t all[4] = { dim_of(q, 0), dim_of(q, 1), dim_of(q, 2), keys };
  if (mask->ndim < 0) return OK;
  bool fits = mask->ndim <= 4;
  for (int i = 0; fits && i < mask->ndim; i++) {
    const int64_t whole = all[4 - mask->ndim + i], n = mask->dim[i];
    fits = n == 1 || n < 0 || whole < 0 || n == whole;
  }
  if (fits) return OK;
  return fail("mask: expected a shape that broadcasts to (batch, heads, queries, keys), %s, got %s",
              shape_text(&(Shape){ 4, { all[0], all[1], all[2], all[3] } }), shape_text(mask));
}

Status infer_offset(Infer *f, int input) {
  const Shape *q = &f->in[QUERY].shape, *s = &f->in[input].shape;
  const int64_t batch = dim_of(q, 0);
  if (s->ndim < 0) return input_shape(f, input, &(Shape){ 1, { batch } });
  if (s->ndim == 1 && (s->dim[0] < 0 || s->dim[0] == 1 || batch < 0 || s->dim[0] == batch)) return OK;
  return fail("%s: expected shape (1,), or (batch,) of query %s, got %s", op_input_title(f->op, f->params, input),
              shape_text(q), shape_text(s));
}

static Status infer_inputs(Infer *f) {
  const AttentionParams *p = f->params;
  Shape *q = &f->in[QUERY].shape, *k = &f->in[KEY].shape;
  const int mask = place_of(p, MASK), length = place_of(p, LENGTH), offset = place_of(p, OFFSET);
  for (int i = QUERY; i <= KEY; i++) TRY(infer_vectors(f, i));
  TRY(check_scale(p->scale));
  if (offset >= 0 && !p->causal) return fail("offset: expected causal = true; otherwise offset has no effect");
  if (q->ndim == 4) TRY(input_shape(f, KEY, &(Shape){ 4, { q->dim[0], UNKNOWN, UNKNOWN, q->dim[3] } }));
  if (k->ndim == 4) TRY(input_shape(f, QUERY, &(Shape){ 4, { k->dim[0], UNKNOWN, UNKNOWN, k->dim[3] } }));
  TRY(infer_heads(f));
  if (mask >= 0) TRY(infer_mask(f, mask, dim_of(k, 2)));
  if (length >= 0) TRY(input_shape(f, length, &(Shape){ 1, { dim_of(q, 0) } }));
  return offset < 0 ? OK : infer_offset(f, offset);
}

static Status infer_attention(Infer *f) {
  const Shape *q = &f->in[QUERY].shape, *k = &f->in[KEY].shape, *v = &f->in[VALUE].shape;
  TRY(one_float_dtype(f, 3, 2));
  TRY(infer_vectors(f, VALUE));
  TRY(infer_inputs(f));
  if (k->ndim == 4) TRY(input_shape(f, VALUE, &(Shape){ 4, { k->dim[0], k->dim[1], k->dim[2], UNKNOWN } }));
  if (v->ndim == 4) TRY(input_shape(f, KEY, &(Shape){ 4, { v->dim[0], v->dim[1], v->dim[2], UNKNOWN } }));
  TRY(infer_inputs(f));
  if (q->ndim < 0) return OK;
  TRY(output_shape(f, 0, &(Shape){ 4, { q->dim[0], q->dim[1], q->dim[2], dim_of(v, 3) } }));
  return output_shape(f, 1, &(Shape){ 3, { q->dim[0], q->dim[1], q->dim[2] } });
}

static Status infer_backward(Infer *f) {
  TRY(one_float_dtype(f, 3, 3));
  for (int i = 0; i < 3; i++) TRY(one_shape(f, i, i));
  return OK;
}

/* ---- The keys that each query sees ------------------------------------------------------------------------------ */

static Status infer_seen(Infer *f) {
  const Shape *q = &f->in[QUERY].shape, *k = &f->in[KEY].shape;
  TRY(one_float_dtype(f, 2, 1));
  return output_shape(f, 0, &(Shape){ 4, { dim_of(q, 0), dim_of(q, 1), dim_of(q, 2), dim_of(k, 2) } });
}

static double scale_of(const AttentionParams *p, int64_t width) { return attention_scale(p->scale, width); }

/* Forward has two products, backward five. Masked keys are counted too. */
static double attention_flops(const Query *query, double widths, double outs) {
  const Shape *q = &query_in(query, QUERY)->shape, *k = &query_in(query, KEY)->shape;
  const Shape *v = &query_in(query, VALUE)->shape;
  const double products = 2 * (double)(q->dim[0] * q->dim[1]) * (double)q->dim[2] * (double)k->dim[2];
  return products * (widths * (double)q->dim[3] + outs * (double)v->dim[3]);
}

static double forward_flops(const Query *q) { return attention_flops(q, 1, 1); }
static double backward_flops(const Query *q) { return attention_flops(q, 3, 2); }

/* ---- Gradients -------------------------------------------------------------------------------------------------- */

static Status attention_grad(Gradient *d) {
  const AttentionParams *p = gradient_params(d);
  Entry in[G + 1];
  int n = 0;
  if (!d->out_grad[0].node) return OK;
  for (; n < d->node->n_in; n++) in[n] = d->node->in[n];
  in[n++] = (Entry){ d->node, 0 };
  in[n++] = (Entry){ d->node, 1 };
  in[n++] = d->out_grad[0];
  const Entry all = build_op_list(d->b, "_backward_attention", p, n, in);
  for (int i = QUERY; i <= VALUE; i++)
    if (d->wanted[i]) d->in_grad[i] = entry_output(all, i);
  return d->b->status;
}

static Entry mul(Builder *b, Entry x, Entry y) { return build_op(b, "broadcast_mul", NULL, 2, x, y); }
static Entry sub(Builder *b, Entry x, Entry y) { return build_op(b, "broadcast_sub", NULL, 2, x, y); }

static Entry sum_last(Builder *b, Entry e) { return fold_axis(b, "sum", e, -1); }

/* Adds e to *sum, which may be empty. */
static void add_to(Builder *b, Entry *sum, Entry e) { *sum = sum->node ? build_sum(b, *sum, e) : e; }

/* Turns heads that share keys into more tokens of one head: (batch, heads, tokens, width). */
static Entry folded(Builder *b, Entry e, int64_t heads) {
  const Shape *s = &entry_type(e)->shape;
  if (b->status != OK || s->dim[1] == heads || heads == 0) return e;
  return reshape_to(b, e, &(Shape){ 4, { s->dim[0], heads, s->dim[1] / heads * s->dim[2], s->dim[3] } });
}

/* Let S = scale Q K', P = softmax of S over the visible keys, dP = G V' and dS = P (dP - rows(P dP)). Products with P
** are elementwise, and rows() sums along keys. The first gradients are dQ = scale dS K, dK = scale dS' Q and dV = P' G.
** For A dQ + B dK + C dV, with any A, B and C, the gradient of dS is X = scale (A K' + Q B'). The gradient of dP is Y =
** P (X - rows(P X)), and that of P is Z = X (dP - rows(P dP)) - dP rows(P X) + G C'. */
static Status backward_grad(Gradient *d) {
  Builder *b = d->b;
  const AttentionParams *p = gradient_params(d);
  const Entry *in = d->node->in, *head = d->out_grad;
  const Entry g_in = in[place_of(p, G)];
  const int64_t heads = entry_type(in[KEY])->shape.dim[1];
  const double scale = scale_of(p, entry_type(in[QUERY])->shape.dim[3]);
  Entry asked[OUT] = { in[QUERY], in[KEY] };
  int n = 2;
  for (int name = MASK; name < OUT; name++)
    if (place_of(p, name) >= 0) asked[n++] = in[place_of(p, name)];
  const Entry Q = folded(b, in[QUERY], heads), K = in[KEY], V = in[VALUE], G_ = folded(b, g_in, heads);
  const Entry seen = folded(b, build_op_list(b, "_attention_seen", p, n, asked), heads);
  Entry S = mul(b, matrix_product(b, Q, K, false, true, scale), seen);
  S = build_sum(b, S, times(b, plus(b, seen, -1), 1e30));                   /* hidden scores: far below others */
  const Entry P = mul(b, build_op(b, "softmax", NULL, 1, S), seen);
  const Entry dP = matrix_product(b, G_, V, false, true, 1), less = sub(b, dP, sum_last(b, mul(b, P, dP)));
  Entry X = NO_ENTRY, Z = NO_ENTRY, of_q = NO_ENTRY, of_k = NO_ENTRY, of_g = NO_ENTRY;
  if (head[QUERY].node || head[KEY].node) {
    const Entry dS = mul(b, P, less);
    if (head[QUERY].node) {
      const Entry A = folded(b, head[QUERY], heads);
      add_to(b, &X, matrix_product(b, A, K, false, true, scale));
      add_to(b, &of_k, matrix_product(b, dS, A, true, false, scale));
    }
    if (head[KEY].node) {
      add_to(b, &X, matrix_product(b, Q, head[KEY], false, true, scale));
      add_to(b, &of_q, matrix_product(b, dS, head[KEY], false, false, scale));
    }
    const Entry rows = sum_last(b, mul(b, P, X)), Y = mul(b, P, sub(b, X, rows));
    Z = sub(b, mul(b, X, less), mul(b, dP, rows));
    if (d->wanted[VALUE]) d->in_grad[VALUE] = matrix_product(b, Y, G_, true, false, 1);
    add_to(b, &of_g, matrix_product(b, Y, V, false, false, 1));
  }
  if (head[VALUE].node) {
    add_to(b, &Z, matrix_product(b, G_, head[VALUE], false, true, 1));
    add_to(b, &of_g, matrix_product(b, P, head[VALUE], false, false, 1));
  }
  if (!Z.node) return b->status;
  const Entry W = mul(b, P, sub(b, Z, sum_last(b, mul(b, P, Z))));
  add_to(b, &of_q, matrix_product(b, W, K, false, false, scale));
  add_to(b, &of_k, matrix_product(b, W, Q, true, false, scale));
  if (d->wanted[QUERY]) d->in_grad[QUERY] = reshape_to(b, of_q, &entry_type(in[QUERY])->shape);
  if (d->wanted[KEY]) d->in_grad[KEY] = of_k;
  if (d->wanted[place_of(p, G)]) d->in_grad[place_of(p, G)] = reshape_to(b, of_g, &entry_type(g_in)->shape);
  return b->status;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

#define PARAMS                                                                                                    \
  "causal bool False Query i sees keys up to offset + i.\n"                                                       \
  "scale float? None Multiplies scores; None: 1 / sqrt(width).\n"                                                 \
  "use_mask bool False Is there a mask? Set by calls that name one.\n"                                            \
  "use_length bool False Is there a number of keys for each sequence? Set by calls that name length.\n"           \
  "use_offset bool False Is the index of the first query's key given? If not, the last query sees all keys. Set " \
  "by calls that name offset.\n"

#define VECTORS "F.array{{{{1, 0.5}, {0.25, -1}, {-0.5, 0.75}}}}"
#define OTHERS "F.array{{{{0.5, 1}, {-1, 0.5}, {0.75, -0.25}}}}"

/* clang-format off */
Op attention_ops[] = {
  { .name = "_contrib_attention", .aliases = "contrib.attention",
    .doc = "Softmax attention (A. Vaswani et al., 2017): softmax(scale query key') value for each head. query is "
           "(batch, heads, tokens, width), key (batch, heads, other tokens, width) and value (batch, heads, other "
           "tokens, other width). If there are fewer key heads, neighbouring query heads share one. The mask, of any "
           "dtype, broadcasts to (batch, heads, tokens, other tokens) and hides a key where it is 0. Only the first "
           "`length` keys of each sequence are visible. With causal, query i sees keys up to offset + i; offset, (1) "
           "or (batch), is by default other tokens - tokens. A query without visible keys gets 0. Hidden keys must be "
           "finite too. Memory is linear in the number of tokens, for the gradient too; the gradient of the gradient "
           "needs whole matrices. Sums run over blocks of 64 keys: see docs/exactness.md",
    .example = "F.contrib.attention(" VECTORS ", " OTHERS ", " VECTORS ")\n"
               "F.contrib.attention(" VECTORS ", " OTHERS ", " VECTORS ", {causal = true, scale = 0.5})\n"
               "F.contrib.attention(F.array{{{{1, 0.5}}, {{0.25, -1}}}}, " OTHERS ", " VECTORS ", {causal = true, "
               "length = F.array({2}, {dtype = \"int32\"}), mask = F.array({{1, 0, 1}}, {dtype = \"bool\"})})\n"
               "F.contrib.attention(" VECTORS ", " OTHERS ", " VECTORS ", {causal = true, "
               "offset = F.array({1}, {dtype = \"int32\"})})",
    .inputs = "query key value mask length offset", .outputs = "output logsum", .params = PARAMS,
    .params_size = sizeof(AttentionParams), .n_inputs = attention_inputs, .takes = takes, .n_visible = one_visible,
    .unused = hidden_unused, .differentiable = 1 << QUERY | 1 << KEY | 1 << VALUE, .name_stem = "attention",
    .effects = op_fails_always, .infer = infer_attention, .flops = forward_flops,
    .grad = attention_grad },
  { .name = "_backward_attention", .doc = "The gradients of query, key and value",
    .inputs = "query key value mask length offset output logsum g", .outputs = "query key value", .params = PARAMS,
    .params_size = sizeof(AttentionParams), .n_inputs = backward_inputs, .takes = takes, .flags = OP_INTERNAL,
    .effects = op_fails_always, .infer = infer_backward, .flops = backward_flops,
    .grad = backward_grad },
  { .name = "_attention_seen", .doc = "1 for each key that a query sees, otherwise 0",
    .inputs = "query key mask length offset", .params = PARAMS, .params_size = sizeof(AttentionParams),
    .n_inputs = seen_inputs, .flags = OP_INTERNAL | OP_NO_GRAD, .effects = op_fails_always, .infer = infer_seen },
  { 0 }
};
/* clang-format on */
