/* picture.h - pictures: PNG and JPEG read, PNG written.
**
** A picture is a uint8 array (height, width, channels): red, green, blue, or one channel of gray. What a file claims is
** held against its size before anything is allocated, and a damaged or cut file is an error; nothing is made up for it.
** The formats are read by libpng and libjpeg (picture_png.c, picture_jpeg.c). A build without one of them says so in
** the error of what would need it.
**
** Both libraries are in every distribution, which fixes their vulnerabilities, and both are designed for untrusted
** files; stb_image, a single header, is not, by its own account. Each ends a failing call with a jump to a setjmp in
** the function around it, which passes no frames but the library's; memory that must be freed then belongs to that
** function's caller.
*/
#ifndef HL_IO_PICTURE_PICTURE_H
#define HL_IO_PICTURE_PICTURE_H

#include <setjmp.h>

#include "base/text_buffer.h"
#include "tensor/tensor.h"

typedef struct PictureWish {
  bool colour;               /* three channels, else one */
  bool blue_first;           /* blue, green, red */
} PictureWish;

/* From the bytes of a file; `name` is the file, for errors. */
Status picture_decode(const char *name, const void *bytes, size_t n, const PictureWish *wish, Tensor *out);
Status picture_load(const char *path, const PictureWish *wish, Tensor *out);

/* The bytes of a PNG file; and one. uint8 of shape (height, width) or (height, width, 1, 3 or 4 channels). */
Status picture_encode(const Tensor *t, Text *out);
Status picture_save(const char *path, const Tensor *t);

/* ---- For the readers of the formats ---- */

typedef struct PictureSource {
  const char *name;
  const unsigned char *at;   /* what is left of the file */
  size_t left, size;         /* bytes: left, and in all */
  Status status;             /* why the library's error was raised */
  jmp_buf back;              /* where it goes: into the function that called the library, over its frames only */
} PictureSource;

/* The array of a picture of this size. Refuses one that needs at least `bytes` of a file that is shorter. */
Status picture_new(const PictureSource *from, uint64_t width, uint64_t height, int channels, double bytes, Tensor *out);

/* Of n pixels red, green, blue the gray. */
void picture_gray(const unsigned char *rgb, unsigned char *gray, int64_t n);

Status picture_png_decode(PictureSource *from, bool colour, Tensor *out);
Status picture_jpeg_decode(PictureSource *from, bool colour, Tensor *out);

#endif
