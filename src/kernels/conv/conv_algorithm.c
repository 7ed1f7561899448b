/* conv_algorithm.c - see conv_algorithm.h: forward, and running a problem by the fastest algorithm for its shape.
**
** No algorithm builds a matrix of all windows. Invariant: no two work items write the same element, and an item
** computes whole chains. So neither the algorithm nor the number of threads changes a bit.
*/
#include <limits.h>

#include "base/settings/debug_switches.h"
#include "base/threads/parallel_for.h"
#include "kernels/conv/conv_problem.h"
#include "kernels/conv/winograd_kernel.h"
#include "tensor/packed_weights.h"

/* ---- Algorithms -------------------------------------------------------------------------------------------------- */

typedef struct Algorithm {
  void (*share)(ConvProblem *j, int threads);          /* divides the work into items for this many threads */
  int64_t (*items)(const ConvProblem *j);              /* maximum number of items */
  size_t (*workspace)(const ConvProblem *j);           /* bytes per thread, when shared for one thread */
  void (*run)(const ConvProblem *j, int64_t item, char *workspace);
} Algorithm;

static const Algorithm algorithms[] = {
  [BY_PANELS] = { tiles_share, tiles_items, tiles_workspace, image_block_run },
  [BY_PLANES] = { tiles_share, tiles_items, tiles_workspace, row_block_run },
  [BY_IMAGES] = { images_share, images_items, images_workspace, images_run },
  [BY_ROWS] = { rows_share, rows_items, rows_workspace, rows_run },
  [BY_FILTERS] = { filters_share, filters_items, filters_workspace, filters_run },
};

void conv_problem_choose(ConvProblem *j) {
  j->algorithm = BY_PANELS;
  if (j->v->images == 0 || windows_size(j->to.extent) == 0 || j->terms == 0) return;
  if (rows_choose(j)) {
    j->algorithm = BY_ROWS;
    return;
  }
  double cost = tiles_choose(j);
  const double filters = filters_cost(j);
  if (filters < cost) {
    j->algorithm = BY_FILTERS;
    cost = filters;
  }
  if (images_choose(j, cost)) j->algorithm = BY_IMAGES;
}

size_t conv_problem_workspace(ConvProblem *j) {
  algorithms[j->algorithm].share(j, 1);
  return algorithms[j->algorithm].workspace(j);
}

int64_t conv_problem_items(const ConvProblem *j) { return algorithms[j->algorithm].items(j); }

/* ---- Results ----------------------------------------------------------------------------------------------------- */

void conv_problem_write(const ConvProblem *j, const ConvGrid *to, const PlaneRun *run, int runs, const WorkItem *item,
                        const char *sum) {
  const size_t size = j->chains->size;
  const int64_t places = windows_size(to->whole), channels = j->v->groups * j->rows;
  const int64_t first = item->group * j->rows + item->row;
  ChainPart part[CHAIN_LANES];
  for (int r = 0; r < runs; r++)
    part[r] = (ChainPart){ run[r].lane, run[r].n, run[r].image * channels * places + place_in(to, run[r].at) };
  for (int64_t c = first; c < first + item->rows; c++, sum += CHAIN_LANES * size)
    j->chains->finish_parts(sum, j->bias ? j->bias + (size_t)c * size : NULL, j->out + (size_t)(c * places) * size,
                            to->by[2], part, runs);
}

/* Reports contiguous results together. */
void report_tile(const ConvProblem *j, int64_t image, int64_t channel, int64_t n, int64_t from, int64_t places) {
  if (!j->reports_tiles) return;
  const TileReady *l = j->c->tile_ready;
  const int64_t whole = windows_size(j->to.whole), at = (image * j->v->groups * j->rows + channel) * whole + from;
  if (places == whole) l->ready(l->context, at, n * whole);
  else
    for (int64_t i = 0; i < n; i++) l->ready(l->context, at + i * whole, places);
}

void report_row_block(const ConvProblem *j, const ConvGrid *to, int64_t image, int64_t channel, int64_t n) {
  const int64_t at[WINDOW_AXES] = { 0 };
  report_tile(j, image, channel, n, place_in(to, at), windows_size(to->extent));
}

/* Does reporting pay? A result in the second-level cache is still there for the next loop, and each short range costs a
** call. */
static bool is_worth_reporting(const ConvProblem *j) {
  enum { LARGE = 1 << 20, SHORTEST = 128 };       /* bytes, elements */
  const int64_t places = windows_size(j->to.extent), all = j->v->images * j->v->groups * j->rows * places;
  if (debug.report_tiles) return true;
  if (all * (int64_t)j->chains->size < LARGE) return false;
  if (j->algorithm == BY_PANELS) return least(places, j->together * CHAIN_LANES) >= SHORTEST;
  if (j->algorithm == BY_ROWS || j->row_blocks == 1) return true; /* whole channels, which are contiguous */
  return places / j->to.extent[j->axis] * j->row_block >= SHORTEST;
}

/* ---- Work items ------------------------------------------------------------------------------------------------- */

static void run_items(void *context, int64_t first, int64_t last) {
  const ConvProblem *j = context;
  char *workspace = call_thread_workspace(j->c);
  if (j->algorithm == BY_PLANES) planes_lines(j, (int32_t *)workspace);
  if (j->algorithm == BY_ROWS) rows_begin(j, workspace);
  for (int64_t i = first, reported = first; i < last && !interrupted(); i++) {
    algorithms[j->algorithm].run(j, i, workspace);
    if (j->algorithm == BY_ROWS) reported = rows_report(j, reported, i + 1, i + 1 == last);
  }
}

Status conv_problem_run(ConvProblem *j) {
  const double places = (double)(j->v->images * windows_size(j->to.extent));
  const double moved = (double)(j->v->images * j->v->groups) * (double)(j->channels * windows_size(j->from.extent)) +
                       (double)(j->v->groups * j->rows) * places;
  const double work = (double)(j->v->groups * j->rows * j->terms) * places + MOVING * moved;
  const int64_t worth = debug.share ? INT_MAX : most(1, (int64_t)(work / CONVOLVE_GRAIN));
  algorithms[j->algorithm].share(j, (int)least(parallel_threads(), worth));
  if (j->items == 0) return OK;
  j->reports_tiles = j->c->tile_ready && is_worth_reporting(j);
  parallel_for(j->items, items_of_grain(j->items, work), run_items, j);
  return interrupt_status();
}

/* ---- Forward ----------------------------------------------------------------------------------------------------- */

static ConvProblem forward_problem(const Convolution *v, const void *data) {
  return (ConvProblem){ .v = v,
                        .chains = chains_of(v->dtype),
                        .from = data_panels(v, data),
                        .rows = v->filters,
                        .channels = v->channels,
                        .terms = v->channels * windows_size(v->w.kernel),
                        .to = whole_grid(v->w.out) };
}

/* The plan. `problem`: that of the direct form, with its algorithm, without arrays. */
typedef struct ForwardPlan { ConvPlan of; ConvProblem problem; } ForwardPlan;

Status convolve_forward_workspace(const Convolution *v, Workspace *w) {
  const bool winograd = convolution_form(v).winograd;
  ConvProblem j = forward_problem(v, NULL);
  if (winograd) {
    w->bytes = winograd_workspace(winograd_forward_layer(v));
    w->thread_bytes = winograd_thread_workspace(winograd_forward_layer(v));
  } else {
    conv_problem_choose(&j);
    ConvProblem shared = j;
    w->thread_bytes = conv_problem_workspace(&shared);
    w->thread_bytes = workspace_by_items(conv_problem_items(&shared), w->thread_bytes, &w->most_threads);
  }
  ForwardPlan *plan = kernel_plan(w, sizeof *plan);
  if (!plan) return w->status;
  *plan = (ForwardPlan){ { *v, winograd }, j };
  return OK;
}

/* Keeps packed weights if a call has so few places that reading weights takes a noticeable part of its time. */
static Status winograd_forward(const Convolution *v, const Call *c, const void *data, const Tensor *weight,
                               const void *bias, void *out) {
  enum { FEW_PLACES = 4096 };
  static const char maker;
  const WinogradLayer layer = winograd_forward_layer(v);
  const PackedWeightsKey key = { &maker, { v->filters, v->channels, v->w.kernel[1] } };
  const void *packed = NULL;
  if (v->images * windows_size(v->w.out) <= FEW_PLACES) {
    void *memory;
    packed = packed_weights_find(weight, &key, (size_t)winograd_packed(&layer) * sizeof(float), &memory);
    if (!packed && memory) {
      winograd_pack(&layer, weight->data, memory);
      packed_weights_made(weight);
      packed = memory;
    }
  }
  Status s = winograd_run(layer, c, data, packed ? packed : weight->data, packed ? WINOGRAD_PACKED : WINOGRAD_PLAIN,
                          bias, out);
  if (packed) packed_weights_done(weight);
  return s;
}

Status convolve_forward(const Call *c, const void *data, const Tensor *weight, const void *bias, void *out) {
  const ForwardPlan *plan = c->plan;
  if (plan->of.winograd) return winograd_forward(&plan->of.v, c, data, weight, bias, out);
  ConvProblem j = plan->problem;
  j.v = &plan->of.v;
  j.from.data = data;
  j.c = c;
  j.weight = weight->data;
  j.bias = bias;
  j.out = out;
  if (j.algorithm == BY_FILTERS) filters_keep_panels(&j, weight);
  Status s = conv_problem_run(&j);
  if (j.panels) packed_weights_done(weight);
  return s;
}
