/* traceback.h - the program's message handler. */
#ifndef HL_BIND_HOST_TRACEBACK_H
#define HL_BIND_HOST_TRACEBACK_H

#include <lua.h>

/* Adds a traceback to a message, like the handler of lua. An error object is replaced by its text or a description. */
int traceback_handler(lua_State *L);

#endif
