/* fused_executable.h - the fused executable of a specialization: tier 1, with generated kernels.
**
** It is requested when the specialization is made, and each call checks whether its kernels are ready. Its outputs
** equal those of the first executable, to the bit.
**
** Tier 0 always works, from the first call: instructions that run the operators' kernels over an arena. Tier 1 is
** prepared when a specialization is made, and takes over between two calls:
**
**   - operators whose kernels are not expressions are decomposed if the row says how (pass/lower.c), and backward
**     recomputes cheap values of forward (pass/remat_cheap.c);
**   - elementwise chains, their reductions and reshapes become groups (pass/fusible.h, find_fusions.c,
**     fusion_group.h), and a group that follows a convolution becomes its epilogue (pass/epilogue.h);
**   - each group becomes a C function (exec/jit/kernel_text.c), which a background process compiles
**     (exec/jit/compile_text.c) and a private directory caches (exec/jit/kernel_cache.c).
**
** Functions depend on dtypes and layouts, not on sizes, so another batch size compiles nothing. A group computes in
** its members' order, so tier 1 has the same bits. Matrix products are never part of a group: both tiers call the
** same library. If the compiler is missing or broken, tier 0 continues and explain() reports the reason.
** spec/exec/jit/fusion_spec.lua tests all of this.
*/
#ifndef HL_EXEC_PROGRAM_FUSED_EXECUTABLE_H
#define HL_EXEC_PROGRAM_FUSED_EXECUTABLE_H

#include "exec/jit/compile_text.h"
#include "exec/program/executable.h"

typedef struct Tier {
  Graph g;                   /* fused, with its memory plan; empty after the executable was made */
  MemoryPlan plan;
  int n_groups;
  Module *module;            /* NULL if nothing fuses or nothing is compiled */
  const char *why;           /* the reason, or NULL */
  double seconds;            /* spent on fusing and on writing text */
} Tier;

/* Copies the graph of a specialization, fuses it and requests its kernels. */
Status tier_begin(const Graph *g, Tier **out);

/* Makes the Tier of a specialization that has only tier 0. */
Status tier_none(const char *why, Tier **out);
void tier_release(Tier *t);

/* Returns the executable once, when its kernels are ready. *out is NULL before that, and if they failed. */
Status tier_executable(Tier *t, const char *name, Lock *lock, Executable **out);

#endif
