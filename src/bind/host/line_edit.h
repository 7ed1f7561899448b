/* line_edit.h - the terminal, for the REPL: require "hybridlua.lineedit", in ./hybridlua only. */
#ifndef HL_BIND_HOST_LINE_EDIT_H
#define HL_BIND_HOST_LINE_EDIT_H

#include <lua.h>

int luaopen_lineedit(lua_State *L);

#endif
