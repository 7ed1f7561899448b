/* run_state.h - the run state: what changes while an executable (executable.h) runs. */
#ifndef HL_EXEC_PROGRAM_RUN_STATE_H
#define HL_EXEC_PROGRAM_RUN_STATE_H

#include "exec/program/arena.h"
#include "exec/program/executable.h"

typedef struct RunState {
  Executable *executable;    /* retained */
  Arena *arena[N_ARENA_KINDS];    /* NULL: none now */
  char *bound[N_ARENA_KINDS];     /* where those were that values and calls point into */
  void *prepared;            /* what `prepare` of the instructions left */
  char *thread_workspace;    /* of all threads of the instruction that runs, if they are more than was planned for */
  size_t thread_workspace_bytes;
  int n_threads;             /* that calls have workspaces for; 0: none yet */
  Tensor *value;             /* of each value; data of inputs and outputs bound at run time */
  struct Call *call;         /* of each instruction, its operands pointing into value */
  const Tensor **in;
  Tensor **out;
  Tensor *held;              /* inputs, then forward outputs, kept for backward */
  uint32_t *version;         /* theirs, when forward ran */
  Tensor **target;           /* forward's outputs while it runs */
  Bump bump;                 /* for these tables */
  struct RunState *next;
} RunState;

/* A run state to run in; to be put back when neither forward nor backward needs it. The caller holds the executable's
** lock. */
Status run_state_take(Executable *p, RunState **out);
void run_state_put_back(RunState *w);

/* The same for callers that do not hold the lock. */
void run_state_give_back(RunState *w);

/* Frees the idle run states of an executable. The caller of the first holds the executable's lock; the second takes it,
** and frees nothing if another thread has it. */
void run_state_free_idle(Executable *p);
void run_state_reclaim_idle(Executable *p);

/* The bytes of blocks that they have; 0 if another thread has the lock. */
int64_t run_state_idle_bytes(Executable *p);

/* Runs forward. `out` are new tensors on the device. With `keep` inputs and outputs are held for backward. */
Status run_state_forward(RunState *w, const Tensor *const *in, Device device, Tensor *out, bool keep);

/* Runs backward on the head gradients; `out` are tensors to be filled. May run again.
** Fails if something that it reads was overwritten in place since forward ran. */
Status run_state_backward(RunState *w, const Tensor *const *heads, Tensor *const *out);

#endif
