/* symbol_value.h - making Symbols: operator calls that build a graph. */
#ifndef HL_BIND_VALUE_SYMBOL_VALUE_H
#define HL_BIND_VALUE_SYMBOL_VALUE_H

#include "bind/value/op_args.h"
#include "bind/core/graph_port.h"
#include "ir/graph.h"

/* Builds the node of a parsed call and pushes what the user sees: a Symbol, or a table of
** several. `hint`: the stem of its name if a Lua operator was written; NULL: the row's. */
Status symbol_call(lua_State *L, CallArgs *a, const char *hint, int *pushed);

/* The shape at an index, a table of integers or an integer, in which -1, and unless `exact` 0 too, is unknown. */
Shape check_open_shape(lua_State *L, int index, const char *who, bool exact);

/* The end of an output's name, after that of its node: "output", "output1", "mean". */
void push_output_suffix(lua_State *L, const Node *n, int index);

void open_symbol_query(lua_State *L);

#endif
