/* expressions.c - a Lua module for specs: each expression and fold of the registry as a C99 function, compared with the
** loops of this program.
**
** write(file, few) writes the functions. compare(library, few) runs those of a compiled library and the program's own
** loops on the same values, and returns the number of loops, of elements, and a list of the loops with other bits. A
** NaN equals any NaN, because its sign and payload are unspecified. `few`: for each expression and fold, only the first
** of the types of floats, and the first of the others.
*/
#include <dlfcn.h>
#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/jit/kernel_text.h"
#include "ir/run_op.h"
#include "kernels/loops/elementwise_loops.h"

enum { N = 2048, MOST_SEEN = 2048 };

typedef void FoldLoop(int64_t n, const void *x, void *out);

/* ---- Each expression and each fold once ------------------------------------------------------------ */

typedef struct Visit {
  void (*expression)(struct Visit *v, const Op *op, const Elementwise *e, DType dtype);
  void (*fold)(struct Visit *v, const Op *op, const Params *params, const Folding *f, DType dtype, int which);
  Text out;
  bool few;
  void *library;
  lua_State *L;
  int64_t loops, elements, differing;
} Visit;

/* The parameters with which a row uses this fold, found by trying values of its first parameter. */
static Status params_for_fold(const Op *op, const Folding *wanted, Params **out) {
  const Type type = { .dtype = DT_FLOAT32, .shape = { .ndim = 1, .dim = { 4 } } };
  bool reduced[MAX_DIMS];
  for (int first = -1; first < 8; first++) {
    Params *p;
    TRY(params_new(op, &p));
    Status s = first < 0 ? OK : params_set_float(p, 0, first);
    const Query q = { .op = op, .params = p->fields, .n_in = 1, .in_type = &type, .out_type = &type, .n_out = 1 };
    if (s == OK && op->folding(&q, reduced) == wanted) {
      *out = p;
      return OK;
    }
    params_release(p);
  }
  return fail("%s: no parameters choose its fold", op->name);
}

/* The types of `types` that a visit has. */
static uint32_t visited(const Visit *v, uint32_t types) {
  const uint32_t floats = types & (1u << DT_FLOAT32 | 1u << DT_FLOAT64), others = types & ~floats;
  return v->few ? (floats & -floats) | (others & -others) : types;
}

static Status visit_all(Visit *v) {
  static const Elementwise *seen[MOST_SEEN];
  int n_seen = 0;
  for (int i = 0; i < op_count(); i++) {
    const Op *op = op_at(i);
    const Elementwise *e = op->elementwise;
    bool first = e != NULL;
    for (int k = 0; k < n_seen && first; k++) first = seen[k] != e;
    if (first) seen[n_seen++] = e;
    for (DType t = 0; first && t < N_DTYPES; t++)
      if (visited(v, e->types) >> t & 1) v->expression(v, op, e, t);
    for (int k = 0; op->folds && op->folds[k]; k++) {
      Params *p = NULL;
      TRY(params_for_fold(op, op->folds[k], &p));
      v->fold(v, op, p, op->folds[k], DT_FLOAT32, k);
      if (!v->few) v->fold(v, op, p, op->folds[k], DT_FLOAT64, k);
      params_release(p);
    }
  }
  return OK;
}

/* ---- Writing ---------------------------------------------------------------------------------------- */

static void write_expression(Visit *v, const Op *op, const Elementwise *e, DType dtype) {
  const char *type = dialect_type(&dialect_c99, dtype);
  static const char *const words[] = { "g", "a", "b", "c", "y", "s", "t", "u" };
  const uint32_t used = expression_names_used(e->tree);
  char value[64], scalar[32];
  text_format(&v->out,
              "void %s_%s(int64_t n, const void *const *slots, void *to, const double *scalars);\n"
              "void %s_%s(int64_t n, const void *const *slots, void *to, const double *scalars) {\n"
              "  %s *out = to;\n",
              op->name, dtype_name(dtype), op->name, dtype_name(dtype), type);
  for (int i = 0; i < N_SLOTS; i++)
    if (used >> i & 1) text_format(&v->out, "  const %s *%s_ = slots[%d];\n", type, words[i], i);
  for (int i = 0; i < MAX_SCALARS; i++) {
    if (!(used >> (FIRST_SCALAR_NAME + i) & 1)) continue;
    snprintf(scalar, sizeof scalar, "scalars[%d]", i);
    dialect_convert(&dialect_c99, dtype, scalar, value, sizeof value);
    text_format(&v->out, "  const %s %s = %s;\n", type, words[FIRST_SCALAR_NAME + i], value);
  }
  text_put(&v->out, "  (void)slots, (void)scalars;\n  for (int64_t i = 0; i < n; i++) {\n");
  for (int i = 0; i < N_SLOTS; i++)
    if (used >> i & 1) text_format(&v->out, "    const %s %s = %s_[i];\n", type, words[i], words[i]);
  text_put(&v->out, "    out[i] = ");
  expression_print(e->tree, &dialect_c99, dtype, words, &v->out);
  text_put(&v->out, ";\n  }\n}\n");
}

static void write_folding(Visit *v, const Folding *f, const Expression *element, const Expression *finish,
                          DType dtype) {
  static const char *const words[] = { [FOLD_X] = "x", [FOLD_Y] = "y", [FOLD_TOTAL] = "total", [FOLD_COUNT] = "n" };
  const char *type = dialect_type(&dialect_c99, dtype);
  text_format(&v->out,
              "    double fold;\n    TREE_FOLD_AFTER(fold, %s, double, n, %s, %s, const %s x = data[i]; (void)x;, ",
              type, f->start, f->step, type);
  expression_print(element, &dialect_c99, dtype, words, &v->out);
  text_format(&v->out, ");\n    const double total = %s((double)(%s), fold);\n    y = ", f->step, f->start);
  expression_print(finish, &dialect_c99, dtype, words, &v->out);
  text_put(&v->out, ";\n");
}

static void write_fold(Visit *v, const Op *op, const Params *params, const Folding *f, DType dtype, int which) {
  static const char *const words[] = { [FOLD_Y] = "y" };
  const char *type = dialect_type(&dialect_c99, dtype);
  (void)params;
  text_format(&v->out,
              "void %s_fold%d_%s(int64_t n, const void *from, void *to);\n"
              "void %s_fold%d_%s(int64_t n, const void *from, void *to) {\n"
              "  const %s *data = from;\n  %s y;\n  {\n",
              op->name, which, dtype_name(dtype), op->name, which, dtype_name(dtype), type, type);
  write_folding(v, f, f->element_tree, f->finish_tree, dtype);
  text_put(&v->out, "  }\n");
  for (const FoldAgain *again = f->again; again && again->when; again++) {
    text_format(&v->out, "  %sif (", again == f->again ? "" : "else ");
    expression_print(again->when_tree, &dialect_c99, dtype, words, &v->out);
    text_put(&v->out, ") {\n");
    write_folding(v, f, again->element_tree, again->finish_tree, dtype);
    text_put(&v->out, "  }\n");
  }
  text_format(&v->out, "  *(%s *)to = y;\n}\n", type);
}

static int write_all(lua_State *L) {
  Visit v = { .expression = write_expression, .fold = write_fold, .few = lua_toboolean(L, 2), .L = L };
  text_put(&v.out, kernel_text_prelude());
  const Status s = visit_all(&v);
  FILE *file = fopen(luaL_checkstring(L, 1), "w");
  const bool written = file && v.out.at && fwrite(v.out.at, 1, v.out.length, file) == v.out.length;
  if (file) fclose(file);
  text_free(&v.out);
  return s == OK && written ? 0 : luaL_error(L, "%s", s == OK ? "cannot write the file" : status_text());
}

/* ---- Values: special ones, every bit pattern, and numbers of moderate size ------------------------------ */

static uint64_t state;

static uint64_t draw(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static double draw_float(bool single) {
  static const double special[] = { 0,     -0.0,   1,      -1,   2,    0.5,          -0.5, INFINITY, -INFINITY, NAN,
                                    1e-40, -1e-40, 1e-310, 88.5, -104, 3.4028235e38, 710,  -745,     1e300,     -3e38 };
  const uint64_t kind = draw() % 4, bits = draw();
  double d;
  float f;
  if (kind == 0) return special[bits % (sizeof special / sizeof *special)];
  if (kind < 3) return (double)(int64_t)bits * 0x1p-61;
  if (!single) {
    memcpy(&d, &bits, sizeof d);
    return d;
  }
  memcpy(&f, &bits, sizeof f);
  return (double)f;
}

static void fill(DType dtype, void *to, double scale) {
  for (int i = 0; i < N; i++) {
    const uint64_t bits = draw();
    const int64_t whole = draw() % 2 ? (int64_t)bits : (int64_t)(bits % 21) - 10;
    switch (dtype) {
      case DT_FLOAT32: ((float *)to)[i] = (float)(draw_float(true) * scale); break;
      case DT_FLOAT64: ((double *)to)[i] = draw_float(false) * scale; break;
      case DT_INT64: ((int64_t *)to)[i] = whole; break;
      case DT_INT32: ((int32_t *)to)[i] = (int32_t)whole; break;
      case DT_BOOL: ((bool *)to)[i] = whole & 1; break;
      default: ((int8_t *)to)[i] = (int8_t)whole;
    }
  }
}

/* ---- Comparing ---------------------------------------------------------------------------------------------- */

static bool same(DType dtype, const void *a, const void *b, int64_t i) {
  const size_t size = dtype_size(dtype);
  const char *x = (const char *)a + (size_t)i * size, *y = (const char *)b + (size_t)i * size;
  if (memcmp(x, y, size) == 0) return true;
  if (dtype == DT_FLOAT32) return isnan(*(const float *)x) && isnan(*(const float *)y);
  return dtype == DT_FLOAT64 && isnan(*(const double *)x) && isnan(*(const double *)y);
}

static void report(Visit *v, const char *name, int64_t differ, int64_t of) {
  v->loops++;
  v->elements += of;
  if (!differ) return;
  lua_pushfstring(v->L, "%s: %d of %d elements differ", name, (int)differ, (int)of);
  lua_rawseti(v->L, 2, (lua_Integer)++v->differing);
}

static void *function(Visit *v, const char *name) {
  void *f = dlsym(v->library, name);
  if (!f) luaL_error(v->L, "%s is missing", name);
  return f;
}

static void compare_expression(Visit *v, const Op *op, const Elementwise *e, DType dtype) {
  static const double numbers[][MAX_SCALARS] = { { 3, 2, 1 }, { -7, 100, 0 }, { 0.75, 1.5, -2.5 }, { 0, -0.0, 6 } };
  static _Alignas(64) char in[N_SLOTS][N * 8], ours[N * 8], printed[N * 8];
  char name[128];
  snprintf(name, sizeof name, "%s_%s", op->name, dtype_name(dtype));
  ElementLoop *loop = (ElementLoop *)function(v, name);
  const void *slots[N_SLOTS];
  ElementLoop *own = elementwise_loop(op, dtype);
  int64_t differ = 0;
  const int sets = e->n_scalars ? 4 : 1;
  for (int i = 0; i < N_SLOTS; i++) {
    fill(dtype, in[i], 1);
    slots[i] = in[i];
  }
  for (int k = 0; k < sets; k++) {
    if (k == 2 && !dtype_is_float(dtype)) continue;
    own(N, slots, ours, numbers[k]);
    loop(N, slots, printed, numbers[k]);
    for (int i = 0; i < N; i++) differ += !same(dtype, ours, printed, i);
  }
  report(v, name, differ, (int64_t)sets * N);
}

static void compare_fold(Visit *v, const Op *op, const Params *params, const Folding *f, DType dtype, int which) {
  static const int64_t sizes[] = { 1, 2, 15, 16, 17, 100, 1023, 1024, 1025, N };
  static const double scales[] = { 1, 0x1p-60, 0x1p70, 0x1p-500, 0x1p520 };
  const Type one = { .dtype = dtype, .shape = { .ndim = 1, .dim = { 1 } } };
  char name[128];
  int64_t differ = 0, of = 0;
  (void)f;
  snprintf(name, sizeof name, "%s_fold%d_%s", op->name, which, dtype_name(dtype));
  FoldLoop *loop = (FoldLoop *)function(v, name);
  for (size_t k = 0; k < 3 * sizeof scales / sizeof *scales * (sizeof sizes / sizeof *sizes); k++) {
    const int64_t n = sizes[k % 10];
    const Type type = { .dtype = dtype, .shape = { .ndim = 1, .dim = { n } } };
    _Alignas(8) char printed[8] = { 0 };
    Tensor x, y;
    static _Alignas(64) char data[N * 8];
    fill(dtype, data, scales[k / 30]);
    if (k / 10 % 3) /* mostly without the special values, which hide others */
      for (int64_t i = 0; i < n; i++) {
        if (dtype == DT_FLOAT32) ((float *)data)[i] = (float)(scales[k / 30] * ((double)(draw() % 2001) - 1000) * 1e-3);
        else ((double *)data)[i] = scales[k / 30] * ((double)(draw() % 2001) - 1000) * 1e-3;
      }
    if (tensor_new(&type, 0, &x) != OK || tensor_new(&one, 0, &y) != OK) luaL_error(v->L, "%s", status_text());
    memcpy(x.data, data, tensor_bytes(&x));
    const Status s = run_kernel(op, params, (const Tensor *[]){ &x }, 1, (Tensor *[]){ &y }, 1, false);
    loop(n, x.data, printed);
    differ += s != OK || !same(dtype, y.data, printed, 0);
    of++;
    tensor_release(&x);
    tensor_release(&y);
  }
  report(v, name, differ, of);
}

static int compare_all(lua_State *L) {
  Visit v = { .expression = compare_expression, .fold = compare_fold, .few = lua_toboolean(L, 2), .L = L };
  v.library = dlopen(luaL_checkstring(L, 1), RTLD_NOW | RTLD_LOCAL);
  if (!v.library) return luaL_error(L, "%s", dlerror());
  state = 88172645463325252u;
  lua_settop(L, 1);
  lua_newtable(L);
  const Status s = visit_all(&v);
  dlclose(v.library);
  if (s != OK) return luaL_error(L, "%s", status_text());
  lua_pushinteger(L, v.loops);
  lua_pushinteger(L, v.elements);
  lua_pushvalue(L, 2);
  return 3;
}

/* parse(text) -> nil, or why the text is not an expression of the names of elementwise rows. */
static int parse(lua_State *L) {
  Expression *x;
  const Status s = expression_parse(luaL_checkstring(L, 1), expression_element_names, &x);
  if (s == OK) return 0; /* the tree is left: the module is loaded once */
  lua_pushstring(L, status_text());
  return 1;
}

int luaopen_expressions(lua_State *L) {
  const luaL_Reg functions[] = {
    { "write", write_all }, { "compare", compare_all }, { "parse", parse }, { NULL, NULL }
  };
  luaL_newlib(L, functions);
  return 1;
}
