/* chains.c - a Lua module for one spec: convolutions by naive loops, which Convolution must match to the bit.
**
** Each function gets two arrays as strings of bytes (and bias, or nil), a table of numbers, and whether terms are
** fused; it returns the result's bytes. The loops follow the definition, not the engine. An element is a fixed-order
** chain of multiply-adds over its terms, in blocks of 1,024. For the gradient of data these are the terms that can
** differ from zero at any image size. For the gradient of weight they form groups of at most 1,024 output positions,
** whole images or whole rows of one, as equal as possible.
*/
#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct Numbers {
  long images, groups, channels, filters;      /* the last two per group */
  long in[3], out[3], kernel[3], stride[3], dilate[3], pad[3];
} Numbers;

static long at(lua_State *L, const char *name, int i) {
  lua_getfield(L, 4, name);
  lua_geti(L, -1, i + 1);
  long x = (long)lua_tointeger(L, -1);
  lua_pop(L, 2);
  return x;
}

static Numbers numbers(lua_State *L) {
  Numbers v = {
    at(L, "sizes", 0), at(L, "sizes", 1), at(L, "sizes", 2), at(L, "sizes", 3), { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }
  };
  for (int i = 0; i < 3; i++) {
    v.in[i] = at(L, "input", i);
    v.out[i] = at(L, "output", i);
    v.kernel[i] = at(L, "kernel", i);
    v.stride[i] = at(L, "stride", i);
    v.dilate[i] = at(L, "dilate", i);
    v.pad[i] = at(L, "pad", i);
  }
  return v;
}

static long size(const long *e) { return e[0] * e[1] * e[2]; }

static void split(long i, const long *extent, long *place) {
  for (int a = 2; a >= 0; a--) {
    place[a] = extent[a] == 1 ? 0 : i % extent[a];
    if (extent[a] != 1) i /= extent[a];
  }
}

/* The input offset read by tap t of the window at output offset o; -1: padding. */
static long input_offset(const Numbers *v, long o, long t) {
  long place[3], tap[3], at = 0;
  split(o, v->out, place);
  split(t, v->kernel, tap);
  for (int a = 0; a < 3; a++) {
    long x = place[a] * v->stride[a] + tap[a] * v->dilate[a] - v->pad[a];
    if (x < 0 || x >= v->in[a]) return -1;
    at = at * v->in[a] + x;
  }
  return at;
}

/* The offset of the output whose window reads input offset i by tap t, or -1. */
static long above(const Numbers *v, long i, long t) {
  long place[3], tap[3], at = 0;
  split(i, v->in, place);
  split(t, v->kernel, tap);
  for (int a = 0; a < 3; a++) {
    long x = place[a] + v->pad[a] - tap[a] * v->dilate[a];
    if (x < 0 || x % v->stride[a] != 0 || x / v->stride[a] >= v->out[a]) return -1;
    at = at * v->out[a] + x / v->stride[a];
  }
  return at;
}

/* Could any window read input offset i by tap t? Its distance from the tap must be a multiple of the stride. */
static bool meets(const Numbers *v, long i, long t) {
  long place[3], tap[3];
  split(i, v->in, place);
  split(t, v->kernel, tap);
  for (int a = 0; a < 3; a++)
    if ((place[a] + v->pad[a] - tap[a] * v->dilate[a]) % v->stride[a] != 0) return false;
  return true;
}

static long data_at(const Numbers *v, long image, long group, long channel, long place) {
  return ((image * v->groups + group) * v->channels + channel) * size(v->in) + place;
}

static long out_at(const Numbers *v, long image, long group, long filter, long place) {
  return ((image * v->groups + group) * v->filters + filter) * size(v->out) + place;
}

static long weight_at(const Numbers *v, long group, long filter, long channel, long tap) {
  return ((group * v->filters + filter) * v->channels + channel) * size(v->kernel) + tap;
}

static long parts(long n, long most) { return (n + most - 1) / most; }

static float fused_f32(float a, float b, float c) { return fmaf(a, b, c); }
static float split_f32(float a, float b, float c) { return a * b + c; }
static double fused_f64(double a, double b, double c) { return fma(a, b, c); }
static double split_f64(double a, double b, double c) { return a * b + c; }

#define EACH(T, suffix)                                                                                  \
  static void forward_##suffix(const Numbers *v, const T *x, const T *w, const T *bias, T *y, bool fused) { \
    T (*const add)(T, T, T) = fused ? fused_##suffix : split_##suffix;                                    \
    const long taps = size(v->kernel), terms = v->channels * taps;                                        \
    for (long n = 0; n < v->images; n++) for (long g = 0; g < v->groups; g++)                             \
      for (long f = 0; f < v->filters; f++) for (long o = 0; o < size(v->out); o++) {                     \
        T sum = 0, chain = 0;                                                                             \
        for (long k = 0; k < terms; k++) {                                                                \
          long place = input_offset(v, o, k % taps);                                                              \
          if (k > 0 && k % 1024 == 0) sum = k == 1024 ? chain : sum + chain, chain = 0;                   \
          chain = add(w[weight_at(v, g, f, k / taps, k % taps)],                                          \
                      place < 0 ? 0 : x[data_at(v, n, g, k / taps, place)], chain);                       \
        }                                                                                                 \
        if (terms > 1024) chain = sum + chain;                                                            \
        y[out_at(v, n, g, f, o)] = chain + (bias ? bias[g * v->filters + f] : 0);                         \
      }                                                                                                   \
  }                                                                                                       \
  static void data_##suffix(const Numbers *v, const T *g_, const T *w, const T *none, T *x, bool fused) { \
    T (*const add)(T, T, T) = fused ? fused_##suffix : split_##suffix;                                    \
    const long taps = size(v->kernel), terms = v->filters * taps;                                           \
    (void)none;                                                                                           \
    for (long n = 0; n < v->images; n++) for (long g = 0; g < v->groups; g++)                             \
      for (long c = 0; c < v->channels; c++) for (long i = 0; i < size(v->in); i++) {                     \
        T sum = 0, chain = 0;                                                                             \
        long met = 0, o = -1;                                                                             \
        bool meet = false;                                                                                \
        for (long k = 0; k < terms; k++) {                                                                \
          long tap = k / v->filters, f = k % v->filters;                                                  \
          if (f == 0) o = above(v, i, tap), meet = meets(v, i, tap);                                      \
          if (!meet) continue;                                                                            \
          if (met > 0 && met % 1024 == 0) sum = met == 1024 ? chain : sum + chain, chain = 0;             \
          if (o >= 0) chain = add(w[weight_at(v, g, f, c, tap)], g_[out_at(v, n, g, f, o)], chain);       \
          met++;                                                                                          \
        }                                                                                                 \
        if (met > 1024) chain = sum + chain;                                                              \
        x[data_at(v, n, g, c, i)] = chain + 0;                                                            \
      }                                                                                                   \
  }                                                                                                       \
  static void weight_##suffix(const Numbers *v, const T *g_, const T *x, const T *none, T *w, bool fused) { \
    T (*const add)(T, T, T) = fused ? fused_##suffix : split_##suffix;                                    \
    const long taps = size(v->kernel), rows = v->out[0] * v->out[1], width = v->out[2];                   \
    const long most = 1024 / (rows * width), most_rows = 1024 / width > 1 ? 1024 / width : 1;             \
    const long images = most > 1 && v->images > 1 ? parts(v->images, parts(v->images, most)) : 1;         \
    const long some = images > 1 || most > 0 ? rows : parts(rows, parts(rows, most_rows));                \
    (void)none;                                                                                           \
    for (long g = 0; g < v->groups; g++) for (long f = 0; f < v->filters; f++)                            \
      for (long c = 0; c < v->channels; c++) for (long t = 0; t < taps; t++) {                            \
        T sum = 0, chain = 0;                                                                             \
        bool first = true;                                                                                \
        for (long n = 0; n < v->images; n++) for (long r = 0; r < rows; r++) {                            \
          if ((n > 0 || r > 0) && n % images == 0 && r % some == 0)                                       \
            sum = first ? chain : sum + chain, chain = 0, first = false;                                  \
          for (long o = r * width; o < (r + 1) * width; o++) {                                            \
            long place = input_offset(v, o, t);                                                                   \
            chain = add(place < 0 ? 0 : x[data_at(v, n, g, c, place)], g_[out_at(v, n, g, f, o)], chain); \
          }                                                                                               \
        }                                                                                                 \
        w[weight_at(v, g, f, c, t)] = (first ? chain : sum + chain) + 0;                                  \
      }                                                                                                   \
  }
EACH(float, f32)
EACH(double, f64)

/* Arguments: bytes of both arrays, of bias or nil, { sizes, ... , dtype }, fused. */
#define FUNCTION(name, elements)                                                                          \
  static int name(lua_State *L) {                                                                         \
    const Numbers v = numbers(L);                                                                         \
    const bool fused = lua_toboolean(L, 5);                                                               \
    lua_getfield(L, 4, "dtype");                                                                          \
    const bool wide = strcmp(lua_tostring(L, -1), "float64") == 0;                                        \
    const size_t bytes = (size_t)(elements) * (wide ? sizeof(double) : sizeof(float));                    \
    luaL_Buffer b;                                                                                        \
    const void *x = lua_tostring(L, 1), *y = lua_tostring(L, 2), *bias = lua_tostring(L, 3);              \
    void *to = luaL_buffinitsize(L, &b, bytes);                                                           \
    if (wide) name##_f64(&v, x, y, bias, to, fused);                                                      \
    else name##_f32(&v, x, y, bias, to, fused);                                                           \
    luaL_pushresultsize(&b, bytes);                                                                       \
    return 1;                                                                                             \
  }
FUNCTION(forward, v.images *v.groups *v.filters *size(v.out))
FUNCTION(data, v.images *v.groups *v.channels *size(v.in))
FUNCTION(weight, v.groups *v.filters *v.channels *size(v.kernel))

int luaopen_chains(lua_State *L) {
  luaL_newlib(L, ((luaL_Reg[]){ { "forward", forward }, { "data", data }, { "weight", weight }, { NULL, NULL } }));
  return 1;
}
