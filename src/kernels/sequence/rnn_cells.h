/* rnn_cells.h - the elementwise loops of rnn_loops.c: a step of one direction of one layer.
**
** They process units [u0, u1) of all sequences, so that threads can divide the units. The caller passes a step's
** products: that of sequence b, gate g and unit u is at (b - b0) * row_step + g * gate_step + (u - u0). Invariant: an
** element is computed from the same operands in the same order, however units are divided.
*/
#ifndef HL_KERNELS_SEQUENCE_RNN_CELLS_H
#define HL_KERNELS_SEQUENCE_RNN_CELLS_H

#include "kernels/sequence/rnn_loops.h"

/* One direction of one layer; pointers to elements of the call's dtype. */
typedef struct CellDirection {
  const RnnSizes *s;
  const RnnParams *p;
  const Tensor *lengths;
  bool back;
  int64_t t;                                     /* the current step */
  Kept kept;
  char *part;                                    /* the direction's part of the reserve */
  const void *i2h_bias, *h2h_bias, *h0, *c0;
  void *h, *h_next, *c, *raw; /* forward: h before and after the step, c, outputs to be projected */
  void *y; /* the layer's outputs, starting with this direction's */
  const void *dy; /* backward: their gradients */
  void *dh, *dc, *carry, *draw, *by_input, *by_state, *outs, *before;
} CellDirection;

/* Sequences [b0, b1), units [u0, u1), and a step's products. */
typedef struct UnitRange {
  int64_t b0, b1, u0, u1;
  const void *products;
  int64_t row_step, gate_step;
} UnitRange;

typedef struct Cells {
  /* Forward: computes gates from products, and states from gates, for step t. */
  void (*step)(const CellDirection *w, const UnitRange *p);
  /* Copies the projected outputs, in `products`, to the states. */
  void (*take)(const CellDirection *w, const UnitRange *p);
  /* Backward: adds the gradients of a step's outputs, from the layer above and from the step after it. */
  void (*gather)(const CellDirection *w, const UnitRange *p);
  /* Computes the gradients of a step's gates, and of the cells before it. */
  void (*back)(const CellDirection *w, const UnitRange *p);
  /* Stores the products as the gradient of the states before step t. */
  void (*pass)(const CellDirection *w, const UnitRange *p);
  /* Sets rows [first, last) of `before` to the states before each step; a row is a step's sequence. */
  void (*look_back)(const CellDirection *w, int64_t first, int64_t last);
  /* to[k] = the sum of x[i * columns + k] over the rows i, in double and in their order, for k in [first, last) */
  void (*sum_rows)(const void *x, int64_t rows, int64_t columns, int64_t first, int64_t last, void *to);
  void (*multiply)(const void *x, const void *mask, void *to, int64_t n);
  /* Draws the factors of dropout with probability p. */
  void (*draw)(double p, void *mask, int64_t n);
} Cells;

const Cells *cells_of(DType dtype); /* float32 or float64 */

#endif
