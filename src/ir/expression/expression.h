/* expression.h - scalar expressions of rows, as trees.
**
** A row states what it computes for one element as text: `g * (1 - y * y)`. The text is parsed once, when the registry
** is read. All code that needs its meaning (gradients, fusion, generated kernels) reads the tree. The grammar is a part
** of C's: ?:, || && comparisons + - * /, unary -, calls, (double)x, numbers, and two words of our own, K(x) and
** FLOATS(x, f32, f64).
**
** The nodes are in one array, operands before their users; the last one is the root. So a loop over the array visits
** every operand before its user, in the order in which C would evaluate a text without side effects.
**
** Types: the same text serves loops over several dtypes. Each node knows its C type in a loop of each type, by C's
** conversions, and each call knows which function of that type it means.
*/
#ifndef HL_IR_EXPRESSION_EXPRESSION_H
#define HL_IR_EXPRESSION_EXPRESSION_H

#include "base/text_buffer.h"
#include "tensor/dtype.h"

/* The types of scalars, in the order of C's conversions. C promotes smaller integers, so INT32 stands for them too. */
typedef enum ScalarType {
  SCALAR_BOOL,
  SCALAR_INT32,
  SCALAR_INT64,
  SCALAR_FLOAT,
  SCALAR_DOUBLE,
  N_SCALAR_TYPES
} ScalarType;

ScalarType scalar_type_of(DType dtype);

/* A function that expressions call. */
typedef struct ScalarFunction {
  const char *name;
  int n_args;
  int by;                           /* the argument whose type chooses; -1: the common type of all */
  const char *word[N_SCALAR_TYPES]; /* the C function; NULL: the arguments are converted to the next type with one */
} ScalarFunction;

const ScalarFunction *scalar_function_find(const char *name, size_t length); /* NULL if unknown */

typedef enum ExpressionKind {
  EXPRESSION_NAME,     /* an operand, a scalar or a parameter */
  EXPRESSION_NUMBER,   /* as it is written: 1, 0.5f, 0x1p63f, HUGE_VAL */
  EXPRESSION_CONSTANT, /* K(x): x in the type of the loop */
  EXPRESSION_FLOATS,   /* FLOATS(x, f32, f64): f32 if x is a float, else f64 */
  EXPRESSION_CAST,     /* (double)x */
  EXPRESSION_CALL,
  EXPRESSION_NEGATIVE,
  EXPRESSION_BINARY,
  EXPRESSION_CHOICE    /* a ? b : c */
} ExpressionKind;

typedef enum ExpressionOperator {
  OPERATOR_OR,
  OPERATOR_AND,
  OPERATOR_EQUAL,
  OPERATOR_NOT_EQUAL,
  OPERATOR_LESS_EQUAL,
  OPERATOR_GREATER_EQUAL,
  OPERATOR_LESS,
  OPERATOR_GREATER,
  OPERATOR_ADD,
  OPERATOR_SUBTRACT,
  OPERATOR_MULTIPLY,
  OPERATOR_DIVIDE,
  N_OPERATORS
} ExpressionOperator;

typedef struct ExpressionNode {
  ExpressionKind kind;
  int operand[3], n_operands;       /* indices of earlier nodes */
  int name;                         /* of NAME: its index in the names */
  ExpressionOperator operator;      /* of BINARY */
  const ScalarFunction *function;   /* of CALL */
  double number;                    /* of NUMBER: its value, and its text */
  const char *text;
  int length;
  uint8_t type[N_SCALAR_TYPES];     /* its ScalarType in a loop of each type */
} ExpressionNode;

typedef struct Expression {
  bool costly;                      /* calls a function or divides */
  int n;
  ExpressionNode node[];
} Expression;

/* What a text may name; the list ends with a NULL word. */
typedef enum NameType { NAME_OF_LOOP, NAME_OF_TOTAL, NAME_OF_COUNT, NAME_OF_DOUBLE } NameType;
typedef struct ExpressionName { const char *word; NameType type; } ExpressionName;

/* Of elementwise rows: the operands in the order of ELEMENT_SLOTS, then the scalars. */
extern const ExpressionName expression_element_names[];
enum { FIRST_SCALAR_NAME = 5, MOST_NAMES = 32, MOST_EXPRESSION_NODES = 256 };

/* Of folds: the element x, the result y, and total (double for floats, else int64) and count (int64). */
extern const ExpressionName expression_fold_names[];
enum { FOLD_X, FOLD_Y, FOLD_TOTAL, FOLD_COUNT };

/* Parses a text, which must live as long as the tree. Fails if it is not an expression of these names. */
Status expression_parse(const char *text, const ExpressionName *names, Expression **out);

/* The same for a part of a text, from *at to `end`, where *at is then. */
Status expression_parse_until(const char *text, const char **at, char end, const ExpressionName *names,
                              Expression **out);

static inline const ExpressionNode *expression_root(const Expression *x) { return &x->node[x->n - 1]; }

/* Is it one name, so that nothing is computed? */
static inline bool expression_is_name(const Expression *x) { return expression_root(x)->kind == EXPRESSION_NAME; }

/* The names that occur: bit i for name i. */
uint32_t expression_names_used(const Expression *x);

/* ---- Printing ------------------------------------------------------------------------------------ */

/* What differs among languages that look like C. */
typedef struct Dialect {
  const char *name;
  const char *const *type;             /* the names of types, by DType */
  bool wraps; /* signed integers wrap around; else hl_add_int32 and similar functions do it */
  bool compares; /* a condition must be a comparison: x != 0 */
  const char *const (*renamed)[2]; /* C99's functions with other names here, in pairs; ends with NULL; or NULL */
} Dialect;

extern const Dialect dialect_gnu_c, dialect_c99;

/* Appends the expression in a loop of type `dtype`, as a value that converts to it; words[i] replaces name i. */
void expression_print(const Expression *x, const Dialect *d, DType dtype, const char *const *words, Text *out);

/* The type's name. */
static inline const char *dialect_type(const Dialect *d, DType dtype) { return d->type[dtype]; }

/* Writes the conversion of a double to the type of a loop, for scalars: "(float)scalar[0]". */
void dialect_convert(const Dialect *d, DType dtype, const char *value, char *to, size_t capacity);

#endif
