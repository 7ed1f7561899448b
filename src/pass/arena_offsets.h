/* arena_offsets.h - offsets in one arena for blocks of memory with known lifetimes. */
#ifndef HL_PASS_ARENA_OFFSETS_H
#define HL_PASS_ARENA_OFFSETS_H

#include <stddef.h>

#include "base/status.h"

typedef struct Lifetime {
  size_t bytes;
  int from, to;          /* first and last step that needs it */
  size_t at;             /* filled in: its offset */
} Lifetime;

/* Sets offsets, multiples of 64, so that no two of the n stretches overlap while both are needed. The stretches must be
** sorted by `from`. *end: bytes of the arena. */
Status arena_place(Lifetime *stretch, int n, size_t *end);

#endif
