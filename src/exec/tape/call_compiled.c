/* call_compiled.c - see call_compiled.h. */
#include "exec/tape/call_compiled.h"

#include "base/settings/fault_injection.h"
#include "base/memory.h"
#include "exec/eager/kernel_watchers.h"
#include "exec/lazy_port.h"
#include "state/engine.h"
#include "exec/tape/inline_call.h"
#include "exec/tape/recorded_call.h"
#include "exec/tape/step_call.h"
#include "exec/tape_port.h"

/* Runs the executable. An output is a result of it (root) or a view of a result or of an input. */
static Status run(const Specialization *spec, RunState *w, const Tensor *const *in, Device device, int n_out,
                  Array *out) {
  enum { FEW = 32 };
  Tensor few[FEW], *root = few;
  if (spec->n_roots > FEW && !(root = object_new((size_t)spec->n_roots * sizeof *root)))
    return no_memory("compiled call");
  Status s = run_state_forward(w, in, device, root, spec->taped);
  for (int i = 0; s == OK && i < n_out; i++) {
    const Output *o = &spec->output[i];
    if (spec->direct) out[i] = (Array){ .t = root[i] };
    else out[i] = (Array){ .t = tensor_view(o->input >= 0 ? in[o->input] : &root[o->root], &o->type, o->offset) };
  }
  for (int i = 0; s == OK && !spec->direct && i < spec->n_roots; i++) tensor_release(&root[i]);
  if (root != few) object_free(root);
  return s;
}

/* The list 0, 1, ... n - 1. */
static int *list_numbers(int n) {
  int *list = object_new((size_t)n * sizeof *list);
  for (int i = 0; list && i < n; i++) list[i] = i;
  return list;
}

/* Sets *same to a list with, for each input, the first input that is the same value of the tape; leaves it NULL if all
** differ. Every recorded call runs this, so few inputs need no allocation. */
static Status find_repeated(Array *const *in, const bool *wanted, int n, int **same) {
  enum { FEW = 128 };
  int few[FEW] = { 0 }, *slot = few;         /* by hash: 1 + the first input with that value */
  uint32_t slots = FEW;
  while (slots < 2 * (uint32_t)n) slots *= 2;
  if (slots > FEW && !(slot = object_new(slots * sizeof *slot))) return no_memory("compiled call");
  Status s = OK;
  for (int i = 0; i < n && s == OK && !HL_FAULT_IS(twice); i++) {
    if (!wanted[i]) continue;
    const Entry e = inline_value(array_entry(in[i]));
    uint32_t at = (uint32_t)((uint64_t)(uintptr_t)e.node * 0x9E3779B97F4A7C15u >> 32) & (slots - 1);
    while (slot[at] && !entry_equal(inline_value(array_entry(in[slot[at] - 1])), e)) at = (at + 1) & (slots - 1);
    if (!slot[at]) {
      slot[at] = i + 1;
      continue;
    }
    if (!*same && !(*same = list_numbers(n))) s = no_memory("compiled call");
    else (*same)[i] = slot[at] - 1;
  }
  if (slot != few) object_free(slot);
  return s;
}

/* The operands of one call. */
typedef struct CallOperands {
  Array *const *in;
  const Tensor *const *tensors;
  Device device;
  StepHost *host;
  Array *out;
} CallOperands;

static Status run_on_tape(Compiled *c, Specialization *spec, RunState **w, const CallOperands *o) {
  Tensor *state = NULL;
  const MutatedInputs *mutated = compiled_mutated(c, spec->mode);
  const RandomState random = engine_now()->random;
  const int n_out = c->graph.n_out;
  if (c->has_steps) TRY(step_call_first(c, o->host));
  Status s = spec->taped ? recorded_call_copy_states(mutated, o->in, &state) : OK;
  if (s == OK) s = run(spec, *w, o->tensors, o->device, n_out, o->out);
  if (s == OK && spec->taped) {
    s = recorded_call_put_on_tape(c, spec, o->in, o->device, random, w, &state, o->out);
    if (s != OK) {
      recorded_call_put_states_back(mutated, o->in, state);
      array_release_all(o->out, n_out);
    }
  }
  if (state) recorded_call_free_states(mutated, state);
  return s;
}

/* Runs an executable that performs the training steps of the call. */
static Status run_steps(const Compiled *c, Specialization *spec, RunState *w, const CallKind *kind,
                        const CallOperands *o) {
  StepCall call;
  TRY(step_call_begin(c, spec, o->in, o->host, kind->update, &call));
  const Status s = run(spec, w, call.in, o->device, c->graph.n_out, o->out);
  step_call_end(&call, c, spec, s == OK ? o->out : NULL);
  return s;
}

static Status call_with(Compiled *c, const CallKind *kind, const CallOperands *o) {
  Specialization *spec;
  RunState *w;
  const MutatedInputs *mutated = compiled_mutated(c, kind->mode);
  for (int k = 0; k < mutated->n; k++) TRY(lazy_before_write(&o->in[mutated->input[k]]->t));
  TRY(compiled_begin(c, kind, &spec, &w));
  const Status s = spec->steps ? run_steps(c, spec, w, kind, o) : run_on_tape(c, spec, &w, o);
  compiled_end(c, spec, w);
  return s;
}

static __attribute__((cold, noinline)) Status call_profiled(Compiled *c, const CallKind *kind, const CallOperands *o) {
  HookedCall w = { .compiled = true };
  kernel_profile_begins(&w);
  Status s = call_with(c, kind, o);
  kernel_profile_ended(&w, c->name);
  return s;
}

static __attribute__((cold, noinline)) Status elsewhere(const Compiled *c, Array *const *in, int at) {
  const char *first = c->graph.input[0]->name, *other = c->graph.input[at]->name;
  return fail("%s: expected all arrays, parameters and captured ones too, in one context, got %s in %s and %s in %s; "
              "write x:as_in_context(ctx) before the call",
              c->name, first ? first : "the first", device_text(tensor_device(&in[0]->t)), other ? other : "another",
              device_text(tensor_device(&in[at]->t)));
}

/* Clears wanted[] of inputs whose tape was freed; *any: some are still wanted. */
static Status cut_freed(Array *const *in, int n, bool *wanted, bool *any) {
  bool any_freed = false;
  *any = false;
  for (int i = 0; i < n; i++) {
    if (!wanted[i]) continue;
    wanted[i] = tape_holds(in[i]);
    *any = *any || wanted[i];
    any_freed = any_freed || !wanted[i];
  }
  return *any && any_freed ? tape_allows_freed(in, n) : OK;
}

Status call_compiled(Compiled *c, Array *const *in, Device device, StepHost *host, Array *out) {
  enum { FEW = 32, FEW_UPDATES = 4 };
  Type few_types[FEW], *types = few_types;
  const Tensor *few_in[FEW], **tensors = few_in;
  uint8_t few_req[FEW], *req = few_req;
  bool few_wanted[FEW], *wanted = few_wanted, on_tape = false;
  int n_in = c->graph.n_input, other = 0, *same = NULL;
  if (n_in > 0) device = tensor_device(&in[0]->t);
  void *memory = NULL;
  if (n_in > FEW) {
    memory = object_new((size_t)n_in * (sizeof *types + sizeof *tensors + sizeof *wanted + sizeof *req));
    if (!memory) return no_memory("compiled call");
    types = memory;
    tensors = (const Tensor **)(types + n_in);
    wanted = (bool *)(tensors + n_in);
    req = (uint8_t *)(wanted + n_in);
  }
  for (int i = 0; i < n_in; i++) {
    tensors[i] = &in[i]->t;
    types[i] = in[i]->t.type;
    wanted[i] = in[i]->node != NULL;
    on_tape = on_tape || wanted[i];
    if (tensor_device(tensors[i]) != device) other = i;
  }
  bool record = on_tape && (engine_now()->mode.recording || c->records);
  Status s = other ? elsewhere(c, in, other) : record ? lazy_before_record() : OK;
  if (s == OK && record) s = cut_freed(in, n_in, wanted, &record);
  if (s == OK && record) s = find_repeated(in, wanted, n_in, &same);
  const Engine *e = engine_now();
  unsigned mode = (e->mode.train ? CALL_TRAINS : 0) | (record ? CALL_RECORDED : 0) |
                  (record && e->mode.recording ? CALL_RECORDING : 0) | (e->hooks & HOOK_FINITE ? CALL_HOOKED : 0) |
                  (device_is_host(device) ? 0 : CALL_ELSEWHERE);
  StepUpdate few_updates[FEW_UPDATES], *update = few_updates;
  if (c->has_steps && s == OK && step_call_fits(in, n_in, wanted, mode, req)) {
    mode |= CALL_STEPS;
    if (c->n_updates > FEW_UPDATES && !(update = object_new((size_t)c->n_updates * sizeof *update)))
      s = no_memory("compiled call");
    else s = step_call_updates(c, host, in, update);
  }
  CallKind kind = {
    .type = types, .wanted = wanted, .same = same, .req = req, .update = update, .mode = mode, .device = device
  };
  const CallOperands o = { .in = in, .tensors = tensors, .device = device, .host = host, .out = out };
  if (s == OK) s = profile_wanted() ? call_profiled(c, &kind, &o) : call_with(c, &kind, &o);
  if (update != few_updates) object_free(update);
  object_free(same);
  object_free(memory);
  return s;
}
