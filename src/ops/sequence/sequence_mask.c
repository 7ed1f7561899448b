/* sequence_mask.c - SequenceMask, SequenceLast and SequenceReverse, for sequences of different lengths; div_sqrt_dim.
**
** Data is treated as rows, one for each step of each sequence: (steps, batch, row), or (batch, steps, row) if axis is
** 1. Rows are copied unchanged, so data may have any dtype. Lengths, of any dtype, are read as integers.
**
** A row of the output comes from at most one row of data, so the operators are linear. SequenceMask and SequenceReverse
** are their own gradients; the gradient of SequenceLast puts rows among zeros.
*/
#include <math.h>
#include <string.h>

#include "base/threads/parallel_for.h"
#include "kernels/loops/elementwise_loops.h"
#include "ops/common/gradient_rules.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"
#include "tensor/cast_copy.h"

/* The first parameter is the same in all. */
typedef struct MaskParams { int64_t use_sequence_length; double value; int64_t axis; } MaskParams;
typedef struct LastParams { int64_t use_sequence_length, axis; } LastParams;
typedef struct PutLastParams { int64_t use_sequence_length, axis, steps; } PutLastParams;

enum { DATA, LENGTHS };

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

/* ---- Kernels -------------------------------------------------------------------------------------------- */

typedef struct StepRows {
  int64_t steps, batch, axis; /* axis: step axis */
  size_t row; /* bytes */
  const Tensor *lengths; /* NULL: all are `steps` */
  const char *from;
  char *to;
  char value[sizeof(double)]; /* of a masked element */
  size_t size;
} StepRows;

/* `whole`: the tensor with the steps. */
static StepRows steps_of(const Call *c, const Tensor *whole, int64_t axis) {
  const Shape *s = &whole->type.shape;
  const size_t size = dtype_size(whole->type.dtype);
  return (StepRows){ .steps = s->dim[axis],
                     .batch = s->dim[!axis],
                     .axis = axis,
                     .size = size,
                     .row = (size_t)shape_size_range(s, 2, s->ndim) * size,
                     .lengths = c->n_in > 1 ? c->in[LENGTHS] : NULL,
                     .from = c->in[DATA]->data,
                     .to = c->out[0]->data };
}

static int64_t length_of(const StepRows *s, int64_t i) { return s->lengths ? tensor_get_int(s->lengths, i) : s->steps; }

static Status check_lengths(const Call *c, const StepRows *s, int64_t least) {
  const Status status = check_numbers_within("sequence_length", s->lengths, least, s->steps, ", the steps of data");
  return status == OK ? OK : fail_within(status, "%s", c->op->name);
}

/* The offset of a row, in bytes. */
static size_t place_of(const StepRows *s, int64_t step, int64_t sequence) {
  return (size_t)(s->axis ? sequence * s->steps + step : step * s->batch + sequence) * s->row;
}

/* Loops over the sequences of each step; a work item is a step. */
#define EACH_ROW(s)                                                                                         \
  const StepRows *s = context;                                                                                 \
  for (int64_t step = first; step < last && !interrupted(); step++)                                         \
    for (int64_t sequence = 0; sequence < (s)->batch; sequence++)

static void mask_steps(void *context, int64_t first, int64_t last) {
  EACH_ROW(s) {
    const size_t at = place_of(s, step, sequence);
    if (step < length_of(s, sequence)) memcpy(s->to + at, s->from + at, s->row);
    else
      for (size_t i = 0; i < s->row; i += s->size) memcpy(s->to + at + i, s->value, s->size);
  }
}

static void reverse_steps(void *context, int64_t first, int64_t last) {
  EACH_ROW(s) {
    const int64_t n = length_of(s, sequence);
    memcpy(s->to + place_of(s, step, sequence), s->from + place_of(s, step < n ? n - 1 - step : step, sequence),
           s->row);
  }
}

static int64_t grain(const StepRows *s) { return (1 << 16) / (s->batch * (int64_t)s->row + 1) + 1; }

static Status mask_forward(Call *c) {
  const MaskParams *p = c->params;
  StepRows s = steps_of(c, c->in[DATA], p->axis);
  convert(DT_FLOAT64, &p->value, c->out[0]->type.dtype, s.value, 1);
  return run_parallel(s.steps, grain(&s), mask_steps, &s);
}

static bool masks_nothing(const Query *q) { return q->n_in == 1; }

static Status reverse_forward(Call *c) {
  StepRows s = steps_of(c, c->in[DATA], 0);
  TRY(check_lengths(c, &s, 0));
  return run_parallel(s.steps, grain(&s), reverse_steps, &s);
}

static Status last_forward(Call *c) {
  StepRows s = steps_of(c, c->in[DATA], ((const LastParams *)c->params)->axis);
  TRY(check_lengths(c, &s, 1));
  for (int64_t i = 0; i < s.batch; i++)
    memcpy(s.to + (size_t)i * s.row, s.from + place_of(&s, length_of(&s, i) - 1, i), s.row);
  return OK;
}

static Status put_last_forward(Call *c) {
  StepRows s = steps_of(c, c->out[0], ((const PutLastParams *)c->params)->axis);
  TRY(check_lengths(c, &s, 1));
  clear_block(s.to, tensor_bytes(c->out[0]));
  for (int64_t i = 0; i < s.batch; i++)
    memcpy(s.to + place_of(&s, length_of(&s, i) - 1, i), s.from + (size_t)i * s.row, s.row);
  return OK;
}

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

static double root_of(const Shape *s) { return sqrt((double)s->dim[s->ndim - 1]); }

static Status div_sqrt_dim_forward(Call *c) {
  const double root = root_of(&c->in[0]->type.shape);
  return elementwise_run(op_find("_div_scalar"), c->in, 1, c->out[0], &root);
}

static Entry div_sqrt_dim_expand(Builder *b, Node *n) {
  return build_op(b, "_div_scalar", &(ScalarParams){ root_of(&n->type[0].shape) }, 1, n->in[0]);
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
    .params_size = sizeof(MaskParams), .infer = infer_mask, .forward = mask_forward, .same = masks_nothing,
    .grad = mask_grad },
  { .name = "SequenceLast", .doc = "The last step of each sequence in (steps, batch, ...), by its length: (batch, ...)",
    .example = "F.SequenceLast(F.array{{1, 2}, {3, 4}, {5, 6}}, F.array({1, 3}, {dtype = \"int32\"}), "
               "{use_sequence_length = true})\n"
               "F.SequenceLast(F.array{{{1}, {2}}, {{3}, {4}}}, F.array({2, 1}, {dtype = \"int32\"}), "
               "{use_sequence_length = true, axis = 1})\n"
               "F.SequenceLast(F.array{{1, 2}, {3, 4}})",
    .inputs = "data sequence_length", .n_inputs = sequence_inputs, .differentiable = 1,
    .params = USE STEPS "0 or 1; the batch is the other.\n", .params_size = sizeof(LastParams), .infer = infer_last,
    .forward = last_forward, .grad = last_grad },
  { .name = "_backward_SequenceLast", .doc = "The gradient of data: rows become last steps, among zeros",
    .inputs = "g sequence_length", .n_inputs = sequence_inputs, .differentiable = 1,
    .params = USE STEPS "0 or 1.\n" "steps int - Number of steps.\n", .params_size = sizeof(PutLastParams),
    .flags = OP_INTERNAL,
    .infer = infer_put_last, .forward = put_last_forward, .grad = put_last_grad },
  { .name = "SequenceReverse",
    .doc = "Reverses the steps of each sequence in (steps, batch, ...), up to its length",
    .example = "F.SequenceReverse(F.array{{1, 2}, {3, 4}, {5, 6}}, F.array({2, 3}, {dtype = \"int32\"}), "
               "{use_sequence_length = true})\n"
               "F.SequenceReverse(F.array{{1, 2}, {3, 4}})",
    .inputs = "data sequence_length", .n_inputs = sequence_inputs, .differentiable = 1,
    .params = USE STEPS "which is 0.\n", .params_size = sizeof(LastParams), .infer = infer_reverse,
    .forward = reverse_forward, .grad = reverse_grad },
  { .name = "_contrib_div_sqrt_dim", .aliases = "contrib.div_sqrt_dim",
    .doc = "data divided by the square root of its last dimension, as for attention scores",
    .example = "F.contrib.div_sqrt_dim(F.array{{1, 2, 3, 4}, {0, -1, 2, 8}})", .inputs = "data",
    .infer = infer_div_sqrt_dim, .forward = div_sqrt_dim_forward, .expand = div_sqrt_dim_expand,
    .lower = div_sqrt_dim_lower },
  { 0 }
};
/* clang-format on */
