/* arena.h - the arenas of compiled calls. They are shared by all executables on the host: programs that do not run at
** the same time use the same ones, and the largest serves them all. On other devices each run has its own.
**
** A run has at most one arena of each kind. ARENA_RUNNING holds intermediate values and workspaces. A run has it while
** its instructions run, so one per thread is enough, and one more per level of programs run inside programs.
** ARENA_SAVED holds the values that backward reads. A run has it from forward until no backward can follow, so there
** are as many as calls with a pending backward.
**
** An arena without a run is idle. It is freed before a block is refused (base/memory.h), when a larger one replaces it,
** and after about a second without use. Before a block is refused, arenas in use also shrink to the size that their
** runs need.
*/
#ifndef HL_EXEC_PROGRAM_ARENA_H
#define HL_EXEC_PROGRAM_ARENA_H

#include "base/device.h"

typedef enum ArenaKind { ARENA_RUNNING, ARENA_SAVED, N_ARENA_KINDS } ArenaKind;

typedef struct Arena {
  char *memory;              /* aligned to 64 bytes */
  Device device;
} Arena;

/* Takes an arena of at least `bytes`, with undefined content, until arena_give_back. The caller may hold locks, but
** need not. */
Status arena_take(ArenaKind kind, Device device, size_t bytes, Arena **out);
void arena_give_back(Arena *a);

#endif
