/* npz_save.c - writing zip archives of arrays, members stored as they are: local header,
** .npy, and so on, then the directory. Fields of 64 bits are used where 32 are too few.
*/
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "io/file/whole_file.h"
#include "io/file/file_limits.h"
#include "io/array/npy.h"
#include "io/array/npz.h"
#include "io/array/put_elements.h"
#include "io/array/zip_records.h"
#include "tensor/written_bytes.h"

enum { VERSION = 20, VERSION64 = 45, UNIX_FILE = 3 << 8, DATE_1980 = 1 << 5 | 1 };

/* What the directory says of a member. */
typedef struct ZipEntry {
  uint64_t at, size;
  uint32_t crc;
} ZipEntry;

static void name_of(const Arrays *a, int64_t i, char *to, size_t capacity) {
  if (arrays_named(a)) snprintf(to, capacity, "%s.npy", a->name[i]);
  else snprintf(to, capacity, "arr_%" PRId64 ".npy", i);
}

static bool is_wide(uint64_t x) { return x >= UINT32_MAX; }
static uint32_t narrow(uint64_t x) { return is_wide(x) ? UINT32_MAX : (uint32_t)x; }

static uint16_t flags_of(const char *name) {
  for (; *name; name++)
    if ((unsigned char)*name >= 0x80) return ZIP_UTF8;
  return 0;
}

/* The fields that local header and directory entry share, from the version needed on. */
static void put_common(FileWriter *w, const char *name, const ZipEntry *p, bool wide, size_t extra) {
  file_writer_u16(w, wide ? VERSION64 : VERSION);
  file_writer_u16(w, flags_of(name));
  file_writer_u16(w, ZIP_STORED);
  file_writer_u16(w, 0);                                  /* time */
  file_writer_u16(w, DATE_1980);
  file_writer_u32(w, p->crc);
  file_writer_u32(w, narrow(p->size));
  file_writer_u32(w, narrow(p->size));
  file_writer_u16(w, (uint16_t)strlen(name));
  file_writer_u16(w, (uint16_t)extra);
}

static void put_sizes64(FileWriter *w, const ZipEntry *p) {
  file_writer_u64(w, p->size);
  file_writer_u64(w, p->size);
}

static uint32_t crc_of(const Text *header, const Tensor *t) {
  uLong crc = crc32(0, (const unsigned char *)header->at, (uInt)header->length);
  uint64_t piece[1 << 12];
  for (size_t at = 0, n; (n = written_bytes(t, at, sizeof piece, piece)) > 0; at += n)
    crc = crc32_z(crc, (const void *)piece, n);
  return (uint32_t)crc;
}

static Status put_member(FileWriter *w, const Tensor *t, const char *name, ZipEntry *p) {
  Text header = { 0 };
  Status s = npy_header(&t->type, &header);
  if (s == OK) {
    *p = (ZipEntry){ .at = w->at, .size = header.length + tensor_bytes(t), .crc = crc_of(&header, t) };
    bool wide = is_wide(p->size);
    file_writer_u32(w, ZIP_LOCAL_SIGNATURE);
    put_common(w, name, p, wide, wide ? 20 : 0);
    file_writer_put(w, name, strlen(name));
    if (wide) {
      file_writer_u16(w, ZIP_EXTRA64);
      file_writer_u16(w, 16);
      put_sizes64(w, p);
    }
    file_writer_put(w, header.at, header.length);
    put_elements(w, t);
  }
  text_free(&header);
  return s == OK ? w->status : s;
}

static void put_entry(FileWriter *w, const char *name, const ZipEntry *p) {
  bool wide_size = is_wide(p->size), wide_at = is_wide(p->at);
  size_t fields = (wide_size ? 16 : 0) + (wide_at ? 8 : 0);
  file_writer_u32(w, ZIP_ENTRY_SIGNATURE);
  file_writer_u16(w, UNIX_FILE | VERSION);
  put_common(w, name, p, fields > 0, fields ? fields + 4 : 0);
  file_writer_u16(w, 0);                                  /* comment */
  file_writer_u16(w, 0);                                  /* disk */
  file_writer_u16(w, 0);
  file_writer_u32(w, 0600u << 16);                        /* a file's mode, as numpy.savez has it */
  file_writer_u32(w, narrow(p->at));
  file_writer_put(w, name, strlen(name));
  if (fields) {
    file_writer_u16(w, ZIP_EXTRA64);
    file_writer_u16(w, (uint16_t)fields);
  }
  if (wide_size) put_sizes64(w, p);
  if (wide_at) file_writer_u64(w, p->at);
}

static void put_end(FileWriter *w, uint64_t entries, uint64_t at, uint64_t size) {
  if (entries >= UINT16_MAX || is_wide(at) || is_wide(size)) {
    uint64_t here = w->at;
    file_writer_u32(w, ZIP_END64_SIGNATURE);
    file_writer_u64(w, ZIP_END64 - 12);
    file_writer_u16(w, UNIX_FILE | VERSION64);
    file_writer_u16(w, VERSION64);
    file_writer_u64(w, 0);                                /* disks */
    file_writer_u64(w, entries);
    file_writer_u64(w, entries);
    file_writer_u64(w, size);
    file_writer_u64(w, at);
    file_writer_u32(w, ZIP_LOCATOR64_SIGNATURE);
    file_writer_u32(w, 0);
    file_writer_u64(w, here);
    file_writer_u32(w, 1);
  }
  uint16_t few = entries >= UINT16_MAX ? UINT16_MAX : (uint16_t)entries;
  file_writer_u32(w, ZIP_END_SIGNATURE);
  file_writer_u32(w, 0);                                  /* disks */
  file_writer_u16(w, few);
  file_writer_u16(w, few);
  file_writer_u32(w, narrow(size));
  file_writer_u32(w, narrow(at));
  file_writer_u16(w, 0);                                  /* comment */
}

static Status put_archive(FileWriter *w, const void *what) {
  const Arrays *a = what;
  char name[LIMIT_NAME + 8];
  ZipEntry *placed = object_new((size_t)(a->n + 1) * sizeof *placed);
  Status s = placed ? OK : no_memory("archive");
  for (int64_t i = 0; i < a->n && s == OK; i++) {
    name_of(a, i, name, sizeof name);
    s = put_member(w, &a->tensor[i], name, &placed[i]);
  }
  uint64_t at = w->at;
  for (int64_t i = 0; i < a->n && s == OK; i++) {
    name_of(a, i, name, sizeof name);
    put_entry(w, name, &placed[i]);
  }
  if (s == OK) put_end(w, (uint64_t)a->n, at, w->at - at);
  object_free(placed);
  return s == OK ? w->status : s;
}

Status npz_save(const char *path, const Arrays *a) {
  for (int64_t i = 0; i < a->n; i++)
    if (a->name[i] && strlen(a->name[i]) > LIMIT_NAME - 4)
      return fail("%s: name %" PRId64 ": expected at most %d bytes, got %zu", path, i, LIMIT_NAME - 4,
                  strlen(a->name[i]));
  return whole_file_save(path, put_archive, a);
}
