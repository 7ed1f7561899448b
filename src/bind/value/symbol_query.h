/* symbol_query.h - shared by the files of a Symbol's methods. */
#ifndef HL_BIND_VALUE_SYMBOL_QUERY_H
#define HL_BIND_VALUE_SYMBOL_QUERY_H

#include "bind/value/symbol_value.h"

/* A private copy of the symbol's graph, in a userdata that frees it. */
Graph *push_symbol_copy(lua_State *L, const Symbol *s);

/* The index of the input with the name at `index`; raises if there is none. */
int find_symbol_input(lua_State *L, const Graph *g, const char *who, int index);

/* s{x = other}, s(other) and s:eval{x = array}, in symbol_apply.c. */
int symbol_compose(lua_State *L);
int symbol_eval(lua_State *L);

void open_symbol_infer(lua_State *L);

#endif
