/* follow.c - the hook, the frames of running calls, and the functions for Lua. See follow.h.
**
** The host's hook gets each event first, if its mask has the event; its count is counted down here. If it sets another
** hook, that one becomes the host's. The host's hook is restored at finish() in the coroutine that called begin(), and
** at the next event in a coroutine that was created meanwhile and outlives the trace.
**
** Frames. Lua's record of a call (ar->i_ci) identifies it. A call, a return or an instruction in a call with a frame
** removes the frames above, which an error left. C functions called by the script have frames too, because the return
** of a pcall shows that an error was caught. Those called by our own functions need none: our function's next event
** shows the error.
*/
#include "bind/follow/follow.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <lauxlib.h>

#include "bind/core/coroutine.h"
#include "bind/core/lua_object.h"
#include "bind/follow/bound_reads.h"
#include "bind/follow/bytecode.h"
#include "bind/follow/read_record.h"

static const char follow_key, follow_tag;     /* registry keys: the Follow, its metatable */

static void on_event(lua_State *L, lua_Debug *ar);

int follow_refuse(lua_State *L, const char *format, ...) {
  Follow *f = follow_now();
  char text[400];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  const char *line = origin_text(origin_here(L));
  if (!*f->refusal) snprintf(f->refusal, sizeof f->refusal, "%.150s%s%s", line, *line ? ": " : "", text);
  lua_pushstring(L, f->refusal);
  return lua_error(L);
}

bool follow_protected(lua_State *L, lua_CFunction f, int n, int results) {
  push_protected(L, f);
  lua_insert(L, -1 - n);
  const bool done = lua_pcall(L, n, results, 0) == LUA_OK;
  state_enter(L);
  if (done) return true;
  follow_now()->starved = true;
  lua_pop(L, 1);
  return false;
}

bool follow_stack(lua_State *L, int n) {
  const bool fits = lua_checkstack(L, n);
  if (!fits) follow_now()->starved = true;
  return fits;
}

bool follow_ask(lua_State *L, const char *name, int n, int results) {
  push_kept(L, KEEP_CALLBACKS);
  int type = lua_getfield(L, -1, name);
  lua_remove(L, -2);
  lua_insert(L, -1 - n);
  if (type != LUA_TFUNCTION) {
    lua_pop(L, n + 1);
    return false;
  }
  /* not followed, because Lua calls no hook in a hook */
  int status = lua_pcall(L, n, results, 0);
  state_enter(L);
  if (status == LUA_OK) return true;
  if (status != LUA_ERRMEM) lua_error(L);
  follow_now()->starved = true;
  lua_pop(L, 1);
  return false;
}

void push_kept(lua_State *L, int which) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &follow_key);
  lua_getiuservalue(L, -1, which);
  lua_remove(L, -2);
}

/* ---- The hook of the coroutine ------------------------------------------------------------------------------ */

static void set_hook(lua_State *L, bool instructions) {
  const Follow *f = follow_now();
  int host = f->host.hook ? f->host.mask : 0;
  int mask = LUA_MASKCALL | LUA_MASKRET | (host & (LUA_MASKLINE | LUA_MASKCOUNT)) | (instructions ? LUA_MASKCOUNT : 0);
  if (lua_gethook(L) != on_event || lua_gethookmask(L) != mask) lua_sethook(L, on_event, mask, 1);
}

static void put_back(lua_State *L, const HookSaved *host) { lua_sethook(L, host->hook, host->mask, host->count); }

static HookSaved hook_of(lua_State *L) {
  return (HookSaved){ lua_gethook(L), lua_gethookmask(L), lua_gethookcount(L) };
}

/* Is the innermost Lua function followed? */
static bool follows(const FrameStack *s) { return s->n > 0 && !s->at[s->n - 1].own; }

/* ---- Running out ------------------------------------------------------------------------------------------ */

/* Stops following because memory ran out; the trace fails at its end. */
static void give_up(lua_State *L) {
  follow_now()->starved = true;
  set_hook(L, false);
}

enum { DEEP = 3000 };        /* calls; fewer cannot fill Lua's stack of 1,000,000 slots */

/* Is there stack for the hook? If the script's recursion has filled Lua's stack, raises, as the next call would. */
static bool has_stack(lua_State *L, const FrameStack *s) {
  if (lua_checkstack(L, 3 * LUA_MINSTACK)) return true;
  if (s->n > DEEP) luaL_error(L, "stack overflow");
  give_up(L);
  return false;
}

/* ---- Events -------------------------------------------------------------------------------------------------- */

/* (function) -> its prototype; for a protected call */
static int decode(lua_State *L) {
  lua_pushlightuserdata(L, prototype_of(L, 1));
  return 1;
}

/* The prototype of the function on top; NULL if memory ran out. */
static Prototype *known_prototype(lua_State *L) {
  lua_pushvalue(L, -1);
  if (!follow_protected(L, decode, 1, 1)) {
    give_up(L);
    return NULL;
  }
  Prototype *p = lua_touserdata(L, -1);
  lua_pop(L, 1);
  if (!p) follow_refuse(L, "this Lua executes functions in an unexpected way; hybridlua cannot trace in it");
  return p;
}

/* Marks an outside function and its upvalues as outside. */
static void find_upvalues(lua_State *L, int function, const Prototype *p) {
  Follow *f = follow_now();
  if (map_get(&f->made, lua_topointer(L, function)) >= 0) return;
  record_touch(L, function, 0);
  for (int i = 1; i <= p->n_upvalues; i++)
    if (map_put(&f->upvalues, lua_upvalueid(L, function, i), 1) != OK) f->starved = true;
}

/* Stops following, because an error called the message handler of the xpcall around the followed function. The handler
** runs without restrictions. */
static void end_by_error(lua_State *L) {
  Follow *f = follow_now();
  f->handled = true;
  f->on = false;
  state_now()->outlived = f->host;
  put_back(L, &f->host);
}

static void on_script(lua_State *L, lua_Debug *ar, FrameStack *s, int function) {
  Prototype *p = known_prototype(L);
  if (!p) return;
  Frame *f = frame_push(s, ar->i_ci);
  if (!f) return give_up(L);
  f->prototype = p;
  f->pc = p->vararg ? 1 : 0;
  f->last = INT_MAX;
  set_hook(L, true);
  find_upvalues(L, function, p);
}

/* Handles a call of a function of our own files, the most frequent case in a trace. */
static void on_own(lua_State *L, lua_Debug *ar, FrameStack *s, bool by_own) {
  Frame *f = frame_push(s, ar->i_ci);
  if (!f) return give_up(L);
  f->own = true;
  set_hook(L, false);
  if (!by_own) arguments_read(L, ar);
}

static void on_c(lua_State *L, lua_Debug *ar, FrameStack *s, bool by_own, int function) {
  if (by_own) {
    judge_always(L, ar, function);         /* no frame: its return does not matter */
    return;
  }
  if (!frame_push(s, ar->i_ci)) return give_up(L);
  if (has_stack(L, s)) library_reads(L, ar, function);
}

static void on_call(lua_State *L, lua_Debug *ar) {
  Follow *follow = follow_now();
  FrameStack *s = frames_of(&follow_now()->stacks, L);
  if (!s) return give_up(L);
  /* Lua before 5.4.4 does not run __close of a coroutine that is closed under a hook, and 5.4.0 skips hook events after
  ** a resume */
  if (LUA_VERSION_RELEASE_NUM < 50404 && L != follow->L) {
    follow_refuse(L, "coroutines in a traced function need Lua 5.4.4 or later");
    return;
  }
  const Frame *known = frame_find(s, ar->i_ci);
  if (known) s->n = (int)(known - s->at);                /* after a tail call or an error */
  Frame *below = s->n > 0 ? &s->at[s->n - 1] : NULL;
  bool by_own = below ? below->own : L == follow->L;
  if (below && below->awaits && !below->awaited) below->awaited = ar->i_ci;
  lua_getinfo(L, "f", ar);
  int function = lua_gettop(L);
  if (follow->handler && lua_topointer(L, function) == follow->handler) return end_by_error(L);
  follow->calls++;
  if (lua_iscfunction(L, function)) return on_c(L, ar, s, by_own, function);
  lua_getinfo(L, "S", ar);
  if (own_frame(ar)) on_own(L, ar, s, by_own);
  else if (has_stack(L, s)) on_script(L, ar, s, function);
}

static void on_return(lua_State *L, lua_Debug *ar) {
  FrameStack *s = frames_of(&follow_now()->stacks, L);
  Frame *f = s ? frame_find(s, ar->i_ci) : NULL;
  if (!f) return;
  Frame *below = f > s->at ? f - 1 : NULL;
  if (below && below->awaits && below->awaited == (const void *)ar->i_ci) {
    lua_getinfo(L, "r", ar);
    settle_comparison(below, ar->ntransfer > 0 && lua_getlocal(L, ar, ar->ftransfer) && lua_toboolean(L, -1));
  }
  s->n = (int)(f - s->at);
  set_hook(L, follows(s));
}

/* (closure, function that made it, index of its prototype there) */
static int keep_made(lua_State *L) {
  prototype_made(L, 1, 2, (int)lua_tointeger(L, 3));
  push_kept(L, KEEP_OBJECTS);
  lua_pushvalue(L, 1);
  lua_pushboolean(L, true);
  lua_rawset(L, -3);
  return 0;
}

/* Notes the function that CLOSURE, the instruction before the frame's pc, has made. */
static void find_made(lua_State *L, lua_Debug *ar, Frame *f) {
  uint32_t i = f->prototype->code[f->pc - 1];
  Follow *follow = follow_now();
  if (!lua_getlocal(L, ar, a_of(i) + 1) || !lua_isfunction(L, -1)) return;
  if (map_get(&follow->made, lua_topointer(L, -1)) >= 0) return;
  if (map_put(&follow->made, lua_topointer(L, -1), 1) != OK) follow->starved = true;
  lua_getinfo(L, "f", ar);
  lua_pushinteger(L, bx_of(i));
  follow_protected(L, keep_made, 3, 0);
}

#ifdef HL_VERIFY
/* Compares with Lua's own program counter, which is after four pointers in CallInfo in Lua 5.4 on 64 bits. It points
** past the instruction that is about to run. */
static bool agrees_with_lua(const lua_Debug *ar, const Frame *f) {
  const uint32_t *saved;
  memcpy(&saved, (const char *)(const void *)ar->i_ci + 32, sizeof saved);
  const uint32_t *base = saved - 1 - f->pc;
  if (!f->prototype->base) f->prototype->base = base;
  /* each closure of a dumped and loaded function has its own code, and is decoded separately */
  return f->prototype->base == base && memcmp(base, f->prototype->code, (size_t)f->prototype->n_code * 4) == 0;
}
#else
#define agrees_with_lua(ar, f) true
#endif

static void on_instruction(lua_State *L, lua_Debug *ar) {
  FrameStack *s = frames_of(&follow_now()->stacks, L);
  if (!s) return give_up(L);
  Frame *f = frame_find(s, ar->i_ci);
  if (!f) return;
  s->n = (int)(f - s->at) + 1;             /* an error may have left frames above */
  if (f->own) set_hook(L, false);
  if (!f->prototype) return;
  if (!has_stack(L, s)) return;
  follow_now()->events++;
  const Prototype *p = f->prototype;
  if (f->makes) find_made(L, ar, f);
  if (f->makes || f->loops) settle_instruction(L, ar, f);
  if (f->bound) bound_arrive(L, ar, f);
  lua_getinfo(L, "l", ar);
  bool lost = f->pc < 0 || f->pc >= p->n_code || (p->line && p->line[f->pc] != ar->currentline) ||
              !agrees_with_lua(ar, f);
  if (lost) {
    follow_refuse(L, "this Lua executes functions in an unexpected way; hybridlua cannot trace in it");
    return;
  }
  f->starts_line = f->pc <= f->last || (p->line && p->line[f->pc] != p->line[f->last]);
  f->last = f->pc;
  Step step = { L, ar, f, p->code[f->pc] };
  bound_instruction(&step);
  instruction_reads(&step);
  next_instruction(&step);
}

/* Calls the host's hook in the state that it expects. If it raises, `telling` stays true until the next event. */
static void tell_host(lua_State *L, lua_Debug *ar) {
  Follow *f = follow_now();
  bool tracing = coroutine_any()->L == L && coroutine_any()->tracing;
  f->telling = true;
  coroutine_any()->tracing = false;
  f->host.hook(L, ar);
  if (coroutine_any()->L == L) coroutine_any()->tracing = tracing;
  f->telling = false;
  if (lua_gethook(L) == on_event) return;
  f->host = hook_of(L);
  f->host_left = f->host.count;
  FrameStack *s = frames_of(&follow_now()->stacks, L);
  set_hook(L, s && follows(s));
}

/* Is this an event for a line that Lua has already reported? A call in the hook makes Lua report the line again. */
static bool repeats_line(lua_State *L, const lua_Debug *ar) {
  const FrameStack *s = frames_of(&follow_now()->stacks, L);
  const Frame *f = s && ar->event == LUA_HOOKLINE ? frame_find(s, ar->i_ci) : NULL;
  return f && f->prototype && !f->starts_line && !follow_now()->starved;
}

/* Is this an event for the host's hook? */
static bool host_awaits(lua_State *L, const lua_Debug *ar) {
  Follow *f = follow_now();
  int event = ar->event;
  if (!f->host.hook || repeats_line(L, ar)) return false;
  if (event != LUA_HOOKCOUNT) return f->host.mask & (event == LUA_HOOKTAILCALL ? LUA_MASKCALL : 1 << event);
  if (!(f->host.mask & LUA_MASKCOUNT) || --f->host_left > 0) return false;
  f->host_left = f->host.count;
  return true;
}

static void on_event(lua_State *L, lua_Debug *ar) {
  state_enter(L);
  Follow *f = follow_now();
  if (!f || !f->on) {                      /* in a coroutine that outlived the trace */
    HookSaved host = state_now()->outlived;
    put_back(L, &host);
    if (host.hook && ar->event != LUA_HOOKCOUNT && host.mask & 1 << (ar->event % LUA_HOOKTAILCALL)) host.hook(L, ar);
    return;
  }
  if (f->paused) return;
  if (f->telling) {                        /* the host's hook raised: restore whether this coroutine is traced */
    f->telling = false;
    coroutine_any()->L = NULL;
    coroutine_enter(L);
  }
  int top = lua_gettop(L);
  if (host_awaits(L, ar)) tell_host(L, ar);
  if (f->starved) return;
  switch (ar->event) {
    case LUA_HOOKCALL:
    case LUA_HOOKTAILCALL: on_call(L, ar); break;
    case LUA_HOOKRET: on_return(L, ar); break;
    case LUA_HOOKCOUNT: on_instruction(L, ar); break;
    default: break;
  }
  lua_settop(L, top);
}

/* ---- For Lua ------------------------------------------------------------------------------------------------- */

static void clear_follow(Follow *f) {
  frames_free(&f->stacks);
  map_free(&f->outside);
  map_free(&f->made);
  map_free(&f->upvalues);
  map_free(&f->unwatched);
  map_free(&f->metatables);
  map_free(&f->judged);
  map_free(&f->always);
  record_free(f);
  *f = (Follow){ 0 };
}

static int follow_gc(lua_State *L) {
  clear_follow(lua_touserdata(L, 1));
  return 0;
}

/* Restores the hook, if L is the coroutine that called begin(); other coroutines do so at their next event. */
static void stop(lua_State *L, Follow *f) {
  if (f->on) state_now()->outlived = f->host;
  f->on = false;
  if (f->L == L && lua_gethook(L) == on_event) put_back(L, &f->host);
}

/* Frees the current record; does not allocate. */
static void discard(lua_State *L) {
  Follow *f = follow_now();
  stop(L, f);
  clear_follow(f);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &follow_key);
  for (int i = KEEP_PLACES; i <= KEEP_CALLBACKS; i++) {
    lua_pushnil(L);
    lua_setiuservalue(L, -2, i);
  }
  lua_pop(L, 1);
  state_now()->follow = NULL;
}

/* Pushes the Follow of this Lua state, which all its traces share. */
static Follow *push_follow(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &follow_key) == LUA_TUSERDATA) return lua_touserdata(L, -1);
  lua_pop(L, 1);
  Follow *f = lua_newuserdatauv(L, sizeof *f, KEEP_CALLBACKS);
  memset(f, 0, sizeof *f);
  take_metatable(L, &follow_tag);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &follow_key);
  return f;
}

/* Adds the objects of a list in the options to the map; C functions by the address of their code. */
static void read_list(lua_State *L, const char *name, Map *map) {
  if (lua_getfield(L, 1, name) == LUA_TTABLE)
    for (lua_Integer i = 1; lua_rawgeti(L, 3, i) != LUA_TNIL; lua_settop(L, 3), i++) {
      lua_CFunction f = lua_tocfunction(L, 4);
      if (map_put(map, f ? (const void *)(uintptr_t)f : lua_topointer(L, 4), 1) != OK)
        luaL_error(L, "not enough memory");
    }
  lua_settop(L, 2);
}

/* begin(options): follows functions that are called from now on, in this coroutine and in those created meanwhile,
** until finish(). All options but judge may be missing:
**   unwatched  a list of tables whose entries are not recorded
**   outside    a list of objects that existed before
**   handler    the message handler of the xpcall around it
**   numbers    the numbers bound at run time (bound_numbers.h)
**   judge(function, first argument, second argument)   called for C functions, except library functions whose reads are
**              recorded here: raises to reject the call; returns whether further calls need no judgement
**   always     a list of C functions that are judged even when our own files call them
**   kind(object)   returns the OwnerKind of objects with its metatable
**   read(object, key)   returns the value and the place's name, for the caller's record; for objects of kind 2
**   existed(object)   did it exist before? For objects of kind 2 that no recorded place led to
**   found(object, from)   an object of kind 2, or a function of our own files, was read from place `from`
**   wrote(kind, holder, key, number, from)   a place was written; number: its earlier read, or 0 */
static int follow_begin(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  if (lua_getfield(L, 1, "judge") != LUA_TFUNCTION) return raise_error(L, "follow: expected a function judge");
  state_enter(L);
  if (follow_now()) discard(L);            /* left by an out-of-memory error */
  lua_settop(L, 1);
  Follow *f = push_follow(L);
  for (int i = KEEP_PLACES; i <= KEEP_OBJECTS; i++) {
    lua_newtable(L);
    lua_setiuservalue(L, 2, i);
  }
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, 2, KEEP_CALLBACKS);
  f->L = L;
  lua_getfield(L, 1, "numbers");
  f->numbers = to_bound_numbers(L, -1);
  lua_pop(L, 1);
  state_now()->follow = f;                   /* from now on discard clears it */
  read_list(L, "unwatched", &f->unwatched);
  read_list(L, "always", &f->always);
  lua_getfield(L, 1, "handler");
  f->handler = lua_isnil(L, -1) ? NULL : lua_topointer(L, -1);
  lua_settop(L, 1);
  if (lua_getfield(L, 1, "outside") == LUA_TTABLE)
    for (lua_Integer i = 1; lua_rawgeti(L, 2, i) != LUA_TNIL; lua_settop(L, 2), i++) record_touch(L, 3, 0);
  f->host = state_now()->outlived = hook_of(L);
  f->host_left = f->host.count;
  f->on = true;
  set_hook(L, false);
  return 0;
}

/* -> the results of finish */
static int describe(lua_State *L) {
  const Follow *f = follow_now();
  push_record(L);
  lua_createtable(L, 0, 5);
  if (*f->refusal) set_string(L, "refusal", f->refusal);
  set_boolean(L, "starved", f->starved);
  set_boolean(L, "handled", f->handled);
  set_integer(L, "events", f->events);
  set_integer(L, "calls", f->calls);
  return 2;
}

/* finish() -> the record (push_record), and a table { refusal = text of the first error, starved = did memory run out?,
** handled = was the handler called?, events = number of instructions, calls = number of calls }; nil without a
** follower */
static int follow_finish(lua_State *L) {
  lua_settop(L, 0);
  state_enter(L);
  if (!follow_now()) return 0;
  stop(L, follow_now());
  push_protected(L, describe);
  int status = lua_pcall(L, 0, 2, 0);
  state_enter(L);
  int results = lua_gettop(L);
  discard(L);
  lua_settop(L, results);
  return status == LUA_OK ? 2 : lua_error(L);
}

/* place(number) -> the read with this number */
static int follow_place(lua_State *L) {
  state_enter(L);
  if (!follow_now()) return 0;
  push_place(L, luaL_checkinteger(L, 1));
  return 1;
}

/* touch(object, from): marks an object as outside */
static int follow_touch(lua_State *L) {
  state_enter(L);
  luaL_checkany(L, 1);
  if (follow_now()) record_touch(L, 1, (int)luaL_optinteger(L, 2, 0));
  return 0;
}

/* pause(whether) -> the old value: stops or resumes following */
static int follow_pause(lua_State *L) {
  state_enter(L);
  Follow *f = follow_now();
  lua_pushboolean(L, f && f->paused);
  if (f) f->paused = lua_toboolean(L, 1);
  return 1;
}

/* watches(coroutine): was it created under the hook? */
static int coroutine_watched(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  return return_boolean(L, co && lua_gethook(co) == on_event);
}

void open_follow(lua_State *L) {
  /* clang-format off */
  const luaL_Reg list[] = {
    { "begin", follow_begin }, { "finish", follow_finish }, { "place", follow_place },
    { "touch", follow_touch }, { "pause", follow_pause }, { "watches", coroutine_watched },
    { "c_address", c_address }, { "is_own_code", is_own_code }, { NULL, NULL } };
  /* clang-format on */
  open_prototype(L);
  keep_names(L);
  open_bound_numbers(L);
  new_metatable(L, &follow_tag, "hybridlua.Follow", follow_gc);
  lua_pop(L, 1);
  luaL_setfuncs(L, list, 0);
}
