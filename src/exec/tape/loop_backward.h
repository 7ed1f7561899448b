/* loop_backward.h - backward over the iterations of a loop or condition, which are recorded on a tape. */
#ifndef HL_EXEC_TAPE_LOOP_BACKWARD_H
#define HL_EXEC_TAPE_LOOP_BACKWARD_H

#include "base/bump.h"
#include "ir/node_builder.h"
#include "ir/subgraph.h"

/* A gradient over the iterations. */
typedef struct BackStep {
  const ControlBack *back;
  GradTerms *head;           /* by head: the given gradient, a run of terms row by row */
  GradTerms *result;         /* by result: the terms of an input's gradient, or the gradients of the rows given for a
                             ** head, NO_ENTRY for a row that has none */
  struct BackStep *next;     /* the one built after it */
} BackStep;

/* All gradients built over the iterations of one control node. */
typedef struct LoopBackward {
  Builder *b;
  Bump *memory;              /* for the steps */
  const Entry *in, *out;     /* inputs and visible outputs of the control node; NO_ENTRY: not on the tape */
  const Scope *scope;        /* the block call that the control node is in */
  bool nested;               /* the inputs are results of other nodes on the tape, where a walk must end */
  BackStep *first, *latest;
} LoopBackward;

/* Sets wanted[] for the inputs of its control node that a gradient is computed for, by it or by earlier ones. */
void loop_backward_wants(const ControlBack *b, bool *wanted);

/* Is the gradient given for this head a run of terms? */
bool loop_backward_is_run(const ControlBack *b, int head);

/* A step without values; NULL if memory ran out (k->memory->status). */
BackStep *loop_backward_begin(LoopBackward *k, const ControlBack *b);

/* Makes room for the terms given for a head, NO_ENTRY each; `count` is their number for a head with a count. */
Status loop_backward_give(LoopBackward *k, BackStep *s, int head, int64_t count);

/* Builds the results of a step whose terms are given, after the steps that it depends on. */
Status loop_backward_make(LoopBackward *k, BackStep *s);

/* The step that was built for `b`, or NULL. */
const BackStep *loop_backward_step(const LoopBackward *k, const ControlBack *b);

#endif
