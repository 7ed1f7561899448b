/* lua_state.h - all data of hybridlua that belongs to one Lua state, in one object that the Lua state owns.
**
** state_now() is the object of the Lua state that ran last in this thread, to whose engine state the thread is bound
** (state/engine.h). Functions of src/bind that read any of it call coroutine_enter, or state_enter, first.
** Several Lua states may run alternately in one thread, or at the same time in threads of their own; a state may move
** from one thread to another, as Lua allows. Invariant: a thread is bound to an engine state in an object that exists,
** because it holds a reference to it.
**
** Data that corresponds to C's stack is per thread: the current backwards (autograd_function.c), calls whose parameters
** were left behind by Lua errors (op_args.c), the text of an error (base/status.h), free memory blocks (base/memory.h).
** Per process are operators, compiled kernels, lines of scripts, memory limits and switches for tests.
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
#include "state/engine.h"

typedef struct CoroutineNow {
  lua_State *L;              /* the coroutine that `at` belongs to; NULL: unknown, must be found again */
  bool watch;                /* a finalizer would have other modes: check at each entry whether one runs */
  bool finalizer;
  bool tracing;              /* it is part of the current trace */
  struct CoroutineState *at;        /* of the running coroutine, or of finalizers */
  struct CoroutineState *top;       /* the innermost of the coroutines that resumed one another, linked by `outer` */
} CoroutineNow;

/* A debug hook of Lua's. */
typedef struct HookSaved { lua_Hook hook; int mask, count; } HookSaved;

/* The current trace: tracing.c. */
typedef struct Trace {
  uint64_t id, last;        /* the current trace's number, 0 if there is none; that of the last one */
  bool shape_read, device_read;
  Device device;            /* of the call */
  bool shown;               /* a Symbol's text is refused, since eager code shows values: hybridize{breaks = true} */
  bool shape_pending;       /* a parameter without a shape was read: nodes may determine it */
  bool sealed;              /* a training step was deferred: only values computed before may be read */
  bool recording, train;    /* the modes in which it began; a call of the compiled function has the same */
} Trace;

/* The block that runs in segments: graph_breaks.c. */
typedef struct BreaksState {
  bool on, learning;
  uint64_t coroutine;          /* the number of the coroutine state that runs its code */
  struct LazyTrieObject *trie; /* where its operators are deferred, or NULL; the list holds it */
} BreaksState;

/* The pace of Lua's collector: pace_collector in lua_memory.c. */
typedef struct Pace {
  uint64_t turn;             /* the latest round of collections that it took part in */
  int64_t allowance, after_full;
  unsigned arrays;
} Pace;

typedef struct State {
  Engine engine;             /* the first member: a thread that is bound to it has the whole object (state_any) */
  _Atomic int refs;          /* Lua's, and one for each thread whose last state it is */
  CoroutineNow coroutine;
  struct CoroutineState *owners;    /* coroutines other than the main one: coroutine.c */
  Trace trace;
  struct Follow *follow;     /* the functions that are followed now, or NULL: bind/follow/follow.h */
  HookSaved outlived;        /* the host's hook, for coroutines that outlive what they were followed for */
  BreaksState breaks;
  Pace pace;
  OperatorLog operator_log;        /* of eager operators: compare_runs.c */
  struct WeakHandle *settling;     /* weak handles whose nodes are freed: tape_anchor.c */
  uint64_t blocks_version;   /* grows with changes that guards cannot see: call_cache.c */
  uint64_t fields_version;   /* grows with every change of a block's field */
  int blocks_eager;          /* more than 0: hybridized blocks run eagerly */
  bool attributes_used;      /* an AttrScope was opened; before that none is looked for: auto_names.c */
  bool warned;               /* about a scope that was never closed: autograd_mode.c */
  int looks;                 /* number of collections that were run to find such a scope */
} State;

/* The object of the Lua state that ran last in this thread, whether or not it was entered; NULL: there is none. */
static inline State *state_any(void) { return (State *)engine_bound; }

/* That of the Lua state that runs, after state_enter or coroutine_enter. */
#define state_now() (HL_ASSERT(state_entered), state_any())

/* Did L run last in this thread, of all coroutines of all Lua states? */
static inline bool state_ran(const lua_State *L) {
  const State *s = state_any();
  return s && s->coroutine.L == L;
}

/* Makes `s`, or L's state, the current one of this thread. */
void state_use(State *s);
void state_switch(lua_State *L);
static inline void state_enter(lua_State *L) {
  if (__builtin_expect(!state_ran(L), 0)) state_switch(L);
  entry_of_state();
}

void open_state(lua_State *L);

#endif
