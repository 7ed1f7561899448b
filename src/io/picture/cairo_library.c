/* cairo_library.c - loads cairo. HYBRIDLUA_CAIRO names another library file, as HYBRIDLUA_BLAS does for OpenBLAS. */
#include "io/picture/cairo_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTION(name) { offsetof(CairoLibrary, name), "cairo_" #name }

static const struct { size_t slot; const char *name; } functions[] = {
  FUNCTION(image_surface_create),
  FUNCTION(image_surface_get_data),
  FUNCTION(image_surface_get_stride),
  FUNCTION(pdf_surface_create_for_stream),
  FUNCTION(pdf_surface_set_metadata),
  FUNCTION(surface_write_to_png_stream),
  FUNCTION(surface_status),
  FUNCTION(surface_flush),
  FUNCTION(surface_mark_dirty),
  FUNCTION(surface_finish),
  FUNCTION(surface_destroy),
  FUNCTION(create),
  FUNCTION(destroy),
  FUNCTION(status),
  FUNCTION(status_to_string),
  FUNCTION(save),
  FUNCTION(restore),
  FUNCTION(new_path),
  FUNCTION(close_path),
  FUNCTION(move_to),
  FUNCTION(line_to),
  FUNCTION(rectangle),
  FUNCTION(clip),
  FUNCTION(stroke),
  FUNCTION(fill),
  FUNCTION(paint),
  FUNCTION(push_group),
  FUNCTION(pop_group_to_source),
  FUNCTION(paint_with_alpha),
  FUNCTION(set_source_rgba),
  FUNCTION(set_source_surface),
  FUNCTION(get_source),
  FUNCTION(pattern_set_filter),
  FUNCTION(set_line_width),
  FUNCTION(set_line_cap),
  FUNCTION(set_line_join),
  FUNCTION(set_dash),
  FUNCTION(translate),
  FUNCTION(rotate),
  FUNCTION(scale),
  FUNCTION(select_font_face),
  FUNCTION(set_font_size),
  FUNCTION(text_extents),
  FUNCTION(show_text),
};

static CairoLibrary cairo;
static char load_error[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  const char *asked = getenv("HYBRIDLUA_CAIRO");
  void *library = dlopen(asked && *asked ? asked : "libcairo.so.2", RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    const char *advice = asked && *asked ? "set by HYBRIDLUA_CAIRO" : "apt-get install libcairo2";
    snprintf(load_error, sizeof load_error, "PNG and PDF need cairo, which cannot be loaded (%s): %.120s", advice,
             dlerror());
    return;
  }
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *function = dlsym(library, functions[i].name);
    if (!function) snprintf(load_error, sizeof load_error, "cairo lacks %s", functions[i].name);
    memcpy((char *)&cairo + functions[i].slot, &function, sizeof function);
  }
}

Status cairo_library(const CairoLibrary **out) {
  pthread_once(&once, load);
  if (load_error[0]) return fail("%s", load_error);
  *out = &cairo;
  return OK;
}
