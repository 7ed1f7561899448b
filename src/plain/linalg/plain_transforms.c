/* plain_transforms.c - the rows that linalg/count_sketch.h, fourier.h and packed_triangle.h define, and their numbers.
** */
#include "ops/common/shared_params.h"
#include "plain/plain_registry.h"

static void sketch_numbers(const Query *q, PlainCall *c) {
  plain_wholes(c, query_in_shape(q, 0)->dim, 2);
  plain_whole(c, query_out_shape(q, 0)->dim[1]);
}

/* s: the real numbers' shape. */
static void add_rows(const Shape *s, PlainCall *c) {
  const int64_t n = s->dim[s->ndim - 1];
  plain_whole(c, shape_size_range(s, 0, s->ndim - 1));
  plain_whole(c, n);
  c->workspace = 5 * n;
}

static void fft_numbers(const Query *q, PlainCall *c) { add_rows(query_in_shape(q, 0), c); }
static void ifft_numbers(const Query *q, PlainCall *c) { add_rows(query_out_shape(q, 0), c); }

/* s: the matrices' shape. The sign of the offset, or `lower` if it is 0, selects the triangle. */
static void add_triangles(const Query *q, const Shape *s, PlainCall *c) {
  const TriangleParams *p = q->params;
  const bool lower = p->offset < 0 || (p->offset == 0 && p->lower);
  plain_whole(c, shape_size_range(s, 0, s->ndim - 2));
  plain_whole(c, s->dim[s->ndim - 1]);
  plain_whole(c, lower ? p->offset : -p->offset);
  plain_whole(c, lower);
}

static void pack_numbers(const Query *q, PlainCall *c) { add_triangles(q, query_in_shape(q, 0), c); }
static void unpack_numbers(const Query *q, PlainCall *c) { add_triangles(q, query_out_shape(q, 0), c); }

#define TRANSFORM(row, file, name, numbers)                                                                   \
  { .op = row, .text = "linalg/" file, .function = name, .types = FLOAT_TYPES, .arguments = numbers }

const Plain plain_transforms[] = { TRANSFORM("_contrib_count_sketch", "count_sketch", "count_sketch", sketch_numbers),
                                   TRANSFORM("_contrib_fft", "fourier", "fourier", fft_numbers),
                                   TRANSFORM("_contrib_ifft", "fourier", "inverse_fourier", ifft_numbers),
                                   TRANSFORM("_linalg_extracttrian", "packed_triangle", "pack_triangle", pack_numbers),
                                   TRANSFORM("_linalg_maketrian", "packed_triangle", "unpack_triangle", unpack_numbers),
                                   { 0 } };
