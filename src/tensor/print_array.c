/* print_array.c - NumPy's array2string, written from the description of its behaviour.
**
** A first pass over the printed elements chooses one format for all: fixed point, or scientific if the largest is 1e8
** or more, the smallest below 1e-4, or their ratio above 1000. Numbers get the fewest digits that read back as the same
** value, limited by `precision`. A second pass writes rows and wraps them at the line width.
*/
#include "tensor/print_array.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 400 };

typedef struct Printer {
  Text *out;
  const Tensor *t;
  const PrintOptions *options;
  bool summary, scientific;
  int left, right;        /* characters before and after the point */
  int digits, exponent;   /* scientific: digits after the point, of the exponent */
  int width;              /* integers and booleans: characters per item */
  int line;               /* characters in the current line */
  const char *between;    /* items: " " or ", " */
} Printer;

/* Does `text` read back as x in x's dtype? */
static bool reads_back(const char *text, double x, DType dtype) {
  if (dtype == DT_FLOAT64) return strtod(text, NULL) == x;
  float f = strtof(text, NULL);
  if (dtype == DT_FLOAT16) return half_from_float(f) == half_from_float((float)x);
  return f == (float)x;
}

/* The fewest significant digits that read back as x. */
static int shortest(double x, DType dtype) {
  char text[64];
  for (int p = 1; p < 17; p++) {
    snprintf(text, sizeof text, "%.*e", p - 1, x);
    if (reads_back(text, x, dtype)) return p;
  }
  return 17;
}

static void trim_zeros(char *text) {
  size_t n = strlen(text);
  while (n > 0 && text[n - 1] == '0') text[--n] = '\0';
}

/* "1.25", "3.": fixed point, at most `precision` digits after the point. */
static void positional(char *to, double x, DType dtype, int precision) {
  char digits[64] = "0e0";
  if (x != 0) snprintf(digits, sizeof digits, "%.*e", shortest(x, dtype) - 1, x);
  int exponent = atoi(strchr(digits, 'e') + 1);
  int after = x == 0 ? 0 : shortest(x, dtype) - 1 - exponent;
  if (after > precision) after = precision;
  if (after < 0) after = 0;
  if (after == 0 && x != 0) {       /* large numbers: digits past the shortest are zeros, as in NumPy */
    snprintf(to, WORD, "%.0f.", strtod(digits, NULL));
    return;
  }
  snprintf(to, WORD, "%.*f", after, x);
  if (after > 0) trim_zeros(to);
  else strcat(to, ".");
}

/* "1.25e+10", split into mantissa and exponent; `digits` < 0: as many as needed. */
static void scientific(char *mantissa, char *exponent, double x, DType dtype, int digits, int precision) {
  char text[64];
  int p = x == 0 ? 0 : shortest(x, dtype) - 1;
  if (p > precision) p = precision;
  if (digits >= 0) p = digits;
  snprintf(text, sizeof text, "%.*e", p, x);
  char *e = strchr(text, 'e');
  strcpy(exponent, e + 1);
  *e = '\0';
  strcpy(mantissa, text);
  if (!strchr(mantissa, '.')) strcat(mantissa, ".");
  if (digits < 0) trim_zeros(mantissa);
}

typedef void ElementVisit(Printer *p, int64_t element, void *state);

/* The printed items of a dimension of n: those before *cut, and those starting at *after, which always include the
** last, as in NumPy. Without a summary *cut is n. */
static void find_cut(const Printer *p, int64_t n, int64_t *cut, int64_t *after) {
  int64_t edge = p->options->edge_items;
  *cut = p->summary && n > 2 * edge ? edge : n;
  *after = edge > 0 ? n - edge : n - 1;
}

/* Calls f for each printed element. */
static void each_shown(Printer *p, ElementVisit *f, void *state, int axis, int64_t offset) {
  const Shape *s = &p->t->type.shape;
  if (axis == s->ndim) {
    f(p, offset, state);
    return;
  }
  int64_t n = s->dim[axis], step = shape_size_range(s, axis + 1, s->ndim), cut, after;
  find_cut(p, n, &cut, &after);
  for (int64_t i = 0; i < n; i++) {
    if (i == cut) i = after;
    each_shown(p, f, state, axis + 1, offset + i * step);
  }
}

typedef struct Survey { double max, min; int finite, shown, neg_inf, inf, nan; } Survey;

static void survey(Printer *p, int64_t element, void *state) {
  Survey *v = state;
  double x = tensor_get(p->t, element);
  v->shown++;
  if (isnan(x)) {
    v->nan = 1;
    return;
  }
  if (isinf(x)) {
    v->inf = 1;
    if (x < 0) v->neg_inf = 1;
    return;
  }
  v->finite++;
  double a = fabs(x);
  if (a == 0) return;
  if (v->max < a) v->max = a;
  if (v->min == 0 || v->min > a) v->min = a;
}

static int most(int a, int b) { return a > b ? a : b; }

static void measure_scientific(Printer *p, int64_t element, void *state) {
  char mantissa[WORD], exponent[32];
  double x = tensor_get(p->t, element);
  (void)state;
  if (!isfinite(x)) return;
  scientific(mantissa, exponent, x, p->t->type.dtype, -1, p->options->precision);
  char *point = strchr(mantissa, '.');
  p->left = most(p->left, (int)(point - mantissa));
  p->digits = most(p->digits, (int)strlen(point + 1));
  p->exponent = most(p->exponent, (int)strlen(exponent) - 1);
}

static void measure_positional(Printer *p, int64_t element, void *state) {
  char text[WORD];
  double x = tensor_get(p->t, element);
  (void)state;
  if (!isfinite(x)) return;
  positional(text, x, p->t->type.dtype, p->options->precision);
  char *point = strchr(text, '.');
  p->left = most(p->left, (int)(point - text));
  p->right = most(p->right, (int)strlen(point + 1));
}

static void measure_integer(Printer *p, int64_t element, void *state) {
  char text[32];
  (void)state;
  p->width = most(p->width, snprintf(text, sizeof text, "%lld", (long long)tensor_get_int(p->t, element)));
}

static void choose_format(Printer *p) {
  DType dtype = p->t->type.dtype;
  if (dtype == DT_BOOL) {
    p->width = 5;
    return;
  }
  if (!dtype_is_float(dtype)) {
    each_shown(p, measure_integer, NULL, 0, 0);
    return;
  }
  Survey v = { 0 };
  each_shown(p, survey, &v, 0, 0);
  if (v.max > 0 && (v.max >= 1e8 || v.min < 0.0001 || v.max / v.min > 1000.0)) p->scientific = true;
  if (p->scientific) {
    each_shown(p, measure_scientific, NULL, 0, 0);
    p->right = p->exponent + 2 + p->digits;
  } else {
    each_shown(p, measure_positional, NULL, 0, 0);
  }
  if (v.finite < v.shown) {
    int offset = p->right + 1;
    if (v.nan) p->left = most(p->left, 3 - offset);
    p->left = most(p->left, 3 - offset);
    if (v.inf) p->left = most(p->left, 3 + v.neg_inf - offset);
  }
}

static void word_float(const Printer *p, double x, char *to) {
  char text[WORD], exponent[32];
  int width = p->left + p->right + 1;
  if (!isfinite(x)) {
    snprintf(to, WORD, "%*s", width, isnan(x) ? "nan" : x < 0 ? "-inf" : "inf");
  } else if (p->scientific) {
    scientific(text, exponent, x, p->t->type.dtype, p->digits, p->options->precision);
    int before = (int)(strchr(text, '.') - text);
    snprintf(to, WORD, "%*s%se%c%0*d", p->left - before, "", text, exponent[0], p->exponent, atoi(exponent + 1));
  } else {
    positional(text, x, p->t->type.dtype, p->options->precision);
    char *point = strchr(text, '.');
    snprintf(to, WORD, "%*s%s%*s", p->left - (int)(point - text), "", text, p->right - (int)strlen(point + 1), "");
  }
}

static void word(const Printer *p, int64_t offset, char *to) {
  DType dtype = p->t->type.dtype;
  if (dtype == DT_BOOL) snprintf(to, WORD, "%*s", p->width, tensor_get(p->t, offset) != 0 ? "True" : "False");
  else if (dtype_is_float(dtype)) word_float(p, tensor_get(p->t, offset), to);
  else snprintf(to, WORD, "%*lld", p->width, (long long)tensor_get_int(p->t, offset));
}

static void drop_trailing_spaces(Text *out) {
  while (out->length > 0 && out->at[out->length - 1] == ' ') out->at[--out->length] = '\0';
}

/* Adds an item to the current line, after breaking the line if the item does not fit. */
static void add_word(Printer *p, const char *w, int indent, int width) {
  if (p->line + (int)strlen(w) > width && p->line > indent) {
    drop_trailing_spaces(p->out);
    text_format(p->out, "\n%*s", indent, "");
    p->line = indent;
  }
  text_put(p->out, w);
  p->line += (int)strlen(w);
}

static void put_between(Printer *p) {
  text_put(p->out, p->between);
  p->line += (int)strlen(p->between);
}

static void print_row(Printer *p, int64_t n, int64_t offset, int indent, int width) {
  int64_t cut, after;
  char w[WORD];
  find_cut(p, n, &cut, &after);
  p->line = indent;
  for (int64_t i = 0; i < n; i++) {
    if (i > 0) put_between(p);
    if (i == cut) {
      add_word(p, "...", indent, width);
      put_between(p);
      i = after;
    }
    word(p, offset + i, w);
    add_word(p, w, indent, width);
  }
}

static void print_axis(Printer *p, int axis, int64_t offset, int indent, int width) {
  const Shape *s = &p->t->type.shape;
  int64_t n = s->dim[axis], step = shape_size_range(s, axis + 1, s->ndim), cut, after;
  find_cut(p, n, &cut, &after);
  text_put(p->out, "[");
  if (axis == s->ndim - 1) {
    print_row(p, n, offset, indent, width - 1);
  } else {
    const int lines = s->ndim - axis - 1;
    const char *comma = p->between[0] == ',' ? "," : "";
    for (int64_t i = 0; i < n; i++) {
      if (i > 0) text_format(p->out, "%s%.*s%*s", comma, lines, "\n\n\n\n\n\n\n\n", indent, "");
      if (i == cut) {
        text_format(p->out, "...%s%.*s%*s", comma, lines, "\n\n\n\n\n\n\n\n", indent, "");
        i = after;
      }
      print_axis(p, axis + 1, offset + i * step, indent + 1, width - 1);
    }
  }
  text_put(p->out, "]");
}

/* Prints a scalar as Python prints a number: 5.0, 0.1, 1e-08. */
static void print_scalar(Text *out, const Tensor *t) {
  double x = tensor_get(t, 0);
  DType dtype = t->type.dtype;
  if (dtype == DT_BOOL) text_put(out, x != 0 ? "True" : "False");
  else if (!dtype_is_float(dtype)) text_format(out, "%lld", (long long)tensor_get_int(t, 0));
  else if (!isfinite(x)) text_put(out, isnan(x) ? "nan" : x < 0 ? "-inf" : "inf");
  else if (x != 0 && (fabs(x) < 1e-4 || fabs(x) >= 1e16)) {
    char text[64];
    int digits = shortest(x, dtype) - 1;
    snprintf(text, sizeof text, "%.*e", digits, x);
    text_put(out, text);
  } else {
    char text[WORD];
    positional(text, x, dtype, 17);
    text_format(out, "%s%s", text, text[strlen(text) - 1] == '.' ? "0" : "");
  }
}

/* Prints an array with elements and axes, after `before` characters of its first line. */
static void print_elements(Text *out, const Tensor *t, const PrintOptions *options, const char *between, int before) {
  Printer p = {
    .out = out, .t = t, .options = options, .summary = tensor_size(t) > options->threshold, .between = between
  };
  choose_format(&p);
  print_axis(&p, 0, 0, before + 1, options->line_width);
}

void print_tensor(Text *out, const Tensor *t, const PrintOptions *options) {
  if (t->type.shape.ndim == 0) print_scalar(out, t);
  else if (tensor_size(t) == 0) text_put(out, "[]");
  else print_elements(out, t, options, " ", 0);
}

void print_tensor_code(Text *out, const Tensor *t, const PrintOptions *options) {
  static const char begin[] = "array(";
  const DType dtype = t->type.dtype;
  text_put(out, begin);
  if (t->type.shape.ndim == 0) {
    print_scalar(out, t);
    const size_t n = out->length;
    if (n > 1 && strcmp(out->at + n - 2, ".0") == 0) out->at[--out->length] = '\0';
  } else if (tensor_size(t) == 0) {
    text_format(out, "[], shape=%s", shape_text(&t->type.shape));
  } else {
    print_elements(out, t, options, ", ", (int)strlen(begin));
  }
  if (dtype != DT_FLOAT32 && dtype != DT_BOOL) text_format(out, ", dtype=%s", dtype_name(dtype));
  text_put(out, ")");
}
