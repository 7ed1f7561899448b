/* graph_edit.h - edits: one walk over a graph that owns its nodes, replacing values and inserting nodes.
**
** During an edit the graph's list is unchanged, and the edit keeps its own tables. edit_end makes the new list, with
** inserted nodes at the requested places and without unreachable nodes.
*/
#ifndef HL_IR_GRAPH_GRAPH_EDIT_H
#define HL_IR_GRAPH_GRAPH_EDIT_H

#include "base/bump.h"
#include "ir/graph/graph.h"

/* A node to be inserted, and the next one at the same place. */
typedef struct Insertion { Node *node; struct Insertion *next; } Insertion;

typedef struct Edit {
  Graph *g;
  Bump bump;             /* for tables of the edit and of the pass */
  int *first;            /* by position: the number of the node's first value */
  Entry *to;             /* by value: its replacement, or itself */
  Insertion **head, **tail;      /* by place: its first and last insertion, or NULL */
  int n_places, n_insertions;
  bool changed;          /* a value was replaced or a node inserted */
} Edit;

/* Declares an edit. It is abandoned, leaving the graph's list unchanged, if its block ends without edit_end. */
#define EDIT(name) Edit name FREED_BY(edit_free) = { 0 }
void edit_free(Edit *e);

Status edit_begin(Edit *e, Graph *g);

/* Applies the replacements so far to the inputs of a node, an inserted one too. */
void edit_inputs(Edit *e, Node *n);

/* Nodes that read `value` read `by` from now on, which may be a value of an inserted node. */
void edit_replace(Edit *e, Entry value, Entry by);

/* The current replacement of a value. */
Entry edit_current(const Edit *e, Entry value);

/* Inserts a node into `part`, before the node at position `before` and after earlier insertions there. Takes over the
** reference, on failure too. */
Status edit_insert(Edit *e, Node *made, Part part, int before);

/* Applies the replacements to the outputs, and gives the graph its new list. */
Status edit_end(Edit *e);

#endif
