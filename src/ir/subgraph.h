/* subgraph.h - a graph that a node runs: the body of a loop, a branch of a condition.
**
** A Subgraph is an object parameter (ir/params.h): nodes that are copied share it, and it is never
** changed. Its inputs are what the body reads: places that the node fills (an item, a state) and free
** values, which the node has among its inputs. Its nodes are its own.
**
** A row that runs subgraphs says how in its column `control`: a Control. The kernels of such rows call
** the engine, which src/exec fills in: a subgraph runs as a compiled function with specializations of its own.
**
** lua/hybridlua/control.lua runs a body once, and bind/value/symbol_control.c cuts out what it made. Older values that
** it reads, and every variable, become inputs of the node. exec/control/loop_kernels.c is the engine; an iteration is
** one call of the compiled subgraph (exec/tape/iterations.h). What a branch of a condition returns is copied in its
** call, eager or compiled, so it is a new value even if it existed before.
**
** The gradient is one stateless row (ops/control/loop_gradient.c). Hidden outputs keep what it needs to run the
** iterations again: the random stream and the inputs that the body writes to. It returns each gradient as a run of
** terms, one per iteration, which pass/differentiate.c adds to the terms before: so sums are those of a loop in Lua
** whose body is a block.
*/
#ifndef HL_IR_SUBGRAPH_H
#define HL_IR_SUBGRAPH_H

#include "ir/graph.h"

typedef struct Subgraph {
  int refs;
  Graph graph;
  char *name;                    /* for errors: "foreach0" */
  Scope *outer;                  /* the block call that the body, a block call itself, was traced in;
                                 ** NULL: the script */
  unsigned effects[2];           /* of its nodes, in prediction and in training */
  bool *writes;                  /* by input: is it written in place, in any mode? */
  bool *state;                   /* by input: is it an auxiliary state of some operator? */
  bool *taped;                   /* by input: does an output come from it by nodes that are recorded where the body
                                 ** is? */
  void *compiled;                /* the engine's, freed by `free_compiled` */
  void (*free_compiled)(void *compiled);
} Subgraph;

extern const ObjectKind subgraph_kind;

/* Of what `out` needs and `also` lists; `input` lists all variables among that. */
Status subgraph_new(const char *name, const Entry *out, int n_out, Node *const *input, int n_input,
                    const NodeList *also, Scope *outer, Subgraph **result);

/* What a body that began at this sequence number read. */
typedef struct Cut {
  Node **input;               /* of the subgraph, in the order of the walk; owned */
  Entry *outside;             /* by input: its value in the graph around, or NO_ENTRY for a place (owned) */
  int *place;                 /* by input: which of the places, or -1 */
  int n_input;
} Cut;

/* Cuts the body out of the graph around it: what was created since `begun` and leads to `out` or is in `also` is the
** body; everything older that it reads, and every variable, becomes an input. `place` are the variables that the
** node fills; with `unread` also those that the body does not read become inputs. */
Status subgraph_cut(const char *name, const Entry *out, int n_out, Node *const *place, int n_places, bool unread,
                    const NodeList *also, uint64_t begun, Scope *outer, Cut *cut, Subgraph **result);
void cut_free(Cut *cut);

Subgraph *subgraph_retain(Subgraph *g);
void subgraph_release(Subgraph *g);

/* Completes the types of inputs and outputs, as Infer does; guess: as graph_infer_guessing does. */
Status subgraph_infer(const Subgraph *g, Type *in, Type *out, bool guess);

/* ---- How a row runs its subgraphs -------------------------------------------------------------- */

typedef enum ControlKind {
  CONTROL_FOREACH,               /* graph 0 for each item of the data; outputs are stacked, then the last states */
  CONTROL_WHILE,                 /* while graph 0 is true, graph 1; outputs are stacked, then the last states */
  CONTROL_CHOICE                 /* graph 1 if graph 0 is true, else graph 2 */
} ControlKind;

/* What fills an input of a subgraph. */
typedef enum SourceKind { SOURCE_INPUT, SOURCE_ITEM, SOURCE_STATE } SourceKind;
typedef struct Source { SourceKind kind; int index; } Source;     /* input of the node; which data; which state */

enum { MOST_SUBGRAPHS = 3 };

struct Control {
  ControlKind kind;
  int n_graphs;
  Subgraph *graph[MOST_SUBGRAPHS];
  Source *source[MOST_SUBGRAPHS];    /* by input of each */
  int n_in;                      /* of the node; data come first */
  int n_data, n_stacked, n_states;   /* visible outputs: the stacked ones, then the states (all for a choice) */
  int *initial;                  /* by state: the input of the node that it begins with */
  int64_t most;                  /* iterations at most; foreach: as many as there are items */
  bool draws;                    /* in any mode */
  bool *writes, *state;          /* by input of the node: see Subgraph */
  bool *carried;                 /* by input of the node: do outputs come from it by nodes that are recorded, not
                                 ** the truth of a condition alone? */
  int n_writes;
  void *memory;
};

/* The last hidden output of a control node stands for its iterations: nodes that go back over them read it, so that
** their gradients meet those of the outputs. It is empty, float32 (0). */

void control_free(Control *c);

/* Do outputs of the node come from this input? Of other nodes they always do. */
bool control_carries(const Node *n, int input);

/* The graph that makes the outputs. */
static inline const Subgraph *control_body(const Control *c) { return c->graph[c->kind == CONTROL_FOREACH ? 0 : 1]; }
static inline int control_outputs(const Control *c) { return c->n_stacked + c->n_states; }

/* The parameters of ROLE_UNSTACK and ROLE_PUT_ROWS. */
typedef struct UnstackParams { int64_t begin, count; } UnstackParams;
typedef struct PutRowsParams { int64_t num_args, length; List rows; int64_t plus_zero; } PutRowsParams;

/* A backward pass over the iterations of a control node, an object parameter too, from heads to results. Heads are
** outputs of the node and, for gradients of gradients, results of `earlier` passes over the same iterations. */
typedef struct BackHead {
  int of;                        /* -1: the control node; else one of `earlier` */
  int output;                    /* of the control node; which result of the earlier one */
  bool run;                      /* its gradient is a run of terms: their count is the next input */
} BackHead;

typedef struct BackResult {
  int of;                     /* -1: the gradient of input `at` of the control node, a run of terms and its length;
                              ** else the gradient of what head `at` of an earlier one was given */
  int at;
  int most;                   /* terms of the run at most */
} BackResult;

typedef struct ControlBack {
  int refs;
  uint64_t born;                 /* later ones have higher numbers */
  const Op *op;                  /* the row and the parameters of the control node */
  Params *params;
  int n_in, n_out;               /* of the control node; visible outputs */
  int n_heads, n_results, n_earlier;
  BackHead *head;                /* stacked outputs come first, a head each at most: the sum of their gradients;
                                 ** of states a head for each term */
  BackResult *result;
  struct ControlBack **earlier;  /* in the order in which they were created; what these need is among them */
  int *same;                     /* by input of the control node: the first that is the same value */
} ControlBack;

typedef struct BackParams { ControlBack *back; } BackParams;     /* the parameters of ROLE_CONTROL_BACK */

/* Inputs of the node: what the heads get, or a run and its count, those of its own first, then those of the earlier
** ones; then the inputs of the control node and its hidden outputs, the iterations last. Gives where the heads of
** earlier[at] begin; at == n_earlier: its own; -1: the number of all. */
int control_back_place(const ControlBack *b, int at);
int control_head_place(const ControlBack *b, int head);      /* the input that a head gets, among its own */
int control_back_outputs(const ControlBack *b, int result);  /* outputs of the node before those of this result */
int control_earlier(const ControlBack *b, const ControlBack *which);   /* which of the earlier ones; -1: none */

typedef struct ControlEngine {
  Status (*forward)(Call *c, const Control *how);
  Status (*backward)(Call *c, const Control *how, const ControlBack *back);
} ControlEngine;
extern const ControlEngine *_Atomic control_engine;

#endif
