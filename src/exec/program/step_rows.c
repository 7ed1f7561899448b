/* step_rows.c - see step_rows.h. */
#include "exec/program/step_rows.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "exec/program/leaf_gradient.h"
#include "ir/op.h"

static _Thread_local StepRun *running;

StepRun *step_run_set(StepRun *run) {
  StepRun *before = running;
  running = run;
  return before;
}

StepRun *step_run(void) { return running; }

void step_run_updated(void) {
  if (running) running->pending = false;
}

/* ---- Columns ---------------------------------------------------------------------------------- */

static Status infer_token(Infer *f) {
  f->out[0] = (Type){ .dtype = DT_BOOL, .shape = { .ndim = 1, .dim = { 1 } } };
  return OK;
}

static bool token_unused(const Query *q, int output) {
  (void)output;
  return q->no_gradient;
}

static unsigned all_effects(const Query *q) {
  (void)q;
  return DRAWS | WRITES | ORDERED;
}

static bool writes_inputs(const Query *q, int input) { return (void)input, !((const StepParams *)q->params)->warns; }
static bool writes_none(const Query *q, int input) { return (void)q, (void)input, false; }

/* ---- Host calls and backward -------------------------------------------------------------------- */

/* Performs the step before an update: the host fills in its numbers, or updates by itself. */
static Status run_for_update(StepRun *run, const StepParams *step, const BoundUpdate *update) {
  memset(update->numbers->data, 0, tensor_bytes(update->numbers));
  run->filling = update;
  run->filled = false;
  const Status s = run->host->perform(run->host, step);
  run->filling = NULL;
  run->pending = run->filled;
  if (s == OK) *update->update->missed = run->filled ? 0 : *update->update->missed + 1;
  return s;
}

static Status run_host_call(Call *c) {
  const StepParams *step = c->params;
  StepRun *run = running;
  if (!run || !run->host) return fail_as(E_INTERNAL, "%s: no host", c->op->name);
  if (step->warns && isfinite(tensor_get(c->in[0], 0))) return OK;
  if (step->update >= 0 && run->update[step->update].numbers)
    return run_for_update(run, step, &run->update[step->update]);
  return run->host->perform(run->host, step);
}

#define STEP_PARAMS                                                                  \
  "_number int 0 The host's function.\n"                                             \
  "_line int 0 The script's line.\n"                                                 \
  "_first bool False Is it performed before an executable that runs on the tape?\n"  \
  "_on_tape bool False Does it need the tape?\n"                                     \
  "_retain bool False Does it keep the tape?\n"                                      \
  "_update int -1 Its number among possible updates.\n"                              \
  "_warns bool False Does it warn of its input?\n"

static const Kernel host_kernels[] = {
  { .op = "_host_call", .place = EVERYWHERE, .types = ALL_TYPES, .run = run_host_call }, { 0 }
};
static Op host_op = { .name = "_host_call",
                      .inputs = "arg...",
                      .params = STEP_PARAMS,
                      .params_size = sizeof(StepParams),
                      .flags = OP_INTERNAL | OP_NO_GRAD,
                      .infer = infer_token,
                      .unused = token_unused,
                      .effects = all_effects,
                      .writes = writes_inputs,
                      .own_kernels = host_kernels };

static Op backward_op = { .name = "_backward",
                          .inputs = "head...",
                          .params = STEP_PARAMS,
                          .params_size = sizeof(StepParams),
                          .flags = OP_INTERNAL | OP_NO_GRAD,
                          .infer = infer_token,
                          .unused = token_unused,
                          .effects = all_effects,
                          .writes = writes_none };

StepKind step_kind(const Node *n) {
  return n->op == &host_op ? STEP_HOST_CALL : n->op == &backward_op ? STEP_BACKWARD : STEP_NONE;
}

const StepParams *step_params(const Node *n) { return (const void *)n->params->fields; }

Status step_row(StepKind kind, const Op **out) {
  Op *op = kind == STEP_BACKWARD ? &backward_op : &host_op;
  TRY(op_declare(op));
  *out = op;
  return OK;
}

bool step_reports_writes(const Op *op) { return op == &host_op; }

/* ---- Storing gradients ----------------------------------------------------------------------------- */

static void *retain_stores(void *stores) {
  GradientStores *s = stores;
  __atomic_fetch_add(&s->refs, 1, __ATOMIC_RELAXED);
  return s;
}

static void release_stores(void *stores) {
  GradientStores *s = stores;
  if (s && __atomic_sub_fetch(&s->refs, 1, __ATOMIC_ACQ_REL) == 0) object_free(s);
}

static Status print_stores(const void *stores, Text *out) {
  static const char *const words[] = { [GRAD_NULL] = "null", [GRAD_WRITE] = "write", [GRAD_ADD] = "add" };
  const GradientStores *s = stores;
  for (int k = 0; k < s->n; k++) text_format(out, "%s%s", k ? "," : "", s->zeros ? "zero" : words[s->at[k].req]);
  return text_status(out);
}

static const ObjectKind stores_kind = {
  .name = "stores", .retain = retain_stores, .release = release_stores, .print = print_stores
};

typedef struct StoreParams { GradientStores *stores; } StoreParams;

static const GradientStores *stores_of(const void *params) { return ((const StoreParams *)params)->stores; }

static bool writes_gradients(const Query *q, int input) { return input < stores_of(q->params)->n; }

/* Either all leaves get their gradients or none: this cannot fail, and interrupts are seen between instructions. */
static Status run_store(Call *c) {
  const GradientStores *s = stores_of(c->params);
  for (int k = 0; k < s->n; k++) {
    const GradientStore *one = &s->at[k];
    const Array *of = running ? running->in[one->input] : NULL;
    if (!s->zeros && of && of->node && of->node->leaf) leaf_reached(of->node->leaf);
    leaf_store(one->req, one->value < 0 ? NULL : c->in[one->value], (Tensor *)c->in[k]);
  }
  return OK;
}

static const Kernel store_kernels[] = {
  { .op = "_store_gradients", .place = EVERYWHERE, .types = ALL_TYPES, .run = run_store }, { 0 }
};
static Op store_op = { .name = "_store_gradients",
                       .inputs = "arg...",
                       .params = "stores object? None The grad_req of each gradient.\n",
                       .params_size = sizeof(StoreParams),
                       .object = &stores_kind,
                       .flags = OP_INTERNAL | OP_NO_GRAD,
                       .infer = infer_token,
                       .unused = token_unused,
                       .effects = op_writes_always,
                       .writes = writes_gradients,
                       .own_kernels = store_kernels };

Status step_stores_new(int n, const Op **row, Params **params, GradientStores **stores) {
  GradientStores *s = object_new(sizeof *s + (size_t)n * sizeof *s->at);
  if (!s) return no_memory("training step");
  s->refs = 1;
  s->n = n;
  Status status = op_declare(&store_op);
  if (status == OK) status = params_from(&store_op, &(StoreParams){ s }, params);
  release_stores(s);                    /* the parameters own it */
  TRY(status);
  *row = &store_op;
  *stores = s;
  return OK;
}

bool step_is_node(const Node *n) {
  if (step_kind(n) != STEP_NONE || n->op == &store_op) return true;
  return n->op && (n->op->role == ROLE_UPDATE || (n->op->role == ROLE_CLIP && node_effects(n)));
}
