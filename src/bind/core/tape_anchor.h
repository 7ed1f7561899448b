/* tape_anchor.h - Lua objects in the history of arrays.
**
** The tape is C's; an autograd.Function on it is an object of Lua's (autograd_function.c). Were the object held from
** C, one that holds its own output, or a closure that does, would never go: Lua's collector does not see
** the way from the array through the tape back to the object. So the tape's node has a WeakHandle only, which
** keeps nothing alive, and Lua holds the object: an Anchor is a userdata with the object and the anchors of
** what went into it, and each array with such a node in its history has an anchor, in a table with weak keys.
** So the collector sees all references among Lua's objects; and whoever asks for a backward over the node
** has an array behind it, hence its anchor, hence the object.
**
** Invariant: where a recorded operation has inputs with anchors, its outputs have one that reaches all of
** theirs. One that reaches more does no harm: it is held only as long as its arrays are.
*/
#ifndef HL_BIND_CORE_TAPE_ANCHOR_H
#define HL_BIND_CORE_TAPE_ANCHOR_H

#include "bind/core/lua_object.h"

/* Between a node and its anchor, either of which may go first. */
typedef struct WeakHandle WeakHandle;
struct State;

/* Pushes an anchor for the object at `object`, which was called with the arrays `in`. */
void push_object_anchor(lua_State *L, int object, Array *const *in, int n_in);

/* The link of the anchor at `anchor`, for a node to retain and to let go. */
WeakHandle *anchor_handle(lua_State *L, int anchor);
void *weak_handle_retain(void *link);
void weak_handle_release(void *link);

/* Pushes the link's object; false, and nothing pushed, if it is gone. */
bool push_handled_object(lua_State *L, const WeakHandle *link);

/* Pushes an anchor that reaches those of the arrays (NULLs are passed over); false, and nothing pushed, if
** none has one. */
bool push_anchor_of(lua_State *L, Array *const *in, int n_in);

/* Has the anchor (or nil) at `anchor` replaced by one that reaches those of the arrays as well. */
void join_anchors(lua_State *L, int anchor, Array *const *in, int n_in);

/* Gives the array's userdata at `array` the anchor at `anchor`; takes it away. */
void set_anchor(lua_State *L, int array, int anchor);
void drop_anchor(lua_State *L, int array);

/* Lets go the objects of nodes that are gone, as after a backward. */
void settle_anchors(lua_State *L);

/* The same for a state that ends, and its objects with it. */
void weak_handles_forget(struct State *s);

void open_anchor(lua_State *L);

#endif
