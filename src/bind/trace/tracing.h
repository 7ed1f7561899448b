/* tracing.h - the current trace: a block's Lua code running with Symbols. */
#ifndef HL_BIND_TRACE_TRACING_H
#define HL_BIND_TRACE_TRACING_H

#include "bind/core/coroutine.h"
#include "bind/core/trace_port.h"

/* Is L part of a trace? If so, operators build nodes, whatever their arguments. */
static inline bool tracing(lua_State *L) {
  coroutine_enter(L);
  return coroutine_now()->tracing;
}

/* Makes an array used in the trace (a constant of the block, an upvalue) an input, which every call reads again. *out:
** its entry, which the trace holds. Fails outside a trace. */
Status trace_capture(lua_State *L, int index, Entry *out);

/* Notes that Lua code read a shape: the trace is valid for this shape only. */
void trace_shape_read(lua_State *L);

/* The device of the traced call; without a trace, the current device. Lua code reads it, so the trace is valid for this
** device only. */
Device trace_device(lua_State *L);

/* Fails if a device that the trace names is not that of the call; `what` begins the error. */
Status trace_check_device(lua_State *L, Device d, const char *what);

/* Fails if a node of this operator must not be made now: after backward or an optimizer step, operators may only use
** values computed before. */
Status trace_admit(lua_State *L, const Op *op, const void *fields, const Entry *in, int n_in);

/* A builder of nodes with the script's current line, block call and requested modes. */
Builder trace_builder(lua_State *L);

/* Would eager code have recorded this node of the current trace? */
bool trace_records(const Node *n);

/* Keeps a node with effects (random, printing, writing), which must run even if its value is unused. */
void trace_keep(lua_State *L, Entry e);

/* The number of kept nodes. trace_take_kept pops the nodes kept since then, which are part of a subgraph, and pushes a
** list of their Symbols. */
int trace_kept(lua_State *L);
void trace_take_kept(lua_State *L, int since);

/* Lists a new node while shapes of parameters are unknown: it may determine one, even if its value is unused, and even
** in the body of a loop, which reads the parameter itself. */
void trace_made(lua_State *L, Entry e);

/* Records that the current trace needed values, for `what`; the next error reports it. */
void trace_lacks(lua_State *L, const char *what);

/* Called for the text of a Symbol; raises if every call must show the text of eager code, with values. */
void trace_shown(lua_State *L, const char *what);

/* Raises: `what` needs values, which a trace does not have; `instead`: what to write. */
int trace_refuse(lua_State *L, const char *what, const char *instead);

void open_trace(lua_State *L);

#endif
