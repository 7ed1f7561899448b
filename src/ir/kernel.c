/* kernel.c - see kernel.h: workspaces, and kernels entered into rows. */
#include <limits.h>

#include "base/memory.h"
#include "base/size_math.h"
#include "base/text_buffer.h"
#include "ir/op.h"

/* ---- Workspaces --------------------------------------------------------------------------------- */

void *kernel_plan(Workspace *w, size_t bytes) {
  w->status = OK;
  if (w->sizes_only) return NULL;
  const size_t lines = bytes ? whole_lines(bytes) : LINE_BYTES;     /* 0 bytes have an address, too */
  w->plan_bytes = lines;
  if (lines <= w->left) {
    w->plan = w->near;
    w->near += lines;
    w->left -= lines;
    return w->plan;
  }
  w->status = block_new(lines, &w->plan);
  return w->status == OK ? w->plan : NULL;
}

Status kernel_workspace(const Kernel *k, const Query *q, Workspace *w) {
  w->most_threads = INT_MAX;
  if (!k->workspace) return OK;
  Status s = k->workspace(q, w);
  w->bytes = whole_lines(w->bytes);
  w->thread_bytes = whole_lines(w->thread_bytes);
  if (s != OK) kernel_plan_free(w);
  return s;
}

void kernel_plan_free(Workspace *w) {
  const bool near = w->plan && (char *)w->plan + w->plan_bytes == w->near;
  if (w->plan && !near) block_free(w->plan, w->plan_bytes);
  w->plan = NULL;
}

/* ---- Entering kernels --------------------------------------------------------------------------- */

void op_add_kernel(Op *op, const Kernel *kernel) {
  for (KernelPlace place = 0; place < N_KERNEL_PLACES; place++)
    for (int dtype = 0; dtype < N_DTYPES && (kernel->place == place || kernel->place == EVERYWHERE); dtype++)
      if (kernel->types >> dtype & 1) op->kernel[place][dtype] = kernel;
}

/* ---- Reading ------------------------------------------------------------------------------------ */

Status call_no_kernel(const Call *c) {
  const Query q = query_of_call(c);
  return op_no_kernel(c->op, call_place(c), &q);
}

Status op_no_kernel(const Op *op, KernelPlace place, const Query *q) {
  const DType dtype = op_kernel_dtype(op, q);
  const char *where = place == ON_HOST ? "cpu" : "gpu";
  Text others = { 0 };
  for (int t = 0; t < N_DTYPES; t++)
    if (op->kernel[place][t]) text_format(&others, "%s%s", others.length ? ", " : "", dtype_name((DType)t));
  Status s = others.length ? fail("%s: no kernel for %s in a %s context, only for %s; convert with astype", op->name,
                                  dtype_name(dtype), where, others.at)
                           : fail("%s: no kernel in a %s context; move the arrays with as_in_context", op->name, where);
  text_free(&others);
  return s;
}
