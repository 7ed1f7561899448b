/* mxnet_params.c - see mxnet_params.h. */
#include "io/array/mxnet_params.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads/parallel_for.h"
#include "io/array/put_elements.h"
#include "io/file/whole_file.h"
#include "io/file/file_limits.h"

#define MAGIC_V1 0xF993FAC8u
#define MAGIC_V2 0xF993FAC9u
#define MAGIC_V3 0xF993FACAu

enum { CPU = 1, SHARED_CPU = 5, BFLOAT16 = 12, FIELD_BYTES = 8 };

/* ---- Reading -------------------------------------------------------------------------------- */

static const char *storage_name(int32_t storage) {
  return storage == 1 ? "row_sparse" : storage == 2 ? "csr" : storage == -1 ? "none" : "an unknown one";
}

static const char *dtype_text(int32_t code) {
  static const char *const others[] = { [8] = "int16", [9] = "uint16", [10] = "uint32", [11] = "uint64" };
  return code >= 8 && code <= 11 ? others[code] : "an unknown one";
}

static Status read_dims(FileReader *r, bool wide, int64_t ndim, Shape *shape) {
  shape->ndim = (int)ndim;
  for (int i = 0; i < shape->ndim; i++) {
    uint32_t narrow = 0;
    if (wide) TRY(file_reader_number(r, "dims", &shape->dim[i]));
    else TRY(file_reader_number(r, "dims", &narrow));
    if (!wide) shape->dim[i] = narrow;
  }
  return OK;
}

/* Reads the part before the device, whose form depends on the version. */
static Status read_shape(FileReader *r, Shape *shape) {
  uint64_t start = r->at, at;
  uint32_t magic;
  int32_t storage, ndim;
  TRY(file_reader_number(r, "magic", &magic));
  bool old = magic <= MAX_DIMS, v3 = magic == MAGIC_V3;
  if (!old && magic != MAGIC_V1 && magic != MAGIC_V2 && !v3)
    return file_reader_wrong(r, start, "magic", "expected 0xf993fac8, 0xf993fac9 or 0xf993faca, got 0x%08" PRIx32,
                             magic);
  at = r->at;
  if (magic == MAGIC_V2 || v3) {
    TRY(file_reader_number(r, "storage type", &storage));
    if (storage != 0)
      return file_reader_wrong(r, at, "storage type",
                               "expected 0 (dense), got %" PRId32 " (%s): sparse arrays are not supported", storage,
                               storage_name(storage));
  }
  at = old ? start : r->at;
  if (old) ndim = (int32_t)magic;
  else TRY(file_reader_number(r, "ndim", &ndim));
  if (ndim == (v3 ? -1 : 0))
    return file_reader_wrong(r, at, "ndim",
                             "expected an array with a value, got none (an NDArray that was saved empty)");
  if (ndim < 0 || ndim > MAX_DIMS)
    return file_reader_wrong(r, at, "ndim", "expected at most %d dimensions, got %" PRId32, MAX_DIMS, ndim);
  return read_dims(r, !old, ndim, shape);
}

static Status read_device(FileReader *r) {
  uint64_t at = r->at;
  int32_t type, id;
  TRY(file_reader_number(r, "device type", &type));
  if (type < CPU || type > SHARED_CPU)
    return file_reader_wrong(r, at, "device type", "expected 1 (cpu) to 5, got %" PRId32, type);
  TRY(file_reader_number(r, "device id", &id));
  if (id < 0) return file_reader_wrong(r, at + 4, "device id", "expected 0 or more, got %" PRId32, id);
  return OK;
}

/* bfloat16 is the upper half of float32. The elements are read into the second half of the array's memory, and expanded
** in order, so that none is overwritten before its turn. */
static Status read_bfloat16(FileReader *r, const Type *type, Tensor *out) {
  TRY(tensor_new(type, DEVICE_HOST, out));
  size_t n = (size_t)tensor_size(out);
  char *wide = out->data, *narrow = wide + 2 * n;
  Status s = file_reader_take(r, narrow, 2 * n, "data");
  for (size_t i = 0; i < n && s == OK; i++) {
    uint16_t half;
    memcpy(&half, narrow + 2 * i, sizeof half);
    uint32_t word = (uint32_t)half << 16;
    memcpy(wide + 4 * i, &word, sizeof word);
  }
  if (s != OK) tensor_release(out);
  return s;
}

static Status read_array(FileReader *r, Tensor *out) {
  uint64_t start = r->at;
  Type type;
  int32_t code;
  TRY(read_shape(r, &type.shape));
  TRY(read_device(r));
  uint64_t at = r->at;
  TRY(file_reader_number(r, "dtype", &code));
  if (code != BFLOAT16 && (code < 0 || code >= N_DTYPES))
    return file_reader_wrong(r, at, "dtype", "expected 0 to %d or %d (bfloat16), got %" PRId32 " (%s)", N_DTYPES - 1,
                             BFLOAT16, code, dtype_text(code));
  type.dtype = code == BFLOAT16 ? DT_FLOAT32 : (DType)code;
  size_t element = code == BFLOAT16 ? sizeof(uint16_t) : dtype_size(type.dtype);
  TRY(file_reader_payload(r, start, &type.shape, element, false));
  return code == BFLOAT16 ? read_bfloat16(r, &type, out) : file_reader_tensor(r, &type, false, out);
}

static Status read_count(FileReader *r, const char *field, uint64_t *n) {
  uint64_t at = r->at;
  TRY(file_reader_number(r, field, n));
  if (*n > file_reader_left(r) / FIELD_BYTES)
    return file_reader_wrong(r, at, field, "expected at most %" PRIu64 " in a file of this size, got %" PRIu64,
                             file_reader_left(r) / FIELD_BYTES, *n);
  return OK;
}

static Status read_name(FileReader *r, Arrays *out, int64_t i) {
  char name[LIMIT_NAME];
  uint64_t at = r->at, length;
  TRY(file_reader_number(r, "length", &length));
  if (length > LIMIT_NAME)
    return file_reader_wrong(r, at, "length", "expected at most %d bytes, got %" PRIu64, LIMIT_NAME, length);
  TRY(file_reader_take(r, name, length, "text"));
  if (memchr(name, '\0', length)) return file_reader_wrong(r, at, "text", "expected no zero byte in a name");
  return arrays_name(out, i, name, length);
}

static Status read_names(FileReader *r, Arrays *out) {
  uint64_t at = r->at, n;
  r->section[0] = '\0';
  TRY(read_count(r, "number of names", &n));
  if (n != 0 && n != (uint64_t)out->n)
    return file_reader_wrong(r, at, "number of names",
                             "expected 0 or one for each of the %" PRId64 " arrays, got %" PRIu64, out->n, n);
  for (uint64_t i = 0; i < n; i++) {
    snprintf(r->section, sizeof r->section, "name %" PRIu64, i);
    TRY(read_name(r, out, (int64_t)i));
  }
  r->section[0] = '\0';
  return n ? arrays_check_names(out, r) : OK;
}

static Status read_all(FileReader *r, Checksum *sum, Arrays *out) {
  uint64_t magic, reserved, n;
  r->sum = sum;
  TRY(file_reader_number(r, "magic", &magic));
  if (magic != PARAMS_MAGIC)
    return file_reader_wrong(r, 0, "magic", "expected 0x112 (MXNet's NDArray file), got 0x%" PRIx64, magic);
  r->sum = NULL;
  TRY(file_reader_number(r, "checksum", &reserved));
  r->sum = sum;
  TRY(read_count(r, "number of arrays", &n));
  for (uint64_t i = 0; i < n; i++) {
    Tensor t;
    if (interrupted()) return interrupt_status();
    snprintf(r->section, sizeof r->section, "array %" PRIu64, i);
    TRY(read_array(r, &t));
    TRY(arrays_add(out, &t, NULL, 0));
  }
  TRY(read_names(r, out));
  TRY(file_reader_finish(r));
  if (reserved != 0 && reserved != checksum_value(sum))
    return file_reader_wrong(r, 8, "checksum", "expected 0x%016" PRIx64 ", got 0x%016" PRIx64 ": the file is damaged",
                             reserved, checksum_value(sum));
  return OK;
}

Status mxnet_params_load(FileReader *r, Arrays *out) {
  Checksum sum = checksum_new();
  *out = (Arrays){ 0 };
  Status s = read_all(r, &sum, out);
  r->sum = NULL;
  return s;
}

/* ---- Saving --------------------------------------------------------------------------------- */

static bool needs_v3(const Arrays *a) {
  for (int64_t i = 0; i < a->n; i++)
    if (a->at[i].tensor.type.shape.ndim == 0 || tensor_size(&a->at[i].tensor) == 0) return true;
  return a->np;
}

static void put_array(FileWriter *w, const Tensor *t, bool v3) {
  const Shape *s = &t->type.shape;
  file_writer_u32(w, v3 ? MAGIC_V3 : MAGIC_V2);
  file_writer_u32(w, 0);                                   /* dense */
  file_writer_u32(w, (uint32_t)s->ndim);
  for (int i = 0; i < s->ndim; i++) file_writer_u64(w, (uint64_t)s->dim[i]);
  file_writer_u32(w, CPU);
  file_writer_u32(w, 0);
  file_writer_u32(w, (uint32_t)t->type.dtype);
  put_elements(w, t);
}

/* Writes everything after the reserved word. */
static void put_arrays(FileWriter *w, const Arrays *a) {
  bool v3 = needs_v3(a);
  file_writer_u64(w, (uint64_t)a->n);
  for (int64_t i = 0; i < a->n; i++) put_array(w, &a->at[i].tensor, v3);
  file_writer_u64(w, arrays_named(a) ? (uint64_t)a->n : 0);
  for (int64_t i = 0; arrays_named(a) && i < a->n; i++) {
    size_t length = strlen(a->at[i].name);
    file_writer_u64(w, length);
    file_writer_put(w, a->at[i].name, length);
  }
}

/* The checksum precedes the bytes that it covers, so these are generated twice, first for the checksum alone. */
static Status put_file(FileWriter *w, const void *what) {
  const Arrays *a = what;
  Checksum sum = checksum_new();
  FileWriter *dry = object_new(sizeof *dry);
  if (!dry) return no_memory("file buffer");
  file_writer_start(dry, w->name, -1);
  dry->sum = &sum;
  file_writer_u64(dry, PARAMS_MAGIC);
  put_arrays(dry, a);
  object_free(dry);
  file_writer_u64(w, PARAMS_MAGIC);
  file_writer_u64(w, checksum_value(&sum));
  put_arrays(w, a);
  return w->status;
}

Status mxnet_params_save(const char *path, const Arrays *a) {
  for (int64_t i = 0; i < a->n; i++)
    if (a->at[i].name && strlen(a->at[i].name) > LIMIT_NAME)
      return fail("%s: name %" PRId64 ": expected at most %d bytes, got %zu", path, i, LIMIT_NAME,
                  strlen(a->at[i].name));
  return whole_file_save(path, put_file, a);
}
