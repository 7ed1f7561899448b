/* dropout.c - elements dropped by a random mask: Dropout. The mask is drawn only if something may be dropped. */
#include "base/threads/parallel_for.h"
#include "kernels/loops/elementwise_loops.h"
#include "kernels/loops/random_mask.h"
#include "ops/common/hidden_outputs.h"
#include "ops/common/gradient_rules.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"
#include "tensor/cast_copy.h"

typedef struct DropoutParams { double p; int64_t mode; List axes; int64_t cudnn_off; } DropoutParams;
enum { DROP_TRAINING, DROP_ALWAYS };

static bool drops(const DropoutParams *p, bool train) { return p->p > 0 && (train || p->mode == DROP_ALWAYS); }
static bool dropout_same(const Query *q) { return !drops(q->params, q->train); }
static unsigned dropout_effects(const Query *q) { return drops(q->params, q->train) ? DRAWS : 0; }

static Status infer_dropout(Infer *f) {
  const DropoutParams *p = f->params;
  if (!(p->p >= 0 && p->p <= 1)) return fail("p: expected a probability, got %g", p->p);
  TRY(one_float_dtype(f, 1, 2));
  TRY(one_shape(f, 0, 0));
  Shape mask = f->in[0].shape;
  for (int64_t i = 0; mask.ndim >= 0 && i < p->axes.count; i++) {
    int axis;
    TRY(axis_normal(f->op->name, "axes", list_ints(&p->axes)[i], mask.ndim, &axis));
    mask.dim[axis] = 1;
  }
  return output_shape(f, 1, &mask);
}

#define DROP(code, T, suffix)                                                                           \
  static void drop_##suffix(const RandomMask *m, int64_t at, int64_t n, const uint32_t *bits) {         \
    const T *x = (const T *)m->x + at, scale = (T)m->scale;                                             \
    const uint32_t threshold = m->threshold;                                                            \
    T *out = (T *)m->out + at, *mask = m->mask ? (T *)m->mask + at : NULL;                              \
    for (int64_t i = 0; mask && i < n; i++) mask[i] = bits[i] >= threshold ? scale : 0;                 \
    for (int64_t i = 0; m->x && i < n; i++) out[i] = x[i] * (bits[i] >= threshold ? scale : 0);         \
  }
EACH_FLOAT(DROP)

static bool is_whole(const Type *mask, const Type *data) { return shape_equal(&mask->shape, &data->shape); }

/* The mask is unused if nothing is dropped. Without a gradient only a mask that broadcasts is used: the kernel
** multiplies by it. */
static bool dropout_unused(const Query *q, int output) {
  if (output == 0) return false;
  return !drops(q->params, q->train) || (q->no_gradient && is_whole(query_out(q, 1), query_out(q, 0)));
}

static Status dropout_forward(Call *c) {
  const DropoutParams *p = c->params;
  const bool whole = is_whole(&c->out[1]->type, &c->out[0]->type);
  if (!drops(p, c->train)) {
    copy_block(c->in[0]->data, c->out[0]->data, tensor_bytes(c->in[0]));
    return interrupt_status();
  }
  RandomMask m = { .piece = BY_DTYPE(c, drop),
                   .draws = true,
                   .size = tensor_size(c->out[1]),
                   .x = whole ? c->in[0]->data : NULL,
                   .out = c->out[0]->data,
                   .mask = c->out[1]->data,
                   .threshold = p->p < 1 ? (uint32_t)(p->p * 0x1p32) : 0,
                   .scale = p->p < 1 ? 1 / (1 - p->p) : 0 };
  TRY(random_mask_run(&m));
  if (whole) return OK;
  return elementwise_run(op_find("broadcast_mul")->elementwise, (const Tensor *[]){ c->in[0], c->out[1] }, 2, c->out[0],
                         NULL);
}

static Status dropout_grad(Gradient *d) {
  if (!d->out_grad[0].node) return OK;
  if (!drops(gradient_params(d), d->node->train)) return only_gradient(d, d->out_grad[0]);
  return only_gradient(d, build_op(d->b, "broadcast_mul", NULL, 2, d->out_grad[0], (Entry){ d->node, 1 }));
}

/* ---- Rows ------------------------------------------------------------------------------------------------- */

/* clang-format off */
Op dropout_ops[] = {
  { .name = "Dropout",
    .doc = "In training each element is set to 0 with probability p, and the others are divided by 1 - p; elements "
           "along `axes` are dropped together (G. Hinton et al., 2012). Outside training it returns the input. Random "
           "numbers are drawn only if something may be dropped",
    .example = "F.Dropout(F.array{{1, 2}, {3, 4}}, {p = 0.3})\n"
               "F.Dropout(F.array{{1, 2}, {3, 4}}, {p = 0.3, mode = \"always\", axes = {0}})",
    .inputs = "data", .outputs = "output mask",
    .params = "p float 0.5 The probability of dropping an element.\n"
              "mode {training,always} training When to drop.\n"
              "axes shape () Axes along which all elements are dropped together.\n"
              "cudnn_off bool? False Accepted for compatibility with MXNet.\n",
    .params_size = sizeof(DropoutParams), .n_visible = one_visible, .unused = dropout_unused,
    .effects = dropout_effects, .flags = OP_TRAIN | OP_IN_PLACE | OP_NAMED_INPUT, .infer = infer_dropout,
    .forward = dropout_forward,
    .same = dropout_same, .grad = dropout_grad },
  { 0 }
};
/* clang-format on */
