/* idx.c - see idx.h. */
#include "io/array/idx.h"

#include "io/file/whole_file.h"

enum { INT16 = 0x0B };

static DType dtype_of(unsigned char code) {
  switch (code) {
    case 0x08: return DT_UINT8;
    case 0x09: return DT_INT8;
    case INT16: return DT_INT32;
    case 0x0C: return DT_INT32;
    case 0x0D: return DT_FLOAT32;
    case 0x0E: return DT_FLOAT64;
    default: return DT_UNKNOWN;
  }
}

static Status read_int16(FileReader *r, const Type *type, Tensor *out) {
  enum { STRETCH = 2048 };
  uint16_t part[STRETCH];
  TRY(tensor_new(type, DEVICE_HOST, out));
  int32_t *to = out->data;
  Status s = OK;
  for (int64_t left = tensor_size(out); left > 0 && s == OK;) {
    int64_t n = left < STRETCH ? left : STRETCH;
    s = file_reader_take(r, part, (uint64_t)n * sizeof *part, "data");
    for (int64_t i = 0; i < n && s == OK; i++) *to++ = (int16_t)__builtin_bswap16(part[i]);
    left -= n;
  }
  if (s != OK) tensor_release(out);
  return s;
}

static Status read_idx(FileReader *r, Tensor *out) {
  unsigned char magic[4];
  Type type = { 0 };
  TRY(file_reader_take(r, magic, sizeof magic, "magic"));
  type.dtype = dtype_of(magic[2]);
  if (magic[0] != 0 || magic[1] != 0 || type.dtype == DT_UNKNOWN)
    return file_reader_wrong(r, 0, "magic", "expected 0 0 and 8, 9, 11, 12, 13 or 14, got %d %d %d", magic[0], magic[1],
                             magic[2]);
  if (magic[3] > MAX_DIMS)
    return file_reader_wrong(r, 3, "number of dimensions", "expected at most %d, got %d", MAX_DIMS, magic[3]);
  for (; type.shape.ndim < magic[3]; type.shape.ndim++) {
    uint32_t dim;
    TRY(file_reader_number(r, "dims", &dim));
    type.shape.dim[type.shape.ndim] = __builtin_bswap32(dim);
  }
  size_t element = magic[2] == INT16 ? sizeof(int16_t) : dtype_size(type.dtype);
  TRY(file_reader_payload(r, 4, &type.shape, element, true));
  return magic[2] == INT16 ? read_int16(r, &type, out) : file_reader_tensor(r, &type, true, out);
}

/* Reads a plain file directly, and unpacks a packed one first. */
Status idx_load(const char *path, Tensor *out) {
  FileReader r;
  unsigned char first;
  size_t n;
  *out = NO_TENSOR;
  TRY(file_reader_open(&r, path));
  Status s = file_reader_peek(&r, &first, 1, &n);
  if (s == OK && (n == 0 || first != 0x1f)) s = read_idx(&r, out);
  file_reader_close(&r);
  if (s != OK || n == 0 || first != 0x1f) return s;
  FileBytes unpacked;
  TRY(whole_file_read_gzip(path, (uint64_t)MAX_ELEMENTS, &unpacked));
  file_reader_memory(&r, path, unpacked.at, unpacked.n);
  s = read_idx(&r, out);
  file_bytes_free(&unpacked);
  return s;
}
