/* epilogue.h - a group that works on an operator's result tile by tile, as the operator reports them, while they are
** warm in cache.
**
** One node stands for both, so that the memory plan, the order and the code that runs it see nothing but a node
** that reads all that either reads: nothing of it is written over before the node has ended. Its inputs
** are the operator's, then what else the group reads; its outputs are the group's, then the operator's own where others
** read it. Else the operator writes into an output of the group, which goes over it in place.
** The group's kernel does the same to each element as it would in a pass of its own, so no bit depends on this.
**
** The convolution reports each range of its result as soon as it is final, from the thread that wrote it. If its result
** is small, or the ranges would be short, it reports none, and the group runs over the whole result afterwards.
*/
#ifndef HL_PASS_EPILOGUE_H
#define HL_PASS_EPILOGUE_H

#include "pass/fusion_group.h"

typedef struct Epilogue {
  int refs;
  const Op *op;                  /* the operator, whose row has OP_REPORTS_TILES */
  Params *params;
  FusionGroup *group;
  int n_in;                      /* the operator's inputs */
  int result;                    /* which of the node's outputs the operator writes */
  int from[MOST_POINTERS];       /* by input of the group: which of the node's inputs; -1: the operator's result */
} Epilogue;

typedef struct EpilogueParams { Epilogue *epilogue; } EpilogueParams;      /* of the node's row */

/* The call of the operator within a call of the node: its operands are the first inputs and one output. */
Call epilogue_operator_call(const Call *c);

/* What a node runs as an operator and its epilogue; NULL: it is another node. */
const Epilogue *epilogue_of(const Node *n);

/* Can an elementwise node or group with results of this shape be the epilogue of what makes its input? */
bool epilogue_fits(Entry input, const Shape *space);

#endif
