/* op.c - reading rows. */
#include "ir/op.h"

#include <stdio.h>

int op_inputs(const Op *op, const Params *p) {
  if (op->flags & OP_VARIADIC && op->info->num_args >= 0)
    return (int)*(const int64_t *)((const char *)p->fields + op->info->param[op->info->num_args].offset);
  return op->n_inputs ? op->n_inputs(p->fields) : op->info->n_inputs;
}

int op_outputs(const Op *op, const Params *p) { return op->n_outputs ? op->n_outputs(p->fields) : op->info->n_outputs; }
int op_visible(const Op *op, const Params *p) { return op->n_visible ? op->n_visible(p->fields) : op_outputs(op, p); }

const char *op_check(const Op *op, const void *params) {
  if (op->info->check < 0) return NULL;
  return *(const char *const *)((const char *)params + op->info->param[op->info->check].offset);
}

const char *op_input_name(const Op *op, int i) {
  static _Thread_local char text[16];
  if (op->info->variadic && i >= op->info->n_inputs - 1) {
    snprintf(text, sizeof text, "arg%d", i);
    return text;
  }
  return i < op->info->n_inputs ? op->info->input[i] : "input";
}

const Elementwise *op_elementwise(const Op *op, const void *params) {
  return op->pick ? op->pick(params) : op->elementwise;
}

bool op_differentiable(const Op *op, int input) {
  if (op->flags & OP_NO_GRAD || (!op->grad && !op->expand)) return false;
  return op->differentiable == 0 || (input < 32 && op->differentiable >> input & 1);
}

bool op_writes(const Op *op, int input, int n_in) {
  return input >= n_in - op->n_aux || (input < 32 && op->mutates >> input & 1);
}

bool op_pure(const Op *op) { return !(op->flags & OP_RANDOM) && op->mutates == 0; }

double op_flops(const Op *op, const Params *p, const Type *in, const Type *out, bool train) {
  if (op->flops) return op->flops(p->fields, in, out);
  if (op->same && op->same(p->fields, train)) return 0;
  if (op->folding) return (double)shape_size(&in[0].shape);
  const Elementwise *e = op_elementwise(op, p->fields);
  bool computes = e && e->expr[1] != '\0';       /* "a": the operand as it is */
  return computes ? (double)shape_size(&out[0].shape) : 0;
}

Status op_keep_types(Infer *f) {
  (void)f;
  return OK;
}

Status op_not_called(Call *c) { return fail("%s: is not called by itself", c->op->name); }
