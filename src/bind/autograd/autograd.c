/* autograd.c - gradients, wrapped by lua/hybridlua/autograd.lua. */
#include <string.h>

#include "bind/core/coroutine.h"
#include "bind/core/lua_memory.h"
#include "bind/autograd/autograd_function.h"
#include "bind/trace/graph_breaks.h"
#include "exec/tape/tape.h"

static GradReq check_req(lua_State *L, int index) {
  static const char *const words[] = { [GRAD_NULL] = "null", [GRAD_WRITE] = "write", [GRAD_ADD] = "add" };
  if (lua_isnoneornil(L, index)) return GRAD_WRITE;
  const bool text = lua_type(L, index) == LUA_TSTRING;
  const char *req = text ? lua_tostring(L, index) : type_name(L, index), *quote = text ? "'" : "";
  for (int i = 0; text && i < 3; i++)
    if (strcmp(words[i], req) == 0) return (GradReq)i;
  raise_error(L, "attach_grad: grad_req: expected 'write', 'add' or 'null', got %s%s%s", quote, req, quote);
}

/* x:attach_grad(grad_req, stype) */
static int attach_grad(lua_State *L) {
  Array *a = check_array(L, 1);
  breaks_read(L, "x:attach_grad()");
  GradReq req = check_req(L, 2);
  const char *stype = lua_isnoneornil(L, 3) ? "default" : lua_type(L, 3) == LUA_TSTRING ? lua_tostring(L, 3) : "";
  if (strcmp(stype, "default") != 0)
    raise_error(L, "attach_grad: stype: expected 'default', got '%s'; there are no sparse gradients", stype);
  coroutine_enter(L);
  CHECK_WITH_MEMORY(L, tape_attach_grad(a, req));
  drop_anchor(L, 1);
  return 0;
}

/* set_grad(x, array): backward will write the gradient of x into that array */
static int set_grad(lua_State *L) {
  Array *a = check_array(L, 1), *g = check_array(L, 2);
  if (!a->node || !a->node->leaf) return raise_error(L, "set_grad: expected an array with an attached gradient");
  if (!type_equal(&a->t.type, &g->t.type))
    return raise_error(L, "set_grad: gradient: expected %s, got %s", type_text(&a->t.type), type_text(&g->t.type));
  if (tensor_device(&a->t) != tensor_device(&g->t))
    return raise_error(L, "set_grad: gradient: expected an array in context %s, where the array is, got one in %s",
                       device_text(tensor_device(&a->t)), device_text(tensor_device(&g->t)));
  tensor_release(&a->node->leaf->grad);
  a->node->leaf->grad = tensor_share(&g->t);
  return 0;
}

/* fresh_grad(x) -> a number that changes whenever backward writes the gradient of x, 0 before the first time; nil if x
** has no gradient */
static int fresh_grad(lua_State *L) {
  Array *a = check_array(L, 1);
  if (a->node && a->node->leaf) lua_pushinteger(L, (lua_Integer)a->node->leaf->fresh);
  else lua_pushnil(L);
  return 1;
}

/* The arrays of a Lua list, or the one array at `index`; a userdata on the stack holds the pointers. The arrays stay on
** the stack, because code that backward calls may change the list. */
static Array **check_list(lua_State *L, int index, const char *what, bool holes, int *n) {
  bool one = to_array(L, index) != NULL;
  if (!one && !lua_istable(L, index))
    raise_error(L, "%s: expected an NDArray or a table of NDArrays, got %s", what, type_name(L, index));
  *n = one ? 1 : check_length(L, index, what);
  luaL_checkstack(L, *n + 8, what);
  if (!one) {
    for (int i = 0; i < *n; i++) lua_rawgeti(L, index, i + 1);
    return list_arrays(L, index, *n, holes);
  }
  Array **list = lua_newuserdatauv(L, sizeof *list, 0);
  list[0] = check_array(L, index);
  return list;
}

static Array **check_head_grads(lua_State *L, int index, int n) {
  if (lua_isnoneornil(L, index) || is_null(L, index)) return NULL;
  int count;
  Array **list = check_list(L, index, "backward: head_grads", true, &count);
  if (count != n) raise_error(L, "backward: head_grads: expected %d, one for each head, got %d", n, count);
  return list;
}

/* backward(heads, head_grads or nil, retain_graph, create_graph[, variables]) -> a list of the gradients with respect
** to the variables; without variables the leaves get the gradients */
static int backward(lua_State *L) {
  enum { HEADS = 1, HEAD_GRADS, RETAIN, CREATE, VARIABLES, ANCHOR };
  int n, n_variables = 0;
  const bool for_leaves = lua_gettop(L) < VARIABLES;
  lua_settop(L, ANCHOR);                    /* the anchor of the gradients, or nil */
  if (for_leaves) breaks_read(L, "backward");
  Array **heads = check_list(L, HEADS, for_leaves ? "backward: heads" : "autograd.grad: heads", false, &n);
  Array **variables = NULL, **head_grads;
  if (!for_leaves) variables = check_list(L, VARIABLES, "autograd.grad: variables", false, &n_variables);
  head_grads = check_head_grads(L, HEAD_GRADS, n);
  const BackwardOptions options = { .retain = lua_toboolean(L, RETAIN), .create_graph = lua_toboolean(L, CREATE) };
  mode_look(L);
  pace_collector(L);
  Array *made = lua_newuserdatauv(L, (size_t)n_variables * (sizeof *made + sizeof(Array *)), 0);
  Array **result = (Array **)(made + n_variables);
  lua_createtable(L, n_variables, 0);
  const int results = lua_gettop(L);
  for (int i = 0; i < n_variables; i++) {
    result[i] = push_array(L);
    lua_rawseti(L, results, i + 1);
  }
  join_anchors(L, ANCHOR, heads, n);
  if (head_grads) join_anchors(L, ANCHOR, head_grads, n);
  coroutine_engine(L)->mode.origin = origin_here(L);
  LuaBackward b = { .L = L, .anchor = ANCHOR };
  Status s;
  backward_begin(&b);
  WITH_MEMORY(L, s, tape_backward(heads, head_grads, n, variables, n_variables, options, made));
  for (int i = 0; i < n_variables && s == OK; i++) *result[i] = made[i];
  for (int i = 1; i <= n_variables; i++) {                  /* a gradient is of its variable's kind */
    if (lua_istable(L, VARIABLES)) lua_rawgeti(L, VARIABLES, i);
    else lua_pushvalue(L, VARIABLES);
    const Kind kind = value_kind(L, -1);
    lua_rawgeti(L, results, i);
    if (kind == KIND_NP) make_np(L, -1);
    lua_pop(L, 2);
  }
  backward_end();
  settle_anchors(L);
  check(L, s);
  for (int i = 0; i < n_variables && !lua_isnil(L, ANCHOR); i++) {
    lua_rawgeti(L, results, i + 1);
    if (result[i]->node) set_anchor(L, -1, ANCHOR);
    lua_pop(L, 1);
  }
  lua_settop(L, results);
  return 1;
}

void open_autograd(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "attach_grad", attach_grad }, { "fresh_grad", fresh_grad },
    { "set_grad", set_grad }, { "backward", backward }, { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
}
