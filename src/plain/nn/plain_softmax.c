/* plain_softmax.c - the rows that nn/softmax.h defines, and their numbers. */
#include "ops/nn/output_losses.h"
#include "ops/nn/softmax.h"
#include "plain/plain_registry.h"

typedef struct SoftmaxForm { bool logarithm; double sign; } SoftmaxForm;

static void softmax_numbers(const Query *q, PlainCall *c) {
  const SoftmaxForm *form = q->op->plain->own;
  const SoftmaxParams *p = q->params;
  plain_axis(c, query_out_shape(q, 0), p->axis);
  plain_whole(c, form->logarithm);
  plain_number(c, form->sign);
  plain_number(c, softmax_factor(p));
}

static void softmax_activation_numbers(const Query *q, PlainCall *c) {
  plain_axis(c, query_out_shape(q, 0), softmax_activation_axis(q->params));
  plain_whole(c, false);
  plain_number(c, 1);
  plain_number(c, 1);
}

static void softmax_output_numbers(const Query *q, PlainCall *c) {
  const ClassAxis a = softmax_output_axis(q->params, query_in_shape(q, 0));
  plain_wholes(c, (const int64_t[]){ a.outer, a.n, a.inner }, 3);
}

#define SOFTMAX(row, numbers, ...)                                                                            \
  { .op = row, .text = "nn/softmax", .types = FLOAT_TYPES, .arguments = numbers,                              \
    .own = &(const SoftmaxForm){ __VA_ARGS__ } }

const Plain plain_softmax[] = { SOFTMAX("softmax", softmax_numbers, false, 1),
                                SOFTMAX("log_softmax", softmax_numbers, true, 1),
                                SOFTMAX("softmin", softmax_numbers, false, -1),
                                SOFTMAX("SoftmaxActivation", softmax_activation_numbers, false, 1),
                                { .op = "SoftmaxOutput",
                                  .text = "nn/softmax",
                                  .function = "softmax_output",
                                  .types = FLOAT_TYPES,
                                  .arguments = softmax_output_numbers },
                                { 0 } };
