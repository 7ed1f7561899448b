/* follow.h - follows the functions of a script instruction by instruction, and records the places that they read.
**
** A hook for calls, returns and every instruction is set from follow_begin to follow_end, and for that time only
** (follow.c). It reads the registers that the next instruction will read, so it sees the table, the key and the
** value of each access. Lua runs the function itself: errors, lines and tracebacks are those of the plain call.
** Functions of hybridlua's own files are not followed; during them the hook gets calls and returns only.
**
** Lua does not report the program counter. It is followed too: the registers determine which instruction comes next
** (next_instruction.c), and the line that Lua reports must agree at each step. Test builds also compare with Lua's own
** program counter.
**
** The places. A place is outside if the value that holds it was not made by the trace: a function that is called, its
** upvalues, what is read from an outside place, and tables that begin() names. Only reads of outside places are
** recorded (read_record.h).
**
** Memory. The hook may run while Lua closes variables after an error, so it raises nothing if memory runs out: it sets
** `starved`, and follow_end reports that. C memory belongs to the Follow, a userdata; what Lua must keep is
** added in protected calls.
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
  BoundNumbers *numbers; /* bound at run time; NULL: none are. The options hold them */
  bool on;
  bool starved; /* memory ran out in the hook: something may be missing */
  bool telling; /* the host's hook runs */
  bool paused; /* nothing is followed: the caller's own code runs */
  const void *handler; /* of the xpcall around it: an error calls it, which ends this */
  bool handled;
  HookSaved host;
  int host_left; /* instructions until the host's count hook */
  FrameStacks stacks;
  /* the record: read_record.h */
  ReadPlace *read;
  int n_read, read_room;
  PlaceEntry *entry; /* a hash table of places */
  int entries, entry_room;
  int walked; /* steps of next */
  Map outside; /* objects: the number of the read that found them; 0: named by the caller */
  Map made, upvalues, unwatched;
  Map metatables; /* those that were met: their OwnerKind */
  Map judged; /* functions in C that may run */
  Map always; /* code in C that is judged also if our own functions call it */
  int64_t events, calls;
  char refusal[600];
} Follow;

enum { MOST_WALKED = 10000 };       /* steps and items of outside tables that calls compare */

/* The current one of this Lua state, or NULL. */
static inline Follow *follow_now(void) { return state_now()->follow; }

/* Refuses what the function does: raises with the script's line. The text is kept, and follow_end reports it, in case
** the script catches the error. */
int follow_refuse(lua_State *L, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Calls a function that may allocate with the n values on top, which it pops, and pushes `results` values. False, and
** nothing pushed, if memory ran out; that is noted. */
bool follow_protected(lua_State *L, lua_CFunction f, int n, int results);

/* Is there stack for n more values? Notes it if not, as memory that ran out. */
bool follow_stack(lua_State *L, int n);

/* Calls a function of begin()'s options with the n values on top, and pushes `results` values. False, and nothing
** pushed, if it was not given or memory ran out. Its errors are raised. */
bool follow_ask(lua_State *L, const char *name, int n, int results);

/* ---- next_instruction.c ---- */

/* What the hook sees before an instruction. */
typedef struct Step {
  lua_State *L;
  lua_Debug *ar;
  Frame *frame;
  uint32_t i;
} Step;

int step_register(const Step *s, int r); /* pushes it, returns its stack index */
int step_constant(const Step *s, int number);

/* Moves the frame to the next instruction, or makes it await one of the events that decide. */
void next_instruction(const Step *s);

/* At the first event after an instruction that only then shows what it did. */
void settle_instruction(lua_State *L, lua_Debug *ar, Frame *f);

/* The awaited metamethod returned. */
void settle_comparison(Frame *f, bool result);

/* ---- instruction_reads.c, library_reads.c ---- */

void instruction_reads(const Step *s);

/* The function in C at `function` is called, by the script or by our own function. */
void library_reads(lua_State *L, lua_Debug *ar, int function);
void judge_always(lua_State *L, lua_Debug *ar, int function);

/* Our own function is called by the script: it may read tables among its arguments. */
void arguments_read(lua_State *L, lua_Debug *ar);

/* Is its code in the same program or library as this? */
bool is_own_c(lua_CFunction f);

/* Is it a function of Lua's math that returns one number for one or two, and nothing else? */
bool is_library_math(lua_CFunction f);

/* For Lua. */
int c_address(lua_State *L);
int is_own_code(lua_State *L);

/* Keeps the names that the hook pushes. */
void keep_names(lua_State *L);

void open_follow(lua_State *L);

#endif
