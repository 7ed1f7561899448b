/* tier.c - see tier.h. Groups that read alike share a function. */
#include "exec/tier.h"

#include <stdio.h>
#include <string.h>

#include "base/machine.h"
#include "base/memory.h"
#include "exec/codegen.h"
#include "pass/fuse.h"
#include "pass/pass.h"

/* ---- Text -------------------------------------------------------------------------------------- */

/* The bodies written so far, and by group which of them is its. */
typedef struct Bodies { Text *at; int *of; int n; } Bodies;

static int find_body(const Bodies *b, const Text *text) {
  for (int i = 0; i < b->n; i++)
    if (b->at[i].length == text->length && memcmp(b->at[i].at, text->at, text->length) == 0) return i;
  return -1;
}

static Status write_bodies(const Graph *g, Bodies *b) {
  int k = 0;
  for (int i = 0; i < g->n_nodes; i++) {
    const Group *group = node_group(g->node[i]);
    if (!group) continue;
    Text text = { 0 };
    codegen_group(group, &text);
    TRY(text_status(&text));
    int same = find_body(b, &text);
    if (same >= 0) text_free(&text);
    else b->at[same = b->n++] = text;
    b->of[k++] = same;
  }
  return OK;
}

static Status write_file(const Bodies *b, Text *out) {
  text_put(out, codegen_prelude());
  for (int i = 0; i < b->n; i++) {
    text_format(out, "\nvoid kernel%d", i);
    text_add(out, b->at[i].at, b->at[i].length);
  }
  return text_status(out);
}

/* ---- Kernels -------------------------------------------------------------------------------------- */

static void release_module(void *module) { jit_release(module); }

static Status ask_for_kernels(Tier *t) {
  size_t n = (size_t)t->n_groups + 1;
  Bodies b = { .at = object_new(n * sizeof *b.at), .of = object_new(n * sizeof *b.of) };
  Text text = { 0 };
  Status s = b.at && b.of ? write_bodies(&t->g, &b) : no_memory("kernels");
  if (s == OK) s = write_file(&b, &text);
  if (s == OK) s = jit_module(text.at, &t->module);
  for (int i = 0, k = 0; s == OK && i < t->g.n_nodes; i++) {
    Group *group = node_group(t->g.node[i]);
    if (group) group->function = b.of[k++];
  }
  for (int i = 0; i < b.n; i++) text_free(&b.at[i]);
  text_free(&text);
  object_free(b.at);
  object_free(b.of);
  return s;
}

static Status connect(Tier *t) {
  for (int i = 0; i < t->g.n_nodes; i++) {
    Group *group = node_group(t->g.node[i]);
    char name[24];
    if (!group) continue;
    snprintf(name, sizeof name, "kernel%d", group->function);
    group->kernel = (FusedKernel *)jit_function(t->module, name);
    if (!group->kernel) return fail("kernels: function %s is missing", name);
    group->code = jit_retain(t->module);
    group->let_go = release_module;
  }
  return OK;
}

/* ---- Life --------------------------------------------------------------------------------------------- */

void tier_release(Tier *t) {
  if (!t) return;
  graph_free(&t->g);
  jit_release(t->module);
  object_free(t);
}

Status tier_begin(const Graph *g, int n_forward, Tier **out) {
  double start = machine_seconds();
  Tier *t = object_new(sizeof *t);
  if (!t) return no_memory("kernels");
  t->n_forward = n_forward;
  Status s = OK;
  if (jit_enabled(&t->why)) {
    s = graph_clone(g, &t->g);
    if (s == OK) s = lower_graph(&t->g, &t->n_forward);
    if (s == OK) s = fuse_graph(&t->g, &t->n_forward, &t->n_groups);
    if (s == OK && t->n_groups > 0) s = ask_for_kernels(t);
    if (t->n_groups == 0) { graph_free(&t->g); t->why = "nothing to fuse"; }
  }
  if (s != OK) { tier_release(t); return s; }
  t->seconds = machine_seconds() - start;
  *out = t;
  return OK;
}

Status tier_program(Tier *t, int n_forward_out, int n_forward_in, Program **out) {
  *out = NULL;
  if (!t->module || !t->g.node || jit_poll(t->module) != JIT_READY) return OK;
  Status s = connect(t);
  if (s != OK) { graph_free(&t->g); return s; }
  return program_build(&t->g, t->n_forward, n_forward_out, n_forward_in, out);
}
