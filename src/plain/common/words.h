/* words.h - the words of texts that differ by type. A program that compiles a text defines, for each set of types:
**
**   real         the type that the text is written in
**   other        a second type, if the text has one
**   TYPED(name)  the name with an ending for the types
**   REAL_FLOAT, REAL_DOUBLE or REAL_WHOLE
**
** and includes this file, then the text. Functions of scalars are those of base/math/typed_functions.h.
*/
#undef FMA
#undef LARGEST
#undef EXP
#undef EXP_NONPOSITIVE
#undef LOG
#undef SQRT
#undef CUBE_ROOT
#undef TANH
#undef SIGMOID
#undef FLOOR
#undef POWER
#undef SINE
#undef COSINE

#if defined REAL_FLOAT
#define FMA fmaf
#define LARGEST 3.4028234663852886e38f
#define EXP hl_exp32
#define EXP_NONPOSITIVE hl_exp_nonpositive32
#define LOG hl_log32
#define SQRT sqrtf
#define CUBE_ROOT hl_cbrt_of
#define TANH hl_tanh32
#define SIGMOID hl_sigmoid32
#define FLOOR floorf
#define POWER hl_power32
#define SINE hl_sin32
#define COSINE hl_cos32
#elif defined REAL_DOUBLE
#define FMA fma
#define LARGEST 1.7976931348623157e308
#define EXP exp
#define EXP_NONPOSITIVE exp
#define LOG log
#define SQRT sqrt
#define CUBE_ROOT cbrt
#define TANH tanh
#define SIGMOID hl_sigmoid64
#define FLOOR floor
#define POWER pow
#define SINE sin
#define COSINE cos
#endif
