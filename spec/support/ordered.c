/* ordered.c - a Lua module for one spec: compiles a graph with a row of its own whose calls have their place in
** the script's order (the effect ORDERED), and tells which of them ran, in which order. It uses the engine inside
** the program that loads it. */
#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <string.h>

#include "base/debug.h"
#include "exec/compiled.h"
#include "ir/build.h"
#include "ir/graph.h"

static char notes[64];

typedef struct NoteParams { int64_t id; } NoteParams;

static Status infer_note(Infer *f) {
  f->out[0] = f->in[0];
  return OK;
}

static Status note(Call *c) {
  snprintf(notes + strlen(notes), sizeof notes - strlen(notes), "%lld ", (long long)((const NoteParams *)c->params)->id);
  memcpy(c->out[0]->data, c->in[0]->data, tensor_bytes(c->in[0]));
  return OK;
}

static Op note_op = { .name = "_note", .inputs = "data", .params = "id int - Which.\n", .params_size = sizeof(NoteParams),
                      .flags = OP_INTERNAL, .effects = op_ordered_always, .infer = infer_note, .forward = note };

static Entry noted(Builder *b, Entry e, int64_t id) {
  Params *p;
  if (b->status == OK) b->status = params_from(&note_op, &(NoteParams){ id }, &p);
  if (b->status != OK) return NO_ENTRY;
  Entry made = build(b, &note_op, p, &e, 1);
  params_release(p);
  return made;
}

/* What no pass may merge (2 and 2), make ahead (3), drop (4, 5) or move: sqrt(exp(2) exp(2) + 3). */
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
  for (size_t i = 0; i < sizeof keep / sizeof *keep && b.status == OK; i++) b.status = node_list_add(&also, keep[i].node);
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
  Status s = compiled_call(c, (Array *[]){ &x }, 0, &out);
  if (s == OK) array_release(&out);
  array_release(&x);
  return s;
}

/* ordered(fused) -> the notes of one call, "1 2 2 3 ..."; and whether the program was a fused one */
static int ordered(lua_State *L) {
  Compiled *c;
  const int before = debug.jit;
  bool fused = false;
  notes[0] = '\0';
  debug.jit = lua_toboolean(L, 1) ? JIT_SYNC : JIT_OFF;
  Status s = make(&c);
  if (s == OK) {
    s = run(c);
    fused = c->plans && c->plans->fused;
    compiled_release(c);
  }
  debug.jit = before;
  if (s != OK) return luaL_error(L, "%s", status_text());
  lua_pushstring(L, notes);
  lua_pushboolean(L, fused);
  return 2;
}

int luaopen_ordered(lua_State *L) {
  lua_pushcfunction(L, ordered);
  return 1;
}
