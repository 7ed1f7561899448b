/* tape_anchor.h - Lua objects on the tape of arrays.
**
** The tape is in C; an autograd.Function on it is a Lua object (autograd_function.c). If C held the object, one that
** refers to its own output, or a closure that does, would never be freed: Lua's collector does not see
** the path from the array through the tape back to the object. So the tape's node has only a WeakHandle, which
** keeps nothing alive, and Lua holds the object: an Anchor is a userdata with the object and the anchors of
** its inputs, and each array with such a node among its tape ancestors has an anchor, in a table with weak keys.
** So the collector sees all references among Lua objects; and code that runs a backward over the node
** has an array computed from it, hence its anchor, hence the object.
**
** Invariant: if a recorded operation has inputs with anchors, its outputs have one that refers to all of
** theirs. One that refers to more does no harm: it lives only as long as its arrays.
*/
#ifndef HL_BIND_CORE_TAPE_ANCHOR_H
#define HL_BIND_CORE_TAPE_ANCHOR_H

#include "bind/core/lua_object.h"

/* The weak handle between a node and its anchor, either of which may be freed first. */
typedef struct WeakHandle WeakHandle;
struct State;

/* Pushes an anchor for the object at `object`, which was called with the arrays `in`. */
void push_object_anchor(lua_State *L, int object, Array *const *in, int n_in);

/* The weak handle of the anchor at `anchor`, for a node to retain and to release. */
WeakHandle *anchor_handle(lua_State *L, int anchor);
void *weak_handle_retain(void *link);
void weak_handle_release(void *link);

/* Pushes the weak handle's object; false, and nothing pushed, if it was collected. */
bool push_handled_object(lua_State *L, const WeakHandle *link);

/* Pushes an anchor that refers to those of the arrays (NULLs are skipped); false, and nothing pushed, if
** none has one. */
bool push_anchor_of(lua_State *L, Array *const *in, int n_in);

/* Replaces the anchor (or nil) at `anchor` by one that refers to those of the arrays as well. */
void join_anchors(lua_State *L, int anchor, Array *const *in, int n_in);

/* Sets the anchor of the array's userdata at `array` to the one at `anchor`; removes it. */
void set_anchor(lua_State *L, int array, int anchor);
void drop_anchor(lua_State *L, int array);

/* Releases the objects of freed nodes, as after a backward. */
void settle_anchors(lua_State *L);

/* The same for a Lua state that ends, and its objects with it. */
void weak_handles_forget(struct State *s);

void open_anchor(lua_State *L);

#endif
