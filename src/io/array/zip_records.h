/* zip_records.h - the records of zip archives, laid out as in files. */
#ifndef HL_IO_ARRAY_ZIP_RECORDS_H
#define HL_IO_ARRAY_ZIP_RECORDS_H

#include <stdint.h>

enum { ZIP_STORED = 0, ZIP_DEFLATED = 8 };           /* methods */
enum { ZIP_ENCRYPTED = 1, ZIP_UTF8 = 1 << 11 };      /* flags */
enum { ZIP_EXTRA64 = 1 };                            /* tag of the extra field with 64-bit sizes */

#define ZIP_LOCAL_SIGNATURE 0x04034b50u
#define ZIP_ENTRY_SIGNATURE 0x02014b50u
#define ZIP_END_SIGNATURE 0x06054b50u
#define ZIP_END64_SIGNATURE 0x06064b50u
#define ZIP_LOCATOR64_SIGNATURE 0x07064b50u

#define ZIP_RECORD __attribute__((packed))

/* The fields that local headers and directory entries share. */
typedef struct ZipFields {
  uint16_t version, flags, method, time, date;
  uint32_t crc, packed, size;
  uint16_t name, extra;           /* bytes that follow the record */
} ZIP_RECORD ZipFields;

typedef struct ZipLocal { uint32_t signature; ZipFields fields; } ZIP_RECORD ZipLocal;

typedef struct ZipEntry {
  uint32_t signature;
  uint16_t made_by;
  ZipFields fields;
  uint16_t comment, disk, internal;
  uint32_t external, local;       /* the file's mode; the offset of the local header */
} ZIP_RECORD ZipEntry;

typedef struct ZipEnd {
  uint32_t signature;
  uint16_t disk, directory_disk, entries_here, entries;
  uint32_t size, at;              /* of the directory */
  uint16_t comment;
} ZIP_RECORD ZipEnd;

typedef struct ZipEnd64 {
  uint32_t signature;
  uint64_t left;                  /* bytes of the record after this field */
  uint16_t made_by, version;
  uint32_t disk, directory_disk;
  uint64_t entries_here, entries, size, at;
} ZIP_RECORD ZipEnd64;

typedef struct ZipLocator64 { uint32_t signature, disk; uint64_t end64; uint32_t disks; } ZIP_RECORD ZipLocator64;

#endif
