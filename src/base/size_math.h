/* size_math.h - arithmetic on sizes. */
#ifndef HL_BASE_SIZE_MATH_H
#define HL_BASE_SIZE_MATH_H

#include <stddef.h>
#include <stdint.h>

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/* Number of parts of at most `each` into which n >= 0 things divide. */
static inline int64_t parts(int64_t n, int64_t each) { return (n + each - 1) / each; }

/* Bytes rounded up to cache lines, to which blocks of memory are aligned, too. */
enum { LINE_BYTES = 64 };
static inline size_t whole_lines(size_t bytes) { return (bytes + LINE_BYTES - 1) & ~(size_t)(LINE_BYTES - 1); }

/* Workspace of `bytes` per thread, for a loop over `items` work items: lowers *threads to their number, at least 1. */
static inline size_t workspace_by_items(int64_t items, size_t bytes, int *threads) {
  if (items < *threads) *threads = (int)most(1, items);
  return bytes;
}

#endif
