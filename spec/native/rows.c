/* rows.c - a Lua module for specs, with its own engine: compiles graphs of special rows and reports on their calls. One
** row has the effect ORDERED; one prepares its calls and uses per-thread workspaces.
*/
#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <string.h>

#include "base/settings/debug_switches.h"
#include "exec/tape/call_compiled.h"
#include "ir/node_builder.h"
#include "ir/graph/graph.h"

/* ---- A row with its place in the script's order -------------------------------------------------------- */

static char notes[64];

typedef struct NoteParams { int64_t id; } NoteParams;

static Status infer_note(Infer *f) {
  f->out[0] = f->in[0];
  return OK;
}

static Status note(Call *c) {
  snprintf(notes + strlen(notes), sizeof notes - strlen(notes), "%lld ",
           (long long)((const NoteParams *)c->params)->id);
  memcpy(c->out[0]->data, c->in[0]->data, tensor_bytes(c->in[0]));
  return OK;
}

static const Kernel note_kernels[] = { { .op = "_note", .types = ALL_TYPES, .run = note }, { 0 } };

static Op note_op = { .name = "_note",
                      .inputs = "data",
                      .params = "id int - Which.\n",
                      .params_size = sizeof(NoteParams),
                      .flags = OP_INTERNAL,
                      .effects = op_ordered_always,
                      .infer = infer_note,
                      .own_kernels = note_kernels };

static Entry noted(Builder *b, Entry e, int64_t id) {
  Params *p;
  if (b->status == OK) b->status = params_from(&note_op, &(NoteParams){ id }, &p);
  if (b->status != OK) return NO_ENTRY;
  Entry made = build(b, &note_op, p, &e, 1);
  params_release(p);
  return made;
}

/* No pass may merge (2 and 2), move ahead (3), drop (4, 5) or reorder these: sqrt(exp(2) exp(2) + 3). */
static Status make(Compiled **out) {
  Type type = { .dtype = DT_FLOAT32, .shape = { .ndim = 1, .dim = { 4 } } };
  Builder b = { 0 };
  NodeList also = { 0 };
  Tensor ones;
  Node *in;
  TRY(op_declare(&note_op));
  TRY(node_variable("x", &type, &in));
  TRY(tensor_zeros(&type, 0, &ones));
  Entry x = { in, 0 }, first = noted(&b, x, 1), left = noted(&b, x, 2), right = noted(&b, x, 2);
  Entry constant = noted(&b, build_constant(&b, &ones), 3), e = build_op(&b, "exp", NULL, 1, left);
  Entry product = build_op(&b, "elemwise_mul", NULL, 2, e, build_op(&b, "exp", NULL, 1, right));
  Entry dropped = noted(&b, product, 4), root = build_op(&b, "sqrt", NULL, 1, build_sum(&b, product, constant));
  const Entry keep[] = { first, left, right, constant, dropped, noted(&b, x, 5) };
  for (size_t i = 0; i < sizeof keep / sizeof *keep && b.status == OK; i++)
    b.status = node_list_add(&also, keep[i].node);
  if (b.status == OK) b.status = compiled_new("ordered", &root, 1, &in, 1, &also, 4, out);
  node_list_free(&also);
  tensor_release(&ones);
  builder_free(&b);
  node_release(in);
  return b.status;
}

static Status run(Compiled *c) {
  Array x = { 0 }, out;
  Type type = { .dtype = DT_FLOAT32, .shape = { .ndim = 1, .dim = { 4 } } };
  TRY(tensor_zeros(&type, 0, &x.t));
  Status s = call_compiled(c, (Array *[]){ &x }, 0, NULL, &out);
  if (s == OK) array_release(&out);
  array_release(&x);
  return s;
}

/* ordered(fused) -> the log of one call, "1 2 2 3 ..."; was the executable fused? */
static int ordered(lua_State *L) {
  Compiled *c;
  const int before = debug.jit;
  bool fused = false;
  notes[0] = '\0';
  debug.jit = lua_toboolean(L, 1) ? JIT_SYNC : JIT_OFF;
  Status s = make(&c);
  if (s == OK) {
    s = run(c);
    const Specialization *p = compiled_specialization_before(c, NULL);
    fused = p && p->fused;
    compiled_release(c);
  }
  debug.jit = before;
  if (s != OK) return luaL_error(L, "%s", status_text());
  lua_pushstring(L, notes);
  lua_pushboolean(L, fused);
  return 2;
}

/* ---- A row with a plan and per-thread workspaces ----------------------------------------------------------- */

enum { ITEMS = 64, BYTES = 100 };          /* BYTES is not a multiple of 64, but workspaces are aligned */

static int planned, wrong;

typedef struct Packed { uint64_t guard; int64_t elements; } Packed;

static Status infer_scale(Infer *f) {
  f->out[0] = f->in[0];
  return OK;
}

static Status scale_workspace(const Query *q, Workspace *w) {
  w->thread_bytes = BYTES;
  w->most_threads = ITEMS;
  Packed *p = kernel_plan(w, sizeof *p);
  if (!p) return w->status;
  planned++;
  *p = (Packed){ .guard = 0x5A5A5A5A, .elements = shape_size(&query_in(q, 0)->shape) };
  return OK;
}

/* Each item fills its thread's workspace and checks that it is unchanged. */
static void scale_items(void *context, int64_t first, int64_t last) {
  const Call *c = context;
  unsigned char *workspace = call_thread_workspace(c);
  if ((uintptr_t)workspace % 64 != 0) __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
  for (int64_t k = first; k < last; k++) {
    memset(workspace, (int)k, BYTES);
    for (volatile int spin = 0; spin < 200000; spin++) {}
    for (int i = 0; i < BYTES; i++)
      if (workspace[i] != (unsigned char)k) __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
  }
}

static Status scale(Call *c) {
  const Packed *p = c->plan;
  const double factor = tensor_get(c->in[1], 0);
  if (p->guard != 0x5A5A5A5A || p->elements != tensor_size(c->in[0])) return fail("_scale: the plan is gone");
  parallel_for(ITEMS, 1, scale_items, c);
  for (int64_t i = 0; i < tensor_size(c->in[0]); i++) tensor_set(c->out[0], i, tensor_get(c->in[0], i) * factor);
  return OK;
}

static const Kernel scale_kernels[] = {
  { .op = "_scale", .types = ALL_TYPES, .run = scale, .workspace = scale_workspace }, { 0 }
};
static Op scale_op = {
  .name = "_scale", .inputs = "data factor", .flags = OP_INTERNAL, .infer = infer_scale, .own_kernels = scale_kernels
};

/* The sum of _scale of x + 1 by a constant 3 and by x[0]. */
static Status make_scaled(Compiled **out) {
  Type type = { .dtype = DT_FLOAT32, .shape = { .ndim = 1, .dim = { 4 } } };
  Builder b = { 0 };
  Tensor three;
  Node *in;
  TRY(op_declare(&scale_op));
  TRY(node_variable("x", &type, &in));
  TRY(tensor_zeros(&type, 0, &three));
  tensor_set(&three, 0, 3);
  Entry x = { in, 0 }, more = build_sum(&b, x, build_ones_like(&b, x)), factor = build_constant(&b, &three);
  Entry by_constant = build(&b, &scale_op, NULL, (Entry[]){ more, factor }, 2);
  Entry sum = build_sum(&b, by_constant, build(&b, &scale_op, NULL, (Entry[]){ more, x }, 2));
  if (b.status == OK) b.status = compiled_new("scaled", &sum, 1, &in, 1, NULL, 4, out);
  tensor_release(&three);
  builder_free(&b);
  node_release(in);
  return b.status;
}

static Status run_scaled(Compiled *c, double *result) {
  Array x = { 0 }, out;
  Type type = { .dtype = DT_FLOAT32, .shape = { .ndim = 1, .dim = { 4 } } };
  TRY(tensor_zeros(&type, 0, &x.t));
  tensor_set(&x.t, 0, 2);
  Status s = call_compiled(c, (Array *[]){ &x }, 0, NULL, &out);
  if (s == OK) {
    *result = tensor_get(&out.t, 0);
    array_release(&out);
  }
  array_release(&x);
  return s;
}

/* scaled(threads...) -> runs one compiled function once with each number of threads. Returns the number of plans,
** an error of the workspaces, and the last result. */
static int scaled(lua_State *L) {
  const int n = lua_gettop(L), before = parallel_threads();
  double result = 0;
  Compiled *c;
  planned = wrong = 0;
  Status s = make_scaled(&c);
  if (s != OK) return luaL_error(L, "%s", status_text());
  for (int i = 1; i <= n && s == OK; i++) {
    parallel_set_threads((int)lua_tointeger(L, i));
    s = run_scaled(c, &result);
  }
  parallel_set_threads(before);
  compiled_release(c);
  if (s != OK) return luaL_error(L, "%s", status_text());
  lua_pushinteger(L, planned);
  lua_pushinteger(L, wrong);
  lua_pushnumber(L, result);
  return 3;
}

int luaopen_rows(lua_State *L) {
  const luaL_Reg functions[] = { { "ordered", ordered }, { "scaled", scaled }, { NULL, NULL } };
  luaL_newlib(L, functions);
  return 1;
}
