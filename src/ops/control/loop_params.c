/* loop_params.c - see loop_params.h. */
#include "ops/control/loop_params.h"

#include "base/memory.h"

static int64_t at_list(const List *l, int64_t i) { return list_ints(l)[i]; }
static int64_t length_of(const List *l) { return l->count < 0 ? 0 : l->count; }

/* Initializes a Control with these subgraphs, and allocates its tables. */
static Status control_new(Control *c, int n_in, int n_states, int n_graphs, Subgraph *const *graph) {
  size_t sources = 0;
  *c = (Control){ 0 };
  for (int g = 0; g < n_graphs; g++) {
    if (!graph[g]) return fail("expected %d subgraphs, got none", n_graphs);
    sources += (size_t)graph[g]->graph.n_input;
  }
  c->memory = object_new((sources + 1) * sizeof(Source) + (size_t)(n_states + 1) * sizeof(int) +
                         3 * ((size_t)n_in + 1));
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
        return fail("the body writes in place into its %s, which the caller does not own",
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

/* Marks the inputs that the graphs of the outputs read. With zero steps, an initial state is itself an output. */
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

/* Sets the source of each listed input to this kind, numbered from `first`; fails if a source is set already. */
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
    return fail("num_outputs: expected %d, as in the parameters, got %lld", control_outputs(c), (long long)num_outputs);
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
  if (n_data == 0) return fail("in_data_locs: expected at least one, got none");
  if (c->n_in != n_data + n_states + length_of(&p->remain_locs) || c->n_in != p->body->graph.n_input)
    return fail("num_args: expected %d, to match the lists and the subgraph, got %lld", p->body->graph.n_input + 1,
                (long long)p->num_args);
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

/* Connects the inputs of graph g to the node's inputs in the list. */
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

/* Replaces each source that is a loop variable's initial value by that variable. */
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
  if (n_states == 0) return fail("func_var_locs: expected at least one, got none");
  TRY(read_inputs(c, 0, "cond_input_locs", &p->cond_input_locs));
  TRY(read_inputs(c, 1, "func_input_locs", &p->func_input_locs));
  for (int s = 0; s < n_states; s++) {
    int64_t at = at_list(&p->func_var_locs, s);
    if (at < 0 || at >= p->func->graph.n_input) return wrong_place("func_var_locs", at, p->func->graph.n_input);
    c->initial[s] = (int)at_list(&p->func_input_locs, at);
    for (int before = 0; before < s; before++)
      if (c->initial[before] == c->initial[s]) return fail("func_var_locs: expected distinct variables, got one twice");
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
    return fail("expected the same number of outputs from then_func and else_func, got %d and %d",
                p->then_branch->graph.n_out, p->else_branch->graph.n_out);
  return check_counts(c, p->num_outputs);
}

static Status read_whole(Control *c, Status s) {
  if (s == OK) s = find_effects(c);
  if (s == OK) find_carried(c);
  if (s != OK) control_free(c);
  return s;
}

Status control_foreach(const void *params, Control *c) { return read_whole(c, read_foreach(c, params)); }
Status control_while(const void *params, Control *c) { return read_whole(c, read_while(c, params)); }
Status control_cond(const void *params, Control *c) { return read_whole(c, read_cond(c, params)); }
