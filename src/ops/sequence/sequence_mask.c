/* sequence_mask.c - SequenceMask, SequenceLast and SequenceReverse, for sequences of different lengths; div_sqrt_dim.
**
** Data is treated as rows, one for each step of each sequence: (steps, batch, row), or (batch, steps, row) if axis is
** 1. Rows are copied unchanged, so data may have any dtype. Lengths, of any dtype, are read as integers.
**
** A row of the output comes from at most one row of data, so the operators are linear. SequenceMask and SequenceReverse
** are their own gradients; the gradient of SequenceLast puts rows among zeros.
**
** The kernels are in kernels/sequence/sequence_mask_kernels.c.
*/
#include "ops/sequence/sequence_mask.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

static int sequence_inputs(const Query *q) { return *(const int64_t *)q->params ? 2 : 1; }

/* ---- Inference ------------------------------------------------------------------------------------------ */

/* Checks data, whose steps are along `axis`, and the length of each sequence. */
static Status infer_data(Infer *f, int64_t axis, int64_t most) {
  const Shape *data = &f->in[DATA].shape;
  if (axis < 0 || axis > most)
    return most ? fail("axis: expected 0 or 1, got %lld", (long long)axis)
                : fail("axis: expected 0, got %lld", (long long)axis);
  TRY(one_dtype(f, 0, 1));
  TRY(least_dims(f, DATA, 2));
  if (f->n_in == 1) return OK;
  return input_shape(f, LENGTHS, &(Shape){ 1, { data->ndim < 0 ? UNKNOWN : data->dim[!axis] } });
}

static Status infer_mask(Infer *f) {
  TRY(infer_data(f, ((const MaskParams *)f->params)->axis, 1));
  return one_shape(f, DATA, 0);
}

static Status infer_reverse(Infer *f) {
  TRY(infer_data(f, ((const LastParams *)f->params)->axis, 0));
  return one_shape(f, DATA, 0);
}

static Status infer_last(Infer *f) {
  const LastParams *p = f->params;
  const Shape *data = &f->in[DATA].shape;
  TRY(infer_data(f, p->axis, 1));
  if (data->ndim < 0) return OK;
  if (data->dim[p->axis] == 0) return fail("data: expected at least one step, got shape %s", shape_text(data));
  Shape out = without_axis(data, (int)p->axis);
  return output_shape(f, 0, &out);
}

static Status infer_put_last(Infer *f) {
  const PutLastParams *p = f->params;
  const Shape *g = &f->in[DATA].shape;
  TRY(one_dtype(f, 0, 1));
  TRY(least_dims(f, DATA, 1));
  if (g->ndim < 0) return OK;
  Shape out = { .ndim = g->ndim + 1 };
  for (int i = 0, from = 0; i < out.ndim; i++) out.dim[i] = i == p->axis ? p->steps : g->dim[from++];
  return output_shape(f, 0, &out);
}

static bool masks_nothing(const Query *q) { return q->n_in == 1; }

/* ---- Gradients -------------------------------------------------------------------------------------------- */

/* Applies the operator to g, with the node's lengths. */
static Entry moved(Gradient *d, const char *op, const void *fields) {
  const Entry in[] = { d->out_grad[0], d->node->n_in > 1 ? d->node->in[LENGTHS] : NO_ENTRY };
  return build_op_list(d->b, op, fields, d->node->n_in, in);
}

static Status mask_grad(Gradient *d) {
  MaskParams p = *(const MaskParams *)gradient_params(d);
  p.value = 0;
  return only_gradient(d, d->node->n_in > 1 ? moved(d, "SequenceMask", &p) : d->out_grad[0]);
}

static Status reverse_grad(Gradient *d) { return only_gradient(d, moved(d, "SequenceReverse", gradient_params(d))); }

static Status last_grad(Gradient *d) {
  const LastParams *p = gradient_params(d);
  const PutLastParams put = { p->use_sequence_length, p->axis, gradient_input(d, DATA)->shape.dim[p->axis] };
  return only_gradient(d, moved(d, "_backward_SequenceLast", &put));
}

static Status put_last_grad(Gradient *d) {
  const PutLastParams *p = gradient_params(d);
  return only_gradient(d, moved(d, "SequenceLast", &(LastParams){ p->use_sequence_length, p->axis }));
}

/* ---- div_sqrt_dim ------------------------------------------------------------------------------------------- */

static Status infer_div_sqrt_dim(Infer *f) {
  TRY(one_float_dtype(f, 1, 1));
  TRY(least_dims(f, 0, 1));
  return one_shape(f, 0, 0);
}

static Entry div_sqrt_dim_expand(Builder *b, Node *n) {
  return build_op(b, "_div_scalar", &(ScalarParams){ root_of_width(&n->type[0].shape) }, 1, n->in[0]);
}

static void div_sqrt_dim_lower(Lowering *l) { l->out[0] = div_sqrt_dim_expand(l->b, l->node); }

/* ---- Rows ------------------------------------------------------------------------------------------------- */

#define USE "use_sequence_length bool False Is there a length for each sequence? If not, use all steps.\n"
#define STEPS "axis int 0 The axis of the steps, "

/* clang-format off */
Op sequence_ops[] = {
  { .name = "SequenceMask",
    .doc = "Replaces the steps past each sequence's length, in (steps, batch, ...), by a value",
    .example = "F.SequenceMask(F.array{{1, 2}, {3, 4}, {5, 6}}, F.array({1, 3}, {dtype = \"int32\"}), "
               "{use_sequence_length = true})\n"
               "F.SequenceMask(F.array{{{1}, {2}}, {{3}, {4}}}, F.array({0, 1}, {dtype = \"int32\"}), "
               "{use_sequence_length = true, value = -1, axis = 1})\n"
               "F.SequenceMask(F.array{{1, 2}, {3, 4}})",
    .inputs = "data sequence_length", .n_inputs = sequence_inputs, .differentiable = 1,
    .params = USE "value float 0 The value after the end.\n" STEPS "0 or 1; the batch is the other.\n",
    .params_size = sizeof(MaskParams), .effects = op_fails_always, .infer = infer_mask, .same = masks_nothing,
    .grad = mask_grad },
  { .name = "SequenceLast", .doc = "The last step of each sequence in (steps, batch, ...), by its length: (batch, ...)",
    .example = "F.SequenceLast(F.array{{1, 2}, {3, 4}, {5, 6}}, F.array({1, 3}, {dtype = \"int32\"}), "
               "{use_sequence_length = true})\n"
               "F.SequenceLast(F.array{{{1}, {2}}, {{3}, {4}}}, F.array({2, 1}, {dtype = \"int32\"}), "
               "{use_sequence_length = true, axis = 1})\n"
               "F.SequenceLast(F.array{{1, 2}, {3, 4}})",
    .inputs = "data sequence_length", .n_inputs = sequence_inputs, .differentiable = 1,
    .params = USE STEPS "0 or 1; the batch is the other.\n", .params_size = sizeof(LastParams),
    .effects = op_fails_always, .infer = infer_last,
    .grad = last_grad },
  { .name = "_backward_SequenceLast", .doc = "The gradient of data: rows become last steps, among zeros",
    .inputs = "g sequence_length", .n_inputs = sequence_inputs, .differentiable = 1,
    .params = USE STEPS "0 or 1.\n" "steps int - Number of steps.\n", .params_size = sizeof(PutLastParams),
    .flags = OP_INTERNAL,
    .effects = op_fails_always, .infer = infer_put_last, .grad = put_last_grad },
  { .name = "SequenceReverse",
    .doc = "Reverses the steps of each sequence in (steps, batch, ...), up to its length",
    .example = "F.SequenceReverse(F.array{{1, 2}, {3, 4}, {5, 6}}, F.array({2, 3}, {dtype = \"int32\"}), "
               "{use_sequence_length = true})\n"
               "F.SequenceReverse(F.array{{1, 2}, {3, 4}})",
    .inputs = "data sequence_length", .n_inputs = sequence_inputs, .differentiable = 1,
    .params = USE STEPS "which is 0.\n", .params_size = sizeof(LastParams), .effects = op_fails_always,
    .infer = infer_reverse,
    .grad = reverse_grad },
  { .name = "_contrib_div_sqrt_dim", .aliases = "contrib.div_sqrt_dim",
    .doc = "data divided by the square root of its last dimension, as for attention scores",
    .example = "F.contrib.div_sqrt_dim(F.array{{1, 2, 3, 4}, {0, -1, 2, 8}})", .inputs = "data",
    .infer = infer_div_sqrt_dim, .expand = div_sqrt_dim_expand,
    .lower = div_sqrt_dim_lower },
  { 0 }
};
/* clang-format on */
