/* file_limits.h - how much a file may ask of us before we refuse it.
**
** Every loader checks what a file claims against these and against the size of the file
** itself before anything is allocated: an array's bytes must lie in the file, so that
** loading takes at most twice the file's size and a megabyte (what zlib unpacks: at most
** LIMIT_INFLATE times its packed bytes). MAX_DIMS and MAX_ELEMENTS of tensor/shape.h
** hold for files too.
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
  LIMIT_JPEG_BLOCKS = 8,         /* of 8 x 8 pixels in a byte: each takes a bit or more */
  LIMIT_JPEG_SCANS = 256,        /* of a progressive one: each goes over the whole picture */
  LIMIT_INFLATE = 1032           /* deflate cannot pack better */
};

#endif
