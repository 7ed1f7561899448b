/* npy.c - see npy.h. The header is parsed by a strict grammar: three keys, each once, plain strings, True or False, a
** tuple of integers.
*/
#include "io/array/npy.h"

#include <ctype.h>
#include <string.h>

#include "io/array/put_elements.h"
#include "io/file/whole_file.h"
#include "io/file/file_limits.h"
#include "tensor/cast_copy.h"

const unsigned char npy_magic[6] = { 0x93, 'N', 'U', 'M', 'P', 'Y' };

/* clang-format off */
static const char *const descr_of[N_DTYPES] = {
  [DT_FLOAT32] = "<f4", [DT_FLOAT64] = "<f8", [DT_FLOAT16] = "<f2", [DT_UINT8] = "|u1",
  [DT_INT32] = "<i4", [DT_INT8] = "|i1", [DT_INT64] = "<i8", [DT_BOOL] = "|b1",
};
/* clang-format on */

/* A type of integers that are widened. */
typedef struct Narrow { const char *descr; size_t size; bool is_signed; DType to; } Narrow;

/* clang-format off */
static const Narrow narrow_types[] = {
  { "i2", 2, true, DT_INT32 }, { "u2", 2, false, DT_INT32 }, { "u4", 4, false, DT_INT64 }
};
/* clang-format on */

/* ---- The header ------------------------------------------------------------------------------ */

typedef struct Header {
  const FileReader *r;
  const char *text, *at;
  uint64_t offset;                    /* of the text in the file */
  unsigned seen;                      /* bit i: item i was read */
  bool swapped, fortran, foreign;
  const struct Narrow *narrow;        /* the elements' type in the file if they are widened, else NULL */
  Type type;
} Header;

static Status wrong(const Header *h, const char *expected) {
  return file_reader_wrong(h->r, h->offset + (uint64_t)(h->at - h->text), "header", "expected %s, got '%.20s'",
                           expected, h->at);
}

static void skip_space(Header *h) {
  while (*h->at == ' ' || *h->at == '\n') h->at++;
}

static bool accept(Header *h, char c) {
  skip_space(h);
  if (*h->at != c) return false;
  h->at++;
  return true;
}

/* Reads a Python string without escapes; returns the text between the quotes. */
static Status read_string(Header *h, const char **from, size_t *n) {
  skip_space(h);
  char quote = *h->at;
  const char *end = quote == '\'' || quote == '"' ? strchr(h->at + 1, quote) : NULL;
  if (!end) return wrong(h, "a string");
  *from = h->at + 1;
  *n = (size_t)(end - *from);
  if (memchr(*from, '\\', *n)) return wrong(h, "a string without backslashes");
  h->at = end + 1;
  return OK;
}

/* Describes an unsupported type. */
static const char *foreign_kind(const char *from, size_t n) {
  const char c = n > 1 ? from[1] : '\0';
  return c == 'c'               ? " (complex numbers: save real and imaginary parts)"
         : c == 'U' || c == 'S' ? " (text)"
         : c == 'O'             ? " (objects of Python)"
         : c == 'M' || c == 'm' ? " (times)"
         : c == 'V'             ? " (records)"
                                : "";
}

static Status read_descr(Header *h) {
  const char *from;
  size_t n;
  skip_space(h);
  if (*h->at == '[') {
    h->foreign = true;
    return wrong(h, "one element type (arrays of records are not supported)");
  }
  TRY(read_string(h, &from, &n));
  bool known_order = n == 3 && strchr("<>|", from[0]);
  for (int t = 0; known_order && t < N_DTYPES; t++) {
    if (memcmp(descr_of[t] + 1, from + 1, 2) != 0) continue;
    if (from[0] == '|' && dtype_size((DType)t) > 1) break;
    h->type.dtype = (DType)t;
    h->swapped = from[0] == '>' && dtype_size((DType)t) > 1;
    return OK;
  }
  for (size_t i = 0; known_order && from[0] != '|' && i < sizeof narrow_types / sizeof *narrow_types; i++) {
    if (memcmp(narrow_types[i].descr, from + 1, 2) != 0) continue;
    h->narrow = &narrow_types[i];
    h->type.dtype = narrow_types[i].to;
    h->swapped = from[0] == '>';
    return OK;
  }
  h->foreign = true;
  return file_reader_wrong(h->r, h->offset, "descr",
                           "expected bool, int8 to int64, uint8 to uint32 or float16 to float64, got '%.*s'%s",
                           n < 60 ? (int)n : 60, from, foreign_kind(from, n));
}

static Status read_order(Header *h) {
  skip_space(h);
  h->fortran = strncmp(h->at, "True", 4) == 0;
  if (!h->fortran && strncmp(h->at, "False", 5) != 0) return wrong(h, "True or False");
  h->at += h->fortran ? 4 : 5;
  return OK;
}

static Status read_dim(Header *h, int64_t *dim) {
  const char *from = h->at;
  *dim = 0;
  for (; isdigit((unsigned char)*h->at); h->at++)
    if (h->at - from == 18) return wrong(h, "a dimension of at most 18 digits");
    else *dim = *dim * 10 + (*h->at - '0');
  if (h->at == from) return wrong(h, "a dimension");
  if (*h->at == 'L') h->at++;           /* Python 2 */
  return OK;
}

static Status read_shape(Header *h) {
  Shape *s = &h->type.shape;
  s->ndim = 0;
  if (!accept(h, '(')) return wrong(h, "a tuple");
  bool comma = true;
  while (!accept(h, ')')) {
    if (!comma) return wrong(h, "',' or ')'");
    h->foreign = s->ndim == MAX_DIMS;
    if (h->foreign)
      return file_reader_wrong(h->r, h->offset, "shape", "expected at most %d dimensions, got more", MAX_DIMS);
    TRY(read_dim(h, &s->dim[s->ndim++]));
    comma = accept(h, ',');
  }
  return s->ndim == 1 && !comma ? wrong(h, "a tuple: (n,)") : OK;
}

/* clang-format off */
static const struct { const char *name; Status (*read)(Header *); } items[] = {
  { "descr", read_descr }, { "fortran_order", read_order }, { "shape", read_shape } };
/* clang-format on */
enum { N_ITEMS = sizeof items / sizeof *items };

static Status read_item(Header *h) {
  const char *key;
  size_t n;
  TRY(read_string(h, &key, &n));
  if (!accept(h, ':')) return wrong(h, "':'");
  for (int i = 0; i < N_ITEMS; i++) {
    if (strlen(items[i].name) != n || memcmp(items[i].name, key, n) != 0) continue;
    if (h->seen >> i & 1) return file_reader_wrong(h->r, h->offset, items[i].name, "expected it once, got it twice");
    h->seen |= 1u << i;
    return items[i].read(h);
  }
  return file_reader_wrong(h->r, h->offset, "header", "expected descr, fortran_order and shape, got '%.*s'",
                           n < 60 ? (int)n : 60, key);
}

static Status read_dictionary(Header *h) {
  if (!accept(h, '{')) return wrong(h, "'{'");
  bool comma = true;
  while (!accept(h, '}')) {
    if (!comma) return wrong(h, "',' or '}'");
    TRY(read_item(h));
    comma = accept(h, ',');
  }
  skip_space(h);
  if (*h->at) return wrong(h, "the end of the header");
  for (int i = 0; i < N_ITEMS; i++)
    if (!(h->seen >> i & 1))
      return file_reader_wrong(h->r, h->offset, "header", "expected descr, fortran_order and shape, got no %s",
                               items[i].name);
  return OK;
}

static Status read_header(FileReader *r, Header *h) {
  unsigned char magic[8];
  char text[LIMIT_NPY_HEADER + 1];
  uint32_t length = 0;
  TRY(file_reader_take(r, magic, sizeof magic, "magic"));
  if (memcmp(magic, npy_magic, sizeof npy_magic) != 0) return file_reader_wrong(r, 0, "magic", "expected \\x93NUMPY");
  if (magic[6] < 1 || magic[6] > 3 || magic[7] != 0)
    return file_reader_wrong(r, 6, "version", "expected 1.0, 2.0 or 3.0, got %d.%d", magic[6], magic[7]);
  TRY(file_reader_take(r, &length, magic[6] == 1 ? 2 : 4, "header length"));
  if (length > LIMIT_NPY_HEADER)
    return file_reader_wrong(r, 8, "header length", "expected at most %d bytes, got %u", LIMIT_NPY_HEADER, length);
  uint64_t offset = r->at;
  TRY(file_reader_take(r, text, length, "header"));
  text[length] = '\0';
  if (strlen(text) != length)
    return file_reader_wrong(r, offset + strlen(text), "header", "expected text, got a zero byte");
  *h = (Header){ .r = r, .text = text, .at = text, .offset = offset };
  Status s = read_dictionary(h);
  h->text = h->at = NULL;
  return s;
}

/* ---- The elements ------------------------------------------------------------------------------ */

/* Reorders elements from column-major to row-major. */
static Status from_fortran(Tensor *t) {
  const Shape *s = &t->type.shape;
  int64_t from[MAX_DIMS], to[MAX_DIMS], step = 1;
  Tensor rows;
  TRY(tensor_new(&t->type, DEVICE_HOST, &rows));
  for (int i = 0; i < s->ndim; step *= s->dim[i++]) from[i] = step;
  strides_of(s, to);
  strided_copy(dtype_size(t->type.dtype), s, t->data, from, rows.data, to);
  tensor_release(t);
  *t = rows;
  return OK;
}

/* The value of an integer of a few bytes, the most significant first if swapped. */
static int64_t narrow_value(const Narrow *from, const unsigned char *at, bool swapped) {
  uint32_t bits = 0;
  for (size_t i = 0; i < from->size; i++) bits |= (uint32_t)at[swapped ? from->size - 1 - i : i] << 8 * i;
  return from->is_signed ? (int16_t)bits : (int64_t)bits;
}

/* Reads elements that are widened through a small buffer, directly to their final place. */
static Status read_narrow(FileReader *r, const Header *h, Tensor *out) {
  const Shape *s = &h->type.shape;
  unsigned char some[4096];
  int64_t stride[MAX_DIMS], index[MAX_DIMS] = { 0 }, to = 0;
  TRY(tensor_new(&h->type, DEVICE_HOST, out));
  strides_of(s, stride);
  for (int64_t left = tensor_size(out); left > 0;) {
    const int64_t capacity = (int64_t)(sizeof some / h->narrow->size), n = left < capacity ? left : capacity;
    TRY(file_reader_take(r, some, (uint64_t)n * h->narrow->size, "data"));
    for (int64_t i = 0; i < n; i++) {
      const int64_t value = narrow_value(h->narrow, some + (size_t)i * h->narrow->size, h->swapped);
      if (h->type.dtype == DT_INT32) ((int32_t *)out->data)[to] = (int32_t)value;
      else ((int64_t *)out->data)[to] = value;
      if (!h->fortran) {
        to++;
        continue;
      }
      for (int k = 0; k < s->ndim; k++) {              /* the first index varies fastest */
        to += stride[k];
        if (++index[k] < s->dim[k]) break;
        to -= s->dim[k] * stride[k];
        index[k] = 0;
      }
    }
    left -= n;
  }
  return OK;
}

static Status read_elements(FileReader *r, const Header *h, Tensor *out) {
  if (h->narrow) return read_narrow(r, h, out);
  TRY(file_reader_tensor(r, &h->type, h->swapped, out));
  return h->fortran && h->type.shape.ndim > 1 && tensor_size(out) > 0 ? from_fortran(out) : OK;
}

Status npy_load(FileReader *r, Tensor *out, bool *foreign) {
  Header h = { 0 };
  *out = NO_TENSOR;
  Status s = read_header(r, &h);
  *foreign = s == E_INPUT && h.foreign;
  TRY(s);
  TRY(file_reader_payload(r, h.offset, &h.type.shape, h.narrow ? h.narrow->size : dtype_size(h.type.dtype), true));
  s = read_elements(r, &h, out);
  if (s != OK) tensor_release(out);
  return s;
}

/* ---- Saving --------------------------------------------------------------------------------------- */

Status npy_header(const Type *type, Text *out) {
  enum { ALIGN = 64, BEFORE = 10 };        /* magic, version, length */
  Text dictionary = { 0 };
  text_format(&dictionary, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr_of[type->dtype],
              shape_text(&type->shape));
  size_t length = (BEFORE + dictionary.length + 1 + ALIGN - 1) / ALIGN * ALIGN - BEFORE;
  while (dictionary.length + 1 < length && !dictionary.failed) text_put(&dictionary, " ");
  text_put(&dictionary, "\n");
  text_add(out, (const char *)npy_magic, sizeof npy_magic);
  text_add(out, (char[]){ 1, 0, (char)(length & 255), (char)(length >> 8) }, 4);
  if (!dictionary.failed) text_add(out, dictionary.at, dictionary.length);
  Status s = text_status(&dictionary);
  text_free(&dictionary);
  return s == OK ? text_status(out) : s;
}

static Status put_array(FileWriter *w, const void *what) {
  const Tensor *t = what;
  Text header = { 0 };
  Status s = npy_header(&t->type, &header);
  if (s == OK) {
    file_writer_put(w, header.at, header.length);
    put_elements(w, t);
  }
  text_free(&header);
  return s == OK ? w->status : s;
}

Status npy_save(const char *path, const Tensor *t) { return whole_file_save(path, put_array, t); }
