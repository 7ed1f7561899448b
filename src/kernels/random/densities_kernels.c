/* densities_kernels.c - random_pdf_*: densities, by the elementwise loops of their logarithms. */
#include "ops/random/densities.h"

#include "base/math/scalar_functions.h"
#include "base/math/tree_sum.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/elementwise_loops.h"
#include "kernels/loops/kernel_calls.h"

/* A view of a parameter with the shape that broadcasts to a sample of `ndim` axes. */
static Tensor spread(const Tensor *t, int ndim) {
  Tensor view = *t;
  view.type.shape = density_shape(&t->type.shape, ndim, 0);
  return view;
}

static Status exp_unless_log(Call *c) {
  const Tensor *const in[] = { c->out[0] };
  return ((const DensityParams *)c->params)->is_log ? OK : elementwise_run(op_find("exp"), in, 1, c->out[0], NULL);
}

/* The kernel's `own` is the name of the row of the logarithm. */
static Status density(Call *c) {
  Tensor view[3];
  const Tensor *in[3] = { c->in[0] };
  for (int i = 1; i < c->n_in; i++) {
    view[i] = spread(c->in[i], c->in[0]->type.shape.ndim);
    in[i] = &view[i];
  }
  TRY(elementwise_run(op_find(c->kernel->own), in, c->n_in, c->out[0], NULL));
  return exp_unless_log(c);
}

/* A work item is a draw; `each` draws share the concentrations. The sums have the order of base/math/tree_sum.h. */
#define DIRICHLET(code, T, suffix)                                                                           \
  static T log_dirichlet_##suffix(const T *x, const T *alpha, int64_t n) {                                   \
    double of_terms, of_alpha, of_gammas;                                                                    \
    TREE_FOLD(of_terms, T, double, n, 0, TREE_ADD, (alpha[i] + (T)-1) * log(x[i]));                          \
    TREE_FOLD(of_alpha, T, double, n, 0, TREE_ADD, alpha[i]);                                                \
    TREE_FOLD(of_gammas, T, double, n, 0, TREE_ADD, gammaln(alpha[i]));                                      \
    return (T)of_terms + (gammaln((T)of_alpha) - (T)of_gammas);                                              \
  }                                                                                                          \
  static void dirichlet_##suffix(void *context, int64_t first, int64_t last) {                               \
    const Call *c = context;                                                                                 \
    const Shape *s = &c->in[0]->type.shape;                                                                  \
    const int64_t n = s->dim[s->ndim - 1], own = tensor_size(c->in[1]) / n;                                  \
    const int64_t each = tensor_size(c->out[0]) / own;                                                       \
    for (int64_t k = first; k < last && !interrupted(); k++)                                                 \
      ((T *)c->out[0]->data)[k] =                                                                            \
          log_dirichlet_##suffix((const T *)c->in[0]->data + k * n, (const T *)c->in[1]->data + k / each * n, n); \
  }
EACH_FLOAT(DIRICHLET)

static Status dirichlet(Call *c) {
  const Shape *s = &c->in[0]->type.shape;
  const int64_t n = s->dim[s->ndim - 1];
  if (n == 0) return fail("%s: sample: expected components along the last axis, got none", op_title(c->op));
  TRY(run_parallel(tensor_size(c->out[0]), (1 << 8) / n + 1, c->kernel->body, c));
  return exp_unless_log(c);
}

#define KERNEL(name, ...) \
  { .op = "_random_pdf_" #name, .types = FLOAT_TYPES, .run = density, .own = "_log_pdf_" #name },

#define LOOPS2(name, expr, da, db, ...)                                                                      \
  LOOPS_FLOAT(name##_y, expr) LOOPS_FLOAT(name##_da, da) LOOPS_FLOAT(name##_db, db)
#define LOOPS3(name, expr, da, db, dc, ...)                                                                  \
  LOOPS2(name, expr, da, db) LOOPS_FLOAT(name##_dc, dc)
EACH_DENSITY(LOOPS2, LOOPS3)

#define ELEMENTS2(name, ...)                                                                                 \
  FLOAT_ELEMENTS("_log_pdf_" #name, name##_y) FLOAT_ELEMENTS("_backward__log_pdf_" #name "_0", name##_da)    \
  FLOAT_ELEMENTS("_backward__log_pdf_" #name "_1", name##_db)
#define ELEMENTS3(name, ...)                                                                                 \
  ELEMENTS2(name) FLOAT_ELEMENTS("_backward__log_pdf_" #name "_2", name##_dc)

const Kernel densities_kernels[] = {
  EACH_DENSITY(ELEMENTS2, ELEMENTS3) EACH_DENSITY(KERNEL, KERNEL)
    FLOAT_KERNELS("_random_pdf_dirichlet", dirichlet, dirichlet),
  { 0 },
};
