/* tracing.h - the trace under way: a block's Lua code running with Symbols. */
#ifndef HL_BIND_TRACE_TRACING_H
#define HL_BIND_TRACE_TRACING_H

#include "bind/core/coroutine.h"
#include "bind/core/trace_port.h"

/* Is L part of one? Operators then build nodes whatever they are given. */
static inline bool tracing(lua_State *L) {
  coroutine_enter(L);
  return coroutine_now.tracing;
}

/* An array met in the trace (a constant of the block, an upvalue) becomes an input that
** is read anew at every run. Leaves the entry in *out, which the trace holds; fails outside a trace. */
Status trace_capture(lua_State *L, int index, Entry *out);

/* Lua code looked at a shape: the trace holds for that shape only. */
void trace_shape_read(lua_State *L);

/* The context of the call that is traced, else the current one. Lua code asks for it: the trace holds for that
** context only. */
Device trace_device(lua_State *L);

/* Does a context that was asked for in the trace agree with the call's? Fails if not; `what` begins the error. */
Status trace_check_device(lua_State *L, Device d, const char *what);

/* May a node of this operator be made now? After a step of a training step was noted only of values
** computed before. */
Status trace_admit(lua_State *L, const Op *op, const void *fields, const Entry *in, int n_in);

/* What builds the nodes of the script: its line, its block call, and the modes that it asks for here. */
Builder trace_builder(lua_State *L);

/* Would eager code have had this node of the trace under way on the tape? */
bool trace_records(const Node *n);

/* A node that must run although nothing may use it: random, printing, writing. */
void trace_keep(lua_State *L, Entry e);

/* How many there are so far. Those noted since then are taken out, and pushed as a list of Symbols: they belong to a
** subgraph. */
int trace_kept(lua_State *L);
void trace_take_kept(lua_State *L, int since);

/* A node that was made: it may tell the shape of a parameter, even if nothing uses it, and also from within the body of
** a loop, which reads the parameter itself. */
void trace_made(lua_State *L, Entry e);

/* The trace under way came to something that needs values, `what`; who raises next says so. */
void trace_lacks(lua_State *L, const char *what);

/* The script asks for the text of a Symbol: refused where eager code's text, of values, is to be seen at every call. */
void trace_shown(lua_State *L, const char *what);

/* Raises: `what` needs values, which a trace has not; `instead` says what to write. */
int trace_refuse(lua_State *L, const char *what, const char *instead);

void open_trace(lua_State *L);

#endif
