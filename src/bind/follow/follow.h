/* follow.h - the follower of a script's functions, which records the places that they read, instruction by instruction.
**
** From begin() to finish() (follow.c) a hook for calls, returns and every instruction is set. It reads the registers
** that the next instruction will read, and so finds the table, the key and the value of each access. Lua itself runs
** the function: errors, lines and tracebacks are those of the plain call. Functions of hybridlua's own files are not
** followed; during them the hook gets only calls and returns.
**
** Lua does not report the program counter, so the follower computes it: the registers determine the next instruction
** (next_instruction.c). The line that Lua reports must agree at each step. Test builds also compare with Lua's own
** program counter.
**
** Places. A place is outside if the trace did not create its holder: a called function, its upvalues, a value read from
** an outside place, or a table listed for begin(). Only reads of outside places are recorded (read_record.h).
**
** Memory. The hook may run while Lua closes variables after an error, so it does not raise if memory runs out: it sets
** `starved`, which finish() reports. C memory is owned by the Follow, a userdata; objects that Lua must keep are added
** in protected calls.
*/
#ifndef HL_BIND_FOLLOW_FOLLOW_H
#define HL_BIND_FOLLOW_FOLLOW_H

#include "base/map.h"
#include "bind/core/lua_state.h"
#include "bind/follow/bound_numbers.h"
#include "bind/follow/call_frames.h"

typedef struct ReadPlace ReadPlace;
typedef struct PlaceEntry PlaceEntry;

typedef struct Follow {
  lua_State *L; /* the coroutine that began it */
  BoundNumbers *numbers; /* bound at run time, or NULL; owned by the options */
  bool on;
  bool starved; /* memory ran out in the hook, so the record may be incomplete */
  bool telling; /* the host's hook is running */
  bool paused; /* nothing is followed while the caller's own code runs */
  const void *handler; /* message handler of the xpcall around it; its call ends the follower */
  bool handled;
  HookSaved host;
  int host_left; /* instructions until the host's next count event */
  FrameStacks stacks;
  /* the record: read_record.h */
  ReadPlace *read;
  int n_read, read_room;
  PlaceEntry *entry; /* a hash table of places */
  int entries, entry_room;
  int walked; /* steps of next */
  Map outside; /* objects: the number of the read that found them; 0 if listed by the caller */
  Map made, upvalues, unwatched;
  Map metatables; /* metatables seen so far: their OwnerKind */
  Map judged; /* C functions that may run */
  Map always; /* code of C functions that are judged even when our own functions call them */
  int64_t events, calls;
  char refusal[600];
} Follow;

enum { MOST_WALKED = 10000 };       /* loop steps and items of outside tables that calls would compare */

/* The current follower of this Lua state, or NULL. */
static inline Follow *follow_now(void) { return state_now()->follow; }

/* Rejects an action of the function: raises an error with the script's line. The text is kept for finish(), in case the
** script catches the error. */
int follow_refuse(lua_State *L, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Calls a function that may allocate with the n values on top, which it pops, and pushes `results` values. If memory
** runs out, sets `starved` and returns false with nothing pushed. */
bool follow_protected(lua_State *L, lua_CFunction f, int n, int results);

/* Is there stack for n more values? If not, sets `starved`. */
bool follow_stack(lua_State *L, int n);

/* Calls a function of begin()'s options with the n values on top, and pushes `results` values. Returns false, with
** nothing pushed, if it was not given or memory ran out. Other errors are raised. */
bool follow_ask(lua_State *L, const char *name, int n, int results);

/* ---- next_instruction.c ---- */

/* The state before an instruction. */
typedef struct Step {
  lua_State *L;
  lua_Debug *ar;
  Frame *frame;
  uint32_t i;
} Step;

int step_register(const Step *s, int r); /* both push a value and return its stack index */
int step_constant(const Step *s, int number);

/* Moves the frame to the next instruction, or lets it await the event that determines it. */
void next_instruction(const Step *s);

/* Completes an instruction whose outcome is known only at the next event. */
void settle_instruction(lua_State *L, lua_Debug *ar, Frame *f);

/* Settles a comparison whose awaited metamethod returned `result`. */
void settle_comparison(Frame *f, bool result);

/* ---- instruction_reads.c, library_reads.c ---- */

void instruction_reads(const Step *s);

/* Handle a call of the C function at index `function`, by the script or by our own function. */
void library_reads(lua_State *L, lua_Debug *ar, int function);
void judge_always(lua_State *L, lua_Debug *ar, int function);

/* Handles the script's call of our own function, which may read tables among its arguments. */
void arguments_read(lua_State *L, lua_Debug *ar);

/* Is its code in the same program or library as ours? */
bool is_own_c(lua_CFunction f);

/* Is it a function of Lua's math library that maps one or two numbers to one number? */
bool is_library_math(lua_CFunction f);

int c_address(lua_State *L);
int is_own_code(lua_State *L);

/* Keeps the names that the hook pushes alive. */
void keep_names(lua_State *L);

void open_follow(lua_State *L);

#endif
