/* device_value.c - contexts as Lua values, and the current one.
**
** A context is a userdata with a Device (base/device.h). Each device has one value while that is referenced, so
** contexts work as table keys. The current context is part of the coroutine's mode: a ModeScope (bind/core/coroutine.h)
** sets it.
*/
#include "bind/value/device_value.h"

#include <string.h>

#include "base/memory.h"
#include "bind/core/coroutine.h"
#include "bind/trace/tracing.h"

typedef struct DeviceObject { const void *tag; Device device; } DeviceObject;

static const char device_tag, known_key;

static DeviceObject *to_context(lua_State *L, int index) {
  DeviceObject *o = lua_touserdata(L, index);
  return o && lua_rawlen(L, index) == sizeof *o && o->tag == &device_tag ? o : NULL;
}

bool is_device_value(lua_State *L, int index) { return to_context(L, index) != NULL; }

void push_device(lua_State *L, Device d) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &known_key);
  if (lua_rawgeti(L, -1, (lua_Integer)d) == LUA_TNIL) {
    lua_pop(L, 1);
    DeviceObject *o = lua_newuserdatauv(L, sizeof *o, 0);
    *o = (DeviceObject){ .tag = &device_tag, .device = d };
    take_metatable(L, &device_tag);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, (lua_Integer)d);
  }
  lua_remove(L, -2);
}

bool is_device_list(lua_State *L, int index) {
  if (!lua_istable(L, index) || lua_rawlen(L, index) == 0) return false;
  lua_rawgeti(L, index, 1);
  bool yes = is_device_value(L, -1);
  lua_pop(L, 1);
  return yes;
}

Status check_device_value(lua_State *L, int index, const char *what, Device *out) {
  if (lua_isnoneornil(L, index) || is_null(L, index)) return OK;
  DeviceObject *o = to_context(L, index);
  lua_Unsigned n = lua_istable(L, index) ? lua_rawlen(L, index) : 0;
  if (!o && n == 1 && lua_checkstack(L, 1)) {
    lua_rawgeti(L, index, 1);
    o = to_context(L, -1);
    lua_pop(L, 1);                 /* the list holds it */
  }
  if (o) {
    *out = o->device;
    return OK;
  }
  if (n > 1 && is_device_list(L, index))
    return fail("%s: expected one context, such as hl.cpu(), got a list of %d", what, (int)n);
  return fail("%s: expected a context, such as hl.cpu(), got %s", what,
              n ? "a list of something else" : type_name(L, index));
}

Device required_device(lua_State *L, int index, const char *what) {
  Device device = 0;
  if (lua_isnoneornil(L, index)) raise_error(L, "%s: expected a context, such as hl.cpu(), got nothing", what);
  check(L, check_device_value(L, index, what, &device));
  return device;
}

Status check_call_device(const Op *op, Device given, Array *const *in, int n_in) {
  if (n_in == 0 || given == tensor_device(&in[0]->t)) return OK;
  return fail("%s: ctx: expected %s, the context of its inputs, got %s; write %s:as_in_context(ctx)", op->name,
              device_text(tensor_device(&in[0]->t)), device_text(given), op_input_name(op, 0));
}

/* check(what, value or nil) -> the context, or nil; raises for anything else and for a list of several */
static int check_ctx_of(lua_State *L) {
  Device d;
  lua_settop(L, 2);
  if (lua_isnil(L, 2) || is_null(L, 2)) {
    lua_pushnil(L);
    return 1;
  }
  check(L, check_device_value(L, 2, luaL_checkstring(L, 1), &d));
  push_device(L, d);
  return 1;
}

/* check_list(what, value or nil) -> a list of contexts; for nil, of the current one */
static int check_ctx_list(lua_State *L) {
  const char *what = luaL_checkstring(L, 1);
  lua_settop(L, 2);
  int n = lua_istable(L, 2) ? check_length(L, 2, what) : 0;
  if (n == 0) {
    Device d = coroutine_engine(L)->mode.device;
    check(L, check_device_value(L, 2, what, &d));
    lua_createtable(L, 1, 0);
    push_device(L, d);
    lua_rawseti(L, -2, 1);
    return 1;
  }
  lua_createtable(L, n, 0);
  for (int i = 1; i <= n; i++) {
    lua_rawgeti(L, 2, i);
    if (!is_device_value(L, -1))
      return raise_error(L, "%s: expected a list of contexts, such as {hl.cpu(0), hl.cpu(1)}, got %s in it", what,
                         type_name(L, -1));
    lua_rawseti(L, -2, i);
  }
  return 1;
}

static Device check_context(lua_State *L, int index) {
  DeviceObject *o = to_context(L, index);
  if (!o) raise_error(L, "expected a context, got %s", type_name(L, index));
  return o->device;
}

/* new(kind, id) -> the context */
static int context_new(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  int kind = 0, exact = 1;
  lua_Integer id = lua_isnoneornil(L, 2) ? 0 : lua_tointegerx(L, 2, &exact);
  while (kind < N_DEVICE_KINDS && strcmp(device_kind_name(kind), name) != 0) kind++;
  if (kind == N_DEVICE_KINDS)
    raise_error(L, "Context: device_type: expected 'cpu', 'gpu', 'cpu_pinned' or 'cpu_shared', got '%s'", name);
  if (lua_type(L, 2) == LUA_TSTRING)
    raise_error(L, "%s: device_id: expected an integer of 0 or more, got the string '%s'", name, lua_tostring(L, 2));
  if (!exact || id < 0 || id > MAX_DEVICE_ID)
    raise_error(L, "%s: device_id: expected an integer of 0 or more, got %s", name, luaL_tolstring(L, 2, NULL));
  push_device(L, device_of(kind, id));
  return 1;
}

static int context_tostring(lua_State *L) {
  lua_pushstring(L, device_text(check_context(L, 1)));
  return 1;
}

/* Upvalue 1: the methods. */
static int context_index(lua_State *L) {
  Device d = check_context(L, 1);
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  if (strcmp(key, "device_type") == 0) lua_pushstring(L, device_kind_name(device_kind(d)));
  else if (strcmp(key, "device_id") == 0) lua_pushinteger(L, device_id(d));
  else if (strcmp(key, "device_typeid") == 0) lua_pushinteger(L, device_kind_code(device_kind(d)));
  else {
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(1));
  }
  return 1;
}

static int context_is(lua_State *L) { return return_boolean(L, is_device_value(L, 1)); }

/* current() */
static int current(lua_State *L) {
  if (tracing(L)) trace_device(L);
  push_device(L, coroutine_engine(L)->mode.device);
  return 1;
}

/* The device of the first array among a call's arguments, in nested lists too. */
static bool first_device(lua_State *L, int first, int last, int depth, Device *device) {
  for (int i = first; i <= last; i++) {
    if (!is_array(L, i)) continue;
    *device = array_device(L, i);
    return true;
  }
  for (int i = first; i <= last && depth < 4; i++) {
    if (!lua_istable(L, i) || !lua_checkstack(L, 8)) continue;
    bool found = false;
    for (lua_Integer k = 1; !found && k <= (lua_Integer)lua_rawlen(L, i); k++) {
      lua_rawgeti(L, i, k);
      int top = lua_gettop(L);
      found = first_device(L, top, top, depth + 1, device);
      lua_pop(L, 1);
    }
    if (found) return true;
  }
  return false;
}

/* of_call(...) -> the context of the first array, or the current one; and whether it is the current one */
static int call_context(lua_State *L) {
  Device now = coroutine_engine(L)->mode.device, d = now;
  first_device(L, 1, lua_gettop(L), 0, &d);
  push_device(L, d);
  lua_pushboolean(L, d == now);
  return 2;
}

/* code(context) -> the number in a block's CONTEXT_SLOT (bind/call/call_cache.c) */
static int context_code(lua_State *L) { return return_integer(L, check_context(L, 1)); }

/* count(): the number of GPUs */
static int device_count(lua_State *L) {
  const DeviceMemory *memory = device_memory(device_of(DEVICE_GPU, 0));
  return return_integer(L, memory ? memory->n_devices : 0);
}

void open_device(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "new", context_new }, { "is", context_is }, { "check", check_ctx_of },
    { "check_list", check_ctx_list }, { "current", current }, { "of_call", call_context }, { "code", context_code },
    { "count", device_count },
    { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
  new_weak_table(L, &known_key, "v");        /* contexts by device */
  lua_newtable(L);                           /* the metatable of contexts */
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_setfield(L, -4, "methods");
  lua_pushcclosure(L, context_index, 1);
  lua_setfield(L, -2, "__index");
  set_function(L, "__tostring", context_tostring);
  set_string(L, "__name", "Context");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &device_tag);
}
