/* node_builder.c - see node_builder.h, and op.h for the Builder. */
#include "ir/node_builder.h"

#include <stdarg.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"

static Status keep(Builder *b, Node *n) {
  Node **made = object_widen(b->made, b->n_made + 1, &b->capacity, sizeof *made);
  if (!made) return no_memory("graph");
  b->made = made;
  HL_ASSERT(b->n_made < b->capacity);
  b->made[b->n_made++] = n;
  return OK;
}

static Entry failed(Builder *b, Status s) {
  if (b->status == OK) b->status = s;
  return NO_ENTRY;
}

static Status check_operands(const Op *op, const Entry *in, int n_in, int n_out) {
  if (n_out < 1 || n_out > UINT16_MAX) return fail("%s: expected 1 to %d outputs, got %d", op->name, UINT16_MAX, n_out);
  for (int i = 0; i < n_in; i++)
    if (!in[i].node) return fail("%s: %s: missing", op->name, op_input_name(op, i));
  return OK;
}

/* Makes a node without types, not kept yet. */
static Node *begin(Builder *b, const Op *op, Params *params, const Entry *in, int n_in, int n_out) {
  Node *n;
  if (b->status == OK) b->status = check_operands(op, in, n_in, n_out);
  if (b->status == OK) b->status = node_new(op, params, in, n_in, n_out, &n);
  if (b->status != OK) return NULL;
  n->origin = b->origin;
  n->train = b->train;
  n->device = b->device;
  n->train_requested = b->train_requested;
  n->record_requested = b->record_requested;
  if (b->scope) {
    scope_release(n->scope);
    n->scope = scope_retain(b->scope);
  }
  return n;
}

static Entry finish(Builder *b, Node *n, Status s) {
  if (s == OK) s = keep(b, n);
  if (s != OK) {
    node_release(n);
    return failed(b, s);
  }
  return (Entry){ n, 0 };
}

Entry build(Builder *b, const Op *op, Params *params, const Entry *in, int n_in) {
  if (!params) params = op->info->defaults;
  Node *n = begin(b, op, params, in, n_in, op_outputs(op, params));
  return n ? finish(b, n, node_infer(n)) : NO_ENTRY;
}

Entry build_typed(Builder *b, const Op *op, Params *params, const Entry *in, int n_in, const Type *out, int n_out) {
  Node *n = begin(b, op, params ? params : op->info->defaults, in, n_in, n_out);
  for (int i = 0; n && i < n_out; i++) n->type[i] = out[i];
  return n ? finish(b, n, OK) : NO_ENTRY;
}

Entry build_from(Builder *b, const Op *op, const void *fields, const Entry *in, int n_in) {
  Params *params = NULL;
  if (b->status == OK && fields) b->status = params_from(op, fields, &params);
  if (b->status != OK) return NO_ENTRY;
  Entry e = build(b, op, params, in, n_in);
  params_release(params);
  return e;
}

Entry build_op_list(Builder *b, const char *name, const void *fields, int n_in, const Entry *in) {
  const Op *op = op_find(name);
  return op ? build_from(b, op, fields, in, n_in) : failed(b, fail("operator %s is not known", name));
}

Entry build_op(Builder *b, const char *name, const void *fields, int n_in, ...) {
  Entry in[8];
  va_list args;
  va_start(args, n_in);
  for (int i = 0; i < n_in && i < 8; i++) in[i] = va_arg(args, Entry);
  va_end(args);
  return build_op_list(b, name, fields, n_in, in);
}

Entry build_constant(Builder *b, const Tensor *value) {
  Node *n;
  if (b->status != OK) return NO_ENTRY;
  Status s = node_constant(value, &n);
  return s == OK ? finish(b, n, OK) : failed(b, s);
}

Entry build_sum(Builder *b, Entry x, Entry y) { return build(b, op_with_role(ROLE_SUM), NULL, (Entry[]){ x, y }, 2); }
Entry build_zeros_like(Builder *b, Entry e) { return build(b, op_with_role(ROLE_ZEROS_LIKE), NULL, &e, 1); }
Entry build_ones_like(Builder *b, Entry e) { return build(b, op_with_role(ROLE_ONES_LIKE), NULL, &e, 1); }

Entry build_copy_to(Builder *b, Entry e, Device device) {
  Device before = b->device;
  b->device = device;
  Entry copy = build(b, op_with_role(ROLE_COPY_TO), NULL, &e, 1);
  b->device = before;
  return copy;
}

Status builder_hold(Builder *b, Node *n) {
  TRY(keep(b, n));
  node_retain(n);
  return OK;
}

void builder_free(Builder *b) {
  for (int i = 0; i < b->n_made; i++) node_release(b->made[i]);
  object_free(b->made);
  b->made = NULL;
  b->n_made = b->capacity = 0;
}
