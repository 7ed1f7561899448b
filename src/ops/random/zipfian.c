/* zipfian.c - different classes drawn from an approximately Zipfian distribution: _sample_unique_zipfian.
**
** The kernel is in kernels/random/zipfian_kernels.c.
*/
#include "ops/random/zipfian.h"

#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

static Status infer_zipfian(Infer *f) {
  const ZipfianParams *p = f->params;
  const Shape s = p->shape.count == 2 ? list_shape(&p->shape) : (Shape){ 0 };
  if (p->range_max < 1) return fail("range_max: expected 1 or more, got %lld", (long long)p->range_max);
  if (p->shape.count != 2)
    return fail("shape: expected two numbers, rows and classes in each, got %lld", (long long)p->shape.count);
  TRY(shape_check(&s, "shape"));
  if (s.dim[1] > p->range_max)
    return fail("shape: expected at most range_max = %lld different classes in a row, got %lld",
                (long long)p->range_max, (long long)s.dim[1]);
  for (int i = 0; i < 2; i++) f->out[i].dtype = DT_INT64;
  TRY(output_shape(f, 0, &s));
  return output_shape(f, 1, &(Shape){ 1, { s.dim[0] } });
}

/* clang-format off */
Op zipfian_ops[] = {
  { .name = "_sample_unique_zipfian",
    .doc = "Rows of different classes below range_max, class k with the probability log((k + 2) / (k + 1)) / "
           "log(range_max + 1) in each try; the second output has the number of tries for each row, to be used in "
           "sampled softmax (S. Jean et al., 2014)",
    .example = "F._sample_unique_zipfian(100, {2, 5})", .inputs = "", .outputs = "samples num_tries",
    .params = "range_max int - The number of classes.\nshape shape? None Rows and the classes in each.\n",
    .params_size = sizeof(ZipfianParams), .effects = op_draws_always, .flags = OP_NO_GRAD, .infer = infer_zipfian },
  { 0 }
};
/* clang-format on */
