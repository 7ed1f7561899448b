/* load_save.c - loading and saving for lua/hybridlua/files.lua: arrays, symbols, folders, data sets, pictures.
**
** A userdata owns all data before anything can raise.
*/
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "bind/trace/graph_breaks.h"
#include "bind/core/lua_memory.h"
#include "io/array/csv.h"
#include "io/file/whole_file.h"
#include "io/file/list_folder.h"
#include "io/array/idx.h"
#include "io/array/npy.h"
#include "io/array/npz.h"
#include "io/array/mxnet_params.h"
#include "io/picture/picture.h"
#include "io/symbol/symbol_json.h"

/* ---- The kind of a file, by its first bytes ----------------------------------------------------- */

typedef enum FileKind { KIND_UNKNOWN, KIND_PARAMS, KIND_NPY, KIND_NPZ, KIND_SYMBOL } FileKind;

static FileKind kind_of(const unsigned char *first, size_t n) {
  static const unsigned char params[8] = { PARAMS_MAGIC & 255, PARAMS_MAGIC >> 8 };
  if (n >= sizeof params && memcmp(first, params, sizeof params) == 0) return KIND_PARAMS;
  if (n >= sizeof npy_magic && memcmp(first, npy_magic, sizeof npy_magic) == 0) return KIND_NPY;
  if (n >= 4 && memcmp(first, "PK", 2) == 0 && (first[2] == 3 || first[2] == 5 || first[2] == 6)) return KIND_NPZ;
  size_t at = 0;
  while (at < n && strchr(" \t\r\n", first[at])) at++;
  return at < n && first[at] == '{' ? KIND_SYMBOL : KIND_UNKNOWN;
}

static Status read_kind(FileReader *r, FileKind *kind) {
  unsigned char first[16];
  size_t n;
  TRY(file_reader_peek(r, first, sizeof first, &n));
  *kind = kind_of(first, n);
  return OK;
}

/* Raises unless OK; the error begins with the function's name. */
static void check_file(lua_State *L, Status s, const char *who) {
  if (s == OK) return;
  if (s != E_INTERRUPT) fail_within(s, "%s", who);
  raise_status(L, s);
}

/* check_file for content that may be in another format: pushes nil and the error text, which
** lua/hybridlua/language/foreign_files.lua extends. Returns 0 for OK. */
static int push_refused(lua_State *L, Status s, const char *who) {
  if (s != E_INPUT) {
    check_file(L, s, who);
    return 0;
  }
  lua_pushnil(L);
  lua_pushfstring(L, "%s: %s", who, status_text());
  return 2;
}

static const char *check_path(lua_State *L, int index, const char *who) {
  size_t n;
  if (lua_type(L, index) != LUA_TSTRING) raise_error(L, "%s: file: expected a name, got %s", who, type_name(L, index));
  const char *path = lua_tolstring(L, index, &n);
  if (n >= PATH_MAX) raise_error(L, "%s: file: expected a name of at most %d bytes, got %d", who, PATH_MAX - 1, (int)n);
  if (strlen(path) != n || n == 0)
    raise_error(L, "%s: file: expected a name%s", who, n ? " without zero bytes" : ", got an empty string");
  return path;
}

/* ---- Arrays ---------------------------------------------------------------------------------------- */

static void arrays_end(void *arrays) { arrays_free(arrays); }

static Status load_npy(FileReader *r, Arrays *out) {
  bool foreign;
  Tensor t;
  TRY(npy_load(r, &t, &foreign));
  return arrays_add(out, &t, NULL, 0);
}

static Status load_arrays(FileReader *r, Arrays *out, FileKind *kind) {
  arrays_free(out);
  TRY(read_kind(r, kind));
  switch (*kind) {
    case KIND_PARAMS: return mxnet_params_load(r, out);
    case KIND_NPY: return load_npy(r, out);
    case KIND_NPZ: return npz_load(r, out);
    case KIND_SYMBOL:
      return file_reader_wrong(r, 0, "magic",
                               "expected arrays (.params, .npy or .npz), got JSON: sym.load reads symbols");
    default:
      return file_reader_wrong(r, 0, "magic", "expected arrays (.params, .npy or .npz), got another kind of file");
  }
}

static Status load_arrays_file(const char *path, Arrays *out, FileKind *kind) {
  FileReader *r = object_new(sizeof *r);
  if (!r) return no_memory("file buffer");
  Status s = file_reader_open(r, path);
  if (s == OK) {
    s = load_arrays(r, out, kind);
    file_reader_close(r);
  }
  object_free(r);
  return s;
}

/* Checks the status of reading the array on top, and moves the array to the current context. */
static int finish_read(lua_State *L, Status s, const char *who, Array *out) {
  check_file(L, s, who);
  check(L, tensor_move(&out->t, coroutine_engine(L)->mode.device));
  pace_collector(L);
  return 1;
}

/* Pushes the arrays as MXNet returns them: a table by name, or a list; for .npy, the array. Then pushes a text that
** lists skipped parts of the file, or nil. */
static int push_loaded(lua_State *L, Arrays *a, FileKind kind) {
  bool named = arrays_named(a);
  int box = lua_gettop(L);
  coroutine_enter(L);
  if (kind != KIND_NPY) lua_createtable(L, named ? 0 : (int)a->n, named ? (int)a->n : 0);
  for (int64_t i = 0; i < a->n; i++) {
    Array *array = push_array(L);
    array->t = a->at[i].tensor;
    a->at[i].tensor = NO_TENSOR;
    check(L, tensor_move(&array->t, engine_now()->mode.device));
    if (kind == KIND_NPY) break;
    if (named) lua_setfield(L, -2, a->at[i].name);
    else lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  if (a->left_out.at) lua_pushstring(L, a->left_out.at);
  else lua_pushnil(L);
  lua_remove(L, box);
  pace_collector(L);
  return 2;
}

/* load_arrays(path) -> its arrays, and the skipped parts; or nil and the reason of the failure */
static int load(lua_State *L) {
  const char *path = check_path(L, 1, "nd.load");
  FileKind kind = KIND_UNKNOWN;
  Status s;
  Arrays *a = push_owned(L, sizeof *a, arrays_end);
  coroutine_enter(L);
  WITH_MEMORY(L, s, load_arrays_file(path, a, &kind));
  const int refused = push_refused(L, s, "nd.load");
  return refused ? refused : push_loaded(L, a, kind);
}

static Status load_arrays_memory(FileReader *r, const char *bytes, size_t n, Arrays *out, FileKind *kind) {
  file_reader_memory(r, "buffer", bytes, n);
  return load_arrays(r, out, kind);
}

/* parse_arrays(string): load_arrays for a file's content */
static int parse_arrays(lua_State *L) {
  size_t n;
  const char *bytes = check_bytes(L, 1, "nd.load_frombuffer: buffer", &n);
  FileKind kind = KIND_UNKNOWN;
  Status s;
  FileReader *r = lua_newuserdatauv(L, sizeof *r, 0);
  Arrays *a = push_owned(L, sizeof *a, arrays_end);
  coroutine_enter(L);
  WITH_MEMORY(L, s, load_arrays_memory(r, bytes, n, a, &kind));
  const int refused = push_refused(L, s, "nd.load_frombuffer");
  return refused ? refused : push_loaded(L, a, kind);
}

/* Adds the array on top, under the key below it or, if `name` is NULL, to a list. */
static void add_for_saving(lua_State *L, Arrays *a, const char *name) {
  if (!to_array(L, -1)) {
    raise_error(L, "nd.save: data: expected an NDArray, a list of NDArrays or a table of them by name, got %s%s%s%s",
                type_name(L, -1), name ? " as '" : "", name ? name : "", name ? "'" : "");
  }
  if (name && strlen(name) != lua_rawlen(L, -2))
    raise_error(L, "nd.save: data: expected no zero byte in a name, got one in '%s'", name);
  Tensor t = tensor_share(&check_array(L, -1)->t);
  a->np = a->np || value_kind(L, -1) == KIND_NP;
  check(L, arrays_add(a, &t, name, name ? strlen(name) : 0));
}

/* Adds a list, or a table sorted by name, because its keys have no order. */
static void collect(lua_State *L, Arrays *a, int data) {
  lua_Integer n = (lua_Integer)lua_rawlen(L, data);
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, data, i);
    add_for_saving(L, a, NULL);
    lua_pop(L, 1);
  }
  for (lua_pushnil(L); lua_next(L, data); lua_pop(L, 1)) {
    if (n > 0 && lua_isinteger(L, -2) && lua_tointeger(L, -2) >= 1 && lua_tointeger(L, -2) <= n) continue;
    if (n > 0 || lua_type(L, -2) != LUA_TSTRING)
      raise_error(L, "nd.save: data: expected a list or a table by name, got %s as a key%s", type_name(L, -2),
                  n > 0 ? " of a list" : "");
    add_for_saving(L, a, lua_tostring(L, -2));
  }
  if (arrays_named(a)) arrays_sort(a);
}

/* save_arrays(path, NDArray, list or table by name, "params", "npy" or "npz") */
static int save(lua_State *L) {
  static const char *const kinds[] = { "params", "npy", "npz", NULL };
  const char *path = check_path(L, 1, "nd.save");
  int kind = luaL_checkoption(L, 3, "params", kinds);
  breaks_read(L, "nd.save");
  Arrays *a = push_owned(L, sizeof *a, arrays_end);
  coroutine_enter(L);
  a->np = state_now()->np_shape;
  lua_pushvalue(L, 2);
  if (lua_istable(L, 2)) collect(L, a, 2);
  else add_for_saving(L, a, NULL);
  if (kind == 1 && (a->n != 1 || arrays_named(a)))
    return raise_error(L, "nd.save: data: expected one NDArray for an .npy file, got %s of %d",
                       arrays_named(a) ? "a table by name" : "a list", (int)a->n);
  check_file(L,
             kind == 0   ? mxnet_params_save(path, a)
             : kind == 1 ? npy_save(path, &a->at[0].tensor)
                         : npz_save(path, a),
             "nd.save");
  owned_end(a);
  return 0;
}

/* ---- Symbols ------------------------------------------------------------------------------------------ */

/* load(path) -> a Symbol; or nil and the reason of the failure */
static int symbol_load(lua_State *L) {
  const char *path = check_path(L, 1, "sym.load");
  Status s;
  Symbol *symbol = push_symbol(L, NULL, 0);
  object_free(symbol->entry);
  symbol->entry = NULL;
  coroutine_enter(L);
  WITH_MEMORY(L, s, symbol_json_load_file(path, origin_here(L), &symbol->entry, &symbol->n));
  const int refused = push_refused(L, s, "sym.load");
  return refused ? refused : 1;
}

/* parse(text) -> a Symbol */
static int symbol_parse(lua_State *L) {
  size_t size;
  const char *text = check_bytes(L, 1, "sym.load_json: text", &size);
  Status s;
  Symbol *symbol = push_symbol(L, NULL, 0);
  object_free(symbol->entry);
  symbol->entry = NULL;
  coroutine_enter(L);
  WITH_MEMORY(L, s, symbol_json_load("text", text, size, origin_here(L), &symbol->entry, &symbol->n));
  check_file(L, s, "sym.load_json");
  return 1;
}

/* s:tojson() */
static int push_json(lua_State *L, bool own) {
  Symbol *s = check_symbol(L, 1);
  Text *t = push_text(L);
  coroutine_enter(L);
  check(L, symbol_json_print(s->entry, s->n, value_kind(L, 1) == KIND_NP, own, t));
  take_text(L, t);
  return 1;
}
static int symbol_tojson(lua_State *L) { return push_json(L, false); }

/* own_json(symbol) -> the same, with hybridlua's own form of the nodes that MXNet cannot express */
static int symbol_own_json(lua_State *L) { return push_json(L, true); }

/* s:save(path) */
static int symbol_save(lua_State *L) {
  Symbol *s = check_symbol(L, 1);
  const char *path = check_path(L, 2, "save");
  coroutine_enter(L);
  check_file(L, symbol_json_save(path, s->entry, s->n, value_kind(L, 1) == KIND_NP), "save");
  return 0;
}

/* save_text(path, text) */
static int save_text(lua_State *L) {
  size_t n;
  const char *path = check_path(L, 1, "save");
  const char *at = luaL_checklstring(L, 2, &n);
  check_file(L, whole_file_save_text(path, &(Text){ .at = (char *)at, .length = n }), "save");
  return 0;
}

/* kind(path) -> "params", "npy", "npz", "symbol" or nil; and the file's first bytes */
static int file_kind(lua_State *L) {
  static const char *const names[] = { NULL, "params", "npy", "npz", "symbol" };
  const char *path = check_path(L, 1, "hl.load");
  unsigned char first[512];
  size_t n = 0;
  FileReader *r = lua_newuserdatauv(L, sizeof *r, 0);
  Status s = file_reader_open(r, path);
  if (s == OK) {
    s = file_reader_peek(r, first, sizeof first, &n);
    file_reader_close(r);
  }
  check_file(L, s, "hl.load");
  lua_pushstring(L, names[kind_of(first, n)]);
  lua_pushlstring(L, (const char *)first, n);
  return 2;
}

/* exists(path) -> is it a regular file? Reading a pipe or a device could block. */
static int is_file(lua_State *L) {
  struct stat s;
  return return_boolean(L, stat(check_path(L, 1, "is_file"), &s) == 0 && S_ISREG(s.st_mode));
}

/* ---- Folders --------------------------------------------------------------------------------------------- */

static void listing_end(void *listing) { folder_free(listing); }

/* list_folder(path, operator) -> the names in a folder in byte order; names of folders end in / */
static int list_folder(lua_State *L) {
  const char *who = luaL_checkstring(L, 2), *path = check_path(L, 1, who);
  struct stat s;
  Folder *l = push_owned(L, sizeof *l, listing_end);
  check_file(L, folder_list(path, l), who);
  lua_createtable(L, l->n, 0);
  for (int i = 0; i < l->n; i++) {
    const char *file = lua_pushfstring(L, "%s/%s", path, l->name[i]);
    lua_pushfstring(L, "%s%s", l->name[i], stat(file, &s) == 0 && S_ISDIR(s.st_mode) ? "/" : "");
    lua_rawseti(L, -3, i + 1);
    lua_pop(L, 1);
  }
  owned_end(l);
  return 1;
}

/* ---- Data sets ------------------------------------------------------------------------------------------ */

/* read_idx(path) -> the array of an idx file, plain or gzipped */
static int read_idx(lua_State *L) {
  const char *path = check_path(L, 1, "read_idx");
  Status s;
  Array *out = push_array(L);
  coroutine_enter(L);
  WITH_MEMORY(L, s, idx_load(path, &out->t));
  return finish_read(L, s, "read_idx", out);
}

/* read_csv(path, {header = false, dtype = "float32"}) -> a (rows, columns) array */
static int read_csv(lua_State *L) {
  const char *path = check_path(L, 1, "read_csv");
  DType dtype = DT_FLOAT32;
  Status s;
  bool header = table_get_bool(L, 2, "header", false);
  if (lua_istable(L, 2) && lua_getfield(L, 2, "dtype") != LUA_TNIL) dtype = check_dtype(L, -1, "read_csv");
  if (dtype != DT_FLOAT32 && dtype != DT_FLOAT64)
    return raise_error(L, "read_csv: dtype: expected float32 or float64, got %s", dtype_name(dtype));
  Array *out = push_array(L);
  coroutine_enter(L);
  WITH_MEMORY(L, s, csv_load(path, header, dtype, &out->t));
  return finish_read(L, s, "read_csv", out);
}

/* ---- Pictures ------------------------------------------------------------------------------------------- */

/* Pushes a picture as an array, from a file (path) or from the n bytes of one. */
static int push_picture(lua_State *L, const char *who, const char *path, const char *bytes, size_t n) {
  PictureWish wish = { .colour = lua_toboolean(L, 2), .blue_first = lua_toboolean(L, 3) };
  Status s;
  Array *out = push_array(L);
  coroutine_enter(L);
  WITH_MEMORY(L, s, path ? picture_load(path, &wish, &out->t) : picture_decode("buffer", bytes, n, &wish, &out->t));
  return finish_read(L, s, who, out);
}

/* load_picture(path, colour, blue_first) */
static int load_picture(lua_State *L) {
  return push_picture(L, "image.imread", check_path(L, 1, "image.imread"), NULL, 0);
}

/* decode_picture(string, colour, blue_first) */
static int decode_picture(lua_State *L) {
  size_t n;
  const char *bytes = check_bytes(L, 1, "image.imdecode: buf", &n);
  return push_picture(L, "image.imdecode", NULL, bytes, n);
}

/* save_picture(path, array) */
static int save_picture(lua_State *L) {
  const char *path = check_path(L, 1, "image.imwrite");
  if (!to_array(L, 2)) return raise_error(L, "image.imwrite: data: expected an NDArray, got %s", type_name(L, 2));
  breaks_read(L, "image.imwrite");
  check_file(L, picture_save(path, &check_array(L, 2)->t), "image.imwrite");
  return 0;
}

/* encode_picture(array, palette) -> the bytes of a PNG file; palette: nil, or the 768 bytes of 256 colours */
static int encode_picture(lua_State *L) {
  if (!to_array(L, 1)) return raise_error(L, "recordio.pack_img: img: expected an NDArray, got %s", type_name(L, 1));
  breaks_read(L, "recordio.pack_img");
  size_t length = 0;
  const char *palette = lua_isnoneornil(L, 2) ? NULL : luaL_checklstring(L, 2, &length);
  if (palette && length != 3 * 256)
    return raise_error(L, "recordio.pack_img: a palette has 768 bytes, got %d", (int)length);
  Text *text = push_text(L);
  check_file(L, picture_encode(&check_array(L, 1)->t, (const unsigned char *)palette, text), "recordio.pack_img");
  take_text(L, text);
  return 1;
}

void open_files(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "load_arrays", load }, { "parse_arrays", parse_arrays }, { "save_arrays", save }, { "save_text", save_text },
    { "kind", file_kind }, { "exists", is_file }, { "list_folder", list_folder }, { "read_idx", read_idx },
    { "read_csv", read_csv }, { "load_picture", load_picture }, { "decode_picture", decode_picture },
    { "save_picture", save_picture }, { "encode_picture", encode_picture }, { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
}

void open_symbol_files(lua_State *L) {
  const luaL_Reg functions[] = {
    { "load", symbol_load }, { "parse", symbol_parse }, { "own_json", symbol_own_json }, { NULL, NULL }
  };
  const luaL_Reg methods[] = { { "tojson", symbol_tojson }, { "save", symbol_save }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
  lua_getfield(L, -1, "methods");
  luaL_setfuncs(L, methods, 0);
  lua_pop(L, 1);
}
