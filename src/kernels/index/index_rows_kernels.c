/* index_rows_kernels.c - x[key] and its gradient: a region, or rows that index arrays choose (chosen_rows.h). */
#include "kernels/index/chosen_rows.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/fill_region.h"

static Status index_key(Call *c) {
  const Key *key = key_of(c->params);
  const Shape *x = &c->in[0]->type.shape;
  if (c->n_in == 1) {
    Selection s;
    TRY(key_select(key, x, NULL, &s));
    return fill_from(c, s.region);
  }
  if (names_rows(key)) {
    NamedRows r;
    TRY(named_rows(x, c->in[1], &r));
    rows_gather(&r.rows, element_size(c), c->in[0]->data, c->out[0]->data);
  } else {
    ChosenRows r;
    TRY(chosen_rows(key, x, c->in + 1, c->n_in - 1, &r));
    rows_gather(&r.rows, element_size(c), c->in[0]->data, c->out[0]->data);
  }
  return interrupt_status();
}

static Status backward_index(Call *c) {
  const Key *key = key_of(c->params);
  Tensor *out = c->out[0];
  if (c->n_in == 1) {
    Selection s;
    TRY(key_select(key, &out->type.shape, NULL, &s));
    return fill_part(c, s.region);
  }
  ChosenRows r;
  TRY(chosen_rows(key, &out->type.shape, c->in + 1, c->n_in - 1, &r));
  clear_block(out->data, tensor_bytes(out));
  rows_add(&r.rows, c->kernel->own, c->in[0]->data, out->data);
  return interrupt_status();
}

const Kernel index_rows_kernels[] = {
  { .op = "_index", .types = ALL_TYPES, .run = index_key },
  ADDING_KERNELS("_backward_index", backward_index),
  { .op = "_backward_index", .types = ONE_TYPE(DT_FLOAT16), .run = backward_index },    /* without index arrays */
  { 0 },
};
