/* interrupt.c - see interrupt.h.
**
** The signal handler sets the flag that kernels poll (base/threads/parallel_for.h) and a hook on the running Lua state,
** which fires at the next instruction. Whichever comes first raises the string "interrupted!", and the interrupt is
** pending until the top level serves it:
**
**   - pcall, xpcall, coroutine.resume and coroutine.wrap propagate it instead of catching it, so a loop around a pcall
**     ends too. They catch errors as usual if no interrupt was raised during the call, so that __close handlers may use
**     them.
**   - The hook stays, but fires after GRACE instructions, which gives __close handlers time. If the script still runs
**     then, C code has swallowed the error (load's reader does); it is raised again, now at every instruction. A second
**     Ctrl-C does the same immediately.
**
** A signal while the flag is still set (the previous one was not served) ends the program, unless it comes within
** PATIENCE milliseconds of that one: tools such as timeout send one Ctrl-C twice.
**
** A hook that the script had set on a state (a debugger, an instruction limit) is saved and restored.
**
** A hook on one state does not affect existing coroutines, so `running` follows resume, wrap and close. Invariant:
** while Lua code runs, `running` is its state, and if the flag is set, that state has the hook.
*/
#include "bind/core/interrupt.h"

#include <lauxlib.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/settings/machine.h"
#include "base/threads/parallel_for.h"
#include "bind/core/coroutine.h"

enum { GRACE = 1000000, PATIENCE = 200, EXIT_INTERRUPTED = 130 };

static lua_State *volatile running;
static pthread_t main_thread;
static _Thread_local bool installed;       /* per thread, because other threads have their own states */
static bool pending, insist;               /* insist: the grace is used up */
static unsigned raised;                    /* number of interrupts so far; a pcall compares it */
static char place[256];
static lua_CFunction original_close;

/* ---- From the signal to the error ------------------------------------------------------------- */

/* The hooks that were set before ours, by state. The signal handler writes the list too, so it cannot grow: hooks of
** further states are lost. */
enum { MOST_ASIDE = 16 };
static struct Aside { lua_State *L; lua_Hook hook; int mask, count; } aside[MOST_ASIDE];

static void on_hook(lua_State *L, lua_Debug *ar);

static void set_hook(lua_State *L, int instructions) {
  lua_Hook now = lua_gethook(L);
  for (int i = 0; now && now != on_hook && i < MOST_ASIDE; i++) {
    if (aside[i].L && aside[i].L != L) continue;
    aside[i] = (struct Aside){ L, now, lua_gethookmask(L), lua_gethookcount(L) };
    break;
  }
  lua_sethook(L, on_hook, LUA_MASKCOUNT, instructions);
}

static void put_back_hook(lua_State *L) {
  struct Aside before = { 0 };
  for (int i = 0; i < MOST_ASIDE; i++) {
    if (aside[i].L != L) continue;
    before = aside[i];
    aside[i] = (struct Aside){ 0 };
  }
  if (lua_gethook(L) == on_hook) lua_sethook(L, before.hook, before.mask, before.count);
}

static void on_hook(lua_State *L, lua_Debug *ar) {
  (void)ar;
  if (pending || interrupt_flag & STOP_INTERRUPT) interrupt_raise(L);
  put_back_hook(L);                        /* left from earlier, or inherited by a new coroutine */
}

static void on_signal(int signal) {
  static double first;                     /* time of the first unserved signal */
  if (!pthread_equal(pthread_self(), main_thread)) {
    pthread_kill(main_thread, signal);
    return;
  }
  bool unserved = interrupt_flag & STOP_INTERRUPT;
  if (unserved && machine_seconds() - first >= PATIENCE * 1e-3) _exit(EXIT_INTERRUPTED);
  if (!unserved) first = machine_seconds();
  interrupt_set(STOP_INTERRUPT);
  set_hook(running, 1);
}

static void enter(lua_State *L) {
  running = L;
  if (interrupt_flag & STOP_INTERRUPT) set_hook(L, 1);
}

int interrupt_raise(lua_State *L) {
  if (installed) {
    if (!pending) snprintf(place, sizeof place, "%s", origin_text(origin_here(L)));
    insist = pending;
    pending = true;
    raised++;
    interrupt_clear(STOP_INTERRUPT);
    set_hook(L, insist ? 1 : GRACE);
  }
  lua_pushliteral(L, "interrupted!");
  return lua_error(L);
}

/* Did an interrupt come during a call that began when `raised` was `before`? */
static bool came_since(unsigned before) { return pending && raised != before; }

/* Raises an interrupt that came since `before` again, in L. */
static void pass_on(lua_State *L, unsigned before) {
  if (!came_since(before)) return;
  set_hook(L, insist ? 1 : GRACE);
  lua_pushliteral(L, "interrupted!");
  lua_error(L);
}

bool interrupt_pending(void) { return pending; }

const char *interrupt_serve(lua_State *L) {
  bool any = pending || interrupt_flag & STOP_INTERRUPT;
  if (!pending) place[0] = '\0';
  pending = insist = false;
  interrupt_clear(STOP_INTERRUPT);
  running = L;
  if (any) put_back_hook(L);
  return any ? place : NULL;
}

/* ---- pcall and xpcall, as in Lua's lbaselib.c --------------------------------------------------- */

/* Lua's continuation context: `raised` at the time of the call, and the number of stack values that are not results. */
static lua_KContext call_context(int others) { return (lua_KContext)raised * 4 + others; }

static int finish_call(lua_State *L, int status, lua_KContext context) {
  enter(L);
  if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L) - (int)(context % 4);
  pass_on(L, (unsigned)(context / 4));
  lua_pushboolean(L, 0);
  lua_pushvalue(L, -2);
  return 2;
}

static int protected_call(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  lua_KContext context = call_context(0);
  return finish_call(L, lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, context, finish_call), context);
}

static int protected_call_handled(lua_State *L) {
  int n = lua_gettop(L);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushboolean(L, 1);
  lua_pushvalue(L, 1);
  lua_rotate(L, 3, 2);                     /* function, handler, true, function, arguments */
  lua_KContext context = call_context(2);
  return finish_call(L, lua_pcallk(L, n - 2, LUA_MULTRET, 2, context, finish_call), context);
}

/* ---- Coroutines, as in Lua's lcorolib.c ---------------------------------------------------------- */

/* Ends a coroutine that failed: closes its pending variables, and leaves the error value on its stack. */
static int reset(lua_State *L, lua_State *co) {
  enter(co);
  int status = lua_resetthread(co);
  enter(L);
  return status;
}

/* Resumes `co` with the n values on top of L. Returns the number of results on top of L, or -1 with the error value
** there. */
static int resume_with(lua_State *L, lua_State *co, int n) {
  unsigned before = raised;
  int results;
  coroutine_resumes(L);
  if (!lua_checkstack(co, n)) {
    lua_pushliteral(L, "too many arguments to resume");
    return -1;
  }
  lua_xmove(L, co, n);
  enter(co);
  int status = lua_resume(co, L, n, &results);
  enter(L);
  if (status != LUA_OK && status != LUA_YIELD) {
    if (came_since(before)) reset(L, co);              /* the script will not do so */
    pass_on(L, before);
    lua_xmove(co, L, 1);
    return -1;
  }
  if (!lua_checkstack(L, results + 1)) {
    lua_pop(co, results);
    lua_pushliteral(L, "too many results to resume");
    return -1;
  }
  lua_xmove(co, L, results);
  return results;
}

static lua_State *check_coroutine(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  luaL_argexpected(L, co, 1, "thread");
  return co;
}

static int coroutine_resume(lua_State *L) {
  lua_State *co = check_coroutine(L);
  int n = resume_with(L, co, lua_gettop(L) - 1);
  lua_pushboolean(L, n >= 0);
  if (n < 0) n = 1;
  lua_insert(L, -(n + 1));
  return n + 1;
}

static int call_wrapped(lua_State *L) {
  lua_State *co = lua_tothread(L, lua_upvalueindex(1));
  int n = resume_with(L, co, lua_gettop(L));
  if (n >= 0) return n;
  int status = lua_status(co);
  if (status != LUA_OK && status != LUA_YIELD) {       /* an error inside */
    status = reset(L, co);
    lua_xmove(co, L, 1);
  }
  if (status != LUA_ERRMEM && lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

static int coroutine_wrap(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_State *co = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, co, 1);
  lua_pushcclosure(L, call_wrapped, 1);
  return 1;
}

static int coroutine_close(lua_State *L) {
  lua_State *co = check_coroutine(L);
  unsigned before = raised;
  if (lua_status(co) != LUA_OK) enter(co);             /* then the original does not raise an argument error */
  int n = original_close(L);
  enter(L);
  pass_on(L, before);
  return n;
}

/* ---- Installing ------------------------------------------------------------------------------------- */

void interrupt_install(lua_State *L) {
  static const luaL_Reg calls[] = { { "pcall", protected_call }, { "xpcall", protected_call_handled }, { NULL, NULL } };
  /* clang-format off */
  static const luaL_Reg coroutines[] = {
    { "resume", coroutine_resume }, { "wrap", coroutine_wrap }, { "close", coroutine_close }, { NULL, NULL } };
  /* clang-format on */
  lua_pushglobaltable(L);
  luaL_setfuncs(L, calls, 0);
  lua_getfield(L, -1, "coroutine");
  lua_getfield(L, -1, "close");
  original_close = lua_tocfunction(L, -1);
  lua_pop(L, 1);
  luaL_setfuncs(L, coroutines, 0);
  lua_pop(L, 2);
  running = L;
  main_thread = pthread_self();
  installed = true;
  struct sigaction action = { .sa_handler = on_signal }, old;      /* no SA_RESTART: io.read must return */
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGINT, NULL, &old) == 0 && old.sa_handler != SIG_IGN) sigaction(SIGINT, &action, NULL);
}

void interrupt_uninstall(void) {
  struct sigaction now;
  if (sigaction(SIGINT, NULL, &now) == 0 && now.sa_handler == on_signal) signal(SIGINT, SIG_DFL);
}
