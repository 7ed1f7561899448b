/* bytecode.c - see bytecode.h. */
#include "bind/follow/bytecode.h"

#include <string.h>

#include <lua.h>

const uint8_t *dump_skip(Dump *d, size_t n) {
  const uint8_t *at = d->at;
  if (d->bad || n > (size_t)(d->end - at)) {
    d->bad = true;
    return NULL;
  }
  d->at += n;
  return at;
}

int dump_byte(Dump *d) {
  const uint8_t *at = dump_skip(d, 1);
  return at ? *at : 0;
}

/* Seven bits per byte; the high bit marks the last byte. */
size_t dump_size(Dump *d) {
  size_t n = 0;
  for (;;) {
    int b = dump_byte(d);
    if (d->bad || n >> 56) {
      d->bad = true;
      return 0;
    }
    n = n << 7 | (b & 0x7F);
    if (b & 0x80) return n;
  }
}

int dump_int(Dump *d) {
  size_t n = dump_size(d);
  if (n > INT32_MAX) d->bad = true;
  return d->bad ? 0 : (int)n;
}

void dump_skip_text(Dump *d) {
  size_t n = dump_size(d);
  if (n) dump_skip(d, n - 1);
}

void dump_header(Dump *d) {
  /* version, format, LUAC_DATA, size of an instruction */
  static const char head[] = LUA_SIGNATURE "\x54\0\x19\x93\r\n\x1a\n\x04";
  const uint8_t *at = dump_skip(d, sizeof head - 1);
  lua_Integer i = 0x5678;
  lua_Number x = 370.5;
  if (!at || memcmp(at, head, sizeof head - 1) != 0 || dump_byte(d) != sizeof i || dump_byte(d) != sizeof x) {
    d->bad = true;
    return;
  }
  const uint8_t *values = dump_skip(d, sizeof i + sizeof x);
  if (!values || memcmp(values, &i, sizeof i) != 0 || memcmp(values + sizeof i, &x, sizeof x) != 0) d->bad = true;
  dump_skip(d, 1);                /* the number of upvalues */
}

/* Skips n items, each of `texts` texts and, after those, `ints` integers. */
void dump_skip_list(Dump *d, int n, int texts, int ints) {
  for (; n > 0 && !d->bad; n--) {
    for (int i = 0; i < texts; i++) dump_skip_text(d);
    for (int i = 0; i < ints; i++) dump_int(d);
  }
}
