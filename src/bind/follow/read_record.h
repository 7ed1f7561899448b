/* read_record.h - the record of what was read: a list of places with the values that they had.
**
** The kinds are those of bind/call/call_guards.c. Each place is recorded at its first read. A place that was
** written before is the trace's own; one that is written after it was read is refused, since a compiled call
** would not repeat that.
**
** All functions take stack indices, leave the stack as it was unless they say that they push, and record nothing of what
** the trace made itself.
*/
#ifndef HL_BIND_FOLLOW_READ_RECORD_H
#define HL_BIND_FOLLOW_READ_RECORD_H

#include "bind/follow/follow.h"

typedef enum ReadKind { READ_ENTRY, READ_UPVALUE, READ_METATABLE, READ_LENGTH, READ_NEXT, READ_OBJECT, READ_KINDS } ReadKind;

/* The value at `index` came from the place with this number, from 1; 0: from the caller. It is outside from here on. */
void record_touch(lua_State *L, int index, int from);
bool record_outside(lua_State *L, int index);

/* Whose objects have the metatable of the value at `index`: the caller of begin() says so once for each metatable. */
typedef enum OwnerKind {
  OWNER_SCRIPT,            /* its reads are recorded */
  OWNER_SKIPPED,            /* ours, and it does not change */
  OWNER_ASKED               /* ours: the caller records reads of it */
} OwnerKind;
OwnerKind owner_kind(lua_State *L, int index);

/* Pushes what a raw read finds. */
void record_entry(lua_State *L, int table, int key);
/* Pushes the metatable of any value, or nil. */
void record_metatable(lua_State *L, int value);
void record_length(lua_State *L, int table);                          /* a raw one */
void record_upvalue(lua_State *L, int function, int number, int value);
void record_next(lua_State *L, int table, int key);                   /* next(table, key) */

/* A field of an object that the caller records. */
void record_object(lua_State *L, int object, int key);

void record_write(lua_State *L, int table, int key, int value);       /* a raw one */
/* Of a function in C: entries first to last, the length if it changes, the metatable. */
void record_write_items(lua_State *L, int table, lua_Integer first, lua_Integer last);
void record_write_length(lua_State *L, int table);
void record_write_metatable(lua_State *L, int table);
void record_write_upvalue(lua_State *L, int function, int number, int value);

/* ---- By Lua's rules, metatables included ---- */

enum { MOST_CHAINED = 100 };         /* metatables, one behind another; Lua stops at 2,000 */

/* Pushes the metamethod, or nil. */
int read_metamethod(lua_State *L, int value, const char *event);
/* Of an operator: the first operand's, else the second's. */
int read_metamethods(lua_State *L, int first, int second, const char *event);
void read_index(lua_State *L, int value, int key);
void read_length(lua_State *L, int value);
void read_call(lua_State *L, int value);
void read_newindex(lua_State *L, int value, int key, int to);
/* All entries of a table, and tables in it to this depth: for functions that read them past metatables. Of our own
** objects none. */
void read_all(lua_State *L, int table, int depth);

/* The current record: pushes a list of { kind =, holder =, key =, value =, line =, from = }, by number; those that the
** trace wrote afterwards have dropped = true. */
void push_record(lua_State *L);
/* Pushes one of them; nil if there is none with this number. */
void push_place(lua_State *L, lua_Integer number);

void record_free(Follow *f);

/* For the userdata of follow.c: tables that keep the places and other objects alive. */
enum { KEEP_PLACES = 1, KEEP_OBJECTS = 2, KEEP_CALLBACKS = 3 };
void push_kept(lua_State *L, int which);

#endif
