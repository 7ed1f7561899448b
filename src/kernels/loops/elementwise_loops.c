/* elementwise_loops.c - runs stamped loops over broadcasting operands.
**
** The loops accept contiguous operands only. The output is processed in chunks that fit the first-level cache. For each
** chunk, an operand is used in place, or its part is first copied to a buffer (a scalar once for all chunks). If rows
** are long, a chunk stays within one, so that a row added to every row is used in place, too. A chunk's results do not
** depend on chunk or thread boundaries.
*/
#include "kernels/loops/elementwise_loops.h"

#include <string.h>

#include "base/threads/parallel_for.h"
#include "tensor/cast_copy.h"

enum { CHUNK = 512, MOST_INPUTS = 5, LONG_ROW = 128 };
static const int64_t GRAIN = 1 << 15;     /* minimum number of elements per thread */

typedef enum Access { DIRECT, CONSTANT, SPREAD } Access;

typedef struct ElementOperand {
  const Tensor *t;
  Access access;
  bool as_condition;                 /* becomes 0 or 1 in the loop's dtype */
  int slot;
  int64_t stride[MAX_DIMS];          /* in elements; 0 along broadcast axes */
} ElementOperand;

typedef struct ElementRun {
  ElementLoop *loop;
  const double *scalars;
  DType dtype;
  size_t size;                       /* bytes of an element */
  int n, ndim;
  int64_t dim[MAX_DIMS];             /* the output's shape, with neighbouring dimensions merged */
  ElementOperand operand[MOST_INPUTS];
  char *out;
} ElementRun;

/* The operand's offset for element `at` of the output, whose indices are written to position[]. */
static int64_t locate(const ElementRun *r, const ElementOperand *o, int64_t at, int64_t *position) {
  int64_t offset = 0;
  for (int i = r->ndim - 1; i >= 0; i--) {
    position[i] = at % r->dim[i];
    at /= r->dim[i];
    offset += position[i] * o->stride[i];
  }
  return offset;
}

/* Writes elements [at, at + n) of the broadcast operand to `to`. */
static void spread(const ElementRun *r, const ElementOperand *o, int64_t at, int64_t n, char *to) {
  int64_t position[MAX_DIMS], offset = locate(r, o, at, position);
  const int last = r->ndim - 1;
  const char *from = o->t->data;
  const size_t size = r->size;
  while (n > 0) {
    int64_t run = r->dim[last] - position[last];
    if (run > n) run = n;
    const char *source = from + (size_t)offset * size;
    if (o->stride[last] == 1) {
      memcpy(to, source, (size_t)run * size);
    } else if (size == 4) {
      uint32_t v;
      memcpy(&v, source, 4);
      for (int64_t i = 0; i < run; i++) ((uint32_t *)to)[i] = v;
    } else if (size == 8) {
      uint64_t v;
      memcpy(&v, source, 8);
      for (int64_t i = 0; i < run; i++) ((uint64_t *)to)[i] = v;
    } else {
      for (int64_t i = 0; i < run; i++) memcpy(to + (size_t)i * size, source, size);
    }
    to += (size_t)run * size;
    n -= run;
    offset += run * o->stride[last];
    position[last] += run;
    for (int i = last; i > 0 && position[i] == r->dim[i]; i--) {
      offset += o->stride[i - 1] - o->stride[i] * r->dim[i];
      position[i] = 0;
      position[i - 1]++;
    }
  }
}

/* Converts truth values of any dtype to 0 and 1 in the loop's dtype, through bool. */
static void spread_condition(const ElementRun *r, const ElementOperand *o, int64_t at, int64_t n, char *to) {
  _Alignas(64) char raw[CHUNK * 8];
  bool truth[CHUNK];
  ElementRun as_stored = *r;
  as_stored.size = dtype_size(o->t->type.dtype);
  spread(&as_stored, o, at, n, raw);
  convert(o->t->type.dtype, raw, DT_BOOL, truth, n);
  convert(DT_BOOL, truth, r->dtype, to, n);
}

/* The operand's elements [at, at + n), in one row of the output if `in_row`. If `further`, the buffer holds the
** previous elements of the same row. */
static const void *elements(const ElementRun *r, const ElementOperand *o, int64_t at, int64_t n, bool in_row,
                            bool further, char *buffer) {
  int64_t position[MAX_DIMS];
  if (o->as_condition) {
    spread_condition(r, o, at, n, buffer);
  } else if (o->access == DIRECT) {
    return (const char *)o->t->data + (size_t)at * r->size;
  } else if (o->access == SPREAD && in_row && o->stride[r->ndim - 1] == 1) {
    return (const char *)o->t->data + (size_t)locate(r, o, at, position) * r->size;
  } else if (o->access == SPREAD && !(further && o->stride[r->ndim - 1] == 0)) {
    spread(r, o, at, n, buffer);
  }
  return buffer;
}

static void run_piece(void *context, int64_t first, int64_t last) {
  const ElementRun *r = context;
  _Alignas(64) char buffer[MOST_INPUTS][CHUNK * 8];
  const void *slots[N_SLOTS];
  bool all_direct = true;
  for (int i = 0; i < r->n; i++) {
    const ElementOperand *o = &r->operand[i];
    all_direct = all_direct && o->access == DIRECT;
    if (o->access == CONSTANT && !o->as_condition)
      spread(r, o, 0, last - first < CHUNK ? last - first : CHUNK, buffer[i]);
  }
  const int64_t chunk = all_direct ? 1 << 16 : CHUNK, row = all_direct ? 0 : r->dim[r->ndim - 1];
  const bool in_row = row >= LONG_ROW;
  int64_t n;
  for (int64_t at = first; at < last && !interrupted(); at += n) {
    char *out = r->out + (size_t)at * r->size;
    n = last - at < chunk ? last - at : chunk;
    const int64_t column = in_row ? at % row : 0;
    if (in_row && n > row - column) n = row - column;
    const bool further = column > 0 && at > first;
    const void *any = elements(r, &r->operand[0], at, n, in_row, further, buffer[0]);
    for (int i = 0; i < N_SLOTS; i++) slots[i] = any;
    for (int i = 1; i < r->n; i++)
      slots[r->operand[i].slot] = elements(r, &r->operand[i], at, n, in_row, further, buffer[i]);
    r->loop(n, slots, out, r->scalars);
  }
}

/* Merges neighbouring dimensions of the output that all operands traverse evenly. */
static void merge_dimensions(ElementRun *r, const Shape *out) {
  r->ndim = 0;
  for (int i = 0; i < out->ndim; i++) {
    bool even = r->ndim > 0;
    for (int k = 0; k < r->n && even; k++)
      even = r->operand[k].stride[r->ndim - 1] == r->operand[k].stride[i] * out->dim[i];
    int to = even ? r->ndim - 1 : r->ndim++;
    r->dim[to] = even ? r->dim[to] * out->dim[i] : out->dim[i];
    for (int k = 0; k < r->n; k++) r->operand[k].stride[to] = r->operand[k].stride[i];
  }
  if (r->ndim == 0) {
    r->ndim = 1;
    r->dim[0] = 1;
    for (int k = 0; k < r->n; k++) r->operand[k].stride[0] = 0;
  }
}

static int slot_of(char letter) { return letter == 'g' ? 0 : letter == 'y' ? 4 : letter - 'a' + 1; }

/* The common case: does every operand have the output's shape? */
static bool all_whole(const Elementwise *e, const Tensor *const *in, int n_in, const Tensor *out) {
  for (int i = 0; i < n_in; i++)
    if (!shape_equal(&in[i]->type.shape, &out->type.shape) || (e->condition && in[i]->type.dtype != out->type.dtype))
      return false;
  return true;
}

static Status run_loop(const Elementwise *e, ElementLoop *loop, const Tensor *const *in, int n_in, Tensor *out,
                       const double *scalars) {
  static const double no_scalars[MAX_SCALARS];
  int64_t n = tensor_size(out);
  if (!e->n_scalars) scalars = no_scalars;
  if (n < GRAIN && all_whole(e, in, n_in, out)) {
    const void *any = in[0]->data, *slots[N_SLOTS] = { any, any, any, any, any };
    for (int i = 0; i < n_in; i++) slots[slot_of(e->slots[i])] = in[i]->data;
    loop(n, slots, out->data, scalars);
    return OK;
  }
  ElementRun r = { .loop = loop,
                   .scalars = scalars,
                   .dtype = out->type.dtype,
                   .size = dtype_size(out->type.dtype),
                   .n = n_in,
                   .out = out->data };
  bool all_direct = true;
  if (n == 0) return OK;
  for (int i = 0; i < n_in; i++) {
    ElementOperand *o = &r.operand[i];
    *o = (ElementOperand){ .t = in[i],
                           .slot = slot_of(e->slots[i]),
                           .as_condition = e->condition && e->slots[i] == 'a' };
    bool whole = shape_equal(&in[i]->type.shape, &out->type.shape);
    if (o->as_condition && in[i]->type.dtype == r.dtype) o->as_condition = false;
    o->access = o->as_condition ? SPREAD : whole ? DIRECT : tensor_size(in[i]) == 1 ? CONSTANT : SPREAD;
    all_direct = all_direct && o->access == DIRECT;
  }
  if (!all_direct) {
    for (int i = 0; i < n_in; i++) broadcast_strides(&in[i]->type.shape, &out->type.shape, r.operand[i].stride);
    merge_dimensions(&r, &out->type.shape);
  }
  if (n < GRAIN) run_piece(&r, 0, n);
  else parallel_for(n, GRAIN, run_piece, &r);
  return interrupt_status();
}

Status elementwise_run(const Op *row, const Tensor *const *in, int n_in, Tensor *out, const double *scalars) {
  return run_loop(row->elementwise, elementwise_loop(row, out->type.dtype), in, n_in, out, scalars);
}

/* Only integer arrays reject numbers, namely fractions. */
static Status admit_numbers(const Call *c, int n_operands, const double *numbers) {
  if (dtype_is_float(c->out[0]->type.dtype)) return OK;
  Type in[N_SLOTS], out = c->out[0]->type;
  for (int i = 0; i < n_operands; i++) in[i] = c->in[i]->type;
  const Op *row = c->op->info->unbound;
  Infer f = { .op = row, .params = numbers, .in = in, .out = &out, .n_in = n_operands, .n_out = 1 };
  return row->infer(&f);
}

static Status run_bound(Call *c, ElementLoop *loop) {
  const Elementwise *e = c->op->elementwise;
  const int n_operands = c->n_in - e->n_scalars;
  double numbers[MAX_SCALARS] = { 0 };
  for (int i = 0; i < e->n_scalars; i++) numbers[i] = *(const double *)c->in[n_operands + i]->data;
  TRY(admit_numbers(c, n_operands, numbers));
  return run_loop(e, loop, c->in, n_operands, c->out[0], numbers);
}

Status elementwise_kernel(Call *c) {
  ElementLoop *loop = (ElementLoop *)(uintptr_t)c->kernel->own;
  if (__builtin_expect(c->op->info->unbound != NULL, 0)) return run_bound(c, loop);
  return run_loop(c->op->elementwise, loop, c->in, c->n_in, c->out[0], c->params);
}

Status elementwise_chosen(Call *c) {
  const Query q = query_of_call(c);
  const Op *row = c->op->choose_row(&q);
  return elementwise_run(row, c->in, c->n_in, c->out[0], c->params);
}

void elementwise_range(const Call *c, int64_t first, int64_t last) {
  static const double no_scalars[MAX_SCALARS];
  const char *slots = c->op->elementwise->slots;
  const size_t size = dtype_size(c->out[0]->type.dtype), at = (size_t)first * size;
  const void *any = (const char *)c->in[0]->data + at, *operand[N_SLOTS] = { any, any, any, any, any };
  for (int i = 0; i < c->n_in; i++) operand[slot_of(slots[i])] = (const char *)c->in[i]->data + at;
  ((ElementLoop *)(uintptr_t)c->kernel->own)(last - first, operand, (char *)c->out[0]->data + at,
                                             c->op->elementwise->n_scalars ? c->params : no_scalars);
}
