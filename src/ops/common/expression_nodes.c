/* expression_nodes.c - from the tree of an elementwise expression to nodes.
**
** `g * (1 - y * y)` becomes a broadcast_mul of g and a _rminus_scalar of a broadcast_mul. Kernels run expressions as
** compiled C; to differentiate gradients again, the same tree becomes a graph.
**
** A table has the rows of each operator and each function of two arguments; a function of one has a row of its own
** name. A value without arrays is a number. Known numbers are computed here; operators on float64 compute bound ones,
** with the same bits.
*/
#include "ops/common/expression_nodes.h"

#include <math.h>
#include <string.h>

#include "base/math/double_functions.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shared_params.h"

/* An array, a bound number, or, if e.node is NULL, a known number. */
typedef struct FormulaValue { Entry e; bool bound; double number; } FormulaValue;

/* The rows for (array, array), (array, number) and (number, array), and the function of two numbers. */
typedef struct BinaryRows {
  const char *row, *scalar, *reversed;
  double (*fold)(double, double);
} BinaryRows;

static double fold_add(double a, double b) { return a + b; }
static double fold_sub(double a, double b) { return a - b; }
static double fold_mul(double a, double b) { return a * b; }
static double fold_div(double a, double b) { return a / b; }
static double fold_hypot(double a, double b) { return sqrt(a * a + b * b); }
static double fold_gt(double a, double b) { return a > b; }
static double fold_lt(double a, double b) { return a < b; }
static double fold_ge(double a, double b) { return a >= b; }
static double fold_le(double a, double b) { return a <= b; }
static double fold_eq(double a, double b) { return a == b; }
static double fold_ne(double a, double b) { return a != b; }
static double fold_and(double a, double b) { return a != 0 && b != 0; }
static double fold_or(double a, double b) { return a != 0 || b != 0; }

/* clang-format off */
static const BinaryRows operators[N_OPERATORS] = {
  [OPERATOR_GREATER_EQUAL] = { "broadcast_greater_equal", "_greater_equal_scalar", "_lesser_equal_scalar", fold_ge },
  [OPERATOR_LESS_EQUAL] = { "broadcast_lesser_equal", "_lesser_equal_scalar", "_greater_equal_scalar", fold_le },
  [OPERATOR_EQUAL] = { "broadcast_equal", "_equal_scalar", "_equal_scalar", fold_eq },
  [OPERATOR_NOT_EQUAL] = { "broadcast_not_equal", "_not_equal_scalar", "_not_equal_scalar", fold_ne },
  [OPERATOR_GREATER] = { "broadcast_greater", "_greater_scalar", "_lesser_scalar", fold_gt },
  [OPERATOR_LESS] = { "broadcast_lesser", "_lesser_scalar", "_greater_scalar", fold_lt },
  [OPERATOR_ADD] = { "broadcast_add", "_plus_scalar", "_plus_scalar", fold_add },
  [OPERATOR_SUBTRACT] = { "broadcast_sub", "_minus_scalar", "_rminus_scalar", fold_sub },
  [OPERATOR_MULTIPLY] = { "broadcast_mul", "_mul_scalar", "_mul_scalar", fold_mul },
  [OPERATOR_DIVIDE] = { "broadcast_div", "_div_scalar", "_rdiv_scalar", fold_div },
  [OPERATOR_AND] = { "broadcast_logical_and", "_logical_and_scalar", "_logical_and_scalar", fold_and },
  [OPERATOR_OR] = { "broadcast_logical_or", "_logical_or_scalar", "_logical_or_scalar", fold_or }
};

/* Functions of two arguments. */
static const struct { const char *name; BinaryRows rows; } functions[] = {
  { "power", { "broadcast_power", "_power_scalar", "_rpower_scalar", hl_pow64 } },
  { "mod", { "broadcast_mod", "_mod_scalar", "_rmod_scalar", fmod } },
  { "hypot", { "broadcast_hypot", "_hypot_scalar", "_hypot_scalar", fold_hypot } },
  { "copysign", { "copysign", "_npi_copysign_scalar", "_npi_rcopysign_scalar", copysign } },
  { "maximum", { "broadcast_maximum", "_maximum_scalar", "_maximum_scalar", fmax } },
  { "minimum", { "broadcast_minimum", "_minimum_scalar", "_minimum_scalar", fmin } },
  { "polygamma", { NULL, NULL, "_polygamma_scalar", NULL } },      /* its order is a number */
  { "divide", { "broadcast_div", "_div_scalar", "_rdiv_scalar", fold_div } },
};
/* clang-format on */

/* The rows of a function or operator of two arguments; NULL if it has none. */
static const BinaryRows *rows_of(const ExpressionNode *n) {
  if (n->kind == EXPRESSION_BINARY) return &operators[n->operator];
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(functions[i].name, n->function->name) == 0) return &functions[i].rows;
  return NULL;
}

/* Applies a row to an array (or bound number) and a number. */
static FormulaValue apply_number(Builder *b, const char *row, FormulaValue x, FormulaValue number) {
  FormulaValue v = { .bound = x.bound };
  if (number.bound) v.e = build_op(b, op_find(row)->info->bound->name, NULL, 2, x.e, number.e);
  else v.e = build_op(b, row, &(ScalarParams){ number.number }, 1, x.e);
  return v;
}

static bool is_number(FormulaValue v) { return v.bound || !v.e.node; }

static FormulaValue apply(Builder *b, const BinaryRows *rows, FormulaValue x, FormulaValue y) {
  if (!x.e.node && !y.e.node) return (FormulaValue){ .number = rows->fold(x.number, y.number) };
  if (is_number(y) && x.e.node) return apply_number(b, rows->scalar, x, y);
  if (is_number(x)) return apply_number(b, rows->reversed, y, x);
  return (FormulaValue){ .e = build_op(b, rows->row, NULL, 2, x.e, y.e) };
}

/* A function of one argument. */
static FormulaValue apply_function(Builder *b, const char *name, FormulaValue x) {
  if (x.e.node) return (FormulaValue){ .e = build_op(b, name, NULL, 1, x.e), .bound = x.bound };
  if (strcmp(name, "log") == 0) return (FormulaValue){ .number = hl_log64(x.number) };
  if (strcmp(name, "sqrt") == 0) return (FormulaValue){ .number = sqrt(x.number) };
  if (b->status == OK) b->status = fail("expression: %s of a number", name);
  return (FormulaValue){ 0 };
}

/* Turns a number into an array of the type of `like`. */
static Entry as_array(Builder *b, FormulaValue v, Entry like) {
  if (!is_number(v)) return v.e;
  return apply_number(b, "_plus_scalar", (FormulaValue){ .e = build_zeros_like(b, like) }, v).e;
}

static FormulaValue choose(Builder *b, FormulaValue condition, FormulaValue yes, FormulaValue no) {
  if (!condition.e.node) return condition.number != 0 ? yes : no;
  Entry like = !is_number(yes) ? yes.e : !is_number(no) ? no.e : condition.e;
  const Entry second = as_array(b, no, like), first = as_array(b, yes, like);
  return (FormulaValue){ .e = build_op(b, "_npi_where", NULL, 3, condition.e, first, second) };
}

static FormulaValue node_value(Builder *b, const ExpressionNode *n, const FormulaValue *all, const Entry *slots,
                               const FormulaNumber *numbers) {
  const FormulaValue x = n->n_operands > 0 ? all[n->operand[0]] : (FormulaValue){ 0 };
  switch (n->kind) {
    case EXPRESSION_NAME: {
      if (n->name < N_SLOTS) return (FormulaValue){ .e = slots[n->name] };
      const FormulaNumber *given = &numbers[n->name - FIRST_SCALAR_NAME];
      return (FormulaValue){ .e = given->bound, .bound = given->bound.node != NULL, .number = given->value };
    }
    case EXPRESSION_NUMBER: return (FormulaValue){ .number = n->number };
    case EXPRESSION_CONSTANT: return x;
    case EXPRESSION_CALL:
      return n->n_operands == 1 ? apply_function(b, n->function->name, x) : apply(b, rows_of(n), x, all[n->operand[1]]);
    case EXPRESSION_NEGATIVE:
      if (!x.e.node) return (FormulaValue){ .number = -x.number };
      return (FormulaValue){ .e = build_op(b, "negative", NULL, 1, x.e), .bound = x.bound };
    case EXPRESSION_BINARY: return apply(b, rows_of(n), x, all[n->operand[1]]);
    case EXPRESSION_CHOICE: return choose(b, x, all[n->operand[1]], all[n->operand[2]]);
    default: return (FormulaValue){ 0 };      /* formula_check refuses the others */
  }
}

Status formula_check(const Expression *tree, const Op *(*find)(const char *name)) {
  for (int i = 0; i < tree->n; i++) {
    const ExpressionNode *n = &tree->node[i];
    if (n->kind == EXPRESSION_FLOATS || n->kind == EXPRESSION_CAST)
      return fail("a gradient depends on the type of its operands");
    if (n->kind != EXPRESSION_CALL) continue;
    if (n->n_operands == 1 ? !find(n->function->name) : !rows_of(n))
      return fail("a gradient calls %s; expected a function with an operator of its name", n->function->name);
  }
  return OK;
}

Entry formula_build(Builder *b, const Expression *tree, const Entry *slots, const FormulaNumber *numbers) {
  FormulaValue value[MOST_EXPRESSION_NODES];
  for (int i = 0; i < tree->n && b->status == OK; i++) value[i] = node_value(b, &tree->node[i], value, slots, numbers);
  if (b->status != OK) return NO_ENTRY;
  const FormulaValue v = value[tree->n - 1];
  if (is_number(v)) {      /* a constant gradient has the type of the first operand */
    for (int i = 0; i < N_SLOTS; i++)
      if (slots[i].node) return as_array(b, v, slots[i]);
  }
  return v.e;
}
