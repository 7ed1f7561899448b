/* pipeline.c - THE order of the passes, one table; in builds for tests the verifier looks at the graph before
** the first of them and after each. What nothing needs is dropped by every edit (ir/edit.h).
*/
#include "pass/pipeline.h"

#include "base/debug.h"
#include "pass/pass.h"

enum { SHARED = 1 << STAGE_SHARED, OPERATORS = 1 << STAGE_OPERATORS, FUSED = 1 << STAGE_FUSED };

/* A row either rewrites the graph or, at the end, plans its memory. */
static const struct Pass {
  const char *name;
  unsigned stages;
  Status (*run)(Graph *g);
  Status (*plan)(const Graph *g, MemoryPlan *plan);
} passes[] = {
  { "fold",      SHARED,            pass_fold,      NULL },
  { "cse",       SHARED,            pass_cse,       NULL },
  { "outputs",   SHARED,            pass_outputs,   NULL },
  { "lower",     FUSED,             pass_lower,     NULL },
  { "recompute", FUSED,             pass_recompute, NULL },
  { "fuse",      FUSED,             pass_fuse,      NULL },
  { "order",     OPERATORS | FUSED, pass_order,     NULL },
  { "memory",    OPERATORS | FUSED, NULL,           plan_memory },      /* followed by verify_plan */
};

static Status verify(const Graph *g, const char *after) {
#ifdef HL_VERIFY
  return verify_graph(g, after);
#else
  (void)g, (void)after;
  return OK;
#endif
}

Status pipeline_run(Graph *g, Stage stage, MemoryPlan *plan) {
  if (stage == STAGE_SHARED) TRY(verify(g, "gradient"));
  for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
    const struct Pass *pass = &passes[i];
    bool forced = debug.apart && pass->run == pass_lower && stage == STAGE_OPERATORS;
    if (!(pass->stages >> stage & 1) && !forced) continue;
    if (pass->plan) return pass->plan(g, plan);
    TRY(pass->run(g));
    TRY(verify(g, pass->name));
  }
  return OK;
}
