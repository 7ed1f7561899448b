/* compare.c - runs taken down operator by operator, for gluon/check.lua to find where two differ. */
#include "bind/compiled.h"
#include "exec/eager.h"
#include "exec/notes.h"

static _Thread_local Notes eager_notes;

static void notes_end(void *notes) { notes_free(notes); }

/* A list of { op, line, node (nil if eager), outputs = { arrays } }; empties the notes. */
static void push_notes(lua_State *L, Notes *notes) {
  lua_createtable(L, notes->n, 0);
  for (int i = 0; i < notes->n; i++) {
    const Note *note = &notes->at[i];
    lua_createtable(L, 0, 4);
    set_string(L, "op", note->op->name);
    set_string(L, "line", origin_text(note->origin));
    if (note->node >= 0) set_integer(L, "node", note->node);
    lua_createtable(L, note->n_out, 0);
    for (int k = 0; k < note->n_out; k++) {
      Array *a = push_array(L);
      a->t = tensor_share(&note->out[k]);
      lua_rawseti(L, -2, k + 1);
    }
    lua_setfield(L, -2, "outputs");
    lua_rawseti(L, -2, i + 1);
  }
  notes_free(notes);
}

/* notes(true): notes what eager operators compute from now on; notes(false) -> the list */
static int notes(lua_State *L) {
  if (lua_toboolean(L, 1)) {
    notes_free(&eager_notes);
    mode_now.notes = &eager_notes;
    return 0;
  }
  mode_now.notes = NULL;
  push_notes(L, &eager_notes);
  return 1;
}

static Status replay_anew(Compiled *c, Array *const *in, Notes *list) {
  notes_free(list);
  return compiled_replay(c, in, list);
}

/* replay(compiled, arrays): what each operator of the traced graph computes, run one by one */
static int replay(lua_State *L) {
  Compiled *c = check_compiled(L, 1);
  Array **in = check_graph_inputs(L, c, 2);
  Notes *list = push_owned(L, sizeof *list, notes_end);
  Status s;
  WITH_MEMORY(L, s, replay_anew(c, in, list));
  check(L, s);
  push_notes(L, list);
  return 1;
}

/* cut(compiled, node, whole): a compiled graph that gives what the node computes, alone or after
** all outputs of the whole */
static int cut(lua_State *L) {
  Compiled *c = check_compiled(L, 1);
  lua_Integer at = luaL_checkinteger(L, 2);
  if (at < 0 || at >= c->graph.n_nodes)
    return raise_error(L, "cut: node: expected 0 to %d, got %d", c->graph.n_nodes - 1, (int)at);
  CompiledObject *o = push_compiled(L);
  check(L, compiled_cut(c, (int)at, lua_toboolean(L, 3) ? c->graph.n_out : 0, &o->c));
  return 1;
}

void open_compare(lua_State *L) {
  const luaL_Reg functions[] = { { "notes", notes }, { "replay", replay }, { "cut", cut }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}
