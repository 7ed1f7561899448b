/* traceback.h - what the user reads when a script fails. */
#ifndef HL_BIND_HOST_TRACEBACK_H
#define HL_BIND_HOST_TRACEBACK_H

#include <lua.h>

/* A message handler for lua_pcall: adds a traceback to a message, as lua's own does. Error
** objects stay as they are; those that have no text are described. */
int traceback_handler(lua_State *L);

#endif
