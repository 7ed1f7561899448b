/* differentiate.h - reverse-mode differentiation, for the tape and for compiled functions. */
#ifndef HL_PASS_DIFFERENTIATE_H
#define HL_PASS_DIFFERENTIATE_H

#include "ir/node_builder.h"

void differentiate_free_terms(GradTerms *terms, int n);

typedef struct Differentiation {
  const Entry *head, *head_grad;   /* values to differentiate; the gradient of each (NO_ENTRY: ones) */
  int n_heads;
  const Entry *wrt;                /* the values to differentiate by */
  int n_wrt;
  bool independent;                /* no value of wrt depends on another: the walk stops at them */
  Entry *grad;                     /* filled in, one per value of wrt; NO_ENTRY if the gradient is zero */
  /* if not NULL, filled in instead of grad: the terms of each gradient, for values made in the call `terms_in` */
  GradTerms *terms;
  const Scope *terms_in;
} Differentiation;

/* Builds the nodes that compute the gradients. All types must be known. Fails if a value that a gradient needs was
** overwritten in place since it was computed. */
Status differentiate(Builder *b, Differentiation *d);

#endif
