/* lua_state.h - what belongs to a Lua state, in one object that it owns.
**
** The engine computes for whom it is lent (exec/state/engine_state.h), and so a thread knows the state that ran in it last:
** state_now. Functions of src/bind that read anything of it call coroutine_enter, or state_enter, first. Several
** states may run by turns in one thread, or at once in threads of their own; a state may move from one thread to
** another, as Lua's states may. Invariant: state_now points to an object that exists: its thread counts among
** those that hold it.
**
** A thread has of its own what lies on C's stack: backwards under way (autograd_function.c), calls whose parameters Lua's
** errors left over (op_args.c), the text of an error (base/status.h), blocks of memory that wait (base/memory.h).
** The process has what is the same for all: operators, compiled kernels, lines of scripts, budgets, switches for tests.
**
** The host. The module changes nothing of the process that loads it: Lua's collector keeps its mode and pace (only the
** program sets the generational mode, in main.c), and one that is stopped stays stopped; cJSON's memory functions,
** signals, locale and working directory stay as they are; nothing ends the process. OpenBLAS's kernels are chosen
** through the environment once, when the module is opened, and only while the process has one thread (tensor/blas.c).
** spec/program/host_spec.lua tests it, spec/bind/core/lua_states_spec.lua states that alternate or call each other,
** spec/native/scripts.c two at once.
*/
#ifndef HL_BIND_CORE_LUA_STATE_H
#define HL_BIND_CORE_LUA_STATE_H

#include <stdatomic.h>

#include "bind/core/lua_object.h"
#include "exec/eager/operator_log.h"
#include "exec/state/engine_state.h"

typedef struct CoroutineNow {
  lua_State *L;              /* the coroutine that `at` belongs to; NULL: look again */
  bool watch;                /* in a finalizer things would be otherwise: look whether this is one */
  bool finalizer;
  bool tracing;              /* it is part of the trace under way */
  struct CoroutineState *at;        /* what runs */
  struct CoroutineState *top;       /* the innermost of the coroutines that resumed one another, linked by `outer` */
} CoroutineNow;

/* The verdict on a function that a trace called: call_hook.c. */
typedef struct CalledKnown { uintptr_t function; int verdict; } CalledKnown;
enum { MOST_KNOWN = 64 };

/* A debug hook of Lua's. */
typedef struct HookSaved { lua_Hook hook; int mask, count; } HookSaved;

/* Of the trace under way: tracing.c. */
typedef struct Trace {
  uint64_t id, last;         /* of the one under way, 0 for none; of the last one */
  bool shape_read, device_read;
  Device device;             /* of the call */
  bool shown;                /* a Symbol's text is refused, since eager code shows values: hybridize{breaks = true} */
  bool awaits;               /* a parameter without a shape was met: nodes may tell it */
  bool closed;               /* a step was noted: only what is computed already may be read */
  bool recording, train;     /* the modes in which it began: a call brings the same */
  bool paused, starved;      /* calls are not looked at; some were not for want of memory: call_hook.c */
  bool opens;                /* tables in arguments may have to be opened */
  bool returns;              /* a call that was seen is waited for until it returns */
  bool observing;             /* from watch_calls to end_watch, in call_hook.c */
  bool telling;              /* the hook of the script's runs */
  bool held;                 /* Lua's collector stands still, and ran before */
  HookSaved host;            /* the hook of the script's or its host's that was there before */
  CalledKnown known[MOST_KNOWN];     /* by address */
} Trace;

/* Of the block that runs piece by piece: graph_breaks.c. */
typedef struct BreaksState {
  bool on, learning;
  uint64_t coroutine;          /* whose code it is */
  struct LazyTrieObject *trie; /* where its operators are put off, or NULL; the list holds it */
} BreaksState;

/* Of Lua's collector: pace_collector in lua_memory.c. */
typedef struct Pace {
  uint64_t turn;             /* the latest that it took part in */
  int64_t allowance, after_full;
  unsigned arrays;
} Pace;

typedef struct State {
  _Atomic int refs;          /* Lua's, and one for each thread that it ran in last */
  CoroutineNow coroutine;
  struct CoroutineState *owners;    /* coroutines other than the main one: coroutine.c */
  EngineState own;
  Trace trace;
  BreaksState breaks;
  Pace pace;
  OperatorLog notes;               /* of eager operators: compare_runs.c */
  struct WeakHandle *settling;     /* links whose nodes are gone: tape_anchor.c */
  uint64_t blocks_version;   /* grows with changes that compiled calls cannot look for: call_cache.c */
  uint64_t fields_version;   /* grows with every change of a block's field */
  int blocks_eager;          /* more than 0: hybridized blocks run at once */
  bool attributes_used;      /* since then they are looked for: auto_names.c */
  bool warned;               /* of a scope that was never closed: autograd_mode.c */
  int looks;                 /* for such a scope, that the collector ran for */
} State;
extern _Thread_local State *state_now;

/* Makes L's state the one that runs in this thread. */
void state_enter(lua_State *L);
void state_use(State *s);

void open_state(lua_State *L);

#endif
