/* gradient_checks.c - checks and norms of gradients: finiteness, sums of squares, clipping by the norm.
**
** The kernels: kernels/train/gradient_check_kernels.c.
*/
#include "ops/train/gradient_checks.h"

#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

typedef struct AllFiniteParams { int64_t init_output; } AllFiniteParams;
typedef struct MultiFiniteParams { int64_t num_arrays, init_output; } MultiFiniteParams;
typedef struct ArrayCountParams { int64_t num_arrays; } ArrayCountParams;

static int counted_inputs(const Query *q) { return (int)((const ArrayCountParams *)q->params)->num_arrays; }

/* Arrays of floats give n float32 numbers. */
static Status infer_numbers(Infer *f, int64_t n) {
  TRY(float_inputs(f, f->n_in));
  TRY(output_dtype(f, 0, DT_FLOAT32));
  return output_shape(f, 0, &(Shape){ 1, { n } });
}

static Status infer_finite(Infer *f) { return infer_numbers(f, 1); }
static Status infer_sum_sq(Infer *f) { return infer_numbers(f, f->n_in); }

static double sum_sq_flops(const Query *q) {
  double elements = 0;
  for (int i = 0; i < q->n_in; i++) elements += (double)shape_size(&query_in(q, i)->shape);
  return 2 * elements;
}

/* ---- Clipping ---------------------------------------------------------------------------------------------------- */

/* In place, the norm is the only output. */
static bool clips_in_place(const Query *q) { return ((const ClipNormParams *)q->params)->in_place; }
static int clip_inputs(const Query *q) { return (int)((const ClipNormParams *)q->params)->num_arrays; }
static int clip_outputs(const Query *q) { return 1 + (clips_in_place(q) ? 0 : clip_inputs(q)); }
static unsigned clip_effects(const Query *q) { return clips_in_place(q) ? WRITES : 0; }
static bool clip_writes(const Query *q, int input) { return (void)input, clips_in_place(q); }

static Status infer_clip(Infer *f) {
  TRY(float_inputs(f, f->n_in));
  for (int i = 0; i + 1 < f->n_out; i++) {
    TRY(one_shape(f, i, i));
    TRY(output_dtype(f, i, f->in[i].dtype));
    TRY(input_dtype(f, i, f->out[i].dtype));
  }
  TRY(output_dtype(f, f->n_out - 1, DT_FLOAT64));
  return output_shape(f, f->n_out - 1, &(Shape){ 1, { 1 } });
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

/* clang-format off */
Op gradient_check_ops[] = {
  { .name = "all_finite", .doc = "1 if every element is finite, else 0; float32 (1,)",
    .example = "F.all_finite(F.array{1, 2})", .inputs = "data",
    .params = "init_output bool True Accepted for MXNet's sake: the output is always initialized.\n",
    .params_size = sizeof(AllFiniteParams), .flags = OP_NO_GRAD | OP_NAMED_INPUT, .infer = infer_finite },
  { .name = "multi_all_finite", .doc = "1 if every element of the arrays is finite, else 0; float32 (1,)",
    .example = "F.multi_all_finite(F.array{1, 2}, F.array{3}, {num_arrays = 2})", .inputs = "data...",
    .params = "num_arrays int 1 Number of arrays.\n"
              "init_output bool True Accepted for MXNet's sake: the output is always initialized.\n",
    .params_size = sizeof(MultiFiniteParams), .n_inputs = counted_inputs, .flags = OP_NO_GRAD | OP_VARIADIC,
    .infer = infer_finite },
  { .name = "multi_sum_sq", .doc = "The sum of squares of each array; float32 (num_arrays,)",
    .example = "F.multi_sum_sq(F.array{1, 2}, F.array{3}, {num_arrays = 2})", .inputs = "data...",
    .params = "num_arrays int - Number of arrays.\n", .params_size = sizeof(ArrayCountParams),
    .n_inputs = counted_inputs, .flags = OP_NO_GRAD | OP_VARIADIC, .infer = infer_sum_sq,
    .flops = sum_sq_flops },
  { .name = "_contrib_clip_global_norm", .aliases = "contrib.clip_global_norm",
    .doc = "The arrays, multiplied by max_norm / norm if the norm of all their elements together exceeds max_norm; the "
           "last output is that norm, float64 (1,). Not differentiable: for gradients",
    .example = "F.contrib.clip_global_norm(F.array{3, 0}, F.array{4}, {max_norm = 1, num_arrays = 2})",
    .inputs = "data...",
    .params = "max_norm float - The largest norm.\nnum_arrays int 1 Number of arrays.\n"
              "_in_place bool False Does it change the arrays? Then the norm is the only output.\n",
    .params_size = sizeof(ClipNormParams), .role = ROLE_CLIP, .n_inputs = clip_inputs, .n_outputs = clip_outputs,
    .flags = OP_NO_GRAD | OP_VARIADIC, .effects = clip_effects, .writes = clip_writes, .infer = infer_clip },
  { 0 }
};
/* clang-format on */
