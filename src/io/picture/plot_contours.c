/* plot_contours.c - marching squares. An edge is known by its lower left value: 2 * i is the one to the right of value
** i, 2 * i + 1 the one above. It belongs to two cells at most, each of which joins it to one other edge, so two links
** suffice. A line is followed from an edge with one link, or else, closed, from any.
*/
#include "io/picture/plot_contours.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Sides of a cell: 0 below, 1 right, 2 above, 3 left. By corners above the level: 1 lower left, 2 lower right, 4 upper
** right, 8 upper left. */
enum { NONE = -1, SADDLE_A = 5, SADDLE_B = 10, CASES = 16 };
static const signed char sides[CASES][4] = {
  { NONE },       { 3, 0, NONE }, { 0, 1, NONE }, { 3, 1, NONE }, { 1, 2, NONE }, { 3, 0, 1, 2 },
  { 0, 2, NONE }, { 3, 2, NONE }, { 2, 3, NONE }, { 2, 0, NONE }, { 0, 1, 2, 3 }, { 2, 1, NONE },
  { 1, 3, NONE }, { 1, 0, NONE }, { 0, 3, NONE }, { NONE },
};
static const signed char high_saddles[2][4] = { { 3, 2, 1, 0 }, { 0, 3, 2, 1 } };       /* whose middle is above */

static void add_link(int32_t *links, size_t from, size_t to) {
  links[2 * from + (links[2 * from] != 0)] = (int32_t)to + 1;
}

size_t plot_contours_link(PlotGrid *g) {
  const size_t columns = g->columns;
  size_t crossed = 0;
  memset(g->links, 0, 4 * columns * g->rows * sizeof *g->links);
  for (size_t r = 0; r + 1 < g->rows; r++)
    for (size_t c = 0; c + 1 < columns; c++) {
      const size_t i = r * columns + c;
      const double *low = g->z + i, *up = low + columns;
      const double sum = low[0] + low[1] + up[0] + up[1];
      if (!isfinite(sum)) continue;
      const int kind = (low[0] > g->level) | (low[1] > g->level) << 1 | (up[1] > g->level) << 2 |
                       (up[0] > g->level) << 3;
      if (kind == 0 || kind == CASES - 1) continue;
      const bool saddle = kind == SADDLE_A || kind == SADDLE_B;
      const signed char *s = saddle && sum / 4 > g->level ? high_saddles[kind == SADDLE_B] : sides[kind];
      const size_t edges[] = { 2 * i, 2 * (i + 1) + 1, 2 * (i + columns), 2 * i + 1 };
      for (int k = 0; k < (saddle ? 4 : 2); k += 2) {
        add_link(g->links, edges[s[k]], edges[s[k + 1]]);
        add_link(g->links, edges[s[k + 1]], edges[s[k]]);
        crossed += 2;
      }
    }
  return crossed;
}

static void put_crossing(const PlotGrid *g, size_t edge, double *to) {
  const size_t i = edge / 2, r = i / g->columns, c = i % g->columns;
  const size_t r2 = r + edge % 2, c2 = c + 1 - edge % 2;
  const double a = g->z[i], b = g->z[r2 * g->columns + c2], t = (g->level - a) / (b - a);
  to[0] = g->xs[c] + t * (g->xs[c2] - g->xs[c]);
  to[1] = g->ys[r] + t * (g->ys[r2] - g->ys[r]);
}

/* Removes and returns a neighbour of an edge, plus 1, the given one (plus 1) if it is not 0; 0 if there is none. */
static size_t take_link(int32_t *links, size_t edge, size_t neighbour) {
  int32_t *l = links + 2 * edge;
  const int k = neighbour ? (size_t)l[1] == neighbour && (size_t)l[0] != neighbour : l[0] == 0;
  const size_t taken = (size_t)l[k];
  l[k] = 0;
  return taken;
}

static size_t follow(PlotGrid *g, size_t edge, double *points) {
  size_t n = 0;
  put_crossing(g, edge, points);
  for (n = 1;; n++) {
    const size_t next = take_link(g->links, edge, 0);
    if (next == 0) return n;
    take_link(g->links, next - 1, edge + 1);
    edge = next - 1;
    put_crossing(g, edge, points + 2 * n);
  }
}

size_t plot_contours_next(PlotGrid *g, size_t *at, double *points) {
  const size_t edges = 2 * g->columns * g->rows;
  for (; *at < 2 * edges; ++*at) {                 /* first the lines with ends, then those without */
    const size_t edge = *at % edges;
    const int32_t *l = g->links + 2 * edge;
    const int count = (l[0] != 0) + (l[1] != 0);
    if (count == 1 || (count == 2 && *at >= edges)) return follow(g, edge, points);
  }
  return 0;
}
