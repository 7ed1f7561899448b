/* fused_executable.c - see fused_executable.h. Groups with the same text share a function. */
#include "exec/program/fused_executable.h"

#include <stdio.h>
#include <string.h>

#include "base/settings/debug_switches.h"
#include "base/settings/machine.h"
#include "base/map.h"
#include "base/memory.h"
#include "exec/jit/kernel_text.h"
#include "pass/fusion_group.h"
#include "pass/pipeline.h"

/* Compiling more functions than that would occupy a core for minutes. */
enum { MOST_FUNCTIONS = 512 };

/* ---- Text -------------------------------------------------------------------------------------- */

/* The groups that have their own functions; by group, the index of its function. */
typedef struct Functions { const FusionGroup **at; int *of; int n; } Functions;

static Status find_functions(const Graph *g, Functions *f) {
  Map by_hash FREED_BY(map_free) = { 0 };
  int k = 0;
  for (int i = 0; i < g->n_nodes; i++) {
    const FusionGroup *group = fusion_group_of(g->node[i]);
    if (!group) continue;
    const void *key = (const void *)(uintptr_t)(kernel_text_hash(group) | 1);
    int same = map_get(&by_hash, key);
    if (same < 0 || !kernel_text_alike(f->at[same], group)) {
      f->at[same = f->n++] = group;
      TRY(map_put(&by_hash, key, same));
    }
    f->of[k++] = same;
  }
  return OK;
}

static Status write_file(const Functions *f, Text *out) {
  text_put(out, kernel_text_prelude());
  for (int i = 0; i < f->n; i++) {
    text_format(out, "\nvoid kernel%d", i);
    kernel_text_of_group(f->at[i], out);
  }
  return text_status(out);
}

/* ---- Kernels -------------------------------------------------------------------------------------- */

static void release_module(void *module) { module_release(module); }

static Status ask_for_kernels(Tier *t) {
  BUMP(bump, "kernels");
  Functions f = { .at = BUMP_ARRAY(&bump, t->n_groups, const FusionGroup *),
                  .of = BUMP_ARRAY(&bump, t->n_groups, int) };
  Text text FREED_BY(text_free) = { 0 };
  TRY(bump.status);
  TRY(find_functions(&t->g, &f));
  if (f.n > MOST_FUNCTIONS) {
    t->n_groups = 0;
    t->why = "too many different kernels";
    return OK;
  }
  TRY(write_file(&f, &text));
  TRY(module_of_text(text.at, f.n, &t->module));
  for (int i = 0, k = 0; t->module && i < t->g.n_nodes; i++) {
    FusionGroup *group = fusion_group_of(t->g.node[i]);
    if (group) group->function = f.of[k++];
  }
  return OK;
}

static void connect(Tier *t) {
  for (int i = 0; i < t->g.n_nodes; i++) {
    FusionGroup *group = fusion_group_of(t->g.node[i]);
    char name[24];
    if (!group) continue;
    snprintf(name, sizeof name, "kernel%d", group->function);
    group->kernel = (FusedKernel *)module_function(t->module, name);
    group->code = module_retain(t->module);
    group->free_code = release_module;
  }
}

/* ---- Life --------------------------------------------------------------------------------------------- */

void tier_release(Tier *t) {
  if (!t) return;
  graph_free(&t->g);
  memory_plan_free(&t->plan);
  module_release(t->module);
  object_free(t);
}

/* If a pass has a bug, the operators' kernels continue to run. With debug.strict, as in the specs and the fuzz, it is
** an error. */
static Status go_on_without(Tier *t, Status s) {
  if (s != E_INTERNAL || debug.strict) return s;
  log_line(LOG_KERNEL, "none are made, because of a bug in hybridlua: %s", status_text());
  t->why = "a bug in hybridlua: see HYBRIDLUA_LOG=kernel";
  return OK;
}

static int count_groups(const Graph *g) {
  int n = 0;
  for (int i = 0; i < g->n_nodes; i++) n += fusion_group_of(g->node[i]) != NULL;
  return n;
}

Status tier_none(const char *why, Tier **out) {
  *out = object_new(sizeof **out);
  if (!*out) return no_memory("kernels");
  (*out)->why = why;
  return OK;
}

static Status make_kernels(Tier *t, const Graph *g) {
  TRY(graph_clone(g, &t->g));
  Status s = pipeline_run(&t->g, STAGE_FUSED, &t->plan);
  if (s == OK) t->n_groups = count_groups(&t->g);
  TRY(go_on_without(t, s));
  if (t->n_groups > 0) TRY(ask_for_kernels(t));
  if (t->n_groups > 0) return OK;
  graph_free(&t->g);
  memory_plan_free(&t->plan);
  if (!t->why) t->why = "nothing to fuse";
  return OK;
}

Status tier_begin(const Graph *g, Tier **out) {
  double start = machine_seconds();
  Tier *t = object_new(sizeof *t);
  if (!t) return no_memory("kernels");
  const bool host = device_is_host(g->device);
  if (!host) t->why = "kernels are generated for the host only";
  Status s = host && compile_enabled(&t->why) ? make_kernels(t, g) : OK;
  if (s != OK) {
    tier_release(t);
    return s;
  }
  t->seconds = machine_seconds() - start;
  *out = t;
  return OK;
}

Status tier_executable(Tier *t, const char *name, Lock *lock, Executable **out) {
  *out = NULL;
  if (!t->module || !t->g.node || module_poll(t->module) != JIT_READY) return OK;
  connect(t);
  return executable_build(&t->g, &t->plan, name, lock, out);
}
