/* loop_backward.h - backward over the recorded iterations of a loop or condition. */
#ifndef HL_EXEC_TAPE_LOOP_BACKWARD_H
#define HL_EXEC_TAPE_LOOP_BACKWARD_H

#include "base/bump.h"
#include "ir/node_builder.h"
#include "ir/graph/subgraph.h"

/* A gradient over the iterations. */
typedef struct BackStep {
  const ControlBack *back;
  GradTerms *head;           /* by head: the terms of its gradient */
  GradTerms *result;         /* by result: the terms of an input's gradient, or the gradients of the terms given for a
                             ** head; NO_ENTRY for a term without a gradient */
  struct BackStep *next;     /* the next one built */
} BackStep;

/* All gradients over the iterations of one control node. */
typedef struct LoopBackward {
  Builder *b;
  Bump *memory;              /* for the steps */
  const Entry *in, *out;     /* inputs and visible outputs of the control node; NO_ENTRY: not on the tape */
  const Scope *scope;        /* the block call that the control node is in */
  bool nested;               /* the iterations are inlined in a larger tape: a walk must end at the inputs */
  BackStep *first, *latest;
} LoopBackward;

/* Sets wanted[] for the inputs of the control node whose gradients `b` or an earlier pass computes. */
void loop_backward_wants(const ControlBack *b, bool *wanted);

/* Is the gradient given for this head a run of terms? */
bool loop_backward_is_run(const ControlBack *b, int head);

/* Adds an empty step; NULL if memory ran out (k->memory->status). */
BackStep *loop_backward_begin(LoopBackward *k, const ControlBack *b);

/* Allocates the terms of a head's gradient, NO_ENTRY each; `count`: their number, if the head has a count. */
Status loop_backward_give(LoopBackward *k, BackStep *s, int head, int64_t count);

/* Builds the results of a step whose head gradients are set; the steps that it depends on must exist. */
Status loop_backward_make(LoopBackward *k, BackStep *s);

/* The step that was built for `b`, or NULL. */
const BackStep *loop_backward_step(const LoopBackward *k, const ControlBack *b);

#endif
