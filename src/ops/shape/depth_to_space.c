/* depth_to_space.c - channels rearranged into square blocks of height and width, and the reverse: depth_to_space,
** space_to_depth.
**
** Each row is the other's gradient. Their kernels: kernels/shape/depth_to_space_kernels.c.
*/
#include "ops/shape/depth_to_space.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

static int64_t grown(int64_t dim, int64_t by) { return dim < 0 ? UNKNOWN : dim * by; }
static int64_t shrunk(int64_t dim, int64_t by) { return dim < 0 ? UNKNOWN : dim / by; }
static bool divides(int64_t by, int64_t dim) { return dim < 0 || dim % by == 0; }

/* A deep array has axes (n, y x c, h, w), a wide one (n, c, h y, w x); y and x are row and column within a block. */
static Status infer_blocks(Infer *f, bool to_space) {
  int64_t b = ((const BlockParams *)f->params)->block_size;
  const Shape *in = &f->in[0].shape;
  TRY(one_dtype(f, 0, 1));
  if (b < 1 || b > 1 << 20) return fail("block_size: expected a size of 1 or more, got %lld", (long long)b);
  if (in->ndim < 0) return OK;
  if (in->ndim != 4)
    return fail("data: expected 4 dimensions (batch, channel, height, width), got shape %s", shape_text(in));
  int64_t n = in->dim[0], c = in->dim[1], h = in->dim[2], w = in->dim[3];
  if (to_space ? !divides(b * b, c) : !divides(b, h) || !divides(b, w))
    return fail("data: expected %s of %lld, got shape %s",
                to_space ? "channels that are a multiple" : "height and width that are multiples",
                (long long)(to_space ? b * b : b), shape_text(in));
  Shape s = to_space ? (Shape){ .ndim = 4, .dim = { n, shrunk(c, b * b), grown(h, b), grown(w, b) } }
                     : (Shape){ .ndim = 4, .dim = { n, grown(c, b * b), shrunk(h, b), shrunk(w, b) } };
  return output_shape(f, 0, &s);
}

static Status infer_depth_to_space(Infer *f) { return infer_blocks(f, true); }
static Status infer_space_to_depth(Infer *f) { return infer_blocks(f, false); }
static Status depth_to_space_grad(Gradient *d) { return gradient_by(d, "space_to_depth"); }
static Status space_to_depth_grad(Gradient *d) { return gradient_by(d, "depth_to_space"); }

/* ---- Rows --------------------------------------------------------------------------------------------------- */

#define BLOCK_LINE "block_size int - Number of rows and of columns in a block.\n"

/* clang-format off */
Op depth_to_space_ops[] = {
  { .name = "depth_to_space", .doc = "Channels rearranged into square blocks of height and width", .inputs = "data",
    .example = "F.depth_to_space(F.array{{{{1}}, {{2}}, {{3}}, {{4}}}}, {block_size = 2})", .params = BLOCK_LINE,
    .params_size = sizeof(BlockParams),
    .flags = OP_NAMED_INPUT, .infer = infer_depth_to_space, .grad = depth_to_space_grad },
  { .name = "space_to_depth", .doc = "Square blocks of height and width rearranged into channels", .inputs = "data",
    .example = "F.space_to_depth(F.array{{{{1, 2}, {3, 4}}}}, {block_size = 2})", .params = BLOCK_LINE,
    .params_size = sizeof(BlockParams),
    .flags = OP_NAMED_INPUT, .infer = infer_space_to_depth, .grad = space_to_depth_grad },
  { 0 }
};
/* clang-format on */
