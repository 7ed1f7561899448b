/* npz_save.c - writing zip archives of arrays: for each member a local header and the .npy, without compression; then
** the directory. 64-bit fields are used only if 32 bits are too few.
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

/* A written member. */
typedef struct Placed {
  uint64_t at, size;
  uint32_t crc;
} Placed;

static void name_of(const Arrays *a, int64_t i, char *to, size_t capacity) {
  if (arrays_named(a)) snprintf(to, capacity, "%s.npy", a->at[i].name);
  else snprintf(to, capacity, "arr_%" PRId64 ".npy", i);
}

static bool is_wide(uint64_t x) { return x >= UINT32_MAX; }
static uint32_t narrow(uint64_t x) { return is_wide(x) ? UINT32_MAX : (uint32_t)x; }

static uint16_t flags_of(const char *name) {
  for (; *name; name++)
    if ((unsigned char)*name >= 0x80) return ZIP_UTF8;
  return 0;
}

static ZipFields fields_of(const char *name, const Placed *p, bool wide, size_t extra) {
  return (ZipFields){ .version = wide ? VERSION64 : VERSION,
                      .flags = flags_of(name),
                      .method = ZIP_STORED,
                      .date = DATE_1980,
                      .crc = p->crc,
                      .packed = narrow(p->size),
                      .size = narrow(p->size),
                      .name = (uint16_t)strlen(name),
                      .extra = (uint16_t)extra };
}

/* Begins an extra field of this many bytes, with the size twice if it needs 64 bits. */
static void put_extra64(FileWriter *w, const Placed *p, size_t bytes) {
  file_writer_u16(w, ZIP_EXTRA64);
  file_writer_u16(w, (uint16_t)bytes);
  if (is_wide(p->size)) {
    file_writer_u64(w, p->size);
    file_writer_u64(w, p->size);
  }
}

static uint32_t crc_of(const Text *header, const Tensor *t) {
  uLong crc = crc32(0, (const unsigned char *)header->at, (uInt)header->length);
  uint64_t piece[1 << 12];
  for (size_t at = 0, n; (n = written_bytes(t, at, sizeof piece, piece)) > 0; at += n)
    crc = crc32_z(crc, (const void *)piece, n);
  return (uint32_t)crc;
}

static Status put_member(FileWriter *w, const Tensor *t, const char *name, Placed *p) {
  Text header = { 0 };
  Status s = npy_header(&t->type, &header);
  if (s == OK) {
    *p = (Placed){ .at = w->at, .size = header.length + tensor_bytes(t), .crc = crc_of(&header, t) };
    bool wide = is_wide(p->size);
    const ZipLocal local = { ZIP_LOCAL_SIGNATURE, fields_of(name, p, wide, wide ? 20 : 0) };
    file_writer_put(w, &local, sizeof local);
    file_writer_put(w, name, strlen(name));
    if (wide) put_extra64(w, p, 16);
    file_writer_put(w, header.at, header.length);
    put_elements(w, t);
  }
  text_free(&header);
  return s == OK ? w->status : s;
}

static void put_entry(FileWriter *w, const char *name, const Placed *p) {
  bool wide_at = is_wide(p->at);
  size_t bytes = (is_wide(p->size) ? 16 : 0) + (wide_at ? 8 : 0);
  const ZipEntry entry = { .signature = ZIP_ENTRY_SIGNATURE,
                           .made_by = UNIX_FILE | VERSION,
                           .fields = fields_of(name, p, bytes > 0, bytes ? bytes + 4 : 0),
                           .external = 0600u << 16,      /* as by numpy.savez */
                           .local = narrow(p->at) };
  file_writer_put(w, &entry, sizeof entry);
  file_writer_put(w, name, strlen(name));
  if (bytes) put_extra64(w, p, bytes);
  if (wide_at) file_writer_u64(w, p->at);
}

static void put_end(FileWriter *w, uint64_t entries, uint64_t at, uint64_t size) {
  if (entries >= UINT16_MAX || is_wide(at) || is_wide(size)) {
    const ZipLocator64 locator = { .signature = ZIP_LOCATOR64_SIGNATURE, .end64 = w->at, .disks = 1 };
    const ZipEnd64 end64 = { .signature = ZIP_END64_SIGNATURE,
                             .left = sizeof end64 - 12,
                             .made_by = UNIX_FILE | VERSION64,
                             .version = VERSION64,
                             .entries_here = entries,
                             .entries = entries,
                             .size = size,
                             .at = at };
    file_writer_put(w, &end64, sizeof end64);
    file_writer_put(w, &locator, sizeof locator);
  }
  uint16_t few = entries >= UINT16_MAX ? UINT16_MAX : (uint16_t)entries;
  const ZipEnd end = { ZIP_END_SIGNATURE, .entries_here = few, .entries = few, .size = narrow(size), .at = narrow(at) };
  file_writer_put(w, &end, sizeof end);
}

static Status put_archive(FileWriter *w, const void *what) {
  const Arrays *a = what;
  char name[LIMIT_NAME + 8];
  Placed *placed = object_new((size_t)(a->n + 1) * sizeof *placed);
  Status s = placed ? OK : no_memory("archive");
  for (int64_t i = 0; i < a->n && s == OK; i++) {
    name_of(a, i, name, sizeof name);
    s = put_member(w, &a->at[i].tensor, name, &placed[i]);
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
    if (a->at[i].name && strlen(a->at[i].name) > LIMIT_NAME - 4)
      return fail("%s: name %" PRId64 ": expected at most %d bytes, got %zu", path, i, LIMIT_NAME - 4,
                  strlen(a->at[i].name));
  return whole_file_save(path, put_archive, a);
}
