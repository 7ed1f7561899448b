/* carried.c - see carried.h. Of each line of a backward one warning is enough. */
#include "exec/carried.h"

#include <stdio.h>

#include "exec/apart.h"
#include "exec/eager.h"

void carried_backward(Origin where) { eager_running()->latest_backward = where; }

bool carried_taped(const Array *a) { return a->node && !apart_is_let_go(array_entry(a)); }

static bool warned_of(Origin backward) {
  Running *r = eager_running();
  for (int i = 0; i < r->n_warned; i++) if (r->warned[i] == backward) return true;
  if (r->n_warned == MOST_CARRIED) return true;
  r->warned[r->n_warned++] = backward;
  return false;
}

static void warn(Origin made, Origin backward) {
  if (warned_of(backward)) return;
  fflush(stdout);
  fprintf(stderr, "%s%sUserWarning: an array computed%s%s is carried over the backward%s%s, which let its tape go: it "
          "is a constant from here on, and no gradient flows back through it. Write x:detach() where it is carried, or "
          "autograd.record(f, {carried = \"cut\"}), if that is meant; retain_graph = true in backward keeps the tape\n",
          origin_text(mode_now.origin), mode_now.origin ? ": " : "", made ? " at " : "", origin_text(made),
          backward ? " at " : "", origin_text(backward));
}

Status carried_input(const Array *a, bool *taped) {
  *taped = carried_taped(a);
  if (*taped || !a->node || mode_now.carried == CARRIED_CUT) return OK;
  Origin made = apart_place(array_entry(a)).node->origin, backward = eager_running()->latest_backward;
  if (mode_now.carried == CARRIED_ERROR)
    return fail("autograd.record: carried: an array computed%s%s is used here, but the backward%s%s let its tape go; "
                "write x:detach() where it is carried, or pass retain_graph=true to that backward", made ? " at " : "",
                origin_text(made), backward ? " at " : "", origin_text(backward));
  warn(made, backward);
  return OK;
}
