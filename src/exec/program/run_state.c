/* run_state.c - run states, and running the instructions of an executable.
**
** Invariant: every pointer in a run state's calls points into its value table. So a run only binds the data of inputs
** and outputs and executes the instructions. Values and workspaces in arenas are bound again only if the arenas differ
** from those of the previous run.
*/
#include "exec/program/run_state.h"

#include <string.h>

#include "base/settings/debug_switches.h"
#include "base/memory.h"
#include "base/threads/parallel_for.h"
#include "exec/program/step_rows.h"
#include "ir/run_op.h"

enum { MOST_IDLE = 4 };

static _Thread_local const Lock *held;       /* the lock that this thread holds while it makes a run state */

/* ---- Making them --------------------------------------------------------------------------------- */

static void leave_arena(RunState *w, ArenaKind kind) {
  if (w->arena[kind]) arena_give_back(w->arena[kind]);
  w->arena[kind] = NULL;
}

static void run_state_free(RunState *w) {
  for (ArenaKind k = 0; k < N_ARENA_KINDS; k++) leave_arena(w, k);
  block_free(w->thread_workspace, w->thread_workspace_bytes);
  bump_free(&w->bump);
  object_free(w);
}

static void bind_constants(RunState *w) {
  const Executable *p = w->executable;
  for (int i = 0; i < p->g.n_nodes; i++) {
    const Node *n = p->g.node[i];
    for (int k = 0; k < n->n_out; k++) {
      int v = p->plan.first[i] + k;
      const Address *place = &p->plan.place[v];
      w->value[v].type = n->type[k];
      if (place->home == HOME_CONSTANT) w->value[v].data = (char *)p->constant[place->index].data + place->offset;
    }
  }
}

static void make_calls(RunState *w) {
  const Executable *p = w->executable;
  for (int c = 0; c < p->n_code; c++) {
    const Instruction *code = &p->code[c];
    const Node *n = p->g.node[code->node];
    for (int k = 0; k < n->n_in; k++) w->in[code->first_in + k] = &w->value[p->operand[code->first_in + k]];
    for (int k = 0; k < n->n_out; k++) w->out[code->first_out + k] = &w->value[p->operand[code->first_out + k]];
    w->call[c] = (Call){ .op = n->op,
                         .kernel = code->kernel,
                         .params = n->params->fields,
                         .in = &w->in[code->first_in],
                         .out = &w->out[code->first_out],
                         .n_in = n->n_in,
                         .n_out = n->n_out,
                         .train = n->train,
                         .plan = code->plan,
                         .thread_bytes = code->thread_bytes };
  }
}

static Status run_state_new(Executable *p, RunState **out) {
  RunState *w = object_new(sizeof *w);
  if (!w) return no_memory("run state");
  const int ends = p->g.n_input + p->g.n_out;
  w->executable = p;
  w->bump.purpose = "run state";
  w->value = BUMP_ARRAY(&w->bump, p->plan.n_values, Tensor);
  w->call = BUMP_ARRAY(&w->bump, p->n_code, Call);
  w->in = BUMP_ARRAY(&w->bump, p->n_operands, const Tensor *);
  w->out = BUMP_ARRAY(&w->bump, p->n_operands, Tensor *);
  w->held = BUMP_ARRAY(&w->bump, ends, Tensor);
  w->version = BUMP_ARRAY(&w->bump, ends, uint32_t);
  w->target = BUMP_ARRAY(&w->bump, p->g.n_forward_out, Tensor *);
  if (w->bump.status != OK) {
    const Status s = w->bump.status;
    run_state_free(w);
    return s;
  }
  bind_constants(w);
  make_calls(w);
  *out = w;
  return OK;
}

/* ---- Taking and putting back ----------------------------------------------------------------------- */

Status run_state_take(Executable *p, RunState **out) {
  if (p->idle) {
    *out = p->idle;
    p->idle = p->idle->next;
    p->n_idle--;
  } else {
    held = p->lock;
    Status s = run_state_new(p, out);
    held = NULL;
    if (s != OK) return s;
  }
  p->runs++;
  return OK;
}

void run_state_put_back(RunState *w) {
  Executable *p = w->executable;
  int n = p->g.n_input + p->g.n_out;
  for (int i = 0; i < n; i++)
    if (w->held[i].storage) tensor_release(&w->held[i]);
  leave_arena(w, ARENA_SAVED);
  if (p->n_idle < MOST_IDLE) {
    w->next = p->idle;
    p->idle = w;
    p->n_idle++;
  } else {
    run_state_free(w);
  }
  executable_end_run(p);
}

void run_state_give_back(RunState *w) {
  Lock *lock = w->executable->lock;
  lock_take(lock);
  run_state_put_back(w);
  lock_give(lock);
}

void run_state_free_idle(Executable *p) {
  while (p->idle) {
    RunState *w = p->idle;
    p->idle = w->next;
    run_state_free(w);
  }
  p->n_idle = 0;
}

void run_state_reclaim_idle(Executable *p) {
  const bool mine = p->lock == held;
  if (!mine && !lock_try(p->lock)) return;
  run_state_free_idle(p);
  if (!mine) lock_give(p->lock);
}

int64_t run_state_idle_bytes(Executable *p) {
  int64_t bytes = 0;
  if (!lock_try(p->lock)) return 0;
  for (const RunState *w = p->idle; w; w = w->next) bytes += (int64_t)w->thread_workspace_bytes;
  lock_give(p->lock);
  return bytes;
}

/* ---- Running --------------------------------------------------------------------------------------- */

static int threads_of(const Instruction *code, int n) { return n < code->most_threads ? n : code->most_threads; }

/* ---- Arenas ---------------------------------------------------------------------------------------- */

/* Points the values and workspaces of an arena into its memory. */
static __attribute__((noinline)) void bind_arena(RunState *w, ArenaKind kind, char *memory) {
  const Executable *p = w->executable;
  const Home home = kind == ARENA_SAVED ? HOME_SAVED : HOME_ARENA;
  w->bound[kind] = memory;
  for (int v = 0; v < p->plan.n_values; v++)
    if (p->plan.place[v].home == home) w->value[v].data = memory + p->plan.place[v].offset;
  if (kind == ARENA_SAVED) return;
  for (int c = 0; c < p->n_code; c++)
    if (p->code[c].kernel->workspace) w->call[c].workspace = memory + p->plan.workspace[p->code[c].node];
  w->n_threads = 0;                      /* find_thread_workspace binds per-thread ones */
}

static Status take_arena(RunState *w, ArenaKind kind, size_t bytes) {
  if (bytes == 0) return OK;
  TRY(arena_take(kind, w->executable->device, bytes, &w->arena[kind]));
  char *memory = w->arena[kind]->memory;
  if (__builtin_expect(memory != w->bound[kind], 0)) bind_arena(w, kind, memory);
  if (__builtin_expect(debug.poison, 0) && device_is_host(w->executable->device)) debug_poison(memory, bytes);
  return OK;
}

/* Allocates per-thread workspaces outside the arena. */
static Status make_thread_workspace(RunState *w, int n) {
  const Executable *p = w->executable;
  size_t bytes = 0;
  void *workspace = NULL;
  for (int c = 0; c < p->n_code; c++) {
    const size_t needed = p->code[c].thread_bytes * (size_t)threads_of(&p->code[c], n);
    if (needed > bytes) bytes = needed;
  }
  TRY(block_new(bytes, &workspace));
  block_free(w->thread_workspace, w->thread_workspace_bytes);
  w->thread_workspace = workspace;
  w->thread_workspace_bytes = bytes;
  return OK;
}

/* Finds the per-thread workspaces for the current number of threads, which scripts may change at any time. */
static Status find_thread_workspace(RunState *w) {
  const Executable *p = w->executable;
  const int n = parallel_threads();
  if (!p->has_thread_workspace || n == w->n_threads) return OK;
  const bool planned = n <= p->plan.threads;
  if (!planned) TRY(make_thread_workspace(w, n));
  w->n_threads = n;
  for (int c = 0; c < p->n_code; c++) {
    const Instruction *code = &p->code[c];
    if (code->thread_bytes > 0)
      w->call[c].thread_workspace = planned ? w->bound[ARENA_RUNNING] + code->threads_at : w->thread_workspace;
  }
  return OK;
}

/* Poisons the values that no instruction after c reads. */
static void poison_dead(RunState *w, int c) {
  const Executable *p = w->executable;
  if (!device_is_host(p->device)) return;
  int from = p->code[c].node, to = c + 1 < p->n_code ? p->code[c + 1].node : p->g.n_nodes;
  for (int v = 0; v < p->plan.n_values; v++)
    if (p->plan.until[v] >= from && p->plan.until[v] < to) debug_poison(w->value[v].data, tensor_bytes(&w->value[v]));
}

/* For tests: flips the last bit of a result's first element. */
static void make_wrong(const Call *call) {
  if (strcmp(call->op->name, debug.wrong) == 0) tensor_flip_bit(call->out[0]);
}

static void note_writes(const RunState *w, int c) {
  const Instruction *code = &w->executable->code[c];
  const Call *call = &w->call[c];
  const Origin where = w->executable->g.node[code->node]->origin;
  for (int i = 0; i < code->n_written; i++) tensor_written((Tensor *)call->in[code->written[i]], where);
  if (call->op->role == ROLE_UPDATE) step_run_updated();
}

static inline Status run_one(const RunState *w, int c) {
  const Instruction *code = &w->executable->code[c];
  Call *call = &w->call[c];
  return code->thread_bytes == 0 ? call->kernel->run(call) : run_limited(call, threads_of(code, w->n_threads));
}

static __attribute__((cold, noinline)) Status run_hooked(const RunState *w, int c) {
  const Executable *p = w->executable;
  const int at = p->code[c].node;
  HookedCall seen = { .node = p->g.node[at], .compiled = true, .backward = graph_part(&p->g, at) == PART_BACKWARD };
  kernel_hook->begins(&seen);
  Status s = run_one(w, c);
  if (s != OK) s = executable_failed_at(p, &p->code[c], s);
  else if (w->call[c].op->role == ROLE_UPDATE) step_run_updated();
  return kernel_hook->ended(&seen, &w->call[c], 1, s);
}

/* Ends a run at instruction c. If the optimizer has counted an update, which has not been performed, performs it: then
** the state is the one after that line. It cannot fail, and its operands are inputs of the graph. */
static __attribute__((cold, noinline)) Status stop_at(const RunState *w, int c, Status s) {
  const Executable *p = w->executable;
  const StepRun *run = step_run();
  for (; run && run->pending && c < p->n_code; c++) {
    if (w->call[c].op->role != ROLE_UPDATE) continue;
    run_one(w, c);
    note_writes(w, c);
  }
  return s;
}

static Status run_code(RunState *w, int first, int last) {
  const Executable *p = w->executable;
  const bool hooked = __builtin_expect(engine_now()->hooks, 0);
  for (int c = first; c < last; c++) {
    Call *call = &w->call[c];
    if (interrupted()) return stop_at(w, c, interrupt_status());
    Status s = run_instruction_may_fail();
    if (s == OK) s = hooked ? run_hooked(w, c) : run_one(w, c);
    if (__builtin_expect(s != OK, 0)) return stop_at(w, c, hooked ? s : executable_failed_at(p, &p->code[c], s));
    if (__builtin_expect(debug.wrong[0], 0)) make_wrong(call);
    if (p->code[c].n_written > 0) note_writes(w, c);
    if (__builtin_expect(debug.poison, 0)) poison_dead(w, c);
  }
  return OK;
}

static Status run_in_arena(RunState *w, int first, int last) {
  TRY(run_memory_may_fail());
  TRY(take_arena(w, ARENA_RUNNING, w->executable->plan.arena_bytes));
  Status s = find_thread_workspace(w);
  if (s == OK) s = run_code(w, first, last);
  leave_arena(w, ARENA_RUNNING);
  return s;
}

static void bind_inputs(RunState *w, int first, int last, const Tensor *const *in) {
  const Executable *p = w->executable;
  for (int i = 0; i < p->n_input_bindings; i++) {
    const Binding *b = &p->input[i];
    if (b->index < first || b->index >= last) continue;
    w->value[b->value].data = (char *)in[b->index - first]->data + b->offset;
    w->value[b->value].storage = in[b->index - first]->storage;
  }
}

static void bind_outputs(RunState *w, int first, int last, Tensor *const *out) {
  const Executable *p = w->executable;
  for (int i = 0; i < p->n_output_bindings; i++) {
    const Binding *b = &p->output[i];
    if (b->index < first || b->index >= last) continue;
    w->value[b->value].data = (char *)out[b->index - first]->data + b->offset;
  }
}

static void hold(RunState *w, const Tensor *const *in, const Tensor *out) {
  const Executable *p = w->executable;
  for (int i = 0; i < p->g.n_forward_in; i++) {
    if (!p->saved_input[i]) continue;
    w->held[i] = tensor_share(in[i]);
    w->version[i] = tensor_version(in[i]);
  }
  for (int i = 0; i < p->g.n_forward_out; i++) {
    if (!p->saved_output[i]) continue;
    w->held[p->g.n_input + i] = tensor_share(&out[i]);
    w->version[p->g.n_input + i] = tensor_version(&out[i]);
  }
}

Status run_state_forward(RunState *w, const Tensor *const *in, Device device, Tensor *out, bool keep) {
  const Executable *p = w->executable;
  Status s = OK;
  int made = 0;
  for (; made < p->g.n_forward_out && s == OK; made++) {
    s = tensor_new(entry_type(p->g.out[made]), device, &out[made]);
    w->target[made] = &out[made];
  }
  if (s == OK) s = take_arena(w, ARENA_SAVED, p->plan.saved_bytes);
  if (s == OK) {
    bind_inputs(w, 0, p->g.n_forward_in, in);
    bind_outputs(w, 0, p->g.n_forward_out, w->target);
    s = run_in_arena(w, 0, p->n_forward_code);
  }
  if (s != OK)
    for (int i = 0; i < made; i++) tensor_release(&out[i]);
  else if (keep) hold(w, in, out);
  return s;
}

static Status check_unwritten(const RunState *w) {
  const Executable *p = w->executable;
  for (int i = 0; i < p->g.n_input + p->g.n_forward_out; i++) {
    const Tensor *t = &w->held[i];
    if (!t->storage || tensor_version(t) == w->version[i]) continue;
    bool input = i < p->g.n_input;
    const char *name = input && p->g.input[i]->name ? p->g.input[i]->name : "its output";
    Origin where = t->storage->written_at;
    return fail("backward: %s%s of a compiled call was overwritten in place%s%s after forward read it; "
                "copy it first, or write elsewhere",
                input ? "input " : "", name, where ? " at " : "", origin_text(where));
  }
  return OK;
}

Status run_state_backward(RunState *w, const Tensor *const *heads, Tensor *const *out) {
  const Executable *p = w->executable;
  TRY(check_unwritten(w));
  bind_inputs(w, p->g.n_forward_in, p->g.n_input, heads);
  bind_outputs(w, p->g.n_forward_out, p->g.n_out, out);
  return run_in_arena(w, p->n_forward_code, p->n_code);
}
