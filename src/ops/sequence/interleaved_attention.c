/* interleaved_attention.c - attention products on interleaved vectors: the family interleaved_matmul.
**
** One array (length, batch, heads x pieces x size) contains the query, key and value of each head as neighbours (3
** pieces), or key and value (2). The family has two kinds of products, for each head of each sequence; (batch x heads)
** is one axis:
**   scores  factor A B', all vectors of one kind by all of another
**   mix     factor P X or factor P' X, sums of vectors, written to one piece of the output; its other pieces are 0
** Gradients of each kind are products of these kinds.
** Internal rows for both, with every choice as a parameter, close the family under differentiation.
*/
#include "ops/sequence/interleaved_attention.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

/* ---- Inference -------------------------------------------------------------------------------------------- */

/* Checks that input i contains vectors; *size becomes their size, or UNKNOWN. */
static Status vectors(const Infer *f, int i, int64_t heads, int64_t pieces, int64_t *size) {
  const Shape *s = &f->in[i].shape;
  const char *name = op_input_name(f->op, i);
  *size = UNKNOWN;
  if (heads < 1) return fail("heads: expected 1 or more, got %lld", (long long)heads);
  if (s->ndim < 0) return OK;
  if (s->ndim != 3)
    return fail("%s: expected 3 dimensions (length, batch, features), got shape %s", name, shape_text(s));
  if (s->dim[2] < 0) return OK;
  if (heads > INT32_MAX || s->dim[2] % (heads * pieces))
    return fail("%s: expected features in multiples of %lld (heads x %lld), got shape %s", name,
                (long long)(heads * pieces), (long long)pieces, shape_text(s));
  *size = s->dim[2] / (heads * pieces);
  return OK;
}

static int64_t dim_of(const Shape *s, int i) { return s->ndim < 0 ? UNKNOWN : s->dim[i]; }

/* Infers the scores of vectors in inputs a and b. */
static Status infer_scores_of(Infer *f, int64_t heads, int a, int64_t pieces_a, int b, int64_t pieces_b) {
  const Shape *sa = &f->in[a].shape, *sb = &f->in[b].shape;
  int64_t size_a, size_b;
  TRY(one_float_dtype(f, f->n_in, 1));
  TRY(vectors(f, a, heads, pieces_a, &size_a));
  TRY(vectors(f, b, heads, pieces_b, &size_b));
  if (sa->ndim == 3)
    TRY(input_shape(f, b,
                    &(Shape){
                      3, { dim_of(sb, 0), sa->dim[1], size_a == UNKNOWN ? UNKNOWN : size_a * heads * pieces_b } }));
  if (sa->ndim < 0 || sb->ndim < 0) return OK;
  return output_shape(f, 0, &(Shape){ 3, { sa->dim[1] < 0 ? UNKNOWN : sa->dim[1] * heads, sa->dim[0], sb->dim[0] } });
}

/* Infers a mix of the n vectors of input x by input p, (batch x heads, m, n), or (.., n, m) with transpose. */
static Status infer_mix_of(Infer *f, const MixParams *w, int p, int x) {
  const Shape *sp = &f->in[p].shape, *sx = &f->in[x].shape;
  int64_t size;
  TRY(one_float_dtype(f, f->n_in, 1));
  TRY(vectors(f, x, w->heads, w->x.pieces, &size));
  if (sp->ndim >= 0 && sp->ndim != 3)
    return fail("%s: expected 3 dimensions (batch x heads, length, length), got shape %s", op_input_name(f->op, p),
                shape_text(sp));
  if (sx->ndim < 0) return OK;
  Shape mixing = { 3, { sx->dim[1] < 0 ? UNKNOWN : sx->dim[1] * w->heads, UNKNOWN, UNKNOWN } };
  mixing.dim[w->transpose ? 1 : 2] = sx->dim[0];
  TRY(input_shape(f, p, &mixing));
  return output_shape(f, 0,
                      &(Shape){ 3,
                                { sp->dim[w->transpose ? 2 : 1], sx->dim[1],
                                  size == UNKNOWN ? UNKNOWN : size * w->heads * w->out.pieces } });
}

static Status infer_selfatt_qk(Infer *f) { return infer_scores_of(f, heads_of(f->params), 0, 3, 0, 3); }
static Status infer_encdec_qk(Infer *f) { return infer_scores_of(f, heads_of(f->params), 0, 1, 1, 2); }

/* In self-attention scores are square. */
static Status infer_selfatt_valatt(Infer *f) {
  const Shape *data = &f->in[0].shape, *attention = &f->in[1].shape;
  const MixParams w = mix_of(f->params, value_of_3);
  if (data->ndim == 3 && attention->ndim == 3)
    TRY(input_shape(f, 1, &(Shape){ 3, { UNKNOWN, data->dim[0], data->dim[0] } }));
  return infer_mix_of(f, &w, 1, 0);
}

static Status infer_encdec_valatt(Infer *f) {
  const MixParams w = mix_of(f->params, value_of_2);
  return infer_mix_of(f, &w, 1, 0);
}

static Status infer_scores(Infer *f) {
  const ScoresParams *p = f->params;
  return infer_scores_of(f, p->heads, 0, p->a.pieces, 1, p->b.pieces);
}

static Status infer_mix(Infer *f) { return infer_mix_of(f, f->params, 0, 1); }

static double scores_flops(const Query *q) {
  const Shape *out = &query_out(q, 0)->shape, *last = &query_in(q, q->n_in - 1)->shape;
  const int64_t pieces = q->n_in == 1                 ? 3
                         : q->op->flags & OP_INTERNAL ? ((const ScoresParams *)q->params)->b.pieces
                                                      : 2;
  return 2 * (double)shape_size(out) * (double)(last->dim[2] / pieces / heads_of(q->params));
}

static double mix_flops(const Query *q) {
  const bool inner = q->op->flags & OP_INTERNAL;
  const Shape *p = &query_in(q, inner ? 0 : 1)->shape, *out = &query_out(q, 0)->shape;
  const int64_t pieces = inner ? ((const MixParams *)q->params)->out.pieces : 1;
  return 2 * (double)shape_size(p) * (double)(out->dim[2] / pieces / heads_of(q->params));
}

/* ---- Gradients -------------------------------------------------------------------------------------------- */

static Entry scores(Builder *b, Entry a, Entry x, const ScoresParams *p) {
  return build_op(b, "_interleaved_scores", p, 2, a, x);
}

static Entry mix(Builder *b, Entry p, Entry x, const MixParams *w) {
  return build_op(b, "_interleaved_mix", w, 2, p, x);
}

/* For S = factor A B', the gradient of A is factor G B, and that of B is factor (G transposed) A. */
static Entry grad_of_a(Gradient *d, const ScoresParams *p, Entry x) {
  return mix(d->b, d->out_grad[0], x, &(MixParams){ p->heads, p->b, p->a, false, p->factor });
}

static Entry grad_of_b(Gradient *d, const ScoresParams *p, Entry a) {
  return mix(d->b, d->out_grad[0], a, &(MixParams){ p->heads, p->a, p->b, true, p->factor });
}

static Status scores_grad_of(Gradient *d, const ScoresParams *p) {
  if (d->wanted[0]) d->in_grad[0] = grad_of_a(d, p, d->node->in[1]);
  if (d->wanted[1]) d->in_grad[1] = grad_of_b(d, p, d->node->in[0]);
  return d->b->status;
}

static Status scores_grad(Gradient *d) { return scores_grad_of(d, (const ScoresParams *)gradient_params(d)); }

static Status encdec_qk_grad(Gradient *d) {
  const ScoresParams p = qk_of(d->node->op, gradient_params(d), &gradient_input(d, 0)->shape);
  return scores_grad_of(d, &p);
}

static Status selfatt_qk_grad(Gradient *d) {
  const Entry x = d->node->in[0];
  const ScoresParams p = qk_of(d->node->op, gradient_params(d), &entry_type(x)->shape);
  return only_gradient(d, build_sum(d->b, grad_of_a(d, &p, x), grad_of_b(d, &p, x)));
}

/* For O = factor P X, the gradient of P is factor G X', and that of X is factor (P transposed) G; a transposed P swaps
** the operands. */
static Status mix_grad_of(Gradient *d, const MixParams *w, int p, int x) {
  const Entry *in = d->node->in, g = d->out_grad[0];
  if (d->wanted[p])
    d->in_grad[p] = w->transpose ? scores(d->b, in[x], g, &(ScoresParams){ w->heads, w->x, w->out, w->factor })
                                 : scores(d->b, g, in[x], &(ScoresParams){ w->heads, w->out, w->x, w->factor });
  if (d->wanted[x])
    d->in_grad[x] = mix(d->b, in[p], g, &(MixParams){ w->heads, w->out, w->x, !w->transpose, w->factor });
  return d->b->status;
}

static Status mix_grad(Gradient *d) { return mix_grad_of(d, (const MixParams *)gradient_params(d), 0, 1); }

static Status selfatt_valatt_grad(Gradient *d) {
  const MixParams w = mix_of(gradient_params(d), value_of_3);
  return mix_grad_of(d, &w, 1, 0);
}

static Status encdec_valatt_grad(Gradient *d) {
  const MixParams w = mix_of(gradient_params(d), value_of_2);
  return mix_grad_of(d, &w, 1, 0);
}

/* ---- Rows ------------------------------------------------------------------------------------------------- */

#define HEADS "heads int - The number of heads.\n"
#define PUBLIC(rest) .name = "_contrib_interleaved_matmul_" rest, .aliases = "contrib.interleaved_matmul_" rest, \
  .params = HEADS, .params_size = sizeof(HeadsParams)

/* clang-format off */
Op interleaved_ops[] = {
  { PUBLIC("selfatt_qk"),
    .doc = "The products of each query with each key of its head, divided by sqrt(size): (batch x heads, length, "
           "length), from interleaved queries, keys and values, (length, batch, heads x 3 x size)",
    .example = "F.contrib.interleaved_matmul_selfatt_qk(F.array{{{1, 2, 0.5}}, {{-1, 3, 2}}}, {heads = 1})\n"
               "F.contrib.interleaved_matmul_selfatt_qk(F.array{{{1, 2, 3, -1, 0.5, 2}, {0.5, 1, 2, 1, -2, 1}}}, "
               "{heads = 2})",
    .inputs = "queries_keys_values", .infer = infer_selfatt_qk, .flops = scores_flops,
    .grad = selfatt_qk_grad },
  { PUBLIC("selfatt_valatt"),
    .doc = "The sums of values weighted by attention, (batch x heads, length, length): (length, batch, heads x size), "
           "from interleaved queries, keys and values, (length, batch, heads x 3 x size)",
    .example = "F.contrib.interleaved_matmul_selfatt_valatt(F.array{{{1, 2, 0.5}}, {{-1, 3, 2}}}, "
               "F.array{{{0.25, 0.75}, {0.5, 0.5}}}, {heads = 1})",
    .inputs = "queries_keys_values attention", .infer = infer_selfatt_valatt,
    .flops = mix_flops, .grad = selfatt_valatt_grad },
  { PUBLIC("encdec_qk"),
    .doc = "The products of each query with each key of its head, divided by sqrt(size): (batch x heads, length, other "
           "length), from queries, (length, batch, heads x size), and interleaved keys and values, (other length, "
           "batch, heads x 2 x size)",
    .example = "F.contrib.interleaved_matmul_encdec_qk(F.array{{{1, 2}}, {{-1, 3}}, {{0.5, 1}}}, "
               "F.array{{{1, 2, 0.5, 3}}, {{2, -1, 1, 1}}}, {heads = 1})",
    .inputs = "queries keys_values", .infer = infer_encdec_qk, .flops = scores_flops,
    .grad = encdec_qk_grad },
  { PUBLIC("encdec_valatt"),
    .doc = "The sums of values weighted by attention, (batch x heads, other length, length): (other length, batch, "
           "heads x size), from interleaved keys and values, (length, batch, heads x 2 x size)",
    .example = "F.contrib.interleaved_matmul_encdec_valatt(F.array{{{1, 2, 0.5, 3}}, {{2, -1, 1, 1}}}, "
               "F.array{{{0.25, 0.75}}, {{0.5, 0.5}}}, {heads = 2})",
    .inputs = "keys_values attention", .infer = infer_encdec_valatt, .flops = mix_flops, .grad = encdec_valatt_grad },
  { .name = "_interleaved_scores", .doc = "Products of each vector in a with each vector in b, times a factor",
    .inputs = "a b",
    .params = HEADS "pieces_a int - Pieces of a.\nat_a int - The piece of a.\npieces_b int - Pieces of b.\n"
              "at_b int - The piece of b.\n"
              "factor float - The factor.\n",
    .params_size = sizeof(ScoresParams), .flags = OP_INTERNAL, .infer = infer_scores,
    .flops = scores_flops, .grad = scores_grad },
  { .name = "_interleaved_mix", .doc = "Sums of vectors in x weighted by p, times a factor, as a piece of the output",
    .inputs = "p x",
    .params = HEADS "pieces_x int - Pieces of x.\nat_x int - The piece of x.\n"
              "pieces_out int - Pieces of the output.\nat_out int - The piece of the output.\n"
              "transpose bool - Transpose p.\n" "factor float - The factor.\n",
    .params_size = sizeof(MixParams), .flags = OP_INTERNAL, .infer = infer_mix, .flops = mix_flops, .grad = mix_grad },
  { 0 }
};
/* clang-format on */
