/* symbol_grad.c - autograd.grad of Symbols: builds gradient nodes while a block or function is traced, or in a script's
** graph with known shapes. It uses the code that differentiates the tape. A traced function may compute with gradients.
**
** Gradient nodes depend on shapes, so such a trace is valid for these shapes only.
*/
#include "bind/core/coroutine.h"
#include "bind/value/symbol_value.h"
#include "bind/trace/tracing.h"
#include "ir/graph/graph.h"
#include "pass/differentiate.h"

/* C's references during a call. A userdata owns them, because pushing Symbols may raise. */
typedef struct Asking {
  Builder b;
  Graph g;
} Asking;

static void asking_end(void *asking) {
  Asking *a = asking;
  builder_free(&a->b);
  graph_free(&a->g);
}

/* Checks that types are known, and marks nodes computed while recording was off: gradients do not pass through them. */
static Status look_at(lua_State *L, Graph *g) {
  if (graph_unknown(g)) TRY(graph_infer(g)); /* deferred shapes */
  for (int i = 0; i < g->n_nodes; i++) {
    Node *n = g->node[i];
    for (int k = 0; k < n->n_out; k++)
      if (!type_known(&n->type[k]))
        return fail("autograd.grad: heads: the shape or dtype of %s is not known; give it to sym.var",
                    n->name ? n->name
                    : n->op ? n->op->name
                            : "a variable");
    if (n->op) n->paused = tracing(L) && !trace_records(n);
  }
  return OK;
}

/* Heads must be on the tape, as for arrays. */
static Status check_recorded(lua_State *L, const Entry *heads, int n) {
  for (int i = 0; i < n; i++)
    if (tracing(L) && heads[i].node->op && !trace_records(heads[i].node))
      return fail("autograd.grad: heads: expected results computed inside autograd.record, got one that is not on "
                  "the tape");
  return OK;
}

static Status check_head_grads(const Entry *heads, const Entry *head_grads, int n) {
  for (int i = 0; head_grads && i < n; i++)
    if (head_grads[i].node && !type_equal(entry_type(head_grads[i]), entry_type(heads[i])))
      return fail("autograd.grad: head_grads: expected %s, got %s", type_text(entry_type(heads[i])),
                  type_text(entry_type(head_grads[i])));
  return OK;
}

/* symbol_grad(heads, variables, head_grads or nil) -> a list of Symbols; zeros for variables that no head depends on */
static int symbol_grad(lua_State *L) {
  lua_settop(L, 3);
  int n = check_length(L, 1, "autograd.grad: heads"), n_wrt = check_length(L, 2, "autograd.grad: variables");
  if (!lua_isnil(L, 3)) luaL_checktype(L, 3, LUA_TTABLE);
  Entry *heads = list_entries(L, 1, "autograd.grad: heads", false, n);
  Entry *wrt = list_entries(L, 2, "autograd.grad: variables", false, n_wrt);
  Entry *head_grads = lua_isnil(L, 3) ? NULL : list_entries(L, 3, "autograd.grad: head_grads", true, n);
  Entry *grads = lua_newuserdatauv(L, (size_t)(n_wrt + 1) * sizeof *grads, 0);
  lua_createtable(L, n_wrt, 0);
  int results = lua_gettop(L);
  Asking *a = push_owned(L, sizeof *a, asking_end);
  a->b = trace_builder(L);
  trace_shape_read(L);
  check(L, graph_new(heads, n, &a->g));
  check(L, look_at(L, &a->g));
  check(L, check_recorded(L, heads, n));
  check(L, check_head_grads(heads, head_grads, n));
  Differentiation d = {
    .head = heads, .head_grad = head_grads, .n_heads = n, .wrt = wrt, .n_wrt = n_wrt, .grad = grads
  };
  check(L, differentiate(&a->b, &d));
  for (int i = 0; i < n_wrt; i++) {
    Entry e = grads[i].node ? grads[i] : build_zeros_like(&a->b, wrt[i]);
    check(L, a->b.status);
    lua_rawgeti(L, 2, i + 1);
    const Kind kind = value_kind(L, -1); /* a gradient is of its variable's kind */
    lua_pop(L, 1);
    push_entry(L, e);
    if (kind == KIND_NP) make_np(L, -1);
    lua_rawseti(L, results, i + 1);
  }
  owned_end(a);
  lua_settop(L, results);
  return 1;
}

void open_symbol_grad(lua_State *L) {
  const luaL_Reg functions[] = { { "grad", symbol_grad }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}
