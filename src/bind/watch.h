/* watch.h - sees each function that a traced block calls. */
#ifndef HL_WATCH_H
#define HL_WATCH_H

#include <lua.h>

void open_watch(lua_State *L);

#endif
