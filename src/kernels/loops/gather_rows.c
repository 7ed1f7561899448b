/* gather_rows.c - see gather_rows.h.
**
** Gathering divides the rows among threads. Scattering divides the places: each thread reads all indices and writes the
** rows of its places, so each place gets its rows in order. With distinct places, scattering divides the rows, too.
*/
#include "kernels/loops/gather_rows.h"

#include <string.h>

#include "base/threads/parallel_for.h"
#include "base/math/scalar_functions.h"
#include "tensor/cast_copy.h"

/* to[k] += from[k] */
#define ADD_ROW(code, T)                                                                \
  static void add_##T(char *to_row, const char *from_row, int64_t width) {              \
    T *to = (T *)to_row; const T *from = (const T *)from_row;                           \
    IVDEP                                                                               \
    for (int64_t k = 0; k < width; k++) to[k] = (T)(to[k] + from[k]);                   \
  }
EACH_C_DTYPE(ADD_ROW)

#define ROW_SUM(code, T) [code] = { sizeof(T), add_##T },
const RowSum row_sum[N_DTYPES] = { EACH_C_DTYPE(ROW_SUM) };

typedef enum GatherKind { GATHER, SET, ADD } GatherKind;

typedef struct Move {
  const RowGather *rows;
  GatherKind kind;
  AddRow *add;             /* for ADD */
  size_t bytes, unit;      /* of a row; from one place to the next */
  const char *data;
  char *out;
} Move;

static inline void copy_row(char *to, const char *from, size_t bytes) {
  switch (bytes) {                       /* single elements do not pay for a call */
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    default: memcpy(to, from, bytes);
  }
}

static void move_row(const Move *m, int64_t i, int64_t place) {
  size_t bytes = m->bytes;
  const char *row = m->data + (size_t)i * bytes;
  switch (m->kind) {
    case GATHER: copy_row(m->out + (size_t)i * bytes, m->data + (size_t)place * m->unit, bytes); break;
    case SET: copy_row(m->out + (size_t)place * m->unit, row, bytes); break;
    case ADD: m->add(m->out + (size_t)place * m->unit, row, m->rows->width); break;
  }
}

/* Moves rows [first, last). */
static void rows_piece(void *context, int64_t first, int64_t last) {
  const Move *m = context;
  int64_t place[ROWS_BLOCK];
  for (int64_t at = first; at < last && !interrupted(); at += ROWS_BLOCK) {
    int64_t n = last - at < ROWS_BLOCK ? last - at : ROWS_BLOCK;
    m->rows->find(m->rows, at, n, place);
    for (int64_t i = 0; i < n; i++) move_row(m, at + i, place[i]);
  }
}

/* Moves all rows of places [first, last). */
static void places_piece(void *context, int64_t first, int64_t last) {
  const Move *m = context;
  int64_t place[ROWS_BLOCK];
  for (int64_t at = 0; at < m->rows->n && !interrupted(); at += ROWS_BLOCK) {
    int64_t n = m->rows->n - at < ROWS_BLOCK ? m->rows->n - at : ROWS_BLOCK;
    m->rows->find(m->rows, at, n, place);
    for (int64_t i = 0; i < n; i++)
      if (place[i] >= first && place[i] < last) move_row(m, at + i, place[i]);
  }
}

static void move(const RowGather *r, GatherKind kind, AddRow *add, size_t size, const void *data, void *out) {
  Move m = { .rows = r, .kind = kind, .add = add, .bytes = (size_t)r->width * size, .data = data, .out = out };
  m.unit = r->unit ? (size_t)r->unit * size : m.bytes;
  if (m.bytes == 0 || r->n == 0) return;
  int64_t grain = (1 << 15) / (r->width < 1 << 15 ? r->width : 1 << 15) + 1;
  if (kind == GATHER || r->distinct) parallel_for(r->n, grain, rows_piece, &m);
  /* as many threads as pay for this number of rows */
  else parallel_for(r->places, r->places / (r->n / grain + 1) + 1, places_piece, &m);
}

void rows_gather(const RowGather *r, size_t size, const void *data, void *out) {
  move(r, GATHER, NULL, size, data, out);
}
void rows_scatter(const RowGather *r, size_t size, const void *data, void *out) { move(r, SET, NULL, size, data, out); }
void rows_add(const RowGather *r, const RowSum *sum, const void *data, void *out) {
  move(r, ADD, sum->add, sum->size, data, out);
}

/* ---- Index arrays --------------------------------------------------------------------------------- */

void index_values(const Tensor *index, int64_t first, int64_t n, int64_t *to) {
  DType dtype = index->type.dtype;
  convert(dtype, (const char *)index->data + (size_t)first * dtype_size(dtype), DT_INT64, to, n);
}

void index_normal(int mode, int64_t dim, int64_t n, int64_t *index) {
  switch (mode) {
    case TAKE_CLIP:
      for (int64_t i = 0; i < n; i++) index[i] = index[i] < 0 ? 0 : index[i] >= dim ? dim - 1 : index[i];
      break;
    case TAKE_WRAP:
      for (int64_t i = 0; i < n; i++) {
        index[i] %= dim;
        index[i] += index[i] < 0 ? dim : 0;
      }
      break;
    default:
      for (int64_t i = 0; i < n; i++) index[i] += index[i] < 0 ? dim : 0;
  }
}

Status index_check(const char *who, const char *param, const Tensor *index, int64_t first, int64_t n, int64_t dim,
                   bool negative) {
  int64_t value[ROWS_BLOCK], low = negative ? -dim : 0;
  for (int64_t at = 0; at < n; at += ROWS_BLOCK) {
    int64_t m = n - at < ROWS_BLOCK ? n - at : ROWS_BLOCK;
    bool inside = true;
    index_values(index, first + at, m, value);
    for (int64_t i = 0; i < m; i++) inside = inside && value[i] >= low && value[i] < dim;
    for (int64_t i = 0; i < m && !inside; i++) {
      if (value[i] >= low && value[i] < dim) continue;
      if (dim == 0)
        return fail("%s: %s: expected no index for an axis of dimension 0, got %lld", who, param, (long long)value[i]);
      return fail("%s: %s: expected indices from %lld to %lld, got %lld", who, param, (long long)low,
                  (long long)dim - 1, (long long)value[i]);
    }
  }
  return OK;
}
