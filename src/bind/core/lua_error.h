/* lua_error.h - Lua errors with the line of the user's script. */
#ifndef HL_BIND_CORE_LUA_ERROR_H
#define HL_BIND_CORE_LUA_ERROR_H

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>

#include "bind/core/entry_check.h"
#include "base/script_origin.h"
#include "base/status.h"

/* Turns a failed status into a Lua error with the line of the user's script. Never
** returns if s is not OK. */
int raise_status(lua_State *L, Status s);
void check(lua_State *L, Status s);                     /* raises unless OK */
int raise_error(lua_State *L, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));

/* Keeps the error that a callback raised, the value on top of the stack, until the engine's call that it broke off
** returns E_LUA. */
Status keep_error(lua_State *L);

/* The script's innermost function from the level on, which becomes that after it; sets S and l. */
bool script_frame(lua_State *L, int *level, lua_Debug *ar);
const char *script_place(lua_State *L);     /* pushes "file:line: " of the script's innermost line, or "" */

/* The innermost line of the user's script that led here; hybridlua's own Lua files are skipped. */
Origin origin_here(lua_State *L);
bool called_by_script(lua_State *L);                  /* is the innermost Lua function that runs not one of those? */
bool own_frame(const lua_Debug *ar);                  /* does it run one of those? `ar` has S */

/* Reserved prefix of the chunk names of hybridlua's own files. Chunk names of other files begin with @. */
#define OWN_CHUNK "=hybridlua/"

void open_error(lua_State *L);

#endif
