/* gather_rows.h - rows of an array chosen by indices: the kernels of take, Embedding, pick,
** gather_nd, their gradients and related operators.
**
** Seen as `places` rows of `width` elements, an array gives its rows to `n` others, or gets
** them: row i of those belongs to row place(i) of the array. (With a unit of 1 rows may begin
** at any element, and place(i) is that element. Two rows are still either the same or disjoint.) If places repeat, rows
** are written or added in the order of i, whatever the number of threads.
*/
#ifndef HL_KERNELS_LOOPS_GATHER_ROWS_H
#define HL_KERNELS_LOOPS_GATHER_ROWS_H

#include "ir/op.h"

enum { ROWS_BLOCK = 256 };

/* An index outside the axis becomes the nearest, is an error (but negative ones count from the end), or wraps
** around. The choices of the parameter `mode` of take, in order. */
enum { TAKE_CLIP, TAKE_RAISE, TAKE_WRAP };

typedef struct RowGather RowGather;
struct RowGather {
  int64_t n, places, width;
  int64_t unit;            /* elements from one place to the next; 0: width */
  bool distinct;           /* no place occurs twice */
  /* The places of rows [first, first + n) into place[]; n is at most ROWS_BLOCK. */
  void (*find)(const RowGather *r, int64_t first, int64_t n, int64_t *place);
};

/* out[i] = data[place(i)], elements of `size` bytes. */
void rows_gather(const RowGather *r, size_t size, const void *data, void *out);

/* out[place(i)] = data[i]; if places repeat, the last one stays. */
void rows_scatter(const RowGather *r, size_t size, const void *data, void *out);

/* out[place(i)] += data[i]. */
void rows_add(const RowGather *r, DType dtype, const void *data, void *out);

/* ---- Reading index arrays, of any dtype; fractions are cut off ---- */

/* Elements [first, first + n) as integers. */
void index_values(const Tensor *index, int64_t first, int64_t n, int64_t *to);

/* Maps n indices into [0, dim) by a TAKE_ mode; for TAKE_RAISE they were checked. */
void index_normal(int mode, int64_t dim, int64_t n, int64_t *index);

/* Fails, naming the value and the interval, if one of elements [first, first + n) is outside
** [-dim, dim), or outside [0, dim) if not `negative`. */
Status index_check(const char *who, const char *param, const Tensor *index, int64_t first, int64_t n, int64_t dim,
                   bool negative);

#endif
