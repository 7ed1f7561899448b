/* lua_state.h - the data of hybridlua for one Lua state, in one object that the Lua state owns.
**
** state_now() is the object of the Lua state that ran last in this thread; the thread is bound to its engine state
** (state/engine.h). Functions of src/bind call coroutine_enter or state_enter before they read any of it.
** Lua states may alternate in one thread, or run in parallel in several; a state may move from one thread to another,
** as Lua allows. Invariant: a thread holds a reference to the object whose engine state it is bound to.
**
** Data that corresponds to C's stack is per thread: the current backwards (autograd_function.c), parameters left by Lua
** errors (op_args.c), the text of an error (base/status.h), free memory blocks (base/memory.h). Operators, compiled
** kernels, lines of scripts, memory limits and test switches are per process.
**
** The host. The module does not change the process that loads it. Lua's collector keeps its mode and pace, and stays
** stopped if it was; only the program sets the generational mode (main.c). cJSON's memory functions, signals, locale
** and working directory are unchanged, and nothing ends the process. OpenBLAS's kernels are chosen through the
** environment once, when the module is opened, and only while the process has one thread (tensor/blas.c).
** Tests: spec/program/host_spec.lua; spec/bind/core/lua_states_spec.lua for states that alternate or call each other;
** spec/native/scripts.c for two in parallel.
*/
#ifndef HL_BIND_CORE_LUA_STATE_H
#define HL_BIND_CORE_LUA_STATE_H

#include <stdatomic.h>

#include "bind/core/lua_object.h"
#include "exec/eager/operator_log.h"
#include "state/engine.h"

typedef struct CoroutineNow {
  lua_State *L;              /* the coroutine of `at`; NULL if it must be found again */
  bool watch;                /* the modes are not a finalizer's: check at each entry whether one runs */
  bool finalizer;
  bool tracing;              /* is it part of the current trace? */
  struct CoroutineState *at;        /* the running coroutine's, or the finalizers' */
  struct CoroutineState *top;       /* the innermost in the chain of resumed coroutines, linked by `outer` */
} CoroutineNow;

/* A debug hook of Lua. */
typedef struct HookSaved { lua_Hook hook; int mask, count; } HookSaved;

/* The current trace: tracing.c. */
typedef struct Trace {
  uint64_t id, last;        /* numbers of the current trace (0: none) and of the last one */
  bool shape_read, device_read;
  Device device;            /* the call's */
  bool shown; /* a Symbol's text is an error, because eager code shows values: hybridize{breaks = true} */
  bool shape_pending; /* a parameter was read whose unknown shape nodes may determine */
  bool sealed; /* a training step was deferred: only values computed before may be read */
  bool recording, train; /* the modes at its start, the same as in calls of the compiled function */
} Trace;

/* The block that runs in segments: graph_breaks.c. */
typedef struct BreaksState {
  bool on, learning;
  uint64_t coroutine; /* number of the coroutine state that runs its code */
  struct LazyTrieObject *trie; /* where its operators are deferred, or NULL; owned by the list */
} BreaksState;

/* The pace of Lua's collector: lua_memory.c. */
typedef struct Pace {
  uint64_t turn; /* the last round of collections that it took part in */
  int64_t allowance, after_full;
  unsigned arrays;
} Pace;

typedef struct State {
  Engine engine; /* the first member, so that a pointer to it is one to the whole object (state_any) */
  _Atomic int refs; /* Lua's, and one per thread whose last state it is */
  CoroutineNow coroutine;
  struct CoroutineState *owners;    /* coroutines other than the main one: coroutine.c */
  Trace trace;
  struct Follow *follow;     /* the current follower, or NULL: bind/follow/follow.h */
  HookSaved outlived; /* the host's hook, for coroutines that outlive the trace that followed them */
  BreaksState breaks;
  Pace pace;
  OperatorLog operator_log; /* of eager operators: compare_runs.c */
  struct WeakHandle *settling;     /* weak handles whose nodes are freed: tape_anchor.c */
  uint64_t blocks_version; /* grows with changes that guards cannot see: call_cache.c */
  uint64_t fields_version; /* grows with every change of a block's field */
  int blocks_eager; /* more than 0: hybridized blocks run eagerly */
  bool attributes_used; /* an AttrScope was opened; until then auto_names.c looks for none */
  bool np_shape, np_array; /* the modes of npx.set_np: bind/value/np_value.c */
  bool default_float64; /* set_default_dtype: the dtype of arrays made of numbers; else float32 */
  bool warned; /* about a scope that was never closed: autograd_mode.c */
  int looks; /* number of collections run to find such a scope */
} State;

/* The object of the Lua state that ran last in this thread, entered or not; NULL if there is none. */
static inline State *state_any(void) { return (State *)engine_bound; }

/* The running Lua state's object, after state_enter or coroutine_enter. */
#define state_now() (HL_ASSERT(state_entered), state_any())

/* Was L the last coroutine of any Lua state to run in this thread? */
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
