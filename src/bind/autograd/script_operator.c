/* script_operator.c - operators that the script defines: the engine of ir/custom_operator.h.
**
** Types, forward and backward are methods of a Lua object (lua/hybridlua/operator.lua), called in protected calls. The
** object is alive as long as a node has it (tape_anchor.h). It gets copies of the inputs, because an executable reuses
** their memory after the call, and its results are copied to the outputs. Its operators are not recorded.
*/
#include "bind/core/coroutine.h"
#include "bind/core/tape_anchor.h"
#include "bind/value/symbol_value.h"
#include "exec/array.h"
#include "ir/custom_operator.h"

/* A call of Lua: by a kernel or by inference. */
typedef struct Callback {
  const CustomOperator *o;
  Call *call;
  const Infer *infer;
  Type *learned;
  Status status;
} Callback;

/* ---- Arrays ------------------------------------------------------------------------------------------- */

/* Pushes a list of copies of n tensors; `blank`: zeros of their types instead. */
static Status push_copies(lua_State *L, const Tensor *const *from, int n, bool blank) {
  lua_createtable(L, n, 0);
  for (int i = 0; i < n; i++) {
    Array *a = push_array(L);
    TRY(blank ? tensor_zeros(&from[i]->type, tensor_device(from[i]), &a->t)
              : tensor_copy(from[i], tensor_device(from[i]), &a->t));
    lua_rawseti(L, -2, i + 1);
  }
  return OK;
}

/* Copies the arrays of the list at `list` to tensors without changing their types; skips outputs without data. */
static Status copy_back(lua_State *L, int list, const CustomOperator *o, const char *what, const Tensor *const *to,
                        int n) {
  for (int i = 0; i < n; i++) {
    Tensor target = *to[i];
    lua_rawgeti(L, list, i + 1);
    const Array *a = to_array(L, -1);
    if (!a || array_freed(a)) return fail("Custom: '%s': %s %d is no longer an array", o->op_type, what, i + 1);
    if (!type_equal(&a->t.type, &target.type))
      return fail("Custom: '%s': %s %d: expected %s, got %s", o->op_type, what, i + 1, type_text(&target.type),
                  type_text(&a->t.type));
    if (tensor_has_data(&target)) tensor_copy_to(&a->t, &target);
    lua_pop(L, 1);
  }
  return OK;
}

static Status push_method(lua_State *L, const CustomOperator *o, const char *method) {
  if (!push_handled_object(L, o->link)) return fail("Custom: '%s': the object was collected", o->op_type);
  lua_getfield(L, -1, method);
  lua_insert(L, -2);
  return OK;
}

/* object:forward(is training, is its number needed?, inputs, outputs, auxiliary states) -> number */
static Status forward_in_lua(lua_State *L, const CustomOperator *o, Call *c) {
  const int n_out = o->n_out;
  const Tensor *const *out = (const Tensor *const *)c->out;
  const bool needed = tensor_has_data(c->out[n_out]);
  TRY(push_method(L, o, "forward"));
  lua_pushboolean(L, c->train);
  lua_pushboolean(L, needed);
  TRY(push_copies(L, c->in, o->n_args, false));
  TRY(push_copies(L, out, n_out, true));
  TRY(push_copies(L, c->in + o->n_args, o->n_aux, false));
  lua_pushvalue(L, -2);
  lua_insert(L, 2);
  lua_pushvalue(L, -1);
  lua_insert(L, 3);
  lua_call(L, 6, 1);
  coroutine_enter(L);
  TRY(copy_back(L, 2, o, "output", out, n_out));
  TRY(copy_back(L, 3, o, "auxiliary state", c->in + o->n_args, o->n_aux));
  if (needed) tensor_set_int(c->out[n_out], 0, lua_tointeger(L, -1));
  return OK;
}

/* object:backward(number, gradients of outputs, inputs, outputs, gradients of inputs) */
static Status backward_in_lua(lua_State *L, const CustomOperator *o, Call *c) {
  const Tensor *const *in = c->in;
  TRY(push_method(L, o, "backward"));
  lua_pushinteger(L, tensor_get_int(in[2 * o->n_out + o->n_args], 0));
  TRY(push_copies(L, in, o->n_out, false));
  TRY(push_copies(L, in + o->n_out, o->n_args, false));
  TRY(push_copies(L, in + o->n_out + o->n_args, o->n_out, false));
  TRY(push_copies(L, (const Tensor *const *)c->out, o->n_args, true));
  lua_pushvalue(L, -1);
  lua_insert(L, 2);
  lua_call(L, 6, 0);
  coroutine_enter(L);
  return copy_back(L, 2, o, "gradient", (const Tensor *const *)c->out, o->n_args);
}

/* ---- Types -------------------------------------------------------------------------------------------- */

/* Pushes a list of n shapes; an unknown one is empty, and an unknown dimension is 0. */
static void push_shapes(lua_State *L, const Type *types, int n) {
  lua_createtable(L, n, 0);
  for (int i = 0; i < n; i++) {
    Shape s = types[i].shape;
    if (s.ndim < 0) s.ndim = 0;
    for (int k = 0; k < s.ndim; k++)
      if (s.dim[k] < 0) s.dim[k] = 0;
    push_shape(L, &s);
    lua_rawseti(L, -2, i + 1);
  }
}

static void push_dtypes(lua_State *L, const Type *types, int n) {
  lua_createtable(L, n, 0);
  for (int i = 0; i < n; i++) {
    if (types[i].dtype == DT_UNKNOWN) lua_pushboolean(L, false);
    else lua_pushstring(L, dtype_name(types[i].dtype));
    lua_rawseti(L, -2, i + 1);
  }
}

/* Reads the i-th shape and dtype of two lists. An empty shape and a length of 0 are unknown if they were before; NULL:
** they are known. */
static Type type_at(lua_State *L, int shapes, int i, const Type *before) {
  Type t = TYPE_UNKNOWN;
  lua_rawgeti(L, shapes, i + 1);
  t.shape = check_shape(L, -1, "Custom: infer_shape");
  if (before && t.shape.ndim == 0 && before->shape.ndim < 0) t.shape.ndim = UNKNOWN;
  for (int k = 0; k < t.shape.ndim; k++)
    if (before && t.shape.dim[k] == 0 && !shape_known(&before->shape)) t.shape.dim[k] = UNKNOWN;
  lua_rawgeti(L, shapes + 1, i + 1);
  if (lua_isstring(L, -1)) t.dtype = check_dtype(L, -1, "Custom: infer_type");
  lua_pop(L, 2);
  return t;
}

/* object:infer(shapes, dtypes, is every argument's type known?) -> shapes and dtypes of the inputs and the outputs, in
** one list each; nil if more must be known */
static Status infer_in_lua(lua_State *L, Callback *c) {
  const CustomOperator *o = c->o;
  const Infer *f = c->infer;
  const Type unknown = TYPE_UNKNOWN;
  bool known = true;
  for (int i = 0; i < o->n_args; i++) known = known && type_known(&f->in[i]);
  TRY(push_method(L, o, "infer"));
  push_shapes(L, f->in, f->n_in);
  push_dtypes(L, f->in, f->n_in);
  lua_pushboolean(L, known);
  lua_call(L, 4, 2);
  coroutine_enter(L);
  const int shapes = lua_gettop(L) - 1;
  for (int i = 0; i < f->n_in + o->n_out; i++) {
    const Type *before = i < f->n_in ? &f->in[i] : known ? NULL : &unknown;
    c->learned[i] = lua_isnil(L, shapes) ? unknown : type_at(L, shapes, i, before);
  }
  return OK;
}

/* ---- Protected calls ------------------------------------------------------------------------------------ */

static int call_lua(lua_State *L) {
  Callback *c = lua_touserdata(L, 1);
  luaL_checkstack(L, 32, "Custom");
  if (c->infer) c->status = infer_in_lua(L, c);
  else if (c->call->op->role == ROLE_CUSTOM) c->status = forward_in_lua(L, c->o, c->call);
  else c->status = backward_in_lua(L, c->o, c->call);
  return 0;
}

/* Calls Lua unrecorded and, in a trace, unfollowed: the script's function is not part of the trace. */
static Status in_lua(Callback *c) {
  lua_State *L = coroutine_any()->L;
  if (!L || !lua_checkstack(L, 8)) return fail("Custom: '%s': expected a call from Lua", c->o->op_type);
  const Surroundings around = surroundings_now();
  const HookSaved hook = { lua_gethook(L), lua_gethookmask(L), lua_gethookcount(L) };
  const bool followed = state_any()->follow != NULL;
  ModeScope scope;
  mode_open(&scope, false, c->call ? c->call->train : around.mode.train,
            c->call ? tensor_device(c->call->out[0]) : around.mode.device, around.mode.on_freed);
  push_protected(L, call_lua);
  lua_pushlightuserdata(L, c);
  if (followed) lua_sethook(L, NULL, 0, 0);
  const int failed = lua_pcall(L, 1, 0, 0);
  if (followed) lua_sethook(L, hook.hook, hook.mask, hook.count);
  coroutine_enter(L);
  mode_close(&scope);
  coroutine_enter(L);
  surroundings_restore(&around);
  return failed ? keep_error(L) : c->status;
}

static Status infer_custom(const Infer *f, const CustomOperator *o, Type *learned) {
  return in_lua(&(Callback){ .o = o, .infer = f, .learned = learned });
}

static Status run(Call *c, const CustomOperator *o) { return in_lua(&(Callback){ .o = o, .call = c }); }

static const CustomEngine engine = { infer_custom, run, run, weak_handle_release };

/* ---- Functions for Lua ----------------------------------------------------------------------------------- */

static void end_custom(void *owned) {
  CustomOperator **o = owned;
  if (*o) custom_release(*o);
}

/* custom_call(object, operator type, number of arguments, of outputs, of auxiliary states, name, inputs) -> a list of
** the outputs; the inputs are all arrays or all Symbols */
static int custom_call(lua_State *L) {
  enum { OBJECT = 1, OP_TYPE, N_ARGS, N_OUT, N_AUX, NAME, INPUTS };
  lua_settop(L, INPUTS);
  settle_anchors(L);
  const char *op_type = check_text(L, OP_TYPE, "op_type");
  const int n_in = check_length(L, INPUTS, "Custom"), n_out = (int)luaL_checkinteger(L, N_OUT);
  const Op *op = op_with_role(ROLE_CUSTOM);
  CustomOperator **o = push_owned(L, sizeof *o, end_custom);
  check(L, custom_new(op_type, (int)luaL_checkinteger(L, N_ARGS), n_out, (int)luaL_checkinteger(L, N_AUX),
                      hold_object(L, OBJECT), o));
  const CustomParams p = { n_in, op_type, *o };
  lua_rawgeti(L, INPUTS, 1);
  const bool symbols = to_symbol(L, -1) != NULL;
  if (symbols) {
    int n;
    Entry *in = check_entries(L, INPUTS, "Custom", &n);
    NodeMaking *m = push_owned(L, sizeof *m, node_making_end);
    coroutine_enter(L);
    check(L, params_from(op, &p, &m->params));
    check(L, node_make(L, op, check_text(L, NAME, "name"), in, n, m));
    push_new_node(L, m->node, n_out, true);
    owned_end(m);
  } else {
    Array **in = list_arrays(L, INPUTS, n_in, false);
    coroutine_enter(L);
    call_row(L, op, &p, in, n_in);
    lua_pushnil(L);
    lua_rawseti(L, -2, n_out + 1);         /* the hidden output */
  }
  owned_end(o);
  return 1;
}

void open_custom(lua_State *L) {
  set_function(L, "custom_call", custom_call);
  custom_engine = &engine;
}
