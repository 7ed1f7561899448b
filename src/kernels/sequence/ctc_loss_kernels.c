/* ctc_loss_kernels.c - the kernel of CTCLoss. For T, y and l see ops/sequence/ctc_loss.c.
**
** States s are the labels and the blanks around and between them, 2 |l| + 1 in all. alpha[t][s] is the logarithm of the
** sum over the first t + 1 classes of paths that are in state s at step t, and beta[t][s] that over the later classes.
** Everything is computed in double, step by step and state by state, with a sequence per work item, and rounded once.
*/
#include <math.h>
#include <string.h>

#include "base/math/double_functions.h"
#include "base/size_math.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/sequence/ctc_loss.h"

/* ---- Labels and lengths ------------------------------------------------------------------------ */

typedef struct Ctc {
  const Call *c;
  int64_t steps, batch, classes, most;     /* most: labels per row */
  int64_t blank, padding;
  const Tensor *data_lengths, *label_lengths;     /* NULL: none */
} Ctc;

static Ctc ctc_of(const Call *c) {
  const CtcParams *p = c->params;
  const Shape *data = &c->in[DATA]->type.shape;
  const bool first = p->blank_label == BLANK_FIRST;
  return (Ctc){ .c = c,
                .steps = data->dim[0],
                .batch = data->dim[1],
                .classes = data->dim[2],
                .most = c->in[LABEL]->type.shape.dim[1],
                .blank = first ? 0 : data->dim[2] - 1,
                .padding = first ? 0 : -1,
                .data_lengths = p->use_data_lengths ? c->in[DATA_LENGTHS] : NULL,
                .label_lengths = p->use_label_lengths ? c->in[c->n_in - 1] : NULL };
}

static int64_t label_at(const Ctc *r, int64_t sequence, int64_t i) {
  return tensor_get_int(r->c->in[LABEL], sequence * r->most + i);
}

static int64_t steps_in(const Ctc *r, int64_t sequence) {
  return r->data_lengths ? tensor_get_int(r->data_lengths, sequence) : r->steps;
}

static int64_t labels_in(const Ctc *r, int64_t sequence) {
  int64_t n = 0;
  if (r->label_lengths) return tensor_get_int(r->label_lengths, sequence);
  while (n < r->most && label_at(r, sequence, n) != r->padding) n++;
  return n;
}

static Status check_labels(const Ctc *r, int64_t sequence) {
  for (int64_t i = 0, n = labels_in(r, sequence); i < n; i++) {
    const int64_t label = label_at(r, sequence, i);
    if (label < 0 || label >= r->classes)
      return fail("CTCLoss: label: expected classes from 0 to %lld, got %lld for sequence %lld",
                  (long long)r->classes - 1, (long long)label, (long long)sequence);
  }
  return OK;
}

/* ---- Paths --------------------------------------------------------------------------------------------------- */

/* The paths of one sequence. Rows of alpha have `states` elements, as do beta (one step) and next (the step after). */
typedef struct Paths {
  int64_t steps, states;
  const int64_t *state;            /* the class of each state */
  double *alpha, *beta, *next;
  double *norm;                    /* by step: the logarithm of the sum of e^data */
  double *share;                   /* by class, at one step */
} Paths;

static size_t paths_bytes(int64_t steps, int64_t labels, int64_t classes) {
  const size_t states = 2 * (size_t)labels + 1;
  return ((size_t)steps * states + 3 * states + (size_t)steps + (size_t)classes) * sizeof(double);
}

static Status ctc_workspace(const Query *q, Workspace *w) {
  const Shape *data = &query_in(q, DATA)->shape;
  const size_t bytes = paths_bytes(data->dim[0], query_in(q, LABEL)->shape.dim[1], data->dim[2]);
  w->thread_bytes = workspace_by_items(data->dim[1], bytes, &w->most_threads);
  return OK;
}

/* log(e^a + e^b) */
static double log_sum(double a, double b) {
  const double top = a > b ? a : b, low = a > b ? b : a;
  return low == -INFINITY ? top : top + hl_log1p64(hl_exp64(low - top));
}

/* May a path reach state s from the one two before it? Not if s is a blank, or between equal labels. */
static bool skips(const Paths *p, int64_t s) {
  return s >= 2 && p->state[s] != p->state[0] && p->state[s] != p->state[s - 2];
}

#define CTC(code, T, suffix)                                                                                \
  static double log_softmax_##suffix(const Paths *p, const T *x, int64_t t, int64_t k) {                    \
    return (double)x[k] - p->norm[t];                                                                       \
  }                                                                                                         \
                                                                                                            \
  static double norm_##suffix(const T *x, int64_t n) {                                                      \
    double top = -INFINITY, sum = 0;                                                                        \
    for (int64_t k = 0; k < n; k++) top = x[k] > top ? x[k] : top;                                          \
    for (int64_t k = 0; k < n; k++) sum += hl_exp64((double)x[k] - top);                                    \
    return top + hl_log64(sum);                                                                             \
  }                                                                                                         \
  /* The logarithm of the sum over all paths; rows of x are `row` apart. */                                 \
  static double forwards_##suffix(const Paths *p, const T *x, int64_t row) {                                \
    for (int64_t t = 0; t < p->steps; t++) {                                                                \
      double *now = p->alpha + t * p->states;                                                               \
      const double *before = now - p->states;                                                               \
      for (int64_t s = 0; s < p->states; s++) {                                                             \
        double from = t > 0 ? before[s] : s < 2 ? 0 : -INFINITY;                                            \
        if (t > 0 && s > 0) from = log_sum(from, before[s - 1]);                                            \
        if (t > 0 && skips(p, s)) from = log_sum(from, before[s - 2]);                                      \
        now[s] = from + log_softmax_##suffix(p, x + t * row, t, p->state[s]);                               \
      }                                                                                                     \
    }                                                                                                       \
    const double *last = p->alpha + (p->steps - 1) * p->states;                                             \
    return p->states > 1 ? log_sum(last[p->states - 1], last[p->states - 2]) : last[0];                     \
  }                                                                                                         \
  static void backwards_##suffix(const Paths *p, const T *x, int64_t row, int64_t classes, double total, T *dx) { \
    double *beta = p->beta, *next = p->next;                                                                \
    for (int64_t t = p->steps - 1; t >= 0; t--) {                                                           \
      const T *after = x + (t + 1) * row;                                                                   \
      for (int64_t s = 0; s < p->states; s++) {                                                             \
        if (t == p->steps - 1) { beta[s] = s + 2 >= p->states ? 0 : -INFINITY; continue; }                  \
        beta[s] = next[s] + log_softmax_##suffix(p, after, t + 1, p->state[s]);                             \
        for (int64_t to = s + 1; to < p->states && (to == s + 1 || (to == s + 2 && skips(p, to))); to++)    \
          beta[s] = log_sum(beta[s], next[to] + log_softmax_##suffix(p, after, t + 1, p->state[to]));       \
      }                                                                                                     \
      memset(p->share, 0, (size_t)classes * sizeof *p->share);                                              \
      for (int64_t s = 0; s < p->states; s++)                                                               \
        p->share[p->state[s]] += hl_exp64(p->alpha[t * p->states + s] + beta[s] - total);                   \
      for (int64_t k = 0; k < classes; k++)                                                                 \
        dx[t * row + k] = (T)(hl_exp64(log_softmax_##suffix(p, x + t * row, t, k)) - p->share[k]);          \
      double *other = beta;                                                                                 \
      beta = next;                                                                                          \
      next = other;                                                                                         \
    }                                                                                                       \
  }                                                                                                         \
  /* A work item is a sequence. */                                                                          \
  static void ctc_##suffix(void *context, int64_t first, int64_t last) {                                    \
    const Ctc *r = context;                                                                                 \
    const int64_t row = r->batch * r->classes;                                                              \
    for (int64_t i = first; i < last && !interrupted(); i++) {                                              \
      const T *x = (const T *)r->c->in[DATA]->data + i * r->classes;                                        \
      T *dx = r->c->out[1]->data;                                                                           \
      double *workspace = call_thread_workspace(r->c);                                                      \
      const int64_t labels = labels_in(r, i);                                                               \
      Paths p = { .steps = steps_in(r, i), .states = 2 * labels + 1 };                                      \
      int64_t repeats = 0, *state = (int64_t *)(workspace + p.steps * p.states);                            \
      p.alpha = workspace;                                                                                  \
      p.state = state;                                                                                      \
      p.beta = (double *)state + p.states;                                                                  \
      p.next = p.beta + p.states;                                                                           \
      p.norm = p.next + p.states;                                                                           \
      p.share = p.norm + p.steps;                                                                           \
      for (int64_t s = 0; s < p.states; s++) state[s] = s % 2 ? label_at(r, i, s / 2) : r->blank;           \
      for (int64_t s = 3; s < p.states; s += 2) repeats += !skips(&p, s);                                   \
      const bool possible = labels + repeats <= p.steps && p.steps > 0;                                     \
      for (int64_t t = 0; t < p.steps; t++) p.norm[t] = norm_##suffix(x + t * row, r->classes);             \
      const double total = possible ? forwards_##suffix(&p, x, row) : 0;                                    \
      ((T *)r->c->out[0]->data)[i] = (T)(0 - total);                                                        \
      if (!dx) continue;                                                                                    \
      for (int64_t t = possible ? p.steps : 0; t < r->steps; t++)                                           \
        memset(dx + i * r->classes + t * row, 0, (size_t)r->classes * sizeof(T));                           \
      if (possible) backwards_##suffix(&p, x, row, r->classes, total, dx + i * r->classes);                 \
    }                                                                                                       \
  }
EACH_FLOAT(CTC)

static Status ctc(Call *c) {
  Ctc r = ctc_of(c);
  TRY(check_numbers_within("CTCLoss: data_lengths", r.data_lengths, 0, r.steps, ""));
  TRY(check_numbers_within("CTCLoss: label_lengths", r.label_lengths, 0, r.most, ""));
  for (int64_t i = 0; i < r.batch; i++) TRY(check_labels(&r, i));
  return run_parallel(r.batch, 1, c->kernel->body, &r);
}

const Kernel ctc_loss_kernels[] = {
  FLOAT_KERNELS("CTCLoss", ctc, ctc, .workspace = ctc_workspace),
  { 0 },
};
