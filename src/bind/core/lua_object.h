/* lua_object.h - conversion between the engine's objects and Lua values.
**
** Arrays and symbols are full userdata that begin with a tag, the address of a static variable, which distinguishes
** them from other userdata. They are of one of two kinds, nd's or np's, whose tags differ: a kind is a metatable, so
** methods and operators of np's have NumPy's meaning, and everything else takes both. Results of operators are np's if
** an operand is (value/op_functions.c). Invariant: every allocation is owned by a userdata before anything can raise, because Lua's
** errors jump over C.
**
** The engine calls back into Lua in protected calls only (keep_error). A userdata for the parameters of a call would
** cost too much: they are registered instead, and the next call frees those left by an error (bind/value/op_args.c).
** spec/support/exhausted_child.lua makes Lua's memory fail at every point of a call, a trace, a backward, a load and a
** line at the prompt.
*/
#ifndef HL_BIND_CORE_LUA_OBJECT_H
#define HL_BIND_CORE_LUA_OBJECT_H

#include <lauxlib.h>
#include <lua.h>

#include "bind/core/lua_error.h"
#include "exec/array.h"
#include "exec/lazy/lazy_value.h"
#include "ir/op.h"

/* clang-format off */
/* ---- NDArray ---- */
typedef enum Kind { KIND_ND, KIND_NP } Kind;
Kind value_kind(lua_State *L, int index);                  /* of an array or Symbol; KIND_ND for other values */
void make_np(lua_State *L, int index);                  /* turns an array or a Symbol that nothing else refers to yet into
                                                        ** np's, or those in a list */
bool is_nd_array(lua_State *L, int index);              /* an array, and not np's? */
Kind array_kind(const Array *a);                        /* of an array that a userdata holds */
Array *to_array(lua_State *L, int index);               /* NULL for other values; raises if a lazy value cannot
                                                        ** be computed */
Array *check_array(lua_State *L, int index);            /* raises for other values and for a freed array */

/* These do not compute a lazy value (exec/lazy/lazy_value.h). */
bool is_array(lua_State *L, int index);
const Type *array_type(lua_State *L, int index);        /* NULL for other values; valid for a freed array */
Device array_device(lua_State *L, int index);
LazyValue *array_lazy_value(lua_State *L, int index);   /* its `of` is NULL if the value is computed */
Array *array_lazy(lua_State *L, int index);             /* only t.type is valid if the value is lazy */
void array_defer(lua_State *L, int index, LazyValue lazy, const Type *type);
Array **list_arrays(lua_State *L, int index, int n, bool holes); /* the first n arrays of a list, in a userdata left
                                                                 ** on the stack; NULL in holes */
#define STRAY_KEY "expected a list without holes, whose only keys that are numbers are 1, 2, 3 and so on"
/* Does a list of n values have a numeric key other than 1 to n, such as 3 in {[1] = 2, [3] = 4}? In a long list only
** keys after the last value are checked, because a loop over all of them would be slow. */
bool has_stray_key(lua_State *L, int index, lua_Integer n);
int check_length(lua_State *L, int index, const char *what);       /* of a list; raises unless it is a table */
Array *push_array(lua_State *L);                        /* a new, empty one for the caller to fill in */
Array *push_array_of(lua_State *L, Kind kind);          /* np's only after new_kind */
void push_bytes(lua_State *L, const Array *a);          /* of its elements, as a string */
void push_tensor(lua_State *L, const Tensor *t);        /* a new one that shares t */
void push_array_metatable(lua_State *L, Kind kind);     /* np's are tables only after new_kind */

/* Keeps the Lua objects in the array's history alive; NULL if there are none. See tape_anchor.h. */
typedef struct Anchor Anchor;
Anchor **array_anchor(Array *a);

/* ---- Symbol: one or several entries of a graph ---- */
typedef struct Symbol {
  Entry *entry;
  int n;
} Symbol;
Symbol *to_symbol(lua_State *L, int index);
Symbol *check_symbol(lua_State *L, int index);
static inline bool is_operand(lua_State *L, int index) { return is_array(L, index) || to_symbol(L, index); }
Symbol *push_symbol(lua_State *L, const Entry *entries, int n);   /* retains the nodes */
Symbol *push_entry(lua_State *L, Entry e);
void push_symbol_metatable(lua_State *L, Kind kind);
void new_kind(lua_State *L);                            /* makes np's metatables, as copies of nd's */

/* ---- What C owns while Lua may raise ---- */

/* Pushes a new userdata of `size` bytes of zeros. `end` is called for it once, by owned_end or, after an error, by
** Lua's collector. */
void *push_owned(lua_State *L, size_t size, void (*end)(void *owned));
void owned_end(void *owned);

/* push_owned for objects made so often that new ones would burden the collector: pushes the userdata kept under `key`
** in the registry, or a new one; owned_rest ends it and puts it back. */
void *push_resting(lua_State *L, const void *key, size_t size, void (*end)(void *owned));
void owned_rest(lua_State *L, int index, const void *key);

/* A text to write to. take_text replaces its userdata by the string; raises if memory ran out while it was written. */
Text *push_text(lua_State *L);
void take_text(lua_State *L, Text *text);

/* ---- nd.NULL: "nothing" in lists and for options with another default ---- */
bool is_null(lua_State *L, int index);
void push_null(lua_State *L);

/* ---- The tables of operators, nd and sym, which functions get as F, and the tables in them ---- */
void push_operator_methods(lua_State *L);            /* the table of methods, x:name(), of arrays and Symbols */
void mark_operators(lua_State *L, int index, const char *name);
const char *operators_name(lua_State *L, int index); /* its name in scripts, "nd.random"; NULL for other values */
bool is_operators(lua_State *L, int index);

/* ---- Values ---- */
/* The text of a string; fails if it has a zero byte. check_text raises instead, for other values too. */
Status whole_text(lua_State *L, int index, const char *what, const char **out);
const char *check_text(lua_State *L, int index, const char *what);
const char *check_bytes(lua_State *L, int index, const char *what, size_t *n);     /* a string with any bytes */
const char *operand_hint(lua_State *L, int index);      /* advice if this was passed as an array, or "" */
const char *type_name(lua_State *L, int index);         /* "NDArray", "Symbol", or Lua's name */
Shape check_shape(lua_State *L, int index, const char *who);     /* a table of integers, or one integer */
DType check_dtype(lua_State *L, int index, const char *who);
void push_shape(lua_State *L, const Shape *s);          /* a table that prints as (2, 3) (shape_value.c) */

/* A plain table has no metatable; a shape may be used as one. */
typedef enum TableKind { TABLE_NONE, TABLE_PLAIN, TABLE_SHAPE, TABLE_OTHER } TableKind;
TableKind table_kind(lua_State *L, int index);
/* Pushes an integer, a float or a boolean, depending on the dtype. */
void push_element(lua_State *L, const Tensor *t, int64_t i);
bool table_get_bool(lua_State *L, int index, const char *key, bool otherwise);

/* Set a field of the table on top. */
void set_integer(lua_State *L, const char *key, int64_t value);
void set_number(lua_State *L, const char *key, double value);
void set_boolean(lua_State *L, const char *key, bool value);
void set_string(lua_State *L, const char *key, const char *value);     /* NULL: "" */
void set_function(lua_State *L, const char *key, lua_CFunction value);
/* Copies the fields of the table at `index` to the table on top. */
void copy_fields(lua_State *L, int index);

/* Push the one result of a function that Lua calls, and return 1. */
int return_integer(lua_State *L, int64_t value);
int return_number(lua_State *L, double value);
int return_boolean(lua_State *L, bool value);

/* Pushes a new metatable for userdata with that tag, and keeps it in the registry under the tag. */
void new_metatable(lua_State *L, const void *tag, const char *name, lua_CFunction gc);
/* Sets the metatable of the value on top to the one kept under the tag. */
void take_metatable(lua_State *L, const void *tag);

/* Puts a new table with weak keys ("k") or values ("v") into the registry. */
void new_weak_table(lua_State *L, const void *registry_key, const char *mode);
/* Sets an entry of a weak table to the value at the index `value`, or removes the entry if that is 0. */
void weak_table_set(lua_State *L, const void *registry_key, int key, int value);

/* ---- Functions for Lua: each of these adds some to the table on top (bind/host/core_module.c) ---- */
typedef void OpenTable(lua_State *L);
OpenTable open_operators, open_registry, open_plain, open_array, open_array_compare, open_shape, open_rows;
OpenTable open_np, open_np_promotion;
OpenTable open_symbol, open_symbol_grad, open_symbol_files, open_control;
OpenTable open_mode, open_autograd, open_function, open_custom, open_update;
OpenTable open_call_cache, open_call_key, open_run_numbers, open_scopes;
OpenTable open_step_nodes, open_compiled, open_graph_table, open_explain, open_segments, open_runs;
OpenTable open_files, open_workers, open_random, open_numbers, open_page, open_plot, open_script, open_plain_tables;
OpenTable open_system, open_install_paths, open_profile;

void open_object(lua_State *L);                         /* makes the metatables only */
/* clang-format on */

#endif
