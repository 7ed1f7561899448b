/* subgraph.h - a graph that a node runs: the body of a loop, or a branch of a condition.
**
** A Subgraph is an immutable object parameter (ir/params.h), which copies of a node share; it owns its nodes. Its
** inputs are the values that the body reads: slots that the node fills (an item, a state) and free values, which are
** inputs of the node.
**
** A row that runs subgraphs describes them in its column `control`, as a Control. The kernels of such rows call the
** engine, which src/exec fills in: it runs a subgraph as a compiled function with its own specializations.
**
** lua/hybridlua/control.lua runs a body once, and bind/value/symbol_control.c cuts it out of the graph. Older values
** that the body reads, and every variable, become inputs of the node. exec/control/loop_kernels.c is the engine; an
** iteration is one call of the compiled subgraph (exec/tape/iterations.h). The result of a condition's branch is
** copied, eager or compiled, so it is a new value even if it existed before.
**
** The gradient is one stateless row (ops/control/loop_gradient.c). Hidden outputs keep what it needs to run the
** iterations again: the random stream, and the inputs that the body writes to. It returns each gradient as a run of
** terms, one per iteration. pass/differentiate.c adds these to the earlier terms, so the sums equal those of a loop in
** Lua whose body is a block.
*/
#ifndef HL_IR_GRAPH_SUBGRAPH_H
#define HL_IR_GRAPH_SUBGRAPH_H

#include "ir/graph/graph.h"

typedef struct Subgraph {
  int refs;
  Graph graph;
  char *name;                    /* for errors: "foreach0" */
  Scope *outer;  /* the block call in which the body, itself a block call, was traced; NULL: the script */
  unsigned effects[2];           /* of its nodes, in prediction and in training mode */
  bool *writes;                  /* by input: is it written in place, in any mode? */
  bool *state;                   /* by input: is it an auxiliary state of some operator? */
  bool *taped;  /* by input: does an output depend on it through nodes that are recorded when the body is? */
  void *compiled;                /* for the engine, freed by `free_compiled` */
  void (*free_compiled)(void *compiled);
} Subgraph;

extern const ObjectKind subgraph_kind;

/* Makes a subgraph of what `out` and `also` need; `input` must contain all variables among that. */
Status subgraph_new(const char *name, const Entry *out, int n_out, Node *const *input, int n_input,
                    const NodeList *also, Scope *outer, Subgraph **result);

/* The values read by a body that began at a given sequence number. */
typedef struct Cut {
  Node **input;               /* of the subgraph, in the order of the walk; owned */
  Entry *outside;             /* by input: its value in the outer graph (owned), or NO_ENTRY for a slot */
  int *place;                 /* by input: the number of its slot, or -1 */
  int n_input;
} Cut;

/* Cuts a body out of the graph around it. The body consists of the nodes created since `begun` that lead to `out` or
** are in `also`. Older values that it reads, and every variable, become inputs. `place`: the variables that the node
** fills; with `unread` those that the body does not read become inputs too. */
Status subgraph_cut(const char *name, const Entry *out, int n_out, Node *const *place, int n_places, bool unread,
                    const NodeList *also, uint64_t begun, Scope *outer, Cut *cut, Subgraph **result);
void cut_free(Cut *cut);

Subgraph *subgraph_retain(Subgraph *g);
void subgraph_release(Subgraph *g);

/* Completes the types of inputs and outputs, as Infer does; guess: see graph_infer_guessing. */
Status subgraph_infer(const Subgraph *g, Type *in, Type *out, bool guess);

/* ---- How a row runs its subgraphs -------------------------------------------------------------- */

typedef enum ControlKind {
  CONTROL_FOREACH,               /* graph 0 for each item of the data; outputs: stacked ones, then the last states */
  CONTROL_WHILE,                 /* graph 1 while graph 0 is true; outputs: stacked ones, then the last states */
  CONTROL_CHOICE                 /* graph 1 if graph 0 is true, else graph 2 */
} ControlKind;

/* The source of a subgraph's input. */
typedef enum SourceKind { SOURCE_INPUT, SOURCE_ITEM, SOURCE_STATE } SourceKind;
typedef struct Source { SourceKind kind; int index; } Source;     /* index of an input of the node, of the data, or
                                                                  ** of a state */

enum { MOST_SUBGRAPHS = 3 };

struct Control {
  ControlKind kind;
  int n_graphs;
  Subgraph *graph[MOST_SUBGRAPHS];
  Source *source[MOST_SUBGRAPHS];    /* by subgraph and input */
  int n_in;                      /* of the node, data first */
  int n_data, n_stacked, n_states;   /* stacked and states are the visible outputs (all for a choice) */
  int *initial;                  /* by state: the node's input with its initial value */
  int64_t most;                  /* upper limit of iterations; foreach: the number of items */
  bool draws;                    /* in any mode */
  bool *writes, *state;          /* by input of the node: see Subgraph */
  bool *carried;                 /* by input of the node: do outputs depend on it through recorded nodes, apart from
                                 ** the truth of a condition? */
  int n_writes;
  void *memory;
};

/* The last hidden output of a control node represents its iterations. Backward passes read it, so that their gradients
** reach the control node together with those of its outputs. It is empty, float32 (0). */

void control_free(Control *c);

/* Do outputs of the node depend on this input? True for nodes that run no graphs. */
bool control_carries(const Node *n, int input);

/* The subgraph that computes the outputs. */
static inline const Subgraph *control_body(const Control *c) { return c->graph[c->kind == CONTROL_FOREACH ? 0 : 1]; }
static inline int control_outputs(const Control *c) { return c->n_stacked + c->n_states; }

/* The parameters of ROLE_UNSTACK and ROLE_PUT_ROWS. */
typedef struct UnstackParams { int64_t begin, count; } UnstackParams;
typedef struct PutRowsParams { int64_t num_args, length; List rows; int64_t plus_zero; } PutRowsParams;

/* A backward pass over the iterations of a control node, from heads to results; also an object parameter. Heads are
** outputs of the node and, for gradients of gradients, results of `earlier` passes over the same iterations. */
typedef struct BackHead {
  int of;                        /* -1: the control node; else an index in `earlier` */
  int output;                    /* of the control node, or a result of the earlier pass */
  bool run;                      /* its gradient is a run of terms, and the next input is their count */
} BackHead;

typedef struct BackResult {
  int of;                     /* -1: the gradient of input `at` of the control node, a run of terms and its length;
                              ** else the gradient of the terms given for head `at` of that earlier pass */
  int at;
  int most;                   /* most terms of the run */
} BackResult;

typedef struct ControlBack {
  int refs;
  uint64_t born;                 /* higher for later passes */
  const Op *op;                  /* row and parameters of the control node */
  Params *params;
  int n_in, n_out;               /* inputs and visible outputs of the control node */
  int n_heads, n_results, n_earlier;
  BackHead *head;                /* stacked outputs first, at most one head each, for the sum of its gradients; then
                                 ** states, one head per term */
  BackResult *result;
  struct ControlBack **earlier;  /* in order of creation; includes those that these need */
  int *same;                     /* by input of the control node: the first that is the same value */
} ControlBack;

typedef struct BackParams { ControlBack *back; } BackParams;     /* parameters of ROLE_CONTROL_BACK */

/* A backward node's inputs are, in order: the gradients of its own heads, each followed by a count if it is a run;
** those of earlier passes' heads; the control node's inputs; its hidden outputs, iterations last. Returns the first
** input for the heads of earlier[at], for its own if at == n_earlier, or after all heads if at == -1. */
int control_back_place(const ControlBack *b, int at);
int control_head_place(const ControlBack *b, int head);      /* the input for a head, counted from the first head of
                                                             ** the pass */
int control_back_outputs(const ControlBack *b, int result);  /* number of outputs of the node before those of this
                                                             ** result */
int control_earlier(const ControlBack *b, const ControlBack *which);   /* index in `earlier`, or -1 */

typedef struct ControlEngine {
  Status (*forward)(Call *c, const Control *how);
  Status (*backward)(Call *c, const Control *how, const ControlBack *back);
} ControlEngine;
extern const ControlEngine *_Atomic control_engine;

#endif
