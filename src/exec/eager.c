/* eager.c - infers, allocates, runs the kernel, records.
** Invariant: on failure every output made so far is released and nothing is recorded.
*/
#include "exec/eager.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "exec/tape.h"

_Thread_local Mode mode_now;

void array_release(Array *a) {
  tensor_release(&a->t);
  node_release(a->node);
  a->node = NULL;
}

Status run_kernel(const Op *op, const Params *params, void *extra, const Tensor *const *in, int n_in,
                  Tensor *const *out, int n_out, bool train) {
  Call call = { .op = op, .params = params->fields, .in = in, .out = out, .n_in = n_in, .n_out = n_out, .train = train,
                .extra = extra };
  if (interrupted()) return interrupt_status();
  if (!op->scratch) return op->forward(&call);
  Type types[2 * FEW_ARRAYS];
  for (int i = 0; i < n_in && i < FEW_ARRAYS; i++) types[i] = in[i]->type;
  for (int i = 0; i < n_out && i < FEW_ARRAYS; i++) types[FEW_ARRAYS + i] = out[i]->type;
  size_t bytes = op->scratch(params->fields, types, types + FEW_ARRAYS);
  if (bytes > 0) TRY(block_new(bytes, &call.scratch));
  Status s = op->forward(&call);
  block_free(call.scratch, bytes);
  return s;
}

static Status unknown_output(const Op *op, const Type *out) {
  return fail("%s: cannot tell the output's type from its inputs (%s)", op->name, type_text(out));
}

Status run_op(const Op *op, const Params *params, void *extra, const Tensor *const *in, int n_in,
              Tensor *out, int n_out, bool train) {
  Type types[2 * FEW_ARRAYS], *in_types = types, *out_types = types + FEW_ARRAYS;
  Tensor *targets[FEW_ARRAYS], **target = targets;
  void *room = NULL;
  if (n_in > FEW_ARRAYS || n_out > FEW_ARRAYS) {
    room = object_new((size_t)(n_in + n_out) * sizeof *types + (size_t)n_out * sizeof *target);
    if (!room) return no_memory("operator call");
    in_types = room;
    out_types = in_types + n_in;
    target = (Tensor **)(out_types + n_out);
  }
  for (int i = 0; i < n_in; i++) in_types[i] = in[i]->type;
  for (int i = 0; i < n_out; i++) out_types[i] = TYPE_UNKNOWN;
  Status s = op_infer(op, params, in_types, n_in, out_types, n_out);
  if (s == OK && op->dynamic) s = op->dynamic(params->fields, in, out_types);
  for (int i = 0; i < n_out && s == OK; i++) if (!type_known(&out_types[i])) s = unknown_output(op, &out_types[i]);
  for (int i = 0; i < n_in && s == OK; i++)     /* inference may have learned nothing new about an input: it is what it is */
    if (!type_equal(&in_types[i], &in[i]->type))
      s = fail("%s: %s: expected %s, got %s", op->name, op_input_name(op, i), type_text(&in_types[i]), type_text(&in[i]->type));
  size_t offset;
  int made = 0;
  if (s == OK && op->view && op->view(params->fields, in_types, out_types, &offset)) {
    out[0] = tensor_view(in[0], &out_types[0], offset);
  } else if (s == OK) {
    for (; made < n_out && s == OK; made++) s = tensor_new(&out_types[made], target[made] = &out[made]);
    if (s == OK) s = run_kernel(op, params, extra, in, n_in, target, n_out, train);
    if (s != OK) for (int i = 0; i < made; i++) tensor_release(&out[i]);
  }
  object_free(room);
  return s;
}

/* Nothing recorded may be written over: the tape would differentiate something else. */
static Status check_writable(const Op *op, const Array *to) {
  if (mode_now.recording && to->node)
    return fail("%s: out: an array that is part of a recorded computation cannot be written in place; "
                "do it outside autograd.record, or make a new array", op->name);
  return OK;
}

static void note_mutations(const Op *op, Array *const *in, int n_in) {
  for (int i = 0; i < n_in && i < 32; i++) if (op->mutates >> i & 1) tensor_written(&in[i]->t, mode_now.origin);
}

Status eager_call(const Op *op, Params *params, Array *const *in, int n_in, Array *out) {
  const Tensor *few[FEW_ARRAYS], **tensors = few;
  Tensor few_out[FEW_ARRAYS], *made = few_out;
  if (!params) params = op->info->defaults;
  int n_out = op_outputs(op, params);
  void *room = NULL;
  if (n_in > FEW_ARRAYS || n_out > FEW_ARRAYS) {
    room = object_new((size_t)n_in * sizeof *tensors + (size_t)n_out * sizeof *made);
    if (!room) return no_memory("operator call");
    made = room;
    tensors = (const Tensor **)(made + n_out);
  }
  bool on_tape = false;
  for (int i = 0; i < n_in; i++) {
    tensors[i] = &in[i]->t;
    on_tape = on_tape || in[i]->node;
  }
  Status s = run_op(op, params, NULL, tensors, n_in, made, n_out, mode_now.train);
  if (s == OK) {
    if (op->mutates) note_mutations(op, in, n_in);
    for (int i = 0; i < n_out; i++) out[i] = (Array){ .t = made[i] };
    if (on_tape && mode_now.recording) s = tape_record(op, params, in, n_in, out, n_out);
    if (s != OK) for (int i = 0; i < n_out; i++) array_release(&out[i]);
  }
  object_free(room);
  return s;
}

static Status copy_into(const Op *op, Array *to, const Tensor *from) {
  if (!type_equal(&to->t.type, &from->type))
    return fail("%s: out: expected %s, got %s", op->name, type_text(&from->type), type_text(&to->t.type));
  memmove(to->t.data, from->data, tensor_bytes(from));
  return OK;
}

/* May the kernel write straight into `to`? Inputs that share its memory must be it, and
** none that the kernel itself changes. */
static bool direct(const Op *op, Array *const *in, int n_in, const Array *to) {
  if (op->view || op->scratch) return false;
  for (int i = 0; i < n_in; i++) {
    bool same = in[i]->t.data == to->t.data && type_equal(&in[i]->t.type, &to->t.type);
    bool apart = in[i]->t.storage != to->t.storage, changed = i < 32 && op->mutates >> i & 1;
    if (!apart && !(same && !changed && op->flags & OP_IN_PLACE)) return false;
  }
  return true;
}

Status eager_call_into(const Op *op, Params *params, Array *const *in, int n_in, Array *to, Array *out) {
  if (!params) params = op->info->defaults;
  int n_out = op_outputs(op, params);
  TRY(check_writable(op, to));
  bool recorded = mode_now.recording;
  for (int i = 0; i < n_in && recorded; i++)
    if (in[i]->node) return fail("%s: out: cannot be used while recording", op->name);
  if (n_out == 1 && n_in <= FEW_ARRAYS && direct(op, in, n_in, to)) {
    Type in_types[FEW_ARRAYS], type = TYPE_UNKNOWN;
    const Tensor *tensors[FEW_ARRAYS];
    for (int i = 0; i < n_in; i++) { tensors[i] = &in[i]->t; in_types[i] = in[i]->t.type; }
    TRY(op_infer(op, params, in_types, n_in, &type, 1));
    if (!type_equal(&type, &to->t.type))
      return fail("%s: out: expected %s, got %s", op->name, type_text(&type), type_text(&to->t.type));
    TRY(run_kernel(op, params, NULL, tensors, n_in, (Tensor *[]){ &to->t }, 1, mode_now.train));
    note_mutations(op, in, n_in);
  } else {
    TRY(eager_call(op, params, in, n_in, out));
    Status s = copy_into(op, to, &out[0].t);
    array_release(&out[0]);
    if (s != OK) {
      for (int i = 1; i < n_out; i++) array_release(&out[i]);
      return s;
    }
  }
  tensor_written(&to->t, mode_now.origin);
  return OK;
}
