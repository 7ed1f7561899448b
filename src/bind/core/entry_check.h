/* entry_check.h - in test builds (HL_VERIFY), the check that functions which Lua calls enter the engine state before
** they read it: engine_now() (state/engine.h) asserts engine_entered, and state_now() (lua_state.h) state_entered.
**
** A function of ours that is registered with Lua is called through one that takes both away, until coroutine_enter, or
** state_enter, gives them back. When it returns, its caller has what it had; but not if another coroutine, a finalizer
** or another Lua state entered meanwhile, or if it raised before it entered: then the caller must enter again, too.
** coroutine_enter_again asserts that the same function called coroutine_enter before.
** In other builds nothing of this exists, and functions are registered as they are.
*/
#ifndef HL_BIND_CORE_ENTRY_CHECK_H
#define HL_BIND_CORE_ENTRY_CHECK_H

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>

#include "state/engine.h"

/* A function that the caller itself runs, by lua_pcall: it computes with what its caller entered. */
static inline void push_protected(lua_State *L, lua_CFunction f) { lua_pushcclosure(L, f, 0); }

#ifdef HL_VERIFY
extern _Thread_local bool state_entered;
extern _Thread_local bool entered_before;      /* coroutine_enter was called, whatever ran since */

static inline void entry_of_state(void) { state_entered = true; }
static inline void entry_of_coroutine(void) { state_entered = engine_entered = entered_before = true; }

void entry_setfuncs(lua_State *L, const luaL_Reg *list, int n_upvalues);
void entry_pushcclosure(lua_State *L, lua_CFunction f, int n_upvalues);
lua_CFunction entry_tocfunction(lua_State *L, int index);

#define luaL_setfuncs(L, list, n) entry_setfuncs(L, list, n)
#define lua_pushcclosure(L, f, n) entry_pushcclosure(L, f, n)
#define lua_tocfunction(L, index) entry_tocfunction(L, index)
#else
enum { state_entered = true, entered_before = true };
static inline void entry_of_state(void) {}
static inline void entry_of_coroutine(void) {}
#endif

#endif
