/* file_limits.h - limits on the content of files.
**
** Every loader checks the claims of a file against these limits and against the size of the file before it allocates.
** An array's bytes must be in the file, so loading needs at most twice the file's size and a megabyte (for data that
** zlib unpacks: LIMIT_INFLATE times the packed bytes). MAX_DIMS and MAX_ELEMENTS of tensor/shape.h apply too.
*/
#ifndef HL_IO_FILE_FILE_LIMITS_H
#define HL_IO_FILE_FILE_LIMITS_H

#define LIMIT_JSON_BYTES ((uint64_t)256 << 20)   /* holds LIMIT_NODES nodes in MXNet's layout */
#define LIMIT_CSV_BYTES ((uint64_t)16 << 30)
#define LIMIT_PICTURE_BYTES ((uint64_t)4 << 30)

enum {
  LIMIT_JSON_NESTING = 128,
  LIMIT_NODES = 1 << 20,
  LIMIT_NAME = 4096,             /* bytes of the name of a node, an array, an attribute */
  LIMIT_ATTRIBUTE = 65536,       /* bytes of the value of an attribute */
  LIMIT_ATTRIBUTES = 128,        /* attributes of a node */
  LIMIT_NPY_HEADER = 10000,
  LIMIT_PICTURE_SIDE = 1 << 20,  /* pixels: OpenCV's limits */
  LIMIT_PICTURE_PIXELS = 1 << 30,
  LIMIT_JPEG_BLOCKS = 8,         /* of 8 x 8 pixels per byte: each needs at least one bit */
  LIMIT_JPEG_SCANS = 256,        /* of a progressive JPEG: each covers the whole picture */
  LIMIT_INFLATE = 1032           /* deflate cannot pack better */
};

#endif
