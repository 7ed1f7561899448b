/* run_op.c - see run_op.h.
**
** Invariant: on failure all outputs allocated so far are released.
*/
#include "ir/run_op.h"

#include "base/bump.h"
#include "base/memory.h"
#include "base/threads/parallel_for.h"
#include "base/size_math.h"

enum { FEW = 16 };      /* outputs handled without allocation */

/* ---- Recomputation -------------------------------------------------------------------- */

static _Thread_local int repeats;

void run_repeat(int step) { repeats += step; }
bool run_repeats(void) { return repeats > 0; }

/* ---- Counting arithmetic ------------------------------------------------------------- */

void run_count_flops(bool on) {
  Engine *e = engine_now();
  hook_set(e, HOOK_FLOPS, on);
  e->flops = 0;
}

double run_flops(void) { return engine_now()->flops; }

static void count_call(const Call *call) {
  const Query q = query_of_call(call);
  engine_now()->flops += op_flops(&q);
}

/* ---- Workspaces ---------------------------------------------------------------------- */

Status run_limited(Call *call, int n_threads) {
  int before = parallel_limit(n_threads);
  Status s = call->kernel->run(call);
  parallel_limit(before);
  return s;
}

/* Runs the call with its workspaces in one block, which follows the plan on the caller's stack if it fits there. */
static Status run_in_workspace(Call *call, const Workspace *w) {
  const bool each = w->thread_bytes > 0;
  const int n = !each ? 0 : parallel_threads() < w->most_threads ? parallel_threads() : w->most_threads;
  const size_t bytes = w->bytes + (size_t)n * w->thread_bytes;
  void *memory = w->near;                  /* for 0 bytes, too: the C library requires a valid address */
  const Device device = call->n_out ? tensor_device(call->out[0]) : DEVICE_HOST;
  const bool own = bytes > w->left || !device_is_host(device);
  if (own) TRY(device_block_new(device, bytes, &memory));
  call->plan = w->plan;
  call->workspace = memory;
  call->thread_workspace = (char *)memory + w->bytes;
  call->thread_bytes = w->thread_bytes;
  Status s = n > 0 ? run_limited(call, n) : call->kernel->run(call);
  if (own) device_block_free(device, memory, bytes);
  return s;
}

static __attribute__((noinline)) Status run_with_workspace(Call *call) {
  enum { LITTLE = 1024, SPARE = LINE_BYTES };
  _Alignas(64) char little[LITTLE + SPARE];
  Workspace w = { .near = little, .left = LITTLE };
  const Query q = query_of_call(call);
  TRY(kernel_workspace(call->kernel, &q, &w));
  Status s = run_in_workspace(call, &w);
  kernel_plan_free(&w);
  return s;
}

/* ---- Running ------------------------------------------------------------------------- */

static inline Status run_call(Call *call) {
  return call->kernel->workspace ? run_with_workspace(call) : call->kernel->run(call);
}

static __attribute__((cold, noinline)) Status run_watched(Call *call) {
  if (engine_now()->hooks & HOOK_FLOPS) count_call(call);
  HookedCall w = { .node = hook_node, .backward = hook_node };
  hook_node = NULL;
  kernel_hook->begins(&w);
  return kernel_hook->ended(&w, call, 1, run_call(call));
}

Status run_kernel(const Op *op, const Params *params, const Tensor *const *in, int n_in, Tensor *const *out, int n_out,
                  bool train) {
  Call call = {
    .op = op, .params = params->fields, .in = in, .out = out, .n_in = n_in, .n_out = n_out, .train = train
  };
  call.kernel = call_kernel(&call);
  if (__builtin_expect(!call.kernel, 0)) return call_no_kernel(&call);
  if (interrupted()) return interrupt_status();
  return __builtin_expect(engine_now()->hooks, 0) ? run_watched(&call) : run_call(&call);
}

typedef struct RangeLoop { OpRange *range; const Call *call; } RangeLoop;

/* `first` and `last` count the elements of all calls. */
static void run_piece(void *context, int64_t first, int64_t last) {
  const RangeLoop *s = context;
  int64_t begin = 0;
  for (const Call *c = s->call; begin < last; c++) {
    int64_t end = begin + tensor_size(c->out[0]);
    if (first < end) s->range(c, (first > begin ? first : begin) - begin, (last < end ? last : end) - begin);
    begin = end;
  }
}

Status run_by_range(Call *call) { return run_ranges(call->kernel->range, call, 1); }

Status run_ranges(OpRange *range, const Call *call, int n) {
  int64_t elements = 0;
  for (int i = 0; i < n; i++) elements += tensor_size(call[i].out[0]);
  parallel_for(elements, 1 << 14, run_piece, &(RangeLoop){ range, call });
  return OK;
}

static Status unknown_output(const Op *op, const Type *out) {
  if (op->info->n_inputs == 0 && out->shape.ndim < 0)
    return fail("%s: cannot infer the output's shape from its arguments", op->name);
  if (op->info->n_inputs == 0 && !op->info->variadic)
    return fail("%s: shape: expected dimensions of 0 or more, got %s", op->name, shape_numbers(&out->shape));
  return fail("%s: cannot infer the output's type from its inputs (%s)", op->name, type_text(out));
}

/* Completes the output types of a row with OP_DYNAMIC. */
static __attribute__((noinline)) Status complete_types(const Query *q, Device device, Type *out) {
  const Op *op = q->op;
  const Kernel *k = op_kernel(op, device_place(device), q);
  return k ? k->dynamic(q, out) : op_no_kernel(op, device_place(device), q);
}

Status run_op(const Op *op, const Params *params, const Tensor *const *in, int n_in, Device device, Tensor *out,
              int n_out, RunMode mode) {
  TypeList types FREED_BY(types_free);
  BUMP(bump, "operator call");
  TRY(types_new(&types, n_in + n_out));
  Tensor *few[FEW], **target = n_out <= FEW ? few : BUMP_ARRAY(&bump, n_out, Tensor *);
  TRY(bump.status);
  Type *in_types = types.at, *out_types = types.at + n_in;
  const Query q = { .op = op,
                    .params = params->fields,
                    .n_in = n_in,
                    .n_out = n_out,
                    .train = mode.train,
                    .no_gradient = mode.no_gradient,
                    .in = in,
                    .out_type = out_types };
  for (int i = 0; i < n_in; i++) in_types[i] = in[i]->type;
  for (int i = 0; i < n_out; i++) out_types[i] = mode.told && n_in == 0 ? mode.told[i] : TYPE_UNKNOWN;
  TRY(op_infer(op, params, in_types, n_in, out_types, n_out));
  Status s = op->flags & OP_DYNAMIC ? complete_types(&q, device, out_types) : OK;
  if (s != OK) return s == E_INPUT ? fail_within(s, "%s", op->name) : s;
  for (int i = 0; i < n_out; i++)
    if (!type_known(&out_types[i])) return unknown_output(op, &out_types[i]);
  /* Inference must not change the type of an existing input. */
  for (int i = 0; i < n_in; i++)
    if (!type_equal(&in_types[i], &in[i]->type))
      return fail("%s: %s: expected %s, got %s", op->name, op_input_name(op, i), type_text(&in_types[i]),
                  type_text(&in[i]->type));
  size_t offset;
  if (op->view && op->view(&q, &offset)) {
    out[0] = tensor_view(in[0], &out_types[0], offset);
    return OK;
  }
  int made = 0;
  for (; made < n_out && s == OK; made++) {
    target[made] = &out[made];
    if (__builtin_expect(op->unused != NULL, 0) && op->unused(&q, made))
      out[made] = (Tensor){ .type = out_types[made] };
    else s = tensor_new(&out_types[made], device, &out[made]);
  }
  if (s == OK) s = run_kernel(op, params, in, n_in, target, n_out, mode.train);
  for (int i = 0; s != OK && i < made; i++) tensor_release(&out[i]);
  return s;
}

/* ---- Failures made for tests ------------------------------------------------------------------------------- */

Status run_made_to_fail(void) {
  if (--debug.fail_in > 0) return OK;
  if (debug.failure == FAILURE_MEMORY) return no_memory("a run that was made to fail");
  return fail("made to fail");
}
