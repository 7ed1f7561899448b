/* autograd_function.c - autograd.Function: operations with forward and backward in Lua.
**
** On the tape a call is one node with a weak handle of the Lua object, which the output arrays keep alive
** (tape_anchor.h). The gradient calls the object's backward with arrays. With create_graph these arrays are on the tape
** and backward's operations are recorded, so that gradients of gradients work. If memory runs out, the whole backward
** is repeated once, including the calls of Lua.
*/
#include "bind/autograd/autograd_function.h"

#include "base/memory.h"
#include "bind/core/coroutine.h"
#include "bind/core/lua_memory.h"
#include "exec/tape/freed_tape.h"
#include "state/engine.h"
#include "exec/tape/tape.h"
#include "ir/node_builder.h"

static _Thread_local LuaBackward *going;

void backward_begin(LuaBackward *b) {
  b->outer = going;
  going = b;
}

void backward_end(void) { going = going->outer; }

static Status function_grad(Gradient *d);

static const ObjectKind link_kind = { .name = "Function",
                                      .retain = weak_handle_retain,
                                      .release = weak_handle_release };
typedef struct FunctionParams { WeakHandle *link; } FunctionParams;
static Op function_op = { .name = "Function",
                          .inputs = "arg...",
                          .params = "function object? None The weak handle of the Lua object.\n",
                          .params_size = sizeof(FunctionParams),
                          .object = &link_kind,
                          .flags = OP_INTERNAL,
                          .infer = op_keep_types,
                          .grad = function_grad };

static const WeakHandle *link_of(const Node *n) {
  const FunctionParams *p = (const void *)n->params->fields;
  return p->link;
}

/* Pushes the gradients of the outputs as arrays, zeros for an output without a gradient. */
static Status push_out_grads(lua_State *L, Gradient *d, int anchor) {
  for (int i = 0; i < d->node->n_out; i++) {
    Entry g = d->out_grad[i].node ? d->out_grad[i] : build_zeros_like(d->b, (Entry){ d->node, i });
    TRY(d->b->status);
    TRY(tape_evaluate(&g, 1, d->b->again));
    Array *a = push_array(L);
    a->t = tensor_share(&g.node->value[g.index]);
    if (!d->b->again) continue;
    if (!lua_isnil(L, anchor)) set_anchor(L, -1, anchor);
    a->node = node_retain(g.node);
    a->index = g.index;
  }
  return OK;
}

/* Uses the arrays that backward returned as the inputs' gradients. */
static Status take_in_grads(lua_State *L, Gradient *d, int first) {
  int n = lua_gettop(L) - first + 1;
  if (n != d->node->n_in)
    return fail("Function: backward: expected %d gradients, one for each input, got %d", d->node->n_in, n);
  for (int i = 0; i < n; i++) {
    if (!d->wanted[i] || lua_isnil(L, first + i)) continue;
    Array *a = to_array(L, first + i);
    if (!a) return fail("Function: backward: expected an NDArray as gradient %d, got %s", i, type_name(L, first + i));
    if (array_freed(a)) return fail("Function: backward: gradient %d was freed", i);
    const Type *want = entry_type(d->node->in[i]);
    if (!type_equal(&a->t.type, want))
      return fail("Function: backward: gradient %d: expected %s, got %s", i, type_text(want), type_text(&a->t.type));
    const Tensor *input = &d->node->in[i].node->value[d->node->in[i].index];
    if (tensor_device(&a->t) != tensor_device(input))
      return fail("Function: backward: gradient %d: expected an array in context %s, where the input is, got one in %s",
                  i, device_text(tensor_device(input)), device_text(tensor_device(&a->t)));
    d->in_grad[i] = d->b->again && a->node ? array_entry(a) : build_constant(d->b, &a->t);
    if (d->b->again && a->node) TRY(builder_hold(d->b, a->node));
  }
  return d->b->status;
}

/* A call of an object's backward. */
typedef struct Callback { Gradient *d; Status status; } Callback;

/* (callback, anchor or nil) -> the anchor, joined with those of the arrays that backward returned. Runs in a protected
** call, because an error must not jump over the engine. */
static int call_backward(lua_State *L) {
  enum { ANCHOR = 2, FIRST };
  Callback *c = lua_touserdata(L, 1);
  Gradient *d = c->d;
  luaL_checkstack(L, d->node->n_out + d->node->n_in + 16, "Function: backward");
  if (!push_handled_object(L, link_of(d->node))) return raise_error(L, "Function: backward: the object was collected");
  lua_getfield(L, FIRST, "backward");
  lua_insert(L, FIRST);
  c->status = push_out_grads(L, d, ANCHOR);
  if (c->status != OK) return 0;
  lua_call(L, d->node->n_out + 1, LUA_MULTRET);
  coroutine_enter(L);
  c->status = take_in_grads(L, d, FIRST);
  if (c->status == OK && d->b->again) {
    int n = d->node->n_in;
    Array **returned = lua_newuserdatauv(L, (size_t)n * sizeof *returned, 0);
    for (int i = 0; i < n; i++) returned[i] = to_array(L, FIRST + i);
    join_anchors(L, ANCHOR, returned, n);
  }
  lua_pushvalue(L, ANCHOR);
  return 1;
}

static Status function_grad(Gradient *d) {
  LuaBackward *b = going;
  if (!b) return fail("Function: backward: expected a call of backward or autograd.grad");
  lua_State *L = b->L;
  Callback c = { .d = d };
  Origin origin = engine_now()->mode.origin;
  ModeScope scope;
  if (!lua_checkstack(L, 8)) return no_memory("Function: backward");
  push_protected(L, call_backward);
  lua_pushlightuserdata(L, &c);
  lua_pushvalue(L, b->anchor);
  const Mode *mode = &coroutine_engine(L)->mode;
  mode_open(&scope, d->b->again, mode->train, mode->device, mode->on_freed);
  int failed = lua_pcall(L, 2, 1, 0);
  mode_close(&scope);
  coroutine_engine(L)->mode.origin = origin;
  if (failed) return keep_error(L);
  if (c.status == OK) lua_replace(L, b->anchor);
  else lua_pop(L, 1);
  return c.status;
}

/* Makes the node of a call and stores it in the outputs. */
static Status record_node(Array *const *in, int n_in, Array *const *out, int n_out, WeakHandle *link, Origin origin) {
  Node *n;
  Params *params;
  TRY(op_declare(&function_op));
  TRY(params_from(&function_op, &(FunctionParams){ link }, &params));
  const Status s = tape_prepare(&function_op, params, in, n_in, n_out, &n);
  params_release(params);
  TRY(s);
  object_free(n->version);           /* no check for writes: backward reads what the object kept */
  n->version = NULL;
  n->origin = origin;
  for (int i = 0; i < n_out; i++) {
    n->value[i] = tensor_share(&out[i]->t);
    n->type[i] = out[i]->t.type;
    node_release(out[i]->node);
    out[i]->node = node_retain(n);
    out[i]->index = i;
  }
  node_release(n);
  return OK;
}

/* record_function(object, inputs, outputs): records the outputs, new arrays, as results of the object */
static int record_function(lua_State *L) {
  enum { OBJECT = 1, INPUTS, OUTPUTS };
  luaL_checkany(L, OUTPUTS);
  lua_settop(L, OUTPUTS);
  int n_in = check_length(L, INPUTS, "Function: inputs"), n_out = check_length(L, OUTPUTS, "Function: outputs");
  if (n_out > UINT16_MAX) return raise_error(L, "Function: expected at most %d outputs, got %d", UINT16_MAX, n_out);
  Array **in = list_arrays(L, INPUTS, n_in, false), **out = list_arrays(L, OUTPUTS, n_out, false);
  settle_anchors(L);
  push_object_anchor(L, OBJECT, in, n_in);
  int anchor = lua_gettop(L);
  for (int i = 0; i < n_out; i++) {
    lua_rawgeti(L, OUTPUTS, i + 1);
    set_anchor(L, -1, anchor);
    lua_pop(L, 1);
  }
  coroutine_enter(L);
  check(L, record_node(in, n_in, out, n_out, anchor_handle(L, anchor), origin_here(L)));
  return 0;
}

/* on_tape(x): is the array part of a recorded computation that no backward freed, or a leaf of one? */
static int on_tape(lua_State *L) {
  Array *a = to_array(L, 1);
  return return_boolean(L, a && tape_holds(a));
}

/* make_variable(x): later computations with the array are recorded; it gets no gradient of its own */
static int make_variable(lua_State *L) {
  Array *a = check_array(L, 1);
  coroutine_enter(L);
  CHECK_WITH_MEMORY(L, lazy_before_record());
  CHECK_WITH_MEMORY(L, tape_follow(a));
  drop_anchor(L, 1);
  return 0;
}

/* make_constant(x): undoes make_variable */
static int make_constant(lua_State *L) {
  Array *a = check_array(L, 1);
  coroutine_enter(L);
  CHECK_WITH_MEMORY(L, lazy_before_record());
  tape_unfollow(a);
  return 0;
}

/* has_leaf(x): does x depend on an array with an attached gradient, or on a make_variable array? */
static int has_leaf(lua_State *L) {
  Array *a = check_array(L, 1);
  bool has;
  check(L, tape_has_leaf(a, &has));
  return return_boolean(L, has);
}

void open_function(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "record_function", record_function }, { "on_tape", on_tape }, { "make_variable", make_variable },
    { "make_constant", make_constant }, { "has_leaf", has_leaf }, { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
}
