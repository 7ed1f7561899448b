/* symbol_node.h - one node of a symbol file after the other becomes a node of a graph.
**
** What a node says is checked here: the operator, its parameters, the number of inputs,
** that inputs come before their users, and that the outputs they name exist. Files of
** older versions are completed on the way.
*/
#ifndef HL_IO_SYMBOL_SYMBOL_NODE_H
#define HL_IO_SYMBOL_SYMBOL_NODE_H

#include "io/file/file_limits.h"
#include "ir/subgraph.h"

/* MXNet's versions: major * 10000 + minor * 100 + patch. */
enum { SYMBOL_VERSION = 10901, SYMBOL_VERSION_UNKNOWN = 800 };

typedef struct SymbolInput { int node, index, version; } SymbolInput;
typedef struct SymbolAttribute { const char *key, *value; } SymbolAttribute;

/* A node as the file gives it. */
typedef struct SymbolNode {
  const char *op, *name;                        /* op "null": a variable */
  SymbolAttribute attribute[LIMIT_ATTRIBUTES];
  int n_attributes;
  SymbolInput *input;
  int n_inputs, capacity;
  Subgraph *subgraph[MOST_SUBGRAPHS];           /* a reference each */
  int n_subgraphs;
} SymbolNode;

typedef struct SymbolMade {
  Node *node;               /* a reference; NULL for an operator that is not known */
  bool written;             /* has an operator written to it, a state? */
} SymbolMade;

typedef struct SymbolGraph {
  Builder builder;
  int version;              /* of the MXNet that wrote the file */
  SymbolMade *made;         /* the nodes so far */
  int n, capacity;
  int n_unknown;            /* how many these are: where there is one the graph is refused */
  Text unknown;             /* their names, with commas */
  Entry *in;                /* a node's inputs while it is built */
  int in_room;
} SymbolGraph;

Status symbol_node_add(SymbolGraph *g, const SymbolNode *n);

/* The value of an input or head: output `index` of node `node`, which must be before `before`. */
Status symbol_node_entry(const SymbolGraph *g, SymbolInput in, int before, Entry *out);

void symbol_node_free(SymbolGraph *g);

/* What a variable's attributes __shape__ and __dtype__ say of its type, where it is not known. */
Status symbol_node_type(Node *variable);

#endif
