/* symbol_value.h - making Symbols: operator calls that build a graph. */
#ifndef HL_BIND_VALUE_SYMBOL_VALUE_H
#define HL_BIND_VALUE_SYMBOL_VALUE_H

#include "bind/value/op_args.h"
#include "bind/core/graph_port.h"
#include "ir/graph/graph.h"
#include "ir/node_builder.h"

/* Builds the node of a parsed call and pushes the result: a Symbol, or a table of several. `hint`: the stem of its name
** for a Lua operator; NULL for the row's. */
Status symbol_call(lua_State *L, CallArgs *a, const char *hint, int *pushed);

/* The shape at `index`, a table of integers or an integer; -1 and, unless `exact`, 0 are unknown. */
Shape check_open_shape(lua_State *L, int index, const char *who, bool exact);

/* C's references while a node is made. A userdata owns them, because pushing Symbols may raise. */
typedef struct NodeMaking {
  Builder b;
  Params *params;          /* NULL: the defaults */
  Entry *in;               /* references to the first `held` */
  int held;
  Node *node;
} NodeMaking;

void node_making_end(void *making);

/* Makes the node m->node with m->params. */
Status node_make(lua_State *L, const Op *op, const char *name, const Entry *in, int n_in, NodeMaking *m);

/* Pushes the outputs of a new node, a Symbol or a list of them, and reports the node to the trace. */
void push_new_node(lua_State *L, Node *node, int visible, bool list);

/* Sets the attributes of the scope, which are strings (attribute.lua). */
Status set_scope_attributes(lua_State *L, Node *n);

/* Makes the Symbol on top, a part of the one at index 1, np's if that is. */
static inline void follow_symbol_kind(lua_State *L) {
  if (value_kind(L, 1) == KIND_NP) make_np(L, -1);
}

/* The one entry of the Symbol at `index`; raises for others. */
Entry check_entry(lua_State *L, int index);

/* The entries of a list of n Symbols, in a userdata left on the stack; a hole, if holes are allowed, is NO_ENTRY. */
Entry *list_entries(lua_State *L, int index, const char *what, bool holes, int n);
/* The same for a whole list, without holes; sets *n to its length. */
Entry *check_entries(lua_State *L, int index, const char *what, int *n);

/* Pushes the suffix of an output's name: "output", "output1", "mean". */
void push_output_suffix(lua_State *L, const Node *n, int index);

/* Calls an internal row on arrays and pushes a list of all its outputs, hidden ones too (symbol_control.c). */
int call_row(lua_State *L, const Op *op, const void *fields, Array **in, int n_in);

void open_symbol_query(lua_State *L);

#endif
