/* expression_nodes.c - a parser from the text of an elementwise expression to nodes.
**
** `g * (1 - y * y)` becomes a broadcast_mul of g and a _rminus_scalar of a broadcast_mul. Kernels run expressions as
** compiled C; to differentiate gradients again, the same text is parsed at run time.
**
** The parser is a recursive descent over the part of C's grammar that expressions use: ?:, comparisons, && ||, + - * /,
** unary -, calls, parentheses, numbers and K(number). A value without arrays is a number. The parser computes known
** numbers; operators on float64 compute bound ones, with the same bits.
*/
#include "ops/common/expression_nodes.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/double_functions.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shared_params.h"

/* An array, a bound number, or, if e.node is NULL, a known number. */
typedef struct FormulaValue { Entry e; bool bound; double number; } FormulaValue;

typedef struct FormulaReader {
  Builder *b;
  const char *at;
  const Entry *slots;
  const FormulaNumber *numbers;
} FormulaReader;

static FormulaValue read_choice(FormulaReader *r);

static void skip(FormulaReader *r) {
  while (isspace((unsigned char)*r->at)) r->at++;
}

static bool take(FormulaReader *r, const char *token) {
  skip(r);
  size_t n = strlen(token);
  if (strncmp(r->at, token, n) != 0) return false;
  r->at += n;
  return true;
}

static FormulaValue wrong(FormulaReader *r, const char *what) {
  if (r->b->status == OK) r->b->status = fail("expression: expected %s at '%s'", what, r->at);
  return (FormulaValue){ 0 };
}

/* A binary operation: the rows for (array, array), (array, number) and (number, array), and the function of two
** numbers. */
typedef struct Binary {
  const char *token, *row, *scalar, *reversed;
  double (*fold)(double, double);
} Binary;

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

/* A token comes before its prefixes. */
static const Binary comparisons[] = {
  { ">=", "broadcast_greater_equal", "_greater_equal_scalar", "_lesser_equal_scalar", fold_ge },
  { "<=", "broadcast_lesser_equal", "_lesser_equal_scalar", "_greater_equal_scalar", fold_le },
  { "==", "broadcast_equal", "_equal_scalar", "_equal_scalar", fold_eq },
  { "!=", "broadcast_not_equal", "_not_equal_scalar", "_not_equal_scalar", fold_ne },
  { ">", "broadcast_greater", "_greater_scalar", "_lesser_scalar", fold_gt },
  { "<", "broadcast_lesser", "_lesser_scalar", "_greater_scalar", fold_lt },
};
static const Binary sums[] = {
  { "+", "broadcast_add", "_plus_scalar", "_plus_scalar", fold_add },
  { "-", "broadcast_sub", "_minus_scalar", "_rminus_scalar", fold_sub },
};
static const Binary products[] = {
  { "*", "broadcast_mul", "_mul_scalar", "_mul_scalar", fold_mul },
  { "/", "broadcast_div", "_div_scalar", "_rdiv_scalar", fold_div },
};
static const Binary logic[] = {
  { "&&", "broadcast_logical_and", "_logical_and_scalar", "_logical_and_scalar", fold_and },
  { "||", "broadcast_logical_or", "_logical_or_scalar", "_logical_or_scalar", fold_or },
};
/* clang-format off */
static const Binary functions[] = {     /* calls of two arguments */
  { "power", "broadcast_power", "_power_scalar", "_rpower_scalar", hl_pow64 },
  { "mod", "broadcast_mod", "_mod_scalar", "_rmod_scalar", fmod },
  { "hypot", "broadcast_hypot", "_hypot_scalar", "_hypot_scalar", fold_hypot },
  { "maximum", "broadcast_maximum", "_maximum_scalar", "_maximum_scalar", fmax },
  { "minimum", "broadcast_minimum", "_minimum_scalar", "_minimum_scalar", fmin },
  { "polygamma", NULL, NULL, "_polygamma_scalar", NULL },      /* its order is a number */
  { "divide", "broadcast_div", "_div_scalar", "_rdiv_scalar", fold_div },
};
/* clang-format on */

/* Applies a row to an array (or bound number) and a number. */
static FormulaValue apply_number(FormulaReader *r, const char *row, FormulaValue x, FormulaValue number) {
  FormulaValue v = { .bound = x.bound };
  if (number.bound) v.e = build_op(r->b, op_find(row)->info->bound->name, NULL, 2, x.e, number.e);
  else v.e = build_op(r->b, row, &(ScalarParams){ number.number }, 1, x.e);
  return v;
}

static bool is_number(FormulaValue v) { return v.bound || !v.e.node; }

static FormulaValue apply(FormulaReader *r, const Binary *op, FormulaValue x, FormulaValue y) {
  if (!x.e.node && !y.e.node) return (FormulaValue){ .number = op->fold(x.number, y.number) };
  if (is_number(y) && x.e.node) return apply_number(r, op->scalar, x, y);
  if (is_number(x)) return apply_number(r, op->reversed, y, x);
  return (FormulaValue){ .e = build_op(r->b, op->row, NULL, 2, x.e, y.e) };
}

#define COUNT(table) (int)(sizeof table / sizeof *table)

static const Binary *take_one(FormulaReader *r, const Binary *table, int n) {
  for (int i = 0; i < n; i++)
    if (take(r, table[i].token)) return &table[i];
  return NULL;
}

static FormulaValue read_call(FormulaReader *r, const char *name, size_t length) {
  FormulaValue x = read_choice(r);
  if (take(r, ",")) {
    FormulaValue y = read_choice(r);
    if (!take(r, ")")) return wrong(r, ")");
    for (int i = 0; i < COUNT(functions); i++)
      if (strlen(functions[i].token) == length && memcmp(functions[i].token, name, length) == 0)
        return apply(r, &functions[i], x, y);
    return wrong(r, "a function of two arguments");
  }
  if (!take(r, ")")) return wrong(r, ")");
  if (length == 1 && *name == 'K') return x;
  char word[32];
  if (length >= sizeof word) return wrong(r, "a function");
  memcpy(word, name, length);
  word[length] = '\0';
  if (!x.e.node) {
    if (strcmp(word, "log") == 0) return (FormulaValue){ .number = hl_log64(x.number) };
    if (strcmp(word, "sqrt") == 0) return (FormulaValue){ .number = sqrt(x.number) };
    return wrong(r, "an array operand");
  }
  return (FormulaValue){ .e = build_op(r->b, word, NULL, 1, x.e), .bound = x.bound };
}

static FormulaValue read_primary(FormulaReader *r) {
  skip(r);
  if (take(r, "(")) {
    FormulaValue v = read_choice(r);
    return take(r, ")") ? v : wrong(r, ")");
  }
  if (isdigit((unsigned char)*r->at) || *r->at == '.') {
    char *end;
    FormulaValue v = { .number = strtod(r->at, &end) };
    r->at = end;
    return v;
  }
  const char *name = r->at;
  while (isalnum((unsigned char)*r->at) || *r->at == '_') r->at++;
  size_t length = (size_t)(r->at - name);
  if (length == 0) return wrong(r, "an operand");
  if (take(r, "(")) return read_call(r, name, length);
  const char *slot = strchr(ELEMENT_SLOTS, *name), *scalar = strchr("stu", *name);
  if (length == 1 && slot) return (FormulaValue){ .e = r->slots[slot - ELEMENT_SLOTS] };
  if (length == 1 && scalar) {
    const FormulaNumber *n = &r->numbers[*name - 's'];
    return (FormulaValue){ .e = n->bound, .bound = n->bound.node != NULL, .number = n->value };
  }
  return wrong(r, "an operand");
}

static FormulaValue read_unary(FormulaReader *r) {
  if (!take(r, "-")) return read_primary(r);
  FormulaValue v = read_unary(r);
  if (!v.e.node) return (FormulaValue){ .number = -v.number };
  return (FormulaValue){ .e = build_op(r->b, "negative", NULL, 1, v.e), .bound = v.bound };
}

static FormulaValue read_product(FormulaReader *r) {
  FormulaValue v = read_unary(r);
  for (const Binary *op; r->b->status == OK && (op = take_one(r, products, COUNT(products)));)
    v = apply(r, op, v, read_unary(r));
  return v;
}

static FormulaValue read_sum(FormulaReader *r) {
  FormulaValue v = read_product(r);
  for (const Binary *op; r->b->status == OK && (op = take_one(r, sums, COUNT(sums)));)
    v = apply(r, op, v, read_product(r));
  return v;
}

static FormulaValue read_comparison(FormulaReader *r) {
  FormulaValue v = read_sum(r);
  const Binary *op = take_one(r, comparisons, COUNT(comparisons));
  return op ? apply(r, op, v, read_sum(r)) : v;
}

static FormulaValue read_logic(FormulaReader *r) {
  FormulaValue v = read_comparison(r);
  for (const Binary *op; r->b->status == OK && (op = take_one(r, logic, COUNT(logic)));)
    v = apply(r, op, v, read_comparison(r));
  return v;
}

/* Turns a number into an array of the type of `like`. */
static Entry as_array(FormulaReader *r, FormulaValue v, Entry like) {
  if (!is_number(v)) return v.e;
  return apply_number(r, "_plus_scalar", (FormulaValue){ .e = build_zeros_like(r->b, like) }, v).e;
}

static FormulaValue read_choice(FormulaReader *r) {
  FormulaValue v = read_logic(r);
  if (!take(r, "?")) return v;
  FormulaValue yes = read_choice(r);
  if (!take(r, ":")) return wrong(r, ":");
  FormulaValue no = read_choice(r);
  if (!v.e.node) return v.number != 0 ? yes : no;
  Entry like = !is_number(yes) ? yes.e : !is_number(no) ? no.e : v.e;
  return (
    FormulaValue){ .e = build_op(r->b, "_npi_where", NULL, 3, v.e, as_array(r, yes, like), as_array(r, no, like)) };
}

Entry formula_build(Builder *b, const char *text, const Entry *slots, const FormulaNumber *numbers) {
  FormulaReader r = { .b = b, .at = text, .slots = slots, .numbers = numbers };
  FormulaValue v = read_choice(&r);
  skip(&r);
  if (*r.at) wrong(&r, "the end");
  if (b->status == OK && is_number(v)) {      /* a constant gradient has the type of the first operand */
    for (int i = 0; i < N_SLOTS; i++)
      if (slots[i].node) return as_array(&r, v, slots[i]);
  }
  return v.e;
}
