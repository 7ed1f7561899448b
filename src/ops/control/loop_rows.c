/* loop_rows.c - loops and conditions: _foreach, _while_loop, _cond. Their gradients: loop_gradient.c.
**
** The rows and their parameters are MXNet's; a Control holds the parsed parameters (loop_params.h, ir/graph/subgraph.h).
** Types are inferred here through the subgraphs; the engine in src/exec runs them.
**
** Hidden outputs follow the visible ones: the random stream before the call (if the subgraphs draw), copies of mutated
** inputs, and the iterations.
*/
#include "base/memory.h"
#include "base/math/random_stream.h"
#include "ir/graph/subgraph.h"
#include "ops/common/shape_rules.h"
#include "ops/control/loop_gradient.h"
#include "ops/control/loop_params.h"
#include "ops/op_registry.h"

/* ---- Queries ------------------------------------------------------------------------------------------- */

static int foreach_inputs(const Query *q) { return (int)((const ForeachParams *)q->params)->num_args - 1; }
static int while_inputs(const Query *q) { return (int)((const WhileParams *)q->params)->num_args - 2; }
static int cond_inputs(const Query *q) { return (int)((const CondParams *)q->params)->num_args - 3; }
static int control_visible(const Query *q) { return (int)((const LoopCounts *)q->params)->num_outputs; }

/* Counts hidden outputs as well. Invalid parameters have none; inference reports them. */
static int control_outputs_all(const Query *q) {
  Control c;
  int n = q->op->n_visible(q);
  if (q->op->control(q->params, &c) != OK) return n;
  n += c.n_writes + c.draws + 1;
  control_free(&c);
  return n;
}

static unsigned effects_of(const Subgraph *g, bool train) { return g ? g->effects[train] : 0; }

static unsigned foreach_effects(const Query *q) {
  return effects_of(((const ForeachParams *)q->params)->body, q->train);
}

static unsigned while_effects(const Query *q) {
  const WhileParams *p = q->params;
  return effects_of(p->cond, q->train) | effects_of(p->func, q->train);
}

static unsigned cond_effects(const Query *q) {
  const CondParams *p = q->params;
  return effects_of(p->pred, q->train) | effects_of(p->then_branch, q->train) | effects_of(p->else_branch, q->train);
}

/* Is the input written to (`writes`), or an auxiliary state? */
static bool marked(const Query *q, int input, bool writes) {
  Control c;
  if (q->op->control(q->params, &c) != OK) return false;
  const bool is = input < c.n_in && (writes ? c.writes : c.state)[input];
  control_free(&c);
  return is;
}

static bool control_writes(const Query *q, int input) { return marked(q, input, true); }
static bool control_state(const Query *q, int input) { return marked(q, input, false); }

/* Gradients run the iterations themselves, so they do not read visible outputs. */
static bool control_unused(const Query *q, int output) { return q->no_gradient && output < q->op->n_visible(q); }

/* ---- Types --------------------------------------------------------------------------------------------- */

/* Finds the number of steps, which may be UNKNOWN: all data have the same length. */
static Status find_length(const Infer *f, const Control *c, int64_t *length) {
  *length = c->kind == CONTROL_WHILE ? c->most : UNKNOWN;
  for (int i = 0; i < c->n_data; i++) {
    const Shape *s = &f->in[i].shape;
    if (s->ndim == 0) return fail("data: expected arrays with a first axis, got shape %s", shape_text(s));
    if (s->ndim < 0 || s->dim[0] == UNKNOWN) continue;
    if (*length != UNKNOWN && *length != s->dim[0])
      return fail("data: expected arrays of one length along axis 0, got %lld and %lld (array %d)", (long long)*length,
                  (long long)s->dim[0], i + 1);
    *length = s->dim[0];
  }
  return OK;
}

static Type source_type(const Infer *f, const Control *c, Source s) {
  if (s.kind == SOURCE_ITEM) return row_type(&f->in[s.index]);
  return f->in[s.kind == SOURCE_STATE ? c->initial[s.index] : s.index];
}

/* Merges the inferred type of a subgraph's input into its source. */
static Status learn_source(Infer *f, const Control *c, Source s, Type *t, int64_t length) {
  Type whole;
  int at = s.kind == SOURCE_STATE ? c->initial[s.index] : s.index;
  if (s.kind == SOURCE_ITEM) {
    TRY(rows_type(t, length, &whole));
    t = &whole;
  }
  if (types_merge(&f->in[at], t)) return OK;
  return fail("%s %d: expected %s, which the body reads, got %s",
              s.kind == SOURCE_ITEM    ? "data"
              : s.kind == SOURCE_STATE ? "state"
                                       : "input",
              s.kind == SOURCE_INPUT ? at : s.index, type_text(t), type_text(&f->in[at]));
}

/* Infers graph g from the node's inputs; `out` has the types of its outputs. */
static Status infer_graph(Infer *f, const Control *c, int g, Type *in, Type *out, int64_t length) {
  int n = c->graph[g]->graph.n_input;
  for (int i = 0; i < n; i++) in[i] = source_type(f, c, c->source[g][i]);
  TRY(subgraph_infer(c->graph[g], in, out, f->guess));
  for (int i = 0; i < n; i++) TRY(learn_source(f, c, c->source[g][i], &in[i], length));
  return OK;
}

/* A condition has one element. */
static Status infer_truth(Infer *f, const Control *c, Type *in, const char *what) {
  Type truth = TYPE_UNKNOWN;
  if (c->graph[0]->graph.n_out != 1) return fail("%s: expected one output, got %d", what, c->graph[0]->graph.n_out);
  TRY(infer_graph(f, c, 0, in, &truth, UNKNOWN));
  if (shape_known(&truth.shape) && shape_size(&truth.shape) != 1)
    return fail("%s: expected one number, got shape %s", what, shape_text(&truth.shape));
  return OK;
}

static Status infer_loop_body(Infer *f, const Control *c, Type *in, Type *out) {
  int64_t length;
  TRY(find_length(f, c, &length));
  /* an iteration keeps the type of each state */
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < c->n_stacked; i++) out[i] = round ? row_type(&f->out[i]) : TYPE_UNKNOWN;
    for (int i = 0; i < c->n_states; i++) {
      Type *after = &f->out[c->n_stacked + i], *before = &f->in[c->initial[i]];
      if (!types_merge(after, before))
        return fail("state %d: expected its initial type %s, got %s", i, type_text(before), type_text(after));
      out[c->n_stacked + i] = round ? *after : TYPE_UNKNOWN;
    }
    TRY(infer_graph(f, c, c->kind == CONTROL_WHILE, in, out, length));
    for (int i = 0; i < c->n_states; i++)
      if (!types_merge(&f->out[c->n_stacked + i], &out[c->n_stacked + i]))
        return fail("state %d of the body: expected %s, as in the iteration before, got %s", i,
                    type_text(&f->out[c->n_stacked + i]), type_text(&out[c->n_stacked + i]));
  }
  for (int i = 0; i < c->n_stacked; i++) {
    Type whole;
    TRY(rows_type(&out[i], length, &whole));
    TRY(output_type(f, i, &whole));
  }
  return OK;
}

static Status infer_branches(Infer *f, const Control *c, Type *in, Type *out) {
  for (int round = 0; round < 2; round++) {
    for (int g = 1; g < 3; g++) {
      for (int i = 0; i < c->n_states; i++) out[i] = round ? f->out[i] : TYPE_UNKNOWN;
      TRY(infer_graph(f, c, g, in, out, UNKNOWN));
      for (int i = 0; i < c->n_states; i++)
        if (!types_merge(&f->out[i], &out[i]))
          return fail("output %d: expected the same type from both branches, got %s (then_func) and %s (else_func)", i,
                      type_text(&f->out[i]), type_text(&out[i]));
    }
  }
  return OK;
}

/* Hidden outputs: the random stream, the mutated inputs before the call, the iterations. */
static void infer_hidden(Infer *f, const Control *c) {
  int at = control_outputs(c);
  if (c->draws) f->out[at++] = (Type){ .dtype = DT_INT64, .shape = { .ndim = 1, .dim = { sizeof(RandomState) / 8 } } };
  for (int i = 0; i < c->n_in; i++)
    if (c->writes[i]) f->out[at++] = f->in[i];
  f->out[at] = (Type){ .dtype = DT_FLOAT32, .shape = { .ndim = 1 } };
}

static Status infer_with(Infer *f, const Control *c) {
  int most = 0;
  for (int g = 0; g < c->n_graphs; g++)
    if (c->graph[g]->graph.n_input > most) most = c->graph[g]->graph.n_input;
  Type *in = object_new((size_t)(most + control_outputs(c) + 1) * sizeof *in), *out = in + most;
  if (!in) return no_memory("type inference");
  Status s = OK;
  if (c->kind == CONTROL_WHILE) s = infer_truth(f, c, in, "cond");
  if (c->kind == CONTROL_CHOICE) s = infer_truth(f, c, in, "pred");
  if (s == OK) s = c->kind == CONTROL_CHOICE ? infer_branches(f, c, in, out) : infer_loop_body(f, c, in, out);
  if (s == OK) infer_hidden(f, c);
  object_free(in);
  return s;
}

static Status infer_control(Infer *f) {
  Control c;
  TRY(f->op->control(f->params, &c));
  Status s = c.n_in == f->n_in ? infer_with(f, &c) : fail("expected %d inputs, got %d", c.n_in, f->n_in);
  control_free(&c);
  return s;
}

/* ---- The rows ------------------------------------------------------------------------------------------------- */

#define CONTROL .object = &subgraph_kind, .inputs = "data...", .flags = OP_INTERNAL, .n_outputs = control_outputs_all, \
                .writes = control_writes, .state = control_state, .infer = infer_control, \
                .unused = control_unused, .grad = control_back_build

/* clang-format off */
Op control_ops[] = {
  { .name = "_foreach", .doc = "Runs a graph on each item of the data and passes states from one item to the next",
    .params = "num_args int - Number of inputs, including the graph.\n"
              "num_outputs int - Number of stacked outputs and states.\n"
              "num_out_data int - Number of stacked outputs.\nin_state_locs shape - Graph inputs that are states.\n"
              "in_data_locs shape - Graph inputs that are items.\nremain_locs shape - The other graph inputs.\n"
              "_body object? None The graph.\n",
    .params_size = sizeof(ForeachParams), .n_inputs = foreach_inputs, .n_visible = control_visible,
    .effects = foreach_effects, .control = control_foreach, .name_stem = "_foreach", CONTROL },
  { .name = "_while_loop",
    .doc = "Repeats a graph while another is true, passing variables from one iteration to the next",
    .params = "num_args int - Number of inputs, including the graphs.\n"
              "num_outputs int - Number of stacked outputs and variables.\n"
              "num_out_data int - Number of stacked outputs.\nmax_iterations int - The most iterations.\n"
              "cond_input_locs shape - Inputs that the condition reads.\n"
              "func_input_locs shape - Inputs that the body reads.\n"
              "func_var_locs shape - Inputs of the body that are variables.\n_cond object? None The condition.\n"
              "_func object? None The body.\n",
    .params_size = sizeof(WhileParams), .n_inputs = while_inputs, .n_visible = control_visible,
    .effects = while_effects, .control = control_while, .name_stem = "_while_loop", CONTROL },
  { .name = "_cond", .doc = "Runs one of two graphs, chosen by a third",
    .params = "num_args int - Number of inputs, including the graphs.\nnum_outputs int - Outputs of each branch.\n"
              "cond_input_locs shape - Inputs that the condition reads.\n"
              "then_input_locs shape - Inputs that the first branch reads.\n"
              "else_input_locs shape - Inputs that the second branch reads.\n_pred object? None The condition.\n"
              "_then object? None The first branch.\n"
              "_else object? None The second branch.\n",
    .params_size = sizeof(CondParams), .n_inputs = cond_inputs, .n_visible = control_visible, .effects = cond_effects,
    .control = control_cond, .name_stem = "_cond", CONTROL },
  { .name = NULL },
};
/* clang-format on */
