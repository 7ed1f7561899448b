/* executable.h - a graph ready to run: instructions over arenas.
**
** An executable is immutable after construction, except for its number of runs and its idle run states, which its
** owner's lock guards. Each run has a run state with everything that changes, so several threads may run an executable
** at the same time. It has one or two parts: forward, and backward over the values that forward left. A run keeps its
** run state until no backward can follow.
**
** Memory of a run. The arena that a run has while instructions run contains intermediate values and workspaces,
** including per-thread workspaces for the number of threads at construction. If there are more threads, the run state
** has these instead. Values of forward that backward reads are in another arena, which the run keeps
** (exec/program/arena.h). Plans of kernels (ir/kernel.h) belong to the executable, and all runs share them. Idle arenas
** and run states of all executables are freed before a block is refused (base/memory.h,
** spec/memory/shared_arenas_spec.lua).
*/
#ifndef HL_EXEC_PROGRAM_EXECUTABLE_H
#define HL_EXEC_PROGRAM_EXECUTABLE_H

#include "base/threads/spin_lock.h"
#include "pass/memory_plan.h"

typedef struct Instruction {
  int node;                  /* position in the graph */
  int first_in, first_out;   /* in Executable.operand */
  int n_written;             /* number of inputs that it writes to */
  const int *written;        /* these */
  const Kernel *kernel;
  void *plan;                /* the kernel's plan, shared by all runs; or NULL */
  size_t plan_bytes;
  size_t threads_at;         /* offset in the arena of its per-thread workspaces, if these are large enough */
  size_t thread_bytes;       /* bytes of each per-thread workspace */
  int most_threads;          /* number of threads that can use one */
} Instruction;

/* A value in a buffer that is bound at run time. */
typedef struct Binding { int value, index; size_t offset; } Binding;

typedef struct Executable {
  const char *name;          /* the name of the owner, a compiled function */
  Lock *lock;                /* the owner's: guards `owned`, `runs` and idle run states */
  bool owned;                /* the owner has not released it and may begin runs */
  int runs;                  /* number in progress or with a pending backward; they keep the executable alive */
  Device device;             /* DEVICE_HOST for all kinds of CPU */
  Tensor *constant;          /* by node position: the values of constants, on the device */
  Graph g;                   /* after the passes; inputs in the order of binding */
  MemoryPlan plan;
  Instruction *code;
  int n_code, n_forward_code;
  bool has_thread_workspace;
  int *operand;              /* value numbers of the instructions' inputs and outputs */
  int n_operands;
  Binding *input, *output;
  int n_input_bindings, n_output_bindings;
  bool *saved_input, *saved_output;   /* does backward read it? */
  Bump bump;                 /* for the tables above */
  struct RunState *idle;     /* reused by later runs, or freed before a block is refused (base/memory.h) */
  int n_idle;
  struct Executable *next, **place;   /* in the list of all executables; the pointer to it */
} Executable;

/* Takes over the graph and its memory plan: both are empty afterwards, or must be freed after a failure. `lock` and
** `name` must outlive the executable and its run states. The caller of the next two functions holds the lock, to
** release the executable or to end a run. */
Status executable_build(Graph *g, MemoryPlan *plan, const char *name, Lock *lock, Executable **out);

/* The device that a graph is compiled for: all kinds of CPU are one. */
static inline Device executable_device(Device d) { return device_is_host(d) ? DEVICE_HOST : d; }
void executable_release(Executable *p);
void executable_end_run(Executable *p);

/* Adds the script's line of an instruction to its error. */
Status executable_failed_at(const Executable *p, const Instruction *code, Status s) __attribute__((cold));

/* Number of runs in progress or with a pending backward. */
int executable_runs(Executable *p);

/* Runs of one function that save values for backward, and the bytes of these. */
typedef struct SavedValues { char name[64]; int runs; int64_t bytes; } SavedValues;

/* Lists at most `most` functions with such runs; if there are more, the last entry is the total of the others. Returns
** the number of entries. */
int executable_saved(SavedValues *list, int most);

/* Locks the list of all executables until executable_unhold_all, so that a fork copies a consistent list. */
void executable_hold_all(void);
void executable_unhold_all(void);

#endif
