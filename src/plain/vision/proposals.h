/* proposals.h - the boxes of objects in images: anchors at the places of a feature map, moved by deltas and clipped to
** the image; the best ones, without those that overlap a better one more than the threshold (S. Ren et al., 2015).
**
** prob is (images, 2 * anchors, height, width), the second half scores; deltas (images, 4 * anchors, height, width);
** info has height, width and scale of each image. A box outside the feature map of an image, or smaller than min_size,
** gets the score -1. Of equal scores the first wins. If fewer than `wanted` boxes are left, they are repeated.
**
** There is an anchor for each ratio and scale: the lists have the bits of doubles. Workspace: 7 numbers for each box.
*/

enum { TYPED(LEFT), TYPED(TOP), TYPED(RIGHT), TYPED(BOTTOM), TYPED(SCORE), TYPED(TAKEN), TYPED(KEPT), TYPED(NUMBERS) };

static inline real TYPED(between_zero_and)(real most, real x) {
  const real low = x < most ? x : most;
  return low > 0 ? low : 0;
}

/* The box of an anchor at (x, y), moved by four numbers that are `step` apart; offsets of its corners if `corners`,
** else offsets of its centre and logarithms of its size. */
static inline void TYPED(moved_anchor)(real stride, real ratio, real scale, real x, real y, const real *d, int64_t step,
                                       bool corners, real box[4]) {
  const real half = (real)0.5, size = FLOOR(stride * stride / ratio);
  const real anchor_wide = FLOOR(SQRT(size) + half), anchor_high = FLOOR(anchor_wide * ratio + half);
  const real centre = half * (stride - 1);
  const real to_side = half * (anchor_wide * scale - 1), to_top = half * (anchor_high * scale - 1);
  const real left = centre - to_side + x * stride, right = centre + to_side + x * stride;
  const real top = centre - to_top + y * stride, bottom = centre + to_top + y * stride;
  if (corners) {
    box[0] = left + d[0];
    box[1] = top + d[step];
    box[2] = right + d[2 * step];
    box[3] = bottom + d[3 * step];
    return;
  }
  const real wide = right - left + 1, high = bottom - top + 1;
  const real at_x = d[0] * wide + (left + half * (wide - 1)), at_y = d[step] * high + (top + half * (high - 1));
  const real w = half * (EXP(d[2 * step]) * wide - 1), h = half * (EXP(d[3 * step]) * high - 1);
  box[0] = at_x - w;
  box[1] = at_y - h;
  box[2] = at_x + w;
  box[3] = at_y + h;
}

/* The part of the area of two boxes that they share. */
static inline real TYPED(shared_part)(const double *a, const double *b) {
  real p[4], q[4];
  for (int k = 0; k < 4; k++) {
    p[k] = (real)a[k];
    q[k] = (real)b[k];
  }
  const real left = p[0] > q[0] ? p[0] : q[0], right = p[2] < q[2] ? p[2] : q[2];
  const real top = p[1] > q[1] ? p[1] : q[1], bottom = p[3] < q[3] ? p[3] : q[3];
  const real wide = right - left + 1, high = bottom - top + 1;
  const real both = (wide > 0 ? wide : 0) * (high > 0 ? high : 0);
  const real of_p = (p[2] - p[0] + 1) * (p[3] - p[1] + 1), of_q = (q[2] - q[0] + 1) * (q[3] - q[1] + 1);
  return both / (of_p + of_q - both);
}

/* The best box that was not taken. */
static inline int64_t TYPED(best_box)(const double *box, int64_t n) {
  int64_t best = -1;
  for (int64_t i = 0; i < n; i++) {
    if (box[i * TYPED(NUMBERS) + TYPED(TAKEN)] != 0) continue;
    if (best < 0 || box[i * TYPED(NUMBERS) + TYPED(SCORE)] > box[best * TYPED(NUMBERS) + TYPED(SCORE)]) best = i;
  }
  return best;
}

/* Takes the best boxes; the numbers of those that it keeps are in the boxes' KEPT. Returns how many. */
static inline int64_t TYPED(keep_boxes)(double *box, int64_t n, int64_t candidates, int64_t wanted, real threshold) {
  int64_t kept = 0;
  for (int64_t taken = 0; taken < candidates && kept < wanted; taken++) {
    const int64_t i = TYPED(best_box)(box, n);
    bool better = false;
    for (int64_t k = 0; k < kept && !better; k++) {
      const int64_t other_box = (int64_t)box[k * TYPED(NUMBERS) + TYPED(KEPT)];
      better = TYPED(shared_part)(box + other_box * TYPED(NUMBERS), box + i * TYPED(NUMBERS)) > threshold;
    }
    box[i * TYPED(NUMBERS) + TYPED(TAKEN)] = 1;
    if (!better) box[kept++ * TYPED(NUMBERS) + TYPED(KEPT)] = (double)i;
  }
  return kept;
}

static void TYPED(proposals)(const real *prob, const real *deltas, const real *info, real *out, real *score,
                             double *workspace, int64_t images, int64_t height, int64_t width, int64_t n_scales,
                             int64_t n_ratios, int64_t candidates, int64_t wanted, int64_t min_size, int64_t stride,
                             bool corners, const int64_t scales_and_ratios[], real threshold) {
  const int64_t anchors = n_scales * n_ratios, size = height * width;
  for (int64_t image = 0; image < images; image++) {
    const real tall = info[image * 3], broad = info[image * 3 + 1], least = (real)min_size * info[image * 3 + 2];
    for (int64_t k = 0; k < size * anchors; k++) {
      const int64_t a = k % anchors, place = k / anchors;
      const real y = (real)(place / width), x = (real)(place % width);
      const real ratio = (real)hl_from_bits64((uint64_t)scales_and_ratios[n_scales + a / n_scales]);
      const real scale = (real)hl_from_bits64((uint64_t)scales_and_ratios[a % n_scales]);
      double *to = workspace + k * TYPED(NUMBERS);
      real box[4], rating = prob[((2 * image + 1) * anchors + a) * size + place];
      TYPED(moved_anchor)((real)stride, ratio, scale, x, y, deltas + 4 * (image * anchors + a) * size + place, size,
                          corners, box);
      for (int c = 0; c < 4; c++) box[c] = TYPED(between_zero_and)((c % 2 ? tall : broad) - 1, box[c]);
      if (y >= FLOOR(tall / (real)stride) || x >= FLOOR(broad / (real)stride)) rating = -1;
      if (box[2] - box[0] + 1 < least || box[3] - box[1] + 1 < least) {
        for (int c = 0; c < 4; c++) box[c] = c < 2 ? box[c] - least / 2 : box[c] + least / 2;
        rating = -1;
      }
      for (int c = 0; c < 4; c++) to[c] = (double)box[c];
      to[TYPED(SCORE)] = (double)rating;
      to[TYPED(TAKEN)] = 0;
    }
    const int64_t n = TYPED(keep_boxes)(workspace, size * anchors, candidates, wanted, threshold);
    for (int64_t i = 0; i < wanted && n > 0; i++) {
      const int64_t at = (int64_t)workspace[i % n * TYPED(NUMBERS) + TYPED(KEPT)];
      real *row = out + (image * wanted + i) * 5;
      row[0] = (real)image;
      for (int c = 0; c < 4; c++) row[1 + c] = (real)workspace[at * TYPED(NUMBERS) + c];
      score[image * wanted + i] = (real)workspace[at * TYPED(NUMBERS) + TYPED(SCORE)];
    }
  }
}
