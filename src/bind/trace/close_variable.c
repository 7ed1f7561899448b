/* close_variable.c - see close_variable.h.
**
** Lua does not inform a value that it entered a close variable, nor a function what becomes of its result, but
** the caller's instructions show it: OP_CALL, and then OP_TBC of the same register. They are read from
** the output of string.dump, whose format is fixed for Lua 5.4 and checked here; a function with unexpected output
** counts as one without close variables. Which of its calls is running is found by line, by the name in the call and
** by register, since Lua shows the caller's values below the called function (debug.getlocal). Calls that share all
** three must agree.
**
** A function is read once. One with no OP_TBC is read no further than its instructions.
*/
#include "bind/trace/close_variable.h"

#include <stdint.h>
#include <string.h>

#include <lauxlib.h>

#include "bind/follow/bytecode.h"

/* Does it leave a value in register A? */
static bool loads(int op) {
  return (op <= OP_GETFIELD && op != OP_SETUPVAL) || (op >= OP_NEWTABLE && op <= OP_SHR) ||
         (op >= OP_UNM && op <= OP_CONCAT) || op == OP_TESTSET || op == OP_CALL || op == OP_CLOSURE || op == OP_VARARG;
}

static bool has_tbc(const Code *c) {
  for (int pc = 0; pc < c->n; pc++)
    if (op_of(code_at(c, pc)) == OP_TBC) return true;
  return false;
}

/* ---- Its calls -------------------------------------------------------------------------------------- */

/* Does the value in register `reg` before `pc`, neither nil nor false, become the value of a close variable,
** with nothing in between but constants and jumps: f(), f() or g(), a and f() or g()? */
static bool enters(const Code *c, int pc, int reg) {
  while (pc >= 0 && pc < c->n) {
    uint32_t i = code_at(c, pc++);
    int a = a_of(i);
    switch (op_of(i)) {
      case OP_TBC: return a == reg;
      case OP_JMP: {
        int to = pc + jump_of(i);
        if (to < pc) return false;
        pc = to;
        break;
      }
      case OP_TEST:
        if (a != reg) return false;
        if (!k_of(i)) pc++;
        break;
      case OP_TESTSET:
        if (b_of(i) != reg) return false;
        if (k_of(i)) reg = a;
        else pc++;
        break;
      case OP_LOADI:
      case OP_LOADF:
      case OP_LOADK:
      case OP_LOADFALSE:
      case OP_LOADTRUE:
        if (a == reg) return false;
        break;
      default: return false;
    }
  }
  return false;
}

/* ---- The names in the calls, as lua_getinfo reports them ---- */

enum { NAME = 24 };          /* bytes of a name that are compared; "": the name is not known */

static void next_name(Dump *d, char name[NAME]) {
  size_t n = dump_size(d);
  const uint8_t *text = n ? dump_skip(d, n - 1) : NULL;
  if (!text) return;
  n = n - 1 < NAME - 1 ? n - 1 : NAME - 1;
  memcpy(name, text, n);
  name[n] = '\0';
}

static void constant_name(const Code *c, int index, char name[NAME]) {
  Dump d = c->constants;
  if (index >= dump_int(&d)) return;
  dump_skip_constants(&d, index);
  if ((dump_byte(&d) & 0x0F) == 0x04) next_name(&d, name);
}

static void upvalue_name(const Code *c, int index, char name[NAME]) {
  Dump d = c->upvalues;
  if (index >= dump_int(&d)) return;
  dump_skip_list(&d, index, 1, 0);
  next_name(&d, name);
}

static void local_name(const Code *c, int reg, int pc, char name[NAME]) {
  Dump d = c->locals;
  for (int n = dump_int(&d); n > 0 && !d.bad; n--) {
    char found[NAME] = "";
    next_name(&d, found);
    int from = dump_int(&d), to = dump_int(&d);
    if (from > pc) return;
    if (pc < to && reg-- == 0) {
      memcpy(name, found, NAME);
      return;
    }
  }
}

/* The name of the function that the instruction at `pc` left in a register. */
static void loaded_name(const Code *c, int pc, char name[NAME]) {
  uint32_t i = code_at(c, pc);
  switch (op_of(i)) {
    case OP_GETTABUP:
    case OP_GETFIELD: constant_name(c, c_of(i), name); break;
    case OP_GETUPVAL: upvalue_name(c, b_of(i), name); break;
    case OP_MOVE: local_name(c, b_of(i), pc, name); break;
  }
}

typedef struct CallSite {
  int line, reg;             /* the line of the call; the register of the function, and of its result */
  bool method;               /* x:f() */
  bool enters;
  char name[NAME];
} CallSite;

typedef struct BytecodeWalk {
  const Code *code;
  int pc, line;
  Dump marks;
  int loader[256];           /* by register: the instruction that set it */
} BytecodeWalk;

static void walk_line(BytecodeWalk *w) {
  if (w->pc >= w->code->n_lines) {
    w->line = -1;
    return;
  }
  int8_t step = (int8_t)w->code->lines[w->pc];
  if (step != -0x80) {
    w->line += step;
    return;
  }
  dump_int(&w->marks);
  w->line = dump_int(&w->marks);
}

static BytecodeWalk walk(const Code *c) {
  BytecodeWalk w = (BytecodeWalk){ .code = c, .line = c->first_line, .marks = c->marks };
  dump_int(&w.marks);
  return w;
}

static bool next_call(BytecodeWalk *w, CallSite *call) {
  while (w->pc < w->code->n) {
    uint32_t i = code_at(w->code, w->pc);
    int op = op_of(i), a = a_of(i);
    walk_line(w);
    int loader = w->loader[a];
    if (loads(op)) w->loader[a] = w->pc;
    w->pc++;
    if (op != OP_CALL) continue;
    *call = (CallSite){ .line = w->line,
                        .reg = a,
                        .method = op_of(code_at(w->code, loader)) == OP_SELF,
                        .enters = enters(w->code, w->pc, a) };
    loaded_name(w->code, loader, call->name);
    return true;
  }
  return false;
}

/* ---- What is known of a function --------------------------------------------------------------------- */

static const char known_key;                 /* in the registry: CallSites, or false, by function; weak */

/* A function's calls whose results enter close variables, and those that share line and register with one. */
typedef struct CallSites { int n; CallSite call[]; } CallSites;

static bool shares_place(const CallSites *s, const CallSite *call) {
  for (int i = 0; i < s->n; i++)
    if (s->call[i].line == call->line && s->call[i].reg == call->reg) return true;
  return false;
}

/* Without `entering`, pushes the calls whose results enter close variables; else those that share line and register
** with one of `entering`. */
static CallSites *push_matching(lua_State *L, const Code *c, const CallSites *entering) {
  int n = 0;
  CallSite call;
  for (BytecodeWalk w = walk(c); next_call(&w, &call);) n += entering ? shares_place(entering, &call) : call.enters;
  CallSites *s = lua_newuserdatauv(L, sizeof *s + (size_t)n * sizeof *s->call, 0);
  s->n = 0;
  for (BytecodeWalk w = walk(c); next_call(&w, &call);)
    if (entering ? shares_place(entering, &call) : call.enters) s->call[s->n++] = call;
  return s;
}

/* Pushes the function's CallSites, or false if it has none. */
static void push_calls(lua_State *L, const Code *c) {
  const CallSites *entering = push_matching(L, c, NULL);
  if (entering->n == 0) lua_pushboolean(L, false);
  else push_matching(L, c, entering);
}

typedef struct CallWriter {
  luaL_Buffer buffer;
  bool begun, looked;        /* looked: all instructions were there and were checked */
} CallWriter;

/* Stops if no instruction is OP_TBC. */
static int write_dump(lua_State *L, const void *bytes, size_t n, void *data) {
  CallWriter *w = data;
  if (!w->begun) luaL_buffinit(L, &w->buffer);
  w->begun = true;
  luaL_addlstring(&w->buffer, bytes, n);
  if (w->looked) return 0;
  const uint8_t *at = (const uint8_t *)luaL_buffaddr(&w->buffer);
  Dump d = { .at = at, .end = at + luaL_bufflen(&w->buffer) };
  Code c;
  dump_header(&d);
  dump_code(&d, &c);
  w->looked = !d.bad;
  return w->looked && !has_tbc(&c);
}

/* Reads the function on top and pushes its CallSites, or false. */
static void study(lua_State *L) {
  int top = lua_gettop(L);
  CallWriter w = { .begun = false };
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  if (lua_dump(L, write_dump, &w, 0) != 0 || !w.looked) {
    lua_settop(L, top);
    lua_pushboolean(L, false);
    return;
  }
  luaL_pushresult(&w.buffer);
  size_t size;
  const char *text = lua_tolstring(L, -1, &size);
  Dump d = { .at = (const uint8_t *)text, .end = (const uint8_t *)text + size };
  Code c;
  dump_header(&d);
  dump_code(&d, &c);
  dump_rest(&d, &c, 0);
  if (d.bad) lua_pushboolean(L, false);
  else push_calls(L, &c);
  lua_replace(L, top + 1);
  lua_settop(L, top + 1);
}

/* Is the function that the caller called in its register `reg`? The slots below it belong to the caller. */
static bool is_called_in(lua_State *L, const lua_Debug *caller, int reg) {
  int top = lua_gettop(L);
  bool yes = (reg == 0 || lua_getlocal(L, caller, reg)) && !lua_getlocal(L, caller, reg + 1);
  lua_settop(L, top);
  return yes;
}

/* Do the results of all calls that may be the running one enter? If a tail call in another function passes on f's
** result, any call may be. */
static bool enters_now(lua_State *L, const CallSites *s, lua_Debug *caller, int level) {
  lua_Debug called;
  bool yes = false, named = false;
  lua_getinfo(L, "l", caller);
  for (int i = 0; i < s->n; i++) {
    const CallSite *c = &s->call[i];
    if (c->line != caller->currentline || !is_called_in(L, caller, c->reg)) continue;
    /* slow in a long function */
    if (!named) named = lua_getstack(L, level, &called) && lua_getinfo(L, "nt", &called);
    bool other = c->method || (*c->name && called.name && strncmp(c->name, called.name, NAME - 1) != 0);
    if (other && !called.istailcall) continue;
    if (!c->enters) return false;
    yes = true;
  }
  return yes;
}

bool is_close_variable(lua_State *L, int level) {
  lua_Debug caller;
  int top = lua_gettop(L);
  if (!lua_getstack(L, level + 1, &caller) || !lua_getinfo(L, "f", &caller)) return false;
  bool yes = false;
  if (!lua_iscfunction(L, -1)) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &known_key);
    lua_pushvalue(L, -2);
    if (lua_rawget(L, -2) == LUA_TNIL) {
      lua_pushvalue(L, top + 1);
      study(L);
      lua_pushvalue(L, -2);
      lua_pushvalue(L, -2);
      lua_rawset(L, top + 2);
    }
    const CallSites *s = lua_touserdata(L, -1);
    yes = s && enters_now(L, s, &caller, level);
  }
  lua_settop(L, top);
  return yes;
}

/* By doubling and bisection. */
int stack_levels(lua_State *L) {
  lua_Debug ar;
  int there = 0, gone = 1;
  while (lua_getstack(L, gone, &ar)) {
    there = gone;
    gone *= 2;
  }
  while (gone - there > 1) {
    int middle = there + (gone - there) / 2;
    if (lua_getstack(L, middle, &ar)) there = middle;
    else gone = middle;
  }
  return gone;
}

void open_close_variable(lua_State *L) {
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &known_key);
}
