/* plot_data.c - core.plot: the loops over all data of a plot, for lua/hybridlua/plot. Data are flat lists of numbers.
**
** Buffers are userdata, so that errors of Lua's leak nothing. A map is the table of plot/layout.lua.
*/
#include <math.h>
#include <string.h>

#include "bind/core/lua_error.h"
#include "bind/core/lua_object.h"
#include "io/picture/plot_contours.h"
#include "io/picture/plot_points.h"

static void *buffer(lua_State *L, size_t items, size_t size) { return lua_newuserdatauv(L, (items + 1) * size, 0); }

enum { ANY_LENGTH = -1 };

/* The numbers of a list, in a userdata that is left on the stack. n: the length that it must have, or ANY_LENGTH, which
** becomes its length. */
static double *numbers_at(lua_State *L, int at, size_t *n) {
  luaL_checktype(L, at, LUA_TTABLE);
  const size_t length = lua_rawlen(L, at);
  if (length > INT32_MAX / 4) raise_error(L, "plot: expected at most %d numbers", INT32_MAX / 4);
  if (*n == (size_t)ANY_LENGTH) *n = length;
  if (length != *n) raise_error(L, "plot: expected %d numbers, got %d", (int)*n, (int)length);
  double *list = buffer(L, length, sizeof *list);
  for (size_t i = 0; i < length; i++) {
    lua_rawgeti(L, at, (lua_Integer)i + 1);
    list[i] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  return list;
}

/* The same; NULL, with nil on the stack, for nil. */
static double *numbers_or_null(lua_State *L, int at, size_t *n) {
  if (!lua_isnoneornil(L, at)) return numbers_at(L, at, n);
  lua_pushnil(L);
  return NULL;
}

static void push_indices(lua_State *L, const int32_t *list, size_t n) {
  lua_createtable(L, (int)n, 0);
  for (size_t i = 0; i < n; i++) {
    lua_pushinteger(L, list[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
}

static void push_numbers(lua_State *L, const double *list, size_t n) {
  lua_createtable(L, (int)n, 0);
  for (size_t i = 0; i < n; i++) {
    lua_pushnumber(L, list[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
}

static double field(lua_State *L, int at, const char *name) {
  lua_getfield(L, at, name);
  const double value = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return value;
}

static bool flag(lua_State *L, int at, const char *name) {
  lua_getfield(L, at, name);
  const bool value = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return value;
}

static PlotMap page_map(lua_State *L, int at) {
  luaL_checktype(L, at, LUA_TTABLE);
  const double grain = field(L, at, "grain");
  if (!(grain >= 1e-3 && grain <= 1e3)) raise_error(L, "plot: grain: expected a number from 0.001 to 1000");
  return (PlotMap){
    .x = { field(L, at, "ax"), field(L, at, "bx"), field(L, at, "left"), field(L, at, "right"), flag(L, at, "logx") },
    .y = { field(L, at, "ay"), field(L, at, "by"), field(L, at, "top"), field(L, at, "bottom"), flag(L, at, "logy") },
    .grain = grain,
  };
}

/* range(list, positive) -> the least and the greatest finite number, or of those above 0; nothing if there is none */
static int plot_range(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const double least = lua_toboolean(L, 2) ? 0 : -INFINITY;
  const lua_Integer n = (lua_Integer)lua_rawlen(L, 1);
  double lo = INFINITY, hi = -INFINITY;
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, 1, i);
    const double v = lua_tonumber(L, -1);
    lua_pop(L, 1);
    if (!(v > least && v < INFINITY)) continue;
    if (v < lo) lo = v;
    if (v > hi) hi = v;
  }
  if (!(lo <= hi)) return 0;
  lua_pushnumber(L, lo);
  lua_pushnumber(L, hi);
  return 2;
}

/* line(map, most, xs, ys, or the ys of both edges) -> the indices of the points to draw, 0 between runs */
static int plot_line(lua_State *L) {
  const PlotMap map = page_map(L, 1);
  const size_t most = (size_t)luaL_checkinteger(L, 2);
  PlotLine line = { .n = (size_t)ANY_LENGTH, .series = lua_isnoneornil(L, 5) ? 1 : 2 };
  lua_settop(L, 5);
  line.xs = numbers_at(L, 3, &line.n);
  for (int k = 0; k < line.series; k++) line.ys[k] = numbers_at(L, 4 + k, &line.n);
  int32_t *out = buffer(L, 2 * line.n + 1, sizeof *out);
  push_indices(L, out, plot_points_line(&map, &line, most, out));
  return 1;
}

/* marks(map, most, xs, ys, sizes, values) -> the indices of the points to draw; if they were thinned, also the number of
** points in the cell of each, and the cell's width */
static int plot_marks(lua_State *L) {
  enum { CROWDED = 5000, MOST_CELLS = 1 << 22 };
  const PlotMap map = page_map(L, 1);
  const size_t most = (size_t)luaL_checkinteger(L, 2);
  PlotMarks marks = { .n = (size_t)ANY_LENGTH };
  lua_settop(L, 6);
  marks.xs = numbers_at(L, 3, &marks.n);
  marks.ys = numbers_at(L, 4, &marks.n);
  marks.sizes = numbers_or_null(L, 5, &marks.n);
  marks.values = numbers_or_null(L, 6, &marks.n);
  int32_t *out = buffer(L, marks.n, sizeof *out);
  if (marks.n <= CROWDED) {
    push_indices(L, out, plot_points_marks(&map, &marks, NULL, most, out));
    return 1;
  }
  PlotCells cells = { 0 };
  double grain = map.grain;
  for (plot_points_cells(&map, grain, &cells); cells.columns * cells.rows > MOST_CELLS; grain *= 1.5)
    plot_points_cells(&map, grain * 1.5, &cells);
  cells.index = buffer(L, cells.columns * cells.rows, sizeof *cells.index);
  cells.count = buffer(L, cells.columns * cells.rows, sizeof *cells.count);
  size_t n;
  while ((n = plot_points_marks(&map, &marks, &cells, most, out)) == SIZE_MAX) {
    grain *= 1.5;
    plot_points_cells(&map, grain, &cells);
  }
  push_indices(L, out, n);
  for (size_t i = 0; i < n; i++) out[i] = plot_points_count(&map, &marks, &cells, out[i]);
  push_indices(L, out, n);
  lua_pushnumber(L, grain);
  return 3;
}

/* bars(map, upright, from, to, lo, hi) -> { left, top, right, bottom, ... } on the page, and whether they were merged;
** from and to are across, on the x axis of upright bars */
static int plot_bars(lua_State *L) {
  enum { CROWDED = 5000 };
  const PlotMap map = page_map(L, 1);
  const bool upright = lua_toboolean(L, 2);
  PlotBars bars = { .n = (size_t)ANY_LENGTH };
  bars.from = numbers_at(L, 3, &bars.n);
  bars.to = numbers_at(L, 4, &bars.n);
  bars.lo = numbers_at(L, 5, &bars.n);
  bars.hi = numbers_at(L, 6, &bars.n);
  PlotBar *out = buffer(L, bars.n, sizeof *out);
  const bool merged = bars.n > CROWDED;
  const size_t n = plot_points_bars(upright ? &map.x : &map.y, upright ? &map.y : &map.x, &bars, map.grain, merged,
                                    out);
  lua_createtable(L, (int)(4 * n), 0);
  for (size_t i = 0; i < n; i++) {
    const PlotBar *b = &out[i];
    const double corners[] = { upright ? b->from : b->lo, upright ? b->lo : b->from, upright ? b->to : b->hi,
                               upright ? b->hi : b->to };
    for (size_t k = 0; k < 4; k++) {
      lua_pushnumber(L, corners[k]);
      lua_rawseti(L, -2, (lua_Integer)(4 * i + k) + 1);
    }
  }
  lua_pushboolean(L, n < bars.n && merged);
  return 2;
}

/* bins(list, edges) -> the counts of the numbers between increasing edges, the last one included, and their sum */
static int plot_bins(lua_State *L) {
  size_t n = (size_t)ANY_LENGTH, m = (size_t)ANY_LENGTH;
  const double *list = numbers_at(L, 1, &n), *edges = numbers_at(L, 2, &m);
  if (m < 2) return raise_error(L, "plot: expected at least 2 edges");
  const size_t bins = m - 1;
  double *counts = buffer(L, bins, sizeof *counts), total = 0;
  memset(counts, 0, bins * sizeof *counts);
  const double first = edges[0], last = edges[bins], unit = (double)bins / (last - first);
  for (size_t i = 0; i < n; i++) {
    const double v = list[i];
    if (!(v >= first && v <= last)) continue;
    const double guess = (v - first) * unit;                   /* exact for equal widths, except for rounding */
    size_t k = guess >= 0 && guess < (double)bins ? (size_t)guess : bins - 1;
    while (v < edges[k]) k--;
    while (k + 1 < bins && v >= edges[k + 1]) k++;
    counts[k]++;
    total++;
  }
  push_numbers(L, counts, bins);
  lua_pushnumber(L, total);
  return 2;
}

static unsigned char byte_of(double v) { return v > 0 ? v < 255 ? (unsigned char)(v + 0.5) : 255 : 0; }

/* colours(list, map, lo, hi) -> three bytes for each number, from the 256 of a colour map; NaN is white */
static int plot_colours(lua_State *L) {
  enum { MAP = 256 * 3 };
  size_t n = (size_t)ANY_LENGTH, length = 0;
  const char *colours = luaL_checklstring(L, 2, &length);
  const double lo = luaL_checknumber(L, 3), hi = luaL_checknumber(L, 4);
  const double *list = numbers_at(L, 1, &n);
  if (length != MAP) return raise_error(L, "plot: a colour map has %d bytes", MAP);
  luaL_Buffer out;
  char *to = luaL_buffinitsize(L, &out, 3 * n + 1);
  for (size_t i = 0; i < n; i++) {
    const double part = hi > lo ? (list[i] - lo) / (hi - lo) : 0.5;
    if (isnan(list[i])) memset(to + 3 * i, 255, 3);
    else memcpy(to + 3 * i, colours + 3 * byte_of(part * 255), 3);
  }
  luaL_pushresultsize(&out, 3 * n);
  return 1;
}

/* pixels(list, channels, scale) -> three bytes for each pixel, of numbers of 3 or 4 channels times scale */
static int plot_pixels(lua_State *L) {
  size_t n = (size_t)ANY_LENGTH;
  const double *list = numbers_at(L, 1, &n);
  const size_t channels = (size_t)luaL_checkinteger(L, 2);
  if (channels != 3 && channels != 4) return raise_error(L, "plot: channels: expected 3 or 4, got %d", (int)channels);
  const double scale = luaL_checknumber(L, 3);
  luaL_Buffer out;
  n /= channels;
  char *to = luaL_buffinitsize(L, &out, 3 * n + 1);
  for (size_t i = 0; i < 3 * n; i++) to[i] = (char)byte_of(list[i / 3 * channels + i % 3] * scale);
  luaL_pushresultsize(&out, 3 * n);
  return 1;
}

/* indexed(pixels) -> a byte for each pixel, and the 256 colours of three bytes that they are; nothing if there are more */
static int plot_indexed(lua_State *L) {
  enum { COLOURS = 256, SLOTS = 1024, FREE = 0 };
  unsigned char palette[3 * COLOURS] = { 0 };
  int slots[SLOTS] = { FREE }, count = 0;                      /* indices plus 1, by the colour's hash */
  size_t n = 0;
  const unsigned char *pixels = (const unsigned char *)luaL_checklstring(L, 1, &n);
  luaL_Buffer out;
  char *to = luaL_buffinitsize(L, &out, n / 3 + 1);
  for (size_t i = 0; i + 2 < n; i += 3) {
    unsigned at = (pixels[i] * 7919u + pixels[i + 1] * 104729u + pixels[i + 2] * 31u) % SLOTS;
    while (slots[at] != FREE && memcmp(palette + 3 * (slots[at] - 1), pixels + i, 3) != 0) at = (at + 1) % SLOTS;
    if (slots[at] == FREE) {
      if (count == COLOURS) return 0;
      memcpy(palette + 3 * count, pixels + i, 3);
      slots[at] = ++count;
    }
    to[i / 3] = (char)(slots[at] - 1);
  }
  luaL_pushresultsize(&out, n / 3);
  lua_pushlstring(L, (const char *)palette, sizeof palette);
  return 2;
}

/* ---- Contours ------------------------------------------------------------------------------------------------- */

/* Drops points of a line on the page that are within the grain of the one before; returns how many are left. */
static size_t thinned(double *points, size_t n, double grain) {
  size_t kept = 1;
  for (size_t i = 1; i < n; i++) {
    const double *last = points + 2 * (kept - 1), *p = points + 2 * i;
    if (i + 1 < n && fabs(p[0] - last[0]) < grain && fabs(p[1] - last[1]) < grain) continue;
    memmove(points + 2 * kept++, p, 2 * sizeof *p);
  }
  return kept;
}

/* Places the points; returns how many lines on the page they are: 0 if a place is missing. */
static bool place_all(const PlotMap *map, double *points, size_t n) {
  bool all = true;
  for (size_t i = 0; i < n; i++) {
    points[2 * i] = plot_points_place(&map->x, points[2 * i]);
    points[2 * i + 1] = plot_points_place(&map->y, points[2 * i + 1]);
    all = all && !isnan(points[2 * i] + points[2 * i + 1]);
  }
  return all;
}

/* contour(map, grain, z, xs, ys, level, least, most) -> the lines of z at this level on the page, thinned, without those
** of fewer than `least` points; nil if they have more than `most` points */
static int plot_contour(lua_State *L) {
  const PlotMap map = page_map(L, 1);
  const double grain = luaL_checknumber(L, 2);
  PlotGrid grid = { .rows = (size_t)ANY_LENGTH, .columns = (size_t)ANY_LENGTH, .level = luaL_checknumber(L, 6) };
  const size_t least = (size_t)luaL_checkinteger(L, 7), most = (size_t)luaL_checkinteger(L, 8);
  grid.xs = numbers_at(L, 4, &grid.columns);
  grid.ys = numbers_at(L, 5, &grid.rows);
  size_t cells = grid.columns * grid.rows;
  grid.z = numbers_at(L, 3, &cells);
  grid.links = buffer(L, 4 * grid.columns * grid.rows, sizeof *grid.links);
  double *points = buffer(L, 2 * (plot_contours_link(&grid) + 1), sizeof *points);
  size_t edge = 0, total = 0, n;
  lua_newtable(L);
  for (lua_Integer lines = 0; (n = plot_contours_next(&grid, &edge, points)) > 0;) {
    if (!place_all(&map, points, n)) continue;
    n = thinned(points, n, grain);
    if (n < least) continue;
    total += n;
    if (total > most) return 0;
    push_numbers(L, points, 2 * n);
    lua_rawseti(L, -2, ++lines);
  }
  return 1;
}

/* ---- Texts of an SVG ------------------------------------------------------------------------------------------ */

/* Hundredths as a short number: 1.5, .25, -3. Returns its length. */
static int put_short(char *to, long n) {
  const unsigned long size = n < 0 ? -(unsigned long)n : (unsigned long)n;
  int at = 0;
  if (n < 0) to[at++] = '-';
  if (size >= 100 || size == 0) at += snprintf(to + at, 24, "%lu", size / 100);
  if (size % 100) {
    to[at++] = '.';
    to[at++] = (char)('0' + size % 100 / 10);
    if (size % 10) to[at++] = (char)('0' + size % 10);
  }
  return at;
}

/* path(run, closed) -> the data of an SVG path through the flat list x, y, ...; relative numbers in hundredths, so that
** errors do not add up. Two equal points are a dot. */
static int plot_path(lua_State *L) {
  enum { STEP = 64 };
  size_t n = (size_t)ANY_LENGTH;
  const double *run = numbers_at(L, 1, &n);
  const bool closed = lua_toboolean(L, 2);
  if (n < 2) return raise_error(L, "plot: expected a point");
  luaL_Buffer out;
  luaL_buffinit(L, &out);
  long x = 0, y = 0;
  const bool dot = n == 4 && run[0] == run[2] && run[1] == run[3];
  for (size_t i = 0; i + 1 < (dot ? 2 : n); i += 2) {
    const long px = lrint(floor(run[i] * 100 + 0.5)), py = lrint(floor(run[i + 1] * 100 + 0.5));
    char *to = luaL_prepbuffsize(&out, STEP);
    int at = 0;
    if (i == 0) to[at++] = 'M';
    else if (i == 2) to[at++] = 'l';
    else if (px >= x) to[at++] = ' ';
    at += put_short(to + at, px - x);
    if (py >= y) to[at++] = ' ';
    at += put_short(to + at, py - y);
    luaL_addsize(&out, (size_t)at);
    x = px, y = py;
  }
  if (dot) luaL_addstring(&out, "h0");
  if (closed) luaL_addchar(&out, 'z');
  luaL_pushresult(&out);
  return 1;
}

/* base64(bytes) -> text */
static int plot_base64(lua_State *L) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  size_t n = 0;
  const unsigned char *bytes = (const unsigned char *)luaL_checklstring(L, 1, &n);
  luaL_Buffer out;
  char *to = luaL_buffinitsize(L, &out, (n + 2) / 3 * 4 + 1);
  size_t at = 0;
  for (size_t i = 0; i < n; i += 3) {
    const unsigned word = (unsigned)bytes[i] << 16 | (i + 1 < n ? (unsigned)bytes[i + 1] << 8 : 0) |
                          (i + 2 < n ? (unsigned)bytes[i + 2] : 0);
    to[at++] = digits[word >> 18];
    to[at++] = digits[word >> 12 & 63];
    to[at++] = i + 1 < n ? digits[word >> 6 & 63] : '=';
    to[at++] = i + 2 < n ? digits[word & 63] : '=';
  }
  luaL_pushresultsize(&out, at);
  return 1;
}

void open_plot(lua_State *L) {
  set_function(L, "range", plot_range);
  set_function(L, "line", plot_line);
  set_function(L, "marks", plot_marks);
  set_function(L, "bars", plot_bars);
  set_function(L, "bins", plot_bins);
  set_function(L, "colours", plot_colours);
  set_function(L, "pixels", plot_pixels);
  set_function(L, "indexed", plot_indexed);
  set_function(L, "contour", plot_contour);
  set_function(L, "path", plot_path);
  set_function(L, "base64", plot_base64);
}
