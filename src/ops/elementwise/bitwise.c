/* bitwise.c - Lua's bitwise operators: bitwise on integers, logical on bools and floats; and shifts of integers.
**
** Rows from the lists of bitwise.h. Their kernels: kernels/elementwise/bitwise_kernels.c.
*/
#include "ir/node_builder.h"
#include "ops/common/elementwise_rule.h"
#include "ops/common/shared_params.h"
#include "ops/elementwise/bitwise.h"
#include "ops/op_registry.h"

#define SCALAR "scalar float 1 The number.\n"

#define VALUES_OF(name, used, n, expr) ELEMENTWISE(name##_y, used, n, VALUE_TYPES, #expr)
#define INTEGERS_OF(name, used, n, expr) ELEMENTWISE(name##_y, used, n, INTEGER_TYPES, #expr)
#define BITWISE_OF(title, fn, ...) BITWISE_EXPRESSIONS(VALUES_OF, title, fn)
#define SHIFT_OF(title, fn, ...) SHIFT_EXPRESSIONS(INTEGERS_OF, title, fn)
EACH_BITWISE(BITWISE_OF)
EACH_SHIFT(SHIFT_OF)
BITWISE_NOT_EXPRESSION(VALUES_OF)

/* The number becomes an integer of the array's dtype, which must be able to hold it. */
static Status infer_with_number(Infer *f) {
  TRY(infer_elementwise(f));
  DType t = f->in[0].dtype;
  const double number = *(const double *)f->params;
  if (t == DT_UNKNOWN || dtype_is_float(t)) return OK;
  if (dtype_holds(t, number)) return OK;
  return fail("scalar: expected a whole number that %s can hold, got %.17g%s", dtype_name(t), number,
              dtype_holds(DT_INT64, number) ? "; cast the array first: x:astype \"int64\"" : "");
}

/* ---- Files: MXNet's own operators take integers and bool only ------------------------------------------------ */

static Entry portable(Builder *b, const Node *n, const char *logical) {
  const DType t = entry_type(n->in[0])->dtype;
  if (t == DT_UNKNOWN || !dtype_is_float(t)) return NO_ENTRY;
  return build_op_list(b, logical, n->op->params ? n->params->fields : NULL, n->n_in, n->in);
}

#define PORTABLE(title, fn, lua, logical, ...)                                                                \
  static Entry title##_portable(Builder *b, const Node *n) { return portable(b, n, "broadcast_" logical); }     \
  static Entry title##_scalar_portable(Builder *b, const Node *n) { return portable(b, n, "_" logical "_scalar"); }
EACH_BITWISE(PORTABLE)
static Entry bitwise_not_portable(Builder *b, const Node *n) { return portable(b, n, "logical_not"); }

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

#define NUMBER_ROW(title, registered, infer_, example_, text)                                                 \
  .name = registered, .doc = text, .inputs = "data", .params = SCALAR, .params_size = sizeof(ScalarParams),     \
  .flags = OP_IN_PLACE | OP_NO_GRAD, .infer = infer_, .elementwise = &title##_y, .example = example_

#define INTS(values) "F.array({" values "}, {dtype = \"int32\"})"

#define BITWISE_ROW(title, fn, lua, logical, bits, truth)                                                       \
  { .name = "_npi_" #title, .aliases = #title, .inputs = "lhs rhs", .flags = OP_IN_PLACE | OP_NO_GRAD,          \
    .doc = "For integers, the " bits "; for bools and floats, 1 " truth ", else 0",                             \
    .example = "F." #title "(" INTS("6, 5, -1") ", " INTS("3, 1, 10") ")\n"                                     \
               "F." #title "(F.array{0, 0, 2}, F.array{0, 3, 4})",                                              \
    .infer = infer_elementwise, .elementwise = &title##_y, .metamethod = lua,                                   \
    .scalar_form = "_npi_" #title "_scalar", .scalar_form_reversed = "_npi_" #title "_scalar",                  \
    .name_stem = #title,                                                                                        \
    .portable = title##_portable },                                                                             \
  { NUMBER_ROW(title##_scalar, "_npi_" #title "_scalar", infer_with_number,                                     \
               "F._npi_" #title "_scalar(" INTS("6, 5, -1") ", 3)",                                             \
               "For x and scalar. For integers, the " bits "; for bools and floats, 1 " truth ", else 0"),         \
    .portable = title##_scalar_portable },

#define SHIFT_ROW(title, fn, lua, text)                                                                         \
  { .name = #title, .doc = "a shifted by b: " text, .inputs = "lhs rhs", .flags = OP_IN_PLACE | OP_NO_GRAD,     \
    .example = "F." #title "(" INTS("6, 5, -8") ", " INTS("1, 0, 2") ")",                                       \
    .infer = infer_elementwise, .elementwise = &title##_y, .metamethod = lua,                                   \
    .scalar_form = "_" #title "_scalar", .scalar_form_reversed = "_r" #title "_scalar" },                       \
  { NUMBER_ROW(title##_scalar, "_" #title "_scalar", infer_with_number,                                         \
               "F._" #title "_scalar(" INTS("6, 5, -8") ", 1)", #title " of x by scalar") },                    \
  { NUMBER_ROW(r##title##_scalar, "_r" #title "_scalar", infer_with_number,                                     \
               "F._r" #title "_scalar(" INTS("1, 2, 3") ", 64)", #title " of scalar by x") },

/* clang-format off */
Op bit_ops[] = {
  EACH_BITWISE(BITWISE_ROW)
  { .name = "_npi_bitwise_not", .aliases = "bitwise_not invert", .inputs = "data",
    .doc = "For integers, every bit inverted; for bools and floats, 1 where x is 0, else 0",
    .flags = OP_IN_PLACE | OP_NO_GRAD,
    .example = "F.bitwise_not(" INTS("6, 0, -1") ")\nF.bitwise_not(F.array{0, 1, 2})",
    .infer = infer_elementwise, .elementwise = &bitwise_not_y, .metamethod = "__bnot", .name_stem = "bitwise_not",
    .portable = bitwise_not_portable },
  EACH_SHIFT(SHIFT_ROW)
  { 0 }
};
/* clang-format on */
