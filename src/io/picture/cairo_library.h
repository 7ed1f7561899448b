/* cairo_library.h - the functions of cairo that draw a page as PNG or PDF.
**
** cairo is not linked: it is loaded with dlopen when a page is first asked for, so that programs without plots neither
** need it nor wait for it. The types are cairo's, kept opaque; its names and numbers are those of cairo's public headers,
** whose ABI has been stable since 1.2, except for set_metadata of 1.16.
*/
#ifndef HL_IO_PICTURE_CAIRO_LIBRARY_H
#define HL_IO_PICTURE_CAIRO_LIBRARY_H

#include "base/status.h"

typedef struct CairoSurface CairoSurface;
typedef struct CairoContext CairoContext;
typedef int (*CairoWrite)(void *closure, const unsigned char *bytes, unsigned int n);

typedef struct CairoExtents { double x_bearing, y_bearing, width, height, x_advance, y_advance; } CairoExtents;

enum { CAIRO_SUCCESS = 0, CAIRO_WRITE_FAILED = 11, CAIRO_ARGB32 = 0, CAIRO_RGB24 = 1, CAIRO_NEAREST = 3, CAIRO_CREATE_DATE = 5 };

typedef struct CairoLibrary {
  CairoSurface *(*image_surface_create)(int format, int width, int height);
  unsigned char *(*image_surface_get_data)(CairoSurface *);
  int (*image_surface_get_stride)(CairoSurface *);
  CairoSurface *(*pdf_surface_create_for_stream)(CairoWrite, void *closure, double width, double height);
  void (*pdf_surface_set_metadata)(CairoSurface *, int what, const char *text);
  int (*surface_write_to_png_stream)(CairoSurface *, CairoWrite, void *closure);
  int (*surface_status)(CairoSurface *);
  void (*surface_flush)(CairoSurface *);
  void (*surface_mark_dirty)(CairoSurface *);
  void (*surface_finish)(CairoSurface *);
  void (*surface_destroy)(CairoSurface *);
  CairoContext *(*create)(CairoSurface *);
  void (*destroy)(CairoContext *);
  int (*status)(CairoContext *);
  const char *(*status_to_string)(int status);
  void (*save)(CairoContext *), (*restore)(CairoContext *);
  void (*new_path)(CairoContext *), (*close_path)(CairoContext *);
  void (*move_to)(CairoContext *, double x, double y), (*line_to)(CairoContext *, double x, double y);
  void (*rectangle)(CairoContext *, double x, double y, double width, double height);
  void (*clip)(CairoContext *), (*stroke)(CairoContext *), (*fill)(CairoContext *), (*paint)(CairoContext *);
  void (*push_group)(CairoContext *), (*pop_group_to_source)(CairoContext *);
  void (*paint_with_alpha)(CairoContext *, double alpha);
  void (*set_source_rgba)(CairoContext *, double red, double green, double blue, double alpha);
  void (*set_source_surface)(CairoContext *, CairoSurface *, double x, double y);
  void *(*get_source)(CairoContext *);
  void (*pattern_set_filter)(void *pattern, int filter);
  void (*set_line_width)(CairoContext *, double), (*set_line_cap)(CairoContext *, int);
  void (*set_line_join)(CairoContext *, int);
  void (*set_dash)(CairoContext *, const double *lengths, int n, double offset);
  void (*translate)(CairoContext *, double x, double y), (*rotate)(CairoContext *, double angle);
  void (*scale)(CairoContext *, double x, double y);
  void (*select_font_face)(CairoContext *, const char *family, int slant, int weight);
  void (*set_font_size)(CairoContext *, double);
  void (*text_extents)(CairoContext *, const char *text, CairoExtents *);
  void (*show_text)(CairoContext *, const char *text);
} CairoLibrary;

/* The library's functions. Fails, with the package to install, if it cannot be loaded. */
Status cairo_library(const CairoLibrary **out);

#endif
