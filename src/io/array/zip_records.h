/* zip_records.h - the records of zip archives: their sizes, signatures, and little-endian fields. */
#ifndef HL_IO_ARRAY_ZIP_RECORDS_H
#define HL_IO_ARRAY_ZIP_RECORDS_H

#include <stdint.h>
#include <string.h>

enum {
  ZIP_LOCAL = 30,
  ZIP_ENTRY = 46,
  ZIP_END = 22,
  ZIP_END64 = 56,
  ZIP_LOCATOR64 = 20, /* bytes without names, extras */
  ZIP_STORED = 0,
  ZIP_DEFLATED = 8,           /* methods */
  ZIP_ENCRYPTED = 1,
  ZIP_UTF8 = 1 << 11,      /* flags */
  ZIP_EXTRA64 = 1                             /* tag of the extra field with 64-bit sizes */
};

#define ZIP_LOCAL_SIGNATURE 0x04034b50u
#define ZIP_ENTRY_SIGNATURE 0x02014b50u
#define ZIP_END_SIGNATURE 0x06054b50u
#define ZIP_END64_SIGNATURE 0x06064b50u
#define ZIP_LOCATOR64_SIGNATURE 0x07064b50u

static inline uint16_t zip_u16(const unsigned char *at) {
  uint16_t x;
  memcpy(&x, at, sizeof x);
  return x;
}
static inline uint32_t zip_u32(const unsigned char *at) {
  uint32_t x;
  memcpy(&x, at, sizeof x);
  return x;
}
static inline uint64_t zip_u64(const unsigned char *at) {
  uint64_t x;
  memcpy(&x, at, sizeof x);
  return x;
}

#endif
