/* fused_executable.h - the fused executable of a specialization, from its graph to its kernels.
**
** It is begun when the specialization is made, and each call checks for it until the kernels are there. Its outputs are
** those of the first executable, to the bit.
**
** Tier 0 always works: instructions that run the operators' kernels over an arena, from the first call. Tier 1 begins
** when a specialization is made, and takes over between two calls:
**
**   - operators whose kernels are not expressions are decomposed where their row can (pass/lower.c), and backward
**     recomputes cheap values of forward (pass/remat_cheap.c);
**   - elementwise chains, their reductions and reshapes become groups (pass/fusible.h, find_fusions.c,
**     fusion_group.h), and a group that follows a convolution its epilogue (pass/epilogue.h);
**   - each group becomes a C function (exec/jit/kernel_text.c), which a background process compiles
**     (exec/jit/compile_text.c) and a private directory keeps (exec/jit/kernel_cache.c).
**
** Functions depend on dtypes and layouts, not on sizes, so another batch size compiles nothing. A group keeps its
** members' order of operations, so the switch changes no bit. Matrix products are not part of groups: tier 1 calls
** their library like tier 0. Without a compiler, or with a broken one, tier 0 continues and explain() says why.
** spec/exec/jit/fusion_spec.lua tests all of this.
*/
#ifndef HL_EXEC_PROGRAM_FUSED_EXECUTABLE_H
#define HL_EXEC_PROGRAM_FUSED_EXECUTABLE_H

#include "exec/jit/compile_text.h"
#include "exec/program/executable.h"

typedef struct Tier {
  Graph g;                   /* fused, and its memory plan; empty once an executable was made of it */
  MemoryPlan plan;
  int n_groups;
  Module *module;            /* NULL if nothing fuses, or nothing is compiled */
  const char *why;           /* ...why; NULL otherwise */
  double seconds;            /* that fusing and writing took */
} Tier;

/* Copies the graph of a specialization, fuses it and asks for its kernels. */
Status tier_begin(const Graph *g, Tier **out);

/* Of a specialization that has no second tier. */
Status tier_none(const char *why, Tier **out);
void tier_release(Tier *t);

/* Once the kernels are there, gives the executable, one time. *out stays NULL before that, and if they failed. */
Status tier_executable(Tier *t, const char *name, Lock *lock, Executable **out);

#endif
