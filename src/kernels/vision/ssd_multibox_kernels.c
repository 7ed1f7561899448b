/* ssd_multibox_kernels.c - kernels of MultiBoxPrior, MultiBoxTarget and MultiBoxDetection. */
#include <math.h>
#include <string.h>

#include "base/math/double_functions.h"
#include "base/size_math.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "kernels/loops/rank_sort.h"
#include "ops/vision/ssd_multibox.h"

/* ---- Prior boxes ---------------------------------------------------------------------------------------------- */

#define PRIOR(code, T, suffix)                                                                              \
  static void box_around_##suffix(T x, T y, T size, T ratio, T shape, T *to) {                              \
    const T w = size * shape * ratio / 2, h = size / ratio / 2;                                             \
    to[0] = x - w; to[1] = y - h; to[2] = x + w; to[3] = y + h;                                             \
  }                                                                                                         \
  /* A work item is a row of positions. */                                                                  \
  static void prior_##suffix(void *context, int64_t first, int64_t last) {                                  \
    const Call *c = context;                                                                                \
    const PriorParams *p = c->params;                                                                       \
    const int64_t height = c->in[0]->type.shape.dim[2], width = c->in[0]->type.shape.dim[3];                \
    const double *sizes = list_floats(&p->sizes), *ratios = list_floats(&p->ratios);                        \
    const double *steps = list_floats(&p->steps), *offsets = list_floats(&p->offsets);                      \
    const bool stepped = steps[0] > 0 && steps[1] > 0;                                                      \
    const T step_y = stepped ? (T)steps[0] : 1 / (T)height, step_x = stepped ? (T)steps[1] : 1 / (T)width;  \
    const T shape = (T)height / (T)width;                                                                   \
    for (int64_t i = first; i < last && !interrupted(); i++) {                                              \
      T *to = (T *)c->out[0]->data + i * width * boxes_at_place(p) * 4;                                     \
      const T y = ((T)i + (T)offsets[0]) * step_y;                                                          \
      for (int64_t j = 0; j < width; j++) {                                                                 \
        const T x = ((T)j + (T)offsets[1]) * step_x;                                                        \
        for (int64_t k = 0; k < boxes_at_place(p); k++, to += 4) {                                          \
          const T size = (T)sizes[k < p->sizes.count ? k : 0];                                              \
          box_around_##suffix(x, y, size, sqrt((T)ratios[k < p->sizes.count ? 0 : k - p->sizes.count + 1]), \
                              shape, to);                                                                   \
          for (int m = 0; m < 4 && p->clip; m++) to[m] = to[m] < 0 ? 0 : to[m] > 1 ? 1 : to[m];             \
        }                                                                                                   \
      }                                                                                                     \
    }                                                                                                       \
  }
EACH_FLOAT(PRIOR)

static Status prior(Call *c) {
  const Shape *data = &c->in[0]->type.shape;
  const int64_t work = data->dim[3] * boxes_at_place(c->params);
  return run_parallel(data->dim[2], (1 << 10) / (work + 1) + 1, c->kernel->body, c);
}

/* ---- Targets ------------------------------------------------------------------------------------------- */

/* The targets of an image: overlaps of anchors with objects, and the decision for each anchor. */
enum { IGNORED = -1, NEGATIVE, POSITIVE };
typedef struct BoxTargets {
  int64_t anchors, objects, width, classes;      /* objects: in the image; width: columns per label row */
  Ranked *rank;                                  /* 2 per anchor */
  double *best;                                  /* overlap with the object in `match`; -1 if not known yet */
  int64_t *match;
  void *overlap;                                 /* (anchors, objects) */
  signed char *state, *found;                    /* by anchor; by object */
} BoxTargets;

static Status targets_workspace(const Query *q, Workspace *w) {
  const Shape *label = &query_in(q, 1)->shape;
  const int64_t anchors = query_in(q, 0)->shape.dim[1], objects = label->dim[1];
  const size_t each = 2 * sizeof(Ranked) + sizeof(double) + sizeof(int64_t) + sizeof(double) * (size_t)objects + 1;
  const size_t bytes = (size_t)anchors * each + (size_t)objects;
  w->thread_bytes = workspace_by_items(label->dim[0], bytes, &w->most_threads);
  return OK;
}

static BoxTargets targets_in(void *workspace, int64_t anchors, int64_t objects) {
  BoxTargets t = { .anchors = anchors, .rank = workspace };
  t.best = (double *)(t.rank + 2 * anchors);
  t.match = (int64_t *)(t.best + anchors);
  t.overlap = t.match + anchors;
  t.state = (signed char *)((double *)t.overlap + anchors * objects);
  t.found = t.state + anchors;
  return t;
}

#define TARGETS(code, T, suffix)                                                                            \
  static T overlap_##suffix(const T *a, const T *b) {                                                       \
    const T w = (a[2] < b[2] ? a[2] : b[2]) - (a[0] > b[0] ? a[0] : b[0]);                                  \
    const T h = (a[3] < b[3] ? a[3] : b[3]) - (a[1] > b[1] ? a[1] : b[1]);                                  \
    const T both = (w > 0 ? w : 0) * (h > 0 ? h : 0);                                                       \
    const T all = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both;                     \
    return all == 0 ? 0 : both / all;                                                                       \
  }                                                                                                         \
  /* The first row that begins with -1 ends the objects. */                                                 \
  static void find_overlaps_##suffix(BoxTargets *t, const T *anchor, const T *label, int64_t rows) {        \
    for (t->objects = 0; t->objects < rows && label[t->objects * t->width] != -1; t->objects++) {}          \
    T *to = t->overlap;                                                                                     \
    for (int64_t i = 0; i < t->anchors; i++)                                                                \
      for (int64_t k = 0; k < t->objects; k++) *to++ = overlap_##suffix(anchor + 4 * i, label + k * t->width + 1); \
  }                                                                                                         \
  /* Gives each object the anchor that overlaps it most, in decreasing overlap; returns the number matched. */ \
  static int64_t match_objects_##suffix(BoxTargets *t) {                                                    \
    const T *overlap = t->overlap;                                                                          \
    for (int64_t n = 0; n < t->objects && !interrupted(); n++) {                                            \
      T most = (T)1e-6f;                                                                                    \
      int64_t at = -1, of = -1;                                                                             \
      for (int64_t i = 0; i < t->anchors; i++)                                                              \
        for (int64_t k = 0; k < t->objects && t->state[i] != POSITIVE; k++)                                 \
          if (!t->found[k] && overlap[i * t->objects + k] > most) {                                         \
            most = overlap[i * t->objects + k];                                                             \
            at = i;                                                                                         \
            of = k;                                                                                         \
          }                                                                                                 \
      if (at < 0) return n;                                                                                 \
      t->best[at] = most;                                                                                   \
      t->match[at] = of;                                                                                    \
      t->state[at] = POSITIVE;                                                                              \
      t->found[of] = 1;                                                                                     \
    }                                                                                                       \
    return t->objects;                                                                                      \
  }                                                                                                         \
  static void find_best_##suffix(BoxTargets *t, int64_t anchor) {                                           \
    for (int64_t k = 0; k < t->objects; k++) {                                                              \
      const T o = ((const T *)t->overlap)[anchor * t->objects + k];                                         \
      if (o > t->best[anchor]) { t->best[anchor] = o; t->match[anchor] = k; }                               \
    }                                                                                                       \
  }                                                                                                         \
  /* The probability of class 0, the background, by softmax. */                                             \
  static double background_##suffix(const BoxTargets *t, const T *pred, int64_t anchor) {                   \
    T most = pred[anchor], sum = 0;                                                                         \
    for (int64_t k = 1; k < t->classes; k++)                                                                \
      if (pred[k * t->anchors + anchor] > most) most = pred[k * t->anchors + anchor];                       \
    for (int64_t k = 0; k < t->classes; k++) sum += hl_exp64(pred[k * t->anchors + anchor] - most);         \
    const double p = hl_exp64(pred[anchor] - most) / sum;                                                   \
    return p == p ? p : 0;                                                                                  \
  }                                                                                                         \
  /* Among anchors with little overlap, those with the lowest background probability become negatives. */   \
  static void mine_##suffix(const TargetParams *p, BoxTargets *t, const T *pred, int64_t positive) {        \
    double wanted = trunc((float)positive * (float)p->negative_mining_ratio);                               \
    if (wanted < (double)p->minimum_negative_samples) wanted = (double)p->minimum_negative_samples;         \
    int64_t count = 0;                                                                                      \
    for (int64_t i = 0; i < t->anchors; i++) {                                                              \
      if (t->state[i] == POSITIVE) continue;                                                                \
      find_best_##suffix(t, i);                                                                             \
      if (t->best[i] < (float)p->negative_mining_thresh)                                                    \
        t->rank[count++] = (Ranked){ -background_##suffix(t, pred, i), i };                                 \
    }                                                                                                       \
    ranked_sort(t->rank, t->rank + t->anchors, count);                                                      \
    for (int64_t i = 0; i < count && (double)i < wanted; i++) t->state[t->rank[i].index] = NEGATIVE;        \
  }                                                                                                         \
  static void decide_##suffix(const TargetParams *p, BoxTargets *t, const T *pred) {                        \
    int64_t positive = match_objects_##suffix(t);                                                           \
    for (int64_t i = 0; i < t->anchors && p->overlap_threshold > 0; i++) {                                  \
      if (t->state[i] == POSITIVE) continue;                                                                \
      find_best_##suffix(t, i);                                                                             \
      if (t->best[i] > (float)p->overlap_threshold) { t->state[i] = POSITIVE; positive++; }                 \
    }                                                                                                       \
    if (p->negative_mining_ratio > 0) mine_##suffix(p, t, pred, positive);                                  \
    for (int64_t i = 0; i < t->anchors && !(p->negative_mining_ratio > 0); i++)                             \
      if (t->state[i] != POSITIVE) t->state[i] = NEGATIVE;                                                  \
  }                                                                                                         \
  /* The offsets from an anchor to a box. */                                                                \
  static void offsets_##suffix(const double *variance, const T *a, const T *b, T *to) {                     \
    for (int k = 0; k < 2; k++) {                                                                           \
      const T size = a[2 + k] - a[k], own = b[2 + k] - b[k];                                                \
      const T at = (a[k] + a[2 + k]) * (T)0.5, of = (b[k] + b[2 + k]) * (T)0.5;                             \
      to[k] = (of - at) / size / (T)(float)variance[k];                                                     \
      to[2 + k] = (T)(hl_log64(own / size) / (T)(float)variance[2 + k]);                                    \
    }                                                                                                       \
  }                                                                                                         \
  /* A work item is an image. */                                                                            \
  static void target_##suffix(void *context, int64_t first, int64_t last) {                                 \
    const Call *c = context;                                                                                \
    const TargetParams *p = c->params;                                                                      \
    const Shape *label = &c->in[1]->type.shape, *pred = &c->in[2]->type.shape;                              \
    const T *anchor = c->in[0]->data;                                                                       \
    BoxTargets t = targets_in(call_thread_workspace(c), pred->dim[2], label->dim[1]);                       \
    t.width = label->dim[2];                                                                                \
    t.classes = pred->dim[1];                                                                               \
    for (int64_t image = first; image < last && !interrupted(); image++) {                                  \
      const T *labels = (const T *)c->in[1]->data + image * label->dim[1] * t.width;                        \
      T *loc = (T *)c->out[0]->data + image * 4 * t.anchors, *mask = (T *)c->out[1]->data + image * 4 * t.anchors; \
      T *class = (T *)c->out[2]->data + image * t.anchors;                                                  \
      for (int64_t i = 0; i < t.anchors; i++) { t.best[i] = -1; t.match[i] = -1; t.state[i] = IGNORED; }    \
      memset(t.found, 0, (size_t)label->dim[1]);                                                            \
      find_overlaps_##suffix(&t, anchor, labels, label->dim[1]);                                            \
      if (t.objects > 0) decide_##suffix(p, &t, (const T *)c->in[2]->data + image * t.classes * t.anchors); \
      for (int64_t i = 0; i < t.anchors; i++) {                                                             \
        const bool is = t.state[i] == POSITIVE;                                                             \
        const T *object = labels + (is ? t.match[i] : 0) * t.width;                                         \
        for (int m = 0; m < 4; m++) { loc[4 * i + m] = 0; mask[4 * i + m] = is; }                           \
        class[i] = is ? object[0] + 1 : t.state[i] == NEGATIVE ? 0 : (T)(float)p->ignore_label;             \
        if (is) offsets_##suffix(list_floats(&p->variances), anchor + 4 * i, object + 1, loc + 4 * i);      \
      }                                                                                                     \
    }                                                                                                       \
  }
EACH_FLOAT(TARGETS)

static Status target(Call *c) { return run_parallel(c->in[1]->type.shape.dim[0], 1, c->kernel->body, c); }

/* ---- Detection ------------------------------------------------------------------------------------------ */

/* Per thread: rows (class, score, box) in the order of anchors, and their order by score. */
static Status detection_workspace(const Query *q, Workspace *w) {
  const Shape *prob = &query_in(q, 0)->shape;
  const size_t bytes = (size_t)prob->dim[2] * (2 * sizeof(Ranked) + 6 * sizeof(double));
  w->thread_bytes = workspace_by_items(prob->dim[0], bytes, &w->most_threads);
  return OK;
}

#define DETECTION(code, T, suffix)                                                                          \
  static void decode_##suffix(const DetectionParams *p, const T *a, const T *x, T *to) {                    \
    const double *variance = list_floats(&p->variances);                                                    \
    for (int k = 0; k < 2; k++) {                                                                           \
      const T size = a[2 + k] - a[k], at = (a[k] + a[2 + k]) / 2;                                           \
      const T middle = x[k] * (T)(float)variance[k] * size + at;                                            \
      const T half = (T)(hl_exp64(x[2 + k] * (T)(float)variance[2 + k]) * size / 2);                        \
      to[k] = middle - half;                                                                                \
      to[2 + k] = middle + half;                                                                            \
    }                                                                                                       \
    for (int k = 0; k < 4 && p->clip; k++) to[k] = to[k] < 0 ? 0 : to[k] > 1 ? 1 : to[k];                   \
  }                                                                                                         \
  /* Writes rows of the anchors whose best class reaches the threshold; returns their number. */            \
  static int64_t detect_##suffix(const Call *c, int64_t image, T *rows) {                                   \
    const DetectionParams *p = c->params;                                                                   \
    const int64_t classes = c->in[0]->type.shape.dim[1], anchors = c->in[0]->type.shape.dim[2];             \
    const T *prob = (const T *)c->in[0]->data + image * classes * anchors;                                  \
    int64_t count = 0;                                                                                      \
    for (int64_t i = 0; i < anchors; i++) {                                                                 \
      T score = -1;                                                                                         \
      int64_t class = 0;                                                                                    \
      for (int64_t k = 1; k < classes; k++)                                                                 \
        if (prob[k * anchors + i] > score) { score = prob[k * anchors + i]; class = k; }                    \
      if (class == 0 || score < (T)(float)p->threshold) continue;                                           \
      T *row = rows + 6 * count++;                                                                          \
      row[0] = (T)(class - 1);                                                                              \
      row[1] = score;                                                                                       \
      decode_##suffix(p, (const T *)c->in[2]->data + 4 * i,                                                 \
                      (const T *)c->in[1]->data + 4 * (image * anchors + i), row + 2);                      \
    }                                                                                                       \
    return count;                                                                                           \
  }                                                                                                         \
  /* Sets class -1 in rows that an earlier row suppresses. */                                               \
  static void suppress_##suffix(const DetectionParams *p, T *rows, int64_t count) {                         \
    for (int64_t i = 0; i < count && !interrupted(); i++)                                                   \
      for (int64_t j = i + 1; j < count && rows[6 * i] >= 0; j++) {                                         \
        T *other = rows + 6 * j;                                                                            \
        if (other[0] < 0 || !(p->force_suppress || other[0] == rows[6 * i])) continue;                      \
        if (overlap_##suffix(rows + 6 * i + 2, other + 2) >= (T)(float)p->nms_threshold) other[0] = -1;     \
      }                                                                                                     \
  }                                                                                                         \
  /* A work item is an image. */                                                                            \
  static void detection_##suffix(void *context, int64_t first, int64_t last) {                              \
    const Call *c = context;                                                                                \
    const DetectionParams *p = c->params;                                                                   \
    const int64_t anchors = c->in[0]->type.shape.dim[2];                                                    \
    Ranked *rank = call_thread_workspace(c);                                                                \
    T *rows = (T *)(rank + 2 * anchors);                                                                    \
    for (int64_t image = first; image < last && !interrupted(); image++) {                                  \
      T *out = (T *)c->out[0]->data + image * anchors * 6;                                                  \
      const int64_t count = detect_##suffix(c, image, rows);                                                \
      for (int64_t i = 0; i < 6 * anchors; i++) out[i] = -1;                                                \
      if (!(p->nms_threshold > 0 && p->nms_threshold <= 1)) {                                               \
        memcpy(out, rows, (size_t)(6 * count) * sizeof(T));                                                 \
        continue;                                                                                           \
      }                                                                                                     \
      for (int64_t i = 0; i < count; i++) rank[i] = (Ranked){ rows[6 * i + 1], i };                         \
      ranked_sort(rank, rank + anchors, count);                                                             \
      for (int64_t i = 0; i < count; i++) {                                                                 \
        const bool beyond = p->nms_topk > 0 && i >= p->nms_topk;                                            \
        memcpy(out + 6 * i, rows + 6 * (beyond ? i : rank[i].index), 6 * sizeof(T));                        \
        if (beyond) out[6 * i] = -1;                                                                        \
      }                                                                                                     \
      suppress_##suffix(p, out, count);                                                                     \
    }                                                                                                       \
  }
EACH_FLOAT(DETECTION)

static Status detection(Call *c) { return run_parallel(c->in[0]->type.shape.dim[0], 1, c->kernel->body, c); }

const Kernel ssd_multibox_kernels[] = {
  FLOAT_KERNELS("_contrib_MultiBoxPrior", prior, prior),
  FLOAT_KERNELS("_contrib_MultiBoxTarget", target, target, .workspace = targets_workspace),
  FLOAT_KERNELS("_contrib_MultiBoxDetection", detection, detection, .workspace = detection_workspace),
  { 0 },
};
