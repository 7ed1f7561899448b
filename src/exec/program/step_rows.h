/* step_rows.h - the nodes of training steps in the graph of a compiled function, and what a run of them needs.
**
** While hl.compile traces a function, backward and what writes parameters (Trainer.step, zero_grad, clip_global_norm,
** set_learning_rate) become nodes with effects, in the script's order. They have three rows:
**   _backward          the gradients of the heads, its inputs
**   _store_gradients   stores gradients in leaves, all of them in one instruction; zero_grad is one that stores zeros
**   _host_call         runs a function of the host, such as an optimizer's update of all parameters
** A specialization replaces _backward by the nodes of the gradients and _store_gradients (step_graph.h), updates by
** nodes after a host call that computes their numbers, and clip_global_norm by a node before one that warns
** (step_updates.h). Where it cannot, the call is recorded on the tape, and the host performs the nodes after it.
**
** The output of these rows is a token that nothing reads. Only gradients, tokens and values computed before them may be
** read after them (trace_admit in bind/trace/tracing.c).
*/
#ifndef HL_EXEC_PROGRAM_STEP_ROWS_H
#define HL_EXEC_PROGRAM_STEP_ROWS_H

#include "exec/program/step_updates.h"

/* The parameters of the rows _backward and _host_call. */
typedef struct StepParams {
  int64_t number;      /* of the host's function */
  int64_t line;        /* the Origin of the script's statement, for errors */
  int64_t first;       /* it precedes autograd.record, so it is performed before the executable runs on the tape */
  int64_t on_tape;     /* backward: it needs the tape, because it records its gradients, or has head gradients */
  int64_t retain;      /* backward: it keeps the tape */
  int64_t update;      /* host call: its number among those that may be updates, from 0; -1: it is not one of them */
  int64_t warns;       /* host call: it is performed only to warn that its input, a norm, is not finite */
} StepParams;

/* The host's side of a call: what performs the nodes that call Lua. */
typedef struct StepHost StepHost;
struct StepHost {
  Status (*perform)(StepHost *host, const StepParams *step);   /* runs the function of this number */
  /* Finds what a step will update in a call with these inputs; update->rule stays NULL if it is not one operator. The
  ** arrays last until the call ends. */
  Status (*find_update)(StepHost *host, const StepParams *step, Array *const *in, int n_in, StepUpdate *update);
  bool left; /* set by a call that only performed the first nodes: the others follow, on the tape */
};

/* A run of training steps. */
typedef struct StepRun {
  StepHost *host;
  Array *const *in; /* of the call, by input of the compiled function */
  const BoundUpdate *update; /* by number */
  const BoundUpdate *filling; /* the update whose numbers the running host call fills in; NULL: none */
  bool filled; /* it did */
  bool pending; /* the numbers of an update are filled in, and it has not been performed */
} StepRun;

/* The run of this thread, or NULL; sets it and returns the one before. */
StepRun *step_run_set(StepRun *run);
StepRun *step_run(void);

/* Notes that an update was performed. */
void step_run_updated(void);

typedef enum StepKind { STEP_NONE, STEP_BACKWARD, STEP_HOST_CALL } StepKind;

StepKind step_kind(const Node *n); /* STEP_NONE: no step of the traced graph */
const StepParams *step_params(const Node *n);
Status step_row(StepKind kind, const Op **out); /* declares the row */

/* Is it a node of a step, traced or not, whose output is a token? */
bool step_is_node(const Node *n);

/* Does an instruction of this row report its own writes? The host's functions do. */
bool step_reports_writes(const Op *op);

/* The gradients that a node stores: input k of the node is the gradient of the leaf at[k].input. */
typedef struct GradientStore {
  int input; /* of the compiled function */
  GradReq req;
  int value; /* the node's input with the new gradient; -1: none (leaf_store) */
} GradientStore;

typedef struct GradientStores {
  int refs, n;
  bool zeros; /* zero_grad: the gradients do not count as reached by a backward */
  GradientStore at[];
} GradientStores;

/* Makes the parameters of _store_gradients for n gradients, whose stores the caller fills in. */
Status step_stores_new(int n, const Op **row, Params **params, GradientStores **stores);

#endif
