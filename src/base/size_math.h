/* size_math.h - small sums that sizes are made of. */
#ifndef HL_BASE_SIZE_MATH_H
#define HL_BASE_SIZE_MATH_H

#include <stddef.h>
#include <stdint.h>

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/* In how many parts of at most `each` do n things fall? n is 0 or more. */
static inline int64_t parts(int64_t n, int64_t each) { return (n + each - 1) / each; }

/* Bytes rounded up to lines of cache, at which blocks of memory begin, too. */
enum { LINE_BYTES = 64 };
static inline size_t whole_lines(size_t bytes) { return (bytes + LINE_BYTES - 1) & ~(size_t)(LINE_BYTES - 1); }

#endif
