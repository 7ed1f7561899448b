/* picture_png.c - PNG, by libpng.
**
** libpng ends a failing call with a jump to our setjmp, and allocates memory through our functions. Chunks other than
** pixel data are skipped, whatever size they claim. 16-bit channels become their upper 8 bits, and transparency is
** dropped, as in MXNet (OpenCV).
*/
#include "io/picture/picture.h"

#include <string.h>

#include "base/memory.h"
#include "base/threads/parallel_for.h"
#include "io/file/whole_file.h"
#include "io/file/file_limits.h"

#ifdef HL_PNG

#include <png.h>

static void on_error(png_structp png, png_const_charp text) {
  PictureSource *p = png_get_error_ptr(png);
  if (p->status == OK) p->status = fail("%s: PNG: %s (the file is damaged)", p->name, text);
  longjmp(p->back, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

/* Sets the status if memory runs out, before libpng reports this as one of its errors. */
static png_voidp take_memory(png_structp png, png_alloc_size_t n) {
  PictureSource *p = png_get_mem_ptr(png);
  void *memory = object_new(n);
  if (!memory && p->status == OK) p->status = no_memory("reading or writing a PNG");
  return memory;
}

static void give_memory(png_structp png, png_voidp memory) {
  (void)png;
  object_free(memory);
}

/* ---- Reading -------------------------------------------------------------------------------------------------- */

static void take_bytes(png_structp png, png_bytep to, size_t n) {
  PictureSource *p = png_get_io_ptr(png);
  if (n > p->left) {
    p->status = fail("%s: PNG: expected %zu bytes at offset %zu, got %zu (the file is cut off)", p->name, n,
                     p->size - p->left, p->left);
    longjmp(p->back, 1);
  }
  memcpy(to, p->at, n);
  p->at += n;
  p->left -= n;
}

/* Requests one byte per gray and three per coloured pixel; returns their number. */
static int ask_for_bytes(png_structp png, png_infop info) {
  int type = png_get_color_type(png, info);
  if (png_get_bit_depth(png, info) == 16) png_set_strip_16(png);
  if (type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
  if (type == PNG_COLOR_TYPE_GRAY) png_set_expand_gray_1_2_4_to_8(png);
  png_set_strip_alpha(png);
  return type & PNG_COLOR_MASK_COLOR ? 3 : 1;
}

static Status read_rows(png_structp png, int passes, Tensor *t) {
  size_t row = (size_t)(t->type.shape.dim[1] * t->type.shape.dim[2]);
  for (; passes > 0; passes--) {
    for (int64_t y = 0; y < t->type.shape.dim[0]; y++) {
      if (interrupted()) return interrupt_status();
      png_read_row(png, (unsigned char *)t->data + (size_t)y * row, NULL);
    }
  }
  return OK;
}

static Status read_picture(PictureSource *p, png_structp png, png_infop info, Tensor *t) {
  png_set_read_fn(png, p, take_bytes);
  png_set_user_limits(png, LIMIT_PICTURE_SIDE, LIMIT_PICTURE_SIDE);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_read_info(png, info);
  uint64_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
  double bits = (double)png_get_bit_depth(png, info) * png_get_channels(png, info);
  int channels = ask_for_bytes(png, info);
  TRY(picture_new(p, width, height, channels, (double)width * (double)height * bits / 8 / LIMIT_INFLATE, t));
  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  if (png_get_rowbytes(png, info) != width * (size_t)channels)
    return fail("%s: PNG: expected rows of %d channels, got others (the file is damaged)", p->name, channels);
  TRY(read_rows(png, passes, t));
  png_read_end(png, NULL);
  return p->status;
}

/* libpng's objects. They are not variables of the function with setjmp, so they keep their values after a jump. */
typedef struct Png { png_structp png; png_infop info; } Png;

static Status read_png(PictureSource *p, Png *f, Tensor *t) {
  if (setjmp(p->back) != 0) return p->status;
  f->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, p, on_error, on_warning, p, take_memory, give_memory);
  if (f->png) f->info = png_create_info_struct(f->png);
  return f->info ? read_picture(p, f->png, f->info, t) : no_memory("reading a PNG");
}

/* Converts gray to three channels, or three channels to gray. */
static Status change_channels(Tensor *t, int channels) {
  Type type = t->type;
  int64_t n = type.shape.dim[0] * type.shape.dim[1];
  const unsigned char *from = t->data;
  Tensor other;
  type.shape.dim[2] = channels;
  TRY(tensor_new(&type, DEVICE_HOST, &other));
  unsigned char *to = other.data;
  if (channels == 1) picture_gray(from, to, n);
  else
    for (int64_t i = 0; i < n; i++) memset(to + 3 * i, from[i], 3);
  tensor_release(t);
  *t = other;
  return OK;
}

Status picture_png_decode(PictureSource *p, bool colour, Tensor *out) {
  Png f = { 0 };
  Status s = read_png(p, &f, out);
  png_destroy_read_struct(&f.png, &f.info, NULL);
  int channels = colour ? 3 : 1;
  return s == OK && out->type.shape.dim[2] != channels ? change_channels(out, channels) : s;
}

/* ---- Writing -------------------------------------------------------------------------------------------------- */

typedef struct PngTarget {
  PictureSource p;
  FileWriter *w;                   /* this or `text` is used */
  Text *text;
  const unsigned char *palette;    /* or NULL */
} PngTarget;

static void put_bytes(png_structp png, png_bytep bytes, size_t n) {
  PngTarget *t = png_get_io_ptr(png);
  if (t->w) file_writer_put(t->w, bytes, n);
  else text_add(t->text, (const char *)bytes, n);
  t->p.status = t->w ? t->w->status : text_status(t->text);
  if (t->p.status == OK) return;
  longjmp(t->p.back, 1);
}

static void no_flush(png_structp png) { (void)png; }

static void set_palette(Png *f, const unsigned char *bytes) {
  enum { COLOURS = 256 };
  png_color colours[COLOURS];
  for (int i = 0; i < COLOURS; i++) colours[i] = (png_color){ bytes[3 * i], bytes[3 * i + 1], bytes[3 * i + 2] };
  png_set_PLTE(f->png, f->info, colours, COLOURS);
}

static Status write_png(PngTarget *to, Png *f, const Tensor *t) {
  static const int types[] = { 0, PNG_COLOR_TYPE_GRAY, 0, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA };
  PictureSource *p = &to->p;
  const int64_t *dim = t->type.shape.dim;
  int channels = t->type.shape.ndim == 3 ? (int)dim[2] : 1;
  if (setjmp(p->back) != 0) return p->status;
  f->png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, p, on_error, on_warning, p, take_memory, give_memory);
  if (f->png) f->info = png_create_info_struct(f->png);
  if (!f->info) return no_memory("writing a PNG");
  png_set_write_fn(f->png, to, put_bytes, no_flush);
  png_set_user_limits(f->png, LIMIT_PICTURE_SIDE, LIMIT_PICTURE_SIDE);
  png_set_IHDR(f->png, f->info, (png_uint_32)dim[1], (png_uint_32)dim[0], 8,
               to->palette ? PNG_COLOR_TYPE_PALETTE : types[channels], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  if (to->palette) set_palette(f, to->palette);
  png_write_info(f->png, f->info);
  for (int64_t y = 0; y < dim[0]; y++) {
    if (interrupted()) return interrupt_status();
    png_write_row(f->png, (const unsigned char *)t->data + y * dim[1] * channels);
  }
  png_write_end(f->png, NULL);
  return p->status;
}

static Status write_picture(PngTarget *to, const Tensor *t) {
  Png f = { 0 };
  Status s = write_png(to, &f, t);
  png_destroy_write_struct(&f.png, &f.info);
  return s;
}

static Status put_picture(FileWriter *w, const void *what) {
  return write_picture(&(PngTarget){ .p.name = w->name, .w = w }, what);
}

static Status check_writable(const Tensor *t) {
  const Shape *s = &t->type.shape;
  bool fits = s->ndim == 2 || (s->ndim == 3 && (s->dim[2] == 1 || s->dim[2] == 3 || s->dim[2] == 4));
  if (t->type.dtype != DT_UINT8)
    return fail("data: expected dtype uint8 (values from 0 to 255), got %s", dtype_name(t->type.dtype));
  if (!fits)
    return fail("data: expected (height, width) or (height, width, channels) with 1, 3 or 4 channels, got %s",
                shape_text(s));
  for (int i = 0; i < 2; i++)
    if (s->dim[i] < 1 || s->dim[i] > LIMIT_PICTURE_SIDE)
      return fail("data: expected a height and a width from 1 to %d, got %s", LIMIT_PICTURE_SIDE, shape_text(s));
  return OK;
}

Status picture_save(const char *path, const Tensor *t) {
  TRY(check_writable(t));
  return whole_file_save(path, put_picture, t);
}

Status picture_encode(const Tensor *t, const unsigned char *palette, Text *out) {
  TRY(check_writable(t));
  if (palette && t->type.shape.ndim == 3 && t->type.shape.dim[2] != 1)
    return fail("data: expected one channel of indices into the palette, got %s", shape_text(&t->type.shape));
  return write_picture(&(PngTarget){ .p.name = "picture", .text = out, .palette = palette }, t);
}

#else

static Status not_built(const char *name) {
  return fail("%s: PNG: this build has no libpng; install libpng-dev (Debian, Ubuntu) and run make again", name);
}

Status picture_png_decode(PictureSource *p, bool colour, Tensor *out) {
  (void)colour;
  (void)out;
  return not_built(p->name);
}

Status picture_save(const char *path, const Tensor *t) {
  (void)t;
  return not_built(path);
}

Status picture_encode(const Tensor *t, const unsigned char *palette, Text *out) {
  (void)t;
  (void)palette;
  (void)out;
  return not_built("picture");
}

#endif
