/* executable.c - turns a planned graph into instructions, and lists all executables. run_state.c runs them. */
#include "exec/program/executable.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/linked_list.h"
#include "base/memory.h"
#include "exec/program/run_state.h"
#include "exec/program/step_rows.h"
#include "ir/run_op.h"

/* ---- All executables ---------------------------------------------------------------------------- */

/* Lock order: a thread that holds an executable's lock may wait for this one, but not the reverse. */
static pthread_mutex_t executables_lock = PTHREAD_MUTEX_INITIALIZER;
static Executable *executables;

/* Before a block is refused: frees the idle run states of all executables that no other thread has locked. */
static void give_back_idle(void) {
  if (pthread_mutex_trylock(&executables_lock) != 0) return;
  for (Executable *p = executables; p; p = p->next) run_state_reclaim_idle(p);
  pthread_mutex_unlock(&executables_lock);
}

static int64_t idle_bytes(void) {
  int64_t bytes = 0;
  pthread_mutex_lock(&executables_lock);
  for (Executable *p = executables; p; p = p->next) bytes += run_state_idle_bytes(p);
  pthread_mutex_unlock(&executables_lock);
  return bytes;
}

static const Reclaimer reclaimer = { .rank = RECLAIM_TABLES,
                                     .what = "run states of compiled calls",
                                     .why = "for the next call of the same program",
                                     .kept = idle_bytes,
                                     .give_back = give_back_idle };

static void list_executable(Executable *p) {
  memory_add_reclaimer(&reclaimer);
  pthread_mutex_lock(&executables_lock);
  LIST_ADD(executables, p);
  pthread_mutex_unlock(&executables_lock);
}

/* Removes p from the list, if listed. */
static void unlist_executable(Executable *p) {
  pthread_mutex_lock(&executables_lock);
  LIST_REMOVE(p);
  pthread_mutex_unlock(&executables_lock);
}

int executable_runs(Executable *p) {
  lock_take(p->lock);
  const int runs = p->runs;
  lock_give(p->lock);
  return runs;
}

/* Adds to the entry of that name or, if the list is full, to the last one. */
static int add_saved(SavedValues *list, int n, int most, const char *name, int runs, int64_t bytes) {
  int at = 0;
  while (at < n && strncmp(list[at].name, name, sizeof list[at].name - 1) != 0) at++;
  if (at == most) list[--at].name[0] = '\0';
  if (at == n) snprintf(list[n++].name, sizeof list->name, "%s", name);
  list[at].runs += runs;
  list[at].bytes += bytes;
  return n;
}

int executable_saved(SavedValues *list, int most) {
  int n = 0;
  memset(list, 0, (size_t)most * sizeof *list);
  pthread_mutex_lock(&executables_lock);
  for (Executable *p = executables; p; p = p->next) {
    if (p->plan.saved_bytes == 0 || !lock_try(p->lock)) continue;
    const int runs = p->runs;
    lock_give(p->lock);
    if (runs > 0) n = add_saved(list, n, most, p->name, runs, runs * (int64_t)p->plan.saved_bytes);
  }
  pthread_mutex_unlock(&executables_lock);
  return n;
}

void executable_hold_all(void) { pthread_mutex_lock(&executables_lock); }
void executable_unhold_all(void) { pthread_mutex_unlock(&executables_lock); }

/* ---- Building --------------------------------------------------------------------------------- */

static bool computes(const Executable *p, int i) {
  const Node *n = p->g.node[i];
  if (!n->op) return false;
  const Address *place = &p->plan.place[p->plan.first[i]];
  if (!place->alias) return true;
  for (int k = 1; k < n->n_out; k++)
    if (place[k].home != HOME_NOWHERE) return true;
  return false;
}

Status executable_failed_at(const Executable *p, const Instruction *code, Status s) {
  const Node *n = p->g.node[code->node];
  if (s == E_INPUT && n->origin && n->origin != n->caller) fail_append(s, " (at %s)", origin_text(n->origin));
  status_set_line(n->caller);
  return s;
}

/* Chooses the instruction's kernel; gets its plan, and finds its per-thread workspaces. */
static Status find_kernel(Executable *p, Instruction *code, const Node *n) {
  const Query q = query_of_node(n);
  Workspace w = { 0 };
  const KernelPlace place = device_place(p->device);
  code->kernel = op_kernel(n->op, place, &q);
  if (!code->kernel) return executable_failed_at(p, code, op_no_kernel(n->op, place, &q));
  Status s = kernel_workspace(code->kernel, &q, &w);
  if (s != OK) return executable_failed_at(p, code, s);
  code->plan = w.plan;
  code->plan_bytes = w.plan_bytes;
  code->threads_at = p->plan.workspace[code->node] + w.bytes;
  code->thread_bytes = w.thread_bytes;
  code->most_threads = w.most_threads;
  p->has_thread_workspace = p->has_thread_workspace || w.thread_bytes > 0;
  return OK;
}

static Status find_written(Executable *p, Instruction *code, const Node *n) {
  int *list = BUMP_ARRAY(&p->bump, n->n_in, int);
  TRY(p->bump.status);
  for (int k = 0; k < n->n_in; k++)
    if (node_writes(n, k)) list[code->n_written++] = k;
  code->written = list;
  return OK;
}

static Status write_code(Executable *p) {
  int at = 0;
  for (int i = 0; i < p->g.n_nodes; i++) {
    const Node *n = p->g.node[i];
    if (!computes(p, i)) continue;
    if (graph_part(&p->g, i) == PART_FORWARD) p->n_forward_code++;
    Instruction *code = &p->code[p->n_code++];
    *code = (Instruction){ .node = i, .first_in = at };
    if (node_effects(n) & WRITES && !step_reports_writes(n->op)) TRY(find_written(p, code, n));
    for (int k = 0; k < n->n_in; k++) p->operand[at++] = p->plan.first[n->in[k].node->at] + n->in[k].index;
    code->first_out = at;
    for (int k = 0; k < n->n_out; k++) p->operand[at++] = p->plan.first[i] + k;
    TRY(find_kernel(p, code, n));
  }
  p->n_operands = at;
  return OK;
}

static void write_bindings(Executable *p, const int *number) {
  for (int v = 0; v < p->plan.n_values; v++) {
    const Address *place = &p->plan.place[v];
    if (place->home == HOME_INPUT)
      p->input[p->n_input_bindings++] = (Binding){ v, number[place->index], place->offset };
    if (place->home == HOME_OUTPUT) p->output[p->n_output_bindings++] = (Binding){ v, place->index, place->offset };
  }
}

/* Finds the inputs and outputs of forward that backward's instructions read. */
static void find_saved(Executable *p, const int *number) {
  for (int c = p->n_forward_code; c < p->n_code; c++) {
    for (int k = p->code[c].first_in; k < p->code[c].first_out; k++) {
      const Address *place = &p->plan.place[p->operand[k]];
      if (place->home == HOME_INPUT && number[place->index] < p->g.n_forward_in)
        p->saved_input[number[place->index]] = true;
      if (place->home == HOME_OUTPUT && place->index < p->g.n_forward_out) p->saved_output[place->index] = true;
    }
  }
}

static Status allocate_tables(Executable *p) {
  int operands = 0;
  for (int i = 0; i < p->g.n_nodes; i++) operands += p->g.node[i]->n_in + p->g.node[i]->n_out;
  p->code = BUMP_ARRAY(&p->bump, p->g.n_nodes, Instruction);
  p->constant = BUMP_ARRAY(&p->bump, p->g.n_nodes, Tensor);
  p->operand = BUMP_ARRAY(&p->bump, operands, int);
  p->input = BUMP_ARRAY(&p->bump, p->plan.n_values, Binding);
  p->output = BUMP_ARRAY(&p->bump, p->plan.n_values, Binding);
  p->saved_input = BUMP_ARRAY(&p->bump, p->g.n_input, bool);
  p->saved_output = BUMP_ARRAY(&p->bump, p->g.n_out, bool);
  return p->bump.status;
}

/* Constants that are elsewhere are copied to the device. */
static Status place_constants(Executable *p) {
  for (int i = 0; i < p->g.n_nodes; i++) {
    const Node *n = p->g.node[i];
    if (!node_is_constant(n)) continue;
    if (executable_device(tensor_device(&n->value[0])) == p->device) p->constant[i] = tensor_share(&n->value[0]);
    else TRY(tensor_copy(&n->value[0], p->device, &p->constant[i]));
  }
  return OK;
}

static Status write_tables(Executable *p) {
  int *number FREED = NULL;
  TRY(allocate_tables(p));
  TRY(place_constants(p));
  TRY(graph_number_inputs(&p->g, &number));
  TRY(write_code(p));
  write_bindings(p, number);
  find_saved(p, number);
  return OK;
}

Status executable_build(Graph *g, MemoryPlan *plan, const char *name, Lock *lock, Executable **out) {
  Executable *p = object_new(sizeof *p);
  *out = NULL;
  if (!p) return no_memory("executable");
  p->bump.purpose = "executable";
  p->name = name;
  p->lock = lock;
  p->owned = true;
  p->device = g->device;
  p->g = *g;
  p->plan = *plan;
  *g = (Graph){ 0 };
  *plan = (MemoryPlan){ 0 };
  Status s = write_tables(p);
  if (s != OK) {
    executable_release(p);
    return s;
  }
  list_executable(p);
  *out = p;
  return OK;
}

static void free_unused(Executable *p) {
  if (p->owned || p->runs > 0) return;
  unlist_executable(p);
  run_state_free_idle(p);
  for (int c = 0; c < p->n_code; c++) block_free(p->code[c].plan, p->code[c].plan_bytes);
  for (int i = 0; p->constant && i < p->g.n_nodes; i++) tensor_release(&p->constant[i]);
  graph_free(&p->g);
  memory_plan_free(&p->plan);
  bump_free(&p->bump);
  object_free(p);
}

void executable_release(Executable *p) {
  if (!p) return;
  p->owned = false;
  free_unused(p);
}

void executable_end_run(Executable *p) {
  p->runs--;
  free_unused(p);
}
