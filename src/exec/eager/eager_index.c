/* eager_index.c - see eager_index.h. Reading and writing each call an operator. If nothing is recorded and the key has
** no index arrays, a fast path reads the key once and needs no inference.
**
** Invariant: a failed assignment has written nothing.
*/
#include "exec/eager/eager_index.h"

#include "exec/eager/eager_call.h"
#include "exec/tape_port.h"
#include "state/engine.h"
#include "exec/lazy_port.h"
#include "tensor/strided_region.h"

enum { MOST_OPERANDS = 2 + MAX_DIMS };

static bool plain(void) {
  const Mode *mode = &engine_now()->mode;
  return !mode->recording && !mode->operator_log;
}

/* Makes the parameters of a call, in `buffer` if nothing will retain them. */
static Status begin_params(const Op *op, const Key *key, ParamsBuffer *buffer, Params **out) {
  if (plain()) {
    *out = params_within(buffer, op);
    params_lend_key(*out, 0, key);
    return OK;
  }
  TRY(params_new(op, out));
  Status s = params_set_key(*out, 0, key);
  if (s != OK) params_release(*out);
  return s;
}

static void end_params(Params *p, const ParamsBuffer *buffer) {
  if (p != &buffer->params) params_release(p);
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

static Status read_plain(const Key *key, Array *x, Array *out) {
  const Op *op = op_with_role(ROLE_INDEX);
  const Tensor *in = &x->t;
  ParamsBuffer buffer;
  Params *p;
  Selection s;
  TRY(key_select(key, &in->type.shape, NULL, &s));
  Type type = { .dtype = in->type.dtype, .shape = s.region.shape };
  *out = (Array){ 0 };
  if (region_contiguous(&s.region)) {
    out->t = tensor_view(in, &type, selection_begin(&s) * dtype_size(type.dtype));
    return OK;
  }
  TRY(begin_params(op, key, &buffer, &p));
  TRY(tensor_new(&type, tensor_device(in), &out->t));
  Status status = run_kernel(op, p, &in, 1, (Tensor *[]){ &out->t }, 1, false);
  if (status != OK) tensor_release(&out->t);
  return status;
}

Status eager_index(const Key *key, Array *const *in, int n_in, Array *out) {
  ParamsBuffer buffer;
  Params *p;
  if (n_in == 1 && plain()) return read_plain(key, in[0], out);
  TRY(begin_params(op_with_role(ROLE_INDEX), key, &buffer, &p));
  Status s = eager_call(p->op, p, in, n_in, engine_now()->mode.device, out);
  end_params(p, &buffer);
  return s;
}

/* ---- Writing ------------------------------------------------------------------------------------------ */

static Status check_recorded(const Array *x, const Array *value) {
  if (!engine_now()->mode.recording) return OK;
  if (tape_holds(x))
    return fail("assignment: an array that is part of a recorded computation cannot be written in place; "
                "do it outside autograd.record, or make a new array");
  if (tape_holds(value))
    return fail("assignment: a value that is part of a recorded computation would lose its gradient here; "
                "build the array with F.concat, F.stack or F.where, or write value:detach()");
  return OK;
}

/* Makes an operand suitable for the operator: off the tape, on x's device, in other memory than x, and of this
** dtype. */
static Status prepare_operand(const Array *x, Array *a, DType dtype, Array *copy, Array **out) {
  bool fits = a->t.type.dtype == dtype && a->t.storage != x->t.storage && tensor_device(&a->t) == tensor_device(&x->t);
  *out = fits && !a->node ? a : copy;
  if (fits && a->node) copy->t = tensor_share(&a->t);
  if (fits) return OK;
  return tensor_cast(&a->t, dtype, tensor_device(&x->t), &copy->t);
}

/* Are the types correct without inference? They are in two cases: no index arrays, and the value is a number or has the
** shape of the region; or a number is assigned to rows selected by one array. */
static Status find_plain(const Key *key, Array *const *in, int n_in, bool *is) {
  const Shape *x = &in[0]->t.type.shape, *value = &in[1]->t.type.shape;
  if (n_in == 2) {
    Selection s;
    TRY(key_select(key, x, NULL, &s));
    *is = value->ndim == 0 || shape_equal(value, &s.region.shape);
  } else {
    const Type *index = &in[2]->t.type;
    *is = n_in == 3 && key->n == 1 && value->ndim == 0 && index->dtype != DT_BOOL && x->ndim > 0 &&
          index->shape.ndim + x->ndim - 1 <= MAX_DIMS;
  }
  return OK;
}

static Status write_plain(const Key *key, Params *p, Array *const *in, int n_in, bool *done) {
  TRY(find_plain(key, in, n_in, done));
  if (!*done) return OK;
  const Tensor *operand[] = { &in[0]->t, &in[1]->t, n_in > 2 ? &in[2]->t : NULL };
  TRY(run_kernel(p->op, p, operand, n_in, (Tensor *[]){ &in[0]->t }, 1, false));
  tensor_written(&in[0]->t, engine_now()->mode.origin);
  return OK;
}

static Status write_into(const Key *key, Array *const *in, int n_in) {
  ParamsBuffer buffer;
  Params *p;
  Array *x = in[0], out;
  bool done = false;
  TRY(begin_params(op_with_role(ROLE_INDEX_ASSIGN), key, &buffer, &p));
  Status s = plain() ? write_plain(key, p, in, n_in, &done) : OK;
  if (s == OK && !done) s = eager_call_into(p->op, p, in, n_in, engine_now()->mode.device, &x, 1, &out);
  end_params(p, &buffer);
  return s;
}

Status eager_index_assign(const Key *key, Array *const *in, int n_in) {
  Array *operand[MOST_OPERANDS], copy[MOST_OPERANDS];
  Status s = check_recorded(in[0], in[1]);
  int made = 1;
  operand[0] = in[0];
  if (s == OK) s = lazy_before_write(&in[0]->t);
  for (; made < n_in && s == OK; made++) {
    copy[made] = (Array){ 0 };
    s = prepare_operand(in[0], in[made], made == 1 ? in[0]->t.type.dtype : in[made]->t.type.dtype, &copy[made],
                        &operand[made]);
  }
  if (s == OK) s = write_into(key, operand, n_in);
  while (--made > 0) array_release(&copy[made]);
  return s;
}
