/* param_text.c - parameter values as text, in the format of MXNet 1.9.1 (dmlc::Parameter and mxnet::Tuple): "(2, 3)",
** "[2,3]", "2", "None", "True", "true", "1", "0.5f".
*/
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/nearest_word.h"
#include "ir/op.h"

/* `word` without surrounding spaces, as (start, length). */
static const char *stripped(const char *word, size_t *length) {
  while (isspace((unsigned char)*word)) word++;
  size_t n = strlen(word);
  while (n > 0 && isspace((unsigned char)word[n - 1])) n--;
  *length = n;
  return word;
}

static bool read_int(const char *from, const char *end, int64_t *out) {
  char *stop;
  errno = 0;
  long long value = strtoll(from, &stop, 10);
  if (stop == from || stop != end || errno) return false;
  *out = value;
  return true;
}

static bool read_float(const char *from, const char *end, double *out) {
  char *stop;
  double value = strtod(from, &stop);
  if (stop == from) return false;
  if (stop + 1 == end && *stop == 'f') stop++;
  if (stop != end) return false;
  if (isinf(value) && !memchr(from, 'n', (size_t)(end - from))) return false;   /* 1e400; "inf" has an n */
  *out = value;
  return true;
}

static bool read_bool(const char *from, size_t n, int64_t *out) {
  static const char *const words[] = { "0", "1", "false", "true" };
  for (int i = 0; i < 4; i++) {
    if (strlen(words[i]) != n || strncasecmp(from, words[i], n) != 0) continue;
    *out = i % 2;
    return true;
  }
  return false;
}

static bool is_none(const char *from, size_t n) { return n == 4 && memcmp(from, "None", 4) == 0; }

/* Reads an item of a tuple: a number (an int may end in L), or None, which becomes NaN. */
static bool read_item(const char *from, const char *end, bool floats, double *out) {
  while (from < end && isspace((unsigned char)*from)) from++;
  while (end > from && isspace((unsigned char)end[-1])) end--;
  int64_t i;
  if (is_none(from, (size_t)(end - from))) {
    *out = NAN;
    return true;
  }
  if (floats) return read_float(from, end, out);
  if (end > from && end[-1] == 'L') end--;
  if (!read_int(from, end, &i)) return false;
  *out = (double)i;
  return true;
}

/* Reads a tuple such as "(1, 2)", or one number; *count < 0 for other texts. */
static void read_tuple(const char *from, size_t n, bool floats, double *values, int *count) {
  const char *end = from + n;
  *count = -1;
  if (n == 0) return;
  if (*from != '(' && *from != '[') {
    if (read_item(from, end, floats, &values[0]) && !isnan(values[0])) *count = 1;
    return;
  }
  if (end[-1] != (*from == '(' ? ')' : ']')) return;
  from++, end--;
  int found = 0;
  while (from < end) {
    const char *comma = memchr(from, ',', (size_t)(end - from)), *stop = comma ? comma : end;
    const char *blank = from;
    while (blank < stop && isspace((unsigned char)*blank)) blank++;
    if (blank == stop && !comma) break;                 /* after a trailing comma, or "( )" */
    if (found == MAX_LIST || !read_item(from, stop, floats, &values[found])) return;
    found++;
    from = comma ? comma + 1 : end;
  }
  *count = found;
}

int params_read_ints(const char *text, int64_t *values) {
  double items[MAX_LIST];
  size_t n;
  int count;
  const char *from = stripped(text, &n);
  read_tuple(from, n, false, items, &count);
  for (int i = 0; i < count; i++) {
    if (isnan(items[i])) return -1;          /* None */
    values[i] = (int64_t)items[i];
  }
  return count;
}

static Status wrong_text(const Params *p, int index, const char *text) {
  const Param *param = &p->op->info->param[index];
  fail("%s: %s: expected %s, got '%.200s'", p->op->name, param->name, param_expected(param), text);
  NearestWord n = { .word = text };
  for (int c = 0; param->choice && param->choice[c]; c++) nearest_offer(&n, param->choice[c], param->choice[c]);
  const char *near = nearest_found(&n);
  if (near) fail_append(E_INPUT, "; did you mean '%s'?", near);
  if (param->kind == P_DTYPE) fail_append(E_INPUT, "%s", dtype_advice(text));
  return E_INPUT;
}

static Status set_choice(Params *p, int index, const char *word, size_t n) {
  const Param *param = &p->op->info->param[index];
  for (int64_t c = 0; param->choice[c]; c++) {
    if (strlen(param->choice[c]) != n || memcmp(param->choice[c], word, n) != 0) continue;
    *(int64_t *)((char *)p->fields + param->offset) = c;
    return OK;
  }
  return wrong_text(p, index, word);
}

static Status set_string(Params *p, int index, const char *text) {
  char *copy = object_text(text);
  TRY(params_own(p, copy));
  *(const char **)((char *)p->fields + p->op->info->param[index].offset) = copy;
  return OK;
}

static Status set_key(Params *p, int index, const char *text) {
  Key key;
  return key_read(text, &key) ? params_set_key(p, index, &key) : wrong_text(p, index, text);
}

static Status set_from_text(Params *p, int index, const char *text) {
  const Param *param = &p->op->info->param[index];
  void *field = (char *)p->fields + param->offset;
  size_t n;
  const char *from = stripped(text, &n);
  double values[MAX_LIST];
  int count;
  if (is_none(from, n) && (param->optional || param->kind == P_SHAPE)) return params_set_none(p, index);
  switch (param->kind) {
    case P_INT: return read_int(from, from + n, field) ? OK : wrong_text(p, index, text);
    case P_FLOAT: return read_float(from, from + n, field) ? OK : wrong_text(p, index, text);
    case P_BOOL: return read_bool(from, n, field) ? OK : wrong_text(p, index, text);
    case P_CHOICE: return set_choice(p, index, from, n);
    case P_STRING: return set_string(p, index, text);
    case P_OBJECT: return wrong_text(p, index, text);
    case P_KEY: return set_key(p, index, text);
    case P_DTYPE: {
      DType t = dtype_from_name(from, n);
      *(int64_t *)field = t;
      return t == DT_UNKNOWN ? wrong_text(p, index, text) : OK;
    }
    default:
      read_tuple(from, n, param->kind == P_FLOATS, values, &count);
      return count < 0 ? wrong_text(p, index, text) : params_set_list(p, index, values, count);
  }
}

Status params_set_text(Params *p, int index, const char *text) {
  TRY(set_from_text(p, index, text));
  if (!p->text) p->text = object_new((size_t)p->op->info->n_params * sizeof *p->text);
  char *copy = p->text ? object_text(text) : NULL;
  if (!copy) return no_memory("operator parameters");
  object_free(p->text[index]);
  p->text[index] = copy;
  params_mark_given(p, index);
  return OK;
}

/* Prints a float like Python's repr, with the fewest digits that read back: "2.0", "1e-05". */
static void print_float(Text *out, double x) {
  char text[40];
  if (isnan(x)) {
    text_put(out, "nan");
    return;
  }
  if (isinf(x)) {
    text_put(out, x < 0 ? "-inf" : "inf");
    return;
  }
  int p = 1;
  do snprintf(text, sizeof text, "%.*e", p - 1, x);
  while (strtod(text, NULL) != x && ++p <= 17);
  int exponent = atoi(strchr(text, 'e') + 1);
  if (exponent >= 16 || exponent < -4) {
    char *e = strchr(text, 'e');
    text_format(out, "%.*se%c%02d", (int)(e - text), text, exponent < 0 ? '-' : '+', abs(exponent));
    return;
  }
  int after = p - 1 - exponent;
  text_format(out, "%.*f%s", after > 0 ? after : 0, x, after > 0 ? "" : ".0");
}

static void print_list(Text *out, const List *l, bool floats) {
  text_put(out, "(");
  for (int64_t i = 0; i < l->count; i++) {
    if (i > 0) text_put(out, ", ");
    if (floats) print_float(out, list_floats(l)[i]);
    else if (list_ints(l)[i] == NONE) text_put(out, "None");
    else text_format(out, "%lld", (long long)list_ints(l)[i]);
  }
  text_put(out, l->count == 1 ? ",)" : ")");
}

Status params_print(const Params *p, int index, Text *out) {
  const Param *param = &p->op->info->param[index];
  const void *field = (const char *)p->fields + param->offset;
  int64_t i = *(const int64_t *)field;
  if (p->text && p->text[index]) {
    text_put(out, p->text[index]);
    return text_status(out);
  }
  switch (param->kind) {
    case P_BOOL: text_put(out, i == NONE ? "None" : i ? "True" : "False"); break;
    case P_INT:
      if (i == NONE) text_put(out, "None");
      else text_format(out, "%lld", (long long)i);
      break;
    case P_FLOAT:
      if (param->optional && isnan(*(const double *)field)) text_put(out, "None");
      else print_float(out, *(const double *)field);
      break;
    case P_DTYPE: text_put(out, i == DT_UNKNOWN ? "None" : dtype_name((DType)i)); break;
    case P_CHOICE: text_put(out, i == NONE ? "None" : param->choice[i]); break;
    case P_OBJECT: {
      const void *object = *(void *const *)field;
      if (!object || !p->op->object->print) text_put(out, object ? p->op->object->name : "None");
      else TRY(p->op->object->print(object, out));
      break;
    }
    case P_STRING: text_put(out, *(const char *const *)field ? *(const char *const *)field : "None"); break;
    case P_KEY: key_print(*(const Key *const *)field, out); break;
    default:
      if (((const List *)field)->count < 0) text_put(out, "None");
      else print_list(out, field, param->kind == P_FLOATS);
  }
  return text_status(out);
}
