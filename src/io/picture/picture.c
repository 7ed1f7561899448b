/* picture.c - see picture.h. */
#include "io/picture/picture.h"

#include <inttypes.h>
#include <string.h>

#include "base/threads/parallel_for.h"
#include "io/file/whole_file.h"
#include "io/file/file_limits.h"

Status picture_new(const PictureSource *from, uint64_t width, uint64_t height, int channels, double bytes,
                   Tensor *out) {
  const Type type = { .dtype = DT_UINT8, .shape = { 3, { (int64_t)height, (int64_t)width, channels } } };
  if (width < 1 || height < 1 || width > LIMIT_PICTURE_SIDE || height > LIMIT_PICTURE_SIDE ||
      width * height > LIMIT_PICTURE_PIXELS)
    return fail("%s: size: expected at most %d pixels along a side and %d in all, got %" PRIu64 " x %" PRIu64,
                from->name, LIMIT_PICTURE_SIDE, LIMIT_PICTURE_PIXELS, width, height);
  if (bytes > (double)from->size)
    return fail("%s: size: expected a picture that fits into %zu bytes, got %" PRIu64 " x %" PRIu64
                " pixels (the file is cut off or damaged)",
                from->name, from->size, width, height);
  return tensor_new(&type, DEVICE_HOST, out);
}

/* With the 15-bit weights of OpenCV and libpng. */
void picture_gray(const unsigned char *rgb, unsigned char *gray, int64_t n) {
  for (int64_t i = 0; i < n; i++, rgb += 3)
    gray[i] = (unsigned char)((rgb[0] * 9798 + rgb[1] * 19235 + rgb[2] * 3735) >> 15);
}

static void exchange_red_and_blue(Tensor *t) {
  unsigned char *p = t->data;
  for (int64_t i = 0, n = tensor_size(t); i < n; i += 3) {
    unsigned char red = p[i];
    p[i] = p[i + 2];
    p[i + 2] = red;
  }
}

Status picture_decode(const char *name, const void *bytes, size_t n, const PictureWish *wish, Tensor *out) {
  static const unsigned char png[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' }, jpeg[3] = { 0xff, 0xd8, 0xff };
  PictureSource from = { .name = name, .at = bytes, .left = n, .size = n };
  Status s;
  *out = NO_TENSOR;
  if (n >= sizeof png && memcmp(bytes, png, sizeof png) == 0) s = picture_png_decode(&from, wish->colour, out);
  else if (n >= sizeof jpeg && memcmp(bytes, jpeg, sizeof jpeg) == 0) s = picture_jpeg_decode(&from, wish->colour, out);
  else s = fail("%s: expected a PNG or JPEG picture, got %s", name, n == 0 ? "nothing" : "another kind of file");
  if (s != OK) tensor_release(out);
  else if (wish->colour && wish->blue_first) exchange_red_and_blue(out);
  return s;
}

Status picture_load(const char *path, const PictureWish *wish, Tensor *out) {
  FileBytes file;
  *out = NO_TENSOR;
  TRY(whole_file_read(path, LIMIT_PICTURE_BYTES, &file));
  Status s = picture_decode(path, file.at, file.n, wish, out);
  file_bytes_free(&file);
  return s;
}
