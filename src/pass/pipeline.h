/* pipeline.h - all passes in order: from a graph with its gradients to a planned one. */
#ifndef HL_PASS_PIPELINE_H
#define HL_PASS_PIPELINE_H

#include "pass/memory_plan.h"

/* The passes that both tiers of an executable share run first; then each tier's own, on a copy. */
typedef enum Stage {
  STAGE_SHARED,
  STAGE_OPERATORS,
  STAGE_FUSED,
  STAGE_TRACED  /* instead of all others: the operators exactly as traced, so that each result can be observed */
} Stage;

/* Runs the passes of one stage. A tier's stage ends with the memory plan in *plan (NULL for STAGE_SHARED), which the
** caller frees with memory_plan_free, after a failure too. */
Status pipeline_run(Graph *g, Stage stage, MemoryPlan *plan);

#endif
