/* rewrite.h - replacing values of a graph by others while walking over it once. */
#ifndef HL_REWRITE_H
#define HL_REWRITE_H

#include "ir/graph.h"

typedef struct Rewrite {
  Graph *g;
  int *first;            /* by Node.mark: where the node's outputs begin in `to` */
  Entry *to;             /* what each value is replaced by; itself at first */
  NodeList made;         /* new nodes, held until the end */
  bool changed;          /* some value was replaced */
} Rewrite;

Status rewrite_begin(Rewrite *r, Graph *g);
void rewrite_inputs(Rewrite *r, Node *n);               /* the node's inputs follow the replacements so far */
void rewrite_set(Rewrite *r, Entry value, Entry by);
Status rewrite_hold(Rewrite *r, Node *made);            /* takes over the reference */
Status rewrite_end(Rewrite *r, Status s);               /* outputs follow too; hands s on */

#endif
