/* node.h - one operation, variable or constant of a graph.
**
** A node holds its operator, parameters, inputs, output types (known at creation if the inputs' are), name, the script
** line that made it, and the block call that contains it. Three kinds of node compute nothing: variables (op NULL, no
** value), constants (op NULL, a value), and nodes on the tape whose values exist already (op set, value set).
**
** Nodes own references to their inputs. They are freed without recursion, so that a chain of a million nodes overflows
** no stack.
*/
#ifndef HL_IR_NODE_H
#define HL_IR_NODE_H

#include "base/script_origin.h"
#include "ir/struct_names.h"
#include "tensor/tensor.h"

/* One value: output `index` of `node`. */
typedef struct Entry {
  Node *node;
  int index;
} Entry;

#define NO_ENTRY ((Entry){ 0 })

/* A block call; gradients are summed along the tree of block calls (pass/differentiate.c). */
struct Scope {
  int refs;
  Scope *parent;         /* NULL: the script itself */
  uint64_t order;        /* sequence number among calls and nodes */
  uint64_t born;         /* the same, except for calls that share the sequence number of the node that they replace
                         ** (exec/control/loop_kernels.c) */
  char path[];           /* the name of the block, such as "net.0" */
};

/* The gradient of a variable on the tape. */
typedef enum GradReq { GRAD_NULL, GRAD_WRITE, GRAD_ADD } GradReq;
typedef struct Leaf {
  GradReq req;
  Tensor grad;           /* the gradient, written by backward */
  uint64_t fresh;        /* a new number each time that a backward reaches it; 0 before the first */
} Leaf;

/* The mode that the script set around a node of a trace (autograd.pause, train_mode, predict_mode inside a block):
** inherited from the call, off or on. */
typedef enum RequestedMode { MODE_INHERIT, MODE_OFF, MODE_ON } RequestedMode;

static inline bool requested_mode_or(RequestedMode requested, bool called) {
  return requested == MODE_INHERIT ? called : requested == MODE_ON;
}

/* User attributes ("__lr_mult__" = "2.0"), in the order in which they were set. */
typedef struct Attribute {
  struct Attribute *next;
  char *value;
  char key[];
} Attribute;

/* MXNet's attributes, which scripts write as "lr_mult" and graphs keep as "__lr_mult__"; NULL at the end. */
extern const char *const hidden_attributes[];

struct Node {
  int refs;
  uint16_t n_out;
  bool aux;              /* it is a variable that is an auxiliary state of some operator */
  bool freed;            /* a backward has freed the inputs of this tape node */
  bool train;            /* run in training mode */
  bool paused;           /* recording is paused: no gradient passes */
  uint8_t train_requested, record_requested;   /* RequestedMode, in traces; with the call's modes they give `train`
                                               ** and `paused` */
  int16_t written;       /* of a state: number of writes before its graph, by a file's count; -1: not counted
                         ** (io/symbol/symbol_node.c) */
  int n_in;
  Device device;         /* of its outputs if no input determines it, because there is none or it copies from another
                         ** device (run_device) */
  const Op *op;          /* NULL: variable or constant */
  Params *params;        /* NULL exactly if op is */
  Entry *in;
  Type *type;            /* of each output */
  Tensor *value;         /* of each output, or NULL */
  uint32_t *version;     /* on the tape: versions of inputs, then outputs, when it ran */
  Leaf *leaf;            /* of a variable with a gradient, or NULL */
  char *name;            /* NULL if none was set */
  Attribute *attributes;
  Scope *scope;
  Origin origin;
  Origin caller;         /* of a node of a training step: the script's line that performs it, with which errors
                         ** begin; 0: none */
  const Op *of;          /* of a node that computes a gradient: the operator that was differentiated */
  uint64_t order;        /* sequence number: creation order among calls and nodes, in which gradients are summed
                         ** (pass/differentiate.c) */
  int at; /* its position in the graph that owns it; -1 on the tape and in symbols (ir/graph/graph.h) */
};

/* Return the next sequence number of this thread, and the first of n reserved ones. */
uint64_t order_next(void);
uint64_t order_reserve(uint64_t n);

/* Number of sequence numbers that a node uses. One that runs graphs reserves another for each input, for the node that
** makes rows of the input if the loop is inlined (exec/tape/inline_loop.h). */
uint64_t node_places(const Op *op, int n_in);

/* Make a node with refs 1, retained inputs, and unknown types. If `in` is NULL, the caller fills n->in with entries
** that it owns. */
Status node_new(const Op *op, Params *params, const Entry *in, int n_in, int n_out, Node **out);
Status node_variable(const char *name, const Type *type, Node **out);
Status node_constant(const Tensor *value, Node **out);

Node *node_retain(Node *n);
void node_release(Node *n);

/* Replaces input i. */
void node_set_input(Node *n, int i, Entry value);

/* Frees inputs, values and object parameters, when backward frees the tape. */
void node_free_history(Node *n);

/* Makes the node a constant, without inputs. */
void node_make_constant(Node *n);
void node_free_values(Node *n);

Status node_set_name(Node *n, const char *name);
Status node_set_attribute(Node *n, const char *key, const char *value);
/* Sets an attribute as a script does: a hidden one gets its underscores. */
Status node_set_own_attribute(Node *n, const char *key, const char *value);
bool attribute_is_own(const char *key); /* may it be set on operators: is it hidden, or like __this__? */
const char *attribute_written(const char *key); /* lr_mult for the hidden __lr_mult__; NULL for others */
const char *node_attribute(const Node *n, const char *key);

static inline bool node_is_variable(const Node *n) { return !n->op && (n->leaf || !n->value); }
static inline bool node_is_constant(const Node *n) { return !n->op && n->value && !n->leaf; }
static inline Type *entry_type(Entry e) { return &e.node->type[e.index]; }
static inline bool entry_equal(Entry a, Entry b) { return a.node == b.node && a.index == b.index; }

/* The index of a value in a list of n, or n. */
static inline int entry_find(const Entry *list, int n, Entry e) {
  int at = 0;
  while (at < n && !entry_equal(list[at], e)) at++;
  return at;
}

Scope *scope_new(Scope *parent, const char *path);
Scope *scope_retain(Scope *s);
void scope_release(Scope *s);

#endif
