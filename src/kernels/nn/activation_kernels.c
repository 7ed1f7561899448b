/* activation_kernels.c - LeakyReLU. rrelu draws its slopes as a random mask; the others are expressions. */
#include "base/math/random_stream.h"
#include "base/math/scalar_functions.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/elementwise_loops.h"
#include "kernels/loops/random_mask.h"
#include "ops/nn/activation.h"

#define LEAK(code, T, suffix)                                                                           \
  static void leak_##suffix(const RandomMask *m, int64_t at, int64_t n, const uint32_t *bits) {         \
    const T *x = (const T *)m->x + at, low = (T)m->low, range = (T)m->range;                            \
    T *out = (T *)m->out + at, *mask = (T *)m->mask + at;                                               \
    for (int64_t i = 0; i < n; i++) {                                                                   \
      const T slope = x[i] > 0 ? 1 : low + range * (T)(m->draws ? random_unit32(bits[i]) : 0.5f);       \
      out[i] = x[i] * slope;                                                                            \
      mask[i] = slope;                                                                                  \
    }                                                                                                   \
  }
EACH_FLOAT(LEAK)

typedef struct LeakLoop { void (*piece)(const RandomMask *m, int64_t at, int64_t n, const uint32_t *bits); } LeakLoop;

static Status rrelu(Call *c) {
  const LeakyParams *p = c->params;
  RandomMask m = { .piece = ((const LeakLoop *)c->kernel->own)->piece,
                   .draws = c->train,
                   .size = tensor_size(c->in[0]),
                   .x = c->in[0]->data,
                   .out = c->out[0]->data,
                   .mask = c->out[1]->data,
                   .low = p->lower_bound,
                   .range = p->upper_bound - p->lower_bound };
  return random_mask_run(&m);
}

static Status prelu(Call *c) {
  Tensor gamma = *c->in[1];              /* the same memory */
  gamma.type.shape = leaky_gamma_shape(&c->in[0]->type.shape, &c->in[1]->type.shape);
  return elementwise_run(op_find("_prelu"), (const Tensor *[]){ c->in[0], &gamma }, 2, c->out[0], NULL);
}

static Status leaky(Call *c) {
  const int64_t kind = ((const LeakyParams *)c->params)->act_type;
  return kind == RRELU ? rrelu(c) : kind == PRELU ? prelu(c) : elementwise_chosen(c);
}

#define LEAKY(code, suffix)                                                                             \
  { .op = "LeakyReLU", .types = ONE_TYPE(code), .run = leaky, .own = &(const LeakLoop){ leak_##suffix } }

#define LEAKY_LOOPS(name, n, expr, grad) LOOPS_FLOAT(name##_y, expr) LOOPS_FLOAT(name##_dy, grad)
#define PRELU_LOOPS(name, expr, da, db) \
  LOOPS_FLOAT(name##_y, expr) LOOPS_FLOAT(name##_da, da) LOOPS_FLOAT(name##_db, db)
EACH_LEAKY(LEAKY_LOOPS)
EACH_PRELU(PRELU_LOOPS)

#define LEAKY_ROWS(name, ...) FLOAT_ELEMENTS("_" #name, name##_y) FLOAT_ELEMENTS("_backward__" #name, name##_dy)
#define PRELU_ROWS(name, ...)                                                                           \
  FLOAT_ELEMENTS("_" #name, name##_y) FLOAT_ELEMENTS("_backward__" #name "_0", name##_da)               \
  FLOAT_ELEMENTS("_backward__" #name "_1", name##_db)

/* clang-format off */
const Kernel activation_kernels[] = {
  { .op = "Activation", .types = NUMBER_TYPES, .run = elementwise_chosen },
  LEAKY(DT_FLOAT32, f32), LEAKY(DT_FLOAT64, f64),
  EACH_LEAKY(LEAKY_ROWS) EACH_PRELU(PRELU_ROWS) { 0 }
};
/* clang-format on */
