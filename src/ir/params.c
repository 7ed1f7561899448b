/* params.c - parameter sets: their life, setting values, comparing and hashing. param_spec.c parses the rows' texts,
** and param_text.c reads and prints MXNet's value texts.
**
** Invariant: `fields` never points into another Params. Long lists and strings are copied into `owned`, and each object
** field owns a reference.
*/
#include "ir/params.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "ir/op.h"

static size_t fields_size(const Op *op) { return op->params_size ? op->params_size : sizeof(uint64_t); }

static Status params_blank(const Op *op, Params **out) {
  Params *p = object_new(sizeof *p + fields_size(op));
  if (!p) return no_memory("operator parameters");
  p->refs = 1;
  p->op = op;
  *out = p;
  return OK;
}

Status params_own(Params *p, void *copy) {
  void **owned = copy ? object_resize(p->owned, (size_t)(p->n_owned + 1) * sizeof *owned) : NULL;
  if (!owned) {
    object_free(copy);
    return no_memory("operator parameters");
  }
  p->owned = owned;
  owned[p->n_owned++] = copy;
  return OK;
}

static void *field(const Params *p, int index) {
  HL_ASSERT(index >= 0 && index < p->op->info->n_params);
  return (char *)p->fields + p->op->info->param[index].offset;
}

static void *retain_object(const Op *op, void *object) { return object ? op->object->retain(object) : NULL; }

static void retain_objects(Params *p) {
  for (int i = 0; p->op->object && i < p->op->info->n_params; i++) {
    void **object = field(p, i);
    if (p->op->info->param[i].kind == P_OBJECT) *object = retain_object(p->op, *object);
  }
}

static void release_objects(Params *p) {
  for (int i = 0; p->op->object && i < p->op->info->n_params; i++) {
    void **object = field(p, i);
    if (p->op->info->param[i].kind == P_OBJECT && *object) p->op->object->release(*object);
  }
}

/* Makes a copy that p owns; NULL if memory ran out. */
static void *own_copy(Params *p, const void *of, size_t bytes) {
  void *copy = object_new(bytes);
  if (copy) memcpy(copy, of, bytes);
  return params_own(p, copy) == OK ? copy : NULL;
}

static Status own_key(Params *p, const Key **at) {
  *at = own_copy(p, *at, key_bytes(*at));
  return *at ? OK : E_MEMORY;
}

static Status own_lists(Params *p) {
  for (int i = 0; i < p->op->info->n_params; i++) {
    const Param *param = &p->op->info->param[i];
    if (param->kind == P_KEY) {
      const Key **key = field(p, i);
      if (*key) TRY(own_key(p, key));
    } else if (param->kind == P_STRING) {
      const char **s = field(p, i);
      if (*s && !(*s = own_copy(p, *s, strlen(*s) + 1))) return E_MEMORY;
    } else if (param->kind == P_SHAPE || param->kind == P_FLOATS) {
      List *l = field(p, i);
      if (l->count <= MAX_DIMS) continue;
      l->u.many_i = own_copy(p, l->u.many_i, (size_t)l->count * sizeof(int64_t));
      if (!l->u.many_i) return E_MEMORY;
    }
  }
  return OK;
}

Status params_from(const Op *op, const void *fields, Params **out) {
  Params *p = NULL;
  TRY(params_blank(op, &p));
  memcpy(p->fields, fields ? fields : op->info->defaults->fields, fields_size(op));
  p->given = op->info->n_params >= 32 ? UINT32_MAX : (1u << op->info->n_params) - 1;
  retain_objects(p);
  Status s = own_lists(p);
  if (s != OK) {
    params_release(p);
    return s;
  }
  *out = p;
  return OK;
}

Status params_new(const Op *op, Params **out) {
  TRY(params_from(op, op->info && op->info->defaults ? op->info->defaults->fields : (uint64_t[64]){ 0 }, out));
  (*out)->given = 0;
  return OK;
}

static Status copy_texts(Params *p, char *const *text) {
  const int n = p->op->info->n_params;
  p->text = object_new((size_t)n * sizeof *p->text);
  if (!p->text) return no_memory("operator parameters");
  for (int i = 0; i < n; i++)
    if (text[i] && !(p->text[i] = object_text(text[i]))) return no_memory("operator parameters");
  return OK;
}

Status params_copy(const Params *from, Params **out) {
  Params *p;
  TRY(params_from(from->op, from->fields, &p));
  p->given = from->given;
  Status s = from->text ? copy_texts(p, from->text) : OK;
  if (s == OK) *out = p;
  else params_release(p);
  return s;
}

Params *params_within(ParamsBuffer *buffer, const Op *op) {
  Params *p = &buffer->params;
  *p = (Params){ .refs = 1, .op = op };
  memcpy(p->fields, op->info->defaults->fields, fields_size(op));
  return p;
}

Params *params_retain(Params *p) {
  if (p) __atomic_fetch_add(&p->refs, 1, __ATOMIC_RELAXED);
  return p;
}

void params_release(Params *p) {
  if (!p || __atomic_sub_fetch(&p->refs, 1, __ATOMIC_ACQ_REL) > 0) return;
  if (p->text)
    for (int i = 0; i < p->op->info->n_params; i++) object_free(p->text[i]);
  object_free(p->text);
  for (int i = 0; i < p->n_owned; i++) object_free(p->owned[i]);
  object_free(p->owned);
  release_objects(p);
  object_free(p);
}

void params_mark_given(Params *p, int index) {
  if (!param_inner(&p->op->info->param[index])) p->given |= 1u << index;
  p->hash = 0;
}

const char *param_expected(const Param *param) {
  static _Thread_local char text[160];
  if (param->kind == P_DTYPE) return "dtype " DTYPE_NAMES;
  if (param->kind == P_SHAPE) return "shape (integers, such as {2, 3})";
  if (param->kind == P_FLOATS) return "numbers, such as {0.5, 1}";
  if (param->kind == P_KEY) return "key (the text in brackets, such as \"1:3, ::2\")";
  snprintf(text, sizeof text, "%s", param->type_text);
  if (param->optional) text[strcspn(text, "?")] = '\0';
  return text;
}

static Status wrong_kind(const Params *p, int index, const char *got) {
  const Param *param = &p->op->info->param[index];
  return fail("%s: %s: expected %s, got %s", p->op->name, param->name, param_expected(param), got);
}

static const char *number_text(double value) {
  static _Thread_local char text[32];
  snprintf(text, sizeof text, "%.14g", value);
  return text;
}

Status params_set_int(Params *p, int index, int64_t value) {
  const Param *param = &p->op->info->param[index];
  switch (param->kind) {
    case P_INT: *(int64_t *)field(p, index) = value; break;
    case P_FLOAT:
      *(double *)field(p, index) = (double)value;
      if (p->op->flags & OP_FILLS && rounds_in_float32(value)) p->rounded = value;
      break;
    case P_BOOL:
      if (value != 0 && value != 1) return wrong_kind(p, index, number_text((double)value));
      *(int64_t *)field(p, index) = value;
      break;
    case P_SHAPE: *(List *)field(p, index) = (List){ .count = 1, .u.i = { value } }; break;
    case P_FLOATS: *(List *)field(p, index) = (List){ .count = 1, .u.f = { (double)value } }; break;
    default: return wrong_kind(p, index, number_text((double)value));
  }
  params_mark_given(p, index);
  return OK;
}

Status params_set_float(Params *p, int index, double value) {
  const Param *param = &p->op->info->param[index];
  if (param->kind == P_FLOAT) *(double *)field(p, index) = value;
  else if (param->kind == P_FLOATS) *(List *)field(p, index) = (List){ .count = 1, .u.f = { value } };
  else if (value == floor(value) && fabs(value) < 0x1p62) return params_set_int(p, index, (int64_t)value);
  else return wrong_kind(p, index, number_text(value));
  params_mark_given(p, index);
  return OK;
}

Status params_set_bool(Params *p, int index, bool value) {
  if (p->op->info->param[index].kind != P_BOOL) return wrong_kind(p, index, value ? "true" : "false");
  *(int64_t *)field(p, index) = value;
  params_mark_given(p, index);
  return OK;
}

Status params_set_none(Params *p, int index) {
  const Param *param = &p->op->info->param[index];
  if (!param->optional && param->kind != P_SHAPE) return wrong_kind(p, index, "None");
  switch (param->kind) {
    case P_INT:
    case P_BOOL:
    case P_CHOICE: *(int64_t *)field(p, index) = NONE; break;
    case P_FLOAT: *(double *)field(p, index) = NAN; break;
    case P_SHAPE:
    case P_FLOATS: ((List *)field(p, index))->count = -1; break;
    case P_DTYPE: *(int64_t *)field(p, index) = DT_UNKNOWN; break;
    case P_STRING: *(const char **)field(p, index) = NULL; break;
    case P_OBJECT: params_set_object(p, index, NULL); break;
    case P_KEY: return wrong_kind(p, index, "None");
  }
  params_mark_given(p, index);
  return OK;
}

void params_set_object(Params *p, int index, void *object) {
  void **at = field(p, index), *before = *at;
  *at = retain_object(p->op, object);
  if (before) p->op->object->release(before);
  params_mark_given(p, index);
}

Status params_set_list(Params *p, int index, const double *values, int count) {
  const Param *param = &p->op->info->param[index];
  if (param->kind != P_SHAPE && param->kind != P_FLOATS) return wrong_kind(p, index, "a table");
  List list = { .count = count };
  int64_t *to = list.u.i;
  if (count > MAX_DIMS) {
    to = object_new((size_t)count * sizeof *to);
    TRY(params_own(p, to));
    list.u.many_i = to;
  }
  for (int i = 0; i < count; i++) {
    if (param->kind == P_FLOATS) memcpy(&to[i], &values[i], sizeof *to);
    else if (isnan(values[i])) to[i] = NONE;
    else if (values[i] != floor(values[i]) || fabs(values[i]) >= 0x1p62)
      return wrong_kind(p, index, number_text(values[i]));
    else to[i] = (int64_t)values[i];
  }
  *(List *)field(p, index) = list;
  params_mark_given(p, index);
  return OK;
}

void params_lend_key(Params *p, int index, const Key *key) {
  *(const Key **)field(p, index) = key;
  params_mark_given(p, index);
}

Status params_set_key(Params *p, int index, const Key *key) {
  TRY(own_key(p, &key));
  params_lend_key(p, index, key);
  return OK;
}

/* Does the row compute numbers of inputs or outputs, which are C ints, from parameters? */
static bool counts(const Op *op) { return op->n_inputs || op->n_outputs || op->n_visible || op->info->count >= 0; }

/* Checks an integer parameter of such a row. The number of operands must be at least 1. */
static Status check_integer(const Params *p, int index) {
  enum { MOST = UINT16_MAX };                    /* a node counts its outputs in 16 bits */
  int64_t value = *(const int64_t *)field(p, index), least = INT32_MIN, most = INT32_MAX;
  if (value == NONE && p->op->info->param[index].optional) return OK;
  if (index == p->op->info->count) {
    least = 1;
    most = MOST;
  }
  if (value >= least && value <= most) return OK;
  return fail("%s: %s: expected %s%lld%s, got %lld", p->op->name, p->op->info->param[index].name,
              value < least ? "" : "at most ", (long long)(value < least ? least : most),
              value < least ? " or more" : "", (long long)value);
}

Status params_complete(const Params *p) {
  const OpInfo *info = p->op->info;
  const bool counting = counts(p->op);
  for (int i = 0; i < info->n_params; i++) {
    const Param *param = &info->param[i];
    if (!param->default_text && !param_given(p, i))
      return fail("%s: %s: expected %s (a required parameter), got nothing", p->op->name, param->name,
                  param_expected(param));
    if (counting && param->kind == P_INT) TRY(check_integer(p, i));
  }
  return OK;
}

int param_index(const Op *op, const char *name) {
  for (int i = 0; i < op->info->n_params; i++)
    if (op->info->param[i].name[0] == name[0] && strcmp(op->info->param[i].name, name) == 0) return i;
  return -1;
}

/* Compares by kind, since a struct's bytes alone do not determine equality. */
static bool field_equal(const Params *a, const Params *b, int index) {
  const void *x = field(a, index), *y = field(b, index);
  switch (a->op->info->param[index].kind) {
    case P_STRING: {
      const char *s = *(const char *const *)x, *t = *(const char *const *)y;
      return s == t || (s && t && strcmp(s, t) == 0);
    }
    case P_SHAPE:
    case P_FLOATS: {
      const List *l = x, *m = y;
      return l->count == m->count && (l->count <= 0 || memcmp(list_ints(l), list_ints(m), (size_t)l->count * 8) == 0);
    }
    case P_OBJECT: {
      const void *s = *(void *const *)x, *t = *(void *const *)y;
      return s == t || (s && t && a->op->object->equal && a->op->object->equal(s, t));
    }
    case P_KEY: {
      const Key *k = *(const Key *const *)x, *l = *(const Key *const *)y;
      return k == l || (k && l && key_equal(k, l));
    }
    default: return memcmp(x, y, 8) == 0;
  }
}

bool params_is_default(const Params *p, int index) {
  return p->op->info->param[index].default_text && field_equal(p, p->op->info->defaults, index);
}

bool params_equal(const Params *a, const Params *b) {
  if (a == b) return true;
  if (!a || !b || a->op != b->op) return false;
  for (int i = 0; i < a->op->info->n_params; i++)
    if (!field_equal(a, b, i)) return false;
  return true;
}

static uint64_t hash_bytes(uint64_t h, const void *bytes, size_t n) {
  const unsigned char *b = bytes;
  for (size_t i = 0; i < n; i++) h = (h ^ b[i]) * 0x100000001B3u;
  return h;
}

static uint64_t hash_key(uint64_t h, const Key *key) {
  for (int i = 0; i < key->n; i++) {
    const KeyPart *part = &key->part[i];
    int64_t words[] = { part->kind, part->begin, part->end, part->step };
    h = hash_bytes(h, words, sizeof words);
  }
  return h;
}

uint64_t params_hash(Params *p) {
  if (p->hash) return p->hash;
  uint64_t h = 0xCBF29CE484222325u;
  for (int i = 0; i < p->op->info->n_params; i++) {
    const void *x = field(p, i);
    ParamKind kind = p->op->info->param[i].kind;
    if (kind == P_STRING) {
      const char *s = *(const char *const *)x;
      h = hash_bytes(h, s ? s : "", s ? strlen(s) + 1 : 1);
    } else if (kind == P_SHAPE || kind == P_FLOATS) {
      const List *l = x;
      h = hash_bytes(h, &l->count, 8);
      if (l->count > 0) h = hash_bytes(h, list_ints(l), (size_t)l->count * 8);
    } else if (kind == P_OBJECT && p->op->object->hash && *(void *const *)x) {
      uint64_t own = p->op->object->hash(*(void *const *)x);
      h = hash_bytes(h, &own, 8);
    } else if (kind == P_KEY) {
      h = hash_key(h, *(const Key *const *)x);
    } else {
      h = hash_bytes(h, x, 8);
    }
  }
  return p->hash = h ? h : 1;
}

Shape list_shape(const List *l) { return shape_of((int)l->count, list_ints(l)); }
