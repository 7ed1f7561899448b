/* bump.c - see bump.h. Each chunk is twice as large as the one before, up to a limit. */
#include "base/bump.h"

#include <stdint.h>
#include <string.h>

#include "base/memory.h"

enum { ALIGN = 16, FIRST_CHUNK = 1024, LARGEST_CHUNK = 1 << 16 };

typedef struct BumpChunk {
  struct BumpChunk *older;
  size_t bytes;
  _Alignas(ALIGN) char data[];
} BumpChunk;

static Status add_chunk(Bump *b, size_t bytes) {
  size_t wanted = b->chunk ? 2 * b->chunk->bytes : FIRST_CHUNK;
  if (wanted > LARGEST_CHUNK) wanted = LARGEST_CHUNK;
  if (wanted < bytes) wanted = bytes;
  BumpChunk *c = wanted <= SIZE_MAX - sizeof *c ? object_new(sizeof *c + wanted) : NULL;
  if (!c) return no_memory(b->purpose);
  c->older = b->chunk;
  c->bytes = b->left = wanted;
  b->chunk = c;
  b->free = c->data;
  return OK;
}

void *bump_new(Bump *b, size_t bytes) {
  const size_t whole = (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
  if (b->status == OK && (!b->free || b->left < whole)) b->status = add_chunk(b, whole);
  if (b->status != OK) return NULL;
  void *memory = b->free;
  b->free += whole;
  b->left -= whole;
  if (!b->chunk) memset(memory, 0, whole);         /* on the stack */
  return memory;
}

void bump_free_chunks(Bump *b) {
  while (b->chunk) {
    BumpChunk *older = b->chunk->older;
    object_free(b->chunk);
    b->chunk = older;
  }
  *b = (Bump){ .purpose = b->purpose };
}
