/* graph.h - a set of values to compute, and the walk over what they need.
**
** A Graph lists every node its outputs reach, inputs before users, in an order that
** follows the script: among nodes that could come next, depth first from the
** outputs, inputs in order (MXNet's order, so that list_arguments agrees). Operators
** that must run (random, effects) are reached through the outputs or listed apart.
*/
#ifndef HL_GRAPH_H
#define HL_GRAPH_H

#include "ir/op.h"

typedef struct NodeList { Node **at; int n, capacity; } NodeList;

typedef struct Graph {
  Node **node;          /* each once, inputs before users; the graph owns one reference each */
  int n_nodes;
  Entry *out;           /* the values asked for (not owned apart: their nodes are in `node`) */
  int n_out;
  Node **input;         /* the variables, in the order the caller binds values to them */
  int n_input;
} Graph;

/* The nodes that `out` reaches, in order; fills g->node and g->out, and g->input with
** the variables in order of the walk. */
Status graph_new(const Entry *out, int n_out, Graph *g);
void graph_free(Graph *g);

/* The same with the inputs told: `input` lists every variable that `out` needs (others
** too, which stay unused), and `also` are nodes to keep that nothing needs. Fails naming
** a variable that is not listed. The nodes stand in script order. */
Status graph_with_inputs(const Entry *out, int n_out, Node *const *input, int n_input, const NodeList *also, Graph *g);

/* A copy whose nodes are its own and may be changed: names, parameters, constants'
** values are shared; inputs and outputs correspond. */
Status graph_clone(const Graph *g, Graph *out);

/* After nodes were rewired or dropped: keeps what the outputs, the inputs and the nodes
** that run for their effect need, in script order (Node.order), which computes inputs
** before users as well: nodes are born after their inputs. */
Status graph_refresh(Graph *g);

/* How many nodes, the first ones, have at most this order. */
int graph_nodes_up_to(const Graph *g, uint64_t order);

/* The types of one node's outputs, from those of its inputs. */
Status node_infer(Node *n);

/* Infers every type from those of the inputs, forwards and backwards until nothing
** more is learned. Fails on contradiction, naming operator, parameter and line. What
** stays unknown is no failure: see graph_unknown. */
Status graph_infer(Graph *g);
const Node *graph_unknown(const Graph *g);     /* a node with an output of unknown type, or NULL */

/* One line a node: "%3 = FullyConnected(%0, %1, %2) num_hidden=4 -> float32 (2, 4)  # train.lua:12". */
Status graph_print(const Graph *g, Text *out);

/* The walk itself, for callers that keep no graph: lists every node that the
** entries reach, inputs first. `enter` may cut: nodes for which it returns false are
** listed, but not walked into. No recursion: chains may be long. */
typedef bool EnterNode(const Node *n, void *context);
Status nodes_reached(const Entry *from, int n, EnterNode *enter, void *context, NodeList *out);
/* A mark that no earlier walk of this thread used: nothing needs clearing. */
int64_t node_fresh_mark(void);
Status node_list_add(NodeList *list, Node *n);
void node_list_free(NodeList *list);

#endif
