/* rotary_embedding.c - rotary_embedding: pairs of a token's elements rotated by angles that encode its position.
**
** The gradient is the inverse rotation: the same row with `inverse`, differentiable to any order. The kernel:
** kernels/sequence/rotary_embedding_kernels.c.
*/
#include "ops/sequence/rotary_embedding.h"

#include <math.h>

#include "ir/node_builder.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

static int rotary_inputs(const Query *q) { return ((const RotaryParams *)q->params)->use_positions ? 2 : 1; }

static Status infer_rotary(Infer *f) {
  const RotaryParams *p = f->params;
  const Shape *data = &f->in[ROTARY_DATA].shape;
  if (!(p->base > 0) || !isfinite(p->base)) return fail("base: expected more than 0, got %g", p->base);
  if (!isfinite(p->scale)) return fail("scale: expected a finite number, got %g", p->scale);
  TRY(one_float_dtype(f, 1, 1));
  TRY(least_dims(f, ROTARY_DATA, 2));
  TRY(one_shape(f, ROTARY_DATA, 0));
  if (data->ndim < 0) return OK;
  const int64_t width = data->dim[data->ndim - 1], tokens = data->dim[data->ndim - 2];
  if (p->dims != NONE && (p->dims < 0 || p->dims % 2 || (width >= 0 && p->dims > width)))
    return fail("dims: expected an even number of at most the width of data %s, got %lld", shape_text(data),
                (long long)p->dims);
  if (p->dims == NONE && width >= 0 && width % 2)
    return fail("data: expected an even width, got shape %s", shape_text(data));
  if (!p->use_positions) return OK;
  const Shape *s = &f->in[ROTARY_POSITIONS].shape;
  if (s->ndim == 2 && data->ndim > 2) return input_shape(f, ROTARY_POSITIONS, &(Shape){ 2, { data->dim[0], tokens } });
  if (s->ndim < 0 || s->ndim == 1) return input_shape(f, ROTARY_POSITIONS, &(Shape){ 1, { tokens } });
  return fail("positions: expected shape (tokens,) or (batch, tokens) of data %s, got %s", shape_text(data),
              shape_text(s));
}

static Status rotary_grad(Gradient *d) {
  RotaryParams p = *(const RotaryParams *)gradient_params(d);
  Entry in[2] = { d->out_grad[0] };
  p.inverse = !p.inverse;
  if (d->node->n_in > 1) in[1] = d->node->in[ROTARY_POSITIONS];
  return only_gradient(d, build_op_list(d->b, "_contrib_rotary_embedding", &p, d->node->n_in, in));
}

static double rotary_flops(const Query *q) { return 3 * (double)shape_size(&query_in(q, ROTARY_DATA)->shape); }

/* clang-format off */
Op rotary_ops[] = {
  { .name = "_contrib_rotary_embedding", .aliases = "contrib.rotary_embedding",
    .doc = "Rotates pair i of the elements of each token in data, (.., tokens, width), by the angle position scale "
           "base^(-2i / dims), so that products of two tokens depend on their distance (J. Su et al., RoFormer, 2021). "
           "A pair is elements i and i + dims / 2, or neighbours if interleaved. positions, (tokens) or (batch, "
           "tokens) of any dtype, are by default 0, 1, 2, ...",
    .example = "F.contrib.rotary_embedding(F.array{{{1, 2, 3, 4}, {0.5, -1, 2, 1}}})\n"
               "F.contrib.rotary_embedding(F.array{{{1, 2, 3, 4, 5}}, {{0.5, -1, 2, 1, 3}}}, "
               "{interleaved = true, dims = 4, "
               "base = 100, scale = 0.5, positions = F.array({{3}, {7}}, {dtype = \"int32\"})})\n"
               "F.contrib.rotary_embedding(F.array{{1, 2}, {3, 4}}, {positions = F.array({5, 6}, {dtype = \"int32\"}), "
               "inverse = true})",
    .inputs = "data positions",
    .params = "base float 10000 The base of the angles.\n"
              "scale float 1 Multiplies positions.\n"
              "dims int? None Number of a token's first elements to rotate; None: all.\n"
              "interleaved bool False Pair neighbours.\n"
              "use_positions bool False Are positions given? Set by calls that name them.\n"
              "inverse bool False Rotate by the negative angles.\n",
    .params_size = sizeof(RotaryParams), .n_inputs = rotary_inputs, .differentiable = 1 << ROTARY_DATA,
    .name_stem = "rotary_embedding",
    .infer = infer_rotary, .flops = rotary_flops, .grad = rotary_grad },
  { 0 }
};
/* clang-format on */
