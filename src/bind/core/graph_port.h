/* graph_port.h - the graph of a Symbol in a userdata that frees it; made in bind/value. */
#ifndef HL_BIND_CORE_GRAPH_PORT_H
#define HL_BIND_CORE_GRAPH_PORT_H

#include "bind/core/lua_object.h"
#include "ir/graph.h"

/* A graph in a userdata on the stack that frees it: an empty one; that of a symbol's entries. */
Graph *push_graph(lua_State *L);
Graph *push_symbol_graph(lua_State *L, const Symbol *s);

#endif
