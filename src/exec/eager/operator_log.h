/* operator_log.h - the operator log: the results of each operator of a run, for comparing two runs. */
#ifndef HL_EXEC_EAGER_OPERATOR_LOG_H
#define HL_EXEC_EAGER_OPERATOR_LOG_H

#include "exec/program/compiled_function.h"

typedef struct LoggedOp {
  const Op *op;
  Origin origin;
  int node;              /* position in the graph; -1: the call was eager */
  Tensor *out;
  int n_out;
} LoggedOp;

typedef struct OperatorLog {
  LoggedOp *at;
  int n, capacity;
} OperatorLog;

/* Adds an operator; the caller fills in its n_out results at *out, or calls operator_log_drop to remove it again. */
Status operator_log_add(OperatorLog *log, const Op *op, Origin origin, int node, int n_out, Tensor **out);
void operator_log_drop(OperatorLog *log);
void operator_log_free(OperatorLog *log);

/* Runs the traced graph operator by operator, with the eager kernels, and logs every result. Draws random numbers and
** writes states as a call does. */
Status operator_log_replay(const Compiled *c, Array *const *in, OperatorLog *log);

/* Makes a compiled function that returns the first n_kept outputs of `c`, then those of node `at`. If n_kept is 0, it
** is the smallest one that computes the node; if all outputs are kept, it is `c` plus the node's values. */
Status operator_log_cut(const Compiled *c, int at, int n_kept, Compiled **out);

#endif
