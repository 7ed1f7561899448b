/* plain.h - plain texts: the defining loops of operators, as C99.
**
** An operator that other columns of its row do not define (expression, fold, view, lowering) has a plain text: loops
** that compute its outputs one element after another, in the order of operations that fixes their bits. The specs
** compare every kernel with its text; exported C prints it, and the first kernel of a new device calls it.
** docs/plain_texts.md says how to write one.
**
** Texts are headers in src/plain, embedded in the program. Tables of src/plain enter them into the rows at start-up, as
** op->plain. A text's function gets, in this order, the inputs of the call, its outputs (NULL for those that the call
** or the row has not, and for unused ones), its workspace if it has one, and numbers. All inputs, or all outputs, may
** be one list of arrays. `arguments` gives the numbers from the types and parameters of a call. Outputs and workspaces
** overlap nothing else, even where the kernel may compute in place.
*/
#ifndef HL_IR_PLAIN_H
#define HL_IR_PLAIN_H

#include "ir/op_query.h"

enum { MOST_PLAIN_INTS = 80, MOST_PLAIN_FLOATS = 8 };

/* The dtypes of texts that compute with elements of any type: C99 has no float16. Texts that only move elements have
** ALL_TYPES: in them float16 is uint16_t. */
enum { PLAIN_TYPES = ((1 << N_DTYPES) - 1) & ~(1 << DT_FLOAT16) };

/* What `arguments` fills in: whole numbers and others, each in the order of the function's parameters. */
typedef struct PlainCall {
  const char *text, *function;   /* the latter without TYPED; at first the row's; no text: the call has none */
  int64_t whole[MOST_PLAIN_INTS];
  double number[MOST_PLAIN_FLOATS];
  int n_whole, n_numbers;
  /* Of texts with a list of arrays: numbers for its arrays, such as their lengths. */
  int64_t (*size)(const Query *, int i);
  int n_sizes;
  int64_t workspace;         /* number of elements of the workspace; 0: none */
} PlainCall;

typedef struct Plain {
  const char *op;            /* the row's name; NULL ends a table */
  const char *text;          /* the file, without .h: "nn/softmax" */
  const char *function;      /* in the text; NULL: the last part of its name */
  uint32_t types;            /* dtypes of the operand that decides (op->typed_by): other calls have no text */
  uint32_t rounded;          /* those in which a library computes, so the text agrees to rounding only */
  bool finite;               /* results of NaN and infinities are unspecified */
  void (*arguments)(const Query *, PlainCall *);
  const void *own;           /* what `arguments` needs to serve several rows */
} Plain;

/* The function and the numbers of a call. False if it has no text: it draws, or the text is not for its dtype. */
bool plain_call(const Query *q, PlainCall *c);

/* Add numbers to a call. */
static inline void plain_whole(PlainCall *c, int64_t x) { c->whole[c->n_whole++] = x; }
static inline void plain_number(PlainCall *c, double x) { c->number[c->n_numbers++] = x; }
void plain_wholes(PlainCall *c, const int64_t *x, int n);

/* Adds `all` numbers: fillings, then the n of x. */
void plain_padded(PlainCall *c, const int64_t *x, int n, int all, int64_t filling);

/* Adds outer, n and inner: the products of the dimensions before an axis, along it, and after it. */
void plain_axis(PlainCall *c, const Shape *s, int64_t axis);

/* The same; without an axis (NONE) the array is one line. */
void plain_lines_of(PlainCall *c, const Shape *s, int64_t axis);

/* ---- Texts -------------------------------------------------------------------------------------- */

/* A file of src/plain, without its path's beginning and end: "nn/softmax". */
typedef struct PlainText { const char *name, *text; } PlainText;

/* All texts, ending in a NULL name (made by tools/embed_plain.sh), and the tables (src/plain/plain_registry.c). */
extern const PlainText plain_texts[];
extern const Plain *const plain_tables[];

/* The text of all rows with the column `same` and no other text: the output is the input, converted to its dtype. */
extern const Plain plain_conversion;

#endif
