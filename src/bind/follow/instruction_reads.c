/* instruction_reads.c - what an instruction reads, by Lua's rules: upvalues, entries, metamethods that are there or
** missing. A metamethod that is called has a call of its own, whose instructions are followed.
*/
#include "bind/follow/bytecode.h"
#include "bind/follow/read_record.h"

/* The events in the order of Lua's TMS: the instructions MMBIN name them by number. */
static const char *const events[] = { "__index", "__newindex", "__gc",  "__mode", "__len",    "__eq",
                                      "__add",   "__sub",      "__mul", "__mod",  "__pow",    "__div",
                                      "__idiv",  "__band",     "__bor", "__bxor", "__shl",    "__shr",
                                      "__unm",   "__bnot",     "__lt",  "__le",   "__concat", "__call" };
enum { N_EVENTS = sizeof events / sizeof *events };

static int push_function(const Step *s) {
  lua_getinfo(s->L, "f", s->ar);
  return lua_gettop(s->L);
}

/* Pushes upvalue n, from 0, which is read. */
static int read_upvalue(const Step *s, int n) {
  int function = push_function(s);
  if (!lua_getupvalue(s->L, function, n + 1)) lua_pushnil(s->L);
  record_upvalue(s->L, function, n + 1, -1);
  return lua_gettop(s->L);
}

static void binary(const Step *s, int first, int second) {
  int event = c_of(s->i);
  if (event >= N_EVENTS) return;
  /* MMBINI and MMBINK with k have the operands in the other order */
  bool flipped = op_of(s->i) != OP_MMBIN && k_of(s->i);
  read_metamethods(s->L, flipped ? second : first, flipped ? first : second, events[event]);
}

static void compare(const Step *s, int a, int b, bool or_equal) {
  lua_State *L = s->L;
  int type = lua_type(L, a);
  if (type == lua_type(L, b) && (type == LUA_TNUMBER || type == LUA_TSTRING)) return;
  if (read_metamethods(L, a, b, or_equal ? "__le" : "__lt") == LUA_TNIL && or_equal) read_metamethods(L, b, a, "__lt");
}

static void compare_with_integer(const Step *s) {
  int op = op_of(s->i), a = step_register(s, a_of(s->i));
  lua_pushinteger(s->L, sb_of(s->i));
  bool flipped = op == OP_GTI || op == OP_GEI;
  compare(s, flipped ? a + 1 : a, flipped ? a : a + 1, op == OP_LEI || op == OP_GEI);
}

static void equal(const Step *s, int a, int b) {
  lua_State *L = s->L;
  int type = lua_type(L, a);
  if (type != lua_type(L, b) || (type != LUA_TTABLE && type != LUA_TUSERDATA) || lua_rawequal(L, a, b)) return;
  read_metamethods(L, a, b, "__eq");
}

static void concatenate(const Step *s) {
  lua_State *L = s->L;
  int top = lua_gettop(L), first = a_of(s->i), n = b_of(s->i);
  bool plain = true;
  for (int r = first; r < first + n; r++) {
    int type = lua_type(L, step_register(s, r));
    plain = plain && (type == LUA_TSTRING || type == LUA_TNUMBER);
    lua_settop(L, top);
  }
  for (int r = first; r < first + n && !plain; r++) {
    read_metamethod(L, step_register(s, r), "__concat");
    lua_settop(L, top);
  }
}

static void unary(const Step *s, const char *event) {
  int value = step_register(s, b_of(s->i));
  if (lua_type(s->L, value) != LUA_TNUMBER) read_metamethod(s->L, value, event);
}

static void closes(const Step *s, int r) {
  int value = step_register(s, r);
  if (lua_toboolean(s->L, value)) read_metamethod(s->L, value, "__close");
}

/* An assignment to an entry. */
static void assigns(const Step *s, int table, int key) { read_newindex(s->L, table, key, step_key(s, c_of(s->i))); }

static void reads(const Step *s) {
  lua_State *L = s->L;
  uint32_t i = s->i;
  int a = a_of(i), b = b_of(i), c = c_of(i), t;
  switch (op_of(i)) {
    case OP_GETUPVAL: read_upvalue(s, b); break;
    case OP_SETUPVAL:
      t = step_register(s, a);
      record_write_upvalue(L, push_function(s), b + 1, t);
      break;
    case OP_GETTABUP:
      t = read_upvalue(s, b);
      read_index(L, t, step_constant(s, c));
      break;
    case OP_GETTABLE:
      t = step_register(s, b);
      read_index(L, t, step_register(s, c));
      break;
    case OP_GETI:
      t = step_register(s, b);
      lua_pushinteger(L, c);
      read_index(L, t, t + 1);
      break;
    case OP_GETFIELD:
      t = step_register(s, b);
      read_index(L, t, step_constant(s, c));
      break;
    case OP_SELF:
      t = step_register(s, b);
      read_index(L, t, step_key(s, c));
      break;
    case OP_SETTABUP:
      t = read_upvalue(s, a);
      assigns(s, t, step_constant(s, b));
      break;
    case OP_SETTABLE:
      t = step_register(s, a);
      assigns(s, t, step_register(s, b));
      break;
    case OP_SETI:
      t = step_register(s, a);
      lua_pushinteger(L, b);
      assigns(s, t, t + 1);
      break;
    case OP_SETFIELD:
      t = step_register(s, a);
      assigns(s, t, step_constant(s, b));
      break;
    case OP_MMBIN:
      t = step_register(s, a);
      binary(s, t, step_register(s, b));
      break;
    case OP_MMBINI:
      t = step_register(s, a);
      lua_pushinteger(L, sb_of(i));
      binary(s, t, t + 1);
      break;
    case OP_MMBINK:
      t = step_register(s, a);
      binary(s, t, step_constant(s, b));
      break;
    case OP_UNM: unary(s, "__unm"); break;
    case OP_BNOT: unary(s, "__bnot"); break;
    case OP_LEN: read_length(L, step_register(s, b)); break;
    case OP_CONCAT: concatenate(s); break;
    case OP_TBC: closes(s, a); break;
    case OP_EQ:
      t = step_register(s, a);
      equal(s, t, step_register(s, b));
      break;
    case OP_LT:
    case OP_LE:
      t = step_register(s, a);
      compare(s, t, step_register(s, b), op_of(i) == OP_LE);
      break;
    case OP_LTI:
    case OP_LEI:
    case OP_GTI:
    case OP_GEI: compare_with_integer(s); break;
    case OP_CALL:
    case OP_TAILCALL:
    case OP_TFORCALL: read_call(L, step_register(s, a)); break;
    case OP_TFORPREP:
      closes(s, a + 3);
      read_call(L, step_register(s, a));
      break;
    default: break;
  }
}

void instruction_reads(const Step *s) {
  int top = lua_gettop(s->L);
  reads(s);
  lua_settop(s->L, top);
}
