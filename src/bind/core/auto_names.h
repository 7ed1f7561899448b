/* auto_names.h - automatic names of symbols, the same as from MXNet's NameManager: stem and count ("relu0"), with the
** block's prefix inside its scope. */
#ifndef HL_BIND_CORE_AUTO_NAMES_H
#define HL_BIND_CORE_AUTO_NAMES_H

#include "bind/core/lua_object.h"

/* Pushes the name for a node: `given` or, if that is NULL, stem and count, with the prefix of the innermost scope. */
const char *push_name(lua_State *L, const char *given, const char *stem);

/* Pushes the table of attributes for new nodes (hl.AttrScope), or nil. */
void push_scope_attributes(lua_State *L);

/* Drops the scopes that a coroutine state (coroutine.h) left open. */
void names_forget(lua_State *L, uint64_t context);

void open_names(lua_State *L);

#endif
