/* bound_reads.c - the hook's handling of numbers bound at run time: it puts stand-ins into registers, and rejects
** instructions and calls that need the number's value during the trace.
*/
#include "bind/follow/bound_reads.h"

#include <stdio.h>

#include "bind/follow/bytecode.h"
#include "bind/follow/read_record.h"

static BoundNumbers *numbers_now(void) { return follow_now()->numbers; }

/* ---- Places ---------------------------------------------------------------------------------------------- */

/* The index of the number at a place, or -1. */
static int number_of_upvalue(const Step *s, int n) {
  const BoundNumbers *numbers = numbers_now();
  lua_getinfo(s->L, "f", s->ar);
  const void *id = lua_upvalueid(s->L, -1, n + 1);
  lua_pop(s->L, 1);
  for (int i = 0; i < numbers->n && numbers->at[i].kind < NUMBER_CONSTANT; i++)
    if (numbers->at[i].kind == NUMBER_UPVALUE && numbers->at[i].place == id) return i;
  return -1;
}

static int number_of_field(const Step *s, int table, int key) {
  lua_State *L = s->L;
  const BoundNumbers *numbers = numbers_now();
  int top = lua_gettop(L), found = -1;
  for (int i = 0; i < numbers->n && numbers->at[i].kind < NUMBER_CONSTANT && found < 0; i++) {
    if (numbers->at[i].kind != NUMBER_FIELD || numbers->at[i].place != lua_topointer(L, table)) continue;
    push_numbers_now(L);
    push_bound_part(L, top + 1, i, BOUND_KEY);
    if (lua_rawequal(L, -1, key)) found = i;
    lua_settop(L, top);
  }
  return found;
}

/* Notes that the instruction reads number i into register A; false if i is -1. */
static bool expect(const Step *s, int i) {
  s->frame->bound = i + 1;
  s->frame->bound_register = a_of(s->i);
  return i >= 0;
}

bool bound_upvalue(const Step *s, int n) { return numbers_now() && expect(s, number_of_upvalue(s, n)); }

bool bound_field(const Step *s, int table, int key) {
  return numbers_now() && expect(s, number_of_field(s, table, key));
}

/* (numbers, i) -> the stand-in */
static int make_stand_in(lua_State *L) {
  push_stand_in(L, 1, (int)lua_tointeger(L, 2));
  return 1;
}

void bound_arrive(lua_State *L, lua_Debug *ar, Frame *f) {
  const int top = lua_gettop(L), i = f->bound - 1, r = f->bound_register;
  f->bound = 0;
  push_numbers_now(L);
  if (!lua_getlocal(L, ar, r + 1)) lua_pushnil(L);
  if (lua_type(L, -1) != LUA_TNUMBER) {
    const char *type = type_name(L, -1);
    follow_refuse(L, "scalars: %s: expected a number, got %s", push_bound_name(L, top + 1, i), type);
    return;
  }
  lua_settop(L, top + 1);
  lua_pushinteger(L, i);
  if (follow_protected(L, make_stand_in, 2, 1)) lua_setlocal(L, ar, r + 1);
  lua_settop(L, top);
}

/* ---- Writes ---------------------------------------------------------------------------------------------- */

static void refuse_write(const Step *s, int i) {
  push_numbers_now(s->L);
  follow_refuse(s->L,
                "%s is written in a traced function, and bound at run time (scalars): return the value, and write "
                "it outside, or leave it out of scalars",
                push_bound_name(s->L, lua_gettop(s->L), i));
}

void bound_write_upvalue(const Step *s, int n, int value) {
  if (!numbers_now()) return;
  lua_State *L = s->L;
  const int i = number_of_upvalue(s, n);
  if (i >= 0) refuse_write(s, i);
  if (bound_number(L, value) < 0) return;
  lua_getinfo(L, "f", s->ar);
  const bool outside = map_get(&follow_now()->upvalues, lua_upvalueid(L, -1, n + 1)) >= 0;
  lua_pop(L, 1);
  if (outside) refuse_bound(L, value, "store it outside of itself");
}

void bound_write_field(const Step *s, int table, int key, int value) {
  if (!numbers_now()) return;
  lua_State *L = s->L;
  const int i = number_of_field(s, table, key);
  if (i >= 0) refuse_write(s, i);
  if (bound_number(L, key) >= 0) refuse_bound(L, key, "use it as a key");
  if (bound_number(L, value) < 0) return;
  const bool own = lua_istable(L, table) && owner_kind(L, table) == OWNER_SCRIPT && !record_outside(L, table);
  if (!own) refuse_bound(L, value, "store it outside of itself");
}

/* ---- Refusals -------------------------------------------------------------------------------------------- */

static void refuse_register(const Step *s, int r, const char *what) {
  int at = step_register(s, r);
  if (bound_number(s->L, at) >= 0) refuse_bound(s->L, at, what);
}

static void refuse_registers(const Step *s, int first, int n, const char *what) {
  int top = lua_gettop(s->L);
  for (int r = first; r < first + n; r++) {
    refuse_register(s, r, what);
    lua_settop(s->L, top);
  }
}

/* Records a call of a function of Lua's math library with a stand-in: replaces the function in its register by one that
** records the call. */
static void record_math(const Step *s) {
  lua_State *L = s->L;
  const int a = a_of(s->i), n = b_of(s->i) - 1, function = step_register(s, a);
  bool any = false;
  if (n < 1 || !is_library_math(lua_tocfunction(L, function))) return;
  for (int r = a + 1; r <= a + n && !any; r++) any = bound_number(L, step_register(s, r)) >= 0;
  if (!any) return;
  lua_pushvalue(L, function);
  if (follow_protected(L, make_bound_math, 1, 1)) lua_setlocal(L, s->ar, a + 1);
}

static void refuse(const Step *s) {
  const uint32_t i = s->i;
  const int a = a_of(i), b = b_of(i), c = c_of(i);
  switch (op_of(i)) {
    case OP_EQ:
    case OP_LT:
    case OP_LE:
      refuse_register(s, a, "compare it");
      refuse_register(s, b, "compare it");
      break;
    case OP_EQK:
    case OP_EQI:
    case OP_LTI:
    case OP_LEI:
    case OP_GTI:
    case OP_GEI: refuse_register(s, a, "compare it"); break;
    case OP_TEST: refuse_register(s, a, "branch on it"); break;
    case OP_TESTSET:
    case OP_NOT: refuse_register(s, b, "branch on it"); break;
    case OP_GETTABLE:
      refuse_register(s, b, "index it");
      refuse_register(s, c, "use it as a key");
      break;
    case OP_SELF:
    case OP_GETI:
    case OP_GETFIELD: refuse_register(s, b, "index it"); break;
    case OP_CONCAT: refuse_registers(s, a, b, "convert it to a string"); break;
    case OP_FORPREP: refuse_registers(s, a, 3, "loop up to it"); break;
    case OP_CALL:
    case OP_TAILCALL: record_math(s); break;
    default: break;
  }
}

void bound_instruction(const Step *s) {
  if (!numbers_now()) return;
  int top = lua_gettop(s->L);
  refuse(s);
  lua_settop(s->L, top);
}

void bound_argument(lua_State *L, lua_Debug *ar, int value) {
  char what[80];
  if (!numbers_now() || bound_number(L, value) < 0) return;
  lua_getinfo(L, "n", ar);
  snprintf(what, sizeof what, "pass it to %s", ar->name ? ar->name : "a function in C");
  refuse_bound(L, value, what);
}
