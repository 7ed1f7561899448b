/* bytecode.h - reads the instructions of a Lua function from the output of string.dump. Its format is fixed for Lua 5.4
** and checked here; unexpected input sets `bad`. */
#ifndef HL_BIND_TRACE_BYTECODE_H
#define HL_BIND_TRACE_BYTECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Lua 5.4's instructions, those of lopcodes.h that are used here. */
enum {
  OP_MOVE,
  OP_LOADI,
  OP_LOADF,
  OP_LOADK,
  OP_LOADFALSE = 5,
  OP_LOADTRUE = 7,
  OP_GETUPVAL = 9,
  OP_SETUPVAL,
  OP_GETTABUP,
  OP_GETFIELD = 14,
  OP_SETTABUP = 15,
  OP_NEWTABLE = 19,
  OP_SELF = 20,
  OP_SHR = 45,
  OP_UNM = 49,
  OP_CONCAT = 53,
  OP_TBC = 55,
  OP_JMP = 56,
  OP_TEST = 66,
  OP_TESTSET,
  OP_CALL,
  OP_CLOSURE = 79,
  OP_VARARG
};

static inline int op_of(uint32_t i) { return i & 0x7F; }
static inline int a_of(uint32_t i) { return i >> 7 & 0xFF; }
static inline int b_of(uint32_t i) { return i >> 16 & 0xFF; }
static inline int c_of(uint32_t i) { return i >> 24; }
static inline bool k_of(uint32_t i) { return i >> 15 & 1; }
static inline int jump_of(uint32_t i) { return (int)(i >> 7) - 0xFFFFFF; }

typedef struct Dump {
  const uint8_t *at, *end;
  bool bad; /* it ended early, or is of another form */
} Dump;

/* A function in it. */
typedef struct Code {
  const uint8_t *code, *lines;
  int n, n_lines, first_line;
  Dump constants, marks, locals, upvalues; /* each from its number on */
} Code;

/* Each steps over what it reads. */
const uint8_t *dump_skip(Dump *d, size_t n);
int dump_byte(Dump *d);
size_t dump_size(Dump *d);
int dump_int(Dump *d);
void dump_skip_text(Dump *d);
void dump_header(Dump *d);
void dump_code(Dump *d, Code *c);
void dump_skip_constants(Dump *d, int n);
void dump_skip_list(Dump *d, int n, int texts, int ints);
void dump_rest(Dump *d, Code *c, int depth);

static inline uint32_t code_at(const Code *c, int pc) {
  uint32_t i;
  memcpy(&i, c->code + (size_t)pc * 4, 4);
  return i;
}

#endif
