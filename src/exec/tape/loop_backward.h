/* loop_backward.h - backward over the iterations of a loop or condition, which are recorded on a tape. */
#ifndef HL_EXEC_TAPE_LOOP_BACKWARD_H
#define HL_EXEC_TAPE_LOOP_BACKWARD_H

#include "ir/node_builder.h"
#include "ir/subgraph.h"

/* One gradient that was built. */
typedef struct BackStep {
  const ControlBack *back;
  GradTerms *head;           /* by head: the given gradient, rows of a run one by one */
  GradTerms *result;         /* by result: the terms of an input's gradient, or the gradients of the rows given for a
                             ** head, NO_ENTRY for a row that has none */
} BackStep;

/* All that were built over one control node's iterations. */
typedef struct LoopBackward {
  Builder *b;
  const Entry *in, *out;     /* inputs and visible outputs of the control node; NO_ENTRY: not on the tape */
  const Scope *scope;        /* the block call that the control node is in */
  bool nested;               /* the inputs come from other nodes of the tape, where a walk has to end */
  BackStep *made;
  int n, capacity;
} LoopBackward;

/* Is the gradient given for this head a run, with a row for each term? */
bool loop_backward_is_run(const ControlBack *b, int head);

/* How many terms are given for it; `count` is the number for heads that have a count. */
int64_t loop_backward_terms(const LoopBackward *k, const ControlBack *b, int head, int64_t count);

/* Builds the step of `b`, whose earlier ones exist already. The step owns the given terms, even if this fails. */
Status loop_backward_make(LoopBackward *k, const ControlBack *b, GradTerms *given);

/* NULL: it was not built. */
const BackStep *loop_backward_step(const LoopBackward *k, const ControlBack *b);

GradTerms *loop_backward_terms_new(int n);                 /* of n heads or results; NULL: no memory */
Status loop_backward_terms_widen(GradTerms *t, int64_t n);  /* n entries, NO_ENTRY */
void loop_backward_free(LoopBackward *k);

#endif
