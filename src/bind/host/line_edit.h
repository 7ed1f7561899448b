/* lineedit.h - the terminal, for the REPL: require "hybridlua.lineedit", in the program only. */
#ifndef HL_LINEEDIT_H
#define HL_LINEEDIT_H

#include <lua.h>

int luaopen_lineedit(lua_State *L);

#endif
