/* coroutine.h - the state of a coroutine: its mode, its open calls of blocks and name scopes, and the trace that it is
** part of.
**
** At each resume a coroutine inherits the mode of the one that resumed it, until it opens a
** scope (autograd.record, pause, train_mode, predict_mode) or sets the mode; from then on the mode is its own, as long
** as the scope is open, and no other coroutine sees it. So it leaves nothing behind, however it ends.
** Finalizers (__gc) have a coroutine state of their own: they compute eagerly and record nothing,
** whatever they interrupt.
**
** The mode and the block call of the engine state (state/engine.h) are those of the running coroutine state. Lua does
** not report a resume or a finalizer, which may run whenever Lua allocates: code that reads them calls coroutine_enter
** first, and coroutine_enter_again if Lua may have allocated since. WITH_MEMORY (lua_memory.h) does so before it calls
** the engine. Test builds end the process where it was forgotten (entry_check.h).
*/
#ifndef HL_BIND_CORE_COROUTINE_H
#define HL_BIND_CORE_COROUTINE_H

#include "bind/core/lua_state.h"
#include "state/engine.h"

typedef struct CoroutineState CoroutineState;

/* The running coroutine of the Lua state, which was entered, whether or not the coroutine was. */
static inline CoroutineNow *coroutine_any(void) { return &state_now()->coroutine; }

/* That of L, after coroutine_enter. */
#define coroutine_now() (HL_ASSERT(engine_entered), coroutine_any())

/* Makes L's coroutine state the running one. Raises for a coroutine that is not part of the current trace because it
** began before it. */
void coroutine_switch(lua_State *L);
static inline void coroutine_enter(lua_State *L) {
  if (__builtin_expect(!state_ran(L) || state_any()->coroutine.watch, 0)) coroutine_switch(L);
  entry_of_coroutine();
}

/* After coroutine_enter: no node is built, nothing is recorded or logged, and there is no kernel hook. */
static inline bool coroutine_plain(void) {
  const Engine *e = engine_now();
  const CoroutineNow *now = coroutine_now();
  return !e->hooks && (!now->watch || (!now->tracing && !e->mode.recording && !e->mode.operator_log));
}

/* coroutine_enter, after an earlier one in the same function: only a finalizer may have run since, and if it called us,
** that is seen here. */
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

/* L is about to resume a coroutine. */
void coroutine_resumes(lua_State *L);

/* Is this the number of the running coroutine state, or of one that led to it by resuming? */
bool coroutine_leads(uint64_t id);
uint64_t coroutine_id(void);

/* A trace begins, and the running coroutine, with the coroutines that begin in it, is part of it; or the trace ends. */
void coroutine_trace(bool begins);

/* Sets the log of eager operators' results, for the running coroutine and those that it resumes; NULL: none. */
void coroutine_set_operator_log(struct OperatorLog *log);

/* Changes the number of open calls of blocks in the running coroutine by `step`. */
void coroutine_count_block(int step);

/* ---- Modes ---- */

/* An open scope of a mode. It stays where it is until it is closed. */
typedef struct ModeScope {
  CoroutineState *coroutine;          /* NULL: closed */
  struct ModeScope *outer;
  Mode mode;              /* in it; its origin and operator log are not used */
  bool copied;            /* an object of its own, which is freed when it is closed */
  const void *object;     /* the userdata that the script should hold, until that was checked (mode_look) */
} ModeScope;

/* Opens a scope in the running coroutine; cannot fail. */
void mode_open(ModeScope *s, bool recording, bool train, Device device, OnFreed on_freed);

/* In this scope, the innermost open one, every value is checked: autograd.detect_anomaly. */
void mode_detect(ModeScope *s);

/* Closes it, and all scopes that were opened in it since, from any coroutine. A second call does nothing. */
void mode_close(ModeScope *s);

/* The scope's memory is freed, so it can no longer be closed: its mode stays until a scope around it ends.
** False if it was closed, or its coroutine is suspended or dead, and perhaps garbage too. */
bool mode_drop(ModeScope *s);

/* Checks once whether the script still holds each scope that is open here. An unheld one (autograd.record() alone on a
** line) is collected now, so that its finalizer warns before training continues in it. */
void mode_look(lua_State *L);

/* Sets the mode of the innermost open scope of the running coroutine; outside any scope, its mode for good. */
void mode_set(bool recording, bool train);

/* The innermost open scope of the running coroutine, or NULL. */
ModeScope *mode_innermost(void);

/* The number of open scopes of the running coroutine; closes them until there are n. */
int mode_depth(void);
void mode_close_to(int n);

void open_coroutine(lua_State *L);
void open_closing(lua_State *L);

#endif
