/* tracing.h - the current trace: a block's Lua code running with Symbols. */
#ifndef HL_BIND_TRACE_TRACING_H
#define HL_BIND_TRACE_TRACING_H

#include "bind/core/coroutine.h"
#include "bind/core/trace_port.h"

/* Is L part of a trace? Operators then build nodes, whatever their arguments. */
static inline bool tracing(lua_State *L) {
  coroutine_enter(L);
  return coroutine_now()->tracing;
}

/* An array used in the trace (a constant of the block, an upvalue) becomes an input that
** is read again at every run. Leaves the entry in *out, which the trace holds; fails outside a trace. */
Status trace_capture(lua_State *L, int index, Entry *out);

/* Lua code read a shape: the trace holds for that shape only. */
void trace_shape_read(lua_State *L);

/* The device of the call that is traced, else the current one. Since Lua code reads it, the trace holds for that
** device only. */
Device trace_device(lua_State *L);

/* Is a device that is named in the trace that of the call? Fails if not; `what` begins the error. */
Status trace_check_device(lua_State *L, Device d, const char *what);

/* May a node of this operator be made now? After backward or an optimizer step only nodes of values computed before
** may. */
Status trace_admit(lua_State *L, const Op *op, const void *fields, const Entry *in, int n_in);

/* The builder of the script's nodes, with its line, its block call and the modes that it requests here. */
Builder trace_builder(lua_State *L);

/* Would eager code have recorded this node of the current trace on the tape? */
bool trace_records(const Node *n);

/* Keeps a node that must run even if its value is not used: random, printing, writing. */
void trace_keep(lua_State *L, Entry e);

/* The number of kept nodes so far. trace_take_kept removes those kept since then and pushes them as a list of Symbols,
** because they belong to a subgraph. */
int trace_kept(lua_State *L);
void trace_take_kept(lua_State *L, int since);

/* Lists a new node, if shapes are pending: it may determine the shape of a parameter, even if its value is not used,
** and even from within the body of a loop, which reads the parameter itself. */
void trace_made(lua_State *L, Entry e);

/* Records that the current trace needed values, for `what`; the error that is raised next says so. */
void trace_lacks(lua_State *L, const char *what);

/* The script requests the text of a Symbol: refused if every call must show eager code's text, which has values. */
void trace_shown(lua_State *L, const char *what);

/* Raises: `what` needs values, which a trace does not have; `instead` says what to write. */
int trace_refuse(lua_State *L, const char *what, const char *instead);

void open_trace(lua_State *L);

#endif
