/* plain_sequence.c - the rows of the texts in this folder, except attention's, RNN and CTCLoss, and their numbers. */
#include "ops/sequence/rotary_embedding.h"
#include "ops/sequence/sequence_mask.h"
#include "plain/plain_registry.h"

static void rotary_numbers(const Query *q, PlainCall *c) {
  const RotaryParams *p = q->params;
  const Shape *data = query_in_shape(q, ROTARY_DATA);
  const int64_t width = data->dim[data->ndim - 1], outer = shape_size_range(data, 0, data->ndim - 2);
  const bool each = p->use_positions && query_in(q, ROTARY_POSITIONS)->shape.ndim == 2 && data->dim[0] > 0;
  plain_whole(c, outer);
  plain_whole(c, data->dim[data->ndim - 2]);
  plain_whole(c, width);
  plain_whole(c, (p->dims == NONE ? width : p->dims) / 2);
  plain_whole(c, each ? outer / data->dim[0] : outer);
  plain_whole(c, p->interleaved);
  plain_whole(c, p->inverse);
  plain_number(c, p->base);
  plain_number(c, p->scale);
}

/* Adds the numbers of steps and sequences, and the elements of a step. */
static void add_steps(const Query *q, PlainCall *c, int64_t axis) {
  const Shape *data = query_in_shape(q, 0);
  plain_whole(c, data->dim[axis]);
  plain_whole(c, data->dim[!axis]);
  plain_whole(c, shape_size_range(data, 2, data->ndim));
}

static void mask_numbers(const Query *q, PlainCall *c) {
  const MaskParams *p = q->params;
  add_steps(q, c, p->axis);
  plain_whole(c, p->axis);
  plain_number(c, p->value);
}

static void last_numbers(const Query *q, PlainCall *c) {
  const LastParams *p = q->params;
  add_steps(q, c, p->axis);
  plain_whole(c, p->axis);
}

static void reverse_numbers(const Query *q, PlainCall *c) { add_steps(q, c, 0); }

const Plain plain_sequence[] = {
  { .op = "_contrib_rotary_embedding",
    .text = "sequence/rotary_embedding",
    .types = FLOAT_TYPES,
    .arguments = rotary_numbers },
  { .op = "SequenceMask", .text = "sequence/sequence_mask", .types = PLAIN_TYPES, .arguments = mask_numbers },
  { .op = "SequenceLast",
    .text = "sequence/sequence_mask",
    .function = "sequence_last",
    .types = PLAIN_TYPES,
    .arguments = last_numbers },
  { .op = "SequenceReverse",
    .text = "sequence/sequence_mask",
    .function = "sequence_reverse",
    .types = PLAIN_TYPES,
    .arguments = reverse_numbers },
  { 0 }
};
