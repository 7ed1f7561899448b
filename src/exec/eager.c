/* eager.c - infers, allocates, runs the kernel, records.
** Invariant: on failure every output made so far is released and nothing is recorded.
*/
#include "exec/eager.h"

#include <string.h>

#include "base/memory.h"
#include "exec/notes.h"
#include "exec/tape.h"

_Thread_local Mode mode_now;

enum { MOST_PLAIN = 3 };

void array_release(Array *a) {
  tensor_release(&a->t);
  node_release(a->node);
  a->node = NULL;
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

/* Elementwise on operands of one type, nothing recorded: the output's type is theirs and
** needs no inference. The short way that small arrays are judged by. */
static bool is_plain_elementwise(const Op *op, Array *const *in, int n_in) {
  const Elementwise *e = op->elementwise;
  if (!e || e->condition || n_in > MOST_PLAIN || mode_now.recording || !e->loop[in[0]->t.type.dtype]) return false;
  for (int i = 1; i < n_in; i++) if (!type_equal(&in[i]->t.type, &in[0]->t.type)) return false;
  return true;
}

static Status call_plain(const Op *op, const Params *params, Array *const *in, int n_in, Array *out) {
  const Tensor *tensors[MOST_PLAIN];
  for (int i = 0; i < n_in; i++) tensors[i] = &in[i]->t;
  *out = (Array){ 0 };
  TRY(tensor_new(&in[0]->t.type, &out->t));
  Status s = run_kernel(op, params, tensors, n_in, (Tensor *[]){ &out->t }, 1, false);
  if (s != OK) tensor_release(&out->t);
  return s;
}

static Status call_now(const Op *op, Params *params, Array *const *in, int n_in, Array *out) {
  const Tensor *few[FEW_ARRAYS], **tensors = few;
  Tensor few_out[FEW_ARRAYS], *made = few_out;
  if (is_plain_elementwise(op, in, n_in)) return call_plain(op, params, in, n_in, out);
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
  Status s = run_op(op, params, tensors, n_in, made, n_out, mode_now.train);
  if (s == OK) {
    if (op->mutates) note_mutations(op, in, n_in);
    for (int i = 0; i < n_out; i++) out[i] = (Array){ .t = made[i] };
    if (on_tape && mode_now.recording) s = tape_record(op, params, in, n_in, out, n_out);
    if (s != OK) for (int i = 0; i < n_out; i++) array_release(&out[i]);
  }
  object_free(room);
  return s;
}

static Status note_results(const Op *op, const Params *params, Array *out) {
  int n_out = op_outputs(op, params);
  Tensor *results = object_new((size_t)n_out * sizeof *results);
  if (!results) return no_memory("notes");
  for (int i = 0; i < n_out; i++) results[i] = out[i].t;
  Status s = notes_add(mode_now.notes, op, mode_now.origin, -1, results, n_out);
  object_free(results);
  return s;
}

Status eager_call(const Op *op, Params *params, Array *const *in, int n_in, Array *out) {
  if (!params) params = op->info->defaults;
  Status s = call_now(op, params, in, n_in, out);
  if (__builtin_expect(mode_now.notes != NULL, 0) && s == OK) s = note_results(op, params, out);
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
    TRY(run_kernel(op, params, tensors, n_in, (Tensor *[]){ &to->t }, 1, mode_now.train));
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
