/* bitwise.h - the lists of bitwise operators, logical on bools and floats, and of shifts of integers.
**
** Each line of EACH_BITWISE or EACH_SHIFT makes the row for two arrays and the row for an array and a number; a shift
** has one more for a number and an array. Masks may be floats, on which & is nd.logical_and.
*/
#ifndef HL_OPS_ELEMENTWISE_BITWISE_H
#define HL_OPS_ELEMENTWISE_BITWISE_H

/* The expressions of a line, and that of bitwise_not: F(name, operands, number of scalars, expression). */
#define BITWISE_EXPRESSIONS(F, title, fn) F(title, "ab", 0, fn(a, b)) F(title##_scalar, "a", 1, fn(a, s))
#define SHIFT_EXPRESSIONS(F, title, fn) BITWISE_EXPRESSIONS(F, title, fn) F(r##title##_scalar, "a", 1, fn(s, a))
#define BITWISE_NOT_EXPRESSION(F) F(bitwise_not, "a", 0, bit_not(a))

#define EACH_BITWISE(A)                                                                                       \
  A(bitwise_and, bit_and, "__band", "logical_and", "bits set in both",            "if both are not 0")         \
  A(bitwise_or,  bit_or,  "__bor",  "logical_or",  "bits set in either",          "if either is not 0")        \
  A(bitwise_xor, bit_xor, "__bxor", "logical_xor", "bits set in exactly one",     "if exactly one is not 0")

#define EACH_SHIFT(I)                                                                                         \
  I(left_shift, shift_left, "__shl",                                                                          \
    "bits move b positions to the left. The result is 0 if b is negative or at least the number of bits")     \
  I(right_shift, shift_right, "__shr",                                                                        \
    "bits move b positions to the right. As in NumPy, negative numbers stay negative. If b is negative or at " \
    "least the number of bits, the result is 0, or -1 for a negative number")

#endif
