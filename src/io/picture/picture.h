/* picture.h - pictures: PNG and JPEG read, PNG written.
**
** A picture is a uint8 array (height, width, channels): red, green, blue, or one channel of gray. The size that a file
** claims is checked against its length before memory is allocated. A damaged or truncated file is an error; no pixels
** are invented. libpng and libjpeg read the formats (picture_png.c, picture_jpeg.c). In a build without one of them,
** functions that need it fail with advice.
**
** Both libraries are in every distribution, which patches their vulnerabilities, and both are designed for untrusted
** files; stb_image, a single header, is not, by its own account. Each ends a failing call with a longjmp to a setjmp in
** our calling function, over frames of the library only; memory to be freed then is owned by that function's caller.
*/
#ifndef HL_IO_PICTURE_PICTURE_H
#define HL_IO_PICTURE_PICTURE_H

#include <setjmp.h>

#include "base/text_buffer.h"
#include "tensor/tensor.h"

typedef struct PictureWish {
  bool colour;               /* three channels instead of one */
  bool blue_first;           /* blue, green, red */
} PictureWish;

/* Reads a picture from the bytes of a file; `name` is used in errors. */
Status picture_decode(const char *name, const void *bytes, size_t n, const PictureWish *wish, Tensor *out);
Status picture_load(const char *path, const PictureWish *wish, Tensor *out);

/* Write a PNG, to a text and to a file. t is uint8 of shape (height, width) or (height, width, 1, 3 or 4 channels).
** palette: NULL, or 256 colours of three bytes, to which the values of a t with one channel are indices. */
Status picture_encode(const Tensor *t, const unsigned char *palette, Text *out);
Status picture_save(const char *path, const Tensor *t);

/* ---- For the readers of the formats ---- */

typedef struct PictureSource {
  const char *name;
  const unsigned char *at;   /* the rest of the file */
  size_t left, size;         /* its bytes; total bytes of the file */
  Status status;             /* the reason of the library's error */
  jmp_buf back;              /* its target, in the function that called the library */
} PictureSource;

/* Makes the array of a picture of this size. Fails if the file is shorter than `bytes`, the least that it needs. */
Status picture_new(const PictureSource *from, uint64_t width, uint64_t height, int channels, double bytes, Tensor *out);

/* Converts n pixels from red, green, blue to gray. */
void picture_gray(const unsigned char *rgb, unsigned char *gray, int64_t n);

Status picture_png_decode(PictureSource *from, bool colour, Tensor *out);
Status picture_jpeg_decode(PictureSource *from, bool colour, Tensor *out);

#endif
