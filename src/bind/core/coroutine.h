/* coroutine.h - what belongs to a coroutine: its mode, the calls of blocks and the name scopes it
** has open, the trace it is part of.
**
** A coroutine runs in the mode of the one that resumed it, anew at each resume, until it opens a
** scope (autograd.record and its kin) or sets the mode; from then on the mode is its own, as long
** as the scope is open, and nobody else sees it. So it leaves nothing behind, however it ends.
** Finalizers (__gc) have a context of their own: they compute at once and record nothing,
** whatever they interrupt.
**
** mode_now and scope_now tell what is so in the context that runs. Lua tells nobody of a resume or
** of a finalizer, which may run whenever Lua allocates: what reads them calls coroutine_enter first,
** and coroutine_enter_again where Lua may have allocated since. WITH_MEMORY (lua_memory.h) does so before it calls the engine.
*/
#ifndef HL_BIND_CORE_COROUTINE_H
#define HL_BIND_CORE_COROUTINE_H

#include "bind/core/lua_state.h"
#include "exec/mode.h"

typedef struct CoroutineState CoroutineState;

#define coroutine_now (state_now->coroutine)

/* Makes L's context the one that runs. Raises for a coroutine that has nothing to do in the trace
** under way: it began before. */
void coroutine_switch(lua_State *L);
static inline void coroutine_enter(lua_State *L) {
  if (__builtin_expect(coroutine_now.L != L || coroutine_now.watch, 0)) coroutine_switch(L);
}

/* After coroutine_enter: no node is built, nothing is recorded, noted or watched. */
static inline bool coroutine_plain(void) {
  return !hook_now && (!coroutine_now.watch || (!coroutine_now.tracing && !mode_now.recording && !mode_now.notes));
}

/* The same after coroutine_enter in one function: only a finalizer may have run since, and if it changed
** anything it was noticed. */
static inline void coroutine_enter_again(lua_State *L) {
  if (__builtin_expect(coroutine_now.L != L || coroutine_now.finalizer, 0)) coroutine_switch(L);
}

/* mode_now, of L. */
static inline Mode *mode_of(lua_State *L) {
  coroutine_enter(L);
  return &mode_now;
}

/* L is about to resume a coroutine. */
void coroutine_resumes(lua_State *L);

/* Is the running context the one of this number, or one that led to it by resuming? */
bool coroutine_leads(uint64_t id);
uint64_t coroutine_id(void);

/* A trace begins: the running context, and the coroutines that begin in it, are part of it. Or it ends. */
void coroutine_trace(bool begins);

/* Where eager operators' results are noted, in the running context and those it resumes; NULL: no more. */
void coroutine_set_operator_log(struct OperatorLog *notes);

/* The calls of blocks that the running context has open are one more, or less. */
void coroutine_count_block(int step);

/* ---- Modes ---- */

/* An open scope of a mode. It stays where it is until it is closed. */
typedef struct ModeScope {
  CoroutineState *coroutine;          /* NULL: closed */
  struct ModeScope *outer;
  bool recording, train;     /* the mode in it */
  Device device;             /* the current context in it ("context" in scripts is a device: bind/value/device_value.h) */
  OnFreed on_freed;
  bool anomaly;              /* as around it, unless mode_detect asks for it */
  bool copied;               /* an object of its own, which goes when it is closed */
  int height;                /* how deep in the stack the function is that has it as a variable (mode_find);
                             ** 0: nobody looks for it */
  const void *object;        /* the userdata that the script is to hold, until it was looked for (mode_look) */
} ModeScope;

/* Opens a scope in the running context; cannot fail. */
void mode_open(ModeScope *s, bool recording, bool train, Device device, OnFreed on_freed);

/* In the innermost open scope every value is looked at: autograd.detect_anomaly. */
void mode_detect(ModeScope *s);

/* Closes it, with all that were opened in it since, whatever runs. A second time does nothing. */
void mode_close(ModeScope *s);

/* The innermost scope of the running context that has a height and this device, from that height on; or NULL. A
** variable is closed in the function that has it, or where an error left that, in one that is less deep. */
ModeScope *mode_find(Device device, int height);

/* The scope's memory goes, and nobody can close it any more: its mode stays until one around it ends.
** False if it was closed, or its coroutine is suspended or dead, and perhaps garbage too. */
bool mode_drop(ModeScope *s);

/* Checks once whether the script still holds each scope that is open here. An unheld one (autograd.record() alone on a
** line) is collected now, so that its finalizer warns before training continues in it. */
void mode_look(lua_State *L);

/* Sets the mode of the innermost open scope of the running context; outside of any, its mode for good. */
void mode_set(bool recording, bool train);

/* The innermost scope that the running context has open, or NULL. */
ModeScope *mode_innermost(void);

/* How many scopes the running context has open; closes them until there are n. */
int mode_depth(void);
void mode_close_to(int n);

void open_coroutine(lua_State *L);
void open_closing(lua_State *L);

#endif
