/* conv_depthwise.c - forward and the gradient of data for results that read one channel (depthwise convolutions).
**
** Like the algorithm by planes, but with so little work per tile that overhead dominates. The planes of an image's
** channel are one row block, so the positions of tiles are computed once for all work items, and a tile's row is
** computed and written from registers.
*/
#include "kernels/conv/conv_problem.h"

enum { FEW_ROWS = 2, MOST_ELEMENTS = 1 << 17 };

static int64_t tiles_of(const ConvProblem *j) { return parts(j->planes.lanes, CHAIN_LANES); }
static int64_t plane_elements(const ConvProblem *j) { return j->planes.channel + CHAIN_LANES + CHAIN_VECTOR; }

bool rows_choose(ConvProblem *j) {
  if (j->channels != 1 || j->rows > FEW_ROWS || j->terms > CHAIN_BLOCK) return false;
  j->planes = planes_of(&j->from, j->to.extent);
  return plane_elements(j) <= MOST_ELEMENTS;
}

int64_t rows_items(const ConvProblem *j) { return j->v->images * j->v->groups; }

void rows_share(ConvProblem *j, int threads) {
  (void)threads;
  j->items = rows_items(j);
}

/* Shared by all work items: offsets of terms, the parts of tiles, and the index of each tile's first part. A tile that
** ends within a row of places needs one more part. */
static int64_t most_parts(const ConvProblem *j) { return j->planes.size[0] * j->planes.size[1] + tiles_of(j); }

typedef struct Shared { int32_t *line, *first; ChainPart *part; char *planes; } Shared;

static Shared shared_in(const ConvProblem *j, char *workspace) {
  Shared s = { .line = (int32_t *)workspace };
  s.first = (int32_t *)((char *)s.line + whole_lines((size_t)j->terms * sizeof *s.line));
  s.part = (ChainPart *)((char *)s.first + whole_lines((size_t)(tiles_of(j) + 1) * sizeof *s.first));
  s.planes = (char *)s.part + whole_lines((size_t)most_parts(j) * sizeof *s.part);
  return s;
}

size_t rows_workspace(const ConvProblem *j) {
  return (size_t)(shared_in(j, NULL).planes - (char *)NULL) + (size_t)plane_elements(j) * j->chains->size;
}

void rows_begin(const ConvProblem *j, char *workspace) {
  const Shared s = shared_in(j, workspace);
  int32_t n = 0;
  planes_lines(j, s.line);
  for (int64_t t = 0; t < tiles_of(j); t++) {
    PlaneRun run[CHAIN_LANES];
    const int64_t begin = planes_tile(&j->planes, t), end = planes_tile(&j->planes, t + 1);
    const int runs = planes_runs(&j->planes, &j->to, 0, begin, end, run);
    s.first[t] = n;
    for (int r = 0; r < runs; r++) s.part[n++] = (ChainPart){ run[r].lane, run[r].n, place_in(&j->to, run[r].at) };
  }
  s.first[tiles_of(j)] = n;
  memset(s.planes, 0, (size_t)plane_elements(j) * j->chains->size);          /* and the spare elements after them */
}

/* Computes the results of one channel of an image. */
void rows_run(const ConvProblem *j, int64_t item, char *workspace) {
  const Shared s = shared_in(j, workspace);
  const size_t size = j->chains->size;
  const int64_t groups = j->v->groups, places = windows_size(j->to.whole);
  planes_fill(&j->from, &j->planes, item / groups, item % groups, 1, s.planes);
  for (int64_t r = 0; r < j->rows; r++) {
    const int64_t row = item % groups * j->rows + r;
    const char *weight = j->weight + (size_t)(row * j->terms) * size;
    const char *bias = j->bias ? j->bias + (size_t)row * size : NULL;
    char *out = j->out + (size_t)((item / groups * groups * j->rows + row) * places) * size;
    for (int64_t t = 0; t < tiles_of(j); t++) {
      const int64_t position = planes_tile(&j->planes, t);
      const ChainRow c = { j->terms, weight, s.planes + (size_t)position * size, s.line, bias };
      j->chains->run_row(&c, planes_tile(&j->planes, t + 1) - position, out, j->to.by[2], s.part + s.first[t],
                         s.first[t + 1] - s.first[t]);
    }
  }
}

int64_t rows_report(const ConvProblem *j, int64_t first, int64_t end, bool last) {
  enum { ENOUGH = 1 << 11 };
  const int64_t each = j->rows * windows_size(j->to.whole), n = (end - first) * each;
  if (!j->reports_tiles || (n < ENOUGH && !last)) return first;
  j->c->tile_ready->ready(j->c->tile_ready->context, first * each, n);
  return end;
}
