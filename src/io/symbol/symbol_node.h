/* symbol_node.h - converting the nodes of a symbol file to nodes of a graph, in order.
**
** These are checked: the operator, its parameters, the number of inputs, that inputs precede their users, and that the
** outputs that they name exist. Nodes of older versions are completed.
*/
#ifndef HL_IO_SYMBOL_SYMBOL_NODE_H
#define HL_IO_SYMBOL_SYMBOL_NODE_H

#include "io/file/file_limits.h"
#include "ir/graph/subgraph.h"

/* MXNet's versions: major * 10000 + minor * 100 + patch. */
enum { SYMBOL_VERSION = 10901, SYMBOL_VERSION_UNKNOWN = 800 };

typedef struct SymbolInput { int node, index, version; } SymbolInput;
typedef struct SymbolAttribute { const char *key, *value; } SymbolAttribute;

/* The own form of a node that MXNet cannot express: its operator's name begins with OWN_FORM, in which 1 is the form's
** version. Such a node calls an internal row with the flag OP_IN_FILES, whose inference checks all that its kernel
** relies on; or, after OWN_TRAINING, a row in training mode, whatever the mode of the call. Other readers reject the
** name as unknown. */
#define OWN_FORM "hybridlua1:"
#define OWN_TRAINING "train:"

/* Is it an internal row that has this form? */
static inline bool symbol_node_is_own(const Op *op) { return op->flags & OP_INTERNAL && op->flags & OP_IN_FILES; }

/* A node in the file. */
typedef struct SymbolNode {
  const char *op, *name;                        /* op "null": a variable */
  SymbolAttribute attribute[LIMIT_ATTRIBUTES];
  int n_attributes;
  SymbolInput *input;
  int n_inputs, capacity;
  Subgraph *subgraph[MOST_SUBGRAPHS];           /* retained */
  int n_subgraphs;
} SymbolNode;

typedef struct SymbolMade {
  Node *node;               /* retained; NULL if its operator is unknown */
  bool written;             /* a state that an operator has written to */
} SymbolMade;

typedef struct SymbolGraph {
  Builder builder;
  int version;              /* of the MXNet that wrote the file */
  SymbolMade *made;         /* the nodes so far */
  int n, capacity;
  int n_unknown;            /* number of unknown operators; any makes the graph invalid */
  Text unknown;             /* their names, with commas */
  Entry *in;                /* a node's inputs while it is built */
  int in_room;
} SymbolGraph;

Status symbol_node_add(SymbolGraph *g, const SymbolNode *n);

/* The entry of an input or head: output `index` of node `node`, which must precede node `before`. */
Status symbol_node_entry(const SymbolGraph *g, SymbolInput in, int before, Entry *out);

void symbol_node_free(SymbolGraph *g);

/* Sets unknown parts of a variable's type from its attributes __shape__ and __dtype__. */
Status symbol_node_type(Node *variable);

#endif
