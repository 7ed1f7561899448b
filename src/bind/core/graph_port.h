/* graph_port.h - the functions of bind/value that push graphs. */
#ifndef HL_BIND_CORE_GRAPH_PORT_H
#define HL_BIND_CORE_GRAPH_PORT_H

#include "bind/core/lua_object.h"
#include "ir/graph/graph.h"

/* Push a userdata that owns a graph: an empty one; the graph of a symbol's entries. */
Graph *push_graph(lua_State *L);
Graph *push_symbol_graph(lua_State *L, const Symbol *s);

#endif
