/* arena_offsets.h - stretches of memory with lifetimes, put into one arena. */
#ifndef HL_PASS_ARENA_OFFSETS_H
#define HL_PASS_ARENA_OFFSETS_H

#include <stddef.h>

#include "base/status.h"

typedef struct Lifetime {
  size_t bytes;
  int from, to;          /* the first and the last step that it is needed in, both included */
  size_t at;             /* filled in: its offset */
} Lifetime;

/* Gives n stretches, in order of `from`, offsets that are multiples of 64, so that none overlaps another while
** both are needed. *end: the bytes of the arena. */
Status arena_place(Lifetime *stretch, int n, size_t *end);

#endif
