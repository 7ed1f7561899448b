/* fusion_group.h - nodes that run as one generated kernel, and the node that replaces them.
**
** All members work on one space, a shape seen as rows of contiguous elements:
**   GROUP_MAP      elementwise only: the space may be split anywhere, even within rows. If every
**                  operand is whole, it is one long row.
**   GROUP_ROWS     some members fold the elements of a row (softmax). Values computed from these
**                  results are one per row, and may be operands of elements again.
**   GROUP_COLUMNS  some members fold each column over all rows (the gradient of a bias).
** A group has its members' expressions and each input's layout in the space. It does not depend on C:
** exec/jit/kernel_text.c writes the kernel's text, exec/jit/compile_text.c fills in `kernel`.
**
** Members compute in the order of the operators' own kernels, so a group has the same bits as its
** members run one by one.
*/
#ifndef HL_PASS_FUSION_GROUP_H
#define HL_PASS_FUSION_GROUP_H

#include "ir/graph/graph.h"

typedef enum GroupKind { GROUP_MAP, GROUP_ROWS, GROUP_COLUMNS } GroupKind;
typedef enum Level { LEVEL_ELEMENT, LEVEL_ROW, LEVEL_COLUMN } Level;     /* a value is one per element, per row or
                                                                         ** per column */

enum { MOST_MEMBERS = 64, MOST_POINTERS = 32, MOST_SCALARS = 64 };

/* Runs items [first, last) of the group: elements of a MAP, rows of ROWS, or blocks of GROUP_COLUMN_BLOCK columns.
** `pointer`: inputs, then outputs; `dim`: FusionGroup.dim; `scalar`: the scalars of all members. */
typedef void FusedKernel(char *const *pointer, const int64_t *dim, const double *scalar, int64_t first, int64_t last);
enum { GROUP_COLUMN_BLOCK = 256 };

typedef struct GroupInput {
  DType dtype;
  bool inner;                    /* changes along a row; else one value per row */
  int64_t stride[MAX_DIMS];      /* along the outer dimensions, in elements */
} GroupInput;

/* One node of the group. Operands are numbered, inputs first, then members. */
typedef struct GroupMember {
  const Op *op;
  const Elementwise *elementwise;      /* an expression, or... */
  const Folding *folding;              /* ...a fold; if neither, the operand reshaped */
  DType dtype;
  Level level;
  int operand[N_SLOTS], n_in;
  int scalar, n_scalars;               /* the first of its scalars in FusionGroup.scalar; their number */
  int output;                          /* its output of the group, or -1 */
  Origin origin;
  char *name;                          /* the node's; may be NULL */
} GroupMember;

typedef struct FusionGroup {
  int refs;
  GroupKind kind;
  int64_t n;                           /* elements per row */
  int64_t rows;
  int n_outer;                         /* outer dimensions that have strides: 0 for one long row */
  int64_t outer[MAX_DIMS];
  GroupInput input[MOST_POINTERS];
  GroupMember member[MOST_MEMBERS];
  int n_in, n_members, n_out;
  double scalar[MOST_SCALARS];
  int n_scalars;
  int number[MOST_SCALARS];            /* by scalar: the input that holds it; -1: it is in `scalar` */
  bool bound;                          /* some scalar is in an input */
  uint64_t in_place[MOST_POINTERS];    /* by output: bit i if it may overwrite input i */
  /* the kernel's argument: n, rows, outer[], strides of each input */
  int64_t dim[2 + MAX_DIMS * (MOST_POINTERS + 1)];
  int function;                        /* the number of its kernel in the generated text */
  FusedKernel *kernel;                 /* NULL until it is compiled */
  void *code;                          /* the module of `kernel`, freed by `free_code` */
  void (*free_code)(void *code);
} FusionGroup;

/* The members in order. `out`: their outputs that nodes outside the group read; `in`: everything else that they read.
** `space`: the group's; `inner`: how many of its last dimensions form a row. */
typedef struct GroupPlan {
  GroupKind kind;
  const Shape *space;
  int inner;
  Node **member;
  int n_members;
  const Entry *in, *out;
  int n_in, n_out;
} GroupPlan;
Status fusion_group_new(const GroupPlan *plan, FusionGroup **group);
FusionGroup *fusion_group_retain(FusionGroup *g);
void fusion_group_release(FusionGroup *g);

/* Arithmetic operations of one run. */
double fusion_group_flops(const FusionGroup *g);

/* A node that runs the group on these inputs; the parameters of its row. */
typedef struct FusedParams { FusionGroup *group; } FusedParams;
Status fusion_group_node(FusionGroup *g, const Entry *in, const Entry *out, Node **node);

/* The group that a node runs, alone or as an epilogue (pass/epilogue.h), or NULL. */
FusionGroup *fusion_group_of(const Node *n);

/* Can a kernel read an operand of shape `s` in a space whose last `inner` dimensions form a row? False if it is
** constant along only a part of each row. */
bool fusion_group_input_fits(const Shape *space, int inner, const Shape *s);

/* ---- The loops of a row -------------------------------------------------------------------- */

/* A kernel processes a row in stages. In each stage a first loop computes and stores the kept values, then each fold
** has a loop. A loop recomputes the values that it needs and that are not kept. Rows longer than TREE_KEPT have no
** buffers. */
typedef struct Schedule {
  int stage[MOST_MEMBERS];       /* elements: the first stage that can compute it; folds: the stage of their loop */
  bool kept[MOST_MEMBERS];       /* an output, or stored in a buffer */
  int buffer[MOST_MEMBERS];      /* its buffer if it is kept and not an output, else -1 */
  int n_buffers, n_stages;
} Schedule;
void fusion_group_schedule(const FusionGroup *g, Schedule *s);

#endif
