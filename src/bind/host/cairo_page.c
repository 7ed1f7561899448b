/* cairo_page.c - core.page.new(format, width, height, scale): a page that cairo draws as PNG or PDF, for plot/cairo.lua.
**
** The page's units are 1/72 inch in a PDF, and `scale` pixels in a PNG. Methods draw at once; bytes() ends the page and
** returns its file. The userdata owns the surface, the context and the file's bytes, so that an error of Lua's between
** two calls leaks nothing. The write function that cairo calls adds to a Text and raises nothing.
*/
#include <math.h>
#include <string.h>

#include "base/text_buffer.h"
#include "bind/core/lua_error.h"
#include "bind/core/lua_object.h"
#include "io/picture/cairo_library.h"

#define PAGE "hybridlua.page"

typedef struct Page {
  CairoSurface *surface; /* NULL after its end */
  CairoContext *context;
  Text file;
  bool pdf;
} Page;

static const CairoLibrary *cairo; /* set by the first new() */

static int add_bytes(void *file, const unsigned char *bytes, unsigned int n) {
  text_add(file, (const char *)bytes, n);
  return ((Text *)file)->failed ? CAIRO_WRITE_FAILED : CAIRO_SUCCESS;
}

static void end_page(Page *p) {
  if (p->context) cairo->destroy(p->context);
  if (p->surface) cairo->surface_destroy(p->surface);
  p->context = NULL;
  p->surface = NULL;
}

static int page_gc(lua_State *L) {
  Page *p = luaL_checkudata(L, 1, PAGE);
  end_page(p);
  text_free(&p->file);
  return 0;
}

static Page *open_page_at(lua_State *L, int at) {
  Page *p = luaL_checkudata(L, at, PAGE);
  if (!p->context) raise_error(L, "plot: the page was written already");
  return p;
}

static int raise_cairo(lua_State *L, int status) {
  return raise_error(L, "plot: cairo: %s", cairo->status_to_string(status));
}

/* new("png" or "pdf", width, height, scale) */
static int page_new(lua_State *L) {
  const bool pdf = strcmp(luaL_checkstring(L, 1), "pdf") == 0;
  const double width = luaL_checknumber(L, 2), height = luaL_checknumber(L, 3), scale = luaL_checknumber(L, 4);
  if (cairo_library(&cairo) != OK) return raise_error(L, "plot: %s", status_text());
  Page *p = lua_newuserdatauv(L, sizeof *p, 0);
  memset(p, 0, sizeof *p);
  p->pdf = pdf;
  luaL_setmetatable(L, PAGE);
  p->surface = pdf ? cairo->pdf_surface_create_for_stream(add_bytes, &p->file, width, height)
                   : cairo->image_surface_create(CAIRO_ARGB32, (int)lround(width * scale), (int)lround(height * scale));
  int status = cairo->surface_status(p->surface);
  if (status != CAIRO_SUCCESS) return raise_cairo(L, status);
  p->context = cairo->create(p->surface);
  if (pdf) cairo->pdf_surface_set_metadata(p->surface, CAIRO_CREATE_DATE, ""); /* equal plots are equal files */
  else cairo->scale(p->context, scale, scale);
  return 1;
}

/* bytes() -> the file; ends the page */
static int page_bytes(lua_State *L) {
  Page *p = open_page_at(L, 1);
  int status = cairo->status(p->context);
  if (status == CAIRO_SUCCESS && p->pdf) {
    cairo->surface_finish(p->surface);
    status = cairo->surface_status(p->surface);
  } else if (status == CAIRO_SUCCESS) {
    status = cairo->surface_write_to_png_stream(p->surface, add_bytes, &p->file);
  }
  end_page(p);
  if (status != CAIRO_SUCCESS) return raise_cairo(L, status);
  lua_pushlstring(L, p->file.at, p->file.length);
  return 1;
}

/* path(points, closed, first, last): adds a polyline through the flat list x, y, x, y, ..., or its part, to the path */
static int page_path(lua_State *L) {
  Page *p = open_page_at(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  const lua_Integer first = luaL_optinteger(L, 4, 1), n = luaL_optinteger(L, 5, (lua_Integer)lua_rawlen(L, 2));
  for (lua_Integer i = first; i + 1 <= n; i += 2) {
    lua_rawgeti(L, 2, i);
    lua_rawgeti(L, 2, i + 1);
    (i == first ? cairo->move_to : cairo->line_to)(p->context, lua_tonumber(L, -2), lua_tonumber(L, -1));
    lua_pop(L, 2);
  }
  if (lua_toboolean(L, 3)) cairo->close_path(p->context);
  return 0;
}

static void set_colour(lua_State *L, const Page *p, int at) {
  cairo->set_source_rgba(p->context, luaL_checknumber(L, at), luaL_checknumber(L, at + 1), luaL_checknumber(L, at + 2),
                         luaL_checknumber(L, at + 3));
}

/* stroke(red, green, blue, alpha, width, round, dash lengths ...) */
static int page_stroke(lua_State *L) {
  enum { MOST = 8 };
  double dash[MOST];
  int n = 0;
  Page *p = open_page_at(L, 1);
  set_colour(L, p, 2);
  cairo->set_line_width(p->context, luaL_checknumber(L, 6));
  cairo->set_line_cap(p->context, lua_toboolean(L, 7) ? 1 : 0);
  cairo->set_line_join(p->context, 1);
  for (int i = 8; i <= lua_gettop(L) && n < MOST; i++) dash[n++] = luaL_checknumber(L, i);
  cairo->set_dash(p->context, dash, n, 0);
  cairo->stroke(p->context);
  return 0;
}

/* fill(red, green, blue, alpha) */
static int page_fill(lua_State *L) {
  Page *p = open_page_at(L, 1);
  set_colour(L, p, 2);
  cairo->fill(p->context);
  return 0;
}

/* clip_to(x, y, width, height), until unclip() */
static int page_clip(lua_State *L) {
  Page *p = open_page_at(L, 1);
  cairo->save(p->context);
  cairo->new_path(p->context);
  cairo->rectangle(p->context, luaL_checknumber(L, 2), luaL_checknumber(L, 3), luaL_checknumber(L, 4),
                   luaL_checknumber(L, 5));
  cairo->clip(p->context);
  return 0;
}

static int page_unclip(lua_State *L) {
  cairo->restore(open_page_at(L, 1)->context);
  return 0;
}

/* push_group() ... pop_group(alpha): the drawing between them is painted as a whole with this opacity */
static int page_push_group(lua_State *L) {
  cairo->push_group(open_page_at(L, 1)->context);
  return 0;
}

static int page_pop_group(lua_State *L) {
  Page *p = open_page_at(L, 1);
  const double alpha = luaL_checknumber(L, 2);
  cairo->pop_group_to_source(p->context);
  cairo->paint_with_alpha(p->context, alpha);
  return 0;
}

/* text(x, y, text, size, part of its width to the left of x, angle in radians, red, green, blue, alpha, bold) */
static int page_text(lua_State *L) {
  Page *p = open_page_at(L, 1);
  const char *text = luaL_checkstring(L, 4);
  CairoExtents size;
  cairo->save(p->context);
  cairo->select_font_face(p->context, "DejaVu Sans", 0, lua_toboolean(L, 12) ? 1 : 0);
  cairo->set_font_size(p->context, luaL_checknumber(L, 5));
  cairo->text_extents(p->context, text, &size);
  cairo->translate(p->context, luaL_checknumber(L, 2), luaL_checknumber(L, 3));
  cairo->rotate(p->context, luaL_checknumber(L, 7));
  cairo->move_to(p->context, -luaL_checknumber(L, 6) * size.x_advance, 0);
  set_colour(L, p, 8);
  cairo->show_text(p->context, text);
  cairo->restore(p->context);
  cairo->new_path(p->context);
  return 0;
}

static void copy_pixels(CairoSurface *to, const unsigned char *rgb, int columns, int rows) {
  unsigned char *data = cairo->image_surface_get_data(to);
  const size_t stride = (size_t)cairo->image_surface_get_stride(to);
  for (int y = 0; y < rows; y++) {
    for (int x = 0; x < columns; x++, rgb += 3) {
      uint32_t pixel = 0xffu << 24 | (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
      memcpy(data + (size_t)y * stride + (size_t)x * 4, &pixel, sizeof pixel);
    }
  }
}

/* image(x, y, width, height, columns, rows, bytes): red, green, blue of each pixel, the upper left one first */
static int page_image(lua_State *L) {
  Page *p = open_page_at(L, 1);
  size_t n;
  const double width = luaL_checknumber(L, 4), height = luaL_checknumber(L, 5);
  const int columns = (int)luaL_checkinteger(L, 6), rows = (int)luaL_checkinteger(L, 7);
  const char *bytes = luaL_checklstring(L, 8, &n);
  if (columns < 1 || rows < 1 || n != (size_t)columns * (size_t)rows * 3)
    return raise_error(L, "plot: image: expected %d x %d x 3 bytes, got %d", rows, columns, (int)n);
  CairoSurface *picture = cairo->image_surface_create(CAIRO_RGB24, columns, rows);
  const int status = cairo->surface_status(picture);
  if (status == CAIRO_SUCCESS) {
    cairo->surface_flush(picture);
    copy_pixels(picture, (const unsigned char *)bytes, columns, rows);
    cairo->surface_mark_dirty(picture);
    cairo->save(p->context);
    cairo->translate(p->context, lua_tonumber(L, 2), lua_tonumber(L, 3));
    cairo->scale(p->context, width / columns, height / rows);
    cairo->set_source_surface(p->context, picture, 0, 0);
    cairo->pattern_set_filter(cairo->get_source(p->context), CAIRO_NEAREST);
    cairo->paint(p->context);
    cairo->restore(p->context);
  }
  cairo->surface_destroy(picture);
  return status == CAIRO_SUCCESS ? 0 : raise_cairo(L, status);
}

void open_page(lua_State *L) {
  const luaL_Reg methods[] = {
    { "bytes", page_bytes },         { "path", page_path },    { "stroke", page_stroke },
    { "fill", page_fill },           { "clip_to", page_clip }, { "unclip", page_unclip },
    { "text", page_text },           { "image", page_image },  { "push_group", page_push_group },
    { "pop_group", page_pop_group }, { NULL, NULL },
  };
  luaL_newmetatable(L, PAGE);
  set_function(L, "__gc", page_gc);
  luaL_newlib(L, methods);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
  set_function(L, "new", page_new);
}
