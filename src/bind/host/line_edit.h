/* line_edit.h - the module "hybridlua.lineedit" of ./hybridlua, which edits the REPL's lines. */
#ifndef HL_BIND_HOST_LINE_EDIT_H
#define HL_BIND_HOST_LINE_EDIT_H

#include <lua.h>

int luaopen_lineedit(lua_State *L);

#endif
