/* csv.c - see csv.h. The text is read twice: first to count rows and columns, then for the numbers. Numbers are parsed
** in the C locale, whatever the program's locale.
*/
#define _GNU_SOURCE
#include "io/array/csv.h"

#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads/parallel_for.h"
#include "io/file/whole_file.h"
#include "io/file/file_limits.h"

typedef struct Table {
  const char *path;
  const char *at, *end;          /* the rest of the text; *end is '\0' */
  long long line;                /* number of the line at `at`, from 1 */
} Table;

static locale_t c_locale;
static void make_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

static const char *line_end(const Table *t) {
  const char *end = memchr(t->at, '\n', (size_t)(t->end - t->at));
  return end ? end : t->end;
}

static const char *skip_blanks(const char *at) {
  while (*at == ' ' || *at == '\t' || *at == '\r') at++;
  return at;
}

/* Moves to the next line that is not blank; returns false at the end of the text. */
static bool next_line(Table *t, bool pass_this) {
  for (; t->at < t->end; pass_this = false) {
    const char *end = line_end(t);
    if (!pass_this && skip_blanks(t->at) < end) return true;
    t->at = end < t->end ? end + 1 : end;
    t->line++;
  }
  return false;
}

static Table table_of(const char *path, const FileBytes *text, bool header) {
  Table t = { .path = path, .at = text->at, .end = text->at + text->n, .line = 1 };
  if (text->n >= 3 && memcmp(text->at, "\xEF\xBB\xBF", 3) == 0) t.at += 3;      /* a byte order mark */
  if (next_line(&t, false) && header) next_line(&t, true);
  return t;
}

/* Reads a number, and moves past the comma after it or to the end of the line, `line`. */
static Status read_number(Table *t, const char *line, long long column, bool narrow, double *value) {
  const char *from = skip_blanks(t->at);
  char *stop;
  *value = narrow ? (double)strtof_l(from, &stop, c_locale) : strtod_l(from, &stop, c_locale);
  const char *behind = skip_blanks(stop);
  if (stop == from || stop > line || from >= line || (*behind != ',' && behind < line)) {
    int n = (int)strcspn(from, ",\r\n");
    return fail("%s: line %lld, column %lld: expected a number, got '%.*s'", t->path, t->line, column, n < 40 ? n : 40,
                from);
  }
  t->at = behind < line ? behind + 1 : line;
  return OK;
}

/* Counts rows and columns; all rows must have the same number of columns. */
static Status count(Table t, int64_t *rows, int64_t *columns) {
  *rows = 0;
  for (bool more = true; more; more = next_line(&t, true), ++*rows) {
    int64_t n = 1;
    for (const char *c = t.at, *end = line_end(&t); c < end; c++) n += *c == ',';
    if (*rows == 0) *columns = n;
    if (n != *columns)
      return fail("%s: line %lld, column %lld: expected %lld columns, got %lld", t.path, t.line,
                  (long long)(n < *columns ? n : *columns) + 1, (long long)*columns, (long long)n);
  }
  return OK;
}

static Status read_numbers(Table *t, Tensor *out) {
  int64_t rows = out->type.shape.dim[0], columns = out->type.shape.dim[1];
  bool narrow = out->type.dtype == DT_FLOAT32;
  for (int64_t row = 0; row < rows; row++) {
    if (interrupted()) return interrupt_status();
    const char *line = line_end(t);
    for (int64_t c = 0; c < columns; c++) {
      double value;
      TRY(read_number(t, line, c + 1, narrow, &value));
      tensor_set(out, row * columns + c, value);
    }
    next_line(t, true);
  }
  return OK;
}

static Status read_table(const char *path, const FileBytes *text, bool header, DType dtype, Tensor *out) {
  Table t = table_of(path, text, header);
  Type type = { .dtype = dtype, .shape = { .ndim = 2 } };
  if (t.at == t.end) return fail("%s: line %lld: expected a row of numbers, got the end of the file", path, t.line);
  TRY(count(t, &type.shape.dim[0], &type.shape.dim[1]));
  TRY(tensor_new(&type, DEVICE_HOST, out));
  Status s = read_numbers(&t, out);
  if (s != OK) tensor_release(out);
  return s;
}

Status csv_load(const char *path, bool header, DType dtype, Tensor *out) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  FileBytes text;
  *out = NO_TENSOR;
  pthread_once(&once, make_locale);
  TRY(whole_file_read_gzip(path, LIMIT_CSV_BYTES, &text));
  Status s = read_table(path, &text, header, dtype, out);
  file_bytes_free(&text);
  return s;
}
