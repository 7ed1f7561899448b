/* node.h - one operation, variable or constant; the graph is made of them.
**
** A node knows its operator, parameters, inputs, the type of each output (known at
** creation where the inputs' are), its name, the line of the script that made it and
** the call of a block in which it was made. Three kinds of node have no operator's
** output to compute: a variable (op NULL, no value), a constant (op NULL, a value),
** and, on the tape, nodes whose values are there already (op set, value set).
** Nodes hold their inputs by reference count; they are freed without recursion, so
** that a chain of a million overflows no stack.
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

/* A call of a block: gradients are summed along the tree of these (pass/differentiate.c). */
struct Scope {
  int refs;
  Scope *parent;         /* NULL: the script itself */
  uint64_t order;        /* sequence number among calls and nodes */
  uint64_t born;         /* the same, but for calls that share the sequence number of the
                         ** node that they stand for (exec/control/loop_kernels.c) */
  char path[];           /* the block, for people: "net.0" */
};

/* What a variable of the tape knows about its gradient. */
typedef enum GradReq { GRAD_NULL, GRAD_WRITE, GRAD_ADD } GradReq;
typedef struct Leaf {
  GradReq req;
  Tensor grad;           /* where backward leaves it */
  uint64_t fresh;        /* another number whenever a backward reaches it, unlike all before; 0 before the first */
} Leaf;

/* The mode that the script requested around a node of a trace (autograd.pause, train_mode, predict_mode inside a
** block): inherited from the call, or one of its own. */
typedef enum RequestedMode { MODE_INHERIT, MODE_OFF, MODE_ON } RequestedMode;

static inline bool requested_mode_or(RequestedMode requested, bool called) {
  return requested == MODE_INHERIT ? called : requested == MODE_ON;
}

/* User attributes ("__lr_mult__" = "2.0"), in the order they were set. */
typedef struct Attribute {
  struct Attribute *next;
  char *value;
  char key[];
} Attribute;

/* MXNet's own, which scripts write as "lr_mult" and graphs keep as "__lr_mult__"; NULL at the end. */
extern const char *const hidden_attributes[];

struct Node {
  int refs;
  uint16_t n_out;
  bool aux;              /* a variable that is an auxiliary state of some operator */
  bool freed;            /* a tape node whose inputs a backward has freed */
  bool train;            /* ran, or is to run, in training mode */
  bool paused;           /* ran, or is to run, while recording was paused: no gradient passes */
  uint8_t train_requested, record_requested;   /* RequestedMode: what a call's modes make of it (in traces) */
  int16_t written;       /* a state: how often before its graph, as its file counts;
                         ** -1: it does not count (io/symbol_json) */
  int n_in;
  Device device;         /* of its outputs, where no input determines it: it has none,
                         ** or copies from another device (run_device) */
  const Op *op;          /* NULL: variable or constant */
  Params *params;        /* NULL exactly if op is */
  Entry *in;
  Type *type;            /* of each output */
  Tensor *value;         /* of each output, or NULL */
  uint32_t *version;     /* on the tape: the versions of inputs, then outputs, when it ran */
  Leaf *leaf;            /* a variable with a gradient, or NULL */
  char *name;            /* NULL: none was asked for */
  Attribute *attributes;
  Scope *scope;
  Origin origin;
  const Op *of;          /* of a node that gives a gradient: the operator whose gradient it is */
  uint64_t order;        /* sequence number: creation order among calls and nodes, in which
                         ** gradients are summed (pass/differentiate.c) */
  int at;                /* its position in the graph that it belongs to alone;
                         ** -1 on the tape and in symbols (ir/graph.h) */
};

/* The next sequence number of this thread; the first of n sequence numbers. */
uint64_t order_next(void);
uint64_t order_reserve(uint64_t n);

/* How many sequence numbers a node takes up: one that runs graphs has another for each input, for the node that makes
** rows of the input in case the loop is inlined (exec/tape/inline_loop.h). */
uint64_t node_places(const Op *op, int n_in);

/* A node with refs 1, inputs retained, types unknown. `in` NULL: the caller fills n->in with entries that it owns. */
Status node_new(const Op *op, Params *params, const Entry *in, int n_in, int n_out, Node **out);
Status node_variable(const char *name, const Type *type, Node **out);
Status node_constant(const Tensor *value, Node **out);

Node *node_retain(Node *n);
void node_release(Node *n);

/* Input i is another value from now on. */
void node_set_input(Node *n, int i, Entry value);

/* Frees inputs, values and object parameters: the tape after backward. */
void node_free_history(Node *n);

/* Forgets how its values came: it is a constant from now on. */
void node_make_constant(Node *n);
void node_free_values(Node *n);

Status node_set_name(Node *n, const char *name);
Status node_set_attribute(Node *n, const char *key, const char *value);
/* As a script sets it: a hidden one gets its underscores. May an operator have it: is it hidden, or like __this__? The
** other name of a hidden one, lr_mult for __lr_mult__; NULL for others. */
Status node_set_own_attribute(Node *n, const char *key, const char *value);
bool attribute_is_own(const char *key);
const char *attribute_written(const char *key);
const char *node_attribute(const Node *n, const char *key);

static inline bool node_is_variable(const Node *n) { return !n->op && (n->leaf || !n->value); }
static inline bool node_is_constant(const Node *n) { return !n->op && n->value && !n->leaf; }
static inline Type *entry_type(Entry e) { return &e.node->type[e.index]; }
static inline bool entry_equal(Entry a, Entry b) { return a.node == b.node && a.index == b.index; }

/* Where a value stands among n; n: nowhere. */
static inline int entry_find(const Entry *list, int n, Entry e) {
  int at = 0;
  while (at < n && !entry_equal(list[at], e)) at++;
  return at;
}

Scope *scope_new(Scope *parent, const char *path);
Scope *scope_retain(Scope *s);
void scope_release(Scope *s);

#endif
