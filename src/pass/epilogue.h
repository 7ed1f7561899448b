/* epilogue.h - an elementwise group fused into an operator: it runs tile by tile, as the operator reports parts of its
** result that are still in cache.
**
** One node represents both. To the memory plan and the execution order it is a node that reads the inputs of both, so
** none of these is overwritten before the node has ended. Its inputs are those of the operator, then others of the
** group. Its outputs are those of the group, then the operator's if other nodes read it. Otherwise the operator writes into an
** output of the group, and the group works in place. The group's kernel treats each element as it would in a separate
** pass, so the bits are the same.
**
** The convolution reports each range of its result once it is final, from the thread that wrote it. If its result is
** small, or the ranges would be short, it reports none, and the group runs over the whole result afterwards.
*/
#ifndef HL_PASS_EPILOGUE_H
#define HL_PASS_EPILOGUE_H

#include "pass/fusion_group.h"

typedef struct Epilogue {
  int refs;
  const Op *op;                  /* its row has OP_REPORTS_TILES */
  Params *params;
  FusionGroup *group;
  int n_in;                      /* the operator's inputs */
  int result;                    /* the node's output that the operator writes */
  int from[MOST_POINTERS];       /* by input of the group: the node's input; -1: the operator's result */
} Epilogue;

typedef struct EpilogueParams { Epilogue *epilogue; } EpilogueParams;      /* parameters of the row of such nodes */

/* The operator's call within a call of the node: the first inputs and one output. */
Call epilogue_operator_call(const Call *c);

/* The operator and epilogue that a node runs; NULL for other nodes. */
const Epilogue *epilogue_of(const Node *n);

/* Can an elementwise node or group with results of this shape be the epilogue of the node that computes its input? */
bool epilogue_fits(Entry input, const Shape *space);

#endif
