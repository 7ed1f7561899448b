/* argmax_kernels.c - argmax, argmin, argmax_channel.
**
** A row is read twice while it is cached, many elements at a time: for its extreme, and for the first element equal to
** it. Along axes other than the last, a block of columns is read row by row; each column keeps its extreme and index.
*/
#include "kernels/kernel_registry.h"
#include "kernels/loops/axis_blocks.h"
#include "ops/reduce/argmax.h"

typedef struct ArgmaxSearch {
  const void *x;
  Tensor *out;
  Along along;
} ArgmaxSearch;

enum { LANES = 64 };      /* elements compared together */

#define BETTER_MAX >
#define BETTER_MIN <

/* Finds the index of the extreme in a row; `unordered` is set if the row has a NaN. */
#define SEARCH_ROW(kind, code, T)                                                             \
  static void kind##_row_##code(const void *context, int64_t outer) {                         \
    const ArgmaxSearch *s = context;                                                          \
    const int64_t n = s->along.n;                                                             \
    const T *x = (const T *)s->x + outer * n;                                                 \
    T top[LANES], best = x[0];                                                                \
    bool unordered = best != best;                                                            \
    int64_t i = 0;                                                                            \
    for (int l = 0; l < LANES; l++) top[l] = best;                                            \
    for (; i + LANES <= n; i += LANES) {                                                      \
      int odd = 0;                                                                            \
      for (int l = 0; l < LANES; l++) {                                                       \
        const T v = x[i + l];                                                                 \
        top[l] = v BETTER_##kind top[l] ? v : top[l];                                         \
        odd |= v != v;                                                                        \
      }                                                                                       \
      unordered |= odd;                                                                       \
    }                                                                                         \
    for (int l = 0; l < LANES; l++) best = top[l] BETTER_##kind best ? top[l] : best;         \
    for (; i < n; i++) {                                                                      \
      best = x[i] BETTER_##kind best ? x[i] : best;                                           \
      unordered |= x[i] != x[i];                                                              \
    }                                                                                         \
    for (i = 0; i + LANES <= n; i += LANES) {                                                 \
      int found = 0;                                                                          \
      if (unordered) for (int l = 0; l < LANES; l++) found |= x[i + l] != x[i + l];           \
      else for (int l = 0; l < LANES; l++) found |= x[i + l] == best;                         \
      if (found) break;                                                                       \
    }                                                                                         \
    while (i < n - 1 && !(unordered ? x[i] != x[i] : x[i] == best)) i++;                      \
    tensor_set_int(s->out, outer, i);                                                         \
  }

#define SEARCH_COLUMNS(kind, code, T)                                                         \
  static void kind##_columns_##code(const void *context, int64_t outer, int64_t column, int64_t count) { \
    const ArgmaxSearch *s = context;                                                          \
    const int64_t inner = s->along.inner;                                                     \
    const T *x = (const T *)s->x + outer * s->along.n * inner + column;                       \
    T best[ALONG_COLUMNS];                                                                    \
    int64_t place[ALONG_COLUMNS] = { 0 };                                                     \
    for (int64_t k = 0; k < count; k++) best[k] = x[k];                                       \
    for (int64_t i = 1; i < s->along.n; i++)                                                  \
      for (int64_t k = 0; k < count; k++) {                                                   \
        const T v = x[i * inner + k], b = best[k];                                            \
        const bool better = (b == b) & ((v BETTER_##kind b) | (v != v));                      \
        best[k] = better ? v : b;                                                             \
        place[k] = better ? i : place[k];                                                     \
      }                                                                                       \
    for (int64_t k = 0; k < count; k++) tensor_set_int(s->out, outer * inner + column + k, place[k]); \
  }

#define SEARCHES(code, T, suffix) \
  SEARCH_ROW(MAX, code, T) SEARCH_ROW(MIN, code, T) SEARCH_COLUMNS(MAX, code, T) SEARCH_COLUMNS(MIN, code, T)
EACH_NUMBER(SEARCHES)

typedef struct ArgmaxLoops { AlongRow *row; AlongColumns *columns; } ArgmaxLoops;

static Status search(Call *c, int64_t axis) {
  const Tensor *in = c->in[0];
  const ArgmaxLoops *k = c->kernel->own;
  ArgmaxSearch s = { .x = in->data, .out = c->out[0], .along = { 1, tensor_size(in), 1 } };
  if (axis != NONE) TRY(along_axis(c->op->name, &in->type.shape, axis, &s.along));
  return along_run(&s.along, k->row, k->columns, &s);
}

static Status arg(Call *c) { return search(c, ((const ArgParams *)c->params)->axis); }
static Status arg_channel(Call *c) { return search(c, 1); }

#define KERNEL(row, code, function, kind)            \
  { .op = row,                                       \
    .types = ONE_TYPE(code),                         \
    BLOCK_SIZES(LANES),                              \
    .run = function,                                 \
    .own = &(const ArgmaxLoops){ kind##_row_##code, kind##_columns_##code } },
#define KERNELS(code, T, suffix) \
  KERNEL("argmax", code, arg, MAX) KERNEL("argmin", code, arg, MIN) KERNEL("argmax_channel", code, arg_channel, MAX)

const Kernel argmax_kernels[] = { EACH_NUMBER(KERNELS){ 0 } };
