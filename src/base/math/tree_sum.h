/* tree_sum.h - reductions whose order of operations depends on the length alone.
**
** Floating-point addition is not associative, so the order is part of the result. Here the number of elements fixes it:
** eager kernels, generated kernels and any number of threads give the same bits. The text is C99, and embedded for the
** code generator. Arguments of STEP are values without effects, because a step may name one several times.
**
** Fold of n elements (a contiguous run, or any expression of i):
**   - blocks of TREE_BLOCK elements; in a block element i belongs to lane i % TREE_LANES,
**     and the lanes are folded by halves;
**   - the blocks' results are folded in order in `wide` (double for float sums), in groups of TREE_GROUP elements;
**   - the groups' results are folded in order in `wide`.
** Fold of columns, over n rows: TREE_ROWS rows at a time are folded in `real`, one after another. These parts are
** folded in order in `wide`, in groups of TREE_GROUP rows, and the groups in order in `wide`.
** Blocks, parts and groups can be computed in parallel. Folds of at most TREE_GROUP elements have one group.
*/
#ifndef HL_BASE_MATH_TREE_SUM_H
#define HL_BASE_MATH_TREE_SUM_H

#include <stdint.h>

enum { TREE_LANES = 16, TREE_BLOCK = 1024, TREE_ROWS = 64, TREE_GROUP = 1024 * TREE_BLOCK };

/* These change no bits, but must be equal in cooperating kernels. A single run of TREE_SHARED elements has its blocks
** shared among threads; rows of up to TREE_KEPT keep their elements from loop to loop. */
enum { TREE_SHARED = 1 << 17, TREE_KEPT = 8192 };

/* Combines the groups of TREE_LANES elements of a block with the lanes. */
#define TREE_GROUPS(real, LOOP, COMBINE, ODD, start, statements, element)              \
  for (int l = 0; l < TREE_LANES; l++) tree_lane_[l] = (real)(start), tree_odd_[l] = 0; \
  for (tree_k_ = 0; tree_k_ + TREE_LANES <= tree_m_; tree_k_ += TREE_LANES)            \
    LOOP for (int l = 0; l < TREE_LANES; l++) {                                        \
      const int64_t i = tree_at_ + tree_k_ + l;                                        \
      statements                                                                       \
      const real tree_x_ = tree_lane_[l], tree_y_ = (real)(element);                   \
      tree_lane_[l] = COMBINE(tree_x_, tree_y_);                                       \
      tree_odd_[l] |= ODD(tree_y_);                                                    \
    }

/* result = the fold of `element` (an expression of i) over i in [0, n): in `real` inside a block, in `wide` between
** blocks. STEP(x, y) combines; `start` is its neutral element. STEP_LOOP precedes loops over lanes. STEP_QUICK replaces
** STEP unless an element is STEP_ODD; then the block is folded again. */
#define TREE_FOLD(result, real, wide, n, start, STEP, element) \
  TREE_FOLD_AFTER(result, real, wide, n, start, STEP, , element)

/* The same with an element that is computed by statements, which have no comma outside of brackets. */
#define TREE_FOLD_AFTER(result, real, wide, n, start, STEP, statements, element)       \
  do {                                                                                 \
    const int64_t tree_n_ = (n);                                                       \
    wide tree_total_ = (wide)(start);                                                  \
    for (int64_t tree_from_ = 0; tree_from_ < tree_n_; tree_from_ += TREE_GROUP) {     \
      const int64_t tree_end_ = tree_n_ - tree_from_ < TREE_GROUP ? tree_n_ : tree_from_ + TREE_GROUP; \
      wide tree_group_ = (wide)(start);                                                \
      for (int64_t tree_at_ = tree_from_; tree_at_ < tree_end_; tree_at_ += TREE_BLOCK) { \
        const int64_t tree_m_ = tree_end_ - tree_at_ < TREE_BLOCK ? tree_end_ - tree_at_ : TREE_BLOCK; \
        real tree_lane_[TREE_LANES];                                                   \
        int64_t tree_k_;                                                               \
        int tree_odd_[TREE_LANES], tree_any_ = 0;                                      \
        TREE_GROUPS(real, STEP##_LOOP, STEP##_QUICK, STEP##_ODD, start, statements, element) \
        for (int l = 0; l < TREE_LANES; l++) tree_any_ |= tree_odd_[l];                \
        if (tree_any_) { TREE_GROUPS(real, STEP##_LOOP, STEP, TREE_NEVER_ODD, start, statements, element) } \
        for (int l = 0; tree_k_ + l < tree_m_; l++) {                                  \
          const int64_t i = tree_at_ + tree_k_ + l;                                    \
          statements                                                                   \
          const real tree_x_ = tree_lane_[l], tree_y_ = (real)(element);               \
          TREE_STEP(real, tree_lane_[l], STEP, tree_x_, tree_y_);                      \
        }                                                                              \
        for (int half = TREE_LANES / 2; half > 0; half /= 2)                           \
          for (int l = 0; l < half; l++) {                                             \
            const real tree_x_ = tree_lane_[l], tree_y_ = tree_lane_[l + half];        \
            TREE_STEP(real, tree_lane_[l], STEP, tree_x_, tree_y_);                    \
          }                                                                            \
        const wide tree_x_ = tree_group_, tree_y_ = (wide)tree_lane_[0];               \
        TREE_STEP(wide, tree_group_, STEP, tree_x_, tree_y_);                          \
      }                                                                                \
      tree_total_ = tree_n_ > TREE_GROUP ? STEP(tree_total_, tree_group_) : tree_group_; \
    }                                                                                  \
    (result) = tree_total_;                                                            \
  } while (0)

/* to = STEP(x, y) in two statements. gcc 12 vectorises a choice between choices only if the inner one has a name. */
#define TREE_STEP(real, to, STEP, x, y)                                                \
  do {                                                                                 \
    const real tree_quick_ = STEP##_QUICK(x, y);                                       \
    (to) = STEP##_KEEP(x, tree_quick_);                                                \
  } while (0)

/* If a group begins at element `at`, adds the previous group to the total and clears it. */
#define TREE_JOIN_GROUP(total, group, at, start, STEP)                                 \
  if ((at) > 0 && (at) % TREE_GROUP == 0) (total) = STEP(total, group), (group) = (start);

/* Folds `count` columns over n rows: adds the part of rows [at, end) to the totals, initially `start`. The first group
** is accumulated in the totals; later ones in the array `group`. Totals and groups are of type `wide`. */
#define TREE_JOIN_PARTS(wide, total, group, part, count, at, end, n, start, STEP)      \
  do {                                                                                 \
    wide *const tree_into_ = (at) < TREE_GROUP ? (total) : (group);                    \
    if ((at) >= TREE_GROUP && (at) % TREE_GROUP == 0)                                  \
      for (int64_t tree_k_ = 0; tree_k_ < (count); tree_k_++) (group)[tree_k_] = (start); \
    for (int64_t tree_k_ = 0; tree_k_ < (count); tree_k_++) {                          \
      const wide tree_x_ = tree_into_[tree_k_], tree_y_ = (wide)(part)[tree_k_];       \
      TREE_STEP(wide, tree_into_[tree_k_], STEP, tree_x_, tree_y_);                    \
    }                                                                                  \
    if ((at) >= TREE_GROUP && ((end) % TREE_GROUP == 0 || (end) == (n)))               \
      for (int64_t tree_k_ = 0; tree_k_ < (count); tree_k_++) {                        \
        const wide tree_x_ = (total)[tree_k_], tree_y_ = (group)[tree_k_];             \
        TREE_STEP(wide, (total)[tree_k_], STEP, tree_x_, tree_y_);                     \
      }                                                                                \
  } while (0)

/* gcc 12 unrolls the loop over lanes before vectorising, and then vectorises sums and products but not choices; with
** the loop kept, choices too. gcc 13 before 13.3 miscompiles the unrolled loop if the element is a choice (a > 0 ? 0 :
** a * g). */
#ifdef __clang__
#define TREE_MAX_LOOP
#else
#define TREE_MAX_LOOP _Pragma("GCC unroll 1")
#endif
#if !defined __clang__ && __GNUC__ == 13 && __GNUC_MINOR__ < 3
#define TREE_ADD_LOOP TREE_MAX_LOOP
#else
#define TREE_ADD_LOOP
#endif
#define TREE_MUL_LOOP TREE_ADD_LOOP
#define TREE_MIN_LOOP TREE_MAX_LOOP

#define TREE_ADD(x, y) ((x) + (y))
#define TREE_MUL(x, y) ((x) * (y))
#define TREE_ADD_QUICK TREE_ADD
#define TREE_MUL_QUICK TREE_MUL
#define TREE_ADD_KEEP(x, quick) (quick)
#define TREE_MUL_KEEP(x, quick) (quick)
#define TREE_NEVER_ODD(y) 0
#define TREE_ADD_ODD TREE_NEVER_ODD
#define TREE_MUL_ODD TREE_NEVER_ODD

/* A NaN is kept. Without NaNs one instruction suffices. */
#define TREE_MAX(x, y) TREE_MAX_KEEP(x, TREE_MAX_QUICK(x, y))
#define TREE_MIN(x, y) TREE_MIN_KEEP(x, TREE_MIN_QUICK(x, y))
#define TREE_MAX_KEEP(x, quick) ((x) != (x) ? (x) : (quick))
#define TREE_MIN_KEEP TREE_MAX_KEEP
#define TREE_MAX_QUICK(x, y) ((x) > (y) ? (x) : (y))
#define TREE_MIN_QUICK(x, y) ((x) < (y) ? (x) : (y))
#define TREE_MAX_ODD(y) ((y) != (y))
#define TREE_MIN_ODD(y) ((y) != (y))

#endif
