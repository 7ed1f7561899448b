/* index_portable.c - see index_portable.h.
**
** Neighbouring slices become one `slice`, a single index becomes a `slice_axis`, and one `squeeze` drops the axes of
** single indices. Each new axis is an `expand_dims`. One index array is a `take`. Several are cast to int64, broadcast
** and stacked as the indices of a `gather_nd`, for which their axes move to the front. If the arrays' axes belong
** elsewhere in the result, a `transpose` moves them. Types may be known in part, so axes are given by number, and
** shapes only if known.
*/
#include "ops/index/index_portable.h"

#include <string.h>

#include "ops/common/shape_params.h"
#include "ops/common/shared_params.h"

/* The state of the conversion. "..." in the key is replaced by the axes that it covers. */
typedef struct PortableForm {
  Builder *b;
  Entry e;                                    /* the node built so far */
  KeyPart part[MOST_KEY_PARTS + MAX_DIMS];
  int n;
  const Entry *index;
  int n_arrays;
  bool zero_dims;                             /* the key's: no axis is left for one element */
} PortableForm;

static int ndim_of(Entry e) { return e.node ? entry_type(e)->shape.ndim : UNKNOWN; }

static bool is_whole(const KeyPart *p) {
  return p->kind == KEY_ARRAY || (p->begin == NONE && p->end == NONE && p->step == NONE);
}

static int count_parts(const PortableForm *f, KeyKind kind) {
  int n = 0;
  for (int i = 0; i < f->n; i++) n += f->part[i].kind == kind;
  return n;
}

/* ---- The parts ------------------------------------------------------------------------------------------ */

/* Adds the axes that the key does not list. They can be left out at the end, except with index arrays, whose axes may
** have to move past them. */
static bool add_rest(PortableForm *f, int used, bool last) {
  int ndim = ndim_of(f->e);
  if (ndim < 0) return last;
  if (last && f->n_arrays == 0) return true;
  for (int i = used; i < ndim; i++) f->part[f->n++] = KEY_WHOLE;
  return true;
}

static bool read_parts(PortableForm *f, const Key *key) {
  int used = 0;
  bool has_rest = false;
  for (int i = 0; i < key->n; i++) used += key->part[i].kind != KEY_NEW && key->part[i].kind != KEY_REST;
  for (int i = 0; i < key->n; i++) {
    if (key->part[i].kind != KEY_REST) {
      f->part[f->n++] = key->part[i];
      continue;
    }
    has_rest = true;
    if (!add_rest(f, used, i == key->n - 1)) return false;
  }
  return has_rest || add_rest(f, used, true);
}

/* ---- Slices and single indices ----------------------------------------------------------------------------- */

/* Builds one operator for the slices of the axes [first, last), none of which has a single index. */
static void build_slice(PortableForm *f, const KeyPart *axis, int first, int last) {
  SliceParams p = { { .count = last }, { .count = last }, { .count = last } };
  bool any = false;
  for (int i = 0; i < last; i++) {
    KeyPart a = i < first || is_whole(&axis[i]) ? KEY_WHOLE : axis[i];
    any = any || !is_whole(&a);
    p.begin.u.i[i] = a.begin;
    p.end.u.i[i] = a.end;
    p.step.u.i[i] = a.step;
  }
  if (any) f->e = build_op(f->b, "slice", &p, 1, f->e);
}

/* Builds everything except new axes and index arrays. */
static void build_slices(PortableForm *f) {
  KeyPart axis[MAX_DIMS];
  SqueezeParams dropped = { .axes = { .count = 0 }, .np = f->zero_dims };
  int n = 0;
  for (int i = 0; i < f->n; i++)
    if (f->part[i].kind != KEY_NEW) axis[n++] = f->part[i];
  for (int i = 0; i < n; i++) {
    int first = i;
    while (i < n && axis[i].kind != KEY_SINGLE) i++;
    build_slice(f, axis, first, i);
    if (i == n) break;
    int64_t at = axis[i].begin;
    f->e = build_op(f->b, "slice_axis", &(SliceAxisParams){ i, at, at == -1 ? NONE : at + 1 }, 1, f->e);
    dropped.axes.u.i[dropped.axes.count++] = i;
  }
  if (dropped.axes.count > 0) f->e = build_op(f->b, "squeeze", &dropped, 1, f->e);
}

/* ---- New axes ----------------------------------------------------------------------------------------------- */

static void expand(PortableForm *f, int axis) { f->e = build_op(f->b, "expand_dims", &(AxisParams){ axis }, 1, f->e); }

/* Adds the new axes after the single indices were dropped. If these were all the axes, `squeeze` has left one axis,
** which serves as the first new one. */
static void build_new(PortableForm *f, bool has_one) {
  for (int i = 0, at = 0; i < f->n; i++) {
    if (f->part[i].kind == KEY_NEW && !has_one) expand(f, at);
    if (f->part[i].kind == KEY_NEW) has_one = false;
    at += f->part[i].kind != KEY_SINGLE;
  }
}

/* Adds the new axes first, so that the result does not depend on `squeeze` leaving an axis: whether it does is unknown
** if there are only single indices and the number of axes is unknown. */
static void build_new_first(PortableForm *f) {
  for (int i = 0; i < f->n; i++) {
    if (f->part[i].kind != KEY_NEW) continue;
    expand(f, i);
    f->part[i] = KEY_WHOLE;
  }
}

static void build_basic(PortableForm *f) {
  int single = count_parts(f, KEY_SINGLE), ndim = ndim_of(f->e);
  if (!f->zero_dims && ndim < 0 && single > 0 && count_parts(f, KEY_NEW) == f->n - single) build_new_first(f);
  build_slices(f);
  build_new(f, !f->zero_dims && single > 0 && single == ndim);
}

/* ---- Index arrays --------------------------------------------------------------------------------------------- */

/* The number of axes before those of the index arrays in the result. */
static int place_of_arrays(const PortableForm *f) {
  bool chose = false, apart = false;
  int before = 0;
  for (int i = 0; i < f->n; i++) {
    bool chooses = f->part[i].kind == KEY_ARRAY || f->part[i].kind == KEY_SINGLE;
    if (chooses && apart) return 0;
    apart = apart || (chose && !chooses);
    chose = chose || chooses;
    before += !chose;
  }
  return before;
}

/* The axes of f->e that the arrays index. */
static void find_array_axes(const PortableForm *f, int *axes) {
  for (int i = 0, at = 0, k = 0; i < f->n; i++) {
    if (f->part[i].kind == KEY_ARRAY) axes[k++] = at;
    at += f->part[i].kind != KEY_SINGLE;
  }
}

static void build_transpose(PortableForm *f, const List *order) {
  bool changed = false;
  for (int i = 0; i < order->count; i++) changed = changed || order->u.i[i] != i;
  if (changed) f->e = build_op(f->b, "transpose", &(TransposeParams){ *order }, 1, f->e);
}

/* Moves n axes starting with `from` to `to`; false if the number of axes is unknown. */
static bool move_axes(PortableForm *f, int n, int from, int to) {
  int ndim = ndim_of(f->e);
  List order = { .count = 0 };
  if (from == to || n == 0) return true;
  if (ndim < 0 || n < 0) return false;
  for (int i = 0, rest = 0; i < ndim; i++) {
    if (i >= to && i < to + n) {
      order.u.i[order.count++] = from + i - to;
      continue;
    }
    if (rest == from) rest += n;
    order.u.i[order.count++] = rest++;
  }
  build_transpose(f, &order);
  return true;
}

/* Moves the axes with index arrays to the front; false if the number of axes is unknown. */
static bool gather_first(PortableForm *f, const int *axes) {
  int ndim = ndim_of(f->e);
  List order = { .count = f->n_arrays };
  bool first = true, chosen[MAX_DIMS] = { false };
  for (int i = 0; i < f->n_arrays; i++) {
    first = first && axes[i] == i;
    chosen[axes[i]] = true;
    order.u.i[i] = axes[i];
  }
  if (first) return true;
  if (ndim < 0) return false;
  for (int i = 0; i < ndim; i++)
    if (!chosen[i]) order.u.i[order.count++] = i;
  build_transpose(f, &order);
  return true;
}

/* The arrays' common shape; false if it is unknown or contains 0, which `broadcast_to` reads as "keep". */
static bool find_common(const PortableForm *f, Shape *common) {
  *common = entry_type(f->index[0])->shape;
  for (int i = 0; i < f->n_arrays; i++) {
    const Shape *s = &entry_type(f->index[i])->shape;
    if (!shape_known(s) || !shape_broadcast(common, s, common)) return false;
  }
  return shape_size(common) > 0;
}

static void give_shape(PortableForm *f, Entry *index, const Shape *common) {
  const Shape *s = &entry_type(*index)->shape;
  ReshapeParams p = { .shape = { .count = common->ndim }, .target_shape = { .count = 0 } };
  ShapeParams whole = { list_of_shape(common) };
  if (shape_equal(s, common)) return;
  for (int i = 0; i < common->ndim; i++) {
    int from = i - (common->ndim - s->ndim);
    p.shape.u.i[i] = from < 0 ? 1 : s->dim[from];
  }
  *index = build_op(f->b, "Reshape", &p, 1, *index);
  if (index->node) index->node->params->given = 1;       /* only `shape` */
  *index = build_op(f->b, "broadcast_to", &whole, 1, *index);
}

/* Broadcasts arrays of unknown shapes: adds to each the zeros of the shape of their sum. */
static void broadcast_unknown(PortableForm *f, Entry *index) {
  Entry sum = index[0];
  for (int i = 1; i < f->n_arrays; i++) sum = build_op(f->b, "broadcast_add", NULL, 2, sum, index[i]);
  Entry zeros = build_zeros_like(f->b, sum);
  for (int i = 0; i < f->n_arrays; i++) index[i] = build_op(f->b, "broadcast_add", NULL, 2, index[i], zeros);
}

static Entry build_indices(PortableForm *f) {
  Entry index[MAX_DIMS];
  Shape common;
  bool known = find_common(f, &common);
  for (int i = 0; i < f->n_arrays; i++) {
    index[i] = build_op(f->b, "Cast", &(DTypeParams){ DT_INT64 }, 1, f->index[i]);
    if (known && index[i].node) give_shape(f, &index[i], &common);
  }
  if (!known) broadcast_unknown(f, index);
  return build_op_list(f->b, "stack", &(StackParams){ 0, f->n_arrays }, f->n_arrays, index);
}

static bool take(PortableForm *f, int axis, int to) {
  int n = ndim_of(f->index[0]);
  f->e = build_op(f->b, "take", &(TakeParams){ axis, TAKE_RAISE }, 2, f->e, f->index[0]);
  return move_axes(f, n, axis, to);
}

static bool gather(PortableForm *f, const int *axes, int to) {
  if (!gather_first(f, axes)) return false;
  Entry indices = build_indices(f);
  f->e = build_op(f->b, "gather_nd", NULL, 2, f->e, indices);
  int n = ndim_of(indices);
  return move_axes(f, n < 0 ? n : n - 1, 0, to);
}

static bool build_arrays(PortableForm *f) {
  int axes[MAX_DIMS], to = place_of_arrays(f);
  find_array_axes(f, axes);
  return f->n_arrays == 1 ? take(f, axes[0], to) : gather(f, axes, to);
}

/* ---- The whole -------------------------------------------------------------------------------------------------- */

/* New axes are added before others are dropped, so there may be more axes in between than in the result. */
static bool fits_max_dims(const PortableForm *f) { return f->n <= MAX_DIMS || count_parts(f, KEY_NEW) == 0; }

Entry index_portable(Builder *b, const Key *key, const Node *n) {
  PortableForm f = { .b = b, .e = n->in[0], .index = n->in + 1, .n_arrays = n->n_in - 1, .zero_dims = key->zero_dims };
  if (!read_parts(&f, key) || !fits_max_dims(&f)) return NO_ENTRY;
  build_basic(&f);
  if (f.n_arrays > 0 && !build_arrays(&f)) return NO_ENTRY;
  if (n->name && b->n_made == 0) f.e = build_op(b, "_copy", NULL, 1, f.e);
  return f.e;
}
