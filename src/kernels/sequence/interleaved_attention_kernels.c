/* interleaved_attention_kernels.c - products on interleaved vectors, each one call of matrix_product.h on vectors in
** place.
*/
#include "kernels/kernel_registry.h"
#include "kernels/matmul/matrix_product.h"
#include "ops/sequence/interleaved_attention.h"
#include "tensor/cast_copy.h"

/* The layout of a tensor's vectors: their size, the step between heads, the step between positions of a sequence. */
typedef struct Lay { int64_t size, head, row; char *at; } Lay;

static Lay lay_of(const Tensor *t, int64_t heads, HeadPart piece) {
  const Shape *s = &t->type.shape;
  const int64_t size = s->dim[2] / (heads * piece.pieces);
  return (Lay){ size, size * piece.pieces, s->dim[1] * s->dim[2],
                (char *)t->data + (size_t)(piece.at * size) * dtype_size(t->type.dtype) };
}

static Status run_scores(Call *c, const Tensor *a, const Tensor *b, const ScoresParams *p) {
  const Lay la = lay_of(a, p->heads, p->a), lb = lay_of(b, p->heads, p->b);
  const Shape *out = &c->out[0]->type.shape;
  if (tensor_size(c->out[0]) == 0) return OK;
  if (la.size == 0) {
    clear_block(c->out[0]->data, tensor_bytes(c->out[0]));
    return OK;
  }
  return products(&(Product){ .dtype = a->type.dtype,
                              .transpose_b = true,
                              .m = out->dim[1],
                              .n = out->dim[2],
                              .k = la.size,
                              .alpha = p->factor,
                              .a = la.at,
                              .b = lb.at,
                              .c = c->out[0]->data,
                              .lda = la.row,
                              .ldb = lb.row },
                  out->dim[0], la.head, lb.head, out->dim[1] * out->dim[2]);
}

static Status run_mix(Call *c, const Tensor *p, const Tensor *x, const MixParams *w) {
  const Lay lx = lay_of(x, w->heads, w->x), to = lay_of(c->out[0], w->heads, w->out);
  const Shape *s = &p->type.shape;
  const int64_t m = s->dim[w->transpose ? 2 : 1], k = s->dim[w->transpose ? 1 : 2];
  if (tensor_size(c->out[0]) == 0) return OK;
  if (w->out.pieces > 1 || k == 0) clear_block(c->out[0]->data, tensor_bytes(c->out[0]));
  if (k == 0) return OK;
  return products(&(Product){ .dtype = x->type.dtype,
                              .transpose_a = w->transpose,
                              .m = m,
                              .n = lx.size,
                              .k = k,
                              .alpha = w->factor,
                              .a = p->data,
                              .b = lx.at,
                              .c = to.at,
                              .ldb = lx.row,
                              .ldc = to.row },
                  s->dim[0], m * k, lx.head, to.head);
}

static Status qk(Call *c) {
  const ScoresParams p = qk_of(c->op, c->params, &c->in[0]->type.shape);
  return run_scores(c, c->in[0], c->in[c->n_in - 1], &p);
}

static Status selfatt_valatt(Call *c) {
  const MixParams w = mix_of(c->params, value_of_3);
  return run_mix(c, c->in[1], c->in[0], &w);
}

static Status encdec_valatt(Call *c) {
  const MixParams w = mix_of(c->params, value_of_2);
  return run_mix(c, c->in[1], c->in[0], &w);
}

static Status scores(Call *c) { return run_scores(c, c->in[0], c->in[1], c->params); }
static Status mix(Call *c) { return run_mix(c, c->in[0], c->in[1], c->params); }

#define PRODUCTS(row, function) { .op = row, .types = FLOAT_TYPES, .run = function }

const Kernel interleaved_attention_kernels[] = {
  PRODUCTS("_contrib_interleaved_matmul_selfatt_qk", qk),
  PRODUCTS("_contrib_interleaved_matmul_selfatt_valatt", selfatt_valatt),
  PRODUCTS("_contrib_interleaved_matmul_encdec_qk", qk),
  PRODUCTS("_contrib_interleaved_matmul_encdec_valatt", encdec_valatt),
  PRODUCTS("_interleaved_scores", scores),
  PRODUCTS("_interleaved_mix", mix),
  { 0 },
};
