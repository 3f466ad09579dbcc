/* All kernels, compiled for one kind of processor.
 *
 * Each of avx512.c, avx2.c and baseline.c includes this once, after common.h and the compiler's
 * target. The files of the families are included twice here, for float and for double: REAL is the
 * type, `F32` whether it is float, and R(name) is a distinct name for each.
 *
 * A family adds its kernels to the lists below. KERNEL is for both types, KERNEL32 only for floats,
 * and KERNEL_OF_ALL, compiled elsewhere, checks types itself.
 */
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define INLINE static inline __attribute__((always_inline, unused))
#define SHARED static __attribute__((noinline, unused)) /* large, and called from several places */

#include "vector.h"
#include "special.h"

#define FAMILIES "families.h"
#define REAL float
#define F32 1
#define R(name) JOIN(name, _of_floats)
#include FAMILIES
#undef REAL
#undef F32
#undef R
#define REAL double
#define F32 0
#define R(name) JOIN(name, _of_doubles)
#include FAMILIES
#undef REAL
#undef F32
#undef R

static const NamedKernel kernels[] = {
#define KERNEL(name) {#name, name##_of_floats, name##_of_doubles},
#define KERNEL32(name) {#name, name##_of_floats, NULL},
#define KERNEL_OF_ALL(name) {#name, name##_arrays, name##_arrays},
#include "kernels.h"
#undef KERNEL
#undef KERNEL32
#undef KERNEL_OF_ALL
    {"", NULL, NULL}};

static const Operation operations[] = {
#define UNARY(name, expression) {#name, 1, OTHER, name##_loop_of_floats, name##_loop_of_doubles},
#define UNARY32(name, expression) {#name, 1, OTHER, name##_loop_of_floats, NULL},
#define BINARY(name, expression) {#name, 2, OTHER, name##_loop_of_floats, name##_loop_of_doubles},
#define BINARY32(name, expression) {#name, 2, OTHER, name##_loop_of_floats, NULL},
#define WHERE_NAN32(name, expression, slow) {#name, 2, OTHER, name##_loop_of_floats, NULL},
#define COMPARE(name, expression) {#name, 2, BOOL, name##_loop_of_floats, name##_loop_of_doubles},
#include "operations.h"
    {"", 0, OTHER, NULL, NULL}};

const Variant VARIANT = {VARIANT_NAME, kernels, sizeof kernels / sizeof *kernels - 1, operations,
                         sizeof operations / sizeof *operations - 1};
