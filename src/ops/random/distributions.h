/* distributions.h - distributions of random numbers, their parameters, and the shapes of draws. */
#ifndef HL_OPS_RANDOM_DISTRIBUTIONS_H
#define HL_OPS_RANDOM_DISTRIBUTIONS_H

#include "ir/op.h"

/* The rows' parameter structs begin with the numbers of the distribution, one or two. */
typedef enum Distribution {
  UNIFORM,                 /* low, high */
  NORMAL,                  /* mean, deviation */
  EXPONENTIAL,             /* rate */
  GAMMA,                   /* shape, scale */
  POISSON,                 /* mean */
  NEGATIVE_BINOMIAL,       /* successes, probability */
  GENERALIZED_BINOMIAL,    /* negative binomial: mean, dispersion */
  BINOMIAL,                /* trials, probability */
  LOG_GAMMA                /* the logarithm of a gamma number of scale 1: shape */
} Distribution;

/* The number of its parameters. */
int distribution_numbers(Distribution d);

/* Fails, naming the parameter, for values that it does not allow. */
Status distribution_check(Distribution d, const double *p);

/* Rows with arrays as parameters: the shape of the draws for each element. */
typedef struct SampleParams { List shape; int64_t dtype; } SampleParams;
typedef struct RandintParams { int64_t low, high; List shape; int64_t dtype; } RandintParams;

/* Appends the dimensions of the parameter `shape` to `first`. */
Status append_shape(const Shape *first, const List *shape, Shape *out);

#endif
