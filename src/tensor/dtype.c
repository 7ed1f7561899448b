/* dtype.c - names and sizes of the element types, and float16's bits. */
#include "tensor/dtype.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest_word.h"

static const struct { const char *name, *c_name; size_t size; } dtypes[N_DTYPES] = {
  [DT_FLOAT32] = { "float32", "float", 4 },    [DT_FLOAT64] = { "float64", "double", 8 },
  [DT_FLOAT16] = { "float16", "uint16_t", 2 }, [DT_UINT8] = { "uint8", "uint8_t", 1 },
  [DT_INT32] = { "int32", "int32_t", 4 },      [DT_INT8] = { "int8", "int8_t", 1 },
  [DT_INT64] = { "int64", "int64_t", 8 },      [DT_BOOL] = { "bool", "bool", 1 },
};

size_t dtype_size(DType t) { return t < 0 ? 0 : dtypes[t].size; }
const char *dtype_name(DType t) { return t < 0 ? "unknown" : dtypes[t].name; }
const char *dtype_c_name(DType t) { return t < 0 ? "void" : dtypes[t].c_name; }

DType dtype_from_name(const char *name, size_t length) {
  for (int t = 0; t < N_DTYPES; t++)
    if (strlen(dtypes[t].name) == length && memcmp(dtypes[t].name, name, length) == 0) return (DType)t;
  return DT_UNKNOWN;
}

/* Other libraries' names in lower case, without prefixes; unsupported widths map to the next supported one. */
static const struct { DType t; const char *names; } elsewhere[] = {
  { DT_FLOAT32, " float float_ single real f f4 f32 fp32 bfloat16 bf16 " },
  { DT_FLOAT64, " double number d f8 f64 fp64 longdouble float128 " },
  { DT_FLOAT16, " half e f2 f16 fp16 " },
  { DT_INT32, " int int_ integer intc i i4 i32 signed short int16 i2 i16 uint16 ushort u2 u16 h " },
  { DT_INT64, " long longlong int64_t l q i8 i64 uint32 uint64 uint ulong u4 u8 u32 u64 unsigned " },
  { DT_INT8, " char i1 b int8_t " },
  { DT_UINT8, " byte ubyte uchar u1 uint8_t " },
  { DT_BOOL, " bool_ boolean bool8 b1 logical mask ? " },
};

static bool starts(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

const char *dtype_advice(const char *name) {
  static _Thread_local char text[48];
  char word[32] = " ";
  const char *dot = strrchr(name, '.');
  const char *from = dot ? dot + 1 : name;
  from += strspn(from, "<>=|");
  const size_t n = strlen(from);
  if (n == 0 || n > sizeof word - 3) return "";
  for (size_t i = 0; i < n; i++) word[1 + i] = (char)tolower((unsigned char)from[i]);
  if (starts(word + 1, "complex")) return "; there are no complex numbers";
  if (starts(word + 1, "str") || starts(word + 1, "object")) return "; arrays hold numbers only";
  DType found = dtype_from_name(word + 1, n);
  word[1 + n] = ' ';
  for (size_t i = 0; found == DT_UNKNOWN && i < sizeof elsewhere / sizeof *elsewhere; i++)
    if (strstr(elsewhere[i].names, word)) found = elsewhere[i].t;
  word[1 + n] = '\0';
  NearestWord near = { .word = word + 1 };
  for (int t = 0; found == DT_UNKNOWN && t < N_DTYPES; t++) nearest_offer(&near, dtypes[t].name, dtypes[t].name);
  const char *ours = found == DT_UNKNOWN ? nearest_found(&near) : dtypes[found].name;
  if (!ours) return "";
  snprintf(text, sizeof text, "; did you mean '%s'?", ours);
  return text;
}

uint16_t half_from_float(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  uint16_t sign = (uint16_t)(bits >> 16 & 0x8000u);
  uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) return sign | 0x7E00u;             /* NaN */
  if (magnitude >= 0x477FF000u) return sign | 0x7C00u;            /* rounds to infinity */
  if (magnitude < 0x33000001u) return sign;                       /* rounds to zero */
  if (magnitude < 0x38800000u) {                                  /* subnormal in half */
    uint32_t shift = 126 - (magnitude >> 23);
    uint32_t fraction = (magnitude & 0x7FFFFFu) | 0x800000u;
    uint32_t half = fraction >> shift, rest = fraction & ((1u << shift) - 1), tie = 1u << (shift - 1);
    if (rest > tie || (rest == tie && (half & 1))) half++;
    return sign | (uint16_t)half;
  }
  uint32_t half = (magnitude - 0x38000000u) >> 13, rest = magnitude & 0x1FFFu;
  if (rest > 0x1000u || (rest == 0x1000u && (half & 1))) half++;
  return sign | (uint16_t)half;
}

float half_to_float(uint16_t h) {
  uint32_t sign = (uint32_t)(h & 0x8000u) << 16, exponent = h >> 10 & 31u, fraction = h & 0x3FFu, bits;
  if (exponent == 31) {
    bits = sign | 0x7F800000u | fraction << 13;
  } else if (exponent == 0) {
    float value = (float)fraction * 0x1p-24f;
    return sign ? -value : value;
  } else {
    bits = sign | (exponent + 112) << 23 | fraction << 13;
  }
  float x;
  memcpy(&x, &bits, 4);
  return x;
}

bool dtype_holds(DType t, double x) {
  if (t == DT_BOOL) return true;
  const double beyond = ldexp(1, 8 * (int)dtype_size(t) - (t != DT_UINT8)), least = t == DT_UINT8 ? 0 : -beyond;
  return x >= least && x < beyond && x == (double)(int64_t)x;
}

Status fail_rounded(int64_t n) {
  return fail("%lld would become %.0f in float32, which holds whole numbers up to 16777216; write dtype = \"int64\" or "
              "\"float64\"",
              (long long)n, (double)(float)n);
}
