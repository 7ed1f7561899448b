/* operator_log.h - what each operator of a run computed, for comparing two runs operator by operator. */
#ifndef HL_EXEC_EAGER_OPERATOR_LOG_H
#define HL_EXEC_EAGER_OPERATOR_LOG_H

#include "exec/program/compiled_function.h"

typedef struct LoggedOp {
  const Op *op;
  Origin origin;
  int node;              /* position in the graph; -1: run eagerly */
  Tensor *out;
  int n_out;
} LoggedOp;

typedef struct OperatorLog {
  LoggedOp *at;
  int n, capacity;
} OperatorLog;

/* Adds one for an operator; *out has room for what it computes. operator_log_drop takes the last away again, if
** it was not filled in. */
Status operator_log_add(OperatorLog *notes, const Op *op, Origin origin, int node, int n_out, Tensor **out);
void operator_log_drop(OperatorLog *notes);
void operator_log_free(OperatorLog *notes);

/* Runs the graph as it was traced, operator by operator in its order, by the eager kernels; notes
** every result. Draws random numbers and writes states as a call does. */
Status operator_log_replay(const Compiled *c, Array *const *in, OperatorLog *notes);

/* A compiled graph on the same inputs that gives, after the first n_kept outputs of `c`, what node
** `at` computes: the smallest program around that node, and the whole program with a look inside. */
Status operator_log_cut(const Compiled *c, int at, int n_kept, Compiled **out);

#endif
