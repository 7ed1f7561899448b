/* coroutine.h - the state of a coroutine: its mode, its open block calls and name scopes, and its trace.
**
** At each resume a coroutine inherits the mode of the one that resumed it, until it opens a scope (autograd.record,
** pause, train_mode, predict_mode) or sets the mode. Then its mode is private to it while the scope is open, and no
** other coroutine is affected, however the scope ends. Finalizers (__gc) share a separate coroutine state: they compute
** eagerly and record nothing, whatever code they interrupt.
**
** The mode and the block call of the engine state (state/engine.h) are those of the running coroutine state. Lua
** reports neither a resume nor a finalizer, which may run whenever Lua allocates. So code that reads the mode or the
** block call calls coroutine_enter first, and coroutine_enter_again if Lua may have allocated since. WITH_MEMORY
** (lua_memory.h) does this before it calls the engine. Test builds end the process if the call is missing
** (entry_check.h).
*/
#ifndef HL_BIND_CORE_COROUTINE_H
#define HL_BIND_CORE_COROUTINE_H

#include "bind/core/lua_state.h"
#include "state/engine.h"

typedef struct CoroutineState CoroutineState;

/* The running coroutine of the entered Lua state; the coroutine itself need not be entered. */
static inline CoroutineNow *coroutine_any(void) { return &state_now()->coroutine; }

/* coroutine_any, allowed only after coroutine_enter. */
#define coroutine_now() (HL_ASSERT(engine_entered), coroutine_any())

/* Makes L's coroutine state the running one. Raises for a coroutine that began before the current trace. */
void coroutine_switch(lua_State *L);
static inline void coroutine_enter(lua_State *L) {
  if (__builtin_expect(!state_ran(L) || state_any()->coroutine.watch, 0)) coroutine_switch(L);
  entry_of_coroutine();
}

/* Does an operator only compute, without building a node, recording, logging or a kernel hook? After
** coroutine_enter. */
static inline bool coroutine_plain(void) {
  const Engine *e = engine_now();
  const CoroutineNow *now = coroutine_now();
  return !e->hooks && (!now->watch || (!now->tracing && !e->mode.recording && !e->mode.operator_log));
}

/* The same as coroutine_enter after an earlier one in the same function, but cheaper: only a finalizer that called us
** can have changed the coroutine since. */
static inline void coroutine_enter_again(lua_State *L) {
  HL_ASSERT(entered_before);
  if (__builtin_expect(!state_ran(L) || state_any()->coroutine.finalizer, 0)) coroutine_switch(L);
  entry_of_coroutine();
}

/* The engine state, entered for L. */
static inline Engine *coroutine_engine(lua_State *L) {
  coroutine_enter(L);
  return engine_now();
}

/* Notes that L is about to resume a coroutine. */
void coroutine_resumes(lua_State *L);

/* Is this the number of the running coroutine state, or of one in the chain of resumes that led to it? */
bool coroutine_leads(uint64_t id);
uint64_t coroutine_id(void);

/* Notes that a trace begins or ends. The running coroutine is part of a trace that begins, and so are coroutines begun
** in it. */
void coroutine_trace(bool begins);

/* Sets the log of eager operators' results for the running coroutine and those that it resumes; NULL for none. */
void coroutine_set_operator_log(struct OperatorLog *log);

/* Changes the number of open block calls in the running coroutine by `step`. */
void coroutine_count_block(int step);

/* ---- Modes ---- */

/* An open scope of a mode. It does not move until it is closed. */
typedef struct ModeScope {
  CoroutineState *coroutine;          /* NULL: closed */
  struct ModeScope *outer;
  Mode mode;              /* inside; its origin and operator log are not used */
  bool copied;            /* allocated, to be freed when it is closed */
  const void *object;     /* the userdata that the script should hold; NULL once that was checked (mode_look) */
} ModeScope;

/* Opens a scope in the running coroutine; cannot fail. */
void mode_open(ModeScope *s, bool recording, bool train, Device device, OnFreed on_freed);

/* Makes the innermost open scope check every value: autograd.detect_anomaly. */
void mode_detect(ModeScope *s);

/* Closes the scope and all scopes opened inside it, from any coroutine. A second call does nothing. */
void mode_close(ModeScope *s);

/* The scope's memory is about to be freed, so it can no longer be closed: its mode stays until a scope around it ends.
** False if it was closed, or its coroutine is suspended or dead. */
bool mode_drop(ModeScope *s);

/* Checks once per open scope whether the script still holds it. A scope without a holder (autograd.record() alone on a
** line) is collected now, so that its finalizer warns before training continues in it. */
void mode_look(lua_State *L);

/* Sets the mode of the running coroutine's innermost open scope or, if it has none, of the coroutine. */
void mode_set(bool recording, bool train);

/* The innermost open scope of the running coroutine, or NULL. */
ModeScope *mode_innermost(void);

/* The number of open scopes of the running coroutine; mode_close_to closes them until n are left. */
int mode_depth(void);
void mode_close_to(int n);

void open_coroutine(lua_State *L);
void open_closing(lua_State *L);

#endif
