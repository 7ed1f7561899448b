/* boxes.h - operators on boxes: (left, top, right, bottom) if `corner`, else (x, y, width, height) with the centre (x,
** y). Everything is computed in the type of elements. Of equal scores the first comes first.
*/

/* The length that two boxes share along one axis, whose coordinates are a[0] and a[2]. */
static inline real TYPED(box_shared)(const real *a, const real *b, bool corner) {
  const real from_a = corner ? a[0] : a[0] - a[2] / 2, to_a = corner ? a[2] : a[0] + a[2] / 2;
  const real from_b = corner ? b[0] : b[0] - b[2] / 2, to_b = corner ? b[2] : b[0] + b[2] / 2;
  const real from = from_a > from_b ? from_a : from_b, to = to_a < to_b ? to_a : to_b, w = to - from;
  return w > 0 ? w : 0;
}

/* 0 if a side is negative. */
static inline real TYPED(box_area)(const real *box, bool corner) {
  const real width = corner ? box[2] - box[0] : box[2], height = corner ? box[3] - box[1] : box[3];
  return width < 0 || height < 0 ? 0 : width * height;
}

/* Intersection over union; 0 without an intersection. */
static inline real TYPED(box_overlap)(const real *a, const real *b, bool corner) {
  const real both = TYPED(box_shared)(a, b, corner) * TYPED(box_shared)(a + 1, b + 1, corner);
  return both > 0 ? both / (TYPED(box_area)(a, corner) + TYPED(box_area)(b, corner) - both) : 0;
}

static void TYPED(box_iou)(const real *lhs, const real *rhs, real *out, int64_t m, int64_t n, bool corner) {
  for (int64_t i = 0; i < m; i++)
    for (int64_t j = 0; j < n; j++) *out++ = TYPED(box_overlap)(lhs + 4 * i, rhs + 4 * j, corner);
}

/* Non-maximum suppression among n rows of `width` numbers, in each image. Valid rows have a score above valid_thresh
** and are not of the background's class. The best `topk` of them (all if below 1) are taken in the order of scores:
** each is kept, and removes the later ones of its class that overlap it by more than overlap_thresh. Then come rows of
** -1. The record has the index of each row, or -1. If topk is 0, data is returned. `id` is the column of classes;
** below 0: none. The workspace has n indices. */
static void TYPED(box_nms)(const real *data, real *out, int64_t *record, int64_t *order, int64_t images, int64_t n,
                           int64_t width, int64_t topk, int64_t from, int64_t score, int64_t id, bool suppress_all,
                           bool corner, bool out_corner, real overlap_thresh, real valid_thresh, real background) {
  for (int64_t image = 0; image < images; image++, data += n * width, out += n * width) {
    int64_t count = 0, kept = 0;
    for (int64_t i = 0; i < n * width; i++) out[i] = topk == 0 ? data[i] : -1;
    for (int64_t i = 0; i < n && record; i++) record[image * n + i] = topk == 0 ? i : -1;
    for (int64_t i = 0; i < n && topk != 0; i++) {
      const real *box = data + i * width;
      if (!(box[score] > valid_thresh) || (id >= 0 && box[id] == background)) continue;
      int64_t at = count++;
      for (; at > 0 && data[order[at - 1] * width + score] < box[score]; at--) order[at] = order[at - 1];
      order[at] = i;
    }
    if (topk > 0 && count > topk) count = topk;
    for (int64_t i = 0; i < count; i++) {
      if (order[i] < 0) continue;
      const real *box = data + order[i] * width;
      real *row = out + kept * width;
      for (int64_t j = i + 1; j < count; j++) {
        if (order[j] < 0) continue;
        const real *rival = data + order[j] * width;
        if (!suppress_all && id >= 0 && trunc((double)box[id]) != trunc((double)rival[id])) continue;
        if (TYPED(box_overlap)(box + from, rival + from, corner) > overlap_thresh) order[j] = -1;
      }
      for (int64_t k = 0; k < width; k++) row[k] = box[k];
      for (int64_t k = from; k < from + 2 && corner != out_corner; k++) {
        const real a = box[k], b = box[k + 2];
        row[k] = corner ? (a + b) / 2 : a - b / 2;
        row[k + 2] = corner ? b - a : a + b / 2;
      }
      if (record) record[image * n + kept] = order[i];
      kept++;
    }
  }
}

/* Pairs rows and columns of a matrix of scores, the best pair first: of_row is the column of each row, of_column the
** row of each column, or -1. The best score is the highest, or if `ascending` the lowest; scores must exceed the
** threshold, or be below it. Makes at most `most` pairs if that is above 0. */
static void TYPED(bipartite_matching)(const real *data, real *of_row, real *of_column, int64_t matrices, int64_t rows,
                                      int64_t columns, bool ascending, int64_t most, real threshold) {
  for (int64_t k = 0; k < matrices; k++, data += rows * columns, of_row += rows, of_column += columns) {
    for (int64_t i = 0; i < rows; i++) of_row[i] = -1;
    for (int64_t i = 0; i < columns; i++) of_column[i] = -1;
    for (int64_t pairs = 0; most <= 0 || pairs < most; pairs++) {
      int64_t best = -1;
      for (int64_t i = 0; i < rows * columns; i++) {
        if (of_row[i / columns] != -1 || of_column[i % columns] != -1) continue;
        if (!(ascending ? data[i] < threshold : data[i] > threshold)) continue;
        if (best < 0 || (ascending ? data[i] < data[best] : data[i] > data[best])) best = i;
      }
      if (best < 0) break;
      of_row[best / columns] = (real)(best % columns);
      of_column[best % columns] = (real)(best / columns);
    }
  }
}

/* The offsets from anchors to the boxes of refs that they match, and a mask; both are 0 where samples is at most 0.5.
** Boxes are corners. Matches are from 0 to boxes - 1. */
static void TYPED(box_encode)(const real *samples, const real *matches, const real *anchors, const real *refs,
                              const real *means, const real *stds, real *targets, real *masks, int64_t images,
                              int64_t n, int64_t boxes) {
  for (int64_t i = 0; i < images * n; i++, anchors += 4, targets += 4, masks += 4) {
    const bool valid = samples[i] > (real)0.5;
    for (int k = 0; k < 4; k++) {
      targets[k] = 0;
      masks[k] = valid;
    }
    for (int k = 0; k < 2 && valid; k++) {
      const real *ref = refs + 4 * (i / n * boxes + (int64_t)matches[i]) + k;
      const real size = anchors[2 + k] - anchors[k], own = ref[2] - ref[0];
      const real at = anchors[k] + size * (real)0.5, to = ref[0] + own * (real)0.5;
      targets[k] = ((to - at) / size - means[k]) / stds[k];
      targets[2 + k] = (real)((hl_log64((double)(own / size)) - (double)means[2 + k]) / (double)stds[2 + k]);
    }
  }
}

/* Corners of the boxes at the offsets data from anchors. Offsets are multiplied by std; the logarithms of sizes are at
** most `clip` if that is above 0. */
static void TYPED(box_decode)(const real *data, const real *anchors, real *out, int64_t images, int64_t n, bool corner,
                              real std0, real std1, real std2, real std3, real clip) {
  for (int64_t i = 0; i < images * n; i++, data += 4, out += 4)
    for (int k = 0; k < 2; k++) {
      const real *anchor = anchors + i % n * 4 + k;
      const real size = corner ? anchor[2] - anchor[0] : anchor[2];
      const real at = corner ? anchor[0] + size * (real)0.5 : anchor[0];
      const real to = data[k] * (k ? std1 : std0) * size + at, grown = data[2 + k] * (k ? std3 : std2);
      const double half = hl_exp64((double)(clip > 0 && grown > clip ? clip : grown)) * (double)size * 0.5;
      out[k] = to - (real)half;
      out[2 + k] = to + (real)half;
    }
}
