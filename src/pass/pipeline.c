/* pipeline.c - THE order of the passes, one table. What no output and no effect needs is dropped
** by graph_refresh, after differentiation and with every replacement. */
#include "pass/pass.h"

static const struct { const char *name; Status (*run)(Graph *g); } passes[] = {
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
