/* plot_contours.h - lines of one height in a grid, by marching squares: a cell whose corners are on both sides of the
** height has a segment between two of its edges, a saddle has two. Segments are joined into lines. Cells with a corner
** that is not finite have none.
*/
#ifndef HL_IO_PICTURE_PLOT_CONTOURS_H
#define HL_IO_PICTURE_PLOT_CONTOURS_H

#include <stddef.h>
#include <stdint.h>

typedef struct PlotGrid {
  const double *z;                 /* by rows */
  const double *xs, *ys;           /* of the columns and rows */
  size_t columns, rows;
  double level;
  int32_t *links;                  /* 4 for each value of the grid: the two neighbours of each edge in its line */
} PlotGrid;

/* Finds the segments; returns the number of edges that the lines cross. */
size_t plot_contours_link(PlotGrid *grid);

/* Takes the next line, and returns the number of its points, 0 after the last one. *edge is 0 at first. `points` gets x
** and y of each; it has room for a point more than edges are crossed. */
size_t plot_contours_next(PlotGrid *grid, size_t *edge, double *points);

#endif
