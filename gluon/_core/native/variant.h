/* One family of kernels, compiled for one kind of processor.
 *
 * setup.py compiles each of avx512.c, avx2.c and baseline.c once with each FAMILY, the name of its
 * file; so a change of a family compiles three files. They include this after common.h and the
 * compiler's target. The file of the family is included twice here, for float and for double: REAL
 * is the type, `F32` whether it is float, and R(name) is a distinct name for each, and for each
 * processor. A family adds its kernels to kernels.h.
 */
#ifndef FAMILY
#error "setup.py defines FAMILY: python setup.py build_ext --inplace"
#endif

#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN_(a, b, c)
#define OF_FLOATS(name) JOIN(name, _of_floats_, VARIANT)
#define OF_DOUBLES(name) JOIN(name, _of_doubles_, VARIANT)
#define INLINE static inline __attribute__((always_inline, unused))
#define SHARED static __attribute__((noinline, unused)) /* large, and called from several places */
#define HELPER static __attribute__((unused)) /* of a header, whose families do not all call it */

#define REAL float
#define F32 1
#define R(name) OF_FLOATS(name)
#include FAMILY
#undef REAL
#undef F32
#undef R
#define REAL double
#define F32 0
#define R(name) OF_DOUBLES(name)
#include FAMILY
#undef REAL
#undef F32
#undef R
