/* rnn_cells.h - the loops of rnn_kernel.c: a step of one direction of one layer, element by element.
**
** They work on the units [u0, u1) of all sequences, so that units can be divided among threads. A step's products are
** passed by the caller: that of sequence b, gate g and unit u is at (b - b0) * row_step + g * gate_step + (u - u0).
** Invariant: an element is computed from the same operands in the same order however units are divided.
*/
#ifndef HL_KERNELS_SEQUENCE_RNN_CELLS_H
#define HL_KERNELS_SEQUENCE_RNN_CELLS_H

#include "kernels/sequence/rnn_kernel.h"

/* Offsets in a direction's part of the reserve, in elements: gates, cells, the new gate's shares of the state, outputs
** before the projection; `step` from a step's cells to the next's. */
typedef struct Kept { int64_t gates, cells, shares, raw, step; } Kept;

/* One direction of one layer; pointers to elements of the call's dtype. */
typedef struct CellDirection {
  const RnnSizes *s;
  const RnnParams *p;
  const Tensor *lengths;
  bool back;
  int64_t t;                                     /* the current step */
  Kept kept;
  char *part;                                    /* gates and so on */
  const void *i2h_bias, *h2h_bias, *h0, *c0;
  void *h, *h_next, *c, *raw;                    /* forward: states, those after the step, outputs to be projected */
  void *y;                                       /* the layer's outputs, this direction's first */
  const void *dy;                                /* backward: their gradients */
  void *dh, *dc, *carry, *draw, *by_input, *by_state, *outs, *before;
} CellDirection;

/* Sequences [b0, b1) and units [u0, u1), and the products of a step. */
typedef struct UnitRange {
  int64_t b0, b1, u0, u1;
  const void *products;
  int64_t row_step, gate_step;
} UnitRange;

typedef struct Cells {
  /* Forward: gates of products, and states of gates, of step t. */
  void (*step)(const CellDirection *w, const UnitRange *p);
  /* The projected outputs, in `products`, become the states. */
  void (*take)(const CellDirection *w, const UnitRange *p);
  /* Backward: adds the gradients of a step's outputs, from the layer above and from the step after it. */
  void (*gather)(const CellDirection *w, const UnitRange *p);
  /* The gradients of a step's gates, and of the cells before it. */
  void (*back)(const CellDirection *w, const UnitRange *p);
  /* The products are the gradient of the states before step t. */
  void (*pass)(const CellDirection *w, const UnitRange *p);
  /* Rows [first, last) of before = the states before each step; a row is a step's sequence. */
  void (*look_back)(const CellDirection *w, int64_t first, int64_t last);
  /* to[k] = the sum of x[i * columns + k] over the rows i, in double and in their order, for k in [first, last) */
  void (*sum_rows)(const void *x, int64_t rows, int64_t columns, int64_t first, int64_t last, void *to);
  void (*multiply)(const void *x, const void *mask, void *to, int64_t n);
  /* What dropout with probability p multiplies n values by. */
  void (*draw)(double p, void *mask, int64_t n);
} Cells;

const Cells *cells_of(DType dtype);      /* float32 or float64 */

#endif
