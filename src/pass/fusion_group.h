/* fusion_group.h - nodes that run as one kernel, and the node that stands for them.
**
** Every member works on one space, a shape seen as rows of contiguous elements:
**   GROUP_MAP      elementwise only: the space may be cut anywhere, within rows too. Where every
**                  operand is whole, it is one long row.
**   GROUP_ROWS     some members fold the elements of a row (softmax); what is computed of
**                  such results has one value a row and may go back into elements.
**   GROUP_COLUMNS  some members fold each column over all rows (the gradient of a bias).
** A group knows its members' expressions and how each input lies in the space, nothing of
** C: exec/jit/kernel_text.c writes the kernel's text, exec/jit/compile_text.c fills in `kernel`.
**
** The members' order of operations is that of the operators' own kernels, so a group
** gives the bits that its members would give one by one.
*/
#ifndef HL_PASS_FUSION_GROUP_H
#define HL_PASS_FUSION_GROUP_H

#include "ir/graph.h"

typedef enum GroupKind { GROUP_MAP, GROUP_ROWS, GROUP_COLUMNS } GroupKind;
typedef enum Level { LEVEL_ELEMENT, LEVEL_ROW, LEVEL_COLUMN } Level;     /* what a value has one of */

enum { MOST_MEMBERS = 64, MOST_POINTERS = 32, MOST_SCALARS = 64 };

/* Runs items [first, last) of the group: elements of a MAP, rows of ROWS, blocks of GROUP_COLUMN_BLOCK columns.
** `pointer`: inputs, then outputs; `dim`: see group_dims; `scalar`: the members' scalars one after another. */
typedef void FusedKernel(char *const *pointer, const int64_t *dim, const double *scalar, int64_t first, int64_t last);
enum { GROUP_COLUMN_BLOCK = 256 };

typedef struct GroupInput {
  DType dtype;
  bool inner;                    /* walks along a row; else one value a row */
  int64_t stride[MAX_DIMS];      /* along the outer dimensions, in elements */
} GroupInput;

/* One node of the group. Operands are numbers: inputs first, then members. */
typedef struct GroupMember {
  const Op *op;
  const Elementwise *elementwise;      /* an expression, or... */
  const Folding *folding;              /* ...a fold, or (neither) the operand itself, reshaped */
  DType dtype;
  Level level;
  int operand[N_SLOTS], n_in;
  int scalar, n_scalars;               /* its scalars, in Group.scalar */
  int output;                          /* which output of the group, or -1 */
  Origin origin;
  char *name;                          /* of the node; may be NULL */
} GroupMember;

typedef struct FusionGroup {
  int refs;
  GroupKind kind;
  int64_t n;                           /* elements of a row */
  int64_t rows;
  int n_outer;                         /* outer dimensions that have strides: 0 for one long row */
  int64_t outer[MAX_DIMS];
  GroupInput input[MOST_POINTERS];
  GroupMember member[MOST_MEMBERS];
  int n_in, n_members, n_out;
  double scalar[MOST_SCALARS];
  int n_scalars;
  int number[MOST_SCALARS];            /* by scalar: the input that holds it; -1: it is in `scalar` */
  bool bound;                          /* an input holds some scalar */
  uint64_t in_place[MOST_POINTERS];    /* by output: bit i: it may take the memory of input i */
  /* what the kernel is given: n, rows, outer[], strides of each input */
  int64_t dim[2 + MAX_DIMS * (MOST_POINTERS + 1)];
  int function;                        /* its number among the kernels of the graph */
  FusedKernel *kernel;                 /* NULL until there is code */
  void *code;                          /* what `kernel` belongs to, freed by `free_code` */
  void (*free_code)(void *code);
} FusionGroup;

/* The members in order, each of whose nodes' outputs other than in the group are in `out`; the
** inputs are all else they read. `space`: the group's; `inner`: how many of its last
** dimensions make a row. NULL in *group where the kernel could not be written (an input lies
** crosswise). */
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

/* A node that runs the group on these inputs, and the parameters of its row. */
typedef struct FusedParams { FusionGroup *group; } FusedParams;
Status fusion_group_node(FusionGroup *g, const Entry *in, const Entry *out, Node **node);

/* The group that a node runs, alone or as an epilogue (pass/epilogue.h); or NULL. */
FusionGroup *fusion_group_of(const Node *n);

/* Does the expression call a function or divide, so that its value is better kept than computed
** again? */
bool fusion_group_costly(const Elementwise *e);

/* How an operand of shape `s` lies in a space whose last `inner` dimensions are a row;
** false where it changes within a row but not with every element. */
bool fusion_group_input_fits(const Shape *space, int inner, const Shape *s);

/* ---- The loops of a row -------------------------------------------------------------------- */

/* A row is walked in stages: in stage k first a loop computes and stores what is kept, then
** each fold of the stage has a loop. What a loop needs and is not kept is computed again. Rows longer than
** TREE_KEPT have no buffers. */
typedef struct Schedule {
  int stage[MOST_MEMBERS];       /* elements: the first stage where it can be computed; folds: that of their loop */
  bool kept[MOST_MEMBERS];       /* an output, or worth a buffer */
  int buffer[MOST_MEMBERS];      /* number of the buffer of kept ones that are no output, or -1 */
  int n_buffers, n_stages;
} Schedule;
void fusion_group_schedule(const FusionGroup *g, Schedule *s);

#endif
