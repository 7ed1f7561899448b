/* op.c - reading rows. */
#include "ir/op.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

int op_inputs(const Op *op, const Params *p) {
  if (op->flags & OP_VARIADIC && op->info->num_args >= 0 && !op->n_inputs)
    return (int)*(const int64_t *)((const char *)p->fields + op->info->param[op->info->num_args].offset);
  if (!op->n_inputs) return op->info->n_inputs;
  const Query q = query_of_params(op, p->fields);
  return op->n_inputs(&q);
}

bool op_counts_inputs(const Op *op) { return !op->info->variadic || op->info->count >= 0 || op->n_inputs; }

int op_outputs(const Op *op, const Params *p) {
  if (!op->n_outputs) return op->info->n_outputs;
  const Query q = query_of_params(op, p->fields);
  return op->n_outputs(&q);
}

int op_visible(const Op *op, const Params *p) {
  if (!op->n_visible) return op_outputs(op, p);
  const Query q = query_of_params(op, p->fields);
  return op->n_visible(&q);
}

const char *op_check(const Op *op, const void *params) {
  if (op->info->check < 0) return NULL;
  return *(const char *const *)((const char *)params + op->info->param[op->info->check].offset);
}

const char *op_input_name(const Op *op, int i) {
  static _Thread_local char text[16];
  if (op->info->variadic && i >= op->info->n_inputs - 1) {
    snprintf(text, sizeof text, "arg%d", i);
    return text;
  }
  return i < op->info->n_inputs ? op->info->input[i] : "input";
}

bool op_takes(const Op *op, const void *params, int name) {
  const Query q = query_of_params(op, params);
  return !op->takes || op->takes(&q, name);
}

const char *op_input_title(const Op *op, const void *params, int i) {
  if (!op->takes) return op_input_name(op, i);
  for (int name = 0; name < op->info->n_inputs; name++)
    if (op_takes(op, params, name) && i-- == 0) return op->info->input[name];
  return "input";
}

const char *op_synonym(const Op *op, const char *key) {
  size_t length = strlen(key);
  for (const char *at = op->synonyms; at;) {
    const char *name = strchr(at, ' ') + 1, *next = strchr(name, ' ');
    if ((size_t)(name - 1 - at) != length || strncmp(at, key, length) != 0) {
      at = next ? next + 1 : NULL;
      continue;
    }
    size_t n = next ? (size_t)(next - name) : strlen(name);
    for (int i = 0; i < op->info->n_params; i++)
      if (strlen(op->info->param[i].name) == n && strncmp(op->info->param[i].name, name, n) == 0)
        return op->info->param[i].name;
    for (int i = 0; i < op->info->n_inputs; i++)
      if (strlen(op->info->input[i]) == n && strncmp(op->info->input[i], name, n) == 0) return op->info->input[i];
    return key;
  }
  return key;
}

/* "FullyConnected" -> "fullyconnected", as in MXNet. */
void op_stem(const Op *op, char *to, size_t capacity) {
  const char *name = op->name_stem ? op->name_stem : op->name;
  size_t i = 0;
  for (; name[i] && i + 1 < capacity; i++) to[i] = (char)(op->name_stem ? name[i] : tolower((unsigned char)name[i]));
  to[i] = '\0';
}

static bool is_internal_name(const char *name) {
  return *name == '_' || *name == '/' || strchr(name, '.') || isupper((unsigned char)*name);
}

static const char *public_alias(const Op *op) {
  for (int i = 0; i < op->info->n_aliases; i++)
    if (!is_internal_name(op->info->alias[i])) return op->info->alias[i];
  return NULL;
}

const char *op_title(const Op *op) {
  if (*op->name != '_') return op->name;
  for (int i = 0; i < op->info->n_aliases; i++)
    if (strcmp(op->info->alias[i], op->name + 1) == 0) return op->name + 1;
  const char *alias = public_alias(op);
  if (alias) return alias;
  for (int i = 0; i < op_count(); i++) {
    const Op *with = op_at(i);
    bool scalar = (with->scalar_form && strcmp(with->scalar_form, op->name) == 0) ||
                  (with->scalar_form_reversed && strcmp(with->scalar_form_reversed, op->name) == 0);
    if (!scalar) continue;
    alias = public_alias(with);
    return alias ? alias : with->name;
  }
  return op->name + 1;
}

const Elementwise *op_elementwise(const Op *op, const void *params) {
  if (!op->choose_row) return op->elementwise;
  const Query q = query_of_params(op, params);
  const Op *row = op->choose_row(&q);
  return row ? row->elementwise : NULL;
}

bool op_differentiable(const Op *op, int input) {
  if (op->flags & OP_NO_GRAD || (!op->grad && !op_expands(op))) return false;
  return op->differentiable == 0 || (input < 32 && op->differentiable >> input & 1);
}

const char *op_monitored_input(const Op *op, int input) {
  const bool one = op->info->n_inputs == 1 && !op->info->variadic && !op->n_inputs;
  return one && !(op->flags & OP_NAMED_INPUT) ? "input0" : op_input_name(op, input);
}

int op_expand(Builder *b, Node *n, Entry *out) {
  if (!n->op->expand_all) {
    out[0] = n->op->expand(b, n);
    return 1;
  }
  n->op->expand_all(b, n, out);
  return n->n_out;
}

unsigned op_effects_ever(const Query *q) {
  Query training = *q, predicting = *q;
  training.train = true;
  predicting.train = false;
  return op_effects(&training) | op_effects(&predicting);
}

bool op_writes(const Query *q, int input) { return op_effects(q) & WRITES && q->op->writes(q, input); }
bool op_state(const Query *q, int input) { return q->op->state && q->op->state(q, input); }

unsigned node_effects(const Node *n) {
  if (!n->op || !n->op->effects) return 0;
  const Query q = query_of_node(n);
  return op_effects(&q);
}

bool node_fails(const Node *n) {
  if (!n->op) return false;
  const Query q = query_of_node(n);
  return op_fails(&q);
}

unsigned node_effects_ever(const Node *n) {
  if (!n->op || !n->op->effects) return 0;
  const Query q = query_of_node(n);
  return op_effects_ever(&q);
}

bool node_writes(const Node *n, int input) {
  if (!n->op || !n->op->effects) return false;
  const Query q = query_of_node(n);
  return op_writes(&q, input);
}

unsigned op_draws_always(const Query *q) {
  (void)q;
  return DRAWS;
}
unsigned op_writes_always(const Query *q) {
  (void)q;
  return WRITES;
}
unsigned op_ordered_always(const Query *q) {
  (void)q;
  return ORDERED;
}

unsigned op_fails_always(const Query *q) {
  (void)q;
  return FAILS;
}

double op_flops(const Query *q) {
  const Op *op = q->op;
  if (op->flops) return op->flops(q);
  if (op->same && op->same(q)) return 0;
  if (op->folding) return (double)shape_size(&query_in(q, 0)->shape);
  const Elementwise *e = op_elementwise(op, q->params);
  bool computes = e && !expression_is_name(e->tree);
  return computes ? (double)shape_size(&query_out(q, 0)->shape) : 0;
}

Status op_keep_types(Infer *f) {
  (void)f;
  return OK;
}
