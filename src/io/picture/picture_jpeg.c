/* picture_jpeg.c - JPEG, by libjpeg (libjpeg-turbo).
**
** libjpeg ends a failing call through our error_exit, which jumps back to our setjmp. For many kinds of damage it only
** warns and invents pixels; here these are errors, except for warnings that change no pixel. Arithmetic coding is
** rejected: few programs read it, and with it the size of a file would not limit that of the picture. The orientation
** (Exif) is ignored, as in MXNet.
*/
#include "io/picture/picture.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads/parallel_for.h"
#include "io/file/file_limits.h"

#ifdef HL_JPEG

#include <jpeglib.h>
#include <jerror.h>

typedef struct Jpeg {
  struct jpeg_decompress_struct info;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  PictureSource *p;
  unsigned char *row;          /* buffer for a row that needs a conversion */
  size_t row_bytes;
} Jpeg;

static Jpeg *jpeg_of(void *info) { return ((j_common_ptr)info)->client_data; }

/* ---- What libjpeg calls --------------------------------------------------------------------------------------- */

static void on_error(j_common_ptr info) {
  PictureSource *p = jpeg_of(info)->p;
  char text[JMSG_LENGTH_MAX];
  info->err->format_message(info, text);
  if (info->err->msg_code == JERR_OUT_OF_MEMORY) p->status = no_memory("reading a JPEG");
  else if (p->status == OK) p->status = fail("%s: JPEG: %s (the file is damaged)", p->name, text);
  longjmp(p->back, 1);
}

/* Level -1 is a warning. Ignored warnings change no pixel. */
static void on_message(j_common_ptr info, int level) {
  int code = info->err->msg_code;
  if (level >= 0 || code == JWRN_EXTRANEOUS_DATA || code == JWRN_ADOBE_XFORM || code == JWRN_JFIF_MAJOR ||
      code == JWRN_TOO_MUCH_DATA)
    return;
  on_error(info);
}

static void no_output(j_common_ptr info) { (void)info; }

static void no_source(j_decompress_ptr info) { (void)info; }

static boolean out_of_bytes(j_decompress_ptr info) {
  PictureSource *p = jpeg_of(info)->p;
  p->status = fail("%s: JPEG: expected more after offset %zu, got the end (the file is cut off)", p->name, p->size);
  longjmp(p->back, 1);
}

static void skip_bytes(j_decompress_ptr info, long n) {
  if (n <= 0) return;
  if ((size_t)n > info->src->bytes_in_buffer) out_of_bytes(info);
  info->src->next_input_byte += n;
  info->src->bytes_in_buffer -= (size_t)n;
}

static void on_progress(j_common_ptr info) {
  PictureSource *p = jpeg_of(info)->p;
  if (interrupted()) p->status = interrupt_status();
  else if (((j_decompress_ptr)info)->input_scan_number > LIMIT_JPEG_SCANS)
    p->status = fail("%s: JPEG: expected at most %d scans, got more", p->name, LIMIT_JPEG_SCANS);
  if (p->status != OK) longjmp(p->back, 1);
}

/* ---- Reading -------------------------------------------------------------------------------------------------- */

/* Checks that there is memory for a progressive JPEG, which libjpeg keeps in its own memory, two bytes per
** coefficient. */
static Status check_memory(const Jpeg *j) {
  const struct jpeg_decompress_struct *info = &j->info;
  double need = 2.0 * info->image_width * info->image_height * info->num_components;
  MemoryCounters m = memory_counters();
  if (!info->progressive_mode || need <= (double)(m.budget - m.live)) return OK;
  return fail_as(E_MEMORY, "out of memory: a progressive JPEG of %u x %u needs %.0f MiB", info->image_width,
                 info->image_height, need / (1 << 20));
}

/* Converts inverted CMYK, as Adobe writes it, like OpenCV. */
static void from_ink(const unsigned char *ink, unsigned char *rgb, int64_t n) {
  for (int64_t i = 0; i < n; i++, ink += 4, rgb += 3)
    for (int k = 0; k < 3; k++) rgb[k] = (unsigned char)(ink[3] - ((255 - ink[k]) * ink[3] >> 8));
}

/* Gray with rounded 14-bit weights, like OpenCV for CMYK. */
static void gray_from_ink(const unsigned char *rgb, unsigned char *gray, int64_t n) {
  for (int64_t i = 0; i < n; i++, rgb += 3)
    gray[i] = (unsigned char)((rgb[0] * 4899 + rgb[1] * 9617 + rgb[2] * 1868 + (1 << 13)) >> 14);
}

static Status read_rows(Jpeg *j, int channels, Tensor *t) {
  struct jpeg_decompress_struct *info = &j->info;
  int64_t width = t->type.shape.dim[1];
  bool ink = info->out_color_space == JCS_CMYK;
  unsigned char *to = t->data;
  while (info->output_scanline < info->output_height) {
    JSAMPROW row = ink ? j->row : to;
    if (interrupted()) return interrupt_status();
    if (jpeg_read_scanlines(info, &row, 1) != 1) return fail("%s: JPEG: expected more rows", j->p->name);
    if (ink && channels == 3) from_ink(j->row, to, width);
    if (ink && channels == 1) {
      from_ink(j->row, j->row, width);
      gray_from_ink(j->row, to, width);
    }
    to += width * channels;
  }
  return OK;
}

static Status read_picture(Jpeg *j, bool colour, Tensor *t) {
  struct jpeg_decompress_struct *info = &j->info;
  int channels = colour ? 3 : 1;
  jpeg_read_header(info, TRUE);
  if (info->arith_code) return fail("%s: JPEG: expected Huffman coding, got arithmetic coding", j->p->name);
  bool ink = info->jpeg_color_space == JCS_CMYK || info->jpeg_color_space == JCS_YCCK;
  double blocks = ((info->image_width + 7) / 8) * (double)((info->image_height + 7) / 8);
  TRY(check_memory(j));
  TRY(picture_new(j->p, info->image_width, info->image_height, channels, blocks / LIMIT_JPEG_BLOCKS, t));
  info->out_color_space = ink ? JCS_CMYK : colour ? JCS_RGB : JCS_GRAYSCALE;
  jpeg_start_decompress(info);
  if (info->output_width != info->image_width || info->output_components != (ink ? 4 : channels))
    return fail("%s: JPEG: expected %d channels, got %d", j->p->name, ink ? 4 : channels, info->output_components);
  if (ink) {
    j->row_bytes = (size_t)info->output_width * 4;
    TRY(block_new(j->row_bytes, (void **)&j->row));
  }
  TRY(read_rows(j, channels, t));
  jpeg_finish_decompress(info);
  return j->p->status;
}

static Status read_jpeg(Jpeg *j, bool colour, Tensor *t) {
  PictureSource *p = j->p;
  if (setjmp(p->back) != 0) return p->status;
  j->info.err = jpeg_std_error(&j->errors);
  j->errors.error_exit = on_error;
  j->errors.emit_message = on_message;
  j->errors.output_message = no_output;
  j->info.client_data = j;
  jpeg_create_decompress(&j->info);
  j->source = (struct jpeg_source_mgr){ .next_input_byte = p->at, .bytes_in_buffer = p->left, .init_source = no_source,
                                    .fill_input_buffer = out_of_bytes,
                                    .skip_input_data = skip_bytes,
                                    .resync_to_restart = jpeg_resync_to_restart,
                                    .term_source = no_source };
  j->progress.progress_monitor = on_progress;
  j->info.src = &j->source;
  j->info.progress = &j->progress;
  return read_picture(j, colour, t);
}

Status picture_jpeg_decode(PictureSource *p, bool colour, Tensor *out) {
  Jpeg *j = object_new(sizeof *j);
  if (!j) return no_memory("reading a JPEG");
  j->p = p;
  Status s = read_jpeg(j, colour, out);
  block_free(j->row, j->row_bytes);
  if (j->info.mem) jpeg_destroy_decompress(&j->info);
  object_free(j);
  return s;
}

#else

Status picture_jpeg_decode(PictureSource *p, bool colour, Tensor *out) {
  (void)colour;
  (void)out;
  return fail("%s: JPEG: this build has no libjpeg; install libjpeg-dev (Debian, Ubuntu) and run make again", p->name);
}

#endif
