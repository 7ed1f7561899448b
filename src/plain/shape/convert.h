/* convert.h - out is data, n elements, in another dtype. Output layers have labels, which predictions ignore.
**
** C99 has no float16: its elements are uint16_t with a sign, an exponent of 5 bits and 10 bits of fraction. They are
** converted through float.
*/
#include "plain/common/conversion.h"

static void TYPED(convert)(const other *data, const third *label, real *out, int64_t n) {
  (void)label;
  for (int64_t i = 0; i < n; i++) out[i] = TYPED(converted)(data[i]);
}

/* To float16: the nearest one, of two the even one. The distance between neighbours, `unit`, doubles from 2048 units
** on; the next exponent begins there. */
static inline uint16_t TYPED(half_of)(float x) {
  const uint16_t sign = (uint16_t)(hl_bits(x) >> 31 << 15);
  const double size = fabs((double)x);
  double unit = 1.0 / 16777216;
  uint16_t exponent = 0;
  if (size != size) return (uint16_t)(sign | 0x7E00);
  if (size >= 65520) return (uint16_t)(sign | 0x7C00);
  for (; size >= 2048 * unit; unit *= 2) exponent++;
  const double whole = floor(size / unit), rest = size / unit - whole;
  const bool up = rest > 0.5 || (rest == 0.5 && (int64_t)whole % 2 == 1);
  return (uint16_t)(sign | (exponent * 1024 + (int64_t)whole + up));
}

static void TYPED(convert_to_half)(const other *data, const third *label, uint16_t *out, int64_t n) {
  (void)label;
  for (int64_t i = 0; i < n; i++) out[i] = TYPED(half_of)((float)data[i]);
}

static inline float TYPED(float_of)(uint16_t half) {
  const int exponent = half >> 10 & 31, fraction = half & 1023;
  float size = (float)(exponent == 0 ? fraction : 1024 + fraction) / 16777216;
  for (int i = 1; i < exponent; i++) size *= 2;
  if (exponent == 31) size = hl_from_bits(0x7F800000u | (uint32_t)fraction << 13);
  return half >> 15 ? -size : size;
}

static void TYPED(convert_from_half)(const uint16_t *data, const third *label, real *out, int64_t n) {
  (void)label;
  for (int64_t i = 0; i < n; i++) out[i] = TYPED(number)((double)TYPED(float_of)(data[i]));
}
