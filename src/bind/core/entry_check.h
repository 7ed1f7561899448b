/* entry_check.h - the check in test builds (HL_VERIFY) that functions which Lua calls enter the engine state before
** they read it: engine_now() (state/engine.h) asserts engine_entered, and state_now() (lua_state.h) asserts
** state_entered.
**
** Each function registered with Lua is called through a wrapper that clears both flags; coroutine_enter and state_enter
** set them. When the function returns, the wrapper restores the caller's flags, unless another coroutine, a finalizer
** or another Lua state entered meanwhile, or the function raised before it entered: then the caller must enter again,
** too. coroutine_enter_again asserts that the same function called coroutine_enter before.
** Other builds register functions directly.
*/
#ifndef HL_BIND_CORE_ENTRY_CHECK_H
#define HL_BIND_CORE_ENTRY_CHECK_H

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>

#include "state/engine.h"

/* Pushes a function for the caller's own lua_pcall, without the wrapper: it keeps the caller's flags. */
static inline void push_protected(lua_State *L, lua_CFunction f) { lua_pushcclosure(L, f, 0); }

#ifdef HL_VERIFY
extern _Thread_local bool state_entered;
extern _Thread_local bool entered_before;      /* coroutine_enter was called in this function */

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
