/* fused_executable.h - the fused program of a plan, from its graph to its kernels.
**
** Begun when the plan is made, and asked for at its calls until the kernels are there. Its
** outputs are the plan's, to the bit.
*/
#ifndef HL_EXEC_PROGRAM_FUSED_EXECUTABLE_H
#define HL_EXEC_PROGRAM_FUSED_EXECUTABLE_H

#include "exec/jit/compile_text.h"
#include "exec/program/executable.h"

typedef struct Tier {
  Graph g;                   /* fused, and the plan of its memory; empty once a program was made of it */
  MemoryPlan plan;
  int n_groups;
  Module *module;            /* NULL where nothing fuses, or nothing is compiled */
  const char *why;           /* ...why; NULL otherwise */
  double seconds;            /* that fusing and writing took */
} Tier;

/* Copies the graph of a plan, fuses it and asks for its kernels. */
Status tier_begin(const Graph *g, Tier **out);

/* Of a plan that has no second tier. */
Status tier_none(const char *why, Tier **out);
void tier_release(Tier *t);

/* Once the kernels are there, once: the program. *out stays NULL before, and if they failed. */
Status tier_program(Tier *t, Lock *lock, Executable **out);

#endif
