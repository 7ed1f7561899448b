/* plain_registry.c - the list of all tables of plain texts. ops/op_registry.c enters them into the rows at start-up. */
#include "plain/plain_registry.h"

#define TABLE(table) table,
const Plain *const plain_tables[] = { EACH_PLAIN_TABLE(TABLE) NULL };
