/* parse_expression.c - from text to tree: a recursive descent.
**
** Nodes are added after their operands. While a text is read its nodes are in an array of the caller's stack, then they
** are copied into a tree of the right size.
*/
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/expression/expression.h"

const ExpressionName expression_element_names[] = { { "g", 0 }, { "a", 0 }, { "b", 0 }, { "c", 0 }, { "y", 0 },
                                                    { "s", 0 }, { "t", 0 }, { "u", 0 }, { NULL, 0 } };
const ExpressionName expression_fold_names[] = {
  { "x", 0 }, { "y", 0 }, { "total", NAME_OF_TOTAL }, { "count", NAME_OF_COUNT }, { NULL, 0 }
};

typedef struct ExpressionReader {
  const char *text, *at;
  const ExpressionName *names;
  Status status;
  int n;
  ExpressionNode node[MOST_EXPRESSION_NODES];
} ExpressionReader;

/* Operators with two operands. A higher level binds tighter. A token comes before its prefixes. */
typedef struct BinaryOperator { const char *token; int level; ExpressionOperator operator; } BinaryOperator;
/* clang-format off */
static const BinaryOperator binary_operators[] = {
  { "||", 0, OPERATOR_OR }, { "&&", 1, OPERATOR_AND },
  { "==", 2, OPERATOR_EQUAL }, { "!=", 2, OPERATOR_NOT_EQUAL },
  { "<=", 3, OPERATOR_LESS_EQUAL }, { ">=", 3, OPERATOR_GREATER_EQUAL },
  { "<", 3, OPERATOR_LESS }, { ">", 3, OPERATOR_GREATER },
  { "+", 4, OPERATOR_ADD }, { "-", 4, OPERATOR_SUBTRACT },
  { "*", 5, OPERATOR_MULTIPLY }, { "/", 5, OPERATOR_DIVIDE }, { NULL, 0, 0 }
};
/* clang-format on */

/* ---- Types ------------------------------------------------------------------------------------------ */

static ScalarType promoted(ScalarType t) { return t < SCALAR_INT32 ? SCALAR_INT32 : t; }

static ScalarType common(ScalarType a, ScalarType b) { return promoted(a > b ? a : b); }

/* The type whose function a call with arguments of type `t` means. Integers without a function of their own become
** doubles, as in C. */
static ScalarType function_type(const ScalarFunction *f, ScalarType t) {
  for (; t <= SCALAR_INT64; t++)
    if (f->word[t]) return t;
  if (f->word[t]) return t;
  return f->word[SCALAR_DOUBLE] ? SCALAR_DOUBLE : SCALAR_INT64;
}

static ScalarType call_type(const ExpressionNode *all, const ExpressionNode *n, ScalarType loop) {
  if (n->function->by >= 0) return function_type(n->function, all[n->operand[n->function->by]].type[loop]);
  ScalarType t = SCALAR_BOOL;
  for (int i = 0; i < n->n_operands; i++) t = common(t, all[n->operand[i]].type[loop]);
  return function_type(n->function, t);
}

static ScalarType number_type(const ExpressionNode *n) {
  const bool hex = n->length > 1 && n->text[1] == 'x';
  bool whole = isdigit((unsigned char)*n->text);
  for (int i = 0; i < n->length; i++) whole = whole && !strchr(hex ? ".p" : ".e", n->text[i]);
  return whole ? SCALAR_INT32 : n->text[n->length - 1] == 'f' ? SCALAR_FLOAT : SCALAR_DOUBLE;
}

static ScalarType name_type(NameType t, ScalarType loop) {
  if (t == NAME_OF_COUNT) return SCALAR_INT64;
  if (t == NAME_OF_DOUBLE) return SCALAR_DOUBLE;
  if (t == NAME_OF_TOTAL) return loop >= SCALAR_FLOAT ? SCALAR_DOUBLE : SCALAR_INT64;
  return loop;
}

static ScalarType node_type(const ExpressionReader *r, const ExpressionNode *n, ScalarType loop) {
  ScalarType operand[3] = { 0 };
  for (int i = 0; i < n->n_operands; i++) operand[i] = r->node[n->operand[i]].type[loop];
  switch (n->kind) {
    case EXPRESSION_NAME: return name_type(r->names[n->name].type, loop);
    case EXPRESSION_NUMBER: return number_type(n);
    case EXPRESSION_CONSTANT: return loop;
    case EXPRESSION_FLOATS: return operand[operand[0] == SCALAR_FLOAT ? 1 : 2];
    case EXPRESSION_CAST: return SCALAR_DOUBLE;
    case EXPRESSION_CALL: return call_type(r->node, n, loop);
    case EXPRESSION_NEGATIVE: return promoted(operand[0]);
    case EXPRESSION_BINARY: return n->operator<OPERATOR_ADD ? SCALAR_INT32 : common(operand[0], operand[1]);
    default: return common(operand[1], operand[2]);
  }
}

/* ---- Reading -------------------------------------------------------------------------------------------- */

static int wrong(ExpressionReader *r, const char *what) {
  if (r->status == OK) r->status = fail("expression '%s': expected %s at '%s'", r->text, what, r->at);
  return 0;
}

static void skip(ExpressionReader *r) {
  while (isspace((unsigned char)*r->at)) r->at++;
}

static bool take(ExpressionReader *r, const char *token) {
  skip(r);
  if (*r->at != *token) return false;
  const size_t n = strlen(token);
  if (strncmp(r->at, token, n) != 0) return false;
  r->at += n;
  return true;
}

static void expect(ExpressionReader *r, const char *token) {
  if (!take(r, token)) wrong(r, token);
}

static int add(ExpressionReader *r, ExpressionNode n) {
  if (r->status != OK) return 0;
  if (r->n == MOST_EXPRESSION_NODES) return wrong(r, "a shorter expression");
  for (ScalarType t = 0; t < N_SCALAR_TYPES; t++) n.type[t] = (uint8_t)node_type(r, &n, t);
  r->node[r->n] = n;
  return r->n++;
}

static int read_choice(ExpressionReader *r);

static int read_number(ExpressionReader *r) {
  char *end;
  const char *from = r->at;
  ExpressionNode n = { .kind = EXPRESSION_NUMBER, .text = from, .number = strtod(from, &end) };
  if (*end == 'f') end++;
  r->at = end;
  n.length = (int)(end - from);
  return add(r, n);
}

static int read_name(ExpressionReader *r, const char *name, size_t length) {
  if (length == 8 && memcmp(name, "HUGE_VAL", 8) == 0)
    return add(r, (ExpressionNode){ .kind = EXPRESSION_NUMBER, .text = name, .length = 8, .number = HUGE_VAL });
  for (int i = 0; r->names[i].word; i++)
    if (strncmp(r->names[i].word, name, length) == 0 && !r->names[i].word[length])
      return add(r, (ExpressionNode){ .kind = EXPRESSION_NAME, .name = i });
  r->at = name;
  return wrong(r, "an operand");
}

/* A call, after its opening bracket. */
static int read_call(ExpressionReader *r, const char *name, size_t length) {
  static const char *const numbers[] = { "one argument", "two arguments", "three arguments" };
  const bool constant = length == 1 && *name == 'K', floats = length == 6 && memcmp(name, "FLOATS", 6) == 0;
  ExpressionNode n = { .kind = constant ? EXPRESSION_CONSTANT : floats ? EXPRESSION_FLOATS : EXPRESSION_CALL };
  if (n.kind == EXPRESSION_CALL) n.function = scalar_function_find(name, length);
  if (n.kind == EXPRESSION_CALL && !n.function) {
    r->at = name;
    return wrong(r, "a scalar function");
  }
  do n.operand[n.n_operands++] = read_choice(r);
  while (r->status == OK && n.n_operands < 3 && take(r, ","));
  expect(r, ")");
  const int wanted = constant ? 1 : floats ? 3 : n.function->n_args;
  if (r->status == OK && n.n_operands != wanted) {
    r->at = name;
    return wrong(r, numbers[wanted - 1]);
  }
  return add(r, n);
}

static int read_primary(ExpressionReader *r) {
  skip(r);
  if (take(r, "(double)")) {
    const int operand = read_primary(r);
    return add(r, (ExpressionNode){ .kind = EXPRESSION_CAST, .operand = { operand }, .n_operands = 1 });
  }
  if (take(r, "(")) {
    const int inner = read_choice(r);
    expect(r, ")");
    return inner;
  }
  if (isdigit((unsigned char)*r->at) || *r->at == '.') return read_number(r);
  const char *name = r->at;
  while (isalnum((unsigned char)*r->at) || *r->at == '_') r->at++;
  const size_t length = (size_t)(r->at - name);
  return take(r, "(") ? read_call(r, name, length) : read_name(r, name, length);
}

static int read_unary(ExpressionReader *r) {
  if (!take(r, "-")) return read_primary(r);
  const int operand = read_unary(r);
  return add(r, (ExpressionNode){ .kind = EXPRESSION_NEGATIVE, .operand = { operand }, .n_operands = 1 });
}

/* Takes an operator of at least the level `lowest`; otherwise returns NULL. */
static const BinaryOperator *take_operator(ExpressionReader *r, int lowest) {
  skip(r);
  for (const BinaryOperator *o = binary_operators; o->token; o++) {
    if (*r->at != o->token[0] || (o->token[1] && r->at[1] != o->token[1])) continue;
    if (o->level < lowest) return NULL;
    r->at += o->token[1] ? 2 : 1;
    return o;
  }
  return NULL;
}

/* By precedence climbing. */
static int read_binary(ExpressionReader *r, int lowest) {
  int left = read_unary(r);
  const BinaryOperator *found;
  while (r->status == OK && (found = take_operator(r, lowest))) {
    const int right = read_binary(r, found->level + 1);
    left = add(r,
               (ExpressionNode){
                 .kind = EXPRESSION_BINARY, .operand = { left, right }, .n_operands = 2, .operator= found->operator});
  }
  return left;
}

static int read_choice(ExpressionReader *r) {
  const int condition = read_binary(r, 0);
  if (r->status != OK || !take(r, "?")) return condition;
  const int yes = read_choice(r);
  expect(r, ":");
  const int no = read_choice(r);
  return add(r, (ExpressionNode){ .kind = EXPRESSION_CHOICE, .operand = { condition, yes, no }, .n_operands = 3 });
}

/* ---- Trees ----------------------------------------------------------------------------------------------- */

static bool is_costly(const ExpressionNode *n) {
  return n->kind == EXPRESSION_CALL || (n->kind == EXPRESSION_BINARY && n->operator== OPERATOR_DIVIDE);
}

Status expression_parse_until(const char *text, const char **at, char end, const ExpressionName *names,
                              Expression **out) {
  ExpressionReader r; /* without zeros: all rows are read at start-up, and only the first n nodes are in use */
  r.text = text;
  r.at = *at;
  r.names = names;
  r.status = OK;
  r.n = 0;
  read_choice(&r);
  skip(&r);
  if (*r.at != end) wrong(&r, end ? "an operator or ;" : "an operator or the end");
  *at = r.at;
  TRY(r.status);
  Expression *x = object_new(sizeof *x + (size_t)r.n * sizeof *r.node);
  if (!x) return no_memory("expression");
  *x = (Expression){ .n = r.n };
  memcpy(x->node, r.node, (size_t)r.n * sizeof *r.node);
  for (int i = 0; i < r.n; i++) x->costly = x->costly || is_costly(&r.node[i]);
  *out = x;
  return OK;
}

Status expression_parse(const char *text, const ExpressionName *names, Expression **out) {
  const char *at = text;
  return expression_parse_until(text, &at, '\0', names, out);
}

uint32_t expression_names_used(const Expression *x) {
  uint32_t used = 0;
  for (int i = 0; i < x->n; i++)
    if (x->node[i].kind == EXPRESSION_NAME) used |= 1u << x->node[i].name;
  return used;
}
