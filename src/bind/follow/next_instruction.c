/* next_instruction.c - the next instruction of a function.
**
** Every instruction of Lua 5.4 has one successor, or two between which the registers decide (Lua's luaV_execute).
** Some instructions cause no event of the hook: the JMP after a comparison; TFORLOOP after TFORCALL; TFORCALL after
** TFORPREP; the EXTRAARG after NEWTABLE, LOADKX and SETLIST; the MMBIN that arithmetic on numbers skips.
*/
#include "bind/follow/follow.h"

#include <math.h>

#include <lauxlib.h>

#include "bind/follow/bytecode.h"

int step_register(const Step *s, int r) {
  if (!lua_getlocal(s->L, s->ar, r + 1)) lua_pushnil(s->L);
  return lua_gettop(s->L);
}

int step_constant(const Step *s, int number) {
  push_constant(s->L, s->frame->prototype, number);
  return lua_gettop(s->L);
}

static bool is_number(lua_State *L, int index) { return lua_type(L, index) == LUA_TNUMBER; }

/* Is it a number that bitwise operators accept? */
static bool is_whole(lua_State *L, int index) {
  lua_Integer n;
  if (!is_number(L, index)) return false;
  if (lua_isinteger(L, index)) return true;
  lua_Number x = lua_tonumber(L, index);
  return floor(x) == x && lua_numbertointeger(x, &n);
}

/* ---- Comparisons ------------------------------------------------------------------------------------------ */

/* The successor of a comparison, which skips or runs the JMP after it. */
static int branch(const Frame *f, uint32_t i, bool result) {
  return f->pc + 2 + (result == k_of(i) ? jump_of(f->prototype->code[f->pc + 1]) : 0);
}

static bool has_metamethod(lua_State *L, int value, const char *event) {
  if (luaL_getmetafield(L, value, event) == LUA_TNIL) return false;
  lua_pop(L, 1);
  return true;
}

/* Keeps the frame at this instruction until the metamethod, which decides, has returned. */
static int await(Frame *f, bool negates) {
  f->awaits = true;
  f->awaited = NULL;
  f->negates = negates;
  return f->pc;
}

static int order(const Step *s, int a, int b, bool or_equal) {
  lua_State *L = s->L;
  bool simple = (is_number(L, a) && is_number(L, b)) ||
                (lua_type(L, a) == LUA_TSTRING && lua_type(L, b) == LUA_TSTRING);
  if (simple) return branch(s->frame, s->i, lua_compare(L, a, b, or_equal ? LUA_OPLE : LUA_OPLT));
  /* a Lua with LUA_COMPAT_LT_LE computes a <= b as `not (b < a)` */
  bool by_less = or_equal && !has_metamethod(L, a, "__le") && !has_metamethod(L, b, "__le");
  return await(s->frame, by_less);
}

static int equality(const Step *s, int a, int b) {
  lua_State *L = s->L;
  bool same = lua_rawequal(L, a, b);
  int type = lua_type(L, a);
  bool objects = type == lua_type(L, b) && (type == LUA_TTABLE || type == LUA_TUSERDATA);
  if (same || !objects || (!has_metamethod(L, a, "__eq") && !has_metamethod(L, b, "__eq")))
    return branch(s->frame, s->i, same);
  return await(s->frame, false);
}

/* LTI, LEI, GTI, GEI compare with a small integer. */
static int order_with_integer(const Step *s, Opcode op) {
  int a = step_register(s, a_of(s->i));
  lua_pushinteger(s->L, sb_of(s->i));
  bool flipped = op == OP_GTI || op == OP_GEI;
  return order(s, flipped ? a + 1 : a, flipped ? a : a + 1, op == OP_LEI || op == OP_GEI);
}

void settle_comparison(Frame *f, bool result) {
  f->awaits = false;
  f->pc = branch(f, f->prototype->code[f->pc], result != f->negates);
}

/* ---- Loops ----------------------------------------------------------------------------------------------- */

/* The limit of a loop over integers, clipped like in Lua's forlimit; false if the loop does not run. */
static bool clip_limit(lua_State *L, int limit, lua_Integer step, lua_Integer *out) {
  if (lua_isinteger(L, limit)) {
    *out = lua_tointeger(L, limit);
    return true;
  }
  lua_Number x = lua_tonumber(L, limit);
  if (lua_numbertointeger(step < 0 ? ceil(x) : floor(x), out)) return true;
  if (x > 0 ? step < 0 : step > 0) return false;
  *out = x > 0 ? LUA_MAXINTEGER : LUA_MININTEGER;
  return true;
}

/* Does FORPREP enter the loop? After an error (a step of 0, a limit that is not a number) the result does not
** matter. */
static bool loop_begins(const Step *s) {
  lua_State *L = s->L;
  int first = step_register(s, a_of(s->i)), limit = step_register(s, a_of(s->i) + 1);
  int step = step_register(s, a_of(s->i) + 2);
  if (lua_isinteger(L, first) && lua_isinteger(L, step)) {
    lua_Integer i = lua_tointeger(L, first), by = lua_tointeger(L, step), last;
    if (!clip_limit(L, limit, by, &last)) return false;
    return by > 0 ? i <= last : i >= last;
  }
  lua_Number i = lua_tonumber(L, first), last = lua_tonumber(L, limit);
  return lua_tonumber(L, step) > 0 ? !(last < i) : !(i < last);
}

/* Does FORLOOP jump back? In a loop over integers the second register counts down. */
static bool loop_continues(const Step *s) {
  lua_State *L = s->L;
  int at = step_register(s, a_of(s->i)), limit = step_register(s, a_of(s->i) + 1);
  int step = step_register(s, a_of(s->i) + 2);
  if (lua_isinteger(L, step)) return (lua_Unsigned)lua_tointeger(L, limit) > 0;
  lua_Number by = lua_tonumber(L, step), i = lua_tonumber(L, at) + by, last = lua_tonumber(L, limit);
  return by > 0 ? i <= last : last <= i;
}

/* TFORCALL is at pc; TFORLOOP follows without an event. */
static int loop_calls(Frame *f, int pc) {
  f->loops = true;
  return pc + 1;
}

void settle_instruction(lua_State *L, lua_Debug *ar, Frame *f) {
  f->makes = false;
  if (!f->loops) return;
  uint32_t i = f->prototype->code[f->pc];
  bool over = !lua_getlocal(L, ar, a_of(i) + 5) || lua_isnil(L, -1);
  f->loops = false;
  f->pc += 1 - (over ? 0 : bx_of(i));
}

/* ---- All of them ----------------------------------------------------------------------------------------- */

/* Does arithmetic skip its MMBIN? It does if its operands, one register and a constant or two registers, are
** numbers. */
static bool skips_metamethod(const Step *s, Opcode op) {
  if (op < OP_ADDI || op > OP_SHR) return false;
  const bool bitwise = (op >= OP_BANDK && op <= OP_SHLI) || op >= OP_BAND, two_registers = op >= OP_ADD;
  bool (*const fits)(lua_State *, int) = bitwise ? is_whole : is_number;
  return fits(s->L, step_register(s, b_of(s->i))) && (!two_registers || fits(s->L, step_register(s, c_of(s->i))));
}

static int successor(const Step *s) {
  lua_State *L = s->L;
  Frame *f = s->frame;
  uint32_t i = s->i;
  int pc = f->pc, a;
  Opcode op = (Opcode)op_of(i);
  switch (op) {
    case OP_LFALSESKIP:
    case OP_LOADKX:
    case OP_NEWTABLE: return pc + 2;
    case OP_SETLIST: return pc + 1 + k_of(i);
    case OP_JMP: return pc + 1 + jump_of(i);
    case OP_EQ: a = step_register(s, a_of(i)); return equality(s, a, step_register(s, b_of(i)));
    case OP_LT:
    case OP_LE: a = step_register(s, a_of(i)); return order(s, a, step_register(s, b_of(i)), op == OP_LE);
    case OP_LTI:
    case OP_LEI:
    case OP_GTI:
    case OP_GEI: return order_with_integer(s, op);
    case OP_EQK: a = step_register(s, a_of(i)); return branch(f, i, lua_rawequal(L, a, step_constant(s, b_of(i))));
    case OP_EQI: a = step_register(s, a_of(i)); return branch(f, i, is_number(L, a) && lua_tonumber(L, a) == sb_of(i));
    case OP_TEST: return branch(f, i, lua_toboolean(L, step_register(s, a_of(i))));
    case OP_TESTSET: return branch(f, i, lua_toboolean(L, step_register(s, b_of(i))));
    case OP_FORPREP: return loop_begins(s) ? pc + 1 : pc + 2 + bx_of(i);
    case OP_FORLOOP: return loop_continues(s) ? pc + 1 - bx_of(i) : pc + 1;
    case OP_TFORPREP: return loop_calls(f, pc + 1 + bx_of(i));
    case OP_TFORCALL: return loop_calls(f, pc);
    case OP_CLOSURE: f->makes = true; return pc + 1;
    default: return pc + 1 + skips_metamethod(s, op);
  }
}

void next_instruction(const Step *s) {
  int top = lua_gettop(s->L);
  s->frame->pc = successor(s);
  lua_settop(s->L, top);
}
