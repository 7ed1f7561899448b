/* plain_sort.c - the rows that the texts of sort define, and their numbers. */
#include "ops/sort/searchsorted.h"
#include "ops/sort/sort_topk.h"
#include "plain/plain_registry.h"

/* `most` elements; 0 or less: all. */
static void add_sort(const Query *q, int64_t axis, int64_t most, bool ascending, PlainCall *c) {
  plain_lines_of(c, query_in_shape(q, 0), axis);
  const int64_t n = c->whole[1];
  plain_whole(c, most > 0 ? most : n);
  plain_whole(c, !ascending);
  c->workspace = 2 * n;
}

static void sort_numbers(const Query *q, PlainCall *c) {
  const SortParams *p = q->params;
  add_sort(q, p->axis, 0, p->is_ascend, c);
}

static void argsort_numbers(const Query *q, PlainCall *c) {
  const ArgsortParams *p = q->params;
  add_sort(q, p->axis, 0, p->is_ascend, c);
}

static void topk_numbers(const Query *q, PlainCall *c) {
  static const char *const functions[] = { "sort_places", "sort", "sort_mask", "sort" };     /* by ret_typ */
  const TopkParams *p = q->params;
  c->function = functions[p->ret_typ];
  add_sort(q, p->axis, p->k, p->is_ascend, c);
}

static void histogram_numbers(const Query *q, PlainCall *c) {
  const HistogramParams *p = q->params;
  const bool has_range = p->range.count == 2;
  plain_whole(c, shape_size(query_in_shape(q, 0)));
  plain_whole(c, query_out_shape(q, 0)->dim[0]);
  if (p->bin_cnt == NONE) {
    c->function = "histogram_between";
    return;
  }
  plain_whole(c, has_range);
  plain_number(c, has_range ? list_floats(&p->range)[0] : 0);
  plain_number(c, has_range ? list_floats(&p->range)[1] : 1);
}

/* The sizes of the sorted array and of the values. */
static void add_search(const Query *q, int sorted, int values, bool third_number, PlainCall *c) {
  plain_whole(c, shape_size(query_in_shape(q, sorted)));
  plain_whole(c, shape_size(query_in_shape(q, values)));
  plain_whole(c, third_number);
}

static void search_numbers(const Query *q, PlainCall *c) {
  add_search(q, 0, 1, ((const SearchParams *)q->params)->side, c);
}

/* Places after equal edges are those of bins that begin with an edge. */
static void digitize_numbers(const Query *q, PlainCall *c) {
  add_search(q, 1, 0, !((const DigitizeParams *)q->params)->right, c);
}

static void isin_numbers(const Query *q, PlainCall *c) {
  add_search(q, 1, 0, ((const IsinParams *)q->params)->invert, c);
}
static void run_numbers(const Query *q, PlainCall *c) { plain_whole(c, shape_size(query_in_shape(q, 0))); }

#define SEARCH(row, name, dtype, numbers)                                                                     \
  { .op = row, .text = "sort/searchsorted", .function = name, .types = ONE_TYPE(dtype), .arguments = numbers }
#define SORT(row, name, numbers) \
  { .op = row, .text = "sort/sort", .function = name, .types = PLAIN_TYPES, .arguments = numbers }

const Plain plain_sort[] = {
  SORT("sort", "sort_values", sort_numbers),
  SORT("argsort", "sort_places", argsort_numbers),
  SORT("topk", "sort", topk_numbers),
  { .op = "_histogram",
    .text = "sort/histogram",
    .types = ONE_TYPE(DT_INT64), /* of the counts */
    .arguments = histogram_numbers },
  SEARCH("_searchsorted", "searchsorted", DT_INT64, search_numbers),
  SEARCH("_digitize", "digitize", DT_INT64, digitize_numbers),
  SEARCH("_isin", "isin", DT_BOOL, isin_numbers),
  { .op = "_run_starts", .text = "sort/run_starts", .types = PLAIN_TYPES, .arguments = run_numbers },
  { 0 }
};
