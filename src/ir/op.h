/* op.h - the operator contract: all that the rest of the engine knows of an operator is its row, an Op.
**
** From a row come nd.f, sym.f and the method x:f, the argument checks, shape inference, the kernel for both modes, the
** gradient, the docs and the tests. No code outside src/ops uses an operator's name: other folders read the columns of
** its row.
**
** The column `effects` returns the effects of a call, given parameters and mode: it draws random numbers, writes into
** inputs, or must keep its place in the script's order. Eager calls, the tape, passes, executables and files all query
** it. Dropout outside training has no effects, so it is merged, fused or dropped like any other node.
*/
#ifndef HL_IR_OP_H
#define HL_IR_OP_H

#include "ir/expression/assignments.h"
#include "ir/kernel.h"
#include "ir/plain.h"

/* ---- What the callbacks of a row are given ---------------------------------- */

/* Inference: completes the types of inputs and outputs from the known ones. It may fill in unknown inputs; that is how
** Dense learns in_units. It is called again when more is known, and fails only on a contradiction. */
typedef struct Infer {
  const Op *op;
  const void *params;      /* the row's parameter struct */
  Type *in, *out;
  int n_in, n_out;
  bool guess;              /* for rows that run graphs: may these guess (graph_infer_guessing)? */
} Infer;

/* Most outputs of a node that can be decomposed. */
enum { MOST_DECOMPOSED = 8 };

/* Builds nodes. A failure is sticky: later builds do nothing, and the caller checks `status` once, so that a gradient
** reads like a formula. */
typedef struct Builder {
  Status status;
  Origin origin;           /* of the nodes made */
  Scope *scope;
  bool train;
  uint8_t train_requested, record_requested;   /* RequestedMode */
  Device device;           /* where nodes without inputs, and copies to another device, compute */
  bool again;              /* the nodes made will be differentiated again */
  Node **made;             /* all nodes made, in order; the builder owns one reference to each */
  int n_made, capacity;
} Builder;

/* Terms of a gradient in the order of addition. If count[i] is set, at[i] is a run of terms. */
typedef struct GradTerms { Entry *at, *count; int n; } GradTerms;

/* Differentiation of one node. out_grad[i] is the gradient of output i, or NO_ENTRY if nothing reached it. The callback
** fills in in_grad[j] for the wanted inputs, and leaves NO_ENTRY if a gradient is zero. */
typedef struct Gradient {
  Builder *b;
  Node *node;
  const Entry *out_grad;
  const GradTerms *out_terms; /* for rows that run graphs: the terms of each out_grad */
  Entry *in_grad;
  Entry *in_count;      /* if set, in_grad[j] is a run of terms, one per row, and this is the number of rows that
                        ** count: int64 (1) */
  bool *in_none;        /* if set, in_grad[j] is a run of no terms: zeros, which are left out of sums */
  const bool *wanted;
} Gradient;

/* A node to be decomposed. The callback fills in out[], one entry per output, or leaves NO_ENTRY if decomposing does
** not pay or is impossible. */
typedef struct Lowering {
  Builder *b;
  Node *node;
  Entry *out;
  bool followed;           /* an elementwise operator reads output 0 */
  bool forced;             /* decompose even if it does not pay: for tests */
} Lowering;

/* ---- Elementwise operators --------------------------------------------------- */

#define ELEMENT_SLOTS "gabcy"
enum { N_SLOTS = 5, MAX_SCALARS = 3 };

enum {
  INTEGER_TYPES = 1 << DT_INT32 | 1 << DT_INT64 | 1 << DT_INT8 | 1 << DT_UINT8,
  NUMBER_TYPES = FLOAT_TYPES | INTEGER_TYPES,
  VALUE_TYPES = NUMBER_TYPES | 1 << DT_BOOL
};

/* One scalar C expression in the operands a, b, c and the scalars s, t, u. In gradients g is the output's gradient and
** y the output. */
typedef struct Elementwise {
  const char *expr;
  const char *slots;             /* the slot of each input, in order: "ab", "gy" */
  int n_scalars;                 /* the row's parameter struct begins with this many doubles */
  bool condition;                /* operand a is a condition of any dtype */
  uint32_t types;                /* the dtypes that it supports */
  Expression *tree;              /* of `expr`: the registry fills it in, as it does below */
} Elementwise;

/* An alternative fold, used if the result y of the first is unsuitable, for example too small to be exact. The last one
** in a list has no condition. */
typedef struct FoldAgain {
  const char *when, *element, *finish;
  Expression *when_tree, *element_tree, *finish_tree;
} FoldAgain;

/* A reduction whose kernel folds an expression of the element x in the order of base/math/tree_sum.h. Rows of
** contiguous elements use TREE_FOLD; otherwise blocks of TREE_ROWS rows are folded in the element type, then in double.
** `finish` is an expression of total and count. `real` is the element type. */
typedef struct Folding {
  const char *step;             /* TREE_ADD */
  const char *start;            /* its neutral element */
  const char *element, *finish;
  FoldAgain *again;             /* the first whose condition holds replaces the result; NULL: none */
  Expression *element_tree, *finish_tree;
} Folding;

/* An optimizer's step for one element. Its text assigns new values to the inputs that the row writes, by their names,
** and to input 0, the weight, whose last value is the output. It reads the inputs and the numbers among the parameters,
** all in the type of the loop but for `doubles`, a list of names: parameters that are used as doubles, and the last
** inputs, if these have one element each. */
typedef struct UpdateRule {
  const char *text, *doubles;
  Assignments *tree;             /* the registry fills in the rest. Names: the inputs, then the parameters */
  int n_elements;                /* the inputs after these have one element */
  uint32_t written;              /* bit i: the rule writes into input i */
} UpdateRule;

/* ---- The row ------------------------------------------------------------------ */

/* The effects of a call. One with effects keeps its place among others of the same kind: it is never merged, dropped,
** repeated or moved ahead. */
/* clang-format off */
enum {
  DRAWS   = 1 << 0,       /* from the random stream */
  WRITES  = 1 << 1,       /* into some of its inputs in place, given by the column `writes` */
  ORDERED = 1 << 2,       /* prints, asserts, communicates: in the script's order */
  FAILS   = 1 << 3        /* because of values: an index out of range, a singular matrix. Such a call may be merged,
                          ** dropped and repeated; it keeps its place among draws and writes only (op_fails) */
};

enum {
  OP_BY_TYPES = 1 << 0,   /* the outputs depend on the types of the inputs and on parameters alone */
  OP_TRAIN    = 1 << 1,   /* computes differently in training mode */
  OP_NO_GRAD  = 1 << 2,   /* its gradient is zero everywhere: comparisons, argmax */
  OP_BY_DESIGN = 1 << 3,  /* by design, its gradient is not a derivative */
  OP_DYNAMIC  = 1 << 4,   /* the output's shape depends on values: eager only */
  OP_VARIADIC = 1 << 5,   /* any number of inputs, at least 1; the parameter num_args (or another num_...) is their
                          ** number */
  OP_IN_PLACE = 1 << 6,   /* output 0 may take the memory of any input of its size */
  OP_INTERNAL = 1 << 7,   /* for gradients and the like; not in nd and sym */
  OP_IN_PLACE_EACH = 1 << 8,  /* inputs come in groups, one per output, which may take the memory of the first in its
                              ** group */
  OP_CROSSES  = 1 << 9,   /* the output may be on another device than the input */
  OP_NUMBERS  = 1 << 10,   /* any input but the first may be a number, which becomes an array and broadcasts */
  OP_ROUNDS_ONCE = 1 << 11, /* the kernel computes in double; `expand` serves differentiation and agrees up to
                            ** rounding */
  OP_SAME_MEMORY = 1 << 13, /* output 0 is always a view of input 0; calls may pass inplace = true */
  OP_REPORTS_TILES = 1 << 12,  /* the kernel reports each element of output 0 to call->tile_ready once or, if that
                               ** does not pay, none */
  OP_NAMED_INPUT = 1 << 14, /* MXNet's monitors call its only input by name, not input0 (op_monitored_input) */
  OP_LAPACK = 1 << 15,     /* LAPACK computes it, so bits depend on the library and the processor (tensor/lapack.h) */
  OP_TRUTH = 1 << 16,      /* the value is true or false, as 1 or 0 in the operands' dtype; in np it is a bool */
  OP_IN_FILES = 1 << 17,   /* an internal row that files of training steps may call; since they may do so with any
                               ** operands, its inference checks all that its kernels rely on */
  OP_STEP = 1 << 18,       /* an optimizer's step: its inputs are a weight, which output 0 replaces, gradient, states.
                           ** Its kernels cannot fail and have no plan */
  OP_FILLS = 1 << 19,      /* its float parameter is the elements' value: a whole number that float32 rounds is an error
                               ** unless the dtype is given */
};
/* clang-format on */

/* The purpose for which other folders look an operator up. Its named parameters are part of the contract. */
typedef enum Role {
  ROLE_NONE,
  ROLE_SUM,           /* adds two values of one type: sums gradients */
  ROLE_ZEROS_LIKE,    /* zeros of the input's type */
  ROLE_ONES_LIKE,
  ROLE_COPY,          /* the input in separate memory: the row has no `same` */
  ROLE_COPY_TO,       /* the same on the device of the call */
  ROLE_CONSTANT,      /* full(shape, value, dtype) */
  ROLE_INDEX,         /* _index(data, arrays; key): data[key] */
  ROLE_INDEX_ASSIGN,  /* _index_assign(data, value, arrays; key): data with data[key] replaced, or data itself */
  ROLE_TRANSPOSE,     /* the axes reversed */
  ROLE_CAST,          /* Cast(data, dtype) */
  ROLE_MASK,          /* boolean_mask(data, mask): the mask covers the first axes */
  ROLE_UNSTACK,       /* the rows of an array as separate values (parameters in ir/graph/subgraph.h) */
  ROLE_PUT_ROWS,      /* rows at their positions in an array of zeros */
  ROLE_SUM_TERMS,   /* (terms, count[, before]): before + terms[0] + .. + terms[count - 1], from left to right */
  ROLE_CONTROL_BACK,  /* the backward pass over the iterations of a loop or condition (ir/graph/subgraph.h) */
  ROLE_SPREAD_TERMS,  /* (x, count): a run of count terms x, then zeros */
  ROLE_ALSO_FROM,   /* (x, others...): x, which also depends on the others: their gradient is zeros */
  ROLE_CUSTOM,      /* an operator that the script defines (ir/custom_operator.h) */
  ROLE_UPDATE,      /* an optimizer step for several weights in place (ops/train/weights_update.c) */
  ROLE_CLIP,        /* scales arrays to a norm; with _in_place in place (ops/train/gradient_checks.c) */
  N_ROLES
} Role;

/* clang-format off */
/* The columns, in groups. A column that a row leaves out is NULL or 0. None runs on data: that is what kernels do. */
struct Op {
  /* -- Words */
  const char *name;        /* MXNet's registry name */
  const char *aliases;     /* further names, separated by spaces; "random.normal" adds it to nd.random, "/_np_sum" is for
                           ** files only */
  const char *doc;         /* what it computes; also the source of the formula */
  const char *error_name;  /* another name that its errors may begin with, "index assignment" */
  const char *name_stem;   /* the stem of automatic names; NULL: the lower-case name */

  /* -- Signature: inputs, outputs and parameters */
  const char *inputs;      /* names, separated by spaces; the last may end in "..." */
  const char *outputs;     /* names; NULL: one, "output" */
  const char *params;      /* the parameters, one per line: see params.h */
  size_t params_size;      /* sizeof of the parameter struct */
  const ObjectKind *object;/* the kind of the object parameters */
  const char *synonyms;    /* further names of parameters and inputs in calls, in pairs: "axis dim" */
  const char *initializers; /* MXNet's initializers of variables that become inputs, one per line: `moving_var
                            ** ["one", {}]` */
  /* The next four are functions of parameters alone: */
  int (*n_inputs)(const Query *);       /* if only the first of the named inputs are used: their number, or... */
  bool (*takes)(const Query *, int name); /* ...does the call use this named input? A call that passes input NAME by
                                          ** name sets a bool parameter use_NAME */
  int (*n_outputs)(const Query *);        /* if it depends on parameters; includes hidden outputs */
  int (*n_visible)(const Query *);        /* number of outputs that the user sees; NULL: all */
  /* For hidden outputs (masks, statistics) that only gradients read: is the output unused in this call? Then its tensor
  ** has no data, and the kernel does not compute it. Unless q->no_gradient is set, a gradient may follow. NULL: all
  ** outputs are used. */
  bool (*unused)(const Query *, int output);

  /* -- Types */
  Status (*infer)(Infer *);
  int typed_by;            /* the dtype of input typed_by - 1 chooses the kernel; 0: of output 0 */

  /* -- Effects */
  uint32_t flags;
  Role role;
  /* The effects of a call, DRAWS and so on. This and the next two are functions of parameters, mode and number of inputs
  ** alone, since types may be unknown. */
  unsigned (*effects)(const Query *);
  bool (*writes)(const Query *, int input);   /* does a call that WRITES write into this input? */
  bool (*state)(const Query *, int input);    /* is the input an auxiliary state, listed apart from arguments,
                                              ** whether or not this call writes to it? NULL: none is */

  /* -- Body: what it computes, in forms that programs can read; rows without one have a plain text (ir/plain.h) */
  Elementwise *elementwise;               /* an expression, or... */
  const Op *(*choose_row)(const Query *); /* ...that of one of several rows, chosen by the parameters */
  UpdateRule *update;                     /* of optimizers' rows whose steps are elementwise */
  /* Reductions: their folds of floats (the list ends with NULL), the one that a call uses, and the axes that it
  ** reduces. */
  Folding *const *folds;
  const Folding *(*folding)(const Query *, bool *reduced);
  /* Is output 0 a view of input 0, *offset bytes into it, without a kernel? */
  bool (*view)(const Query *, size_t *offset);
  /* Is output 0 input 0 in the output's dtype (Cast; Dropout outside training)? If their types are equal, too, a memory
  ** plan may skip it. */
  bool (*same)(const Query *);
  /* For kernels that are not expressions: builds the same values, to the bit, from operators that fuse (elementwise,
  ** folds). */
  void (*lower)(Lowering *);
  /* For rows whose nodes run graphs: describes them (ir/graph/subgraph.h); control_free frees the result. */
  Status (*control)(const void *params, Control *out);
  /* For rows that MXNet does not have: builds output 0, to the bit, from operators that MXNet has, for files; NO_ENTRY
  ** if this node has no such form. The last node built takes over the node's name. */
  Entry (*portable)(Builder *, const Node *);
  /* Arithmetic operations of one run, where a multiply-add counts as two; NULL: see op_flops. */
  double (*flops)(const Query *);
  /* For rows that are computed in several forms with different bits: the form of this call, and the reason ("direct:
  ** stride"). Only types and parameters determine it. */
  const char *(*form)(const Query *);

  /* -- Gradient */
  uint32_t differentiable; /* bit i: input i may have a gradient; 0: all may */
  Status (*grad)(Gradient *);          /* builds the gradient from other operators, or... */
  Entry (*expand)(Builder *, Node *);  /* ...builds the operator itself, to the bit, from differentiable ones, or */
  void (*expand_all)(Builder *, Node *, Entry *out);  /* ...does so for each output, at most MOST_DECOMPOSED */
  Elementwise *gradient[3];            /* of elementwise rows: d output / d input i, times g */
  /* For rows that write to their inputs: builds output 0, to the bit, for a backward that recomputes it
  ** (pass/checkpoint.c), from unwritten inputs and the other outputs. NULL: impossible. */
  Entry (*recompute)(Builder *, Node *);

  /* -- Forms in Lua */
  const char *metamethod;  /* the Lua operator that it implements: "__add" */
  const char *operator_stem;  /* the stem of automatic names of the Lua operator: "_plus" */
  const char *scalar_form, *scalar_form_reversed;  /* the operators for (array, number) and (number, array) */
  const char *array_form;  /* the operator with arrays in place of the numbers */

  /* -- Tests */
  const char *example;     /* an expression in F, or several, one per line: doc example, nd == sym test and gradient
                           ** check */
  const char *domain;      /* "lo hi": the range of random inputs in tests; NULL: "-2 2" */

  /* -- Of rows outside src/ops: a table of their kernels */
  const Kernel *own_kernels;

  /* -- Entered at start-up */
  const OpInfo *info;      /* parsed from the texts above */
  const Kernel *kernel[N_KERNEL_PLACES][N_DTYPES];   /* from the tables of kernels; NULL: none */
  const Plain *plain;      /* the plain text, for rows that are not defined by other columns */
};
/* clang-format on */

/* The texts of a row, parsed once. */
struct OpInfo {
  const char *family;      /* the row's file in src/ops, without .c */
  int n_inputs, n_outputs, n_params, n_aliases;
  bool variadic;
  const char **input, **output, **alias;
  const Param *param;
  Params *defaults;        /* every parameter at its default; shared */
  int count;               /* of a variadic row: index of the parameter num_..., the number of operands; else -1 */
  int check; /* index of the inner parameter _check, the name that errors use for the caller ("dense0: data"), or -1 */
  int shape, dtype; /* of rows without inputs: indices of the parameters that set the output's type, or -1 */
  int num_args; /* index of num_args, which calls may omit because their inputs are counted, or -1 */
  const Op *gradient[3]; /* the rows for op->gradient */
  /* Bound rows: each elementwise row whose parameters are numbers has one. It has the same expression, but the numbers
  ** are its last inputs, float64 scalars. NULL for other rows. */
  const Op *bound; /* the bound row */
  const Op *unbound; /* the original of a bound row */
};

/* Parses the texts of a row into op->info. `family` may be NULL. */
Status op_read(Op *op, const char *family);

/* The same, on first use and from any thread, for rows outside src/ops, which cannot be looked up. */
Status op_declare(Op *op);

/* ---- The registry (src/ops/op_registry.c) ------------------------------------------ */

Status op_registry_status(void); /* fails if a row is broken, which is a bug in hybridlua */
const Op *op_find(const char *name); /* by name or alias; NULL if unknown */
const Op *op_nearest(const char *name); /* the most similar name, for error texts; may be NULL */
int op_count(void);
const Op *op_at(int i); /* in the order of the families */
/* Calls f for each name, except those of internal rows. */
void op_each_name(void (*f)(const char *name, const Op *op, void *context), void *context);
const Op *op_with_role(Role role); /* never NULL */

/* ---- Kernels (kernel.c) ---------------------------------------------------------- */

/* Enters the kernels of a table, which must last, into their rows. Kernels that came before are replaced. Modules with
** devices of their own call it before arrays on them exist. */
Status op_add_kernels(const Kernel *table);

/* Enters a kernel into its row. */
void op_add_kernel(Op *op, const Kernel *kernel);

/* The dtype that chooses the kernel of a call; any, if it has no operand that decides. */
static inline DType op_kernel_dtype(const Op *op, const Query *q) {
  if (op->typed_by) return query_in(q, op->typed_by - 1)->dtype;
  return q->n_out ? query_out(q, 0)->dtype : DT_FLOAT32;
}

/* The kernel of a call; NULL: the row has none for this dtype in this place. */
static inline const Kernel *op_kernel(const Op *op, KernelPlace place, const Query *q) {
  return op->kernel[place][op_kernel_dtype(op, q)];
}

/* Fails because there is none. */
Status op_no_kernel(const Op *op, KernelPlace place, const Query *q) __attribute__((cold));

/* The same for a call on arrays, in place of its outputs. */
static inline KernelPlace call_place(const Call *c) {
  return c->n_out ? device_place(tensor_device(c->out[0])) : ON_HOST;
}

static inline const Kernel *call_kernel(const Call *c) {
  const Tensor *by = c->op->typed_by ? c->in[c->op->typed_by - 1] : c->n_out ? c->out[0] : NULL;
  return c->op->kernel[call_place(c)][by ? by->type.dtype : DT_FLOAT32];
}

Status call_no_kernel(const Call *c) __attribute__((cold));

/* ---- Reading a row --------------------------------------------------------------- */

int op_inputs(const Op *op, const Params *p); /* number of inputs of a call with these parameters */
bool op_counts_inputs(const Op *op); /* do the row and the parameters determine their number? */
int op_outputs(const Op *op, const Params *p); /* number of outputs, including hidden ones */
int op_visible(const Op *op, const Params *p);
const char *op_input_name(const Op *op, int i); /* "arg3" after the named inputs of a variadic row */
/* The name of an input of a call with these parameters, which may omit some of the named inputs. */
const char *op_input_title(const Op *op, const void *params, int i);
bool op_takes(const Op *op, const void *params, int name);

/* The parameter struct; the defaults if params is NULL. */
static inline const void *op_fields(const Op *op, const Params *params) {
  return params ? params->fields : op->info->defaults->fields;
}
const char *op_synonym(const Op *op, const char *key); /* the row's name for a synonym; other keys unchanged */
void op_stem(const Op *op, char *to, size_t capacity); /* the stem of automatic names */

/* Is it an optimizer's step for one weight, whose inputs are the weight, its gradient and states? */
static inline bool op_is_step(const Op *op) {
  return op->flags & OP_STEP || (op->update && op->update->n_elements >= op->info->n_inputs);
}
const char *op_title(const Op *op); /* the name in scripts, for errors: "zeros" for _zeros */
const Elementwise *op_elementwise(const Op *op, const void *params); /* NULL for kernels */

/* Number of inputs that are numbers, the last ones of a bound row. */
static inline int op_bound_numbers(const Op *op) { return op->info->unbound ? op->elementwise->n_scalars : 0; }
const char *op_check(const Op *op, const void *params); /* the value of _check, or NULL */
bool op_differentiable(const Op *op, int input);

/* The name of an input for monitors; "input0" if MXNet's row has no names. */
const char *op_monitored_input(const Op *op, int input);

/* Does the row have `expand` or `expand_all`? op_expand calls it, and returns the number of outputs. */
static inline bool op_expands(const Op *op) { return op->expand || op->expand_all; }
int op_expand(Builder *b, Node *n, Entry *out);

/* The effects of a call. All code that rewrites, records or runs calls uses these. */
static inline unsigned op_effects(const Query *q) { return q->op->effects ? q->op->effects(q) & ~(unsigned)FAILS : 0; }
unsigned op_effects_ever(const Query *q); /* in training mode or outside it */
bool op_writes(const Query *q, int input);
bool op_state(const Query *q, int input);
static inline bool op_unused(const Query *q, int output) { return q->op->unused && q->op->unused(q, output); }
/* May values make the call fail? LAPACK rejects some matrices. The effects of the functions here leave FAILS out. */
static inline bool op_fails(const Query *q) {
  return q->op->flags & OP_LAPACK || (q->op->effects && q->op->effects(q) & FAILS);
}
bool node_fails(const Node *n);
unsigned node_effects(const Node *n); /* in the node's mode; 0 for variables and constants */
unsigned node_effects_ever(const Node *n);
bool node_writes(const Node *n, int input);

/* Columns of rows that always have the effect. */
unsigned op_draws_always(const Query *q);
unsigned op_writes_always(const Query *q);
unsigned op_ordered_always(const Query *q);
unsigned op_fails_always(const Query *q);

/* Arithmetic operations of one run: the row's `flops` if set, else one per element that an expression computes or a
** reduction reads; none for rows that move data. */
double op_flops(const Query *q);

/* Callbacks of rows outside src/ops, whose nodes get their types when they are made. */
Status op_keep_types(Infer *f);

/* Calls op->infer, checks the result, and prepends the operator's name to errors. */
Status op_infer(const Op *op, const Params *p, Type *in, int n_in, Type *out, int n_out);

/* Infers the types of a node's outputs from those of its inputs. */
Status node_infer(Node *n);

#endif
