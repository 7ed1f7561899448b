/* auto_names.h - automatic names of symbols, as MXNet's NameManager gives them: the stem and
** a count, "relu0"; inside a block's scope with the block's prefix. */
#ifndef HL_BIND_CORE_AUTO_NAMES_H
#define HL_BIND_CORE_AUTO_NAMES_H

#include "bind/core/lua_object.h"

/* Pushes the name for a node: `given` (may be NULL) or stem and count, with the prefix
** of the innermost scope. */
const char *push_name(lua_State *L, const char *given, const char *stem);

/* Pushes the table of attributes that every node made now gets (hl.AttrScope), or nil. */
void push_scope_attributes(lua_State *L);

/* Drops the scopes that a coroutine state left open; see coroutine.h. */
void names_forget(lua_State *L, uint64_t context);

void open_names(lua_State *L);

#endif
