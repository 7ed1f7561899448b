/* updates.c - a Lua module for specs: each update rule of the registry as a C99 function, compared with the kernels.
**
** write(file) writes the functions. compare(library) runs those of a compiled library and the program's own kernels on
** the same weights, gradients, states and numbers. It returns the number of loops, of elements, and a list of the
** loops with other bits. A NaN equals any NaN. unwritten() lists the rows whose kernels compute element by element, but
** which have neither an expression nor an update rule.
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

enum { MOST_OPERANDS = 8, ROUNDS = 12 };

/* The parameters come as doubles. */
typedef void UpdateLoop(int64_t n, void *const *in, void *out, const double *number);

static const DType types[] = { DT_FLOAT32, DT_FLOAT64 };

/* ---- Writing ---------------------------------------------------------------------------------------- */

static bool is_written(const UpdateRule *u, int name) { return name == 0 || (name < 32 && u->written >> name & 1); }

static uint32_t names_used(const Assignments *all) {
  uint32_t used = 0;
  for (int i = 0; i < all->n; i++) used |= expression_names_used(all->at[i].value);
  return used;
}

static const char *type_of(const Assignments *all, int name, DType dtype) {
  return all->names[name].type == NAME_OF_DOUBLE ? "double" : dialect_type(&dialect_c99, dtype);
}

static void write_numbers(const Op *op, DType dtype, Text *out) {
  const Assignments *all = op->update->tree;
  const int n_inputs = op->info->n_inputs;
  char number[64], value[96];
  for (int k = op->update->n_elements; k < all->n_known; k++) {
    if (!(names_used(all) >> k & 1)) continue;
    if (k < n_inputs) snprintf(number, sizeof number, "*(const %s *)in[%d]", dialect_type(&dialect_c99, dtype), k);
    else snprintf(number, sizeof number, "number[%d]", k - n_inputs);
    dialect_convert(&dialect_c99, all->names[k].type == NAME_OF_DOUBLE ? DT_FLOAT64 : dtype, number, value,
                    sizeof value);
    text_format(out, "  const %s %s = %s;\n", type_of(all, k, dtype), all->names[k].word, value);
  }
}

static void write_assignment(const Assignments *all, const Assignment *a, DType dtype, const char *const *words,
                             Text *out) {
  text_put(out, a->constant ? "  " : "    ");
  if (a->name >= all->n_known) text_format(out, "const %s ", type_of(all, a->name, dtype));
  text_format(out, "%s = ", words[a->name]);
  expression_print(a->value, &dialect_c99, all->names[a->name].type == NAME_OF_DOUBLE ? DT_FLOAT64 : dtype, words, out);
  text_put(out, ";\n");
}

static void write_rule(const Op *op, DType dtype, Text *out) {
  const UpdateRule *u = op->update;
  const Assignments *all = u->tree;
  const char *type = dialect_type(&dialect_c99, dtype), *words[MOST_NAMES];
  for (int i = 0; i < all->n_names; i++) words[i] = all->names[i].word;
  for (int i = 0; i < 2; i++)
    text_format(out, "void %s_%s(int64_t elements, void *const *in, void *to, const double *number)%s", op->name,
                dtype_name(dtype), i ? " {\n" : ";\n");
  text_format(out, "  %s *out = to;\n", type);
  for (int i = 0; i < u->n_elements; i++) text_format(out, "  %s *%s_ = in[%d];\n", type, words[i], i);
  write_numbers(op, dtype, out);
  for (int i = 0; i < all->n; i++)
    if (all->at[i].constant) write_assignment(all, &all->at[i], dtype, words, out);
  text_put(out, "  (void)number;\n  for (int64_t i = 0; i < elements; i++) {\n");
  for (int i = 0; i < u->n_elements; i++)
    text_format(out, "    %s%s %s = %s_[i];\n", is_written(u, i) ? "" : "const ", type, words[i], words[i]);
  for (int i = 0; i < all->n; i++)
    if (!all->at[i].constant) write_assignment(all, &all->at[i], dtype, words, out);
  for (int i = 1; i < u->n_elements; i++)
    if (is_written(u, i)) text_format(out, "    %s_[i] = %s;\n", words[i], words[i]);
  text_format(out, "    out[i] = %s;\n  }\n}\n", words[0]);
}

static int write_all(lua_State *L) {
  Text text = { 0 };
  int n = 0;
  text_put(&text, kernel_text_prelude());
  for (int i = 0; i < op_count(); i++)
    for (int t = 0; op_at(i)->update && t < 2; t++, n++) write_rule(op_at(i), types[t], &text);
  FILE *file = fopen(luaL_checkstring(L, 1), "w");
  const bool written = file && text.at && fwrite(text.at, 1, text.length, file) == text.length;
  if (file) fclose(file);
  text_free(&text);
  if (!written) return luaL_error(L, "cannot write the file");
  lua_pushinteger(L, n);
  return 1;
}

/* ---- Values -------------------------------------------------------------------------------------------- */

static uint64_t state;

static uint64_t draw(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

/* Moderate numbers, in half of the rounds also special ones. States are mostly not negative, as in a training. */
static void fill(Tensor *t, bool special, bool positive) {
  static const double odd[] = { 0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 1e-40, -1e-310, 3.4028235e38, 1e300, -3e38 };
  for (int64_t i = 0; i < tensor_size(t); i++) {
    double x = (double)(int64_t)draw() * 0x1p-62;
    if (positive) x = fabs(x);
    if (special && draw() % 8 == 0) x = odd[draw() % (sizeof odd / sizeof *odd)];
    tensor_set(t, i, x);
  }
}

/* Sets the parameters, and number[] to the same. In round 0 they have their defaults. */
static void draw_numbers(const Op *op, Params *p, int round, double *number) {
  static const double some[] = { 0.1, 0.9, 0.999, 0.01, 1e-8, 0, -1, 1, 0.5, 3, 0.3, -1e-60 };
  for (int i = 0; i < op->info->n_params; i++) {
    const Param *param = &op->info->param[i];
    char *field = (char *)p->fields + param->offset;
    double x = some[draw() % (sizeof some / sizeof *some)];
    int64_t whole = param->kind == P_BOOL ? (int64_t)(draw() % 2) : (int64_t)(1 + draw() % 2000);
    if (round > 0 && param->kind == P_FLOAT) memcpy(field, &x, sizeof x);
    if (round > 0 && param->kind != P_FLOAT) memcpy(field, &whole, sizeof whole);
    memcpy(&x, field, sizeof x);
    memcpy(&whole, field, sizeof whole);
    number[i] = param->kind == P_FLOAT ? x : (double)whole;
  }
}

/* ---- Comparing ---------------------------------------------------------------------------------------------- */

static int64_t count_different(const Tensor *a, const Tensor *b) {
  const size_t size = dtype_size(a->type.dtype);
  int64_t n = 0;
  for (int64_t i = 0; i < tensor_size(a); i++) {
    const bool same = memcmp((const char *)a->data + (size_t)i * size, (const char *)b->data + (size_t)i * size,
                             size) == 0;
    n += !same && !(isnan(tensor_get(a, i)) && isnan(tensor_get(b, i)));
  }
  return n;
}

typedef struct Operands { Tensor in[MOST_OPERANDS], out; void *data[MOST_OPERANDS]; } Operands;

static Status operands_new(const Op *op, DType dtype, int64_t n, Operands *o) {
  for (int i = 0; i <= op->info->n_inputs; i++) {
    const bool one = i < op->info->n_inputs && i >= op->update->n_elements;
    const Type type = { .dtype = dtype, .shape = { .ndim = 1, .dim = { one ? 1 : n } } };
    Tensor *t = i < op->info->n_inputs ? &o->in[i] : &o->out;
    TRY(tensor_new(&type, DEVICE_HOST, t));
    if (i < op->info->n_inputs) o->data[i] = t->data;
  }
  return OK;
}

static void operands_free(const Op *op, Operands *o) {
  for (int i = 0; i < op->info->n_inputs; i++) tensor_release(&o->in[i]);
  tensor_release(&o->out);
}

/* Runs kernel and function on equal operands; returns how many elements of the output and the states differ. */
static Status compare_call(const Op *op, DType dtype, int64_t n, int round, UpdateLoop *loop, int64_t *differ) {
  static const double one[] = { 0.5, 0, NAN, INFINITY, -1, 2, 0.25 };
  Operands ours = { 0 }, printed = { 0 };
  Params *p;
  double number[MAX_PARAMS];
  const Tensor *in[MOST_OPERANDS];
  TRY(params_new(op, &p));
  TRY(operands_new(op, dtype, n, &ours));
  TRY(operands_new(op, dtype, n, &printed));
  draw_numbers(op, p, round, number);
  for (int i = 0; i < op->info->n_inputs; i++) {
    if (i < op->update->n_elements) fill(&ours.in[i], round % 2, i > 1 && round % 3);
    else tensor_set(&ours.in[i], 0, one[draw() % (sizeof one / sizeof *one)]);
    memcpy(printed.in[i].data, ours.in[i].data, tensor_bytes(&ours.in[i]));
    in[i] = &ours.in[i];
  }
  Tensor *to = round % 2 ? &ours.out : &ours.in[0];         /* or in place */
  TRY(run_kernel(op, p, in, op->info->n_inputs, &to, 1, false));
  loop(n, printed.data, printed.out.data, number);
  *differ += count_different(to, &printed.out);
  for (int i = 1; i < op->update->n_elements; i++) *differ += count_different(&ours.in[i], &printed.in[i]);
  operands_free(op, &ours);
  operands_free(op, &printed);
  params_release(p);
  return OK;
}

static int compare_all(lua_State *L) {
  static const int64_t sizes[] = { 0, 1, 2, 7, 64, 1001, 40001 };
  void *library = dlopen(luaL_checkstring(L, 1), RTLD_NOW | RTLD_LOCAL);
  if (!library) return luaL_error(L, "%s", dlerror());
  lua_Integer loops = 0, elements = 0, differing = 0;
  state = 88172645463325252u;
  lua_newtable(L);
  for (int i = 0; i < op_count(); i++) {
    const Op *op = op_at(i);
    for (int t = 0; op->update && t < 2; t++, loops++) {
      char name[128];
      int64_t differ = 0;
      snprintf(name, sizeof name, "%s_%s", op->name, dtype_name(types[t]));
      UpdateLoop *loop = (UpdateLoop *)dlsym(library, name);
      if (!loop) return luaL_error(L, "%s is missing", name);
      for (int round = 0; round < ROUNDS; round++) {
        const int64_t n = sizes[round % 7];
        if (compare_call(op, types[t], n, round, loop, &differ) != OK) return luaL_error(L, "%s", status_text());
        elements += n;
      }
      if (!differ) continue;
      lua_pushfstring(L, "%s: %d elements differ", name, (int)differ);
      lua_rawseti(L, -2, ++differing);
    }
  }
  dlclose(library);
  lua_pushinteger(L, loops);
  lua_pushinteger(L, elements);
  lua_rotate(L, -3, 2);
  return 3;
}

/* ---- Rows without a text ------------------------------------------------------------------------------------- */

static int unwritten(lua_State *L) {
  lua_Integer n = 0;
  lua_newtable(L);
  for (int i = 0; i < op_count(); i++) {
    const Op *op = op_at(i);
    bool by_element = false;
    for (int dtype = 0; dtype < N_DTYPES; dtype++)
      by_element = by_element || (op->kernel[ON_HOST][dtype] && op->kernel[ON_HOST][dtype]->range);
    if (!by_element || op->elementwise || op->update) continue;
    lua_pushstring(L, op->name);
    lua_rawseti(L, -2, ++n);
  }
  return 1;
}

/* parse(text) -> nil, or why the text is not a list of assignments to w and m with the number s. */
static int parse(lua_State *L) {
  static const ExpressionName names[] = { { "w", NAME_OF_LOOP }, { "m", NAME_OF_LOOP }, { "s", NAME_OF_LOOP } };
  Assignments *all;
  const Status s = assignments_parse(luaL_checkstring(L, 1), names, 3, 2, &all);
  if (s == OK) return 0; /* the tree is left: the module is loaded once */
  lua_pushstring(L, status_text());
  return 1;
}

int luaopen_updates(lua_State *L) {
  const luaL_Reg functions[] = {
    { "write", write_all }, { "compare", compare_all }, { "unwritten", unwritten }, { "parse", parse }, { NULL, NULL }
  };
  luaL_newlib(L, functions);
  return 1;
}
