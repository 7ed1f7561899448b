/* sequence_mask_kernels.c - kernels of SequenceMask, SequenceLast, SequenceReverse and div_sqrt_dim. */
#include <string.h>

#include "kernels/kernel_registry.h"
#include "kernels/loops/elementwise_loops.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/sequence/sequence_mask.h"
#include "tensor/cast_copy.h"

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

static Status mask(Call *c) {
  const MaskParams *p = c->params;
  StepRows s = steps_of(c, c->in[DATA], p->axis);
  convert(DT_FLOAT64, &p->value, c->out[0]->type.dtype, s.value, 1);
  return run_parallel(s.steps, grain(&s), mask_steps, &s);
}

static Status reverse(Call *c) {
  StepRows s = steps_of(c, c->in[DATA], 0);
  TRY(check_lengths(c, &s, 0));
  return run_parallel(s.steps, grain(&s), reverse_steps, &s);
}

static Status last(Call *c) {
  StepRows s = steps_of(c, c->in[DATA], ((const LastParams *)c->params)->axis);
  TRY(check_lengths(c, &s, 1));
  for (int64_t i = 0; i < s.batch; i++)
    memcpy(s.to + (size_t)i * s.row, s.from + place_of(&s, length_of(&s, i) - 1, i), s.row);
  return OK;
}

static Status put_last(Call *c) {
  StepRows s = steps_of(c, c->out[0], ((const PutLastParams *)c->params)->axis);
  TRY(check_lengths(c, &s, 1));
  clear_block(s.to, tensor_bytes(c->out[0]));
  for (int64_t i = 0; i < s.batch; i++)
    memcpy(s.to + place_of(&s, length_of(&s, i) - 1, i), s.from + (size_t)i * s.row, s.row);
  return OK;
}

static Status div_sqrt_dim(Call *c) {
  const double root = root_of_width(&c->in[0]->type.shape);
  return elementwise_run(op_find("_div_scalar"), c->in, 1, c->out[0], &root);
}

const Kernel sequence_mask_kernels[] = {
  { .op = "SequenceMask", .types = ALL_TYPES, .run = mask },
  { .op = "SequenceLast", .types = ALL_TYPES, .run = last },
  { .op = "_backward_SequenceLast", .types = ALL_TYPES, .run = put_last },
  { .op = "SequenceReverse", .types = ALL_TYPES, .run = reverse },
  { .op = "_contrib_div_sqrt_dim", .types = FLOAT_TYPES, .run = div_sqrt_dim },
  { 0 },
};
