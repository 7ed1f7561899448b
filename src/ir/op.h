/* op.h - what an operator is: the one contract between src/ops and everything else.
**
** An operator is one row (an Op). From it come nd.f, sym.f and the method x:f, the
** argument checks, shape inference, the kernel that both modes run, the gradient,
** the docs and the tests. Nothing outside src/ops knows an operator by name: other
** folders look at the columns of the row.
**
** The effects of a call are the column `effects`, a function of parameters and mode: it draws random numbers, writes
** into inputs, or has a place in the script's order. Eager calls, the tape, passes, executables and files all ask it. A
** Dropout outside training has no effects, so it is merged, fused or dropped like any other node.
*/
#ifndef HL_IR_OP_H
#define HL_IR_OP_H

#include "base/threads/parallel_for.h"
#include "ir/op_query.h"
#include "tensor/tensor.h"

/* ---- What the callbacks of a row are given ---------------------------------- */

/* Inference: completes the types of inputs and outputs from what is known of them
** (unknown inputs may be filled in: Dense learns in_units so). Called again when
** more is known; fails only when what is known contradicts. */
typedef struct Infer {
  const Op *op;
  const void *params;      /* the row's parameter struct */
  Type *in, *out;
  int n_in, n_out;
  bool guess;              /* rows that run graphs: may these guess (graph_infer_guessing)? */
} Infer;

/* A tile-ready callback, which works on output 0 while it is warm: called from the thread that computed elements
** [first, first + n) of it, when the kernel no longer writes or reads them. */
typedef struct TileReady { void (*ready)(void *context, int64_t first, int64_t n); void *context; } TileReady;

/* A kernel call: every type is known, the outputs are allocated. A kernel may fail
** (values that it must look at, an interrupt); it never allocates. */
typedef struct Call {
  const Op *op;
  const void *params;
  const Tensor *const *in;
  Tensor *const *out;      /* out[i] may be the memory of in[j] where the row allows it;
                           ** without data where it is unused */
  int n_in, n_out;
  bool train;              /* training mode */
  /* Memory, 64-byte aligned; NULL where the row asks for none. */
  void *workspace;           /* op->workspace bytes */
  void *prepared;          /* op->prepared bytes, as op->prepare left them */
  char *thread_workspace;  /* op->thread_workspace bytes for each thread, thread_bytes apart: see
                           ** call_thread_workspace */
  size_t thread_bytes;
  const TileReady *tile_ready; /* of rows with OP_REPORTS_TILES; NULL: none */
} Call;

/* The workspace of the calling thread: in the body of a loop of base/threads/parallel_for.h, or outside of one. */
static inline void *call_thread_workspace(const Call *c) {
  return c->thread_workspace + (size_t)parallel_thread() * c->thread_bytes;
}

static inline Query query_of_call(const Call *c) {
  return (Query){
    .op = c->op, .params = c->params, .n_in = c->n_in, .n_out = c->n_out, .train = c->train, .in = c->in, .out = c->out
  };
}

/* Outputs of a node that can be decomposed. */
enum { MOST_DECOMPOSED = 8 };

/* Elements [first, last) of a call: the column `run_range`. */
typedef void OpRange(const Call *c, int64_t first, int64_t last);

/* Where nodes are built. A failure sticks: later builds do nothing, and the code
** that began looks at `status` once, so that a gradient reads as a formula. */
typedef struct Builder {
  Status status;
  Origin origin;           /* given to the nodes made */
  Scope *scope;
  bool train;
  uint8_t train_requested, record_requested;   /* RequestedMode */
  Device device;           /* where nodes without inputs, and copies to another device, compute */
  bool again;              /* what is built will be differentiated again */
  Node **made;             /* every node made, in order; the builder owns one reference each */
  int n_made, capacity;
} Builder;

/* Terms of a gradient in the order in which they are added. Where count[i] is set, at[i] is a run of terms. */
typedef struct GradTerms { Entry *at, *count; int n; } GradTerms;

/* Differentiation of one node: out_grad[i] is the gradient of output i (its node is
** NULL where nothing reached it); the callback fills in_grad[j] for the inputs that
** are wanted, leaving NULL where the gradient is zero. */
typedef struct Gradient {
  Builder *b;
  Node *node;
  const Entry *out_grad;
  const GradTerms *out_terms; /* rows that run graphs: what out_grad sums, term by term */
  Entry *in_grad;
  Entry *in_count;      /* where set, in_grad[j] is a run of terms, a row each,
                        ** and this says how many rows count: int64 (1) */
  bool *in_none;        /* where set, in_grad[j] is a run of no terms: zeros, and nothing where there is a sum */
  const bool *wanted;
} Gradient;

/* A node to be decomposed: the callback fills in out[], an entry for each output, or leaves it
** NO_ENTRY where that would not pay (or where there is nothing to decompose). */
typedef struct Lowering {
  Builder *b;
  Node *node;
  Entry *out;
  bool followed;           /* an elementwise operator reads output 0 */
  bool forced;             /* whether it pays or not: for tests */
} Lowering;

/* ---- Elementwise operators --------------------------------------------------- */

/* The loop over n elements of contiguous operands. slots[] follows ELEMENT_SLOTS;
** slots the expression does not use point at values of the loop's type, which it loads. `out` may be
** one of the operands. */
typedef void ElementLoop(int64_t n, const void *const *slots, void *out, const double *scalars);

#define ELEMENT_SLOTS "gabcy"
enum { N_SLOTS = 5, MAX_SCALARS = 3 };

/* One scalar C expression in the operands (a, b, c; in gradients also g, the
** gradient of the output, and y, the output) and the scalars s, t, u. */
typedef struct Elementwise {
  const char *expr;
  const char *slots;             /* the letter of each input, in order: "ab", "gy" */
  int n_scalars;                 /* the row's parameter struct begins with this many doubles */
  bool condition;                /* operand a is a truth value of any dtype */
  ElementLoop *loop[N_DTYPES];   /* NULL where the dtype is not supported */
} Elementwise;

/* Where a fold's result y is not good enough, as when it came out too small to be exact: the fold of another
** element that is done then. A list of these ends with one without a condition. */
typedef struct FoldAgain { const char *when, *element, *finish; } FoldAgain;

/* A reduction whose kernel is a fold in the order of base/math/tree_sum.h, of an expression of x, the
** element: between rows of contiguous elements TREE_FOLD, else blocks of TREE_ROWS rows folded in
** the element type and then in double. `finish` is an expression of total and count. In all
** of them `real` is the element type. */
typedef struct Folding {
  const char *step;             /* TREE_ADD */
  const char *start;            /* its neutral element */
  const char *element, *finish;
  const FoldAgain *again;       /* the first whose condition holds is the result instead; NULL: there are none */
} Folding;

/* ---- The row ------------------------------------------------------------------ */

/* What a call does besides computing its outputs. Such a call keeps its place among others of the kind; it is
** never merged with its like, dropped, repeated, or made ahead. */
/* clang-format off */
enum {
  DRAWS   = 1 << 0,       /* from the random stream */
  WRITES  = 1 << 1,       /* into some of its inputs, in place: the column `writes` says which */
  ORDERED = 1 << 2        /* prints, asserts, talks to others: in the script's order */
};

enum {
  OP_TRAIN    = 1 << 1,   /* computes something else in training mode */
  OP_NO_GRAD  = 1 << 2,   /* its gradient is zero everywhere: comparisons, argmax */
  OP_BY_DESIGN = 1 << 3,  /* its gradient is no derivative, by design */
  OP_DYNAMIC  = 1 << 4,   /* the output's shape depends on values: eager only */
  OP_VARIADIC = 1 << 5,   /* any number of inputs, from 1 on;
                          ** the parameter num_args (or another num_...) says how many */
  OP_IN_PLACE = 1 << 6,   /* output 0 may take the memory of any input of its size */
  OP_INTERNAL = 1 << 7,   /* made by others (gradients); no function of nd and sym */
  OP_IN_PLACE_EACH = 1 << 8,  /* inputs come in groups, one per output, which may take its first's memory */
  OP_CROSSES  = 1 << 9,   /* the output need not be where the input is */
  OP_NUMBERS  = 1 << 10,   /* a number may stand for any input but the first: it becomes an array that broadcasts */
  OP_ROUNDS_ONCE = 1 << 11, /* the kernel computes in double:
                           ** `expand` is there to be differentiated, and agrees but for rounding */
  OP_SAME_MEMORY = 1 << 13, /* output 0 is always a view of input 0, and calls may say so: inplace = true */
  OP_REPORTS_TILES = 1 << 12,  /* the kernel reports each element of output 0 to call->tile_ready once, or,
                           ** where that does not pay, none */
  OP_NAMED_INPUT = 1 << 14, /* MXNet's monitors call its only input by name, not input0 (op_monitored_input) */
  OP_LAPACK = 1 << 15     /* LAPACK computes it, so bits depend on the library and the processor (tensor/lapack.h) */
};
/* clang-format on */

/* What other folders need an operator for, and find it by. The parameters named belong
** to the contract. */
typedef enum Role {
  ROLE_NONE,
  ROLE_SUM,           /* two values of one type, added: gradients are summed by it */
  ROLE_ZEROS_LIKE,    /* zeros of the input's type */
  ROLE_ONES_LIKE,
  ROLE_COPY,          /* the input in memory of its own: its row has no `same` */
  ROLE_COPY_TO,       /* the same on another device, which the call gives */
  ROLE_CONSTANT,      /* full(shape, value, dtype) */
  ROLE_INDEX,         /* _index(data, arrays; key): data[key] */
  ROLE_INDEX_ASSIGN,  /* _index_assign(data, value, arrays; key): data with data[key] replaced, or data itself */
  ROLE_TRANSPOSE,     /* the axes reversed */
  ROLE_CAST,          /* Cast(data, dtype) */
  ROLE_MASK,          /* boolean_mask(data, mask): the mask covers the first axes */
  ROLE_UNSTACK,       /* the rows of an array as values of their own (parameters in ir/subgraph.h) */
  ROLE_PUT_ROWS,      /* rows at their places in an array that is zero elsewhere */
  ROLE_SUM_TERMS,   /* (terms, count[, before]): before + terms[0] + .. + terms[count - 1], from left to right */
  ROLE_CONTROL_BACK,  /* goes back over the iterations of a loop or condition (ir/subgraph.h) */
  ROLE_SPREAD_TERMS,  /* (x, count): a run of count terms x, then zeros */
  ROLE_ALSO_FROM,   /* (x, others...): x, which comes from the others too: their gradient is zeros */
  N_ROLES
} Role;

/* clang-format off */
struct Op {
  const char *name;        /* MXNet's registry name */
  const char *aliases;     /* further names, separated by spaces, or NULL; "random.normal" goes into nd.random */
  const char *doc;         /* what it computes; the source of the formula */
  const char *example;     /* an expression (or several, a line each) in F:
                           ** doc example, nd == sym test and gradient check */

  const char *inputs;      /* names, separated by spaces; the last may end in "..." */
  const char *outputs;     /* names; NULL: one, "output" */
  const char *params;      /* the parameters, a line each; see params.h */
  size_t params_size;      /* sizeof of the parameter struct */
  const ObjectKind *object;/* what the parameters of type object are; NULL: there are none */
  const char *synonyms;    /* further names of parameters and inputs in calls, in pairs: "axis dim"; or NULL */
  /* These four are asked of parameters alone: */
  int (*n_inputs)(const Query *);       /* where not every named input is used: how many are, the first, or... */
  bool (*takes)(const Query *, int name); /* ...those of the named ones for which this holds, in order. A call that
                                          ** gives input NAME by its name sets a bool parameter use_NAME */
  int (*n_outputs)(const Query *);        /* where the number depends on parameters; hidden outputs count */
  int (*n_visible)(const Query *);        /* outputs that the user sees; NULL: all */
  /* Hidden outputs (masks, statistics) that only gradients read: has this call no use for the output? Its
  ** tensor has no data then, and the kernel computes nothing for it. Without q->no_gradient a gradient may come.
  ** NULL: each call has a use for all. */
  bool (*unused)(const Query *, int output);
  const char *initializers; /* MXNet's initializers of variables that become inputs, a line each:
                            ** `moving_var ["one", {}]` */
  /* The effects of a call, DRAWS and so on; NULL: of no call any. This and the next two are asked of parameters, mode
  ** and number of inputs alone: types may not be known. */
  unsigned (*effects)(const Query *);
  bool (*writes)(const Query *, int input);   /* of a call that WRITES: into this input? */
  bool (*state)(const Query *, int input);    /* is it an auxiliary state, listed apart from arguments, whether this
                                              ** call writes to it or not? NULL: none is */
  uint32_t differentiable; /* bit i: input i may have a gradient; 0 stands for all */
  uint32_t flags;
  Role role;

  Status (*infer)(Infer *);
  const Elementwise *elementwise;         /* an expression, or... */
  const Elementwise *(*choose_expression)(const Query *);   /* ...one of several, by the parameters, or... */
  Status (*forward)(Call *);              /* ...a kernel */
  /* Reductions: the fold that the kernel runs on floats, and which axes it folds. */
  const Folding *(*folding)(const Query *, bool *reduced);
  /* Kernels that compute an element of output 0 (and of inputs they write) from the same place of
  ** the inputs alone: elements [first, last). Calls for many arrays can so run as one loop. */
  OpRange *run_range;
  /* The workspaces that a call needs in addition to its outputs, in bytes: of the whole call, and of each thread of its
  ** loops. There are as many threads as run when it is called; *most, lowered, says how many at most have work. */
  size_t (*workspace)(const Query *);
  size_t (*thread_workspace)(const Query *, int *most);
  /* What depends on types and parameters alone is done by `prepare`, once for a run state and once for an eager call:
  ** it resolves axes, chooses an algorithm, packs operands whose values are known already (data is not NULL:
  ** constants of a graph, and all operands of eager calls). It leaves what it finds in the `prepared` bytes of
  ** call->prepared, which forward reads. */
  size_t (*prepared)(const Query *);
  Status (*prepare)(Call *);
  /* Rows with OP_DYNAMIC: completes, from the inputs' values, the output types that infer had
  ** to leave open, before the outputs are allocated. */
  Status (*dynamic)(const Query *, const Tensor *const *in, Type *out);
  /* Output 0 is a view of input 0 at *offset bytes: no kernel runs. */
  bool (*view)(const Query *, size_t *offset);
  /* Output 0 equals input 0 if they have one type (Cast; Dropout outside training): a memory plan may skip it. */
  bool (*same)(const Query *);
  /* Arithmetic operations of one run, a multiply-add being two; NULL: see op_flops. */
  double (*flops)(const Query *);
  /* Rows whose kernel has several forms, with bits of their own: which one a call has, and why ("direct: stride"). The
  ** types and parameters alone choose it. */
  const char *(*form)(const Query *);

  /* Rows whose nodes run graphs of their own: how (ir/subgraph.h); to be freed by control_free. */
  Status (*control)(const void *params, Control *out);

  Status (*grad)(Gradient *);          /* builds the gradient out of other operators, or... */
  Entry (*expand)(Builder *, Node *);  /* ...the operator itself, to the bit, out of ones with a gradient, or */
  void (*expand_all)(Builder *, Node *, Entry *out);  /* ...each of its outputs, MOST_DECOMPOSED at most */
  /* Rows that MXNet does not have: the node's output 0, to the bit, out of operators that MXNet has, for files;
  ** NO_ENTRY where there are none for this node. What was built last takes over the node's name. */
  Entry (*portable)(Builder *, const Node *);
  /* Rows that write to their inputs: output 0 once more, to the bit, out of inputs that it does not write to and its
  ** other outputs, for a backward that recomputes it (pass/checkpoint.c); NULL: it cannot. */
  Entry (*recompute)(Builder *, Node *);
  /* Where the kernel is no expression: the same values, to the bit, out of operators that fuse
  ** (elementwise, folds). */
  void (*lower)(Lowering *);

  Elementwise *gradient[3];               /* elementwise rows: d output / d input i, times g */

  const char *metamethod;  /* "__add": the Lua operator that it implements */
  const char *scalar_form, *scalar_form_reversed;  /* the operators for (array, number) and (number, array) */
  const char *array_form;  /* the operator that takes arrays where this one takes numbers */
  const char *error_name;        /* another name that its errors may begin with, "index assignment"; or NULL */
  const char *name_stem;        /* the stem of automatic names; NULL: the lower-case name */
  const char *operator_stem;  /* the same where the Lua operator was written: "_plus" */
  const char *domain;      /* "lo hi": where tests draw inputs; NULL: "-2 2" */

  const OpInfo *info;      /* what the registry read out of the texts above */
};
/* clang-format on */

/* What the texts of a row say, read once. */
struct OpInfo {
  const char *family;      /* the file in src/ops that the row is in, without .c */
  int n_inputs, n_outputs, n_params, n_aliases;
  bool variadic;
  const char **input, **output, **alias;
  const Param *param;
  Params *defaults;        /* every parameter at its default; shared */
  int count;               /* of a variadic row: the parameter num_... that says how many operands
                           ** a call has; else -1 */
  int check;               /* the inner parameter _check: the caller that has an input checked, as
                           ** errors name it ("dense0: data"); else -1 */
  int shape, dtype;        /* of rows without inputs: the parameters that say the output's type;
                           ** -1 where there is none */
  int num_args;            /* num_args, which calls need not give: their inputs are counted; else -1 */
  const Op *gradient[3];   /* the rows made of op->gradient */
  /* Bound rows: one made of each elementwise row whose parameters are numbers. It has the same expression, and takes
  ** the numbers as its last inputs, each a float64 without axes. NULL where there is none. */
  const Op *bound;         /* of a row with such parameters: its bound row */
  const Op *unbound;       /* of a bound row: the one that it was made of */
};

/* Reads the texts of a row into op->info; once. `family` may be NULL. */
Status op_read(Op *op, const char *family);

/* The same for rows outside of src/ops, which others do not find: at their first use, from any thread. */
Status op_declare(Op *op);

/* ---- The registry (src/ops/op_registry.c) ------------------------------------------ */

Status op_registry_status(void);              /* fails where a row is broken, which is a mistake of ours */
const Op *op_find(const char *name);          /* by name or alias; NULL if there is none */
const Op *op_nearest(const char *name);       /* the most similar name, for error texts; may be NULL */
int op_count(void);
const Op *op_at(int i);                       /* rows in the order of the families */
/* Calls f for each name, except those of internal rows. */
void op_each_name(void (*f)(const char *name, const Op *op, void *context), void *context);
const Op *op_with_role(Role role);            /* never NULL */

/* ---- Reading a row --------------------------------------------------------------- */

int op_inputs(const Op *op, const Params *p);    /* inputs of a call with these parameters */
bool op_counts_inputs(const Op *op);             /* do the row and the parameters determine their number? */
int op_outputs(const Op *op, const Params *p);   /* outputs, hidden ones too */
int op_visible(const Op *op, const Params *p);
const char *op_input_name(const Op *op, int i);  /* "arg3" past the names of a variadic row */
/* The same of a call with these parameters, which may leave out some of the names. */
const char *op_input_title(const Op *op, const void *params, int i);
bool op_takes(const Op *op, const void *params, int name);

/* The parameter struct of a call; params NULL: the defaults. */
static inline const void *op_fields(const Op *op, const Params *params) {
  return params ? params->fields : op->info->defaults->fields;
}
const char *op_synonym(const Op *op, const char *key);  /* what the row calls it; `key` where it is no synonym */
void op_stem(const Op *op, char *to, size_t capacity);       /* of automatic names */
const char *op_title(const Op *op);              /* the name in scripts, for errors: "zeros" for _zeros */
const Elementwise *op_elementwise(const Op *op, const void *params);  /* NULL for kernels */

/* How many of a call's inputs are numbers, the last ones: those of a bound row. */
static inline int op_bound_numbers(const Op *op) { return op->info->unbound ? op->elementwise->n_scalars : 0; }
const char *op_check(const Op *op, const void *params);  /* the value of _check; NULL where there is none */
bool op_differentiable(const Op *op, int input);

/* What monitors call an input; "input0" where MXNet's row has no names. */
const char *op_monitored_input(const Op *op, int input);

/* Does the row have `expand` or `expand_all`? What it gives, in out[0...]; returns for how many outputs. */
static inline bool op_expands(const Op *op) { return op->expand || op->expand_all; }
int op_expand(Builder *b, Node *n, Entry *out);

/* What a call does besides computing its outputs: all code that rewrites, records or runs calls asks here. */
static inline unsigned op_effects(const Query *q) { return q->op->effects ? q->op->effects(q) : 0; }
unsigned op_effects_ever(const Query *q);        /* in training or out of it */
bool op_writes(const Query *q, int input);
bool op_state(const Query *q, int input);
static inline bool op_unused(const Query *q, int output) { return q->op->unused && q->op->unused(q, output); }
unsigned node_effects(const Node *n);            /* in the node's mode; 0 of variables and constants */
unsigned node_effects_ever(const Node *n);
bool node_writes(const Node *n, int input);

/* Columns of rows whose every call does so. */
unsigned op_draws_always(const Query *q);
unsigned op_writes_always(const Query *q);
unsigned op_ordered_always(const Query *q);

/* The arithmetic operations of one run: what the row's `flops` says, else one for each element
** that an expression computes or a reduction takes in, and none for rows that move data. */
double op_flops(const Query *q);

/* Callbacks of operators that stand for something else than a row of src/ops, in nodes whose
** types are given when they are made. */
Status op_keep_types(Infer *f);
Status op_not_called(Call *c);                   /* fails */

/* Runs op->infer, checks its work and puts the operator's name before its errors. */
Status op_infer(const Op *op, const Params *p, Type *in, int n_in, Type *out, int n_out);

#endif
