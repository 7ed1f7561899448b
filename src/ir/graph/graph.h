/* graph.h - a graph of the nodes that some values depend on, and the walk that finds them.
**
** A Graph lists every node that its outputs depend on, each once, in execution order: inputs before users. The first
** n_forward nodes are its forward part. The others are its backward part, which runs later and may run again. Inputs
** and outputs are divided in the same way. The sequence number (Node.order) does not determine when a node runs, only
** how gradients are summed.
**
** There are two kinds of graph. Graphs of symbols list nodes that are shared with others. All other graphs own their
** nodes: these are copies (graph_with_inputs, graph_clone) that know their position (Node.at), by which passes index
** tables. Only edits (ir/graph/graph_edit.h) and the functions below change such a graph. Running it writes nothing
** into its nodes, so several threads may run it.
*/
#ifndef HL_IR_GRAPH_GRAPH_H
#define HL_IR_GRAPH_GRAPH_H

#include "base/map.h"
#include "ir/op.h"

/* A list of nodes. After nodes_reached `place` maps each node to its position; otherwise it is empty. */
typedef struct NodeList { Node **at; int n, capacity; Map place; } NodeList;

typedef enum Part { PART_FORWARD, PART_BACKWARD } Part;

typedef struct Graph {
  Node **node;          /* inputs before users; the graph owns one reference to each */
  int n_nodes;
  int n_forward;        /* number of forward nodes, which come first */
  Entry *out;           /* the requested values, without references */
  int n_out;
  int n_forward_out;    /* number of forward outputs, which come first; the others (gradients) are backward's */
  Node **input;         /* the variables, in the order of binding */
  int n_input;
  int n_forward_in;     /* number of inputs bound when forward runs, which come first; the others (head gradients)
                        ** are bound for backward */
  Device device;        /* that it is compiled for; DEVICE_HOST for all kinds of CPU */
  bool own;             /* it owns its nodes, and they know their positions */
  bool remat;           /* backward should recompute forward values to save memory (pass/checkpoint.c) */
} Graph;

static inline Part graph_part(const Graph *g, int at) { return at < g->n_forward ? PART_FORWARD : PART_BACKWARD; }

/* Lists the nodes that `out` reaches in post-order, depth first, inputs in order. Like MXNet's, that order determines
** list_arguments. Fills g->node, g->out and, with the variables, g->input. The nodes are shared: they do not know their
** positions, and all are forward. */
Status graph_new(const Entry *out, int n_out, Graph *g);
void graph_free(Graph *g);

/* Makes a graph of copies of the nodes that `out` needs. `input` must contain every variable that `out` needs, and may
** contain others; `also` lists further nodes to keep. Fails if a variable is not in `input`; the error names it. The
** nodes are in script order, or in the order of the walk if a variable was replaced by a younger node. */
Status graph_with_inputs(const Entry *out, int n_out, Node *const *input, int n_input, const NodeList *also, Graph *g);

/* Copies a graph into one that owns its nodes. Names, parameters and values of constants are shared. */
Status graph_clone(const Graph *g, Graph *out);

/* Copies a node with other inputs, equal in number. On failure *out may be a node that the caller must release. */
Status node_copy(const Node *from, const Entry *in, Node **out);

/* Replaces the nodes of g, which owns its nodes, by n nodes in execution order; the first n_forward are forward's.
** Takes over the list and one reference per node, on failure too. Drops nodes that no output, no input and no node with
** effects needs. Fails if memory runs out. Fails with E_INTERNAL, leaving g unchanged, if the list lacks a node, output
** or input, or is out of order. */
Status graph_set_nodes(Graph *g, Node **list, int n, int n_forward);

/* By position, of a graph that owns its nodes: the index of an input, or -1. The caller frees it. */
Status graph_number_inputs(const Graph *g, int **number);

/* By position: the outputs that depend on a node through inputs for which `through` is true; bit i for output i, up to
** 64. The caller frees it. */
typedef bool ThroughInput(const Node *n, int input);
Status graph_leads(const Graph *g, ThroughInput *through, uint64_t **leads);

/* Drops unreachable nodes. */
Status graph_prune(Graph *g);

/* Infers all types from those of the inputs, forwards and backwards, until a round learns nothing new. Fails on a
** contradiction; the error names operator, parameter and line. Types may stay unknown: see graph_unknown. */
Status graph_infer(Graph *g);

/* Also takes unknown dimensions of an elementwise operator's operand from the other operand. That follows MXNet, where
** both operands of a + b of Symbols have the same shape. For graphs whose variables have no arrays yet. */
Status graph_infer_guessing(Graph *g);
const Node *graph_unknown(const Graph *g);     /* a node with an output of unknown type, or NULL */

/* One line per node: "%3 = FullyConnected(%0, %1, %2) num_hidden=4 -> float32 (2, 4)  # train.lua:12". */
Status graph_print(const Graph *g, Text *out);

/* The walk itself, for callers without a graph: lists every node that the entries reach, inputs first. Nodes for
** which `enter` returns false are listed, but their inputs are not visited. It uses no recursion, since chains may
** be long. */
typedef bool EnterNode(const Node *n, void *context);
Status nodes_reached(const Entry *from, int n, EnterNode *enter, void *context, NodeList *out);
Status node_list_add(NodeList *list, Node *n);
void node_list_free(NodeList *list);

/* The position of a node in a list made by nodes_reached, or -1. */
static inline int node_list_find(const NodeList *list, const Node *n) { return map_get(&list->place, n); }

#endif
