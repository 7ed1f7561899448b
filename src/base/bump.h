/* bump.h - a bump allocator for the arrays of one pass, plan or call, which are all freed in one call.
**
** An allocation advances a pointer through chunks of memory. A refused allocation returns NULL and sets `status`, which
** stays set: code allocates all its arrays, then checks `status` once.
*/
#ifndef HL_BASE_BUMP_H
#define HL_BASE_BUMP_H

#include <stddef.h>

#include "base/status.h"

typedef struct Bump {
  const char *purpose;           /* for "out of memory: PURPOSE" */
  Status status;                 /* OK, or E_MEMORY since an allocation was refused */
  struct BumpChunk *chunk;       /* the newest; NULL while the room on the stack suffices */
  char *free;
  size_t left;                   /* bytes at `free` */
} Bump;

enum { BUMP_ROOM = 512 };

/* Declares a Bump that is freed at the end of the enclosing block, so that TRY may return from it. Its first bytes are
** on the stack, so a small call allocates nothing. */
#define BUMP(name, purpose_)               \
  _Alignas(16) char name##_room[BUMP_ROOM]; \
  Bump name FREED_BY(bump_free) = { .purpose = (purpose_), .free = name##_room, .left = BUMP_ROOM }

/* Zeroed memory, aligned for any object. */
void *bump_new(Bump *b, size_t bytes);
#define BUMP_ARRAY(bump, n, type) ((type *)bump_new((bump), (size_t)(n) * sizeof(type)))

void bump_free_chunks(Bump *b);

/* Inline, since every eager call frees two that mostly have no chunk. */
static inline void bump_free(Bump *b) {
  if (b->chunk) bump_free_chunks(b);
}

#endif
