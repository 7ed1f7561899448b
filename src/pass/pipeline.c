/* pipeline.c - the order of the passes, in one table. In test builds the verifier checks the graph before the first
** pass and after each. Every edit drops unreachable nodes (ir/graph/graph_edit.h).
*/
#include "pass/pipeline.h"

#include "base/settings/debug_switches.h"
#include "pass/pass.h"

enum { SHARED = 1 << STAGE_SHARED, OPERATORS = 1 << STAGE_OPERATORS, FUSED = 1 << STAGE_FUSED, TRACED = 1 << STAGE_TRACED };

/* A pass has `run` or, if it comes last, `plan`, which also plans memory. */
static const struct Pass {
  const char *name;
  unsigned stages;
  Status (*run)(Graph *g);
  Status (*plan)(const Graph *g, MemoryPlan *plan);
} passes[] = {
  { "fold", SHARED, pass_constant_fold, NULL },
  { "cse", SHARED, pass_cse, NULL },
  { "outputs", SHARED | TRACED, pass_outputs, NULL },
  { "remat", SHARED, pass_checkpoint, NULL },
  { "lower", FUSED, pass_lower, NULL },
  { "recompute", FUSED, pass_remat_cheap, NULL },
  { "fuse", FUSED, pass_fuse, NULL },
  { "epilogue", FUSED, pass_epilogue, NULL },
  { "order", OPERATORS | FUSED, NULL, pass_order },     /* by memory_plan_make: see pass_verify_plan */
  { "plan", TRACED, NULL, memory_plan_make },
};

static Status verify(const Graph *g, const char *after) {
#ifdef HL_VERIFY
  return pass_verify_graph(g, after);
#else
  (void)g, (void)after;
  return OK;
#endif
}

Status pipeline_run(Graph *g, Stage stage, MemoryPlan *plan) {
  if (stage == STAGE_SHARED) TRY(verify(g, "gradient"));
  for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
    const struct Pass *pass = &passes[i];
    bool forced = debug.decompose && pass->run == pass_lower && stage == STAGE_OPERATORS;
    if (!(pass->stages >> stage & 1) && !forced) continue;
    TRY(pass->plan ? pass->plan(g, plan) : pass->run(g));
    TRY(verify(g, pass->name));
  }
  return OK;
}
