/* loop_rows.c - loops and conditions: _foreach, _while_loop, _cond. Their gradients: loop_gradient.c.
**
** These rows are MXNet's, its parameters included: lists that say which input of a subgraph is filled by
** which input of the node. Here they are read into a Control (ir/subgraph.h), and types are inferred
** through the subgraphs; the engine of src/exec runs them.
**
** Behind the outputs that the script sees there are hidden ones, where the subgraphs need them: the random
** stream as it was before (if they draw), and copies of the inputs that they write to.
*/
#include <string.h>

#include "base/memory.h"
#include "base/math/random_stream.h"
#include "ir/node_builder.h"
#include "ir/subgraph.h"
#include "ops/control/loop_gradient.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

/* ---- What the parameters say ------------------------------------------------------------------------ */

typedef struct ForeachParams {
  int64_t num_args, num_outputs, num_out_data;
  List in_state_locs, in_data_locs, remain_locs;
  Subgraph *body;
} ForeachParams;

typedef struct WhileParams {
  int64_t num_args, num_outputs, num_out_data, max_iterations;
  List cond_input_locs, func_input_locs, func_var_locs;
  Subgraph *cond, *func;
} WhileParams;

typedef struct CondParams {
  int64_t num_args, num_outputs;
  List cond_input_locs, then_input_locs, else_input_locs;
  Subgraph *pred, *then_branch, *else_branch;
} CondParams;

static int64_t at_list(const List *l, int64_t i) { return list_ints(l)[i]; }
static int64_t length_of(const List *l) { return l->count < 0 ? 0 : l->count; }

/* Room for the tables of a Control with these subgraphs. */
static Status control_new(Control *c, int n_in, int n_states, int n_graphs, Subgraph *const *graph) {
  size_t sources = 0;
  for (int g = 0; g < n_graphs; g++) {
    if (!graph[g]) return fail("expected %d subgraphs, got none", n_graphs);
    sources += (size_t)graph[g]->graph.n_input;
  }
  c->memory = object_new((sources + 1) * sizeof(Source) + (size_t)(n_states + 1) * sizeof(int) + 3 * ((size_t)n_in + 1));
  if (!c->memory) return no_memory("subgraphs");
  Source *source = c->memory;
  for (int g = 0; g < n_graphs; g++) {
    c->graph[g] = graph[g];
    c->source[g] = source;
    source += graph[g]->graph.n_input;
  }
  c->n_graphs = n_graphs;
  c->n_in = n_in;
  c->n_states = n_states;
  c->initial = (int *)((Source *)c->memory + sources + 1);
  c->writes = (bool *)(c->initial + n_states + 1);
  c->state = c->writes + n_in + 1;
  c->carried = c->state + n_in + 1;
  return OK;
}

static Status find_effects(Control *c) {
  for (int g = 0; g < c->n_graphs; g++) {
    c->draws = c->draws || (c->graph[g]->effects[0] | c->graph[g]->effects[1]) & DRAWS;
    for (int i = 0; i < c->graph[g]->graph.n_input; i++) {
      const Source *s = &c->source[g][i];
      if (s->kind != SOURCE_INPUT && c->graph[g]->writes[i])
        return fail("the body writes in place into its %s, which is not the caller's to keep",
                    s->kind == SOURCE_ITEM ? "item" : "state");
      if (s->kind != SOURCE_INPUT) continue;
      c->state[s->index] = c->state[s->index] || c->graph[g]->state[i];
      if (!c->graph[g]->writes[i] || c->writes[s->index]) continue;
      c->writes[s->index] = true;
      c->n_writes++;
    }
  }
  return OK;
}

/* What the graphs read that make the outputs. A state is an output itself where no step is made. */
static void find_carried(Control *c) {
  for (int g = c->kind == CONTROL_FOREACH ? 0 : 1; g < c->n_graphs; g++) {
    for (int i = 0; i < c->graph[g]->graph.n_input; i++) {
      Source s = c->source[g][i];
      if (s.kind == SOURCE_STATE) c->carried[c->initial[s.index]] = true;
      else if (c->graph[g]->taped[i]) c->carried[s.index] = true;
    }
  }
}

static Status wrong_place(const char *list, int64_t got, int64_t limit) {
  return fail("%s: expected integers from 0 to %lld, got %lld", list, (long long)limit - 1, (long long)got);
}

/* Each place of the list is filled once by sources of a kind, which count from `first`. */
static Status fill_places(const Control *c, const char *name, const List *list, bool *filled, SourceKind kind,
                          int first) {
  int n = c->graph[0]->graph.n_input;
  for (int64_t i = 0; i < length_of(list); i++) {
    int64_t at = at_list(list, i);
    if (at < 0 || at >= n) return wrong_place(name, at, n);
    if (filled[at])
      return fail("%s: expected each input of the subgraph to be filled once, got %lld twice", name, (long long)at);
    filled[at] = true;
    c->source[0][at] = (Source){ kind, first + (int)i };
  }
  return OK;
}

static Status check_counts(const Control *c, int64_t num_outputs) {
  const Subgraph *body = control_body(c);
  if (c->n_stacked < 0 || c->n_states < 0 || control_outputs(c) != num_outputs)
    return fail("num_outputs: expected %d, as the parameters have it, got %lld", control_outputs(c),
                (long long)num_outputs);
  if (body->graph.n_out != num_outputs)
    return fail("num_outputs: expected %d, as many as the subgraph has, got %lld", body->graph.n_out,
                (long long)num_outputs);
  return OK;
}

static Status read_foreach(Control *c, const ForeachParams *p) {
  int64_t n_data = length_of(&p->in_data_locs), n_states = length_of(&p->in_state_locs);
  TRY(control_new(c, (int)(p->num_args - 1), (int)n_states, 1, (Subgraph *[]){ p->body }));
  c->kind = CONTROL_FOREACH;
  c->n_data = (int)n_data;
  c->n_stacked = (int)p->num_out_data;
  if (n_data == 0) return fail("in_data_locs: expected one at least, got none");
  if (c->n_in != n_data + n_states + length_of(&p->remain_locs) || c->n_in != p->body->graph.n_input)
    return fail("num_args: expected %d, as many as the lists of places and the subgraph tell, got %lld",
                p->body->graph.n_input + 1, (long long)p->num_args);
  bool *filled = object_new((size_t)c->n_in + 1);
  if (!filled) return no_memory("subgraphs");
  Status s = fill_places(c, "in_data_locs", &p->in_data_locs, filled, SOURCE_ITEM, 0);
  if (s == OK) s = fill_places(c, "in_state_locs", &p->in_state_locs, filled, SOURCE_STATE, 0);
  if (s == OK) s = fill_places(c, "remain_locs", &p->remain_locs, filled, SOURCE_INPUT, (int)(n_data + n_states));
  object_free(filled);
  TRY(s);
  for (int i = 0; i < n_states; i++) c->initial[i] = (int)n_data + i;
  return check_counts(c, p->num_outputs);
}

/* The inputs of graph g are these inputs of the node. */
static Status read_inputs(const Control *c, int g, const char *name, const List *list) {
  int n = c->graph[g]->graph.n_input;
  if (length_of(list) != n)
    return fail("%s: expected %d, one for each input of the subgraph, got %lld", name, n, (long long)length_of(list));
  for (int i = 0; i < n; i++) {
    int64_t at = at_list(list, i);
    if (at < 0 || at >= c->n_in) return wrong_place(name, at, c->n_in);
    c->source[g][i] = (Source){ SOURCE_INPUT, (int)at };
  }
  return OK;
}

/* What reads the input that a loop variable begins with reads the variable. */
static void find_variables(const Control *c) {
  for (int g = 0; g < c->n_graphs; g++)
    for (int i = 0; i < c->graph[g]->graph.n_input; i++)
      for (int s = 0; s < c->n_states; s++)
        if (c->source[g][i].kind == SOURCE_INPUT && c->source[g][i].index == c->initial[s])
          c->source[g][i] = (Source){ SOURCE_STATE, s };
}

static Status read_while(Control *c, const WhileParams *p) {
  int64_t n_states = length_of(&p->func_var_locs);
  TRY(control_new(c, (int)(p->num_args - 2), (int)n_states, 2, (Subgraph *[]){ p->cond, p->func }));
  c->kind = CONTROL_WHILE;
  c->n_stacked = (int)p->num_out_data;
  c->most = p->max_iterations;
  if (c->most < 0) return fail("max_iterations: expected 0 or more, got %lld", (long long)c->most);
  if (n_states == 0) return fail("func_var_locs: expected one at least, got none");
  TRY(read_inputs(c, 0, "cond_input_locs", &p->cond_input_locs));
  TRY(read_inputs(c, 1, "func_input_locs", &p->func_input_locs));
  for (int s = 0; s < n_states; s++) {
    int64_t at = at_list(&p->func_var_locs, s);
    if (at < 0 || at >= p->func->graph.n_input) return wrong_place("func_var_locs", at, p->func->graph.n_input);
    c->initial[s] = (int)at_list(&p->func_input_locs, at);
    for (int before = 0; before < s; before++)
      if (c->initial[before] == c->initial[s]) return fail("func_var_locs: expected a variable each, got one twice");
  }
  find_variables(c);
  return check_counts(c, p->num_outputs);
}

static Status read_cond(Control *c, const CondParams *p) {
  TRY(control_new(c, (int)(p->num_args - 3), 0, 3, (Subgraph *[]){ p->pred, p->then_branch, p->else_branch }));
  c->kind = CONTROL_CHOICE;
  c->n_states = (int)p->num_outputs;
  TRY(read_inputs(c, 0, "cond_input_locs", &p->cond_input_locs));
  TRY(read_inputs(c, 1, "then_input_locs", &p->then_input_locs));
  TRY(read_inputs(c, 2, "else_input_locs", &p->else_input_locs));
  if (p->then_branch->graph.n_out != p->else_branch->graph.n_out)
    return fail("expected as many outputs of then_func as of else_func, got %d and %d", p->then_branch->graph.n_out,
                p->else_branch->graph.n_out);
  return check_counts(c, p->num_outputs);
}

static Status read_whole(Control *c, Status s) {
  if (s == OK) s = find_effects(c);
  if (s == OK) find_carried(c);
  if (s != OK) control_free(c);
  return s;
}

static Status control_foreach(const void *params, Control *c) {
  *c = (Control){ 0 };
  return read_whole(c, read_foreach(c, params));
}

static Status control_while(const void *params, Control *c) {
  *c = (Control){ 0 };
  return read_whole(c, read_while(c, params));
}

static Status control_cond(const void *params, Control *c) {
  *c = (Control){ 0 };
  return read_whole(c, read_cond(c, params));
}

static int foreach_inputs(const Query *q) { return (int)((const ForeachParams *)q->params)->num_args - 1; }
static int while_inputs(const Query *q) { return (int)((const WhileParams *)q->params)->num_args - 2; }
static int cond_inputs(const Query *q) { return (int)((const CondParams *)q->params)->num_args - 3; }
static int foreach_visible(const Query *q) { return (int)((const ForeachParams *)q->params)->num_outputs; }
static int while_visible(const Query *q) { return (int)((const WhileParams *)q->params)->num_outputs; }
static int cond_visible(const Query *q) { return (int)((const CondParams *)q->params)->num_outputs; }

/* Hidden outputs are counted too: see above, and ir/subgraph.h about the last one. None where the parameters make no
** sense; inference says so. */
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

static bool control_writes(const Query *q, int input) {
  Control c;
  if (q->op->control(q->params, &c) != OK) return false;
  bool writes = input < c.n_in && c.writes[input];
  control_free(&c);
  return writes;
}

/* Gradients may be all that is needed: they run the iterations themselves. */
static bool control_unused(const Query *q, int output) { return q->no_gradient && output < q->op->n_visible(q); }

static bool control_state(const Query *q, int input) {
  Control c;
  if (q->op->control(q->params, &c) != OK) return false;
  bool state = input < c.n_in && c.state[input];
  control_free(&c);
  return state;
}

/* ---- Types --------------------------------------------------------------------------------------------- */

/* How many items there are, as far as known: all data have one length. */
static Status find_length(const Infer *f, const Control *c, int64_t *length) {
  *length = c->kind == CONTROL_WHILE ? c->most : UNKNOWN;
  for (int i = 0; i < c->n_data; i++) {
    const Shape *s = &f->in[i].shape;
    if (s->ndim == 0) return fail("data: expected arrays with a first axis to go over, got shape %s", shape_text(s));
    if (s->ndim < 0 || s->dim[0] == UNKNOWN) continue;
    if (*length != UNKNOWN && *length != s->dim[0])
      return fail("data: expected arrays of one length along axis 0, got %lld and %lld", (long long)*length,
                  (long long)s->dim[0]);
    *length = s->dim[0];
  }
  return OK;
}

static Type source_type(const Infer *f, const Control *c, Source s) {
  if (s.kind == SOURCE_ITEM) return row_type(&f->in[s.index]);
  return f->in[s.kind == SOURCE_STATE ? c->initial[s.index] : s.index];
}

/* What was learned of a subgraph's input, to where it comes from. */
static Status learn_source(Infer *f, const Control *c, Source s, Type *t, int64_t length) {
  Type whole;
  int at = s.kind == SOURCE_STATE ? c->initial[s.index] : s.index;
  if (s.kind == SOURCE_ITEM) {
    TRY(rows_type(t, length, &whole));
    t = &whole;
  }
  if (types_merge(&f->in[at], t)) return OK;
  return fail("%s %d: expected %s, as the body reads it, got %s",
              s.kind == SOURCE_ITEM ? "data" : s.kind == SOURCE_STATE ? "state" : "input",
                  s.kind == SOURCE_INPUT ? at : s.index, type_text(t), type_text(&f->in[at]));
}

/* Infers graph g from the node's inputs; `out` are its outputs' types. */
static Status infer_graph(Infer *f, const Control *c, int g, Type *in, Type *out, int64_t length) {
  int n = c->graph[g]->graph.n_input;
  for (int i = 0; i < n; i++) in[i] = source_type(f, c, c->source[g][i]);
  TRY(subgraph_infer(c->graph[g], in, out, f->guess));
  for (int i = 0; i < n; i++) TRY(learn_source(f, c, c->source[g][i], &in[i], length));
  return OK;
}

/* A condition is one element. */
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
  /* what a state is known to be after an iteration, it is before */
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < c->n_stacked; i++) out[i] = round ? row_type(&f->out[i]) : TYPE_UNKNOWN;
    for (int i = 0; i < c->n_states; i++) {
      Type *after = &f->out[c->n_stacked + i], *before = &f->in[c->initial[i]];
      if (!types_merge(after, before))
        return fail("state %d: expected %s, as it begins, got %s", i, type_text(before), type_text(after));
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
    if (!types_merge(&f->out[i], &whole))
      return fail("output %d: expected %s, got %s", i, type_text(&whole), type_text(&f->out[i]));
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
          return fail("output %d: expected one type from both branches, got %s from then_func and %s from else_func", i,
                      type_text(&f->out[i]), type_text(&out[i]));
    }
  }
  return OK;
}

/* Hidden outputs: the random stream, then what is written as it was, then the iterations. */
static void infer_hidden(Infer *f, const Control *c) {
  int at = control_outputs(c);
  if (c->draws) f->out[at++] = (Type){ .dtype = DT_INT64, .shape = { .ndim = 1, .dim = { sizeof(RandomState) / 8 } } };
  for (int i = 0; i < c->n_in; i++) if (c->writes[i]) f->out[at++] = f->in[i];
  f->out[at] = (Type){ .dtype = DT_FLOAT32, .shape = { .ndim = 1 } };
}

static Status infer_with(Infer *f, const Control *c) {
  int most = 0;
  for (int g = 0; g < c->n_graphs; g++) if (c->graph[g]->graph.n_input > most) most = c->graph[g]->graph.n_input;
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

/* ---- Running -------------------------------------------------------------------------------------------- */

static Status control_forward(Call *call) {
  Control c;
  TRY(call->op->control(call->params, &c));
  Status s = control_engine->forward(call, &c);
  control_free(&c);
  return s;
}

/* ---- The rows ------------------------------------------------------------------------------------------------- */

#define CONTROL .object = &subgraph_kind, .inputs = "data...", .flags = OP_INTERNAL, .n_outputs = control_outputs_all, \
                .writes = control_writes, .state = control_state, .infer = infer_control, .forward = control_forward, \
                .unused = control_unused, .grad = control_back_build

Op control_ops[] = {
  { .name = "_foreach", .doc = "A graph for each item of the data, with states from one to the next",
    .params = "num_args int - The inputs, the graph among them.\nnum_outputs int - Stacked outputs and states.\n"
              "num_out_data int - Stacked outputs.\nin_state_locs shape - The graph's inputs that are states.\n"
              "in_data_locs shape - Those that are items.\nremain_locs shape - The others.\n"
              "_body object? None The graph.\n",
    .params_size = sizeof(ForeachParams), .n_inputs = foreach_inputs, .n_visible = foreach_visible,
    .effects = foreach_effects, .control = control_foreach, .name_stem = "_foreach", CONTROL },
  { .name = "_while_loop", .doc = "A graph as long as another is true, with variables from one time to the next",
    .params = "num_args int - The inputs, the graphs among them.\nnum_outputs int - Stacked outputs and variables.\n"
              "num_out_data int - Stacked outputs.\nmax_iterations int - How often at most.\n"
              "cond_input_locs shape - The inputs that the condition reads.\n"
              "func_input_locs shape - Those that the other reads.\n"
              "func_var_locs shape - Its inputs that are the variables.\n_cond object? None The condition.\n"
              "_func object? None The other.\n",
    .params_size = sizeof(WhileParams), .n_inputs = while_inputs, .n_visible = while_visible, .effects = while_effects,
    .control = control_while, .name_stem = "_while_loop", CONTROL },
  { .name = "_cond", .doc = "One of two graphs, as a third says",
    .params = "num_args int - The inputs, the graphs among them.\nnum_outputs int - Outputs of either.\n"
              "cond_input_locs shape - The inputs that the condition reads.\n"
              "then_input_locs shape - Those that the first reads.\n"
              "else_input_locs shape - Those that the second reads.\n_pred object? None The condition.\n"
              "_then object? None The first.\n"
              "_else object? None The second.\n",
    .params_size = sizeof(CondParams), .n_inputs = cond_inputs, .n_visible = cond_visible, .effects = cond_effects,
    .control = control_cond, .name_stem = "_cond", CONTROL },
  { .name = NULL },
};
