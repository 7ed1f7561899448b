/* node.c - the life of nodes and scopes.
**
** Invariant: a node owns one reference to each input's node, to its parameters and to its scope. Releasing the last
** reference of a long chain is a loop over a list of dead nodes, linked through `order`. There is no recursion, even if
** an object parameter of a freed node frees further nodes.
*/
#include "ir/node.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/settings/fault_injection.h"
#include "base/memory.h"
#include "ir/op.h"
#include "state/engine.h"

uint64_t order_reserve(uint64_t n) {
  Engine *e = engine_now();
  e->order += n;
  return e->order - n + 1;
}

uint64_t order_next(void) { return order_reserve(1); }
uint64_t node_places(const Op *op, int n_in) { return op && op->control ? 1 + (uint64_t)n_in : 1; }

Status node_new(const Op *op, Params *params, const Entry *in, int n_in, int n_out, Node **out) {
  size_t inputs = (size_t)n_in * sizeof(Entry), types = (size_t)n_out * sizeof(Type);
  Node *n = object_new(sizeof *n + inputs + types);
  *out = NULL;
  if (!n) return no_memory("graph node");
  n->refs = 1;
  n->op = op;
  n->params = params_retain(params);
  n->n_in = n_in;
  n->n_out = (uint16_t)n_out;
  n->in = (Entry *)(n + 1);
  n->type = (Type *)((char *)(n + 1) + inputs);
  n->at = -1;
  n->order = order_reserve(node_places(op, n_in));
  n->scope = scope_retain(engine_now()->scope);
  for (int i = 0; in && i < n_in; i++) {
    n->in[i] = in[i];
    node_retain(in[i].node);
  }
  for (int i = 0; i < n_out; i++) n->type[i] = TYPE_UNKNOWN;
  *out = n;
  return OK;
}

/* Removes a variable from the block call that made it. Which child used a parameter first must not determine the order
** in which its gradient is summed. */
static void leave_scope(Node *n) {
  scope_release(n->scope);
  n->scope = NULL;
}

Status node_variable(const char *name, const Type *type, Node **out) {
  Node *n;
  TRY(node_new(NULL, NULL, NULL, 0, 1, &n));
  if (!(HL_FAULT_IS(scope) && name) && !(HL_FAULT_IS(deferred) && !name)) leave_scope(n);
  if (type) n->type[0] = *type;
  if (name) {
    Status s = node_set_name(n, name);
    if (s != OK) {
      node_release(n);
      return s;
    }
  }
  *out = n;
  return OK;
}

Status node_constant(const Tensor *value, Node **out) {
  Node *n;
  TRY(node_new(NULL, NULL, NULL, 0, 1, &n));
  n->value = object_new(sizeof *n->value);
  if (!n->value) {
    node_release(n);
    return no_memory("graph node");
  }
  n->type[0] = value->type;
  n->value[0] = tensor_share(value);
  *out = n;
  return OK;
}

Node *node_retain(Node *n) {
  if (n) __atomic_fetch_add(&n->refs, 1, __ATOMIC_RELAXED);
  return n;
}

/* Nodes whose last reference was released in this thread, linked by `order`, which they no longer need. */
static _Thread_local struct Dead { Node *first; bool burying; } dead;

static void release_later(Node *n) {
  if (!n || __atomic_sub_fetch(&n->refs, 1, __ATOMIC_ACQ_REL) > 0) return;
  n->order = (uint64_t)(uintptr_t)dead.first;
  dead.first = n;
}

static void release_inputs(Node *n) {
  for (int i = 0; i < n->n_in; i++) release_later(n->in[i].node);
  n->n_in = 0;
}

void node_free_values(Node *n) {
  for (int i = 0; n->value && i < n->n_out; i++) tensor_release(&n->value[i]);
  object_free(n->value);
  object_free(n->version);
  n->value = NULL;
  n->version = NULL;
}

/* Frees the dead nodes. Those that an object parameter releases meanwhile join the list. */
static void bury(void) {
  if (dead.burying) return;
  dead.burying = true;
  while (dead.first) {
    Node *n = dead.first;
    dead.first = (Node *)(uintptr_t)n->order;
    release_inputs(n);
    node_free_values(n);
    if (n->leaf) tensor_release(&n->leaf->grad);
    object_free(n->leaf);
    object_free(n->name);
    for (Attribute *a = n->attributes, *next; a; a = next) {
      next = a->next;
      object_free(a->value);
      object_free(a);
    }
    params_release(n->params);
    scope_release(n->scope);
    object_free(n);
  }
  dead.burying = false;
}

void node_release(Node *n) {
  release_later(n);
  if (dead.first) bury();
}

static void drop_objects(Node *n) {
  if (!n->op || !n->op->object) return;
  Params *before = n->params;
  n->params = params_retain(n->op->info->defaults);
  params_release(before);
}

void node_set_input(Node *n, int i, Entry value) {
  HL_ASSERT(i >= 0 && i < n->n_in && value.index < value.node->n_out);
  Node *before = n->in[i].node;
  n->in[i] = (Entry){ node_retain(value.node), value.index };
  node_release(before);
}

void node_free_history(Node *n) {
  release_inputs(n);
  node_free_values(n);
  drop_objects(n);
  n->freed = true;
  bury();
}

void node_make_constant(Node *n) {
  release_inputs(n);
  params_release(n->params);
  n->params = NULL;
  n->op = NULL;
  bury();
}

Status node_set_name(Node *n, const char *name) {
  char *copy = object_text(name);
  if (!copy) return no_memory("graph node");
  object_free(n->name);
  n->name = copy;
  return OK;
}

static Attribute *attribute_new(const char *key) {
  const size_t size = strlen(key) + 1;
  Attribute *a = object_new(sizeof *a + size);
  if (a) memcpy(a->key, key, size);
  return a;
}

Status node_set_attribute(Node *n, const char *key, const char *value) {
  Attribute **at = &n->attributes;
  while (*at && strcmp((*at)->key, key) != 0) at = &(*at)->next;
  char *copy = object_text(value);
  if (copy && !*at) *at = attribute_new(key);
  if (!copy || !*at) {
    object_free(copy);
    return no_memory("attribute");
  }
  object_free((*at)->value);
  (*at)->value = copy;
  return OK;
}

const char *const hidden_attributes[] = { "ctx_group", "lr_mult", "wd_mult", "force_mirroring", "mirror_stage", NULL };

static const char *hidden_of(const char *key) {
  for (int i = 0; hidden_attributes[i]; i++)
    if (strcmp(key, hidden_attributes[i]) == 0) return hidden_attributes[i];
  return NULL;
}

bool attribute_is_own(const char *key) {
  const size_t n = strlen(key);
  return (n > 4 && strncmp(key, "__", 2) == 0 && strcmp(key + n - 2, "__") == 0) || hidden_of(key);
}

Status node_set_own_attribute(Node *n, const char *key, const char *value) {
  char full[32];
  if (!hidden_of(key)) return node_set_attribute(n, key, value);
  snprintf(full, sizeof full, "__%s__", key);
  return node_set_attribute(n, full, value);
}

const char *attribute_written(const char *key) {
  for (int i = 0; hidden_attributes[i]; i++) {
    const size_t n = strlen(hidden_attributes[i]);
    if (strlen(key) == n + 4 && strncmp(key + 2, hidden_attributes[i], n) == 0) return hidden_attributes[i];
  }
  return NULL;
}

const char *node_attribute(const Node *n, const char *key) {
  for (const Attribute *a = n->attributes; a; a = a->next)
    if (strcmp(a->key, key) == 0) return a->value;
  return NULL;
}

Scope *scope_new(Scope *parent, const char *path) {
  size_t size = strlen(path) + 1;
  Scope *s = object_new(sizeof *s + size);
  if (!s) return NULL;
  s->refs = 1;
  s->parent = scope_retain(parent);
  s->order = s->born = order_next();
  memcpy(s->path, path, size);
  return s;
}

Scope *scope_retain(Scope *s) {
  if (s) __atomic_fetch_add(&s->refs, 1, __ATOMIC_RELAXED);
  return s;
}

void scope_release(Scope *s) {
  while (s && __atomic_sub_fetch(&s->refs, 1, __ATOMIC_ACQ_REL) == 0) {
    Scope *parent = s->parent;
    object_free(s);
    s = parent;
  }
}
