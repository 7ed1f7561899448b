/* kernel_watchers.c - see kernel_watchers.h.
**
** Times of nested calls: `inside` is the total time of the calls inside the current one. A call that begins saves the
** value of the surrounding call. So the self times of all calls add up to the time that kernels ran.
*/
#include "exec/eager/kernel_watchers.h"

#include <stdio.h>
#include <string.h>

#include "base/settings/machine.h"
#include "base/memory.h"
#include "state/engine.h"
#include "ir/run_op.h"
#include "pass/epilogue.h"
#include "tensor/count_nonfinite.h"

_Thread_local const Node *hook_node;
const KernelHook *_Atomic kernel_hook;

static _Thread_local double inside;

/* ---- The profiler ---------------------------------------------------------------------------------- */

enum { MOST_TEXT = 480 };        /* limit of texts in base/script_origin.h */

static void append(char *to, const char *between, const char *text) {
  size_t used = strlen(to);
  snprintf(to + used, MOST_TEXT - used, "%s%s", used ? between : "", text);
}

/* The name, such as "Convolution + relu + broadcast_mul", and the script lines of the operators, each once. */
static void group_texts(const Node *n, const FusionGroup *g, char *name, char *lines) {
  const Epilogue *e = epilogue_of(n);
  *name = *lines = '\0';
  if (e) append(name, "", e->op->name);
  if (e && n->origin != 0) append(lines, "", origin_text(n->origin));
  for (int m = 0; m < g->n_members; m++) {
    bool seen = g->member[m].origin == 0 || (e && g->member[m].origin == n->origin);
    for (int k = 0; k < m; k++) seen = seen || g->member[k].origin == g->member[m].origin;
    append(name, " + ", g->member[m].op->name);
    if (!seen) append(lines, " ", origin_text(g->member[m].origin));
  }
}

static double operand_bytes(const Call *call) {
  double bytes = 0;
  for (int i = 0; i < call->n_in; i++)
    if (tensor_has_data(call->in[i])) bytes += (double)tensor_bytes(call->in[i]);
  for (int i = 0; i < call->n_out; i++)
    if (tensor_has_data(call->out[i])) bytes += (double)tensor_bytes(call->out[i]);
  return bytes;
}

static void describe(Event *e, const HookedCall *w, const Call *call, int n) {
  const FusionGroup *g = w->node && w->node->op ? fusion_group_of(w->node) : NULL;
  char name[MOST_TEXT], lines[MOST_TEXT];
  e->name = call->op->name;
  e->lines = origin_text(w->node ? w->node->origin : engine_now()->mode.origin);
  e->kind = w->backward ? EVENT_BACKWARD : w->compiled ? EVENT_FORWARD : EVENT_EAGER;
  for (int i = 0; i < n; i++) {
    const Query q = query_of_call(&call[i]);
    e->bytes += operand_bytes(&call[i]);
    e->flops += op_flops(&q);
    if (q.op->form) e->form = q.op->form(&q);
  }
  if (!g) return;
  group_texts(w->node, g, name, lines);
  e->fused = true;
  e->name = origin_text(origin_of(name, 0));
  e->lines = origin_text(origin_of(lines, 0));
}

static Event measured(const HookedCall *w) {
  const double total = machine_seconds() - w->begun;
  Event e = { .begun = w->begun, .total = total, .self = total - inside, .lines = "" };
  inside = w->outer + total;
  return e;
}

/* Keeps the event, or counts it as dropped if there is no capacity left. */
static void keep_event(Event e) {
  Profile *p = &engine_now()->profile;
  Event *at = p->n < p->most ? object_widen(p->at, p->n + 1, &p->capacity, sizeof *at) : NULL;
  if (!at) {
    p->dropped++;
    return;
  }
  e.memory = memory_counters().live;
  p->at = at;
  p->at[p->n++] = e;
}

void kernel_profile_clear(void) {
  Profile *p = &engine_now()->profile;
  object_free(p->at);
  *p = (Profile){ .most = p->most };
}

void kernel_profile_begins(HookedCall *w) {
  w->outer = inside;
  inside = 0;
  if (engine_now()->hooks & HOOK_TIME) w->begun = machine_seconds();
}

void kernel_profile_ended(HookedCall *w, const char *name) {
  Event e = measured(w);
  e.kind = EVENT_CALL;
  e.name = origin_text(origin_of(name, 0));
  e.lines = origin_text(engine_now()->mode.origin);
  keep_event(e);
}

/* ---- Anomaly detection ------------------------------------------------------------------------------- */

/* Did the call write its outputs over this input? In compiled code it was another operator's output, which was checked
** already. */
static bool was_written_over(const Call *call, int input) {
  for (int k = 0; k < call->n_out; k++)
    if (tensor_at_same_place(call->out[k], call->in[input])) return true;
  return false;
}

/* Of an array on any device; if there is no memory for a copy, none are found. */
static NotFinite not_finite_of(const Tensor *t) {
  NotFinite bad = { 0, -1 };
  Tensor copy;
  const Tensor *host;
  if (tensor_on_host(t, &copy, &host) == OK) bad = tensor_not_finite(host);
  tensor_release(&copy);
  return bad;
}

/* "; its input data is not finite either" */
static void tell_inputs(const HookedCall *w, const Call *call) {
  bool known = true;
  for (int i = 0; i < call->n_in; i++) {
    const bool over = was_written_over(call, i);
    known = known && (w->compiled || !over);
    if (over || not_finite_of(call->in[i]).count == 0) continue;
    fail_append(E_INPUT, "; its input %s is not finite either", op_input_name(call->op, i));
    return;
  }
  if (known && call->n_in > 0) fail_append(E_INPUT, "; its inputs are finite");
}

static Status not_finite(const HookedCall *w, const Call *call, int output, NotFinite bad) {
  const Origin origin = w->node ? w->node->origin : engine_now()->mode.origin;
  const Op *of = w->backward ? w->node->of : call->op;
  char what[400];
  not_finite_text(call->out[output], bad, what, sizeof what);
  fail("autograd.detect_anomaly: the %s of %s%s%s: %s", w->backward ? "gradient" : "output", op_title(of),
       origin ? " at " : "", origin_text(origin), what);
  if (!w->backward) tell_inputs(w, call);
  return E_INPUT;
}

/* Only gradients must be finite, not intermediate values of backward. */
static Status check_finite(const HookedCall *w, const Call *call) {
  if (run_repeats() || (w->backward && !w->node->of)) return OK;
  const Query q = query_of_call(call);
  const int n = w->backward || !call->op->n_visible ? call->n_out : call->op->n_visible(&q);
  for (int i = 0; i < n; i++) {
    const NotFinite bad = not_finite_of(call->out[i]);
    if (bad.count > 0) return not_finite(w, call, i, bad);
  }
  return OK;
}

/* ---- The kernel hook ----------------------------------------------------------------------------------- */

static Status ended(HookedCall *w, const Call *call, int n, Status s) {
  const unsigned what = engine_now()->hooks;
  Event e = measured(w);
  if (what & HOOK_TIME && s == OK && w->begun > 0) {
    describe(&e, w, call, n);
    keep_event(e);
  }
  for (int i = 0; i < n && s == OK && what & HOOK_FINITE; i++) s = check_finite(w, &call[i]);
  return s;
}

static const KernelHook ours = { .begins = kernel_profile_begins, .ended = ended };

void kernel_watchers_open(void) { kernel_hook = &ours; }
