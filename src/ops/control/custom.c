/* custom.c - _Custom, an operator that the script defines, and its gradient: see ir/custom_operator.h. */
#include "ir/custom_operator.h"

#include "base/memory.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

static const CustomOperator *custom_of(const Query *q) { return ((const CustomParams *)q->params)->custom; }

/* Without an object, as at start-up, the row has one output. */
static int custom_visible(const Query *q) { return custom_of(q) ? custom_of(q)->n_out : 1; }
static int custom_outputs(const Query *q) { return custom_visible(q) + 1; }
static bool custom_unused(const Query *q, int output) { return q->no_gradient && output == custom_visible(q); }

static bool custom_state(const Query *q, int input) { return custom_of(q) && input >= custom_of(q)->n_args; }

static unsigned custom_effects(const Query *q) {
  return ORDERED | DRAWS | FAILS | (custom_of(q) && custom_of(q)->n_aux > 0 ? WRITES : 0);
}

/* Merges the type that Lua inferred with the one that is known. */
static Status merge(const CustomOperator *o, const char *what, int i, Type *known, Type *learned) {
  const Type before = *known;
  if (types_merge(known, learned)) return OK;
  return fail("'%s': %s %d: infer_shape and infer_type expect %s, got %s", o->op_type, what, i, type_text(learned),
              type_text(&before));
}

static Status infer_custom(Infer *f) {
  const CustomOperator *o = ((const CustomParams *)f->params)->custom;
  if (!o) return fail("op_type: expected a call of nd.Custom or sym.Custom");
  if (f->n_in != o->n_args + o->n_aux)
    return fail("'%s': expected %d inputs, got %d", o->op_type, o->n_args + o->n_aux, f->n_in);
  f->out[o->n_out] = (Type){ .dtype = DT_INT64, .shape = { .ndim = 1, .dim = { 1 } } };
  if (f->in[0].shape.ndim < 0) return OK;
  TypeList learned FREED_BY(types_free);
  TRY(types_new(&learned, f->n_in + o->n_out));
  TRY(custom_engine->infer(f, o, learned.at));
  for (int i = 0; i < f->n_in; i++) TRY(merge(o, "input", i, &f->in[i], &learned.at[i]));
  for (int i = 0; i < o->n_out; i++) TRY(merge(o, "output", i, &f->out[i], &learned.at[f->n_in + i]));
  return OK;
}

/* The gradients of the outputs, the arguments, the outputs, and the number of the Lua operator. */
static Status custom_grad(Gradient *d) {
  const CustomOperator *o = ((const CustomParams *)gradient_params(d))->custom;
  const int n_in = 2 * o->n_out + o->n_args + 1;
  Entry *in = object_new((size_t)n_in * sizeof *in), *at = in;
  if (!in) return no_memory("gradient");
  for (int i = 0; i < o->n_out; i++) *at++ = out_grad_or_zeros(d, i);
  for (int i = 0; i < o->n_args; i++) *at++ = d->node->in[i];
  for (int i = 0; i <= o->n_out; i++) *at++ = (Entry){ d->node, i };
  const Entry e = build_op_list(d->b, "_backward_Custom", &(CustomBackParams){ n_in, (CustomOperator *)o }, n_in, in);
  for (int i = 0; i < o->n_args && e.node; i++)
    if (dtype_is_float(gradient_input(d, i)->dtype)) d->in_grad[i] = entry_output(e, i);
  object_free(in);
  return d->b->status;
}

/* ---- The gradient ------------------------------------------------------------------------------------- */

static const CustomOperator *back_of(const Query *q) { return ((const CustomBackParams *)q->params)->custom; }
static int back_outputs(const Query *q) { return back_of(q) ? back_of(q)->n_args : 1; }

static Status infer_back(Infer *f) {
  const CustomOperator *o = ((const CustomBackParams *)f->params)->custom;
  for (int i = 0; i < f->n_out; i++) f->out[i] = f->in[o->n_out + i];
  return OK;
}

static unsigned back_effects(const Query *q) {
  (void)q;
  return ORDERED | DRAWS | FAILS;
}

/* clang-format off */
Op custom_ops[] = {
  { .name = "_Custom", .inputs = "data...", .flags = OP_INTERNAL | OP_VARIADIC, .object = &custom_kind,
    .doc = "Applies an operator that the script defines: hl.operator",
    .params = "num_args int 1 Number of inputs.\n"
              "op_type string? None The name with which it was registered.\n"
              "_custom object? None The operator.\n",
    .params_size = sizeof(CustomParams), .role = ROLE_CUSTOM, .n_outputs = custom_outputs, .n_visible = custom_visible,
    .unused = custom_unused, .infer = infer_custom, .effects = custom_effects, .writes = custom_state,
    .state = custom_state, .grad = custom_grad },
  { .name = "_backward_Custom", .inputs = "data...", .flags = OP_INTERNAL | OP_VARIADIC, .object = &custom_kind,
    .params = "num_args int 1 Number of inputs.\n"
              "_custom object? None The operator.\n",
    .params_size = sizeof(CustomBackParams), .n_outputs = back_outputs, .infer = infer_back, .effects = back_effects,
    .grad = gradient_is_last },
  { 0 }
};
/* clang-format on */
