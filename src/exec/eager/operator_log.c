/* operator_log.c - see operator_log.h. */
#include "exec/eager/operator_log.h"

#include "base/memory.h"
#include "state/engine.h"
#include "ir/run_op.h"

Status operator_log_add(OperatorLog *log, const Op *op, Origin origin, int node, int n_out, Tensor **out) {
  LoggedOp *at = object_widen(log->at, log->n + 1, &log->capacity, sizeof *at);
  if (!at) return no_memory("operator log");
  log->at = at;
  *out = object_new((size_t)n_out * sizeof **out);
  if (!*out) return no_memory("operator log");
  log->at[log->n++] = (LoggedOp){ .op = op, .origin = origin, .node = node, .out = *out, .n_out = n_out };
  return OK;
}

void operator_log_drop(OperatorLog *log) { object_free(log->at[--log->n].out); }

void operator_log_free(OperatorLog *log) {
  for (int i = 0; i < log->n; i++) {
    for (int k = 0; k < log->at[i].n_out; k++) tensor_release(&log->at[i].out[k]);
    object_free(log->at[i].out);
  }
  object_free(log->at);
  *log = (OperatorLog){ 0 };
}

/* ---- Running a graph operator by operator ------------------------------------------------------ */

static Status replay_node(const Graph *g, int at, Array *const *in, const int *input, const int *note,
                          OperatorLog *log) {
  enum { FEW = 16 };
  const Node *n = g->node[at];
  const Tensor *few[FEW], **operand = few;
  size_t most = (size_t)(n->n_in + n->n_out);
  void *memory = object_new(most * (sizeof *operand + sizeof(Tensor)));
  if (!memory) return no_memory("replay");
  Tensor *out = memory;
  if (n->n_in > FEW) operand = (const Tensor **)(out + n->n_out);
  for (int k = 0; k < n->n_in; k++) {
    const Node *from = n->in[k].node;
    if (from->op) operand[k] = &log->at[note[from->at]].out[n->in[k].index];
    else operand[k] = node_is_constant(from) ? &from->value[0] : &in[input[from->at]]->t;
  }
  Tensor *results;
  Status s = operator_log_add(log, n->op, n->origin, at, n->n_out, &results);
  if (s == OK &&
      (s = run_op(n->op, n->params, operand, n->n_in, run_device(n, operand), out, n->n_out,
                  (RunMode){ .train = requested_mode_or(n->train_requested, engine_now()->mode.train) })) != OK)
    operator_log_drop(log);
  for (int k = 0; k < n->n_out && s == OK; k++) results[k] = out[k];
  object_free(memory);
  return s;
}

Status operator_log_replay(const Compiled *c, Array *const *in, OperatorLog *log) {
  const Graph *g = &c->graph;
  int *input = NULL, *note = object_new((size_t)(g->n_nodes + 1) * sizeof *note);
  if (!note) return no_memory("replay");
  Status s = graph_number_inputs(g, &input);
  run_repeat(1);
  for (int i = 0; i < g->n_nodes && s == OK; i++) {
    if (!g->node[i]->op) continue;
    note[i] = log->n;
    s = replay_node(g, i, in, input, note, log);
  }
  run_repeat(-1);
  object_free(input);
  object_free(note);
  return s;
}

Status operator_log_cut(const Compiled *c, int at, int n_kept, Compiled **out) {
  const Graph *g = &c->graph;
  NodeList also = { 0 };
  const Node *n = g->node[at];
  Entry *outputs = object_new((size_t)(n_kept + n->n_out + 1) * sizeof *outputs);
  Status s = outputs ? OK : no_memory("compiled function");
  for (int i = 0; s == OK && i < n_kept; i++) outputs[i] = g->out[i];
  for (int k = 0; s == OK && k < n->n_out; k++) outputs[n_kept + k] = (Entry){ g->node[at], k };
  for (int i = 0; s == OK && i < g->n_nodes; i++)      /* nodes that draw random numbers, or write, in order */
    if (node_effects_ever(g->node[i])) s = node_list_add(&also, g->node[i]);
  if (s == OK)
    s = compiled_new(c->name, outputs, n_kept + n->n_out, g->input, g->n_input, &also, c->most_specializations, out);
  if (s == OK && g->remat) compiled_remat(*out);
  node_list_free(&also);
  object_free(outputs);
  return s;
}
