/* operator_log.c - see operator_log.h. */
#include "exec/eager/operator_log.h"

#include "base/bump.h"
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
  const Node *n = g->node[at];
  BUMP(bump, "replay");
  const Tensor **operand = BUMP_ARRAY(&bump, n->n_in, const Tensor *);
  Tensor *out = BUMP_ARRAY(&bump, n->n_out, Tensor), *results;
  TRY(bump.status);
  for (int k = 0; k < n->n_in; k++) {
    const Node *from = n->in[k].node;
    if (from->op) operand[k] = &log->at[note[from->at]].out[n->in[k].index];
    else operand[k] = node_is_constant(from) ? &from->value[0] : &in[input[from->at]]->t;
  }
  TRY(operator_log_add(log, n->op, n->origin, at, n->n_out, &results));
  Status s = run_op(n->op, n->params, operand, n->n_in, run_device(n, operand), out, n->n_out,
                    (RunMode){ .train = requested_mode_or(n->train_requested, engine_now()->mode.train) });
  if (s != OK) operator_log_drop(log);
  for (int k = 0; k < n->n_out && s == OK; k++) results[k] = out[k];
  return s;
}

Status operator_log_replay(const Compiled *c, Array *const *in, OperatorLog *log) {
  const Graph *g = &c->graph;
  int *input FREED = NULL, *note FREED = object_new((size_t)(g->n_nodes + 1) * sizeof *note);
  if (!note) return no_memory("replay");
  Status s = graph_number_inputs(g, &input);
  run_repeat(1);
  for (int i = 0; i < g->n_nodes && s == OK; i++) {
    if (!g->node[i]->op) continue;
    note[i] = log->n;
    s = replay_node(g, i, in, input, note, log);
  }
  run_repeat(-1);
  return s;
}

Status operator_log_cut(const Compiled *c, int at, int n_kept, Compiled **out) {
  const Graph *g = &c->graph;
  NodeList also FREED_BY(node_list_free) = { 0 };
  const int n_out = n_kept + g->node[at]->n_out;
  Entry *outputs FREED = object_new((size_t)(n_out + 1) * sizeof *outputs);
  if (!outputs) return no_memory("compiled function");
  for (int i = 0; i < n_kept; i++) outputs[i] = g->out[i];
  for (int i = n_kept; i < n_out; i++) outputs[i] = (Entry){ g->node[at], i - n_kept };
  for (int i = 0; i < g->n_nodes; i++)      /* nodes that draw random numbers or write, in order */
    if (node_effects_ever(g->node[i])) TRY(node_list_add(&also, g->node[i]));
  TRY(compiled_new(c->name, outputs, n_out, g->input, g->n_input, &also, c->most_specializations, out));
  if (g->remat) compiled_remat(*out);
  return OK;
}
