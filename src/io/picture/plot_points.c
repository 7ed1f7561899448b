/* plot_points.c - thins lines, markers and bars of plots. A line is thinned by columns of pixels, markers by cells, bars
** by columns; extremes are kept. All loops are linear in the points except the sort of bars.
*/
#include "io/picture/plot_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double far_away = 1e5;

double plot_points_place(const PlotAxis *axis, double value) {
  if (axis->log) value = value > 0 ? log10(value) : NAN;
  const double place = axis->a + axis->b * value;
  if (!isfinite(place)) return NAN;
  return place > far_away ? far_away : place < -far_away ? -far_away : place;
}

/* ---- Lines ---------------------------------------------------------------------------------------------------- */

enum { TRACKED = PLOT_SERIES + 1, MOST_KEPT = 2 + 2 * TRACKED };

/* Consecutive points, of which the first, the last and the extremes are kept. */
typedef struct Piece {
  bool open;
  double key; /* the column, or the number of the piece */
  int tracked; /* numbers whose extremes are kept */
  int32_t first, last, least[TRACKED], most[TRACKED];
  double lo[TRACKED], hi[TRACKED];
} Piece;

static size_t end_piece(Piece *p, int32_t *out, size_t n) {
  if (!p->open) return n;
  int32_t kept[MOST_KEPT];
  int count = 0;
  kept[count++] = p->first;
  kept[count++] = p->last;
  for (int k = 0; k < p->tracked; k++) {
    kept[count++] = p->least[k];
    kept[count++] = p->most[k];
  }
  for (int i = 1; i < count; i++)
    for (int j = i; j > 0 && kept[j] < kept[j - 1]; j--) {
      const int32_t t = kept[j];
      kept[j] = kept[j - 1];
      kept[j - 1] = t;
    }
  for (int i = 0; i < count; i++)
    if (i == 0 || kept[i] != kept[i - 1]) out[n++] = kept[i];
  p->open = false;
  return n;
}

static void add_to_piece(Piece *p, double key, int32_t index, const double *numbers) {
  if (!p->open) {
    p->open = true;
    p->key = key;
    p->first = index;
    for (int k = 0; k < p->tracked; k++) {
      p->lo[k] = p->hi[k] = numbers[k];
      p->least[k] = p->most[k] = index;
    }
  }
  p->last = index;
  for (int k = 0; k < p->tracked; k++) {
    if (numbers[k] < p->lo[k]) p->lo[k] = numbers[k], p->least[k] = index;
    if (numbers[k] > p->hi[k]) p->hi[k] = numbers[k], p->most[k] = index;
  }
}

/* The places of a point: the series, then x. False if one has none. */
static bool places(const PlotMap *map, const PlotLine *line, size_t i, double *at) {
  at[line->series] = plot_points_place(&map->x, line->xs[i]);
  bool all = !isnan(at[line->series]);
  for (int k = 0; k < line->series; k++) {
    at[k] = plot_points_place(&map->y, line->ys[k][i]);
    all = all && !isnan(at[k]);
  }
  return all;
}

size_t plot_points_line(const PlotMap *map, const PlotLine *line, size_t most, int32_t *out) {
  Piece piece = { .tracked = line->series };
  double at[TRACKED];
  size_t n = 0;
  for (size_t i = 0; i < line->n; i++) {
    if (!places(map, line, i, at)) {
      n = end_piece(&piece, out, n);
      if (n > 0 && out[n - 1] != 0) out[n++] = 0;
      continue;
    }
    const double column = floor(at[line->series] / map->grain);
    if (piece.open && piece.key != column) n = end_piece(&piece, out, n);
    add_to_piece(&piece, column, (int32_t)i + 1, at);
  }
  n = end_piece(&piece, out, n);
  if (n <= most) return n;
  const size_t length = (n * MOST_KEPT + most - 1) / most;
  size_t fewer = 0;
  piece.tracked = line->series + 1;
  for (size_t k = 0; k < n; k++) { /* a piece keeps at most what it has read, so `out` may be overwritten */
    const int32_t index = out[k];
    const double key = (double)(k / length);
    if (piece.open && (index == 0 || piece.key != key)) fewer = end_piece(&piece, out, fewer);
    if (index == 0) {
      out[fewer++] = 0;
    } else {
      places(map, line, (size_t)index - 1, at);
      add_to_piece(&piece, key, index, at);
    }
  }
  return end_piece(&piece, out, fewer);
}

/* ---- Markers -------------------------------------------------------------------------------------------------- */

static const double beyond = 9; /* markers whose middle is outside by this may still be seen */

static double low_end(const PlotAxis *axis) { return fmin(axis->least, axis->most) - beyond; }
static double high_end(const PlotAxis *axis) { return fmax(axis->least, axis->most) + beyond; }

void plot_points_cells(const PlotMap *map, double grain, PlotCells *cells) {
  cells->grain = grain;
  cells->columns = (size_t)((high_end(&map->x) - low_end(&map->x)) / grain) + 1;
  cells->rows = (size_t)((high_end(&map->y) - low_end(&map->y)) / grain) + 1;
}

/* Whether a point is on the page; its places. */
static bool on_page(const PlotMap *map, const PlotMarks *marks, size_t i, double *x, double *y) {
  *x = plot_points_place(&map->x, marks->xs[i]);
  *y = plot_points_place(&map->y, marks->ys[i]);
  return *x >= low_end(&map->x) && *x <= high_end(&map->x) && *y >= low_end(&map->y) && *y <= high_end(&map->y);
}

static size_t cell_of(const PlotMap *map, const PlotCells *cells, double x, double y) {
  const size_t column = (size_t)((x - low_end(&map->x)) / cells->grain);
  const size_t row = (size_t)((y - low_end(&map->y)) / cells->grain);
  return row * cells->columns + column;
}

static int by_index(const void *a, const void *b) {
  const int32_t i = *(const int32_t *)a, j = *(const int32_t *)b;
  return (i > j) - (i < j);
}

int32_t plot_points_count(const PlotMap *map, const PlotMarks *marks, const PlotCells *cells, int32_t index) {
  double x, y;
  return on_page(map, marks, (size_t)index - 1, &x, &y) ? cells->count[cell_of(map, cells, x, y)] : 0;
}

size_t plot_points_marks(const PlotMap *map, const PlotMarks *marks, PlotCells *cells, size_t most, int32_t *out) {
  enum { NUMBERS = 3 };                /* x, y, value */
  int32_t extremes[2 * NUMBERS] = { 0 };
  double lo[NUMBERS] = { INFINITY, INFINITY, INFINITY }, hi[NUMBERS] = { -INFINITY, -INFINITY, -INFINITY };
  size_t n = 0;
  if (cells) memset(cells->index, 0, cells->columns * cells->rows * sizeof *cells->index);
  if (cells) memset(cells->count, 0, cells->columns * cells->rows * sizeof *cells->count);
  for (size_t i = 0; i < marks->n; i++) {
    double x, y;
    if (!on_page(map, marks, i, &x, &y)) continue;
    if (marks->values && isnan(marks->values[i])) continue; /* has no colour */
    if (!cells) {
      out[n++] = (int32_t)i + 1;
      continue;
    }
    const size_t c = cell_of(map, cells, x, y);
    const int32_t other = cells->index[c];
    if (other == 0 && ++n > most) return SIZE_MAX;
    if (other == 0 || !marks->sizes || !(marks->sizes[i] < marks->sizes[other - 1])) cells->index[c] = (int32_t)i + 1;
    cells->count[c]++;
    const double numbers[NUMBERS] = { x, y, marks->values ? marks->values[i] : 0 };
    for (int k = 0; k < NUMBERS; k++) {
      if (numbers[k] < lo[k]) lo[k] = numbers[k], extremes[2 * k] = (int32_t)i + 1;
      if (numbers[k] > hi[k]) hi[k] = numbers[k], extremes[2 * k + 1] = (int32_t)i + 1;
    }
  }
  if (!cells) return n;
  n = 0;
  for (size_t c = 0; c < cells->columns * cells->rows; c++)
    if (cells->index[c]) out[n++] = cells->index[c];
  for (int k = 0; k < 2 * NUMBERS && n < marks->n; k++)
    if (extremes[k]) out[n++] = extremes[k];
  qsort(out, n, sizeof *out, by_index);
  size_t distinct = 0;
  for (size_t i = 0; i < n; i++)
    if (i == 0 || out[i] != out[i - 1]) out[distinct++] = out[i];
  return distinct;
}

/* ---- Bars ----------------------------------------------------------------------------------------------------- */

/* The end of a bar: cut off outside of the page; zero on a logarithmic axis is its edge. NaN if it has no place. */
static double bar_end(const PlotAxis *axis, double value) {
  if (axis->log) value = value > 0 ? log10(value) : isnan(value) ? NAN : -INFINITY;
  const double place = axis->a + axis->b * value;
  return isnan(place) ? NAN : fmax(low_end(axis), fmin(high_end(axis), place));
}

static int by_place(const void *a, const void *b) {
  const PlotBar *p = a, *q = b;
  if (p->from != q->from) return p->from < q->from ? -1 : 1;
  if (p->lo != q->lo) return p->lo < q->lo ? -1 : 1;
  return 0;
}

size_t plot_points_bars(const PlotAxis *across, const PlotAxis *along, const PlotBars *bars, double grain, bool merged,
                        PlotBar *out) {
  size_t n = 0;
  for (size_t i = 0; i < bars->n; i++) {
    const double from = bar_end(across, bars->from[i]), to = bar_end(across, bars->to[i]);
    const double lo = bar_end(along, bars->lo[i]), hi = bar_end(along, bars->hi[i]);
    if (isnan(from + to + lo + hi)) continue;
    PlotBar b = { from, to, lo, hi };
    if (merged) {
      b = (PlotBar){ fmin(from, to), fmax(from, to), fmin(lo, hi), fmax(lo, hi) };
      if (b.to - b.from < grain) {
        b.from = floor((b.from + b.to) / 2 / grain) * grain;
        b.to = b.from + grain;
      }
    }
    out[n++] = b;
  }
  if (!merged) return n;
  qsort(out, n, sizeof *out, by_place);
  size_t kept = 0;
  for (size_t i = 0; i < n; i++) {
    PlotBar *last = kept > 0 ? &out[kept - 1] : NULL;
    if (last && last->from == out[i].from && last->to == out[i].to && out[i].lo <= last->hi + grain)
      last->hi = fmax(last->hi, out[i].hi);
    else out[kept++] = out[i];
  }
  return kept;
}
