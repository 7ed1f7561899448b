/* hawkes_kernels.c - hawkesll and its gradient. Events are visited in order, in the element type. */
#include "base/math/scalar_functions.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"

enum { LDA, ALPHA, BETA, STATE, LAGS, MARKS, VALID_LENGTH, MAX_TIME };

/* What a sequence keeps of each mark: the time of its last event; for gradients, the derivatives of the state with
** respect to beta and to the first state. */
enum { LAST_TIME, BY_BETA, BY_STATE, KEPT };

/* One call; in: the inputs of hawkesll. */
typedef struct Hawkes {
  Call *call;
  const Tensor *const *in;
  int64_t marks, events;
} Hawkes;

#define HAWKES(code, T, suffix)                                                                              \
  typedef struct Mark_##suffix { T lda, alpha, beta, *state, *last, *by_beta, *by_state; } Mark_##suffix;    \
  /* The derivatives of the likelihood: lda, alpha, beta, state. */                                          \
  typedef struct Slopes_##suffix { T of[4]; } Slopes_##suffix;                                               \
                                                                                                             \
  static Mark_##suffix mark_##suffix(const Hawkes *h, int64_t row, int64_t k, T *state, T *kept) {           \
    return (Mark_##suffix){ .lda = ((const T *)h->in[LDA]->data)[row * h->marks + k],                        \
                            .alpha = ((const T *)h->in[ALPHA]->data)[k],                                     \
                            .beta = ((const T *)h->in[BETA]->data)[k],                                       \
                            .state = state + k,                                                              \
                            .last = kept + LAST_TIME * h->marks + k,                                         \
                            .by_beta = kept + BY_BETA * h->marks + k,                                        \
                            .by_state = kept + BY_STATE * h->marks + k };                                    \
  }                                                                                                          \
  /* The integral of a mark's intensity over the time d since its last event. */                             \
  static T integral_##suffix(const Mark_##suffix *m, T d, T decay) {                                         \
    return m->lda * d + m->alpha * *m->state * (1 - decay);                                                  \
  }                                                                                                          \
  static Slopes_##suffix integral_slopes_##suffix(const Mark_##suffix *m, T d, T decay) {                    \
    const T rest = 1 - decay, s = *m->state;                                                                 \
    return (Slopes_##suffix){ { d, s * rest, m->alpha * (*m->by_beta * rest + s * d * decay),                \
                                m->alpha * *m->by_state * rest } };                                          \
  }                                                                                                          \
  /* Moves a mark to a time d later: its state decays, and so do the state's derivatives. */                 \
  static void decay_##suffix(const Mark_##suffix *m, T d, T decay) {                                         \
    *m->by_beta = *m->by_beta * decay - *m->state * d * decay;                                               \
    *m->by_state *= decay;                                                                                   \
    *m->state *= decay;                                                                                      \
  }                                                                                                          \
  /* One sequence; `slopes` (NULL: not wanted) are added to, four arrays of the marks. */                    \
  static T sequence_##suffix(const Hawkes *h, int64_t row, T *state, T *kept, T *const slopes[4]) {          \
    const T *lags = (const T *)h->in[LAGS]->data + row * h->events;                                          \
    const int32_t *marks = (const int32_t *)h->in[MARKS]->data + row * h->events;                            \
    const int64_t length = (int64_t)((const T *)h->in[VALID_LENGTH]->data)[row];                             \
    const T end = ((const T *)h->in[MAX_TIME]->data)[row];                                                   \
    T t = 0, sum = 0;                                                                                        \
    for (int64_t k = 0; k < h->marks; k++) {                                                                 \
      state[k] = ((const T *)h->in[STATE]->data)[row * h->marks + k];                                        \
      kept[LAST_TIME * h->marks + k] = kept[BY_BETA * h->marks + k] = 0;                                     \
      kept[BY_STATE * h->marks + k] = 1;                                                                     \
    }                                                                                                        \
    for (int64_t i = 0; i < length; i++) {                                                                   \
      const int64_t k = marks[i];                                                                            \
      const Mark_##suffix m = mark_##suffix(h, row, k, state, kept);                                         \
      t += lags[i];                                                                                          \
      const T d = t - *m.last, decay = exp(-m.beta * d), s = *m.state;                                       \
      const T intensity = m.lda + m.alpha * m.beta * s * decay;                                              \
      sum += log(intensity) - integral_##suffix(&m, d, decay);                                               \
      if (slopes) {                                                                                          \
        const Slopes_##suffix less = integral_slopes_##suffix(&m, d, decay);                                 \
        const T of[4] = { 1, m.beta * s * decay,                                                             \
                          m.alpha * decay * (s + m.beta * (*m.by_beta - s * d)),                             \
                          m.alpha * m.beta * decay * *m.by_state };                                          \
        for (int q = 0; q < 4; q++) slopes[q][k] += of[q] / intensity - less.of[q];                          \
      }                                                                                                      \
      decay_##suffix(&m, d, decay);                                                                          \
      *m.state += 1;                                                                                         \
      *m.last = t;                                                                                           \
    }                                                                                                        \
    for (int64_t k = 0; k < h->marks; k++) {                                                                 \
      const Mark_##suffix m = mark_##suffix(h, row, k, state, kept);                                         \
      const T d = end - *m.last, decay = exp(-m.beta * d);                                                   \
      sum -= integral_##suffix(&m, d, decay);                                                                \
      if (slopes) {                                                                                          \
        const Slopes_##suffix less = integral_slopes_##suffix(&m, d, decay);                                 \
        for (int q = 0; q < 4; q++) slopes[q][k] -= less.of[q];                                              \
      }                                                                                                      \
      decay_##suffix(&m, d, decay);                                                                          \
    }                                                                                                        \
    return sum;                                                                                              \
  }                                                                                                          \
  static void likelihood_##suffix(void *context, int64_t first, int64_t last) {                              \
    const Hawkes *h = context;                                                                               \
    T *kept = call_thread_workspace(h->call);                                                                \
    for (int64_t row = first; row < last && !interrupted(); row++)                                           \
      ((T *)h->call->out[0]->data)[row] =                                                                    \
          sequence_##suffix(h, row, (T *)h->call->out[1]->data + row * h->marks, kept, NULL);                \
  }                                                                                                          \
  static void slopes_##suffix(void *context, int64_t first, int64_t last) {                                  \
    const Hawkes *h = context;                                                                               \
    T *kept = call_thread_workspace(h->call), *state = kept + KEPT * h->marks;                               \
    for (int64_t row = first; row < last && !interrupted(); row++) {                                         \
      const T g = ((const T *)h->call->in[0]->data)[row];                                                    \
      const T *g_state = (const T *)h->call->in[1]->data + row * h->marks;                                   \
      T *slopes[4];                                                                                          \
      for (int q = 0; q < 4; q++) slopes[q] = (T *)h->call->out[q]->data + row * h->marks;                   \
      for (int q = 0; q < 4; q++)                                                                            \
        for (int64_t k = 0; k < h->marks; k++) slopes[q][k] = 0;                                             \
      (void)sequence_##suffix(h, row, state, kept, slopes);                                                  \
      for (int q = 0; q < 4; q++)                                                                            \
        for (int64_t k = 0; k < h->marks; k++) {                                                             \
          slopes[q][k] *= g;                                                                                 \
          if (q == BETA) slopes[q][k] += g_state[k] * kept[BY_BETA * h->marks + k];                          \
          if (q == STATE) slopes[q][k] += g_state[k] * kept[BY_STATE * h->marks + k];                        \
        }                                                                                                    \
    }                                                                                                        \
  }
EACH_FLOAT(HAWKES)

static Status hawkes_workspace(const Query *q, Workspace *w) {
  const Type *state = query_out(q, 1);
  w->thread_bytes = (size_t)(KEPT + 1) * (size_t)state->shape.dim[1] * dtype_size(state->dtype);
  return OK;
}

static Status run_hawkes(Call *c, const Tensor *const *in) {
  Hawkes h = { .call = c, .in = in, .marks = in[LDA]->type.shape.dim[1], .events = in[LAGS]->type.shape.dim[1] };
  const int64_t rows = in[LDA]->type.shape.dim[0];
  for (int64_t i = 0; i < rows; i++) {
    const double length = tensor_get(in[VALID_LENGTH], i);
    if (!(length >= 0 && length <= (double)h.events))
      return fail("%s: valid_length: expected 0 to %lld, the events of lags, got %g for sequence %lld", op_title(c->op),
                  (long long)h.events, length, (long long)i);
    for (int64_t k = 0; k < (int64_t)length; k++) {
      const int64_t mark = tensor_get_int(in[MARKS], i * h.events + k);
      if (mark < 0 || mark >= h.marks)
        return fail("%s: marks: expected 0 to %lld, got %lld for event %lld of sequence %lld", op_title(c->op),
                    (long long)(h.marks - 1), (long long)mark, (long long)k, (long long)i);
    }
  }
  return run_parallel(rows, (1 << 8) / (h.events + h.marks + 1) + 1, c->kernel->body, &h);
}

static Status likelihood(Call *c) { return run_hawkes(c, c->in); }
static Status backward(Call *c) { return run_hawkes(c, c->in + 2); }

const Kernel hawkes_kernels[] = {
  FLOAT_KERNELS("_contrib_hawkesll", likelihood, likelihood, .workspace = hawkes_workspace),
  FLOAT_KERNELS("_backward_hawkesll", backward, slopes, .workspace = hawkes_workspace),
  { 0 },
};
