/* custom_operator.h - operators that the script defines (MXNet's Custom).
**
** The row `_Custom` and its gradient are operators like others: they keep their place in the script's order, have a
** shape that inference finds, and a kernel. All of that calls Lua, through the CustomEngine that
** bind/autograd/script_operator.c fills in. A CustomOperator is an immutable object parameter (ir/params.h), which
** copies of a node share; its `link` leads to the Lua object (lua/hybridlua/operator.lua).
**
** Inputs of the row are the arguments, then the auxiliary states, which it may write to. The last output is hidden: the
** number of the Lua operator that computed the others, so that the gradient finds the same one.
*/
#ifndef HL_IR_CUSTOM_OPERATOR_H
#define HL_IR_CUSTOM_OPERATOR_H

#include "ir/op.h"

typedef struct CustomOperator {
  int refs;
  int n_args, n_out, n_aux;
  char *op_type;                 /* for errors */
  void *link;                    /* owned; for the engine */
} CustomOperator;

extern const ObjectKind custom_kind;

/* Makes one with one reference; takes over `link` even on failure. */
Status custom_new(const char *op_type, int n_args, int n_out, int n_aux, void *link, CustomOperator **out);
void custom_release(CustomOperator *o);

/* Parameters of _Custom and of its gradient, whose inputs are the gradients of the outputs, the arguments, the outputs
** and the number of the Lua operator. */
typedef struct CustomParams { int64_t num_args; const char *op_type; CustomOperator *custom; } CustomParams;
typedef struct CustomBackParams { int64_t num_args; CustomOperator *custom; } CustomBackParams;

typedef struct CustomEngine {
  /* Sets what Lua infers of the types of the inputs, then of the outputs. */
  Status (*infer)(const Infer *f, const CustomOperator *o, Type *learned);
  Status (*forward)(Call *c, const CustomOperator *o);
  Status (*backward)(Call *c, const CustomOperator *o);
  void (*forget)(void *link);
} CustomEngine;
extern const CustomEngine *_Atomic custom_engine;

#endif
