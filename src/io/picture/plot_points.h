/* plot_points.h - from the data of a plot to places on its page, thinned to what a page can show.
**
** A place on the page is a + b * v, where v is the value or, on a logarithmic axis, its logarithm. Numbers that are not
** finite there have no place. Callers bring the memory: each function says how much it writes. Indices count from 1.
*/
#ifndef HL_IO_PICTURE_PLOT_POINTS_H
#define HL_IO_PICTURE_PLOT_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct PlotAxis {
  double a, b;
  double least, most;      /* its ends on the page, in either order */
  bool log;
} PlotAxis;

typedef struct PlotMap {
  PlotAxis x, y;
  double grain;            /* of the page: what is nearer looks like one place */
} PlotMap;

/* The place of a value; NaN if it is not finite. Beyond 100,000 it is cut off: viewers have narrow numbers. */
double plot_points_place(const PlotAxis *axis, double value);

/* ---- Lines ---- */

enum { PLOT_SERIES = 2 };

typedef struct PlotLine {
  const double *xs;
  const double *ys[PLOT_SERIES];       /* a line, or both edges of a band */
  int series;
  size_t n;
} PlotLine;

/* The indices of the points to draw, in order, 0 between runs; at most 2 * n + 1 are written. Of each column of the
** grain's width the first, the last, and each series' least and greatest point are kept. A line that goes back and
** forth visits columns often; if more than `most` points remain, the same is done with pieces of the line instead. */
size_t plot_points_line(const PlotMap *map, const PlotLine *line, size_t most, int32_t *out);

/* ---- Markers ---- */

typedef struct PlotMarks {
  const double *xs, *ys;
  const double *sizes, *values;        /* NULL, or of each */
  size_t n;
} PlotMarks;

typedef struct PlotCells {
  double grain;
  size_t columns, rows;
  int32_t *index, *count;              /* of each cell */
} PlotCells;

/* Sets the numbers of cells of this grain. */
void plot_points_cells(const PlotMap *map, double grain, PlotCells *cells);

/* The indices of the points on the page, in order. With cells one of each, the largest, else the last, which hides the
** others, and the points with the least and greatest x, y and value; cells->count has the points of each. Fails with
** SIZE_MAX if there are more than `most`. `out` has room for n indices. */
size_t plot_points_marks(const PlotMap *map, const PlotMarks *marks, PlotCells *cells, size_t most, int32_t *out);

/* The number of points in the cell of a point. */
int32_t plot_points_count(const PlotMap *map, const PlotMarks *marks, const PlotCells *cells, int32_t index);

/* ---- Bars ---- */

/* A bar on the page: from `from` to `to` across, from `lo` to `hi` along. */
typedef struct PlotBar { double from, to, lo, hi; } PlotBar;

typedef struct PlotBars {
  const double *from, *to, *lo, *hi;
  size_t n;
} PlotBars;

/* The bars on the page, at most n. If merged, those narrower than the grain fill its columns: they are sorted, and those
** of a column that touch become one. */
size_t plot_points_bars(const PlotAxis *across, const PlotAxis *along, const PlotBars *bars, double grain, bool merged,
                        PlotBar *out);

#endif
