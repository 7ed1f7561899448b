/* graph_edit.h - changing a graph that owns its nodes, in one walk over it: values give way to others, and nodes
** are put in at a place.
**
** While an edit is under way the graph's list stays as it is, and what the edit knows of nodes is in tables
** of its own. edit_end makes the new list: nodes that were put in stand where they were asked to, and
** unreachable nodes are dropped.
*/
#ifndef HL_IR_GRAPH_EDIT_H
#define HL_IR_GRAPH_EDIT_H

#include "base/bump.h"
#include "ir/graph.h"

/* A node to be put in; the next one at the same place. */
typedef struct Insertion { Node *node; struct Insertion *next; } Insertion;

typedef struct Edit {
  Graph *g;
  Bump bump;             /* for the tables of the edit, and of the pass that edits */
  int *first;            /* by position: where the node's outputs begin in `to` */
  Entry *to;             /* what each value is replaced by; itself at first */
  Insertion **head, **tail;      /* by place: its first and last insertion, or NULL */
  int n_places, n_insertions;
  bool changed;          /* some value was replaced, or a node was put in */
} Edit;

/* Declares an edit, which is abandoned if its block ends without edit_end: then the graph keeps its list. */
#define EDIT(name) Edit name FREED_BY(edit_free) = { 0 }
void edit_free(Edit *e);

Status edit_begin(Edit *e, Graph *g);

/* The inputs of a node, the graph's own or one put in, follow the replacements so far. */
void edit_inputs(Edit *e, Node *n);

/* Nodes that read `value` read `by` from now on: a value of the graph, or of a node that is put in. */
void edit_replace(Edit *e, Entry value, Entry by);

/* What stands in the place of a value so far. */
Entry edit_current(const Edit *e, Entry value);

/* Puts a node in: into `part`, before the node at position `before`, behind what was put in there already.
** Takes over the reference, on failure too. */
Status edit_insert(Edit *e, Node *made, Part part, int before);

/* Outputs follow, too, and the graph gets its new list. */
Status edit_end(Edit *e);

#endif
