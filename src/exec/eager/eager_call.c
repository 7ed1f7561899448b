/* eager_call.c - infers, allocates, runs the kernel and records.
**
** Invariant: on failure all outputs allocated so far are released, and nothing is recorded. All memory is allocated
** before the kernel runs, so that a call that runs out of memory has written nothing.
*/
#include "exec/eager/eager_call.h"

#include <stdio.h>
#include <math.h>
#include <string.h>

#include "base/bump.h"
#include "exec/lazy_port.h"
#include "state/engine.h"
#include "exec/eager/operator_log.h"
#include "exec/tape_port.h"

enum { MOST_PLAIN = 3 };

/* Rejects writing into an array on the tape, whose values backward may need. */
static Status check_writable(const Op *op, const Array *to) {
  if (engine_now()->mode.recording && tape_holds(to))
    return fail("%s: out: an array that is part of a recorded computation cannot be written in place; "
                "do it outside autograd.record, or make a new array",
                op->name);
  return OK;
}

/* ---- Devices ------------------------------------------------------------------------------------- */

/* Fails because input i is on another device than input 0. */
static __attribute__((cold, noinline)) Status elsewhere(const Op *op, const Params *p, Array *const *in, int i) {
  char first[64];                 /* a copy, since op_input_name reuses its buffer */
  snprintf(first, sizeof first, "%s", op_input_name(op, 0));
  const char *other = op_input_name(op, i), *asked = op_check(op, p->fields);
  if (asked)                      /* a layer or a loss checks its own argument */
    return fail("%s: expected the same context for both arrays, got %s and %s; write x:as_in_context(ctx)", asked,
                device_text(tensor_device(&in[0]->t)), device_text(tensor_device(&in[i]->t)));
  return fail("%s: %s is in context %s and %s in %s; an operator computes where its inputs are: "
              "write %s:as_in_context(%s.context)",
              op->name, first, device_text(tensor_device(&in[0]->t)), other, device_text(tensor_device(&in[i]->t)),
              other, first);
}

/* Finds the device that the call runs on. */
static Status find_device(const Op *op, const Params *p, Array *const *in, int n_in, Device *device) {
  if (n_in == 0) {
    const Status s = device_check(*device);
    return s == OK ? OK : fail_within(s, "%s", op->name);
  }
  if (op->flags & OP_CROSSES) return OK;
  *device = tensor_device(&in[0]->t);
  for (int i = 1; i < n_in; i++)
    if (tensor_device(&in[i]->t) != *device) return elsewhere(op, p, in, i);
  return OK;
}

/* Outputs must be on the device that computes them. */
static Status check_targets(const Op *op, Device device, Array *const *to, int n_to) {
  for (int k = 0; k < n_to; k++)
    if (tensor_device(&to[k]->t) != device)
      return fail("%s: out: expected an array in context %s, where it computes, got one in %s; "
                  "omit out, and write result:copyto(out)",
                  op->name, device_text(device), device_text(tensor_device(&to[k]->t)));
  return OK;
}

/* ---- Calls --------------------------------------------------------------------------------------- */

/* A query for columns that depend only on parameters and mode. */
static Query query_now(const Op *op, const Params *params, int n_in) {
  Query q = query_of_inputs(op, params->fields, n_in);
  q.train = engine_now()->mode.train;
  return q;
}

static void note_writes(const Op *op, const Params *params, Array *const *in, int n_in) {
  const Query q = query_now(op, params, n_in);
  if (!(op_effects(&q) & WRITES)) return;
  for (int i = 0; i < n_in; i++)
    if (op->writes(&q, i)) tensor_written(&in[i]->t, engine_now()->mode.origin);
}

/* Lazy values must be computed from the inputs before these change. */
static Status before_writes(const Op *op, const Params *params, Array *const *in, int n_in) {
  const Query q = query_now(op, params, n_in);
  if (!(op_effects(&q) & WRITES)) return OK;
  for (int i = 0; i < n_in; i++)
    if (op->writes(&q, i)) TRY(lazy_before_write(&in[i]->t));
  return OK;
}

static bool all_held(const Elementwise *e, const Params *params, DType dtype) {
  const double *number = (const double *)params->fields;
  for (int i = 0; i < e->n_scalars; i++)
    if (!dtype_holds(dtype, number[i])) return false;
  return true;
}

/* Elementwise on operands of one type, unrecorded: the output has their type, without inference. This fast path
** determines the speed on small arrays. */
static bool is_plain_elementwise(const Op *op, const Params *params, Array *const *in, int n_in) {
  const Elementwise *e = op->elementwise;
  if (!e || e->condition || n_in > MOST_PLAIN || engine_now()->mode.recording || !(e->types >> in[0]->t.type.dtype & 1))
    return false;
  /* inference may reject them */
  const DType dtype = in[0]->t.type.dtype;
  if (e->n_scalars > 0 && !dtype_is_float(dtype) && !all_held(e, params, dtype)) return false;
  for (int i = 1; i < n_in; i++)
    if (!type_equal(&in[i]->t.type, &in[0]->t.type) || tensor_device(&in[i]->t) != tensor_device(&in[0]->t))
      return false;
  return true;
}

static Status call_plain(const Op *op, const Params *params, Array *const *in, int n_in, Array *out) {
  const Tensor *tensors[MOST_PLAIN];
  for (int i = 0; i < n_in; i++) tensors[i] = &in[i]->t;
  *out = (Array){ 0 };
  TRY(tensor_new(&in[0]->t.type, tensor_device(&in[0]->t), &out->t));
  Status s = run_kernel(op, params, tensors, n_in, (Tensor *[]){ &out->t }, 1, false);
  if (s != OK) tensor_release(&out->t);
  return s;
}

/* When recording, determines whether any input is on the tape, and whether any input's tape was freed. */
static Status find_on_tape(Array *const *in, int n_in, bool *on_tape, bool *any_freed) {
  *on_tape = *any_freed = false;
  for (int i = 0; i < n_in && engine_now()->mode.recording; i++) {
    if (!in[i]->node) continue;
    const bool taped = tape_holds(in[i]);
    *on_tape = *on_tape || taped;
    *any_freed = *any_freed || !taped;
  }
  return *on_tape && *any_freed ? tape_allows_freed(in, n_in) : OK;
}

static Status call_now(const Op *op, Params *params, Array *const *in, int n_in, Device device, Array *out) {
  if (is_plain_elementwise(op, params, in, n_in)) return call_plain(op, params, in, n_in, out);
  TRY(find_device(op, params, in, n_in, &device));
  int n_out = op_outputs(op, params);
  bool on_tape, any_freed;
  TRY(find_on_tape(in, n_in, &on_tape, &any_freed));
  if (op->effects) TRY(before_writes(op, params, in, n_in));
  BUMP(bump, "operator call");
  const Tensor *few[FEW_ARRAYS], **tensors = n_in <= FEW_ARRAYS ? few : BUMP_ARRAY(&bump, n_in, const Tensor *);
  Tensor few_out[FEW_ARRAYS], *made = n_out <= FEW_ARRAYS ? few_out : BUMP_ARRAY(&bump, n_out, Tensor);
  TRY(bump.status);
  for (int i = 0; i < n_in; i++) tensors[i] = &in[i]->t;
  Node *recorded = NULL;
  Status s = on_tape ? tape_prepare(op, params, in, n_in, n_out, &recorded) : OK;
  if (recorded) recorded->device = device;
  if (recorded && any_freed) tape_note_freed(in, n_in, recorded->order, 1);
  if (s == OK)
    s = run_op(op, params, tensors, n_in, device, made, n_out,
               (RunMode){ .train = engine_now()->mode.train, .no_gradient = !recorded });
  if (s == OK) {
    if (op->effects) note_writes(op, params, in, n_in);
    for (int i = 0; i < n_out; i++) out[i] = (Array){ .t = made[i] };
    if (recorded) tape_record(recorded, in, out);
  } else {
    node_release(recorded);
  }
  return s;
}

/* Runs a call and logs it. The log's memory is allocated first, so that every call that ran is logged. */
static Status call_logged(const Op *op, Params *params, Array *const *in, int n_in, Device device, Array *out) {
  OperatorLog *log = engine_now()->mode.operator_log;
  int n_out = op_outputs(op, params);
  Tensor *results;
  TRY(operator_log_add(log, op, engine_now()->mode.origin, -1, n_out, &results));
  run_repeat(1);                           /* silent: in hybridize{check} the compiled run prints */
  Status s = call_now(op, params, in, n_in, device, out);
  run_repeat(-1);
  if (s != OK) operator_log_drop(log);
  for (int i = 0; i < n_out && s == OK; i++) results[i] = tensor_share(&out[i].t);
  return s;
}

Status eager_call(const Op *op, Params *params, Array *const *in, int n_in, Device device, Array *out) {
  if (!params) params = op->info->defaults;
  if (__builtin_expect(engine_now()->mode.operator_log != NULL, 0))
    return call_logged(op, params, in, n_in, device, out);
  return call_now(op, params, in, n_in, device, out);
}

Status eager_copy_to(Array *in, Device device, Array *out) {
  return eager_call(op_with_role(ROLE_COPY_TO), NULL, (Array *[]){ in }, 1, device, out);
}

static Status check_type(const Op *op, const Array *to, const Type *type) {
  if (!type_equal(&to->t.type, type))
    return fail("%s: out: expected %s, got %s", op->name, type_text(type), type_text(&to->t.type));
  return OK;
}

/* May the kernel write output k directly into to[k]? An input in the same memory must be the same array; the row must
** allow it, and the kernel must not change it. No other output may share the memory. */
static bool direct(const Query *q, Array *const *in, Array *const *to, int k, int n_out) {
  const Op *op = q->op;
  const int n_in = q->n_in;
  int own = op->flags & OP_IN_PLACE_EACH ? k * (n_in / n_out) : -1;
  for (int i = 0; i < n_in; i++) {
    if (in[i]->t.storage != to[k]->t.storage) continue;
    bool same = in[i]->t.data == to[k]->t.data && type_equal(&in[i]->t.type, &to[k]->t.type);
    bool allowed = (n_out == 1 && op->flags & OP_IN_PLACE) || i == own, changed = op_writes(q, i);
    if (!same || !allowed || changed) return false;
  }
  for (int other = 0; other < k; other++)
    if (to[other]->t.storage == to[k]->t.storage) return false;
  return true;
}

static bool all_direct(const Op *op, const Params *params, Array *const *in, int n_in, Array *const *to, int n_to,
                       int n_out) {
  if (op->view || n_to != n_out) return false;
  const Query q = query_now(op, params, n_in);
  for (int k = 0; k < n_to; k++)
    if (!direct(&q, in, to, k, n_out)) return false;
  return true;
}

/* Do the arrays have the types of the call's outputs? */
static Status check_types(const Op *op, const Params *params, Array *const *in, int n_in, Array *const *to, int n_out) {
  TypeList types FREED_BY(types_free);
  TRY(types_new(&types, n_in + n_out));
  for (int i = 0; i < n_in; i++) types.at[i] = in[i]->t.type;
  for (int k = 0; k < n_out; k++) types.at[n_in + k] = TYPE_UNKNOWN;
  TRY(op_infer(op, params, types.at, n_in, types.at + n_in, n_out));
  for (int k = 0; k < n_out; k++) TRY(check_type(op, to[k], &types.at[n_in + k]));
  return OK;
}

static Status call_direct(const Op *op, const Params *params, Array *const *in, int n_in, Array *const *to, int n_out) {
  TRY(check_types(op, params, in, n_in, to, n_out));
  BUMP(bump, "operator call");
  const Tensor *few_in[FEW_ARRAYS], **tensors = n_in <= FEW_ARRAYS ? few_in : BUMP_ARRAY(&bump, n_in, const Tensor *);
  Tensor *few_out[FEW_ARRAYS], **targets = n_out <= FEW_ARRAYS ? few_out : BUMP_ARRAY(&bump, n_out, Tensor *);
  TRY(bump.status);
  for (int i = 0; i < n_in; i++) tensors[i] = &in[i]->t;
  for (int k = 0; k < n_out; k++) targets[k] = &to[k]->t;
  Status s = run_kernel(op, params, tensors, n_in, targets, n_out, engine_now()->mode.train);
  if (s == OK && op->effects) note_writes(op, params, in, n_in);
  return s;
}

static Status call_and_copy(const Op *op, Params *params, Array *const *in, int n_in, Device device, Array *const *to,
                            int n_to, int n_out, Array *out) {
  TRY(eager_call(op, params, in, n_in, device, out));
  Status s = OK;
  for (int k = 0; k < n_to && s == OK; k++) s = check_type(op, to[k], &out[k].t.type);
  for (int k = 0; k < n_to; k++) {
    if (s == OK)                           /* a view may overlap its target */
      device_copy(tensor_device(&to[k]->t), to[k]->t.data, tensor_device(&out[k].t), out[k].t.data,
                  tensor_bytes(&out[k].t));
    array_release(&out[k]);
  }
  if (s != OK)
    for (int k = n_to; k < n_out; k++) array_release(&out[k]);
  return s;
}

Status eager_call_into(const Op *op, Params *params, Array *const *in, int n_in, Device device, Array *const *to,
                       int n_to, Array *out) {
  if (!params) params = op->info->defaults;
  int n_out = op_outputs(op, params);
  for (int k = 0; k < n_to; k++) TRY(check_writable(op, to[k]));
  TRY(find_device(op, params, in, n_in, &device));
  TRY(check_targets(op, device, to, n_to));
  bool recorded = engine_now()->mode.recording;
  for (int i = 0; i < n_in && recorded; i++)
    if (tape_holds(in[i])) return fail("%s: out: cannot be used while recording", op->name);
  for (int k = 0; k < n_to; k++) TRY(lazy_before_write(&to[k]->t));
  if (op->effects) TRY(before_writes(op, params, in, n_in));
  if (all_direct(op, params, in, n_in, to, n_to, n_out)) TRY(call_direct(op, params, in, n_in, to, n_out));
  else TRY(call_and_copy(op, params, in, n_in, device, to, n_to, n_out, out));
  for (int k = 0; k < n_to; k++) tensor_written(&to[k]->t, engine_now()->mode.origin);
  return OK;
}
