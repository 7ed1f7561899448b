/* upvalue_reads.c - whether a function reads an upvalue before it writes it, as far as the order of its instructions
** shows. */
#include "bind/trace/upvalue_reads.h"

#include <lauxlib.h>

#include "bind/trace/bytecode.h"

typedef enum Use { USE_NONE, USE_READ, USE_WRITE } Use;

static Use use_in(const Code *c, int upvalue) {
  for (int pc = 0; pc < c->n; pc++) {
    uint32_t i = code_at(c, pc);
    switch (op_of(i)) {
      case OP_GETUPVAL:
      case OP_GETTABUP:
        if (b_of(i) == upvalue) return USE_READ;
        break;
      case OP_SETUPVAL:
        if (b_of(i) == upvalue) return USE_WRITE;
        break;
      case OP_SETTABUP:
        if (a_of(i) == upvalue) return USE_READ;
        break;
    }
  }
  return USE_NONE;
}

/* The first use in a function, else in the functions in it that share the upvalue. d: at its constants. */
static Use use_within(Dump *d, const Code *c, int upvalue, int depth) {
  Use use = upvalue < 0 ? USE_NONE : use_in(c, upvalue);
  if (depth > 250) d->bad = true;
  for (int n = dump_int(d); n > 0 && !d->bad; n--) {
    Code inner;
    Dump peek;
    int shared = -1;
    dump_code(d, &inner);
    dump_skip_constants(d, dump_int(d));
    peek = *d;
    int count = dump_int(&peek);
    for (int i = 0; i < count && !peek.bad; i++) {
      int in_stack = dump_byte(&peek), index = dump_byte(&peek);
      dump_byte(&peek);
      if (!in_stack && index == upvalue) shared = i;
    }
    *d = peek;
    Use inside = use_within(d, &inner, shared, depth + 1);
    if (use == USE_NONE) use = inside;
  }
  /* line numbers, their marks, names of locals and upvalues */
  dump_skip(d, (size_t)dump_int(d));
  dump_skip_list(d, dump_int(d), 0, 2);
  dump_skip_list(d, dump_int(d), 1, 2);
  dump_skip_list(d, dump_int(d), 1, 0);
  return use;
}

/* reads_upvalue_first(string.dump(function), i) -> does it read upvalue i before it writes it? True if that cannot be
** determined. */
static int reads_upvalue_first(lua_State *L) {
  size_t size;
  const char *text = luaL_checklstring(L, 1, &size);
  int upvalue = (int)luaL_checkinteger(L, 2) - 1;
  Dump d = { .at = (const uint8_t *)text, .end = (const uint8_t *)text + size };
  Code c;
  dump_header(&d);
  dump_code(&d, &c);
  dump_skip_constants(&d, dump_int(&d));
  dump_skip(&d, (size_t)dump_int(&d) * 3);
  Use use = d.bad ? USE_READ : use_within(&d, &c, upvalue, 0);
  lua_pushboolean(L, d.bad || use != USE_WRITE);
  return 1;
}

void open_upvalue_reads(lua_State *L) {
  const luaL_Reg functions[] = { { "reads_upvalue_first", reads_upvalue_first }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}
