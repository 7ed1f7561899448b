/* file_checksum.h - a 64-bit hash of a run of bytes, to detect a damaged file.
**
** Four lanes consume 8-byte words in turn. Each step is a bijection of the lane for a given word and of the word for a
** given lane, and so is the final combination of the lanes: a change within one word (a flipped bit, a wrong byte)
** always changes the result. It is not cryptographic: it detects accidents, not intent.
*/
#ifndef HL_IO_FILE_FILE_CHECKSUM_H
#define HL_IO_FILE_FILE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

enum { CHECKSUM_LANES = 4, CHECKSUM_BLOCK = 8 * CHECKSUM_LANES };

typedef struct Checksum {
  uint64_t lane[CHECKSUM_LANES];
  uint64_t length;
  unsigned char rest[CHECKSUM_BLOCK];    /* the last length % CHECKSUM_BLOCK bytes, an incomplete block */
} Checksum;

Checksum checksum_new(void);
void checksum_add(Checksum *c, const void *bytes, size_t n);
uint64_t checksum_value(const Checksum *c);    /* never 0 */

#endif
