/* run_state.h - a run state: the mutable data of one run of an executable (executable.h). */
#ifndef HL_EXEC_PROGRAM_RUN_STATE_H
#define HL_EXEC_PROGRAM_RUN_STATE_H

#include "exec/program/arena.h"
#include "exec/program/executable.h"

typedef struct RunState {
  Executable *executable;    /* retained */
  Arena *arena[N_ARENA_KINDS];    /* NULL: none at present */
  char *bound[N_ARENA_KINDS];     /* the memory that values and calls were last bound to */
  char *thread_workspace;    /* for the current instruction, if there are more threads than planned */
  size_t thread_workspace_bytes;
  int n_threads;             /* number of threads with workspaces; 0: not set yet */
  Tensor *value;             /* by value; data of inputs and outputs is bound at run time */
  struct Call *call;         /* by instruction; operands point into `value` */
  const Tensor **in;
  Tensor **out;
  Tensor *held;              /* inputs, then outputs of forward, kept for backward */
  uint32_t *version;         /* their versions when forward ran */
  Tensor **target;           /* forward's outputs while it runs */
  Bump bump;                 /* for these tables */
  struct RunState *next;
} RunState;

/* Take a run state, and put it back once neither forward nor backward needs it. The caller holds the executable's
** lock. */
Status run_state_take(Executable *p, RunState **out);
void run_state_put_back(RunState *w);

/* run_state_put_back for callers that do not hold the lock. */
void run_state_give_back(RunState *w);

/* Frees the idle run states of an executable. For the first, the caller holds the executable's lock; the second tries
** to take it, and otherwise frees nothing. */
void run_state_free_idle(Executable *p);
void run_state_reclaim_idle(Executable *p);

/* Bytes of the idle run states; 0 if another thread has the lock. */
int64_t run_state_idle_bytes(Executable *p);

/* Runs forward into new tensors `out` on the device. `keep`: hold inputs and outputs for backward. */
Status run_state_forward(RunState *w, const Tensor *const *in, Device device, Tensor *out, bool keep);

/* Runs backward on the head gradients, into existing tensors `out`. May be called again. Fails if a value that it reads
** was overwritten in place since forward ran. */
Status run_state_backward(RunState *w, const Tensor *const *heads, Tensor *const *out);

#endif
