/* rnn_loops.c - see rnn_loops.h.
**
** The order of sums. All products have the order of kernels/matmul/product_order.h. The products of all steps' inputs
** with i2h are one call per layer and direction. For a step's states, h2h is packed once (matmul_packed.h), and the
** loops over cells follow each panel's products while these are cached; threads divide the units. A layer with fewer
** than FEW rows, for which packing does not pay, calls matrix_product.h there, too. A gate is the function of (x + its
** bias) + (h + its bias), with x and h these products, in the element type. The gradient of a weight is one product
** over all steps and sequences; that of a bias is a sum in double over the rows in order. The gradient of a layer's
** input is the product of its first direction plus that of its second. Loops compute row by row, so no bit depends on
** threads, or on other sequences of the batch.
**
** Invariant: forward stores in `reserve`, for each layer and direction, the gates of all steps, the cells (lstm), the
** new gate's share of the state (gru), and the outputs before the projection. For each layer except the last it also
** stores the outputs and the factors of dropout. The last layer's outputs are in the call's output.
*/
#include "kernels/sequence/rnn_loops.h"

#include <string.h>

#include "base/threads/parallel_for.h"
#include "base/size_math.h"
#include "kernels/sequence/rnn_cells.h"
#include "kernels/matmul/matmul_packed.h"
#include "kernels/matmul/matrix_product.h"

/* ---- Packing and workspaces ------------------------------------------------------------------------------- */

/* Packing of h2h for forward: a panel has units_of units of each gate. With one sequence it is wider, because its lanes
** alone must provide enough independent sums for the processor. */
enum { FEW = 8 };

static bool packs(const RnnSizes *s) { return rows_of_all(s) >= FEW; }
static int64_t units_of(const RnnSizes *s) {
  const int64_t each = s->gates == 1 ? CHAIN_LANES : CHAIN_LANES / 4;
  return s->batch == 1 ? 2 * each : each;
}
static int64_t panel_size(const RnnSizes *s) { return s->out * s->gates * units_of(s); }
static int64_t packed_size(const RnnSizes *s) { return packs(s) ? parts(s->hidden, units_of(s)) * panel_size(s) : 0; }

/* Panel i has units_in units, starting with i * units_of, and units_held lanes per gate; the last panel has fewer. */
static int64_t units_in(const RnnSizes *s, int64_t i) { return least(units_of(s), s->hidden - i * units_of(s)); }
static int64_t units_held(const RnnSizes *s, int64_t i) { return parts(units_in(s, i), CHAIN_VECTOR) * CHAIN_VECTOR; }

/* Packing of h2h for backward. */
static int64_t back_panel_size(const RnnSizes *s) { return s->gates * s->hidden * CHAIN_LANES; }
static int64_t back_packed_size(const RnnSizes *s) {
  return packs(s) ? parts(s->out, CHAIN_LANES) * back_panel_size(s) : 0;
}

/* The workspace of forward: packed h2h, the current states, a step's products. Without a reserve, also one direction's
** part, where steps share memory if possible, and the outputs of two layers alternately. */
typedef struct ForwardWorkspace {
  int64_t packed, h, h_next, c, product, raw, direction, outputs, dropped, end;
} ForwardWorkspace;

static ForwardWorkspace forward_workspace(const RnnSizes *s) {
  ForwardWorkspace r;
  Kept k;
  r.packed = 0;
  r.h = r.packed + packed_size(s);
  r.h_next = r.h + s->batch * s->out;
  r.c = r.h_next + s->batch * s->out;
  r.product = r.c + s->batch * s->hidden;
  r.raw = r.product + s->batch * (s->gates * s->hidden > s->out ? s->gates * s->hidden : s->out);
  r.direction = r.raw + s->batch * s->hidden;
  r.outputs = r.direction + kept_of(s, 1, &k);
  r.dropped = r.outputs + (s->layers > 2 ? 2 : s->layers - 1) * layer_outputs(s);
  r.end = r.dropped + (s->drops ? layer_outputs(s) : 0);
  return r;
}

int64_t rnn_forward_workspace(const RnnSizes *s) { return forward_workspace(s).end; }

/* The workspace of backward: packed h2h; gradients of a layer's outputs and inputs, alternately; its inputs after
** dropout; gradients of all gates, by input and by state; states before each step; gradients of all projected outputs;
** and a step's gradients. */
typedef struct BackwardWorkspace {
  int64_t packed, turns, dropped, by_input, by_state, before, outs, dh, dh_new, dc, carry, raw, end;
} BackwardWorkspace;

static BackwardWorkspace backward_workspace(const RnnSizes *s) {
  BackwardWorkspace r;
  const int64_t n = rows_of_all(s), small = s->batch * s->hidden, gates = n * s->gates * s->hidden;
  r.packed = 0;
  r.turns = r.packed + back_packed_size(s);
  r.dropped = r.turns + (s->layers > 1 ? 2 * layer_outputs(s) : 0);
  r.by_input = r.dropped + (s->drops ? layer_outputs(s) : 0);
  r.by_state = r.by_input + gates;
  r.before = r.by_state + (s->mode == RNN_GRU ? gates : 0);
  r.outs = r.before + n * s->out;
  r.dh = r.outs + (s->projected ? n * s->out : 0);
  r.dh_new = r.dh + s->batch * s->out;
  r.dc = r.dh_new + s->batch * s->out;
  r.carry = r.dc + small;
  r.raw = r.carry + small;
  r.end = r.raw + small;
  return r;
}

int64_t rnn_backward_workspace(const RnnSizes *s) { return backward_workspace(s).end; }

/* Element `at` of an array; NULL if the array is NULL. */
static void *element(DType dtype, const void *x, int64_t at) {
  return x ? (char *)(uintptr_t)x + at * (int64_t)dtype_size(dtype) : NULL;
}

/* c (m, n) = op(a) (m, k) op(b) (k, n) + beta c */
static Status times(DType dtype, bool ta, bool tb, int64_t m, int64_t n, int64_t k, const void *a, const void *b,
                    void *c, double beta) {
  return product(&(Product){ .dtype = dtype,
                             .transpose_a = ta,
                             .transpose_b = tb,
                             .m = m,
                             .n = n,
                             .k = k,
                             .alpha = 1,
                             .beta = beta,
                             .a = a,
                             .b = b,
                             .c = c });
}

/* ---- Forward ----------------------------------------------------------------------------------------------------- */

/* The number of panels that pay for a thread, given multiply-adds per panel; the number of work items, given elements
** moved per item. */
static int64_t grain(double multiplications) { return (int64_t)((1 << 20) / (multiplications + 1)) + 1; }
static int64_t moving_grain(int64_t elements) { return (1 << 15) / (elements + 1) + 1; }

/* A step, by panels of packed weights. */
typedef struct PanelRun {
  const CellDirection *w;
  const Cells *cells;
  DType dtype;
  const void *packed;
  int64_t before; /* backward: the step whose gates' gradients are used; -1 if none */
  bool last; /* backward: there is no further step */
} PanelRun;

/* With one sequence, every second step processes the panels in reverse, because the panel read last is still in the
** first cache. With more rows per panel, the processor's own prefetching of the next panel matters more. */
static void forward_panels(void *context, int64_t first, int64_t last) {
  const PanelRun *r = context;
  const RnnSizes *s = r->w->s;
  _Alignas(64) double sums[PACKED_ROWS * CHAIN_LANES];
  for (int64_t n = first; n < last; n++) {
    const int64_t i = s->batch == 1 && r->w->t % 2 ? first + last - 1 - n : n;
    const int64_t unit = i * units_of(s), held = units_held(s, i);
    for (int64_t b = 0; b < s->batch; b += PACKED_ROWS) {
      const int64_t rows = least(PACKED_ROWS, s->batch - b);
      packed_times(r->dtype, rows, s->out, element(r->dtype, r->w->h, b * s->out), s->out,
                   element(r->dtype, r->packed, i * panel_size(s)), s->gates * held, sums);
      r->cells->step(r->w, &(UnitRange){ b, b + rows, unit, unit + units_in(s, i), sums, CHAIN_LANES, held });
    }
  }
}

typedef struct StatePacking { const RnnSizes *s; DType dtype; const void *h2h; void *packed; } StatePacking;

static void pack_forward(void *context, int64_t first, int64_t last) {
  const StatePacking *p = context;
  const RnnSizes *s = p->s;
  for (int64_t i = first; i < last; i++) {
    const int64_t n = units_in(s, i), held = units_held(s, i);
    void *panel = element(p->dtype, p->packed, i * panel_size(s));
    if (n < held) memset(panel, 0, (size_t)panel_size(s) * dtype_size(p->dtype));
    for (int64_t g = 0; g < s->gates; g++)
      packed_put(p->dtype, p->h2h, s->out, true, g * s->hidden + i * units_of(s), n, s->out, panel, g * held,
                 s->gates * held);
  }
}

/* Runs one direction with inputs x. */
static Status run_direction(const RnnForward *r, CellDirection *w, const Weights *at, int64_t features, const void *x) {
  const RnnSizes *s = &r->s;
  const DType t = r->dtype;
  const Cells *cells = cells_of(t);
  const ForwardWorkspace workspace = forward_workspace(s);
  const int64_t wide = s->gates * s->hidden;
  const void *h2h = element(t, r->weights, at->h2h), *h2r = element(t, r->weights, at->h2r);
  void *packed = element(t, r->workspace, workspace.packed), *products = element(t, r->workspace, workspace.product);
  TRY(times(t, false, true, rows_of_all(s), wide, features, x, element(t, r->weights, at->i2h), w->part, 0));
  if (packs(s))
    parallel_for(parts(s->hidden, units_of(s)), moving_grain(panel_size(s)), pack_forward,
                 &(StatePacking){ s, t, h2h, packed });
  for (int64_t i = 0; i < s->steps; i++) {
    w->t = w->back ? s->steps - 1 - i : i;
    if (packs(s)) {
      PanelRun run = { .w = w, .cells = cells, .dtype = t, .packed = packed };
      const int64_t pays = grain((double)s->batch * (double)panel_size(s));
      parallel_for(parts(s->hidden, units_of(s)), pays, forward_panels, &run);
    } else {
      TRY(times(t, false, true, s->batch, wide, s->out, w->h, h2h, products, 0));
      cells->step(w, &(UnitRange){ 0, s->batch, 0, s->hidden, products, wide, s->hidden });
    }
    if (interrupted()) return interrupt_status();
    if (s->projected) {
      TRY(times(t, false, true, s->batch, s->out, s->hidden, w->raw, h2r, products, 0));
      cells->take(w, &(UnitRange){ 0, s->batch, 0, s->out, products, s->out, 0 });
    } else {
      void *old = w->h;
      w->h = w->h_next;
      w->h_next = old;
    }
  }
  return OK;
}

/* Writes a layer's outputs y after dropout, the next layer's inputs, to `workspace`; the factors go to the reserve. */
static const void *drop(const RnnForward *r, int64_t layer, const void *y, void *workspace) {
  const int64_t n = layer_outputs(&r->s);
  void *mask = r->reserve ? element(r->dtype, r->reserve, mask_at(&r->s, layer)) : workspace;
  cells_of(r->dtype)->draw(r->p->p, mask, n);
  cells_of(r->dtype)->multiply(y, mask, workspace, n);
  return workspace;
}

Status rnn_forward(const RnnForward *r) {
  const RnnSizes *s = &r->s;
  const DType t = r->dtype;
  const size_t size = dtype_size(t);
  const ForwardWorkspace workspace = forward_workspace(s);
  const void *x = r->data;
  for (int64_t layer = 0; layer < s->layers; layer++) {
    void *y = layer == s->layers - 1 ? r->out
              : r->reserve           ? element(t, r->reserve, outputs_at(s, layer))
                                     : element(t, r->workspace, workspace.outputs + layer % 2 * layer_outputs(s));
    for (int64_t direction = 0; direction < s->directions; direction++) {
      const Weights at = weights_of(s, layer, direction);
      const int64_t state = (layer * s->directions + direction) * s->batch;
      CellDirection w = { .s = s,
                          .p = r->p,
                          .lengths = r->lengths,
                          .back = direction == 1,
                          .part = r->reserve ? element(t, r->reserve, direction_at(s, layer, direction))
                                             : element(t, r->workspace, workspace.direction),
                          .i2h_bias = element(t, r->weights, at.i2h_bias),
                          .h2h_bias = element(t, r->weights, at.h2h_bias),
                          .h = element(t, r->workspace, workspace.h),
                          .h_next = element(t, r->workspace, workspace.h_next),
                          .c = element(t, r->workspace, workspace.c),
                          .raw = element(t, r->workspace, workspace.raw),
                          .y = element(t, y, direction * s->out) };
      kept_of(s, r->reserve ? s->steps : 1, &w.kept);
      memcpy(w.h, element(t, r->state, state * s->out), (size_t)(s->batch * s->out) * size);
      if (r->cell) memcpy(w.c, element(t, r->cell, state * s->hidden), (size_t)(s->batch * s->hidden) * size);
      TRY(run_direction(r, &w, &at, features_of(s, layer), x));
      if (r->state_out) memcpy(element(t, r->state_out, state * s->out), w.h, (size_t)(s->batch * s->out) * size);
      if (r->cell_out) memcpy(element(t, r->cell_out, state * s->hidden), w.c, (size_t)(s->batch * s->hidden) * size);
    }
    x = y;
    if (s->drops && r->train && layer < s->layers - 1)
      x = drop(r, layer, y, element(t, r->workspace, workspace.dropped));
  }
  return OK;
}

/* ---- Backward ---------------------------------------------------------------------------------------------------- */

static void back_panels(void *context, int64_t first, int64_t last) {
  const PanelRun *r = context;
  const RnnSizes *s = r->w->s;
  const int64_t wide = s->gates * s->hidden;
  _Alignas(64) double sums[PACKED_ROWS * CHAIN_LANES];
  CellDirection passing = *r->w;
  passing.t = r->before;
  for (int64_t i = first; i < last; i++)
    for (int64_t b = 0; b < s->batch; b += PACKED_ROWS) {
      const int64_t rows = least(PACKED_ROWS, s->batch - b), u = i * CHAIN_LANES;
      const int64_t end = s->out - u < CHAIN_LANES ? s->out : u + CHAIN_LANES;
      const UnitRange piece = { b, b + rows, u, end, sums, CHAIN_LANES, 0 };
      if (r->before >= 0) {
        packed_times(r->dtype, rows, wide, element(r->dtype, r->w->by_state, (r->before * s->batch + b) * wide), wide,
                     element(r->dtype, r->packed, i * back_panel_size(s)), CHAIN_LANES, sums);
        r->cells->pass(&passing, &piece);
      }
      if (r->last) continue;
      r->cells->gather(r->w, &piece);
      if (!s->projected) r->cells->back(r->w, &piece);
    }
}

static void pack_back(void *context, int64_t first, int64_t last) {
  const StatePacking *p = context;
  const RnnSizes *s = p->s;
  for (int64_t i = first; i < last; i++) {
    const int64_t unit = i * CHAIN_LANES, n = least(CHAIN_LANES, s->out - unit);
    void *panel = element(p->dtype, p->packed, i * back_panel_size(s));
    if (n < CHAIN_LANES) memset(panel, 0, (size_t)back_panel_size(s) * dtype_size(p->dtype));
    packed_put(p->dtype, p->h2h, s->out, false, unit, n, s->gates * s->hidden, panel, 0, CHAIN_LANES);
  }
}

static void look_back(void *context, int64_t first, int64_t last) {
  const PanelRun *r = context;
  r->cells->look_back(r->w, first, last);
}

/* Backward of one direction: gradients of gates and, through all steps, of the initial states. The gradients of the
** states before a step are computed in the next iteration, when they are needed. */
static Status run_back(const RnnBackward *r, CellDirection *w, const Weights *at) {
  const RnnSizes *s = &r->s;
  const DType t = r->dtype;
  const Cells *cells = cells_of(t);
  const BackwardWorkspace workspace = backward_workspace(s);
  const int64_t wide = s->gates * s->hidden;
  const void *h2h = element(t, r->weights, at->h2h), *h2r = element(t, r->weights, at->h2r);
  void *packed = element(t, r->workspace, workspace.packed), *products = element(t, r->workspace, workspace.dh_new);
  const UnitRange all = { 0, s->batch, 0, s->out, products, s->out, 0 };
  PanelRun run = { .w = w, .cells = cells, .dtype = t, .packed = packed, .before = -1 };
  parallel_for(rows_of_all(s), moving_grain(s->out), look_back, &run);
  if (packs(s))
    parallel_for(parts(s->out, CHAIN_LANES), moving_grain(back_panel_size(s)), pack_back,
                 &(StatePacking){ s, t, h2h, packed });
  for (int64_t i = 0; i <= s->steps; i++) {
    run.last = i == s->steps;
    w->t = w->back ? i : s->steps - 1 - i;
    if (packs(s)) {
      const int64_t pays = grain((double)s->batch * (double)back_panel_size(s));
      parallel_for(parts(s->out, CHAIN_LANES), pays, back_panels, &run);
    } else {
      CellDirection passing = *w;
      passing.t = run.before;
      if (run.before >= 0) {
        const void *by_state = element(t, w->by_state, run.before * s->batch * wide);
        TRY(times(t, false, false, s->batch, s->out, wide, by_state, h2h, products, 0));
        cells->pass(&passing, &all);
      }
      if (!run.last) cells->gather(w, &all);
    }
    if (interrupted()) return interrupt_status();
    if (run.last) break;
    if (s->projected) TRY(times(t, false, false, s->batch, s->hidden, s->out, w->dh, h2r, w->draw, 0));
    if (s->projected || !packs(s)) cells->back(w, &(UnitRange){ 0, s->batch, 0, s->hidden, NULL, 0, 0 });
    run.before = w->t;
  }
  return OK;
}

typedef struct RowSums { const Cells *cells; const void *x; int64_t rows, columns; void *to; } RowSums;

static void sum_columns(void *context, int64_t first, int64_t last) {
  const RowSums *r = context;
  r->cells->sum_rows(r->x, r->rows, r->columns, first, last, r->to);
}

static void sum_rows(DType t, const void *x, int64_t rows, int64_t columns, void *to) {
  parallel_for(columns, moving_grain(rows), sum_columns, &(RowSums){ cells_of(t), x, rows, columns, to });
}

/* Computes the gradients of one direction's weights, and its part of the gradient of the inputs. */
static Status weigh(const RnnBackward *r, const CellDirection *w, const Weights *at, int64_t features, const void *x,
                    void *dx) {
  const RnnSizes *s = &r->s;
  const DType t = r->dtype;
  const int64_t n = rows_of_all(s), wide = s->gates * s->hidden;
  void *i2h_bias = element(t, r->dweights, at->i2h_bias), *h2h_bias = element(t, r->dweights, at->h2h_bias);
  TRY(times(t, true, false, wide, features, n, w->by_input, x, element(t, r->dweights, at->i2h), 0));
  TRY(times(t, true, false, wide, s->out, n, w->by_state, w->before, element(t, r->dweights, at->h2h), 0));
  if (s->projected)
    TRY(times(t, true, false, s->out, s->hidden, n, w->outs, element(t, w->part, w->kept.raw),
              element(t, r->dweights, at->h2r), 0));
  sum_rows(t, w->by_input, n, wide, i2h_bias);
  if (w->by_state == w->by_input) memcpy(h2h_bias, i2h_bias, (size_t)wide * dtype_size(t));
  else sum_rows(t, w->by_state, n, wide, h2h_bias);
  return times(t, false, false, n, features, wide, w->by_input, element(t, r->weights, at->i2h), dx, w->back ? 1 : 0);
}

Status rnn_backward(const RnnBackward *r) {
  const RnnSizes *s = &r->s;
  const DType t = r->dtype;
  const size_t size = dtype_size(t);
  const BackwardWorkspace workspace = backward_workspace(s);
  const void *dy = r->g_out;
  for (int64_t layer = s->layers - 1; layer >= 0; layer--) {
    const void *y = layer == s->layers - 1 ? r->out : element(t, r->reserve, outputs_at(s, layer));
    const void *x = layer == 0 ? r->data : element(t, r->reserve, outputs_at(s, layer - 1));
    const void *mask = layer > 0 && s->drops ? element(t, r->reserve, mask_at(s, layer - 1)) : NULL;
    void *dx = layer == 0 ? r->dx : element(t, r->workspace, workspace.turns + layer % 2 * layer_outputs(s));
    if (mask) {
      cells_of(t)->multiply(x, mask, element(t, r->workspace, workspace.dropped), layer_outputs(s));
      x = element(t, r->workspace, workspace.dropped);
    }
    for (int64_t direction = 0; direction < s->directions; direction++) {
      const Weights at = weights_of(s, layer, direction);
      const int64_t h = (layer * s->directions + direction) * s->batch * s->out,
                    c = (layer * s->directions + direction) * s->batch * s->hidden;
      CellDirection w = { .s = s,
                          .p = r->p,
                          .lengths = r->lengths,
                          .back = direction == 1,
                          .part = element(t, r->reserve, direction_at(s, layer, direction)),
                          .h0 = element(t, r->state, h),
                          .c0 = element(t, r->cell, c),
                          .y = element(t, y, direction * s->out),
                          .dy = element(t, dy, direction * s->out),
                          .dh = element(t, r->workspace, workspace.dh),
                          .dc = element(t, r->workspace, workspace.dc),
                          .carry = element(t, r->workspace, workspace.carry),
                          .draw = element(t, r->workspace, workspace.raw),
                          .by_input = element(t, r->workspace, workspace.by_input),
                          .by_state = element(t, r->workspace,
                                              s->mode == RNN_GRU ? workspace.by_state : workspace.by_input),
                          .outs = element(t, r->workspace, workspace.outs),
                          .before = element(t, r->workspace, workspace.before) };
      kept_of(s, s->steps, &w.kept);
      memset(w.dh, 0, (size_t)(s->batch * s->out) * size);
      memset(w.dc, 0, (size_t)(s->batch * s->hidden) * size);
      if (r->g_state) memcpy(w.dh, element(t, r->g_state, h), (size_t)(s->batch * s->out) * size);
      if (r->g_cell) memcpy(w.dc, element(t, r->g_cell, c), (size_t)(s->batch * s->hidden) * size);
      TRY(run_back(r, &w, &at));
      memcpy(element(t, r->dstate, h), w.dh, (size_t)(s->batch * s->out) * size);
      if (r->dcell) memcpy(element(t, r->dcell, c), w.dc, (size_t)(s->batch * s->hidden) * size);
      TRY(weigh(r, &w, &at, features_of(s, layer), x, dx));
    }
    if (mask) cells_of(t)->multiply(dx, mask, dx, layer_outputs(s));
    dy = dx;
  }
  return OK;
}
