/* step_graph.h - the training steps of a specialization: the nodes that replace the traced ones (step_rows.h). */
#ifndef HL_EXEC_PROGRAM_STEP_GRAPH_H
#define HL_EXEC_PROGRAM_STEP_GRAPH_H

#include "base/bump.h"
#include "exec/program/step_rows.h"
#include "ir/graph/graph.h"

/* An input of the graph that is not one of the compiled function. */
typedef enum StepInputKind { STEP_GRADIENT, STEP_STATE, STEP_NUMBERS } StepInputKind;

typedef struct StepInput {
  StepInputKind kind;
  int of;                    /* a gradient: the input whose leaf has it; else the number of the update */
  int index;                 /* a state: its index in StepUpdate.state */
} StepInput;

/* The training steps of a specialization whose executable performs them. */
typedef struct StepPlan {
  const bool *wanted;        /* by input of the compiled function: it is on the tape */
  const uint8_t *req;        /* by input: the GradReq of its leaf */
  const int *same;           /* by input: the first that is the same value; NULL: all differ */
  int n_in;
  int n_results;             /* number of outputs that the script gets, the first ones */
  const StepUpdate *update;  /* by number: what the steps will update; rule NULL: host calls */
  int n_updates;
  int n_added;               /* set: number of inputs that steps add, the graph's last inputs */
  StepInput *added;          /* set: what these are */
  Bump *bump;                /* for `added` */
} StepPlan;

/* Does it have nodes of training steps? *backward: the line of the last backward, or 0. */
bool step_graph_any(const Graph *g, Origin *backward);

/* The number of its host calls that may be updates. */
int step_graph_updates(const Graph *g);

/* Drops them: the host performs them after the executable. */
Status step_graph_strip(Graph *g);

/* Can one executable perform the steps of this typed graph with the bits and errors of eager code? Not if a backward
** needs the tape: because it records its gradients, raises an error, or leaves a part of the tape for a later one. */
Status step_graph_fits(const Graph *g, const StepPlan *plan, bool *fits);

/* Replaces each backward by the nodes of the gradients and one that stores them. Host calls get the leaves and the
** gradients stored before them as inputs, which they may read and write. An update whose weights are all leaves becomes
** a host call that fills in its numbers, and a node. Nodes of steps note the step's line (Node.caller). *fits becomes false if the gradients would read memory that the graph writes before
** them; the graph must then be discarded. */
Status step_graph_expand(Graph *g, StepPlan *plan, bool *fits);

#endif
