/* pipeline.c - THE order of the passes, one table. */
#include "pass/pass.h"

Status pass_dce(Graph *g) { return graph_refresh(g); }

static const struct { const char *name; Status (*run)(Graph *g); } passes[] = {
  { "dce", pass_dce },     /* what differentiation built and no one asked for */
  { "fold", pass_fold },
  { "cse", pass_cse },
};

Status pipeline_run(Graph *g) {
  for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
    TRY(passes[i].run(g));
#ifdef HL_VERIFY
    TRY(verify_graph(g, passes[i].name));
#endif
  }
  return OK;
}
