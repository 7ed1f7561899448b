/* called.h - sees each function that a traced block calls. */
#ifndef HL_CALLED_H
#define HL_CALLED_H

#include <lua.h>

void open_called(lua_State *L);

#endif
