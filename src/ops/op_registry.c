/* op_registry.c - the table of all operators.
**
** Each gradient expression of an elementwise row becomes another row, `_backward_NAME` (or _0, _1 ... for several
** inputs), so that a gradient is one pass over memory. The gradient of that row comes from the expression's text
** (expression_nodes.c). Elementwise rows whose parameters are numbers also get a bound row, `_bound_NAME`, which takes
** the numbers as inputs, for numbers that change between runs of a graph.
**
** Names are in a hash table. A name is a row's registry name, one of its aliases, or the snake_case form of either if
** that is free.
*/
#include "ops/op_registry.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest_word.h"
#include "ops/common/elementwise_rule.h"
#include "ops/common/expression_nodes.h"

#define FAMILY(title, table) { #title, table },
static const struct { const char *name; Op *rows; } families[] = { EACH_FAMILY(FAMILY) };

enum { MOST_OPS = 2048, SLOTS = 1 << 13 };

static Op *ops[MOST_OPS];
static int n_ops;
static struct { const char *name; const Op *op; } slots[SLOTS];
static const Op *by_role[N_ROLES];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* A broken row is an error of the engine. op_registry_status reports the first one, and the engine does not start. */
static char broken_text[256];

static void broken(const Op *op, const char *what) {
  if (!*broken_text) snprintf(broken_text, sizeof broken_text, "operator %s: %s", op->name, what);
}

static uint32_t hash_name(const char *name) {
  uint32_t h = 2166136261u;
  for (; *name; name++) h = (h ^ (unsigned char)*name) * 16777619u;
  return h;
}

/* The slot of a name, or the empty slot for it. */
static uint32_t slot_of(const char *name) {
  uint32_t at = hash_name(name) & (SLOTS - 1);
  while (slots[at].name && strcmp(slots[at].name, name) != 0) at = (at + 1) & (SLOTS - 1);
  return at;
}

static const Op *lookup(const char *name) { return slots[slot_of(name)].op; }

static bool add_name(const char *name, const Op *op) {
  const uint32_t at = slot_of(name);
  if (slots[at].name) return false;
  slots[at].name = name;
  slots[at].op = op;
  return true;
}

static void parse(const Op *op, const char *text, const ExpressionName *names, Expression **tree) {
  if (!*tree && expression_parse(text, names, tree) != OK) broken(op, status_text());
}

/* The operands' letters in an expression, in the order of ELEMENT_SLOTS. */
static char *find_slots(const Expression *tree) {
  char used[N_SLOTS + 1];
  int n = 0;
  const uint32_t names = expression_names_used(tree);
  for (int i = 0; i < N_SLOTS; i++)
    if (names >> i & 1) used[n++] = ELEMENT_SLOTS[i];
  used[n] = '\0';
  return object_text(used);
}

/* Parses an expression and finds its operands, or checks those that the row names. False if the row is broken. */
static bool read_expression(const Op *op, Elementwise *e) {
  if (e->tree) return true;                    /* several rows share it */
  parse(op, e->expr, expression_element_names, &e->tree);
  if (!e->tree) return false;
  if (expression_names_used(e->tree) >> (FIRST_SCALAR_NAME + e->n_scalars))
    broken(op, "an expression without parameters names one");
  char *found = find_slots(e->tree);
  if (!found) {
    broken(op, "no memory");
    return false;
  }
  if (!e->slots || !*e->slots) {
    e->slots = found;
  } else {
    if (strcmp(e->slots, found) != 0) broken(op, "the operands differ from those in the expression's text");
    object_free(found);
  }
  return true;
}

static void read_fold(const Op *op, Folding *f) {
  parse(op, f->element, expression_fold_names, &f->element_tree);
  parse(op, f->finish, expression_fold_names, &f->finish_tree);
  for (FoldAgain *again = f->again; again && again->when; again++) {
    parse(op, again->when, expression_fold_names, &again->when_tree);
    parse(op, again->element, expression_fold_names, &again->element_tree);
    parse(op, again->finish, expression_fold_names, &again->finish_tree);
  }
}

static bool has_word(const char *list, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = list; (at = strstr(at, word)); at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
  return false;
}

/* Parses an update rule, which names inputs and parameters. */
static void read_update(const Op *op, UpdateRule *u) {
  const OpInfo *info = op->info;
  ExpressionName names[MOST_NAMES];
  if (info->n_inputs + info->n_params > MOST_NAMES) {
    broken(op, "its update rule has too many names");
    return;
  }
  for (int i = 0; i < info->n_inputs + info->n_params; i++) {
    const char *word = i < info->n_inputs ? info->input[i] : info->param[i - info->n_inputs].name;
    names[i] = (ExpressionName){ word, has_word(u->doubles, word) ? NAME_OF_DOUBLE : NAME_OF_LOOP };
    if (i < info->n_inputs && names[i].type == NAME_OF_LOOP) u->n_elements = i + 1;
  }
  if (assignments_parse(u->text, names, info->n_inputs + info->n_params, u->n_elements, &u->tree) != OK) {
    broken(op, status_text());
    return;
  }
  for (int i = 0; i < u->tree->n; i++)
    if (u->tree->at[i].name > 0 && u->tree->at[i].name < u->n_elements) u->written |= 1u << u->tree->at[i].name;
}

/* Checks columns that belong together. */
static void check_pairs(const Op *op) {
  const Query q = query_of_inputs(op, op->info->defaults->fields, op->info->n_inputs);
  if (op_effects_ever(&q) & WRITES && !op->writes) broken(op, "it writes, but has no column writes");
  if (op->writes && !op->effects) broken(op, "the column writes needs the column effects");
  if (!op->folding != !op->folds) broken(op, "the columns folding and folds belong together");
}

/* Begins an alias that only files have, such as MXNet's name of the operator in np: nd and sym do not have the name. */
enum { FILES_ONLY = '/' };

static void read_row(Op *op, const char *family) {
  if (n_ops == MOST_OPS) {
    broken(op, "too many operators");
    return;
  }
  if (op_read(op, family) != OK) {
    broken(op, status_text());
    return;
  }
  if (op->flags & OP_VARIADIC && op->info->count < 0) broken(op, "it has no parameter with the number of operands");
  if (!op->infer) broken(op, "it has no inference");
  if (op->update) read_update(op, op->update);
  check_pairs(op);
  if (op->elementwise && !read_expression(op, op->elementwise)) return;
  for (int i = 0; op->folds && op->folds[i]; i++) read_fold(op, op->folds[i]);
  if (op->role) by_role[op->role] = op;
  ops[n_ops++] = op;
  if (!add_name(op->name, op)) broken(op, "the name is taken");
  for (int i = 0; i < op->info->n_aliases; i++) {
    const char *alias = op->info->alias[i];
    if (!add_name(alias + (*alias == FILES_ONLY), op)) broken(op, "an alias is taken");
  }
}

static Entry expand_formula(Builder *b, Node *n) {
  Entry operand[N_SLOTS] = { { 0 } };
  FormulaNumber number[MAX_SCALARS] = { { 0 } };
  const int n_numbers = op_bound_numbers(n->op), n_operands = n->n_in - n_numbers;
  for (int i = 0; i < n_operands; i++)
    operand[strchr(ELEMENT_SLOTS, n->op->elementwise->slots[i]) - ELEMENT_SLOTS] = n->in[i];
  for (int i = 0; i < n->op->elementwise->n_scalars; i++)
    number[i] = n_numbers ? (FormulaNumber){ .bound = n->in[n_operands + i] }
                          : (FormulaNumber){ .value = ((const double *)n->params->fields)[i] };
  return formula_build(b, n->op->elementwise->tree, operand, number);
}

/* The row that runs gradient expression `i` of `op`. */
static void derive(Op *op, int i, bool several) {
  Elementwise *e = op->gradient[i];
  if (!read_expression(op, e)) return;
  char name[64], inputs[2 * N_SLOTS + 1] = "";
  if (several) snprintf(name, sizeof name, "_backward_%s_%d", op->name, i);
  else snprintf(name, sizeof name, "_backward_%s", op->name);
  if (elementwise_is_output_gradient(e)) {                    /* no row is needed */
    add_name(object_text(name), NULL);
    return;
  }
  Op *row = object_new(sizeof *row);
  if (!row) {
    broken(op, "no memory");
    return;
  }
  for (const char *slot = e->slots; *slot; slot++) strncat(strncat(inputs, slot, 1), " ", 2);
  *row = (Op){ .name = object_text(name),
               .doc = object_text(e->expr),
               .inputs = object_text(inputs),
               .flags = OP_INTERNAL | OP_IN_PLACE,
               .infer = infer_elementwise,
               .elementwise = e,
               .expand = expand_formula };
  if (e->n_scalars) {
    row->params = op->params;
    row->params_size = op->params_size;
  }
  read_row(row, op->info->family);
  ((OpInfo *)op->info)->gradient[i] = row;
}

/* Are the row's parameters the numbers of its expression, and can a bound row use its other columns? */
static bool can_be_bound(const Op *op) {
  const OpInfo *info = op->info;
  if (!op->elementwise || op->choose_row || op->elementwise->n_scalars == 0) return false;
  if (op->grad && op->grad != elementwise_grad) return false;
  if (op_expands(op) && op->expand != expand_formula) return false;
  for (int i = 0; i < info->n_params; i++)
    if (info->param[i].kind != P_FLOAT || info->param[i].optional) return false;
  return info->n_params == op->elementwise->n_scalars;
}

/* The row that takes the numbers of `op` as inputs. */
static void derive_bound(Op *op) {
  Op *row = object_new(sizeof *row);
  Text inputs = { 0 };
  char name[80];
  text_put(&inputs, op->inputs);
  for (int i = 0; i < op->info->n_params; i++) text_format(&inputs, " %s", op->info->param[i].name);
  snprintf(name, sizeof name, "_bound_%s", *op->name == '_' ? op->name + 1 : op->name);
  if (!row || text_status(&inputs) != OK) {
    broken(op, "no memory");
    return;
  }
  *row = (Op){ .name = object_text(name),
               .doc = op->doc,
               .inputs = inputs.at,
               .flags = OP_INTERNAL | (op->flags & (OP_IN_PLACE | OP_NO_GRAD)),
               .differentiable = (1u << op->info->n_inputs) - 1,
               .infer = infer_bound,
               .elementwise = op->elementwise,
               .grad = op->grad,
               .expand = op->expand,
               .domain = op->domain };
  read_row(row, op->info->family);
  if (!row->info) return;
  ((OpInfo *)row->info)->unbound = op;
  ((OpInfo *)op->info)->bound = row;
}

/* "FullyConnected" -> "fully_connected", "_plus_scalar" -> "plus_scalar", "LRN" -> "lrn". */
static void snake_case(const char *name, char *to) {
  if (*name == '_') name++;
  const char *from = name;
  for (; *from; from++) {
    bool upper = isupper((unsigned char)*from);
    bool word_starts = upper && from > name &&
                       (islower((unsigned char)from[-1]) ||
                        (isupper((unsigned char)from[-1]) && islower((unsigned char)from[1])));
    if (word_starts && from[-1] != '_') *to++ = '_';
    *to++ = (char)tolower((unsigned char)*from);
  }
  *to = '\0';
}

static void add_snake_case(const Op *op, const char *name) {
  char snake[128];
  if (strlen(name) > 60 || strchr(name, '.')) return;
  snake_case(name, snake);
  if (strcmp(snake, name) == 0 || lookup(snake)) return;
  const char *copy = object_text(snake);
  if (copy) add_name(copy, op);
}

/* The kernels of a table; returns the name of one without a row, or NULL. Gradient expressions that need no row have
** kernels all the same. */
static const char *enter_table(const Kernel *table) {
  const char *unknown = NULL;
  for (const Kernel *k = table; k->op; k++) {
    const uint32_t at = slot_of(k->op);
    Op *op = (Op *)slots[at].op;
    if (op && strcmp(op->name, k->op) == 0) op_add_kernel(op, k);
    else if (op || !slots[at].name) unknown = k->op;
  }
  return unknown;
}

/* An elementwise row has a kernel for each of its dtypes, and only for these. */
static void check_types(const Op *op) {
  uint32_t types = 0;
  for (int dtype = 0; dtype < N_DTYPES; dtype++)
    if (op->kernel[ON_HOST][dtype]) types |= ONE_TYPE(dtype);
  if (types != op->elementwise->types) broken(op, "its expression and its kernels have different dtypes");
}

/* Enters the kernels; afterwards every row has some on the host, or is always a view. */
static void add_kernels(void) {
  for (const Kernel *const *table = kernel_tables; *table; table++) {
    const char *unknown = enter_table(*table);
    if (unknown) broken(&(Op){ .name = unknown }, "it has a kernel, but no row");
  }
  for (int i = 0; i < n_ops; i++) {
    if (ops[i]->info->unbound) memcpy(ops[i]->kernel, ops[i]->info->unbound->kernel, sizeof ops[i]->kernel);
    if (ops[i]->elementwise) check_types(ops[i]);
    bool computes = ops[i]->view != NULL;
    for (int dtype = 0; dtype < N_DTYPES; dtype++) computes = computes || ops[i]->kernel[ON_HOST][dtype];
    if (!computes) broken(ops[i], "it has no kernel and no view");
  }
}

static void add_plain_texts(void) {
  for (const Plain *const *table = plain_tables; *table; table++)
    for (const Plain *p = *table; p->op; p++) {
      Op *op = (Op *)lookup(p->op);
      if (op && strcmp(op->name, p->op) == 0) op->plain = p;
      else broken(&(Op){ .name = p->op }, "it has a plain text, but no row");
    }
  for (int i = 0; i < n_ops; i++)
    if (ops[i]->same && !ops[i]->plain) ops[i]->plain = &plain_conversion;
}

static void registry_init(void) {
  for (size_t f = 0; f < sizeof families / sizeof *families; f++)
    for (Op *op = families[f].rows; op->name; op++) read_row(op, families[f].name);
  for (int i = 0, rows = n_ops; i < rows; i++)
    for (int k = 0; k < 3; k++)
      if (ops[i]->gradient[k]) derive(ops[i], k, ops[i]->info->n_inputs > 1);
  for (int i = 0, rows = n_ops; i < rows; i++)
    if (can_be_bound(ops[i])) derive_bound(ops[i]);
  add_kernels();
  add_plain_texts();
  for (Role role = ROLE_NONE + 1; role < N_ROLES; role++)
    if (!by_role[role]) broken(ops[0], "not all roles are filled");
  for (int i = 0; i < n_ops; i++) {
    if (ops[i]->flags & OP_INTERNAL) continue;
    add_snake_case(ops[i], ops[i]->name);
    for (int k = 0; k < ops[i]->info->n_aliases; k++)
      if (*ops[i]->info->alias[k] != FILES_ONLY) add_snake_case(ops[i], ops[i]->info->alias[k]);
  }
  for (int i = 0; i < n_ops; i++)
    if (ops[i]->expand == expand_formula && formula_check(ops[i]->elementwise->tree, lookup) != OK)
      broken(ops[i], status_text());
}

Status op_add_kernels(const Kernel *table) {
  pthread_once(&once, registry_init);
  const char *unknown = enter_table(table);
  return unknown ? fail("kernels: there is no operator %s", unknown) : OK;
}

const Op *op_find(const char *name) {
  pthread_once(&once, registry_init);
  return lookup(name);
}

Status op_registry_status(void) {
  pthread_once(&once, registry_init);
  return *broken_text ? fail("%s", broken_text) : OK;
}

int op_count(void) {
  pthread_once(&once, registry_init);
  return n_ops;
}

const Op *op_at(int i) { return i < op_count() ? ops[i] : NULL; }

/* Is the name an alias for files only? It is the text after the mark, not a copy. */
static bool is_for_files(const char *name, const Op *op) {
  for (int i = 0; i < op->info->n_aliases; i++)
    if (*op->info->alias[i] == FILES_ONLY && op->info->alias[i] + 1 == name) return true;
  return false;
}

void op_each_name(void (*f)(const char *name, const Op *op, void *context), void *context) {
  pthread_once(&once, registry_init);
  for (int i = 0; i < SLOTS; i++) {
    const Op *op = slots[i].op;
    if (op && !(op->flags & OP_INTERNAL) && !is_for_files(slots[i].name, op)) f(slots[i].name, op, context);
  }
}

const Op *op_with_role(Role role) {
  pthread_once(&once, registry_init);
  return by_role[role];
}

const Op *op_nearest(const char *name) {
  NearestWord n = { .word = name };
  for (int i = 0; i < op_count(); i++) {
    if (ops[i]->flags & OP_INTERNAL) continue;
    nearest_offer(&n, ops[i]->name, ops[i]);
    for (int k = 0; k < ops[i]->info->n_aliases; k++)
      if (*ops[i]->info->alias[k] != FILES_ONLY) nearest_offer(&n, ops[i]->info->alias[k], ops[i]);
  }
  return nearest_found(&n);
}

const char *param_nearest(const Op *op, const char *name) {
  NearestWord n = { .word = name };
  for (int i = 0; i < op->info->n_params; i++) nearest_offer(&n, op->info->param[i].name, op->info->param[i].name);
  return nearest_found(&n);
}
