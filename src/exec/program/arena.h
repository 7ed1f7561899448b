/* arena.h - the arenas of compiled calls. They belong to the device's memory, not to executables: programs that do not
** run at the same time share them, and the largest serves the others.
**
** A run has at most one arena of each kind. ARENA_RUNNING is for intermediate values and workspaces. A run has it while
** its instructions run: one per thread is enough, and one more for each level of programs that run inside programs.
** ARENA_SAVED is for the values that backward reads. A run has it from forward until no backward will come; there are
** as many as calls that wait for their backward.
**
** An arena that no run has is idle. It is freed before a block is refused (base/memory.h), when a larger one replaces
** it, and after about a second without use. Before a block is refused, arenas in use are cut down to what their runs need,
** too.
*/
#ifndef HL_EXEC_PROGRAM_ARENA_H
#define HL_EXEC_PROGRAM_ARENA_H

#include "base/device.h"

typedef enum ArenaKind { ARENA_RUNNING, ARENA_SAVED, N_ARENA_KINDS } ArenaKind;

typedef struct Arena Arena;

/* An arena of `bytes` or more, its content undefined; the caller's until arena_give_back. Locks are not needed, and may
** be held. */
Status arena_take(ArenaKind kind, size_t bytes, Arena **out);
void arena_give_back(Arena *a);

/* Where its bytes begin, at a multiple of 64. */
static inline char *arena_memory(Arena *a) { return (char *)a + BLOCK_ALIGN; }

#endif
