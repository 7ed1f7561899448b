/* freed_tape.c - see freed_tape.h. Each line with a backward causes at most one warning. */
#include "exec/tape/freed_tape.h"

#include <stdio.h>

#include "exec/tape/inline_call.h"
#include "state/engine.h"

bool tape_holds(const Array *a) { return a->node && !inline_is_freed(array_entry(a)); }

static bool warned_of(const FreedUses *r, Origin backward) {
  for (int i = 0; i < r->n_warned; i++)
    if (r->warned[i] == backward) return true;
  return r->n_warned == MOST_FREED_USES;
}

static void warn(FreedUses *r, const FreedUse *u) {
  r->warned[r->n_warned++] = u->backward;
  fflush(stdout);
  fprintf(stderr,
          "%s%sUserWarning: an array computed%s%s is used after the backward%s%s, which freed its graph; it is "
          "treated as a constant from here on, and no gradient flows back through it. If that is intended, write "
          "x:detach() where it is carried, or autograd.record(f, {carried = \"cut\"}); retain_graph = true in that "
          "backward keeps the graph\n",
          origin_text(u->used), u->used ? ": " : "", u->made ? " at " : "", origin_text(u->made),
          u->backward ? " at " : "", origin_text(u->backward));
}

static Origin made_at(const Array *a) { return inline_value(array_entry(a)).node->origin; }

Status tape_allows_freed(Array *const *in, int n) {
  Origin backward = engine_now()->freed.latest_backward;
  for (int i = 0; i < n && engine_now()->mode.on_freed == FREED_ERROR; i++) {
    if (!in[i]->node || tape_holds(in[i])) continue;
    const Origin made = made_at(in[i]);
    return fail("autograd.record: carried: an array computed%s%s is used here, but the backward%s%s freed its graph; "
                "write x:detach() where it is carried, or pass retain_graph=true to that backward",
                made ? " at " : "", origin_text(made), backward ? " at " : "", origin_text(backward));
  }
  return OK;
}

void tape_note_freed(Array *const *in, int n, uint64_t order, uint64_t n_orders) {
  Engine *e = engine_now();
  FreedUses *r = &e->freed;
  if (e->mode.on_freed != FREED_WARN || warned_of(r, r->latest_backward)) return;
  for (int i = 0; i < n; i++) {
    if (!in[i]->node || tape_holds(in[i])) continue;
    r->use[r->n_uses++ % MOST_FREED_USES] = (FreedUse){ .order = order,
                                                        .n_orders = n_orders,
                                                        .made = made_at(in[i]),
                                                        .used = e->mode.origin,
                                                        .backward = r->latest_backward };
    return;
  }
}

void freed_tape_warn(const NodeList *nodes) {
  FreedUses *r = &engine_now()->freed;
  const unsigned n = r->n_uses < MOST_FREED_USES ? r->n_uses : MOST_FREED_USES;
  for (unsigned k = 0; k < n; k++) {
    const FreedUse *u = &r->use[k];
    for (int i = 0; i < nodes->n && !warned_of(r, u->backward); i++)
      if (nodes->at[i]->order - u->order < u->n_orders) warn(r, u);
  }
}
