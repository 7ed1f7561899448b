/* deferred.c - see deferred.h.
**
** Numbers of steps in a piece are bits of masks, so a piece has at most 64. A Deferred is in the list of those that
** hold inputs as long as it may compute something from them; each input is counted in its storage (Storage.waiting).
*/
#include "exec/deferred.h"

#include <stdio.h>
#include <string.h>

#include "base/fault.h"
#include "base/memory.h"
#include "exec/carried.h"
#include "exec/eager.h"

enum {
  MOST_STEPS = 64, MOST_INPUTS = 64,     /* of a piece */
  MOST_TREE = 4096,                      /* steps of a block */
  MOST_VARIANTS = 8,                     /* steps of one place that differ in numbers alone: these are computed */
  MOST_BRANCHES = 64,
  LEAST_COMPILED = 2,                    /* steps that a program is worth */
  LEAST_STEPS = 3, LEAST_SMALL = 5,      /* that putting off is worth; the latter where values are small */
  SMALL = 2048,                          /* elements */
  MOST_SHORT = 4,                        /* pieces in a row that were not worth it, until calls run at once... */
  TRY_EACH = 64,                         /* ...but for one in so many, for the code may go another way by then */
  FEW = 3                                /* inputs, and values, that most pieces have at most */
};

#define BIT(i) (1ull << (i))

/* A call behind those that led to it. The piece that ends with it is its own too. */
typedef struct Step {
  struct Step *parent, *first, *next;    /* first: of those that came behind it, the latest at the front */
  const Op *op;                          /* NULL: the beginning */
  Params *params;
  int place;                             /* in the piece; -1: the beginning */
  int n_in, n_fresh, n_inputs;           /* operands, those of them that are new inputs, inputs so far */
  int16_t wire[MOST_WIRES];              /* of each operand: the step's place, or -1 - the input's number */
  int family;                            /* the step in whose memory its value lies: itself, or that which it views */
  Origin origin;
  Type type;
  uint16_t n_short, n_skipped, length;   /* of a first step: pieces in a row that were too short, calls since then,
                                         ** steps of the latest */
  const Op *varying;                     /* of the beginning: calls of it as first steps differ each time */
  uint64_t used;                         /* values of the piece that were asked for */
  uint64_t outputs;                      /* of the program */
  uint64_t runs;
  bool listed;                           /* in Steps.piece */
  Compiled *compiled;                    /* NULL: not yet */
  Type fresh[];                          /* types of the new inputs */
} Step;

struct Steps {
  int refs;                              /* Lua's, and one for each Deferred */
  int n_steps;
  int pass;                              /* so many calls run at once: the rest of a piece that is too short */
  Step *begin[2][2];                     /* by training mode, and whether the code is recorded */
  Deferred *open;                        /* calls are put off into it; held */
  Step **piece;                          /* those that ran */
  int n_pieces, room;
  char *name;
};

struct Deferred {
  int refs;                              /* values that wait, and steps->open */
  Steps *steps;
  Step *end;
  bool train, recording;                 /* the modes of its calls */
  bool taped;                            /* it is to be on the tape: an input is */
  bool ran;
  Scope *scope;                          /* the block call that its calls are in */
  Device device;
  uint64_t waiting;                      /* values that somebody may ask for */
  uint64_t known;                        /* values that were computed: their places, in the order of value[] */
  int n_in, room;                        /* inputs; none once nothing more is computed from them */
  Array *in, *value;                     /* value: empty where nobody waits for it any more */
  Deferring *among;
  Deferred *next, **link;                /* among those with inputs; link NULL: not there */
  Array few_in[FEW], few_value[FEW];
};

static _Thread_local Deferring own, *lent;
void deferred_lend(Deferring *d) { lent = d; }
Deferring *deferring(void) { return lent ? lent : &own; }

/* ---- Life ------------------------------------------------------------------------------------------- */

static void step_free(Step *s) {
  params_release(s->params);
  compiled_release(s->compiled);
  object_free(s);
}

/* Without recursion: down to a leaf, which goes. */
static void tree_free(Step *root) {
  Step *s = root;
  while (s) {
    if (s->first) { s = s->first; continue; }
    Step *up = s == root ? NULL : s->parent;
    if (up) up->first = s->next;
    step_free(s);
    s = up;
  }
}

void steps_release(Steps *s) {
  if (!s || --s->refs > 0) return;
  for (int i = 0; i < 4; i++) tree_free(s->begin[i / 2][i % 2]);
  object_free(s->piece);
  object_free(s->name);
  object_free(s);
}

static Step *step_new(int n_fresh) {
  Step *s = object_new(sizeof *s + (size_t)n_fresh * sizeof *s->fresh);
  if (s) s->place = -1;
  return s;
}

Status steps_new(const char *name, Steps **out) {
  Steps *s = object_new(sizeof *s);
  if (!s) return no_memory("steps");
  *s = (Steps){ .refs = 1, .begin = { { step_new(0), step_new(0) }, { step_new(0), step_new(0) } },
                .name = object_text(name) };
  bool all = s->name != NULL;
  for (int i = 0; i < 4; i++) all = all && s->begin[i / 2][i % 2];
  if (!all) { steps_release(s); return no_memory("steps"); }
  *out = s;
  return OK;
}

static void let_inputs_go(Deferred *d) {
  if (d->link) {
    *d->link = d->next;
    if (d->next) d->next->link = d->link;
    d->link = NULL;
  }
  for (int i = 0; i < d->n_in; i++) {
    d->in[i].t.storage->waiting--;
    array_release(&d->in[i]);
  }
  d->n_in = 0;
}

Deferred *deferred_retain(Deferred *d) {
  d->refs++;
  return d;
}

static int n_known(const Deferred *d) { return __builtin_popcountll(d->known); }

static Array *value_at(Deferred *d, int place) { return &d->value[__builtin_popcountll(d->known & (BIT(place) - 1))]; }

void deferred_release(Deferred *d) {
  if (!d || --d->refs > 0) return;
  Steps *s = d->steps;
  let_inputs_go(d);
  if (d->among->recorded == d) d->among->recorded = NULL;
  for (int i = 0; i < n_known(d); i++) array_release(&d->value[i]);
  scope_release(d->scope);
  if (d->in != d->few_in) object_free(d->in);
  if (d->value != d->few_value) object_free(d->value);
  object_free(d);
  steps_release(s);
}

static Deferred *deferred_new(Steps *s) {
  if (mode_now.recording && deferred_record() != OK) return NULL;
  Deferred *d = object_new(sizeof *d);
  if (!d) return NULL;
  d->refs = 1;
  d->steps = s;
  d->train = mode_now.train;
  d->recording = mode_now.recording;
  d->scope = scope_retain(scope_now);
  d->among = deferring();
  if (d->recording) d->among->recorded = d;
  d->end = s->begin[d->train][d->recording];
  d->in = d->few_in;
  d->value = d->few_value;
  d->room = FEW;
  s->refs++;
  return d;
}

/* What still needs the inputs. */
static uint64_t missing(const Deferred *d) { return d->waiting & ~d->known; }

void deferred_leave(Later l) {
  Deferred *d = l.of;
  d->waiting &= ~BIT(l.at);
  if (d->known & BIT(l.at)) array_release(value_at(d, l.at));
  const bool open = d->steps->open == d && !d->ran;
  if (d->n_in > 0 && !open && missing(d) == 0) let_inputs_go(d);
  deferred_release(d);
}

Deferred *steps_open(const Steps *s) {
  Deferred *d = s->open;
  const bool open = d && !d->ran && d->train == mode_now.train && d->recording == mode_now.recording;
  return open && (!d->recording || d->scope == scope_now) ? d : NULL;
}

static void close_open(Steps *s) {
  Deferred *d = s->open;
  s->open = NULL;
  if (d && !d->ran && d->waiting == 0) let_inputs_go(d);
  deferred_release(d);
}

void steps_end(Steps *s) {
  s->pass = 0;
  close_open(s);
}

Device deferred_device(Later l) { return l.of->device; }

/* ---- Putting off ---------------------------------------------------------------------------------------- */

/* Rows that fuse, or give views: what is put off besides would gain nothing. */
bool deferred_takes(const Op *op) {
  return !(op->flags & (OP_DYNAMIC | OP_CROSSES | OP_INTERNAL)) && !op->control &&
         (op->elementwise || op->pick || op->folding || op->view || op->lower);
}

bool deferred_expects(Steps *s, const Op *op) {
  if (s->pass > 0) {
    s->pass--;
    return false;
  }
  if (steps_open(s) && s->open->end->place >= 0) return true;
  return s->begin[mode_now.train][mode_now.recording]->varying != op;
}

/* Is the first step of a piece one that is better run at once? */
static bool is_short(Steps *t, Step *s) {
  if (s->place > 0 || s->n_short < MOST_SHORT) return false;
  s->n_skipped = (s->n_skipped + 1) % TRY_EACH;
  if (s->n_skipped > 0) t->pass = s->length - 1;
  return s->n_skipped > 0;
}

/* A piece ran: was it worth it? */
static void note_length(Step *end) {
  Step *s = end;
  while (s->place > 0) s = s->parent;
  const int least = shape_size(&s->fresh[0].shape) < SMALL ? LEAST_SMALL : LEAST_STEPS;
  s->length = (uint16_t)(end->place + 1);
  s->n_short = end->place + 1 >= least ? 0 : s->n_short < MOST_SHORT ? s->n_short + 1 : MOST_SHORT;
}

/* The operands of a call, as the tree has them. */
typedef struct Wiring {
  int n_in, n_fresh;
  int16_t wire[MOST_WIRES];
  Array fresh[MOST_WIRES];               /* not held; node NULL: constants */
} Wiring;

static bool same_array(const Array *a, const Array *b) {
  return a->t.data == b->t.data && a->t.storage == b->t.storage && a->node == b->node && a->index == b->index &&
         type_equal(&a->t.type, &b->t.type);
}

/* The number of an array among the inputs, as a wire. */
static int16_t wire_of(const Deferred *d, Wiring *w, const Array *a) {
  for (int i = 0; i < d->n_in; i++) if (same_array(&d->in[i], a)) return (int16_t)(-1 - i);
  int k = 0;
  while (k < w->n_fresh && !same_array(&w->fresh[k], a)) k++;
  if (k == w->n_fresh) w->fresh[w->n_fresh++] = *a;
  return (int16_t)(-1 - d->n_in - k);
}

/* False where an operand cannot wait: it is elsewhere, its memory is not counted, or an error is to be told. */
static bool find_wires(Deferred *d, const Operand *in, int n_in, Wiring *w) {
  w->n_in = n_in;
  w->n_fresh = 0;
  for (int i = 0; i < n_in; i++) {
    const Array *a = in[i].array;
    if (!a) { w->wire[i] = (int16_t)in[i].later.at; continue; }
    if (!a->t.storage) return false;
    if (d->n_in == 0 && w->n_fresh == 0) d->device = tensor_device(&a->t);
    if (tensor_device(&a->t) != d->device) return false;
    bool taped = d->recording && a->node;
    if (taped && carried_input(a, &taped) != OK) return false;
    w->wire[i] = wire_of(d, w, &(Array){ .t = a->t, .node = taped ? a->node : NULL, .index = taped ? a->index : 0 });
  }
  return d->n_in + w->n_fresh <= MOST_INPUTS;
}

static bool same_call(const Step *s, const Op *op, const Wiring *w) {
  return s->op == op && s->n_in == w->n_in && memcmp(s->wire, w->wire, (size_t)w->n_in * sizeof *w->wire) == 0;
}

static bool same_types(const Step *s, const Wiring *w) {
  for (int i = 0; i < w->n_fresh; i++) if (!type_equal(&s->fresh[i], &w->fresh[i].t.type)) return false;
  return true;
}

static Step *find_step(Step *from, const Op *op, const Params *params, const Wiring *w) {
  for (Step **at = &from->first; *at; at = &(*at)->next) {
    Step *s = *at;
    if (!same_call(s, op, w) || !same_types(s, w) || !params_equal(s->params, params)) continue;
    *at = s->next;
    s->next = from->first;
    from->first = s;
    return s;
  }
  return NULL;
}

/* Numbers that come out otherwise each time would make a step each. */
static bool has_room(const Steps *t, const Step *from, const Op *op, const Wiring *w) {
  int branches = 0, variants = 0;
  for (const Step *s = from->first; s; s = s->next) {
    branches++;
    if (same_call(s, op, w) && same_types(s, w)) variants++;
  }
  return t->n_steps < MOST_TREE && branches < MOST_BRANCHES && variants < MOST_VARIANTS;
}

/* The steps up to this one, in list[0 .. place]. */
static void list_steps(const Step *end, const Step **list) {
  for (const Step *s = end; s->place >= 0; s = s->parent) list[s->place] = s;
}

/* The types of the operands, those inferred of the output, and where its memory is. */
static bool infer_step(const Deferred *d, Step *s, const Wiring *w) {
  const Step *list[MOST_STEPS];
  Type in[MOST_WIRES], kept[MOST_WIRES];
  size_t offset;
  list_steps(d->end, list);
  for (int i = 0; i < w->n_in; i++) {
    const int at = w->wire[i], input = -1 - at;
    kept[i] = in[i] = at >= 0 ? list[at]->type :
                      input < d->n_in ? d->in[input].t.type : w->fresh[input - d->n_in].t.type;
  }
  s->type = TYPE_UNKNOWN;
  if (op_infer(s->op, s->params, in, w->n_in, &s->type, 1) != OK || !type_known(&s->type)) return false;
  for (int i = 0; i < w->n_in; i++) if (!type_equal(&in[i], &kept[i])) return false;
  const Query q = { .op = s->op, .params = s->params->fields, .n_in = w->n_in, .n_out = 1, .train = d->train,
                    .no_gradient = !d->recording, .in_type = in, .out_type = &s->type };
  if (op_effects(&q) || op_unused(&q, 0)) return false;
  const bool view = s->op->view && s->op->view(&q, &offset);
  if (view && w->wire[0] < 0) return false;
  s->family = view ? list[w->wire[0]]->family : s->place;
  return true;
}

/* A step that was not met before; NULL: the call is to run at once. */
static Step *add_step(Steps *t, Deferred *d, const Op *op, Params *params, const Wiring *w) {
  Step *from = d->end;
  if (op_outputs(op, params) != 1 || op_visible(op, params) != 1) return NULL;
  if (!has_room(t, from, op, w)) {
    if (from->place < 0) from->varying = op;
    return NULL;
  }
  Step *s = step_new(w->n_fresh);
  if (!s) return NULL;
  s->parent = from;
  s->op = op;
  s->place = from->place + 1;
  s->n_in = w->n_in;
  s->n_fresh = w->n_fresh;
  s->n_inputs = d->n_in + w->n_fresh;
  memcpy(s->wire, w->wire, (size_t)w->n_in * sizeof *w->wire);
  for (int i = 0; i < w->n_fresh; i++) s->fresh[i] = w->fresh[i].t.type;
  if (params_copy(params, &s->params) != OK || !infer_step(d, s, w)) {
    step_free(s);
    return NULL;
  }
  s->next = from->first;
  from->first = s;
  t->n_steps++;
  return s;
}

static bool widen_inputs(Deferred *d) {
  Array *wide = object_new(MOST_INPUTS * sizeof *wide);
  if (!wide) return false;
  memcpy(wide, d->in, (size_t)d->n_in * sizeof *wide);
  d->in = wide;
  d->room = MOST_INPUTS;
  return true;
}

static void take_inputs(Deferred *d, const Wiring *w) {
  if (d->n_in == 0) {
    Deferring *all = d->among;
    d->next = all->first;
    d->link = &all->first;
    if (d->next) d->next->link = &d->next;
    all->first = d;
  }
  for (int i = 0; i < w->n_fresh; i++) {
    const Array *a = &w->fresh[i];
    d->in[d->n_in++] = (Array){ .t = tensor_share(&a->t), .node = node_retain(a->node), .index = a->index };
    a->t.storage->waiting++;
    d->taped = d->taped || a->node;
  }
}

void deferred_add(Steps *t, const Op *op, Params *params, const Operand *in, int n_in, Later *out, Type *type) {
  Wiring w;
  out->of = NULL;
  if (!params) params = op->info->defaults;
  if (n_in < 1 || n_in > MOST_WIRES || (op->view && in[0].array)) return;
  if (!steps_open(t)) close_open(t);
  if (!t->open && !(t->open = deferred_new(t))) return;
  Deferred *d = t->open;
  if (d->end->place + 1 == MOST_STEPS || !find_wires(d, in, n_in, &w)) return;
  if (d->n_in + w.n_fresh > d->room && !widen_inputs(d)) return;
  Step *s = find_step(d->end, op, params, &w);
  if (!s && !(s = add_step(t, d, op, params, &w))) return;
  if (is_short(t, s)) return;
  if (w.n_fresh > 0) take_inputs(d, &w);
  d->end = s;
  d->waiting |= BIT(s->place);
  *out = (Later){ deferred_retain(d), s->place };
  *type = s->type;
}

Origin *deferred_origin(Later l) {
  Step *s = l.of->end;
  while (s->place > l.at) s = s->parent;
  return &s->origin;
}

/* ---- Running -------------------------------------------------------------------------------------------- */

/* With the steps that `want` is made of. */
static uint64_t needed(const Step *const *list, int n, uint64_t want) {
  for (int i = n - 1; i >= 0; i--)
    for (int k = 0; want & BIT(i) && k < list[i]->n_in; k++) if (list[i]->wire[k] >= 0) want |= BIT(list[i]->wire[k]);
  return want;
}

/* The modes and the block call in which its calls were made; to be put back. */
typedef struct Before { Mode mode; Scope *scope; } Before;

static Before enter_modes(const Deferred *d) {
  const Before before = { mode_now, scope_now };
  mode_now.recording = d->recording;
  mode_now.train = d->train;
  mode_now.notes = NULL;
  mode_now.origin = d->end->origin;
  scope_now = d->scope;
  return before;
}

static void leave_modes(Before before) {
  mode_now = before.mode;
  scope_now = before.scope;
}

static Status run_step(const Deferred *d, const Step *s, Array *value) {
  Array *in[MOST_WIRES];
  for (int k = 0; k < s->n_in; k++) in[k] = s->wire[k] >= 0 ? &value[s->wire[k]] : &d->in[-1 - s->wire[k]];
  mode_now.origin = s->origin;
  return eager_call(s->op, s->params, in, s->n_in, d->device, &value[s->place]);
}

/* Computes the values of `want` as eager code does, in their order into out[]; on failure none. */
static Status run_steps(const Deferred *d, uint64_t want, Array *out) {
  const Step *list[MOST_STEPS];
  const int n = d->end->place + 1;
  Array value[MOST_STEPS];
  int last[MOST_STEPS];
  Status s = OK;
  list_steps(d->end, list);
  const uint64_t need = needed(list, n, want);
  for (int i = 0; i < n; i++) {
    value[i].t.storage = NULL;
    value[i].node = NULL;
    for (int k = 0; need & BIT(i) && k < list[i]->n_in; k++) if (list[i]->wire[k] >= 0) last[list[i]->wire[k]] = i;
  }
  for (int i = 0; i < n && s == OK; i++) {
    if (!(need & BIT(i))) continue;
    s = run_step(d, list[i], value);
    for (int k = 0; k < list[i]->n_in && s == OK; k++) {
      const int from = list[i]->wire[k];
      if (from >= 0 && last[from] == i && !(want & BIT(from))) array_release(&value[from]);
    }
  }
  for (int i = 0, k = 0; i < n; i++) {
    if (s != OK) array_release(&value[i]);
    else if (want & BIT(i)) out[k++] = value[i];
  }
  return s;
}

/* What lies in the memory of these values is asked for with them. */
static uint64_t with_families(const Step *end, uint64_t want) {
  uint64_t families = 0, all = 0;
  if (HL_FAULT_IS(views)) return want;
  for (const Step *s = end; s->place >= 0; s = s->parent) if (want & BIT(s->place)) families |= BIT(s->family);
  for (const Step *s = end; s->place >= 0; s = s->parent) if (families & BIT(s->family)) all |= BIT(s->place);
  return all;
}

/* The piece's graph, with these outputs in their order. */
static Status make_graph(const Step *end, uint64_t outputs, Node **input, Node **node, Entry *out, int *n_out) {
  const Step *list[MOST_STEPS];
  Status s = OK;
  int n_inputs = 0;
  list_steps(end, list);
  *n_out = 0;
  for (int i = 0; i <= end->place && s == OK; i++) {
    const Step *step = list[i];
    Entry in[MOST_WIRES];
    for (int k = 0; k < step->n_fresh && s == OK; k++) {
      char name[16];
      snprintf(name, sizeof name, "in%d", n_inputs);
      s = node_variable(name, &step->fresh[k], &input[n_inputs]);
      n_inputs += s == OK;
    }
    if (s != OK) break;
    for (int k = 0; k < step->n_in; k++)
      in[k] = (Entry){ step->wire[k] >= 0 ? node[step->wire[k]] : input[-1 - step->wire[k]], 0 };
    s = node_new(step->op, step->params, in, step->n_in, 1, &node[i]);
    if (s != OK) break;
    node[i]->origin = step->origin;
    if (outputs & BIT(i)) out[(*n_out)++] = (Entry){ node[i], 0 };
  }
  return s;
}

/* Its nodes are in no block call: where a call of it is taken apart they are in that which it is in. */
static Status make_program(const Steps *t, Step *end, uint64_t outputs) {
  Node *input[MOST_INPUTS] = { NULL }, *node[MOST_STEPS] = { NULL };
  Entry out[MOST_STEPS];
  Compiled *c = NULL;
  int n_out;
  enum { MOST_PLANS = 8 };               /* types are always the same, only modes differ, and what is on the tape */
  Scope *scope = scope_now;
  scope_now = NULL;
  Status s = make_graph(end, outputs, input, node, out, &n_out);
  if (s == OK) s = compiled_new(t->name, out, n_out, input, end->n_inputs, NULL, MOST_PLANS, &c);
  scope_now = scope;
  for (int i = 0; i < MOST_INPUTS; i++) node_release(input[i]);
  for (int i = 0; i < MOST_STEPS; i++) node_release(node[i]);
  TRY(s);
  compiled_release(end->compiled);
  end->compiled = c;
  end->outputs = outputs;
  return OK;
}

static Status run_program(Deferred *d, Array *value) {
  Array *in[MOST_INPUTS];
  for (int i = 0; i < d->n_in; i++) in[i] = &d->in[i];
  return compiled_call(d->end->compiled, in, d->device, value);
}

static Status list_piece(Steps *t, Step *end) {
  if (end->listed) return OK;
  Step **wide = object_widen(t->piece, t->n_pieces + 1, &t->room, sizeof *wide);
  if (!wide) return no_memory("piece");
  t->piece = wide;
  t->piece[t->n_pieces++] = end;
  end->listed = true;
  return OK;
}

/* Room for the values at these places. */
static Array *make_room(Deferred *d, uint64_t places) {
  const int n = __builtin_popcountll(places);
  return n <= FEW ? d->few_value : object_new((size_t)n * sizeof *d->value);
}

/* Has the values at these places, in their order in value[]; what nobody waits for goes. */
static void take_values(Deferred *d, uint64_t places, Array *value) {
  int k = 0;
  d->value = value;
  d->known = places;
  d->ran = true;
  for (int i = 0; i <= d->end->place; i++) {
    if (!(places & BIT(i))) continue;
    if (!(d->waiting & BIT(i))) array_release(&value[k]);
    k++;
  }
  if (missing(d) == 0) let_inputs_go(d);
}

/* Runs all that waits: by the piece's program, or step by step. */
static Status run_by(Deferred *d, bool program) {
  const uint64_t places = program ? d->end->outputs : d->waiting;
  Array *value = make_room(d, places);
  if (!value) return no_memory("piece");
  const bool recorded = d->among->recorded == d;
  if (recorded) d->among->recorded = NULL;
  const Before before = enter_modes(d);
  Status s = program ? run_program(d, value) : run_steps(d, places, value);
  leave_modes(before);
  if (recorded && s != OK) d->among->recorded = d;
  if (s == OK) take_values(d, places, value);
  else if (value != d->few_value) object_free(value);
  return s;
}

/* Its values will be computed should anybody ask. */
static void run_nothing(Deferred *d) {
  if (d->among->recorded == d) d->among->recorded = NULL;
  d->ran = true;
}

static Status run(Deferred *d) {
  Step *end = d->end;
  const bool program = end->runs > 0 && end->place + 1 >= LEAST_COMPILED;
  const uint64_t all = ~0ull >> (63 - end->place), outputs = d->taped ? all : with_families(end, end->used);
  if (program && outputs == 0) { run_nothing(d); return OK; }
  if (program && (!end->compiled || outputs & ~end->outputs)) TRY(make_program(d->steps, end, outputs | end->outputs));
  TRY(list_piece(d->steps, end));
  TRY(run_by(d, program));
  end->runs++;
  note_length(end);
  return OK;
}

/* Computes the values that wait and that the program did not give. */
static Status run_missing(Deferred *d) {
  Array more[MOST_STEPS];
  const uint64_t want = missing(d), all = d->known | want;
  Array *value = object_new((size_t)__builtin_popcountll(all) * sizeof *value);
  if (!value) return no_memory("piece");
  const Before before = enter_modes(d);
  Status s = run_steps(d, want, more);
  leave_modes(before);
  if (s != OK) { object_free(value); return s; }
  for (int i = 0, k = 0, m = 0; i <= d->end->place; i++)
    if (all & BIT(i)) value[k++] = want & BIT(i) ? more[m++] : *value_at(d, i);
  if (d->value != d->few_value) object_free(d->value);
  take_values(d, all, value);
  return OK;
}

Status deferred_value(Later l, Array *out) {
  Deferred *d = l.of;
  d->end->used |= BIT(l.at);
  if (!d->ran) TRY(run(d));
  if (!(d->known & BIT(l.at))) TRY(run_missing(d));
  const Array *a = value_at(d, l.at);
  *out = (Array){ .t = tensor_share(&a->t), .node = node_retain(a->node), .index = a->index };
  return OK;
}

void deferred_given(Later l) { l.of->end->used |= BIT(l.at); }

Status steps_run(Steps *s) {
  Deferred *d = s->open;
  if (d && !d->ran && d->waiting && (d->taped || d->end->runs == 0 || d->end->used & d->waiting)) {
    deferred_retain(d);
    Status status = run(d);
    deferred_release(d);
    TRY(status);
  }
  steps_end(s);
  return OK;
}

/* Before a write into an input. What is not expected to be asked for, garbage mostly, keeps a copy. */
static Status settle(Deferred *d, const Storage *storage) {
  if (!d->ran) TRY(run(d));
  for (int i = 0; i < d->n_in; i++) {
    Tensor *in = &d->in[i].t, copy;
    if (in->storage != storage) continue;
    TRY(tensor_copy(in, tensor_device(in), &copy));
    in->storage->waiting--;
    tensor_release(in);
    *in = copy;
    copy.storage->waiting++;
  }
  return OK;
}

Status deferred_record_now(void) {
  Deferred *d = deferring()->recorded;
  if (HL_FAULT_IS(order)) return OK;
  if (d->waiting == 0) {                   /* and nothing is to go into it that would then be out of its place */
    d->among->recorded = NULL;
    if (d->steps->open == d) close_open(d->steps);
    return OK;
  }
  deferred_retain(d);
  Status s = run(d);
  deferred_release(d);
  return s;
}

Status deferred_settle(const Storage *storage) {
  if (HL_FAULT_IS(written)) return OK;
  for (Deferred *d = deferring()->first, *next; d; d = next) {
    next = d->next;
    bool reads = false;
    for (int i = 0; i < d->n_in; i++) reads = reads || d->in[i].t.storage == storage;
    if (reads) TRY(settle(d, storage));
  }
  return OK;
}

/* ---- For explain ------------------------------------------------------------------------------------------ */

int steps_pieces(const Steps *s) { return s->n_pieces; }

void steps_piece(const Steps *s, int i, PieceView *out) {
  const Step *end = s->piece[i], *list[MOST_STEPS];
  list_steps(end, list);
  *out = (PieceView){ .n = end->place + 1, .runs = end->runs, .compiled = end->compiled };
  for (int k = 0; k < out->n; k++) {
    out->op[k] = list[k]->op;
    out->origin[k] = list[k]->origin;
  }
}
