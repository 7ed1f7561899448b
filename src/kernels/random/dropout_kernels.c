/* dropout_kernels.c - the kernel of Dropout. */
#include "kernels/kernel_registry.h"
#include "kernels/loops/elementwise_loops.h"
#include "kernels/loops/random_mask.h"
#include "ops/random/dropout.h"
#include "tensor/cast_copy.h"

#define DROP(code, T, suffix)                                                                           \
  static void drop_##suffix(const RandomMask *m, int64_t at, int64_t n, const uint32_t *bits) {         \
    const T *x = (const T *)m->x + at, scale = (T)m->scale;                                             \
    const uint32_t threshold = m->threshold;                                                            \
    T *out = (T *)m->out + at, *mask = m->mask ? (T *)m->mask + at : NULL;                              \
    for (int64_t i = 0; mask && i < n; i++) mask[i] = bits[i] >= threshold ? scale : 0;                 \
    for (int64_t i = 0; m->x && i < n; i++) out[i] = x[i] * (bits[i] >= threshold ? scale : 0);         \
  }
EACH_FLOAT(DROP)

/* The column `own`. */
typedef struct DropLoop { void (*piece)(const RandomMask *m, int64_t at, int64_t n, const uint32_t *bits); } DropLoop;

static Status dropout(Call *c) {
  const DropoutParams *p = c->params;
  const bool whole = dropout_whole(&c->out[1]->type, &c->out[0]->type);
  if (!dropout_drops(p, c->train)) {
    copy_block(c->in[0]->data, c->out[0]->data, tensor_bytes(c->in[0]));
    return interrupt_status();
  }
  RandomMask m = { .piece = ((const DropLoop *)c->kernel->own)->piece,
                   .draws = true,
                   .size = tensor_size(c->out[1]),
                   .x = whole ? c->in[0]->data : NULL,
                   .out = c->out[0]->data,
                   .mask = c->out[1]->data,
                   .threshold = p->p < 1 ? (uint32_t)(p->p * 0x1p32) : 0,
                   .scale = p->p < 1 ? 1 / (1 - p->p) : 0 };
  TRY(random_mask_run(&m));
  if (whole) return OK;
  return elementwise_run(op_find("broadcast_mul"), (const Tensor *[]){ c->in[0], c->out[1] }, 2, c->out[0], NULL);
}

const Kernel dropout_kernels[] = {
  { .op = "Dropout", .types = ONE_TYPE(DT_FLOAT32), .run = dropout, .own = &(const DropLoop){ drop_f32 } },
  { .op = "Dropout", .types = ONE_TYPE(DT_FLOAT64), .run = dropout, .own = &(const DropLoop){ drop_f64 } },
  { 0 },
};
