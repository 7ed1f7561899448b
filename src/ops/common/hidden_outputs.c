/* hidden_outputs.c - see hidden_outputs.h. */
#include "ops/common/hidden_outputs.h"

#include "ops/common/shape_rules.h"

int one_visible(const Query *q) {
  (void)q;
  return 1;
}

bool hidden_unused(const Query *q, int output) { return q->no_gradient && output >= q->op->n_visible(q); }

bool hidden_empty(const Query *q, int output) {
  (void)q;
  return output > 0;
}

Status infer_empty_outputs(Infer *f) {
  const Shape empty = { 1, { 0 } };
  for (int i = 1; i < f->n_out; i++) TRY(output_shape(f, i, &empty));
  return OK;
}
