/* bytecode.h - the reader of dumped Lua functions. The format is fixed for Lua 5.4 and checked; unexpected input sets
** `bad`. */
#ifndef HL_BIND_FOLLOW_BYTECODE_H
#define HL_BIND_FOLLOW_BYTECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lua 5.4's instructions, in the order of lopcodes.h. */
/* clang-format off */
typedef enum Opcode {
  OP_MOVE, OP_LOADI, OP_LOADF, OP_LOADK, OP_LOADKX, OP_LOADFALSE, OP_LFALSESKIP, OP_LOADTRUE, OP_LOADNIL,
  OP_GETUPVAL, OP_SETUPVAL, OP_GETTABUP, OP_GETTABLE, OP_GETI, OP_GETFIELD, OP_SETTABUP, OP_SETTABLE, OP_SETI,
  OP_SETFIELD, OP_NEWTABLE, OP_SELF, OP_ADDI, OP_ADDK, OP_SUBK, OP_MULK, OP_MODK, OP_POWK, OP_DIVK, OP_IDIVK,
  OP_BANDK, OP_BORK, OP_BXORK, OP_SHRI, OP_SHLI, OP_ADD, OP_SUB, OP_MUL, OP_MOD, OP_POW, OP_DIV, OP_IDIV, OP_BAND,
  OP_BOR, OP_BXOR, OP_SHL, OP_SHR, OP_MMBIN, OP_MMBINI, OP_MMBINK, OP_UNM, OP_BNOT, OP_NOT, OP_LEN, OP_CONCAT,
  OP_CLOSE, OP_TBC, OP_JMP, OP_EQ, OP_LT, OP_LE, OP_EQK, OP_EQI, OP_LTI, OP_LEI, OP_GTI, OP_GEI, OP_TEST, OP_TESTSET,
  OP_CALL, OP_TAILCALL, OP_RETURN, OP_RETURN0, OP_RETURN1, OP_FORLOOP, OP_FORPREP, OP_TFORPREP, OP_TFORCALL,
  OP_TFORLOOP, OP_SETLIST, OP_CLOSURE, OP_VARARG, OP_VARARGPREP, OP_EXTRAARG
} Opcode;
/* clang-format on */

static inline int op_of(uint32_t i) { return i & 0x7F; }
static inline int a_of(uint32_t i) { return i >> 7 & 0xFF; }
static inline int b_of(uint32_t i) { return i >> 16 & 0xFF; }
static inline int c_of(uint32_t i) { return i >> 24; }
static inline bool k_of(uint32_t i) { return i >> 15 & 1; }
static inline int bx_of(uint32_t i) { return (int)(i >> 15); }
static inline int sb_of(uint32_t i) { return b_of(i) - 127; }
static inline int jump_of(uint32_t i) { return (int)(i >> 7) - 0xFFFFFF; }

typedef struct Dump {
  const uint8_t *at, *end;
  bool bad; /* the dump ended early or has another format */
} Dump;

/* Each advances past what it reads. */
const uint8_t *dump_skip(Dump *d, size_t n);
int dump_byte(Dump *d);
size_t dump_size(Dump *d);
int dump_int(Dump *d);
void dump_skip_text(Dump *d);
void dump_header(Dump *d);
void dump_skip_list(Dump *d, int n, int texts, int ints);

#endif
