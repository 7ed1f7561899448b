/* elementwise_rule.c - see elementwise_rule.h. */
#include "ops/common/elementwise_rule.h"

#include <string.h>

#include "ops/common/gradient_rules.h"

/* ---- Inference ------------------------------------------------------------------------- */

static Status merge_dtypes(Infer *f, const Elementwise *e) {
  DType dtype = f->out[0].dtype;
  int first = e->condition ? 1 : 0;
  for (int i = first; i < f->n_in; i++) {
    if (!dtype_merge(&dtype, f->in[i].dtype))
      return fail("%s: expected dtype %s, got %s; convert one with astype", op_input_name(f->op, i), dtype_name(dtype),
                  dtype_name(f->in[i].dtype));
  }
  if (dtype != DT_UNKNOWN && !(e->types >> dtype & 1)) {
    const bool ints = (e->types & INTEGER_TYPES) != 0, floats = (e->types & FLOAT_TYPES) != 0;
    return fail("%s: expected dtype %s, got %s; convert with astype", op_input_name(f->op, first),
                !floats ? "int8, uint8, int32 or int64"
                : ints  ? "float32, float64 or an integer"
                        : "float32 or float64",
                dtype_name(dtype));
  }
  for (int i = first; i < f->n_in; i++) f->in[i].dtype = dtype;
  f->out[0].dtype = dtype;
  return OK;
}

Status infer_elementwise(Infer *f) {
  Shape shape = f->in[0].shape, sum;
  TRY(merge_dtypes(f, op_elementwise(f->op, f->params)));
  for (int i = 1; i < f->n_in; i++) {
    if (!shape_broadcast(&shape, &f->in[i].shape, &sum))
      return fail("%s: expected a shape that broadcasts with %s, got %s", op_input_name(f->op, i), shape_text(&shape),
                  shape_text(&f->in[i].shape));
    shape = sum;
  }
  if (!shape_merge(&f->out[0].shape, &shape))
    return fail("output: expected %s, got %s", shape_text(&f->out[0].shape), shape_text(&shape));
  if (f->n_in == 1) shape_merge(&f->in[0].shape, &f->out[0].shape);
  return OK;
}

Status infer_same_shape(Infer *f) {
  const Elementwise *e = op_elementwise(f->op, f->params);
  Shape shape = f->out[0].shape;
  if (e) TRY(merge_dtypes(f, e));
  for (int i = 0; i < f->n_in; i++)
    if (!shape_merge(&shape, &f->in[i].shape))
      return fail("%s: expected shape %s, got %s", op_input_name(f->op, i), shape_text(&shape),
                  shape_text(&f->in[i].shape));
  for (int i = 0; i < f->n_in; i++) f->in[i].shape = shape;
  f->out[0].shape = shape;
  return OK;
}

Status infer_bound(Infer *f) {
  static const double zeros[MAX_SCALARS];
  const Op *row = f->op->info->unbound;
  const Type number = { .dtype = DT_FLOAT64 };
  Infer operands = { .op = row, .params = zeros, .in = f->in, .out = f->out, .n_in = row->info->n_inputs, .n_out = 1 };
  for (int i = operands.n_in; i < f->n_in; i++) {
    if (!dtype_merge(&f->in[i].dtype, number.dtype) || !shape_merge(&f->in[i].shape, &number.shape))
      return fail("%s: expected %s, got %s", op_input_name(f->op, i), type_text(&number), type_text(&f->in[i]));
  }
  return row->infer(&operands);
}

/* ---- Gradients --------------------------------------------------------------------------- */

Status elementwise_grad_of(Gradient *d, const Op *row, const void *fields) {
  const bool bound = row->info->bound == d->node->op;
  const int n_numbers = op_bound_numbers(d->node->op), n_operands = d->node->n_in - n_numbers;
  for (int i = 0; i < n_operands; i++) {
    if (!d->wanted[i]) continue;
    const Op *backward = row->info->gradient[i];
    Entry g = d->out_grad[0], in[N_SLOTS + MAX_SCALARS];
    if (backward) {
      const char *slots = backward->elementwise->slots;
      int n = (int)strlen(slots);
      for (int k = 0; k < n; k++)
        in[k] = slots[k] == 'g' ? g : slots[k] == 'y' ? (Entry){ d->node, 0 } : d->node->in[slots[k] - 'a'];
      if (bound && backward->info->bound) {
        backward = backward->info->bound;
        for (int k = 0; k < n_numbers; k++) in[n++] = d->node->in[n_operands + k];
      }
      g = build_op_list(d->b, backward->name, backward->params ? fields : NULL, n, in);
    } else if (!row->gradient[i] || !elementwise_is_output_gradient(row->gradient[i])) {
      continue;                                    /* the gradient is zero */
    }
    d->in_grad[i] = sum_to(d->b, g, gradient_input(d, i));
  }
  return d->b->status;
}

Status elementwise_grad(Gradient *d) {
  const Op *op = d->node->op, *unbound = op->info->unbound;
  return elementwise_grad_of(d, unbound ? unbound : op, gradient_params(d));
}
