/* gather_rows.h - rows of an array chosen by indices: the kernels of take, Embedding, pick, gather_nd, their gradients
** and related operators.
**
** An array, seen as `places` rows of `width` elements, is read into or written from `n` other rows: row i corresponds
** to row place(i) of the array. (With a unit of 1, place(i) is the element at which the row begins; two rows are still
** equal or disjoint.) If places repeat, rows are written or added in order of i, whatever the number of threads.
*/
#ifndef HL_KERNELS_LOOPS_GATHER_ROWS_H
#define HL_KERNELS_LOOPS_GATHER_ROWS_H

#include "ir/op.h"
#include "ops/common/shared_params.h"

enum { ROWS_BLOCK = 256 };

typedef struct RowGather RowGather;
struct RowGather {
  int64_t n, places, width;
  int64_t unit;            /* elements from one place to the next; 0: width */
  bool distinct;           /* no place occurs twice */
  /* Writes the places of rows [first, first + n), n <= ROWS_BLOCK, to place[]. */
  void (*find)(const RowGather *r, int64_t first, int64_t n, int64_t *place);
};

/* out[i] = data[place(i)], elements of `size` bytes. */
void rows_gather(const RowGather *r, size_t size, const void *data, void *out);

/* out[place(i)] = data[i]; if places repeat, the last one wins. */
void rows_scatter(const RowGather *r, size_t size, const void *data, void *out);

/* How rows of one dtype are added: the size of an element, and to[k] += from[k]. */
typedef void AddRow(char *to, const char *from, int64_t width);
typedef struct RowSum { size_t size; AddRow *add; } RowSum;
extern const RowSum row_sum[N_DTYPES];     /* none for float16 */

/* out[place(i)] += data[i]. */
void rows_add(const RowGather *r, const RowSum *sum, const void *data, void *out);

/* The kernels of a row that adds, each with its RowSum in `own`. */
#define ADDING_KERNEL(row, function, dtype) \
  { .op = row, .types = ONE_TYPE(dtype), .run = function, .own = &row_sum[dtype] }
#define ADDING_KERNELS(row, function)                                                           \
  ADDING_KERNEL(row, function, DT_FLOAT32), ADDING_KERNEL(row, function, DT_FLOAT64),           \
  ADDING_KERNEL(row, function, DT_INT32), ADDING_KERNEL(row, function, DT_INT64),               \
  ADDING_KERNEL(row, function, DT_INT8), ADDING_KERNEL(row, function, DT_UINT8),                \
  ADDING_KERNEL(row, function, DT_BOOL)

/* ---- Reading index arrays of any dtype; fractions are dropped ---- */

/* Elements [first, first + n) as integers. */
void index_values(const Tensor *index, int64_t first, int64_t n, int64_t *to);

/* Maps n indices to [0, dim) by a TAKE_ mode; for TAKE_RAISE they were checked before. */
void index_normal(int mode, int64_t dim, int64_t n, int64_t *index);

/* Fails, naming the value and the interval, if an element in [first, first + n) is outside [-dim, dim), or outside [0,
** dim) unless `negative`. */
Status index_check(const char *who, const char *param, const Tensor *index, int64_t first, int64_t n, int64_t dim,
                   bool negative);

#endif
