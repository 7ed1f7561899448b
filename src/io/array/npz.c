/* npz.c - reading zip archives of arrays. Writing is in npz_save.c.
**
** The central directory at the end of the file is authoritative. Each local header must agree with it, members may not
** overlap, and a member may not be larger than deflate can unpack from its bytes. Names are never used as paths.
*/
#include "io/array/npz.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/threads/parallel_for.h"
#include "io/file/file_limits.h"
#include "io/array/npy.h"
#include "io/array/zip_records.h"

typedef struct ZipMember {
  char name[LIMIT_NAME + 1];
  uint16_t flags, method;
  uint32_t crc;
  uint64_t packed, size, header;      /* bytes in the archive; bytes unpacked; offset of the local header */
  uint64_t data;                      /* offset of the packed bytes */
} ZipMember;

/* ---- The directory ---------------------------------------------------------------------------- */

typedef struct Directory { uint64_t at, size, entries; } Directory;

static Status read_record(FileReader *r, const char *what, uint32_t signature, void *to, size_t n) {
  uint64_t at = r->at;
  uint32_t got;
  TRY(file_reader_take(r, to, n, what));
  memcpy(&got, to, sizeof got);
  if (got != signature)
    return file_reader_wrong(r, at, what, "expected 0x%08" PRIx32 ", got 0x%08" PRIx32, signature, got);
  return OK;
}

/* Reads the 64-bit form of the end record, if the plain one requires it. */
static Status read_end64(FileReader *r, uint64_t end, Directory *d, uint64_t *directory_end) {
  ZipLocator64 locator;
  ZipEnd64 record;
  if (end < sizeof locator)
    return file_reader_wrong(r, end, "end of the archive", "expected a 64-bit locator before it");
  TRY(file_reader_seek(r, end - sizeof locator, "64-bit locator"));
  TRY(read_record(r, "64-bit locator", ZIP_LOCATOR64_SIGNATURE, &locator, sizeof locator));
  TRY(file_reader_seek(r, locator.end64, "64-bit end of the archive"));
  *directory_end = r->at;
  TRY(read_record(r, "64-bit end of the archive", ZIP_END64_SIGNATURE, &record, sizeof record));
  *d = (Directory){ .at = record.at, .size = record.size, .entries = record.entries };
  return OK;
}

static Status find_directory(FileReader *r, Directory *d) {
  ZipEnd record;
  const size_t most = sizeof record + UINT16_MAX, n = r->size < most ? (size_t)r->size : most;
  if (n < sizeof record)
    return file_reader_wrong(r, 0, "end of the archive", "expected %zu bytes, got %zu (the file is cut off)",
                             sizeof record, n);
  TRY(file_reader_seek(r, r->size - n, "end of the archive"));
  unsigned char *tail = object_new(n);
  if (!tail) return no_memory("end of an archive");
  Status s = file_reader_take(r, tail, n, "end of the archive");
  bool found = false;
  size_t at = n - sizeof record + 1;
  while (s == OK && !found && at-- > 0) {
    memcpy(&record, tail + at, sizeof record);
    found = record.signature == ZIP_END_SIGNATURE && record.comment == n - at - sizeof record;
  }
  object_free(tail);
  TRY(s);
  if (!found)
    return file_reader_wrong(r, r->size, "end of the archive",
                             "expected a zip archive's, got none (the file is cut off)");
  uint64_t end = r->size - n + at, directory_end = end;
  *d = (Directory){ .at = record.at, .size = record.size, .entries = record.entries };
  if (record.disk != 0 || record.directory_disk != 0)
    return file_reader_wrong(r, end, "disks", "expected an archive in one file");
  if (d->at == UINT32_MAX || d->size == UINT32_MAX || d->entries == UINT16_MAX)
    TRY(read_end64(r, end, d, &directory_end));
  uint64_t sum;
  if (__builtin_add_overflow(d->at, d->size, &sum) || sum != directory_end)
    return file_reader_wrong(r, end, "directory",
                             "expected it to end at %" PRIu64 ", got %" PRIu64 " and %" PRIu64 " bytes", directory_end,
                             d->at, d->size);
  const uint64_t possible = d->size / sizeof(ZipEntry);
  if (d->entries > possible)
    return file_reader_wrong(r, end, "members", "expected at most %" PRIu64 ", got %" PRIu64, possible, d->entries);
  return OK;
}

/* Reads those of size, packed size and offset whose 32-bit field is all ones, in this order, from the extra field with
** tag 1. */
static Status read_wide(const FileReader *r, uint64_t at, const unsigned char *extra, size_t n, ZipMember *m) {
  uint64_t *fields[] = { &m->size, &m->packed, &m->header };
  while (n >= 4) {
    uint16_t head[2];                   /* tag, length */
    memcpy(head, extra, sizeof head);
    const size_t length = head[1];
    if (length > n - 4) break;
    if (head[0] == ZIP_EXTRA64) {
      const unsigned char *value = extra + 4, *end = value + length;
      for (int i = 0; i < 3; i++) {
        if (*fields[i] != UINT32_MAX || end - value < 8) continue;
        memcpy(fields[i], value, 8);
        value += 8;
      }
      return OK;
    }
    extra += 4 + length;
    n -= 4 + length;
  }
  if (m->size == UINT32_MAX || m->packed == UINT32_MAX || m->header == UINT32_MAX)
    return file_reader_wrong(r, at, "sizes", "expected 64-bit ones in the extra field");
  return OK;
}

static Status read_entry(FileReader *r, ZipMember *m) {
  ZipEntry e;
  unsigned char extra[UINT16_MAX];
  uint64_t at = r->at;
  TRY(read_record(r, "directory entry", ZIP_ENTRY_SIGNATURE, &e, sizeof e));
  const ZipFields *f = &e.fields;
  *m = (ZipMember){
    .flags = f->flags, .method = f->method, .crc = f->crc, .packed = f->packed, .size = f->size, .header = e.local
  };
  if (f->name > LIMIT_NAME)
    return file_reader_wrong(r, at, "name", "expected at most %d bytes, got %d", LIMIT_NAME, f->name);
  TRY(file_reader_take(r, m->name, f->name, "name"));
  if (memchr(m->name, '\0', f->name)) return file_reader_wrong(r, at, "name", "expected no zero byte in a name");
  TRY(file_reader_take(r, extra, f->extra, "extra field"));
  TRY(read_wide(r, at, extra, f->extra, m));
  TRY(file_reader_take(r, extra, e.comment, "comment"));
  if (m->flags & ZIP_ENCRYPTED)
    return file_reader_wrong(r, at, m->name, "expected a member without a password, got an encrypted one");
  if (m->method != ZIP_STORED && m->method != ZIP_DEFLATED)
    return file_reader_wrong(r, at, m->name, "expected a stored or deflated member, got method %d", m->method);
  return OK;
}

/* ---- Members ------------------------------------------------------------------------------------ */

/* Finds the data after the local header, which must agree with the directory. The previous member ends at
** `previous`. */
static Status check_member(FileReader *r, ZipMember *m, uint64_t previous, uint64_t end) {
  ZipLocal local;
  char name[LIMIT_NAME];
  size_t length = strlen(m->name);
  if (m->header < previous || m->header > end)
    return file_reader_wrong(r, m->header, m->name,
                             "expected it from %" PRIu64 " to %" PRIu64 " (members may not overlap)", previous, end);
  TRY(file_reader_seek(r, m->header, "local header"));
  TRY(read_record(r, "local header", ZIP_LOCAL_SIGNATURE, &local, sizeof local));
  if (local.fields.method != m->method || local.fields.name != length)
    return file_reader_wrong(r, m->header, m->name,
                             "expected a local header that agrees with the directory, got another one");
  TRY(file_reader_take(r, name, length, "name"));
  if (memcmp(name, m->name, length) != 0)
    return file_reader_wrong(r, m->header, m->name, "expected the name in the directory, got '%.*s'", (int)length,
                             name);
  m->data = r->at + local.fields.extra;
  if (m->data > end || m->packed > end - m->data)
    return file_reader_wrong(r, m->header, m->name, "expected %" PRIu64 " bytes, got %" PRIu64, m->packed,
                             m->data > end ? 0 : end - m->data);
  bool fits = m->method == ZIP_STORED ? m->size == m->packed : m->size / LIMIT_INFLATE <= m->packed;
  if (!fits)
    return file_reader_wrong(r, m->header, m->name,
                             "expected a size that %" PRIu64 " packed bytes can have, got %" PRIu64, m->packed,
                             m->size);
  return OK;
}

enum { PACKED = 1 << 15 };

/* The source of a member's reader: the archive, through zlib if the member is deflated. */
typedef struct Unpacker {
  FileReader reader;          /* of the unpacked bytes */
  FileReader *archive;
  const ZipMember *member;
  z_stream z;
  uint64_t left;              /* packed bytes not yet given to zlib */
  uint32_t crc;
  bool ended;
  unsigned char packed[PACKED];
} Unpacker;

static Status damaged(const Unpacker *u, const char *what) {
  return file_reader_wrong(u->archive, u->archive->at, u->member->name, "expected undamaged data, got %s", what);
}

static Status refill(Unpacker *u) {
  size_t n = u->left < PACKED ? (size_t)u->left : PACKED;
  if (n == 0) return damaged(u, "too little");
  if (interrupted()) return interrupt_status();
  TRY(file_reader_take(u->archive, u->packed, n, u->member->name));
  u->left -= n;
  u->z.next_in = u->packed;
  u->z.avail_in = (uInt)n;
  return OK;
}

static Status inflate_once(Unpacker *u) {
  if (u->z.avail_in == 0) TRY(refill(u));
  int result = inflate(&u->z, Z_NO_FLUSH);
  u->ended = result == Z_STREAM_END;
  if (result == Z_MEM_ERROR) return no_memory("unpacking");
  return result == Z_OK || u->ended ? OK : damaged(u, u->z.msg ? u->z.msg : "data that zlib rejects");
}

static Status inflate_some(Unpacker *u, void *to, size_t n) {
  u->z.next_out = to;
  u->z.avail_out = (uInt)n;
  while (u->z.avail_out > 0) {
    if (u->ended) return damaged(u, "too little");
    TRY(inflate_once(u));
  }
  return OK;
}

static Status read_unpacked(FileReader *r, uint64_t offset, void *to, size_t n) {
  Unpacker *u = (Unpacker *)r->source;
  (void)offset;                                    /* always the next bytes */
  for (unsigned char *at = to; n > 0;) {
    size_t some = n < 1 << 30 ? n : 1 << 30;
    if (u->member->method == ZIP_STORED) TRY(file_reader_take(u->archive, at, some, u->member->name));
    else TRY(inflate_some(u, at, some));
    u->crc = (uint32_t)crc32(u->crc, at, (uInt)some);
    at += some;
    n -= some;
  }
  return OK;
}

/* Checks that the stream ends with the array, without remaining packed bytes. */
static Status check_end(Unpacker *u) {
  unsigned char more;
  u->z.next_out = &more;
  u->z.avail_out = 1;
  while (u->member->method == ZIP_DEFLATED && !u->ended) {
    TRY(inflate_once(u));
    if (u->z.avail_out == 0) return damaged(u, "more than the directory says");
  }
  if (u->member->method == ZIP_DEFLATED && (u->left > 0 || u->z.avail_in > 0)) return damaged(u, "bytes after its end");
  if (u->crc != u->member->crc) return damaged(u, "a different checksum (CRC)");
  return OK;
}

/* Reads the rest of a member, to check its checksum. */
static Status pass_over(Unpacker *u, FileReader *r) {
  unsigned char some[4096];
  while (file_reader_left(r) > 0) {
    const uint64_t n = file_reader_left(r) < sizeof some ? file_reader_left(r) : sizeof some;
    TRY(file_reader_take(r, some, n, "data"));
  }
  return check_end(u);
}

/* *left_out: the member is undamaged but unsupported, for the reason in the error's text. */
static Status unpack(Unpacker *u, Tensor *out, bool *left_out) {
  FileReader *r = &u->reader;
  char label[256], why[1024];
  snprintf(label, sizeof label, "%.180s: %.60s", u->archive->name, u->member->name);
  *r = (FileReader){ .name = label, .size = u->member->size, .read = read_unpacked, .source = u, .fd = -1 };
  TRY(file_reader_seek(u->archive, u->member->data, u->member->name));
  u->left = u->member->packed;
  u->crc = (uint32_t)crc32(0, NULL, 0);
  const size_t length = strlen(u->member->name);
  Status s;
  if (length >= 4 && strcmp(u->member->name + length - 4, ".npy") == 0) {
    s = npy_load(r, out, left_out);
  } else {
    *left_out = true;
    s = file_reader_wrong(u->archive, u->member->header, u->member->name, "expected a member whose name ends in .npy");
  }
  if (s == OK && (s = check_end(u)) != OK) tensor_release(out);
  if (!*left_out) return s;
  snprintf(why, sizeof why, "%s", status_text());
  Status rest = pass_over(u, r);
  *left_out = rest == OK;
  return rest == OK ? fail("%s", why) : rest;
}

/* Reads a member. Its unpacker is too large for the stack. */
static Status read_member(FileReader *archive, const ZipMember *m, Tensor *out, bool *left_out) {
  Unpacker *u = object_new(sizeof *u);
  if (!u) return no_memory("unpacking");
  u->archive = archive;
  u->member = m;
  const bool starts = m->method == ZIP_STORED || inflateInit2(&u->z, -MAX_WBITS) == Z_OK;
  Status s = starts ? unpack(u, out, left_out) : no_memory("unpacking");
  if (m->method == ZIP_DEFLATED) inflateEnd(&u->z);
  object_free(u);
  return s;
}

enum { SAID = 8 };                         /* maximum number of omitted members named */

static Status add_member(FileReader *r, const ZipMember *m, Arrays *out) {
  bool left_out = false;
  Tensor t;
  const Status s = read_member(r, m, &t, &left_out);
  if (s == OK) return arrays_add(out, &t, m->name, strlen(m->name) - 4);
  if (!left_out) return s;
  if (++out->n_left_out > SAID) return OK;
  const char *why = status_text();
  const size_t file = strlen(r->name);
  if (strncmp(why, r->name, file) == 0 && why[file] == ':') why += file + 2;
  text_format(&out->left_out, "%s%s", out->n_left_out > 1 ? "; " : "", why);
  return text_status(&out->left_out);
}

/* Completes the text about members left out. If all were, fails with it. */
static Status check_left_out(const FileReader *r, Arrays *a) {
  if (a->n == 0 && a->n_left_out > 0) return fail("%s: %s", r->name, a->left_out.at);
  if (a->n_left_out > SAID) text_format(&a->left_out, "; and %" PRId64 " more", a->n_left_out - SAID);
  return text_status(&a->left_out);
}

static Status read_members(FileReader *r, ZipMember *m, Arrays *out) {
  Directory d = { 0 };
  uint64_t previous = 0;
  TRY(find_directory(r, &d));
  uint64_t at = d.at, end = d.at + d.size;
  for (uint64_t i = 0; i < d.entries; i++) {
    TRY(file_reader_seek(r, at, "directory"));
    TRY(read_entry(r, m));
    at = r->at;
    TRY(check_member(r, m, previous, d.at));
    TRY(add_member(r, m, out));
    previous = m->data + m->packed;
  }
  if (at != end)
    return file_reader_wrong(r, at, "directory", "expected its end, got %" PRIu64 " bytes more",
                             end > at ? end - at : 0);
  TRY(check_left_out(r, out));
  return arrays_check_names(out, r);
}

Status npz_load(FileReader *r, Arrays *out) {
  *out = (Arrays){ 0 };
  ZipMember *m = object_new(sizeof *m);
  Status s = m ? read_members(r, m, out) : no_memory("archive");
  object_free(m);
  return s;
}
