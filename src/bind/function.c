/* function.c - autograd.Function: operations whose forward and backward are Lua code.
**
** On the tape such a call is one node that holds the Lua object. Its gradient calls the
** object's backward with arrays; while a graph of gradients is wanted these are on the
** tape themselves and what backward does with them is recorded, so that gradients of
** gradients work.
*/
#include "base/memory.h"
#include "bind/context.h"
#include "exec/eager.h"
#include "exec/tape.h"
#include "ir/build.h"

typedef struct Held { lua_State *L; int ref; } Held;     /* the Lua object, in the registry of this state */

static void held_free(void *pointer) {
  Held *h = pointer;
  luaL_unref(h->L, LUA_REGISTRYINDEX, h->ref);
  object_free(h);
}

static Status function_grad(Gradient *d);

static const char *one_input[] = { "arg" };
static const OpInfo function_info = { .n_inputs = 1, .n_outputs = 1, .variadic = true, .num_args = -1,
                                      .input = one_input, .output = one_input };
static const Op function_op = { .name = "Function", .inputs = "arg...", .flags = OP_INTERNAL, .infer = op_keep_types,
                                .forward = op_not_called, .grad = function_grad, .info = &function_info };

/* Pushes the gradients of the outputs as arrays, zeros where none reached one. */
static Status push_out_grads(lua_State *L, Gradient *d) {
  for (int i = 0; i < d->node->n_out; i++) {
    Entry g = d->out_grad[i].node ? d->out_grad[i] : build_zeros_like(d->b, (Entry){ d->node, i });
    TRY(d->b->status);
    TRY(evaluate(&g, 1, d->b->again));
    Array *a = push_array(L);
    a->t = tensor_share(&g.node->value[g.index]);
    if (!d->b->again) continue;
    a->node = node_retain(g.node);
    a->index = g.index;
  }
  return OK;
}

/* The arrays that backward returned, as the inputs' gradients. */
static Status take_in_grads(lua_State *L, Gradient *d, int first) {
  int n = lua_gettop(L) - first + 1;
  if (n != d->node->n_in) return fail("Function: backward: expected %d gradients, one for each input, got %d", d->node->n_in, n);
  for (int i = 0; i < n; i++) {
    if (!d->wanted[i] || lua_isnil(L, first + i)) continue;
    Array *a = to_array(L, first + i);
    if (!a) return fail("Function: backward: expected an NDArray as gradient %d, got %s", i, type_name(L, first + i));
    if (!a->t.data) return fail("Function: backward: gradient %d was freed", i);
    const Type *want = entry_type(d->node->in[i]);
    if (!type_equal(&a->t.type, want))
      return fail("Function: backward: gradient %d: expected %s, got %s", i, type_text(want), type_text(&a->t.type));
    d->in_grad[i] = d->b->again && a->node ? array_entry(a) : build_constant(d->b, &a->t);
    if (d->b->again && a->node) TRY(builder_hold(d->b, a->node));
  }
  return d->b->status;
}

static Status function_grad(Gradient *d) {
  const Held *h = d->node->held;
  lua_State *L = context_now.L;              /* which called backward: not always the coroutine that recorded */
  int top = lua_gettop(L);
  Origin origin = mode_now.origin;
  if (!lua_checkstack(L, d->node->n_out + d->node->n_in + 16)) return no_memory("Function: backward");
  lua_rawgeti(L, LUA_REGISTRYINDEX, h->ref);
  lua_getfield(L, -1, "backward");
  lua_insert(L, -2);
  Status s = push_out_grads(L, d);
  if (s == OK) {
    ModeScope scope;
    context_enter(L);
    mode_open(&scope, d->b->again, mode_now.train);
    int failed = lua_pcall(L, d->node->n_out + 1, LUA_MULTRET, 0);
    mode_close(&scope);
    s = failed ? keep_error(L) : take_in_grads(L, d, top + 1);
  }
  lua_settop(L, top);
  mode_of(L)->origin = origin;
  return s;
}

/* record_function(object, inputs, outputs): outputs, new arrays, become results of the object */
static int record_function(lua_State *L) {
  int n_in = (int)lua_rawlen(L, 2), n_out = (int)lua_rawlen(L, 3);
  Entry *in = lua_newuserdatauv(L, (size_t)(n_in + 1) * sizeof *in, 0);
  Array **out = lua_newuserdatauv(L, (size_t)(n_out + 1) * sizeof *out, 0);
  for (int i = 0; i < n_out; i++) {
    lua_rawgeti(L, 3, i + 1);
    out[i] = check_array(L, -1);
    lua_pop(L, 1);
  }
  Held *h = object_new(sizeof *h);
  if (!h) return raise_status(L, no_memory("Function"));
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
  h->L = lua_tothread(L, -1);
  lua_pushvalue(L, 1);
  h->ref = luaL_ref(L, LUA_REGISTRYINDEX);
  Node *n = NULL;
  Status s = OK;
  int held = 0;
  context_enter(L);
  for (; held < n_in && s == OK; held++) {
    lua_rawgeti(L, 2, held + 1);
    s = tape_entry(check_array(L, -1), &in[held]);
    lua_pop(L, 1);
  }
  if (s == OK) s = node_new(&function_op, NULL, in, n_in, n_out, &n);
  for (int i = 0; i < held; i++) node_release(in[i].node);
  if (s == OK) n->value = object_new((size_t)n_out * sizeof *n->value);
  if (s == OK && !n->value) s = no_memory("Function");
  if (s != OK) { node_release(n); held_free(h); return raise_status(L, s); }
  n->held = h;
  n->let_go = held_free;
  n->origin = origin_here(L);
  for (int i = 0; i < n_out; i++) {
    n->value[i] = tensor_share(&out[i]->t);
    n->type[i] = out[i]->t.type;
    node_release(out[i]->node);
    out[i]->node = node_retain(n);
    out[i]->index = i;
  }
  node_release(n);
  return 0;
}

/* on_tape(x): is the array part of a recorded computation, or a leaf of one? */
static int on_tape(lua_State *L) {
  Array *a = to_array(L, 1);
  lua_pushboolean(L, a && a->node);
  return 1;
}

void open_function(lua_State *L) {
  const luaL_Reg functions[] = { { "record_function", record_function }, { "on_tape", on_tape }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}
