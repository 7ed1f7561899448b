/* executable.h - a graph made ready to run: instructions over arenas.
**
** Once built it is not written to, except for the count of its runs and its idle run states, which its owner's lock
** guards. What changes while it runs is in a run state, one for each run, so several threads may run it at once. An
** executable has one or two parts: forward, and backward over the values that forward left. A run state whose backward
** is still to come stays with its run.
**
** Memory of a run. Intermediate values and the workspace that a kernel asks for are in the arena that a run has while
** instructions run; so are the per-thread workspaces of as many threads as there were when the executable was built.
** With more threads, the run state has these beside the arena. Values of forward that backward reads are in another
** arena, which the run keeps (exec/program/arena.h). What a row's `prepare` computes is kept with the run state. Idle
** arenas and idle run states of all executables are freed before a block is refused (base/memory.h,
** spec/memory/shared_arenas_spec.lua).
*/
#ifndef HL_EXEC_PROGRAM_EXECUTABLE_H
#define HL_EXEC_PROGRAM_EXECUTABLE_H

#include "base/threads/spin_lock.h"
#include "pass/memory_plan.h"

typedef struct Instruction {
  int node;                  /* position in the graph */
  int first_in, first_out;   /* in the lists of operand values */
  bool writes;               /* into some of its inputs */
  size_t prepared;           /* where in the run state's prepared memory its own begins */
  size_t threads_at;         /* where in the arena its per-thread workspaces begin, if they are large enough */
  size_t thread_bytes;       /* of a per-thread workspace... */
  int most_threads;          /* ...for at most this many threads */
} Instruction;

/* A value that lies in a buffer bound at run time. */
typedef struct Binding { int value, index; size_t offset; } Binding;

typedef struct Executable {
  const char *name;          /* the owner's: its function's */
  Lock *lock;                /* the owner's: guards owned, runs and the idle run states */
  bool owned;                /* it is still its owner's, who begins runs */
  int runs;                  /* that go on, or whose backward is still to come: it lives as long as these */
  Graph g;                   /* after the passes; its inputs in the order of binding */
  MemoryPlan plan;
  Instruction *code;
  int n_code, n_forward_code;
  size_t prepared_bytes;     /* of all instructions */
  bool has_thread_workspace; /* of an instruction */
  int *operand;              /* value numbers of the instructions' inputs and outputs */
  int n_operands;
  Binding *input, *output;
  int n_input_bindings, n_output_bindings;
  bool *saved_input, *saved_output;   /* does backward read it? */
  Bump bump;                 /* for the tables above */
  struct RunState *idle;     /* to be used again, or freed when a block is refused (base/memory.h) */
  int n_idle;
  struct Executable *next, **place;   /* in the list of all; where the pointer to it is */
} Executable;

/* Takes over the graph and its memory plan: they are empty afterwards, or to be freed after a failure. `lock` must live as long as
** the executable and its run states, and `name` too. The caller of the next two holds it: the owner lets go of the
** executable, or a run ends. */
Status executable_build(Graph *g, MemoryPlan *plan, const char *name, Lock *lock, Executable **out);
void executable_release(Executable *p);
void executable_end_run(Executable *p);

/* How many runs go on, or have their backward still to come. */
int executable_runs(Executable *p);

/* What such runs of one function save for backward. */
typedef struct SavedValues { char name[64]; int runs; int64_t bytes; } SavedValues;

/* Of the functions that have such runs: at most `most`, the total of the others in the last. Returns their number. */
int executable_saved(SavedValues *list, int most);

/* Until executable_unhold_all no other thread uses the list of all executables: a fork copies it as it is. */
void executable_hold_all(void);
void executable_unhold_all(void);

#endif
