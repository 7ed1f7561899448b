/* operator_log.h - the operator log: the results of each operator of a run, for comparing two runs. */
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

/* Adds an operator; *out is where its n_out results go. operator_log_drop removes the last one again, if its results
** were not filled in. */
Status operator_log_add(OperatorLog *log, const Op *op, Origin origin, int node, int n_out, Tensor **out);
void operator_log_drop(OperatorLog *log);
void operator_log_free(OperatorLog *log);

/* Runs the graph as it was traced, operator by operator in its order, by the eager kernels; logs
** every result. Draws random numbers and writes states as a call does. */
Status operator_log_replay(const Compiled *c, Array *const *in, OperatorLog *log);

/* A compiled function on the same inputs that returns, after the first n_kept outputs of `c`, those of node `at`:
** with n_kept 0 the smallest function around that node, with all outputs the whole one and a look inside it. */
Status operator_log_cut(const Compiled *c, int at, int n_kept, Compiled **out);

#endif
