/* group_kernels.c - see pass/group_port.h: runs the generated kernel of a group, alone or tile by tile after an
** operator.
*/
#include "pass/group_port.h"

#include "base/assert.h"
#include "base/settings/fault_injection.h"
#include "base/size_math.h"
#include "base/threads/parallel_for.h"
#include "pass/epilogue.h"

typedef struct GroupRun {
  const FusionGroup *g;
  char *pointer[MOST_POINTERS]; /* inputs, then outputs */
  double room[MOST_SCALARS];
  const double *scalar; /* of the members: the group's, or in `room` if inputs hold some */
  int64_t each; /* elements of an item */
  int64_t reported; /* elements reported by the operator before an epilogue */
} GroupRun;

static void find_scalars(GroupRun *r) {
  const FusionGroup *g = r->g;
  r->scalar = g->bound ? r->room : g->scalar;
  for (int i = 0; g->bound && i < g->n_scalars; i++)
    r->room[i] = g->number[i] < 0 ? g->scalar[i] : *(const double *)(const void *)r->pointer[g->number[i]];
}

/* Checks for interrupts between chunks of CHUNK elements. */
static void run_chunks(void *context, int64_t first, int64_t last) {
  enum { CHUNK = 1 << 18 };
  const GroupRun *r = context;
  int64_t step = CHUNK / (r->each + 1) + 1;
  for (int64_t at = first; at < last && !interrupted(); at += step)
    r->g->kernel(r->pointer, r->g->dim, r->scalar, at, last - at < step ? last : at + step);
}

static Status run_whole(GroupRun *r) {
  const FusionGroup *g = r->g;
  int64_t items = g->n * g->rows;
  r->each = 1;
  if (g->kind == GROUP_COLUMNS) {
    items = parts(g->n, GROUP_COLUMN_BLOCK);
    r->each = least(g->n, GROUP_COLUMN_BLOCK) * g->rows;
  } else if (g->kind == GROUP_ROWS) {
    items = g->rows;
    r->each = g->n;
  }
  const int64_t grain = (1 << 16) / least(r->each * g->n_members, 1 << 16) + 1;
  if (items < 2 * grain) run_chunks(r, 0, items);
  else parallel_for(items, grain, run_chunks, r);
  return interrupt_status();
}

Status group_run(Call *c) {
  GroupRun r;
  r.g = ((const FusedParams *)c->params)->group;
  for (int i = 0; i < c->n_in; i++) r.pointer[i] = c->in[i]->data;
  for (int i = 0; i < c->n_out; i++) r.pointer[c->n_in + i] = c->out[i]->data;
  find_scalars(&r);
  return run_whole(&r);
}

/* Called from several threads, which share only `reported`. */
static void ready(void *context, int64_t first, int64_t n) {
  GroupRun *r = context;
#ifdef HL_VERIFY
  __atomic_fetch_add(&r->reported, n, __ATOMIC_RELAXED);
#else
  if (!__atomic_load_n(&r->reported, __ATOMIC_RELAXED)) __atomic_store_n(&r->reported, 1, __ATOMIC_RELAXED);
#endif
  if (HL_FAULT_IS(reported) && n > 1) n--;
  r->g->kernel(r->pointer, r->g->dim, r->scalar, first, first + n);
}

Status group_run_epilogue(Call *c) {
  const Epilogue *e = ((const EpilogueParams *)c->params)->epilogue;
  const FusionGroup *g = e->group;
  GroupRun r;
  r.g = g;
  r.reported = 0;
  for (int i = 0; i < g->n_in; i++) r.pointer[i] = e->from[i] < 0 ? c->out[e->result]->data : c->in[e->from[i]]->data;
  for (int i = 0; i < g->n_out; i++) r.pointer[g->n_in + i] = c->out[i]->data;
  find_scalars(&r);
  const TileReady tile_ready = { ready, &r };
  Call of = epilogue_operator_call(c);
  of.tile_ready = &tile_ready;
  of.kernel = call_kernel(&of);
  TRY(of.kernel->run(&of));
  if (r.reported == 0) return run_whole(&r);
#ifdef HL_VERIFY
  HL_ASSERT(r.reported == g->n * g->rows);
#endif
  return OK;
}
