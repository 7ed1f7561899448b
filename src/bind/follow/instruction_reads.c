/* instruction_reads.c - the places that an instruction reads by Lua's rules: upvalues, entries, present and missing
** metamethods. A metamethod that is called is followed like any function.
*/
#include "bind/follow/bound_reads.h"
#include "bind/follow/bytecode.h"
#include "bind/follow/read_record.h"

/* The events in the order of Lua's TMS, whose numbers the MMBIN instructions contain. */
static const char *const events[] = { "__index", "__newindex", "__gc",  "__mode", "__len",    "__eq",
                                      "__add",   "__sub",      "__mul", "__mod",  "__pow",    "__div",
                                      "__idiv",  "__band",     "__bor", "__bxor", "__shl",    "__shr",
                                      "__unm",   "__bnot",     "__lt",  "__le",   "__concat", "__call" };
enum { N_EVENTS = sizeof events / sizeof *events };

static int push_function(const Step *s) {
  lua_getinfo(s->L, "f", s->ar);
  return lua_gettop(s->L);
}

/* Pushes upvalue n, counted from 0, and records its read. */
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
  KEY_C,                     /* a constant or a register */
  INTEGER_B,
  INTEGER_C,
  SIGNED_B
} Operand;

/* Pushes an operand and returns its stack index. Reads of upvalues are recorded. */
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

/* ---- Actions: `on` has the operands' stack indices ----------------------------------------- */

static void get_upvalue(const Step *s, const int *on) {
  (void)on;
  if (!bound_upvalue(s, b_of(s->i))) read_upvalue(s, b_of(s->i));
}

static void set_upvalue(const Step *s, const int *on) {
  bound_write_upvalue(s, b_of(s->i), on[0]);
  record_write_upvalue(s->L, push_function(s), b_of(s->i) + 1, on[0]);
}

static void get_entry(const Step *s, const int *on) {
  if (!bound_field(s, on[0], on[1])) read_index(s->L, on[0], on[1]);
}

static void set_entry(const Step *s, const int *on) {
  int value = operand(s, KEY_C);
  bound_write_field(s, on[0], on[1], value);
  read_newindex(s->L, on[0], on[1], value);
}

/* In MMBINI and MMBINK, k swaps the operands. */
static void operate(const Step *s, const int *on) {
  int event = c_of(s->i);
  bool swapped = op_of(s->i) != OP_MMBIN && k_of(s->i);
  if (event < N_EVENTS) read_metamethods(s->L, on[swapped], on[!swapped], events[event]);
}

static void operate_alone(lua_State *L, int value, const char *event) {
  if (lua_type(L, value) != LUA_TNUMBER) read_metamethod(L, value, event);
}
static void negate(const Step *s, const int *on) { operate_alone(s->L, on[0], "__unm"); }
static void invert(const Step *s, const int *on) { operate_alone(s->L, on[0], "__bnot"); }

static void measure(const Step *s, const int *on) { read_length(s->L, on[0]); }

static void concatenate(const Step *s, const int *on) {
  lua_State *L = s->L;
  int top = lua_gettop(L), first = a_of(s->i), n = b_of(s->i);
  bool plain = true;
  (void)on;
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

static void equate(const Step *s, const int *on) {
  int type = lua_type(s->L, on[0]);
  bool objects = type == lua_type(s->L, on[1]) && (type == LUA_TTABLE || type == LUA_TUSERDATA);
  if (objects && !lua_rawequal(s->L, on[0], on[1])) read_metamethods(s->L, on[0], on[1], "__eq");
}

/* Are both numbers, or both strings? */
static bool ordered(lua_State *L, const int *on) {
  int type = lua_type(L, on[0]);
  return type == lua_type(L, on[1]) && (type == LUA_TNUMBER || type == LUA_TSTRING);
}

static void less(const Step *s, const int *on) {
  if (!ordered(s->L, on)) read_metamethods(s->L, on[0], on[1], "__lt");
}

static void less_equal(const Step *s, const int *on) {
  if (!ordered(s->L, on) && read_metamethods(s->L, on[0], on[1], "__le") == LUA_TNIL)
    read_metamethods(s->L, on[1], on[0], "__lt");
}

static void call(const Step *s, const int *on) { read_call(s->L, on[0]); }

static void close(const Step *s, const int *on) {
  if (lua_toboolean(s->L, on[0])) read_metamethod(s->L, on[0], "__close");
}

static void begin_loop(const Step *s, const int *on) {
  int closing = step_register(s, a_of(s->i) + 3);
  close(s, &closing);
  call(s, on);
}

/* ---- All of them ------------------------------------------------------------------------------------------------- */

static const struct { void (*act)(const Step *s, const int *on); Operand first, second; } readings[] = {
  [OP_GETUPVAL] = { get_upvalue },
  [OP_SETUPVAL] = { set_upvalue, REGISTER_A },
  [OP_GETTABUP] = { get_entry, UPVALUE_B, CONSTANT_C },
  [OP_GETTABLE] = { get_entry, REGISTER_B, REGISTER_C },
  [OP_GETI] = { get_entry, REGISTER_B, INTEGER_C },
  [OP_GETFIELD] = { get_entry, REGISTER_B, CONSTANT_C },
  [OP_SELF] = { get_entry, REGISTER_B, KEY_C },
  [OP_SETTABUP] = { set_entry, UPVALUE_A, CONSTANT_B },
  [OP_SETTABLE] = { set_entry, REGISTER_A, REGISTER_B },
  [OP_SETI] = { set_entry, REGISTER_A, INTEGER_B },
  [OP_SETFIELD] = { set_entry, REGISTER_A, CONSTANT_B },
  [OP_MMBIN] = { operate, REGISTER_A, REGISTER_B },
  [OP_MMBINI] = { operate, REGISTER_A, SIGNED_B },
  [OP_MMBINK] = { operate, REGISTER_A, CONSTANT_B },
  [OP_UNM] = { negate, REGISTER_B },
  [OP_BNOT] = { invert, REGISTER_B },
  [OP_LEN] = { measure, REGISTER_B },
  [OP_CONCAT] = { concatenate },
  [OP_EQ] = { equate, REGISTER_A, REGISTER_B },
  [OP_LT] = { less, REGISTER_A, REGISTER_B },
  [OP_LE] = { less_equal, REGISTER_A, REGISTER_B },
  [OP_LTI] = { less, REGISTER_A, SIGNED_B },
  [OP_LEI] = { less_equal, REGISTER_A, SIGNED_B },
  [OP_GTI] = { less, SIGNED_B, REGISTER_A },
  [OP_GEI] = { less_equal, SIGNED_B, REGISTER_A },
  [OP_CALL] = { call, REGISTER_A },
  [OP_TAILCALL] = { call, REGISTER_A },
  [OP_TFORCALL] = { call, REGISTER_A },
  [OP_TBC] = { close, REGISTER_A },
  [OP_TFORPREP] = { begin_loop, REGISTER_A },
  [OP_EXTRAARG] = { NULL },
};

void instruction_reads(const Step *s) {
  int op = op_of(s->i), top = lua_gettop(s->L);
  if (op > OP_EXTRAARG || !readings[op].act) return;
  int on[2];
  on[0] = operand(s, readings[op].first);
  on[1] = operand(s, readings[op].second);
  readings[op].act(s, on);
  lua_settop(s->L, top);
}
