/* differentiate.h - differentiation: one code for the tape and for compiled functions. */
#ifndef HL_PASS_DIFFERENTIATE_H
#define HL_PASS_DIFFERENTIATE_H

#include "ir/node_builder.h"

void differentiate_free_terms(GradTerms *terms, int n);

typedef struct Differentiation {
  const Entry *head, *head_grad;   /* values to differentiate; the gradient of each (NO_ENTRY: ones) */
  int n_heads;
  const Entry *wrt;                /* with respect to these */
  int n_wrt;
  bool independent;                /* wrt do not depend on each other: the walk stops at them */
  Entry *grad;                     /* filled in, one for each of wrt; NO_ENTRY where the gradient is zero */
  /* or NULL: the terms of each gradient in place of their sum (grad is not filled in), as values made in this call have
  ** them */
  GradTerms *terms;
  const Scope *terms_in;
} Differentiation;

/* Builds the nodes that compute the gradients. Every type must be known. Fails where
** a value that a gradient needs was overwritten in place since it was computed. */
Status differentiate(Builder *b, Differentiation *d);

#endif
