/* lua_error.h - Lua errors with the line of the user's script. */
#ifndef HL_BIND_CORE_LUA_ERROR_H
#define HL_BIND_CORE_LUA_ERROR_H

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>

#include "bind/core/entry_check.h"
#include "base/script_origin.h"
#include "base/status.h"

/* Raises a failed status as a Lua error with the line of the user's script. */
int raise_status(lua_State *L, Status s);
void check(lua_State *L, Status s);                     /* raises unless s is OK */
int raise_error(lua_State *L, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));

/* Pops the error that a callback raised, and keeps it until the engine's call that it aborted returns E_LUA. */
Status keep_error(lua_State *L);

/* Finds the script's innermost function from stack level *level on, with the fields of "Sl" in *ar; *level becomes the
** next level. */
bool script_frame(lua_State *L, int *level, lua_Debug *ar);
const char *script_place(lua_State *L);     /* pushes "file:line: " of the script's innermost line, or "" */

/* The innermost line of the user's script that led here, skipping hybridlua's own Lua files. */
Origin origin_here(lua_State *L);

/* Code that runs under `frame`, a C function, belongs to the script's line `line`: the functions above find that line
** where the stack has the frame. Returns what was set before; a NULL frame: nothing. */
typedef struct FrameLine { lua_CFunction frame; Origin line; } FrameLine;
FrameLine script_frame_line(FrameLine now);

bool called_by_script(lua_State *L);                  /* is the innermost running Lua function the script's? */
bool own_frame(const lua_Debug *ar);                  /* is the function in one of these files? `ar` needs "S" */

/* Reserved prefix of the chunk names of hybridlua's own files. Chunk names of other files begin with @. */
#define OWN_CHUNK "=hybridlua/"

void open_error(lua_State *L);

#endif
