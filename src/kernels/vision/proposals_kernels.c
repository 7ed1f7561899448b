/* proposals_kernels.c - Proposal and MultiProposal.
**
** For each image: (1) the anchors of each place are moved by bbox_pred and clipped to the image; (2) boxes outside
** the feature map of an unpadded image, and those that are too small, get the score -1; (3) the best
** rpn_pre_nms_top_n boxes are taken in the order of scores, equal ones in their order; (4) a box that overlaps a
** better one more than the threshold is dropped. All in the element type.
*/
#include "ops/vision/proposals.h"

#include <math.h>
#include <string.h>

#include "base/math/scalar_functions.h"
#include "base/size_math.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "kernels/loops/rank_sort.h"

/* Per thread: the boxes of an image, their order of score, and as much space again to sort them. */
static int64_t boxes_of(const Query *q) {
  const Shape *s = query_in_shape(q, 0);
  return proposal_anchors(q->params) * s->dim[2] * s->dim[3];
}

static Status proposals_workspace(const Query *q, Workspace *w) {
  const size_t each = 5 * sizeof(double) + 2 * sizeof(Ranked);
  w->thread_bytes = workspace_by_items(query_in_shape(q, 0)->dim[0], (size_t)boxes_of(q) * each, &w->most_threads);
  return OK;
}

#define PROPOSALS(code, T, suffix)                                                                           \
  typedef struct Box_##suffix { T left, top, right, bottom, score; } Box_##suffix;                           \
                                                                                                             \
  /* The anchor of a ratio and a scale at the first place (R. Girshick's generate_anchors). */               \
  static Box_##suffix anchor_##suffix(T stride, T ratio, T scale) {                                          \
    const T size = floor(stride * stride / ratio), half = (T)0.5;                                            \
    const T wide = floor(sqrt(size) + half), high = floor(wide * ratio + half);                              \
    const T centre = half * (stride - 1), x = half * (wide * scale - 1), y = half * (high * scale - 1);      \
    return (Box_##suffix){ centre - x, centre - y, centre + x, centre + y, 0 };                              \
  }                                                                                                          \
  static T clipped_##suffix(T x, T most) {                                                                   \
    const T low = x < most ? x : most;                                                                       \
    return low > 0 ? low : 0;                                                                                \
  }                                                                                                          \
  /* The anchor moved by d, four numbers that are `step` apart. */                                           \
  static Box_##suffix moved_##suffix(Box_##suffix a, const T *d, int64_t step, bool corners) {               \
    if (corners)                                                                                             \
      return (Box_##suffix){ a.left + d[0], a.top + d[step], a.right + d[2 * step], a.bottom + d[3 * step], a.score }; \
    const T half = (T)0.5, wide = a.right - a.left + 1, high = a.bottom - a.top + 1;                         \
    const T x = d[0] * wide + (a.left + half * (wide - 1)), y = d[step] * high + (a.top + half * (high - 1)); \
    const T w = half * (exp(d[2 * step]) * wide - 1), h = half * (exp(d[3 * step]) * high - 1);              \
    return (Box_##suffix){ x - w, y - h, x + w, y + h, a.score };                                            \
  }                                                                                                          \
  static void find_boxes_##suffix(const Call *c, int64_t image, Box_##suffix *to) {                          \
    const ProposalParams *p = c->params;                                                                     \
    const Shape *s = &c->in[0]->type.shape;                                                                  \
    const int64_t anchors = proposal_anchors(p), size = s->dim[2] * s->dim[3];                               \
    const T *info = (const T *)c->in[2]->data + image * 3, stride = (T)p->feature_stride;                    \
    const T *scores = (const T *)c->in[0]->data + (2 * image + 1) * anchors * size;                          \
    const T *deltas = (const T *)c->in[1]->data + 4 * image * anchors * size, least = (T)p->rpn_min_size * info[2]; \
    for (int64_t k = 0; k < size * anchors; k++) {                                                           \
      const int64_t a = k % anchors, place = k / anchors, y = place / s->dim[3], x = place % s->dim[3];      \
      Box_##suffix box = anchor_##suffix(stride, (T)list_floats(&p->ratios)[a / p->scales.count],            \
                                         (T)list_floats(&p->scales)[a % p->scales.count]);                   \
      box.left += (T)x * stride;                                                                             \
      box.right += (T)x * stride;                                                                            \
      box.top += (T)y * stride;                                                                              \
      box.bottom += (T)y * stride;                                                                           \
      box.score = scores[a * size + place];                                                                  \
      box = moved_##suffix(box, deltas + 4 * a * size + place, size, p->iou_loss != 0);                      \
      box.left = clipped_##suffix(box.left, info[1] - 1);                                                    \
      box.right = clipped_##suffix(box.right, info[1] - 1);                                                  \
      box.top = clipped_##suffix(box.top, info[0] - 1);                                                      \
      box.bottom = clipped_##suffix(box.bottom, info[0] - 1);                                                \
      if ((T)y >= floor(info[0] / stride) || (T)x >= floor(info[1] / stride)) box.score = -1;                \
      if (box.right - box.left + 1 < least || box.bottom - box.top + 1 < least) {                            \
        box.left -= least / 2;                                                                               \
        box.top -= least / 2;                                                                                \
        box.right += least / 2;                                                                              \
        box.bottom += least / 2;                                                                             \
        box.score = -1;                                                                                      \
      }                                                                                                      \
      to[k] = box;                                                                                           \
    }                                                                                                        \
  }                                                                                                          \
  static T overlap_##suffix(const Box_##suffix *a, const Box_##suffix *b) {                                  \
    const T left = a->left > b->left ? a->left : b->left, right = a->right < b->right ? a->right : b->right; \
    const T top = a->top > b->top ? a->top : b->top, bottom = a->bottom < b->bottom ? a->bottom : b->bottom; \
    const T wide = right - left + 1, high = bottom - top + 1;                                                \
    const T both = (wide > 0 ? wide : 0) * (high > 0 ? high : 0);                                            \
    const T of_a = (a->right - a->left + 1) * (a->bottom - a->top + 1);                                      \
    const T of_b = (b->right - b->left + 1) * (b->bottom - b->top + 1);                                      \
    return both / (of_a + of_b - both);                                                                      \
  }                                                                                                          \
  /* Keeps at most `most` of n sorted boxes: moves them to the front of the order, and returns their number. */ \
  static int64_t suppress_##suffix(const Box_##suffix *box, Ranked *order, int64_t n, int64_t most, T threshold) { \
    int64_t kept = 0;                                                                                        \
    for (int64_t i = 0; i < n && kept < most && !interrupted(); i++) {                                       \
      bool better = false;                                                                                   \
      for (int64_t k = 0; k < kept && !better; k++)                                                          \
        better = overlap_##suffix(&box[order[k].index], &box[order[i].index]) > threshold;                   \
      if (!better) order[kept++] = order[i];                                                                 \
    }                                                                                                        \
    return kept;                                                                                             \
  }                                                                                                          \
  /* A work item is an image. */                                                                             \
  static void propose_##suffix(void *context, int64_t first, int64_t last) {                                 \
    const Call *c = context;                                                                                 \
    const ProposalParams *p = c->params;                                                                     \
    const Query q = query_of_call(c);                                                                        \
    const int64_t all = boxes_of(&q), wanted = p->rpn_post_nms_top_n;                                        \
    Box_##suffix *box = call_thread_workspace(c);                                                            \
    Ranked *order = (Ranked *)((char *)box + (size_t)all * 5 * sizeof(double));                              \
    for (int64_t image = first; image < last && !interrupted(); image++) {                                   \
      find_boxes_##suffix(c, image, box);                                                                    \
      for (int64_t i = 0; i < all; i++) order[i] = (Ranked){ box[i].score, i };                              \
      ranked_sort(order, order + all, all);                                                                  \
      const int64_t n = suppress_##suffix(box, order, proposal_candidates(p, all), wanted, (T)p->threshold); \
      T *to = (T *)c->out[0]->data + image * wanted * 5, *score = (T *)c->out[1]->data + image * wanted;     \
      for (int64_t i = 0; i < wanted && n > 0; i++) {                                                        \
        const Box_##suffix b = box[order[i % n].index];                                                      \
        const T row[5] = { (T)image, b.left, b.top, b.right, b.bottom };                                     \
        memcpy(to + i * 5, row, sizeof row);                                                                 \
        score[i] = b.score;                                                                                  \
      }                                                                                                      \
    }                                                                                                        \
  }
EACH_FLOAT(PROPOSALS)

static Status proposals(Call *c) {
  const Query q = query_of_call(c);
  if (boxes_of(&q) == 0)
    return fail("%s: cls_prob: expected a feature map with places, got shape %s", op_title(c->op),
                shape_text(&c->in[0]->type.shape));
  return run_parallel(c->in[0]->type.shape.dim[0], 1, c->kernel->body, c);
}

const Kernel proposals_kernels[] = {
  FLOAT_KERNELS("_contrib_Proposal", proposals, propose, .workspace = proposals_workspace),
  FLOAT_KERNELS("_contrib_MultiProposal", proposals, propose, .workspace = proposals_workspace),
  { 0 },
};
