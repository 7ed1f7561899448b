/* read_record.h - the record of reads: a list of places with the values that they had.
**
** Kinds of places are those of bind/call/call_guards.c. Each place is recorded at its first read. A read after a write
** is not recorded, because the trace made the value; a write after a read is rejected, because a compiled call would
** not repeat it.
**
** All functions have stack indices as arguments, keep the stack unless they push, and ignore objects that the trace
** made.
*/
#ifndef HL_BIND_FOLLOW_READ_RECORD_H
#define HL_BIND_FOLLOW_READ_RECORD_H

#include "bind/follow/follow.h"

typedef enum ReadKind { READ_ENTRY, READ_UPVALUE, READ_METATABLE, READ_LENGTH, READ_NEXT, READ_OBJECT } ReadKind;
enum { READ_KINDS = READ_OBJECT + 1 };

/* Marks the value at `index` as outside. It came from place `from`, counted from 1, or from the caller if that is 0. */
void record_touch(lua_State *L, int index, int from);
bool record_outside(lua_State *L, int index);

/* How reads of an object are recorded, which the caller of begin() decides once per metatable. */
typedef enum OwnerKind {
  OWNER_SCRIPT,            /* the script's object: recorded here */
  OWNER_SKIPPED,            /* ours and constant: not recorded */
  OWNER_ASKED               /* ours: recorded by the caller */
} OwnerKind;
OwnerKind owner_kind(lua_State *L, int index);

/* Pushes the value of a raw read. */
void record_entry(lua_State *L, int table, int key);
/* Pushes the metatable of a value, or nil. */
void record_metatable(lua_State *L, int value);
void record_length(lua_State *L, int table);                          /* a raw one */
void record_upvalue(lua_State *L, int function, int number, int value);
void record_next(lua_State *L, int table, int key);                   /* next(table, key) */

/* A field of an object that the caller records. */
void record_object(lua_State *L, int object, int key);

void record_write(lua_State *L, int table, int key, int value);       /* a raw one */
/* Writes by a C function: entries first to last, the length, the metatable. */
void record_write_items(lua_State *L, int table, lua_Integer first, lua_Integer last);
void record_write_length(lua_State *L, int table);
void record_write_metatable(lua_State *L, int table);
void record_write_upvalue(lua_State *L, int function, int number, int value);

/* ---- By Lua's rules, including metatables ---- */

enum { MOST_CHAINED = 100 };         /* metatables in a chain; Lua stops at 2,000 */

/* Both push the metamethod, or nil, and return its type. */
int read_metamethod(lua_State *L, int value, const char *event);
/* For an operator: the first operand's, else the second's. */
int read_metamethods(lua_State *L, int first, int second, const char *event);
void read_index(lua_State *L, int value, int key);
void read_length(lua_State *L, int value);
void read_call(lua_State *L, int value);
void read_newindex(lua_State *L, int value, int key, int to);
/* All entries of a table, and of tables in it to this depth, for functions that ignore metatables. Our own objects are
** skipped. */
void read_all(lua_State *L, int table, int depth);

/* Pushes the current record, a list of { kind =, holder =, key =, value =, line =, from = } by number. Places that the
** trace wrote later have dropped = true. */
void push_record(lua_State *L);
/* Pushes the place with this number, or nil. */
void push_place(lua_State *L, lua_Integer number);

void record_free(Follow *f);

/* User values of the Follow: tables that keep places and other objects alive, and the options. */
enum { KEEP_PLACES = 1, KEEP_OBJECTS = 2, KEEP_CALLBACKS = 3 };
void push_kept(lua_State *L, int which);

#endif
