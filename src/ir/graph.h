/* graph.h - a set of values to compute, and the walk over what they need.
**
** A Graph lists every node that its outputs need, each once, in execution order: inputs before
** users. The first n_forward nodes are its forward part, the others its backward part, which runs
** later and may run again; outputs and inputs are divided in the same way. The sequence number
** (Node.order) is another matter: it determines how gradients are summed, not when a node runs.
**
** Two kinds of graph. One lists nodes that others hold as well: those of symbols. The other owns its
** nodes alone: they are its copies (graph_with_inputs, graph_clone), and each knows its position
** (Node.at), by which passes keep what they find in tables of their own. Only edits (ir/graph_edit.h) and
** the functions below change such a graph; code that reads it writes nothing into its nodes, so several
** threads may run what was built from one.
*/
#ifndef HL_IR_GRAPH_H
#define HL_IR_GRAPH_H

#include "base/map.h"
#include "ir/op.h"

/* Nodes in a row. After nodes_reached `place` gives the position of each; elsewhere it is empty. */
typedef struct NodeList { Node **at; int n, capacity; Map place; } NodeList;

typedef enum Part { PART_FORWARD, PART_BACKWARD } Part;

typedef struct Graph {
  Node **node;          /* each once, inputs before users; the graph owns one reference each */
  int n_nodes;
  int n_forward;        /* number of nodes of forward, which come first */
  Entry *out;           /* the requested values (without references of their own: their nodes are in `node`) */
  int n_out;
  int n_forward_out;    /* number of values of forward, which come first; the others (gradients) are backward's */
  Node **input;         /* the variables, in the order the caller binds values to them */
  int n_input;
  int n_forward_in;     /* number of those bound when forward runs, which come first; the others (head gradients) are
                        ** bound for backward */
  bool own;             /* it owns its nodes alone, and they know their positions */
  bool remat;           /* backward is to recompute values of forward where that saves memory (pass/checkpoint.c) */
} Graph;

static inline Part graph_part(const Graph *g, int at) { return at < g->n_forward ? PART_FORWARD : PART_BACKWARD; }

/* The nodes that `out` reaches, depth first from the outputs, inputs in order (MXNet's order, so
** that list_arguments agrees); fills g->node and g->out, and g->input with the variables in order of
** the walk. The nodes are those of others: no positions, all of it forward. */
Status graph_new(const Entry *out, int n_out, Graph *g);
void graph_free(Graph *g);

/* A graph of its own, copied from what `out` needs, with the given inputs: `input` lists every variable
** that `out` needs (others too, which stay unused), and `also` are nodes to keep that nothing needs.
** Fails naming a variable that is not listed. The nodes stand in script order, or in that of the walk
** where a variable was replaced by something younger. */
Status graph_with_inputs(const Entry *out, int n_out, Node *const *input, int n_input, const NodeList *also, Graph *g);

/* A copy whose nodes are its own and may be changed: names, parameters, constants'
** values are shared; parts, inputs and outputs correspond. */
Status graph_clone(const Graph *g, Graph *out);

/* One node's copy, on other inputs (as many). On failure *out may be a node to be released. */
Status node_copy(const Node *from, const Entry *in, Node **out);

/* Makes `list` the nodes of g, which owns its nodes: n nodes in execution order, the first n_forward of
** them forward's. Takes the list over, and a reference of each node in it; releases the nodes before.
** Nodes that neither outputs nor inputs nor nodes with effects need are dropped. Fails without memory, and with
** E_INTERNAL if a node, output or input is not in the list or a node does not follow all that it reads; then g keeps
** its nodes, and the list is released, too. */
Status graph_set_nodes(Graph *g, Node **list, int n, int n_forward);

/* By position, of a graph that owns its nodes: which input a node is, or -1. The caller frees it. */
Status graph_number_inputs(const Graph *g, int **number);

/* The same for which outputs a node leads to, bit i for output i up to 64, through the inputs of nodes that `through`
** is true of. */
typedef bool ThroughInput(const Node *n, int input);
Status graph_leads(const Graph *g, ThroughInput *through, uint64_t **leads);

/* Drops unreachable nodes. */
Status graph_prune(Graph *g);

/* The types of one node's outputs, from those of its inputs. */
Status node_infer(Node *n);

/* Infers every type from those of the inputs, forwards and backwards until nothing
** more is learned. Fails on contradiction, naming operator, parameter and line. What
** stays unknown is no failure: see graph_unknown. */
Status graph_infer(Graph *g);

/* The same; then unknown dimensions of an elementwise operator's operand are taken from the other operand, and so on.
** MXNet does so for a + b of Symbols, whose operands have one shape there. For graphs whose variables have no arrays
** yet. */
Status graph_infer_guessing(Graph *g);
const Node *graph_unknown(const Graph *g);     /* a node with an output of unknown type, or NULL */

/* One line a node: "%3 = FullyConnected(%0, %1, %2) num_hidden=4 -> float32 (2, 4)  # train.lua:12". */
Status graph_print(const Graph *g, Text *out);

/* The walk itself, for callers that keep no graph: lists every node that the
** entries reach, inputs first. `enter` may cut: nodes for which it returns false are
** listed, but not walked into. No recursion: chains may be long. */
typedef bool EnterNode(const Node *n, void *context);
Status nodes_reached(const Entry *from, int n, EnterNode *enter, void *context, NodeList *out);
Status node_list_add(NodeList *list, Node *n);
void node_list_free(NodeList *list);

/* The position of a node that was reached, or -1. */
static inline int node_list_find(const NodeList *list, const Node *n) { return map_get(&list->place, n); }

#endif
