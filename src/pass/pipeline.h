/* pipeline.h - from a graph with its gradients to one that runs: all passes in their order. */
#ifndef HL_PASS_PIPELINE_H
#define HL_PASS_PIPELINE_H

#include "pass/memory_plan.h"

/* The passes that both tiers of an executable share come first; then each tier has its own on a copy. */
typedef enum Stage {
  STAGE_SHARED,
  STAGE_OPERATORS,
  STAGE_FUSED,
  STAGE_TRACED               /* alone: each operator of the trace as it stands there, its results to be looked at */
} Stage;

/* The passes of one stage. The memory plan, which is made at the end of a tier's own stage, is left in
** *plan (NULL for STAGE_SHARED); memory_plan_free frees it, after a failure too. */
Status pipeline_run(Graph *g, Stage stage, MemoryPlan *plan);

#endif
