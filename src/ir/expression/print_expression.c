/* print_expression.c - from tree to text, in a dialect of C.
**
** Parentheses are printed where the tree needs them, and where compilers warn without them: around comparisons inside
** comparisons and around && inside ||. Comparisons that a type decides (x != x of an integer, x < 0 of an unsigned one)
** are printed as 0 or 1, because compilers warn of them too.
*/
#include <stdio.h>
#include <string.h>

#include "ir/expression/expression.h"

/* How tightly a node binds, from a choice to a name. */
enum { BIND_CHOICE, BIND_OR, BIND_AND, BIND_EQUAL, BIND_COMPARE, BIND_SUM, BIND_PRODUCT, BIND_UNARY, BIND_PRIMARY };

/* clang-format off */
static const struct { const char *token; int binds; const char *wrapping; } operators[N_OPERATORS] = {
  [OPERATOR_OR] = { "||", BIND_OR, NULL }, [OPERATOR_AND] = { "&&", BIND_AND, NULL },
  [OPERATOR_EQUAL] = { "==", BIND_EQUAL, NULL }, [OPERATOR_NOT_EQUAL] = { "!=", BIND_EQUAL, NULL },
  [OPERATOR_LESS_EQUAL] = { "<=", BIND_COMPARE, NULL }, [OPERATOR_GREATER_EQUAL] = { ">=", BIND_COMPARE, NULL },
  [OPERATOR_LESS] = { "<", BIND_COMPARE, NULL }, [OPERATOR_GREATER] = { ">", BIND_COMPARE, NULL },
  [OPERATOR_ADD] = { "+", BIND_SUM, "hl_add_" }, [OPERATOR_SUBTRACT] = { "-", BIND_SUM, "hl_sub_" },
  [OPERATOR_MULTIPLY] = { "*", BIND_PRODUCT, "hl_mul_" }, [OPERATOR_DIVIDE] = { "/", BIND_PRODUCT, NULL }
};
/* clang-format on */

typedef struct ExpressionWriter {
  const Expression *x;
  const Dialect *d;
  DType dtype;
  ScalarType loop;
  const char *const *words;
  Text *out;
} ExpressionWriter;

static void write_node(const ExpressionWriter *w, int at, int least);

static bool same_tree(const Expression *x, int a, int b) {
  const ExpressionNode *n = &x->node[a], *m = &x->node[b];
  if (n->kind != m->kind || n->n_operands != m->n_operands || n->name != m->name || n->operator!= m->operator)
    return false;
  if (n->function != m->function || n->length != m->length ||
      strncmp(n->text ? n->text : "", m->text ? m->text : "", (size_t)n->length) != 0)
    return false;
  for (int i = 0; i < n->n_operands; i++)
    if (!same_tree(x, n->operand[i], m->operand[i])) return false;
  return true;
}

static bool is_zero(const ExpressionNode *n) { return n->kind == EXPRESSION_NUMBER && n->number == 0; }

/* Does the type alone decide the comparison? */
static bool decided(const ExpressionWriter *w, const ExpressionNode *n, int *value) {
  const ExpressionNode *left = &w->x->node[n->operand[0]], *right = &w->x->node[n->operand[1]];
  if (left->type[w->loop] > SCALAR_INT64 || right->type[w->loop] > SCALAR_INT64) return false;
  const ExpressionOperator o = n->operator;
  if (o >= OPERATOR_EQUAL && o <= OPERATOR_GREATER && same_tree(w->x, n->operand[0], n->operand[1])) {
    *value = o == OPERATOR_EQUAL || o == OPERATOR_LESS_EQUAL || o == OPERATOR_GREATER_EQUAL;
    return true;
  }
  const bool is_unsigned = w->dtype == DT_UINT8 || w->dtype == DT_BOOL;
  if (!is_unsigned || left->kind != EXPRESSION_NAME || !is_zero(right)) return false;
  *value = o == OPERATOR_GREATER_EQUAL;
  return o == OPERATOR_LESS || o == OPERATOR_GREATER_EQUAL;
}

static const char *function_word(const ExpressionWriter *w, const char *word) {
  for (int i = 0; w->d->renamed && w->d->renamed[i][0]; i++)
    if (strcmp(w->d->renamed[i][0], word) == 0) return w->d->renamed[i][1];
  return word;
}

static bool is_comparison(const ExpressionNode *n) { return n->kind == EXPRESSION_BINARY && n->operator<OPERATOR_ADD; }

static void write_condition(const ExpressionWriter *w, int at, int least) {
  if (!w->d->compares || is_comparison(&w->x->node[at])) {
    write_node(w, at, least);
    return;
  }
  text_put(w->out, "(");
  write_node(w, at, BIND_COMPARE);
  text_put(w->out, " != 0)");
}

static void write_call(const ExpressionWriter *w, const ExpressionNode *n) {
  text_format(w->out, "%s(", function_word(w, n->function->word[n->type[w->loop]]));
  for (int i = 0; i < n->n_operands; i++) {
    if (i) text_put(w->out, ", ");
    write_node(w, n->operand[i], BIND_CHOICE);
  }
  text_put(w->out, ")");
}

/* The ending of the function that computes a signed sum or product, or NULL if the operator does. */
static const char *wrapping(const ExpressionWriter *w, const ExpressionNode *n) {
  const ScalarType t = n->type[w->loop];
  if (w->d->wraps || t > SCALAR_INT64) return NULL;
  return t == SCALAR_INT64 ? "int64" : "int32";
}

static void write_binary(const ExpressionWriter *w, const ExpressionNode *n) {
  const int binds = operators[n->operator].binds;
  const char *ending = operators[n->operator].wrapping ? wrapping(w, n) : NULL;
  int value;
  if (decided(w, n, &value)) {
    text_format(w->out, "%d", value);
  } else if (ending) {
    text_format(w->out, "%s%s(", operators[n->operator].wrapping, ending);
    write_node(w, n->operand[0], BIND_CHOICE);
    text_put(w->out, ", ");
    write_node(w, n->operand[1], BIND_CHOICE);
    text_put(w->out, ")");
  } else if (binds <= BIND_AND) {
    write_condition(w, n->operand[0], binds == BIND_OR ? BIND_EQUAL : binds);
    text_format(w->out, " %s ", operators[n->operator].token);
    write_condition(w, n->operand[1], BIND_EQUAL);
  } else {
    const bool compares = binds <= BIND_COMPARE;
    write_node(w, n->operand[0], compares ? BIND_SUM : binds);
    text_format(w->out, " %s ", operators[n->operator].token);
    write_node(w, n->operand[1], compares ? BIND_SUM : binds + 1);
  }
}

static int binding_of(const ExpressionWriter *w, const ExpressionNode *n) {
  int value;
  switch (n->kind) {
    case EXPRESSION_CHOICE: return BIND_CHOICE;
    case EXPRESSION_BINARY:
    if (decided(w, n, &value) || (operators[n->operator].wrapping && wrapping(w, n))) return BIND_PRIMARY;
    return operators[n->operator].binds;
    case EXPRESSION_NEGATIVE: return wrapping(w, n) ? BIND_PRIMARY : BIND_UNARY;
    case EXPRESSION_CAST:
    case EXPRESSION_CONSTANT: return BIND_UNARY;
    default: return BIND_PRIMARY;
  }
}

static void write_node(const ExpressionWriter *w, int at, int least) {
  const ExpressionNode *n = &w->x->node[at];
  const bool brackets = binding_of(w, n) < least;
  if (brackets) text_put(w->out, "(");
  switch (n->kind) {
    case EXPRESSION_NAME: text_put(w->out, w->words[n->name]); break;
    case EXPRESSION_NUMBER: text_add(w->out, n->text, (size_t)n->length); break;
    case EXPRESSION_CONSTANT:
      text_format(w->out, "(%s)", dialect_type(w->d, w->dtype));
      write_node(w, n->operand[0], BIND_UNARY);
      break;
    case EXPRESSION_FLOATS:
      write_node(w, n->operand[w->x->node[n->operand[0]].type[w->loop] == SCALAR_FLOAT ? 1 : 2], BIND_PRIMARY);
      break;
    case EXPRESSION_CAST:
      text_put(w->out, "(double)");
      write_node(w, n->operand[0], BIND_UNARY);
      break;
    case EXPRESSION_CALL: write_call(w, n); break;
    case EXPRESSION_NEGATIVE:
      if (wrapping(w, n)) {
        text_format(w->out, "hl_sub_%s(0, ", wrapping(w, n));
        write_node(w, n->operand[0], BIND_CHOICE);
        text_put(w->out, ")");
        break;
      }
      text_put(w->out, "-");
      write_node(w, n->operand[0], BIND_PRIMARY);      /* not --x */
      break;
    case EXPRESSION_BINARY: write_binary(w, n); break;
    case EXPRESSION_CHOICE:
      write_condition(w, n->operand[0], BIND_OR);
      text_put(w->out, " ? ");
      write_node(w, n->operand[1], BIND_CHOICE);
      text_put(w->out, " : ");
      write_node(w, n->operand[2], BIND_CHOICE);
  }
  if (brackets) text_put(w->out, ")");
}

/* The function that converts a double to integers of this type; "" for other types. */
static const char *conversion(DType dtype) {
  const ScalarType t = scalar_type_of(dtype);
  return t == SCALAR_INT64 ? "hl_to_int64" : t == SCALAR_INT32 ? "hl_to_int32" : "";
}

void expression_print(const Expression *x, const Dialect *d, DType dtype, const char *const *words, Text *out) {
  const ExpressionWriter w = { x, d, dtype, scalar_type_of(dtype), words, out };
  const char *function = expression_root(x)->type[w.loop] > SCALAR_INT64 ? conversion(dtype) : "";
  if (*function) text_format(out, "%s(", function);
  write_node(&w, x->n - 1, BIND_CHOICE);
  if (*function) text_put(out, ")");
}

void dialect_convert(const Dialect *d, DType dtype, const char *value, char *to, size_t capacity) {
  const char *type = dialect_type(d, dtype);
  if (dtype == DT_FLOAT64) snprintf(to, capacity, "%s", value);
  else if (*conversion(dtype)) snprintf(to, capacity, "(%s)%s(%s)", type, conversion(dtype), value);
  else snprintf(to, capacity, "(%s)%s", type, value);
}
