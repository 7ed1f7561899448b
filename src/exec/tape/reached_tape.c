/* reached_tape.c - see reached_tape.h.
**
** A compiled call is inlined if the backward part of its executable does not suffice: if gradients will be
** differentiated again, a part of its tape was freed, or eager code would add more than one term for the call to a sum.
** Its nodes may reach more of the tape, so the tape is listed again until no call needs inlining.
*/
#include "exec/tape/reached_tape.h"

#include "base/bump.h"
#include "base/memory.h"
#include "exec/tape/inline_call.h"

void reached_free(Reached *r) {
  node_list_free(&r->nodes);
  object_free(r->used);
  *r = (Reached){ 0 };
}

static uint64_t bit(int index) { return index < 64 ? 1ull << index : UINT64_MAX; }

/* Lists the nodes that the heads depend on, without the inputs of compiled calls that no used output needs. */
static Status list_reached(const Entry *head, int n, Reached *r) {
  NodeList *list = &r->nodes;
  TRY(nodes_reached(head, n, NULL, NULL, list));
  r->used = object_new((size_t)(list->n + 1) * sizeof *r->used);
  if (!r->used) return no_memory("backward");
  for (int i = 0; i < n; i++)
    if (head[i].node) r->used[node_list_find(list, head[i].node)] |= bit(head[i].index);
  for (int i = list->n - 1; i >= 0; i--) {
    const Node *node = list->at[i];
    const RecordedCall *call = recorded_call_of(node);
    for (int k = 0; r->used[i] && k < node->n_in; k++)
      if (!call || call->dependents[k] & r->used[i])
        r->used[node_list_find(list, node->in[k].node)] |= bit(node->in[k].index);
  }
  int kept = 0;
  for (int i = 0; i < list->n; i++) {
    TRY(map_put(&list->place, list->at[i], r->used[i] ? kept : -1));
    if (!r->used[i]) continue;
    list->at[kept] = list->at[i];
    r->used[kept++] = r->used[i];
  }
  list->n = kept;
  return OK;
}

/* The uses of each node's values below the heads. */
typedef struct CallUses {
  const NodeList *list;
  uint64_t *first;           /* sequence number of the first user, perhaps the node itself */
  uint64_t *once, *twice;    /* outputs used at least once, at least twice */
} CallUses;

static void use(CallUses *u, Entry e, uint64_t order) {
  int at = node_list_find(u->list, e.node);
  if (order < u->first[at]) u->first[at] = order;
  u->twice[at] |= u->once[at] & bit(e.index);
  u->once[at] |= bit(e.index);
}

static bool loosely_summed(const Node *n) {
  const RecordedCall *r = recorded_call_of(n);
  return r && (r->any_multiple_terms || r->used_inside);
}

/* Leaves *out empty if no call's sums can differ from eager code's. */
static Status count_uses(const Reached *r, const Entry *head, int n, Bump *memory, CallUses *out) {
  const NodeList *list = &r->nodes;
  bool wanted = false;
  for (int i = 0; i < list->n && !wanted; i++) wanted = loosely_summed(list->at[i]);
  if (!wanted) return OK;
  *out = (CallUses){ .list = list,
                     .first = BUMP_ARRAY(memory, list->n, uint64_t),
                     .once = BUMP_ARRAY(memory, list->n, uint64_t),
                     .twice = BUMP_ARRAY(memory, list->n, uint64_t) };
  TRY(memory->status);
  for (int i = 0; i < list->n; i++) out->first[i] = UINT64_MAX;
  for (int i = 0; i < list->n; i++) {
    const Node *node = list->at[i];
    const RecordedCall *call = recorded_call_of(node);
    for (int k = 0; k < node->n_in; k++)
      if (!call || call->dependents[k] & r->used[i]) use(out, node->in[k], node->order);
    if (call && call->used_inside & r->used[i]) out->first[i] = node->order; /* the call itself is the first user */
  }
  for (int i = 0; i < n; i++)
    if (head[i].node) use(out, head[i], UINT64_MAX);
  return OK;
}

/* Would eager code add more than one term for this call to a sum, if only the outputs `used` are used? It adds from
** left to right. So it would if an earlier node uses an input for which the call has several terms, or if an output
** that the call itself uses has more than one later use. */
static bool sums_differ(const Node *n, uint64_t used, const CallUses *u) {
  const RecordedCall *r = recorded_call_of(n);
  if (!u->first || !loosely_summed(n)) return false;
  if (r->used_inside & u->twice[node_list_find(u->list, n)]) return true;
  for (int k = 0; k < n->n_in; k++)
    if (r->multiple_terms[k] && r->dependents[k] & used && u->first[node_list_find(u->list, n->in[k].node)] < n->order)
      return true;
  return false;
}

static bool needs_inlining(const Node *n, uint64_t used, bool again, const CallUses *u) {
  const RecordedCall *r = recorded_call_of(n);
  return r && !n->freed && !r->inlined && (again || r->freed || sums_differ(n, used, u));
}

static Status check_not_freed(const Reached *reached, const Entry *head, int n) {
  for (int i = 0; i < n; i++)
    if (head[i].node && inline_is_freed(head[i]))
      return fail("backward: head: the tape was freed by an earlier backward; pass retain_graph=true to that one");
  for (int i = 0; i < reached->nodes.n; i++) {
    const Node *node = reached->nodes.at[i];
    if (recorded_call_is_freed(node, reached->used[i]))
      return fail("backward: part of the tape (%s%s%s) was freed by an earlier backward; "
                  "pass retain_graph=true to that one, or cut the connection with x:detach()",
                  node->op->name, node->origin ? " of " : "", origin_text(node->origin));
  }
  return OK;
}

/* Inlines the calls that need it; *any: there were some. Inlining changes the marks, so it follows the search. */
static Status inline_needed(const Reached *r, const Entry *head, int n, bool again, bool *any) {
  BUMP(memory, "backward");
  NodeList calls FREED_BY(node_list_free) = { 0 };
  CallUses uses = { 0 };
  TRY(count_uses(r, head, n, &memory, &uses));
  for (int i = 0; i < r->nodes.n; i++)
    if (needs_inlining(r->nodes.at[i], r->used[i], again, &uses)) TRY(node_list_add(&calls, r->nodes.at[i]));
  for (int i = 0; i < calls.n; i++) TRY(inline_on_tape(calls.at[i]));
  *any = calls.n > 0;
  return OK;
}

Status reached_find(Entry *head, int n, bool again, Reached *out) {
  for (bool changed = true; changed;) {
    reached_free(out);
    for (int i = 0; i < n; i++) head[i] = inline_value(head[i]);
    TRY(list_reached(head, n, out));
    TRY(check_not_freed(out, head, n));
    TRY(inline_needed(out, head, n, again, &changed));
    if (inline_replace_inputs(&out->nodes)) changed = true;
  }
  return OK;
}
