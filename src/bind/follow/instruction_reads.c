/* instruction_reads.c - what an instruction reads, by Lua's rules: upvalues, entries, metamethods that are there or
** missing. A metamethod that is called has a call of its own, whose instructions are followed.
*/
#include "bind/follow/bound_reads.h"
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

/* ---- Operands -------------------------------------------------------------------------------------------------- */

typedef enum Operand {
  NO_OPERAND,
  REGISTER_A,
  REGISTER_B,
  REGISTER_C,
  UPVALUE_A,
  UPVALUE_B,
  CONSTANT_B,
  CONSTANT_C,
  KEY_C,                     /* a constant, or a register */
  INTEGER_B,
  INTEGER_C,
  SIGNED_B
} Operand;

/* Pushes an operand and returns its stack index. Upvalues are recorded. */
static int operand(const Step *s, Operand which) {
  uint32_t i = s->i;
  switch (which) {
    case NO_OPERAND: return 0;
    case REGISTER_A: return step_register(s, a_of(i));
    case REGISTER_B: return step_register(s, b_of(i));
    case REGISTER_C: return step_register(s, c_of(i));
    case UPVALUE_A: return read_upvalue(s, a_of(i));
    case UPVALUE_B: return read_upvalue(s, b_of(i));
    case CONSTANT_B: return step_constant(s, b_of(i));
    case CONSTANT_C: return step_constant(s, c_of(i));
    case KEY_C: return k_of(i) ? step_constant(s, c_of(i)) : step_register(s, c_of(i));
    case INTEGER_B: lua_pushinteger(s->L, b_of(i)); break;
    case INTEGER_C: lua_pushinteger(s->L, c_of(i)); break;
    case SIGNED_B: lua_pushinteger(s->L, sb_of(i)); break;
  }
  return lua_gettop(s->L);
}

/* ---- What an instruction does with them -------------------------------------------------------------------------- */

/* In MMBINI and MMBINK, k swaps the operands. */
static void operate(const Step *s, int first, int second) {
  int event = c_of(s->i);
  bool swapped = op_of(s->i) != OP_MMBIN && k_of(s->i);
  if (event < N_EVENTS) read_metamethods(s->L, swapped ? second : first, swapped ? first : second, events[event]);
}

static void compare(lua_State *L, int a, int b, bool or_equal) {
  int type = lua_type(L, a);
  if (type == lua_type(L, b) && (type == LUA_TNUMBER || type == LUA_TSTRING)) return;
  if (read_metamethods(L, a, b, or_equal ? "__le" : "__lt") == LUA_TNIL && or_equal) read_metamethods(L, b, a, "__lt");
}

static void equate(lua_State *L, int a, int b) {
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

static void negate(lua_State *L, int value, const char *event) {
  if (lua_type(L, value) != LUA_TNUMBER) read_metamethod(L, value, event);
}

static void closes(lua_State *L, int value) {
  if (lua_toboolean(L, value)) read_metamethod(L, value, "__close");
}

/* ---- All of them ------------------------------------------------------------------------------------------------- */

typedef enum Action {
  NOTHING,
  GET_UPVALUE,
  SET_UPVALUE,
  INDEX,
  ASSIGN,                    /* KEY_C is the value */
  OPERATE,
  NEGATE,
  INVERT,
  MEASURE,
  CONCATENATE,
  EQUATE,
  LESS,
  LESS_EQUAL,
  CALL,
  CLOSE,
  BEGIN_LOOP
} Action;

static const struct { Action action; Operand first, second; } readings[] = {
  [OP_GETUPVAL] = { GET_UPVALUE },
  [OP_SETUPVAL] = { SET_UPVALUE, REGISTER_A },
  [OP_GETTABUP] = { INDEX, UPVALUE_B, CONSTANT_C },
  [OP_GETTABLE] = { INDEX, REGISTER_B, REGISTER_C },
  [OP_GETI] = { INDEX, REGISTER_B, INTEGER_C },
  [OP_GETFIELD] = { INDEX, REGISTER_B, CONSTANT_C },
  [OP_SELF] = { INDEX, REGISTER_B, KEY_C },
  [OP_SETTABUP] = { ASSIGN, UPVALUE_A, CONSTANT_B },
  [OP_SETTABLE] = { ASSIGN, REGISTER_A, REGISTER_B },
  [OP_SETI] = { ASSIGN, REGISTER_A, INTEGER_B },
  [OP_SETFIELD] = { ASSIGN, REGISTER_A, CONSTANT_B },
  [OP_MMBIN] = { OPERATE, REGISTER_A, REGISTER_B },
  [OP_MMBINI] = { OPERATE, REGISTER_A, SIGNED_B },
  [OP_MMBINK] = { OPERATE, REGISTER_A, CONSTANT_B },
  [OP_UNM] = { NEGATE, REGISTER_B },
  [OP_BNOT] = { INVERT, REGISTER_B },
  [OP_LEN] = { MEASURE, REGISTER_B },
  [OP_CONCAT] = { CONCATENATE },
  [OP_EQ] = { EQUATE, REGISTER_A, REGISTER_B },
  [OP_LT] = { LESS, REGISTER_A, REGISTER_B },
  [OP_LE] = { LESS_EQUAL, REGISTER_A, REGISTER_B },
  [OP_LTI] = { LESS, REGISTER_A, SIGNED_B },
  [OP_LEI] = { LESS_EQUAL, REGISTER_A, SIGNED_B },
  [OP_GTI] = { LESS, SIGNED_B, REGISTER_A },
  [OP_GEI] = { LESS_EQUAL, SIGNED_B, REGISTER_A },
  [OP_CALL] = { CALL, REGISTER_A },
  [OP_TAILCALL] = { CALL, REGISTER_A },
  [OP_TFORCALL] = { CALL, REGISTER_A },
  [OP_TBC] = { CLOSE, REGISTER_A },
  [OP_TFORPREP] = { BEGIN_LOOP, REGISTER_A },
  [OP_EXTRAARG] = { NOTHING },
};

void instruction_reads(const Step *s) {
  lua_State *L = s->L;
  int op = op_of(s->i), top = lua_gettop(L);
  if (op > OP_EXTRAARG || readings[op].action == NOTHING) return;
  int first = operand(s, readings[op].first), second = operand(s, readings[op].second), value;
  switch (readings[op].action) {
    case NOTHING:
    case GET_UPVALUE:
      if (!bound_upvalue(s, b_of(s->i))) read_upvalue(s, b_of(s->i));
      break;
    case SET_UPVALUE:
      bound_write_upvalue(s, b_of(s->i), first);
      record_write_upvalue(L, push_function(s), b_of(s->i) + 1, first);
      break;
    case INDEX:
      if (!bound_field(s, first, second)) read_index(L, first, second);
      break;
    case ASSIGN:
      value = operand(s, KEY_C);
      bound_write_field(s, first, second, value);
      read_newindex(L, first, second, value);
      break;
    case OPERATE: operate(s, first, second); break;
    case NEGATE: negate(L, first, "__unm"); break;
    case INVERT: negate(L, first, "__bnot"); break;
    case MEASURE: read_length(L, first); break;
    case CONCATENATE: concatenate(s); break;
    case EQUATE: equate(L, first, second); break;
    case LESS: compare(L, first, second, false); break;
    case LESS_EQUAL: compare(L, first, second, true); break;
    case CALL: read_call(L, first); break;
    case CLOSE: closes(L, first); break;
    case BEGIN_LOOP:
      closes(L, step_register(s, a_of(s->i) + 3));
      read_call(L, first);
      break;
  }
  lua_settop(L, top);
}
