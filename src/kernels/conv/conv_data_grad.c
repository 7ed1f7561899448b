/* conv_data_grad.c - the gradient of data (conv_algorithm.h).
**
** Places of data read the gradient of the output like places of the output read data, with the taps in reverse order.
** For a stride above 1 they are divided into phases: a grid of places for each, with the matching taps.
*/
#include "base/threads/parallel_for.h"
#include "kernels/conv/conv_problem.h"
#include "kernels/conv/winograd_kernel.h"
#include "tensor/cast_copy.h"

/* ---- Receptive fields -------------------------------------------------------------------------------------------- */

static int64_t remainder_of(int64_t x, int64_t by) { return x - windows_floor(x, by) * by; }

/* The taps of an axis that reach places of this phase, stride * i + phase: the first, their distance, their number. */
typedef struct PhaseTaps { int64_t first, apart, n; } PhaseTaps;

static PhaseTaps taps_at(const Windows *w, int axis, int64_t phase) {
  const int64_t stride = w->stride[axis], kernel = w->kernel[axis];
  PhaseTaps t = { .apart = 1 };
  while (remainder_of(t.apart * w->dilate[axis], stride) != 0) t.apart++;
  const int64_t end = least(t.apart, kernel), from = phase + w->pad[axis];
  while (t.first < end && remainder_of(from - t.first * w->dilate[axis], stride) != 0) t.first++;
  t.n = t.first < end ? parts(kernel - t.first, t.apart) : 0;
  return t;
}

/* Panels that read the gradient of the output for a phase's places. */
static Panels gradient_panels(const Convolution *v, const int64_t *phase) {
  Panels p = { .dtype = v->dtype, .images = v->images, .channels = v->groups * v->filters };
  for (int a = 0; a < WINDOW_AXES; a++) {
    const PhaseTaps t = taps_at(&v->w, a, phase[a]);
    p.extent[a] = v->w.out[a];
    p.taps[a] = t.n;
    p.base[a] = windows_floor(phase[a] + v->w.pad[a] - t.first * v->w.dilate[a], v->w.stride[a]);
    p.move[a] = -(t.apart * v->w.dilate[a] / v->w.stride[a]);
    p.step[a] = 1;
  }
  return p;
}

/* Places phase + i * stride. */
static ConvGrid phase_grid(const Windows *w, const int64_t *phase) {
  ConvGrid g = whole_grid(w->in);
  for (int a = 0; a < WINDOW_AXES; a++) {
    g.first[a] = phase[a];
    g.by[a] = w->stride[a];
    g.extent[a] = phase[a] < w->in[a] ? parts(w->in[a] - phase[a], w->stride[a]) : 0;
  }
  return g;
}

/* Calls `each` for every phase of places until it fails. */
static Status each_phase(const Windows *w, Status (*each)(const int64_t *phase, void *context), void *context) {
  int64_t phase[WINDOW_AXES];
  for (phase[0] = 0; phase[0] < w->stride[0]; phase[0]++)
    for (phase[1] = 0; phase[1] < w->stride[1]; phase[1]++)
      for (phase[2] = 0; phase[2] < w->stride[2]; phase[2]++) TRY(each(phase, context));
  return OK;
}

/* The problem for one phase, with its algorithm, without arrays. */
static ConvProblem data_problem(const Convolution *v, const int64_t *phase) {
  ConvProblem j = { .v = v,
                    .chains = chains_of(v->dtype),
                    .from = gradient_panels(v, phase),
                    .taps_slower = true,
                    .rows = v->channels,
                    .channels = v->filters,
                    .to = phase_grid(&v->w, phase) };
  j.terms = windows_size(j.from.taps) * v->filters;
  conv_problem_choose(&j);
  return j;
}

/* ---- Packed weights ---------------------------------------------------------------------------------------------- */

/* Packs weight (group, filter, channel, tap) as (group, channel, tap of a phase, filter). */
typedef struct FilterPacking {
  const Convolution *v;
  const char *weight;
  char *packed;
  PhaseTaps taps[WINDOW_AXES];
} FilterPacking;

static void pack_taps(void *context, int64_t first, int64_t last) {
  enum { TOGETHER = 16 };          /* filters per pass, so that cache lines are read whole */
  const FilterPacking *p = context;
  const Convolution *v = p->v;
  const Chains *chains = chains_of(v->dtype);
  const int64_t terms = v->channels * windows_size(v->w.kernel), *kernel = v->w.kernel;
  const int64_t taps = p->taps[0].n * p->taps[1].n * p->taps[2].n;
  for (int64_t f = 0; f < v->filters; f += TOGETHER)
    for (int64_t i = first; i < last; i++) {
      int64_t tap = i % taps, channel = i / taps, k[WINDOW_AXES];
      for (int a = WINDOW_AXES - 1; a >= 0; tap /= p->taps[a].n, a--)
        k[a] = p->taps[a].first + tap % p->taps[a].n * p->taps[a].apart;
      const int64_t at = channel % v->channels * windows_size(kernel) + (k[0] * kernel[1] + k[1]) * kernel[2] + k[2];
      chains->move(p->weight + (size_t)((channel / v->channels * v->filters + f) * terms + at) * chains->size, terms,
                   p->packed + (size_t)(i * v->filters + f) * chains->size, 1, least(TOGETHER, v->filters - f));
    }
}

/* All taps, in order: chunks of one group's [filter][channel and tap]. */
static void pack_whole(void *context, int64_t first, int64_t last) {
  const FilterPacking *p = context;
  const Chains *chains = chains_of(p->v->dtype);
  const int64_t terms = p->v->channels * windows_size(p->v->w.kernel), filters = p->v->filters;
  for (int64_t i = first, n; i < last; i += n) {
    const int64_t group = i / terms, term = i % terms;
    n = least(last - i, terms - term);
    chains->turn(p->weight + (size_t)(group * filters * terms + term) * chains->size, terms,
                 p->packed + (size_t)(i * filters) * chains->size, filters, filters, n);
  }
}

/* Panels of channels for the algorithm by filters; an item is a filter's part of a panel. Neighbouring items write to
** the same pages. */
static void pack_panels(void *context, int64_t first, int64_t last) {
  const FilterPacking *p = context;
  const Convolution *v = p->v;
  const Chains *chains = chains_of(v->dtype);
  const PhaseTaps *taps = p->taps;
  const int64_t *kernel = v->w.kernel, all = windows_size(kernel), some = taps[0].n * taps[1].n * taps[2].n;
  const int64_t terms = some * v->filters, panels = parts(v->channels, CHAIN_LANES);
  for (int64_t i = first; i < last; i++) {
    const int64_t filter = i % v->filters, c = i / v->filters % panels * CHAIN_LANES, group = i / v->filters / panels;
    const int64_t rows = least(CHAIN_LANES, v->channels - c), lanes = whole_vectors(rows);
    const char *from = p->weight + (size_t)(((group * v->filters + filter) * v->channels + c) * all) * chains->size;
    char *to = p->packed + (size_t)((group * whole_vectors(v->channels) + c) * terms + filter * lanes) * chains->size;
    if (some == all) chains->turn(from, all, to, v->filters * lanes, rows, all);
    for (int64_t t = 0; t < some; t++, to += (size_t)(v->filters * lanes) * chains->size) {
      const int64_t depth = taps[0].first + t / taps[2].n / taps[1].n * taps[0].apart;
      const int64_t height = taps[1].first + t / taps[2].n % taps[1].n * taps[1].apart;
      const int64_t tap = (depth * kernel[1] + height) * kernel[2] + taps[2].first + t % taps[2].n * taps[2].apart;
      if (some < all) chains->move(from + (size_t)tap * chains->size, all, to, 1, rows);
      memset(to + (size_t)rows * chains->size, 0, (size_t)(lanes - rows) * chains->size);
    }
  }
}

/* ---- The gradient ------------------------------------------------------------------------------------------------ */

/* The plan: the problems of the first phases, because strides, and so phases, may be many. */
enum { MOST_PLANNED = 16 };
typedef struct DataPlan { ConvPlan of; int64_t phases; ConvProblem phase[]; } DataPlan;

/* `plan`: where problems are kept, or NULL; `phase`: the index of the next one. */
typedef struct PhaseWorkspaces {
  const Convolution *v;
  size_t most;
  int64_t items, phase;
  DataPlan *plan;
} PhaseWorkspaces;

static Status workspace_of_phase(const int64_t *phase, void *context) {
  PhaseWorkspaces *r = context;
  ConvProblem j = data_problem(r->v, phase);
  if (r->plan && r->phase < r->plan->phases) r->plan->phase[r->phase] = j;
  r->phase++;
  const size_t workspace = conv_problem_workspace(&j);
  if (workspace > r->most) r->most = workspace;
  r->items = most(r->items, conv_problem_items(&j));
  return OK;
}

Status convolve_data_workspace(const Convolution *v, Workspace *w) {
  const bool winograd = convolution_form(v).winograd;
  int64_t phases = !winograd;
  for (int a = 0; a < WINDOW_AXES; a++) phases = least(MOST_PLANNED, phases * v->w.stride[a]);
  DataPlan *plan = kernel_plan(w, sizeof *plan + (size_t)phases * sizeof *plan->phase);
  if (plan) *plan = (DataPlan){ { *v, winograd }, phases };
  if (winograd) {
    w->bytes = winograd_workspace(winograd_data_layer(v));
    w->thread_bytes = winograd_thread_workspace(winograd_data_layer(v));
  } else {
    const int64_t channels = v->groups * whole_vectors(v->channels);
    w->bytes = (size_t)(channels * windows_size(v->w.kernel) * v->filters) * dtype_size(v->dtype);
    PhaseWorkspaces r = { .v = v, .plan = plan };
    (void)each_phase(&v->w, workspace_of_phase, &r);
    w->thread_bytes = workspace_by_items(r.items, r.most, &w->most_threads);
  }
  return w->status;
}

typedef struct DataCall {
  const DataPlan *plan;
  int64_t phase;           /* index of the next one */
  const Call *c;
  const void *g, *weight;
  void *out;
  char *packed;
} DataCall;

static bool any_is_empty(const Windows *w) {
  for (int a = 0; a < WINDOW_AXES; a++)
    for (int64_t f = 0; f < w->stride[a]; f++)
      if (taps_at(w, a, f).n == 0) return true;
  return false;
}

/* Computes a phase. Places that read nothing were cleared before. */
static Status data_of_phase(const int64_t *phase, void *context) {
  DataCall *d = context;
  const Convolution *v = &d->plan->of.v;
  const int64_t at = d->phase++;
  ConvProblem j = at < d->plan->phases ? d->plan->phase[at] : data_problem(v, phase);
  if (windows_size(j.from.taps) == 0) return OK;
  FilterPacking packing = { .v = v, .weight = d->weight, .packed = d->packed };
  for (int a = 0; a < WINDOW_AXES; a++) packing.taps[a] = taps_at(&v->w, a, phase[a]);
  j.panels = j.algorithm == BY_FILTERS;
  const int64_t taps = windows_size(j.from.taps), panels = v->groups * parts(j.rows, CHAIN_LANES);
  if (j.panels) parallel_for(panels * v->filters, (1 << 8) / taps + 1, pack_panels, &packing);
  else
    parallel_for(v->groups * v->channels * taps, (1 << 14) / (v->filters + 1) + 1,
                 windows_size(v->w.stride) == 1 ? pack_whole : pack_taps, &packing);
  j.v = v;
  j.from.data = d->g;
  j.c = d->c;
  j.weight = d->packed;
  j.out = d->out;
  d->packed += (size_t)(v->groups * whole_vectors(v->channels) * j.terms) * j.chains->size;
  return conv_problem_run(&j);
}

Status convolve_data(const Call *c, const void *g, const void *weight, void *out) {
  const DataPlan *plan = c->plan;
  const Convolution *v = &plan->of.v;
  if (plan->of.winograd) return winograd_run(winograd_data_layer(v), c, g, weight, WINOGRAD_TURNED, NULL, out);
  DataCall d = { .plan = plan, .c = c, .g = g, .weight = weight, .out = out, .packed = c->workspace };
  const int64_t elements = v->images * v->groups * v->channels * windows_size(v->w.in);
  if (any_is_empty(&v->w)) clear_block(out, (size_t)elements * dtype_size(v->dtype));
  return each_phase(&v->w, data_of_phase, &d);
}
