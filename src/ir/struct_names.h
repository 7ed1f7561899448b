/* struct_names.h - names of the structs that the headers of this folder share. */
#ifndef HL_IR_STRUCT_NAMES_H
#define HL_IR_STRUCT_NAMES_H

typedef struct Op Op;
typedef struct OpInfo OpInfo;
typedef struct Param Param;
typedef struct Params Params;
typedef struct Node Node;
typedef struct Scope Scope;
typedef struct Control Control;      /* ir/graph/subgraph.h */

#endif
