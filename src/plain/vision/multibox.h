/* multibox.h - the single-shot detector: the targets of anchors, and detections. Boxes are (left, top,
** right, bottom) in an image of width and height 1. Everything is computed in the type of elements; of equal scores
** the first anchor comes first.
*/

/* Intersection over union; 0 if both boxes are empty. */
static inline real TYPED(anchor_overlap)(const real *a, const real *b) {
  const real w = (a[2] < b[2] ? a[2] : b[2]) - (a[0] > b[0] ? a[0] : b[0]);
  const real h = (a[3] < b[3] ? a[3] : b[3]) - (a[1] > b[1] ? a[1] : b[1]);
  const real both = (w > 0 ? w : 0) * (h > 0 ? h : 0);
  const real all = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both;
  return all == 0 ? 0 : both / all;
}

/* The probability of class 0, the background, of an anchor, by softmax in double; 0 if it is NaN. */
static inline double TYPED(background)(const real *pred, int64_t classes, int64_t anchors) {
  real most = pred[0];
  double p;
  real sum = 0;
  for (int64_t k = 1; k < classes; k++) most = pred[k * anchors] > most ? pred[k * anchors] : most;
  for (int64_t k = 0; k < classes; k++) sum = (real)((double)sum + hl_exp64((double)(pred[k * anchors] - most)));
  p = hl_exp64((double)(pred[0] - most)) / (double)sum;
  return p == p ? p : 0;
}

/* The object that overlaps an anchor most, in match, if by more than `best`, which is then that overlap. */
static inline void TYPED(find_object)(const real *anchor, const real *objects, int64_t n, int64_t width, double *best,
                                      double *match) {
  for (int64_t k = 0; k < n; k++) {
    const real overlap = TYPED(anchor_overlap)(anchor, objects + k * width + 1);
    if (!((double)overlap > *best)) continue;
    *best = (double)overlap;
    *match = (double)k;
  }
}

/* The offsets from an anchor to an object. */
static inline void TYPED(object_offsets)(const real *anchor, const real *object, const real variance[4], real *to) {
  for (int k = 0; k < 2; k++) {
    const real size = anchor[2 + k] - anchor[k], own = object[2 + k] - object[k];
    const real at = (anchor[k] + anchor[2 + k]) * (real)0.5, of = (object[k] + object[2 + k]) * (real)0.5;
    to[k] = (of - at) / size / variance[k];
    to[2 + k] = (real)(hl_log64((double)(own / size)) / (double)variance[2 + k]);
  }
}

/* The targets of n anchors in each image, whose objects are the rows (class, left, top, right, bottom, ...) of its
** label up to the first one that begins with -1; `rows` rows of `width` numbers.
**
** 1. The pair of an anchor and an object, neither taken, that overlaps most, by more than 1e-6, is a match; then the
**    next.
** 2. Each other anchor matches the object that overlaps it most if by more than overlap_threshold, unless that is 0.
** 3. Without mining (ratio above 0) all other anchors are background. With it, these are `ratio` times as many as
**    matched ones, at least `minimum`: of those that overlap objects by less than mining_threshold, the ones with the
**    lowest probability of background. Others are ignored, and so are all in images without objects.
**
** The workspace has best, match and state of each anchor (-1 ignored, 0 background, 1 matched), then whether each
** object is taken. */
static void TYPED(multibox_target)(const real *anchors, const real *label, const real *pred, real *offsets, real *masks,
                                   real *chosen, double *workspace, int64_t images, int64_t n, int64_t rows,
                                   int64_t width, int64_t classes, int64_t minimum, real ignore_label,
                                   double overlap_threshold, double ratio, double mining_threshold, real variance0,
                                   real variance1, real variance2, real variance3) {
  const real variance[4] = { variance0, variance1, variance2, variance3 };
  double *best = workspace, *match = best + n, *state = match + n, *taken = state + n;
  for (int64_t image = 0; image < images; image++, label += rows * width, pred += classes * n) {
    int64_t objects = 0, matched = 0;
    while (objects < rows && label[objects * width] != -1) objects++;
    for (int64_t i = 0; i < n; i++) best[i] = match[i] = state[i] = -1;
    for (int64_t k = 0; k < objects; k++) taken[k] = 0;
    for (int64_t found = 0; found < objects; found++) {
      real most = (real)1e-6f;
      int64_t at = -1, of = -1;
      for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < objects && state[i] != 1; k++) {
          const real overlap = TYPED(anchor_overlap)(anchors + 4 * i, label + k * width + 1);
          if (taken[k] != 0 || !(overlap > most)) continue;
          most = overlap;
          at = i;
          of = k;
        }
      if (at < 0) break;
      best[at] = (double)most;
      match[at] = (double)of;
      state[at] = taken[of] = 1;
      matched++;
    }
    for (int64_t i = 0; i < n && objects > 0; i++) {
      if (state[i] == 1 || !(overlap_threshold > 0 || ratio > 0)) continue;
      TYPED(find_object)(anchors + 4 * i, label, objects, width, &best[i], &match[i]);
      if (!(overlap_threshold > 0 && best[i] > overlap_threshold)) continue;
      state[i] = 1;
      matched++;
    }
    double wanted = trunc((double)((float)matched * (float)ratio));
    if (wanted < (double)minimum) wanted = (double)minimum;
    for (int64_t found = 0; ratio > 0 && (double)found < wanted && objects > 0; found++) {
      int64_t at = -1;
      double least = 0;
      for (int64_t i = 0; i < n; i++) {
        if (state[i] != -1 || !(best[i] < mining_threshold)) continue;
        const double p = TYPED(background)(pred + i, classes, n);
        if (at >= 0 && !(p < least)) continue;
        at = i;
        least = p;
      }
      if (at < 0) break;
      state[at] = 0;
    }
    for (int64_t i = 0; i < n; i++, offsets += 4, masks += 4) {
      const real *object = label + (state[i] == 1 ? (int64_t)match[i] : 0) * width;
      if (!(ratio > 0) && objects > 0 && state[i] != 1) state[i] = 0;
      for (int m = 0; m < 4; m++) offsets[m] = 0;
      for (int m = 0; m < 4; m++) masks[m] = state[i] == 1;
      *chosen++ = state[i] == 1 ? object[0] + 1 : state[i] == 0 ? 0 : ignore_label;
      if (state[i] == 1) TYPED(object_offsets)(anchors + 4 * i, object + 1, variance, offsets);
    }
  }
}

/* Rows (class, score, left, top, right, bottom) of the anchors whose best class, other than 0, has a score of at least
** the threshold, by score; then rows of -1. Classes are counted from 0. Rows after the best `topk`, if that is above 0,
** are those of the anchors in order, with class -1. A row with a class gives class -1 to later rows of its class that
** overlap it by at least nms_threshold, of any class if suppress_all. Without `suppress` rows keep the order of anchors
** and their classes. The workspace has rows of 6, then their order. */
static void TYPED(multibox_detection)(const real *prob, const real *offsets, const real *anchors, real *out,
                                      double *workspace, int64_t images, int64_t classes, int64_t n, bool clip,
                                      bool suppress, bool suppress_all, int64_t topk, real threshold,
                                      real nms_threshold, real variance0, real variance1, real variance2,
                                      real variance3) {
  const real variance[4] = { variance0, variance1, variance2, variance3 };
  double *rows = workspace, *order = rows + 6 * n;
  for (int64_t image = 0; image < images; image++, prob += classes * n, offsets += 4 * n, out += 6 * n) {
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) {
      real score = -1;
      int64_t best = 0;
      for (int64_t k = 1; k < classes; k++) {
        if (!(prob[k * n + i] > score)) continue;
        score = prob[k * n + i];
        best = k;
      }
      if (best == 0 || score < threshold) continue;
      double *row = rows + 6 * count;
      row[0] = (double)(best - 1);
      row[1] = (double)score;
      for (int k = 0; k < 2; k++) {
        const real *a = anchors + 4 * i + k, *x = offsets + 4 * i + k;
        const real size = a[2] - a[0], middle = x[0] * variance[k] * size + (a[0] + a[2]) / 2;
        const real half = (real)(hl_exp64((double)(x[2] * variance[2 + k])) * (double)size / 2);
        const real low = middle - half, high = middle + half;
        row[2 + k] = (double)(clip ? low < 0 ? 0 : low > 1 ? 1 : low : low);
        row[4 + k] = (double)(clip ? high < 0 ? 0 : high > 1 ? 1 : high : high);
      }
      int64_t at = count++;
      for (; suppress && at > 0 && rows[6 * (int64_t)order[at - 1] + 1] < row[1]; at--) order[at] = order[at - 1];
      order[at] = (double)(count - 1);
    }
    for (int64_t i = 0; i < n; i++) {
      const bool beyond = suppress && topk > 0 && i >= topk;
      for (int m = 0; m < 6; m++)
        out[6 * i + m] = i >= count || (beyond && m == 0) ? -1 : (real)rows[6 * (beyond ? i : (int64_t)order[i]) + m];
    }
    for (int64_t i = 0; i < count && suppress; i++)
      for (int64_t j = i + 1; j < count && out[6 * i] >= 0; j++) {
        real *rival = out + 6 * j;
        if (rival[0] < 0 || !(suppress_all || rival[0] == out[6 * i])) continue;
        if (TYPED(anchor_overlap)(out + 6 * i + 2, rival + 2) >= nms_threshold) rival[0] = -1;
      }
  }
}
