/* Elementwise operations: one loop for each line of operations.h, over contiguous values. loops.c
 * calls them with runs of the arrays.
 */
#include "special.h"
#include "variants.h"

#if F32
#define SQRT sqrtf
#define FLOOR floorf
#define CEIL ceilf
#define FABS fabsf
#define COPYSIGN copysignf
#else
#define SQRT sqrt
#define FLOOR floor
#define CEIL ceil
#define FABS fabs
#define COPYSIGN copysign
#endif
#define CLIP(x, bound) ((x) > (bound) ? (bound) : (x) < -(bound) ? -(bound) : (x))

/* `n` is a multiple of AT_ONCE; told so, a compiler makes no code for a remainder. */
#define EACH(X, Z, expression, RESULT)             \
    for (int64_t i = 0; i < n; i++) {              \
        const REAL x = X, z = Z;                   \
        (void)z;                                   \
        y[i] = (RESULT)(expression);               \
    }
#define BETWEEN(name, expression, RESULT)                                                    \
    static void R(name##_loop)(int64_t n, const void *restrict first, int step_x,            \
                               const void *restrict second, int step_z, void *restrict to) { \
        const REAL *a = first, *b = second, one = *a, other = *b;                            \
        RESULT *y = to;                                                                      \
        n &= -AT_ONCE;                                                                       \
        if (!step_x) EACH(one, b[i], expression, RESULT)                                     \
        else if (!step_z) EACH(a[i], other, expression, RESULT)                              \
        else EACH(a[i], b[i], expression, RESULT)                                            \
    }
#define UNARY(name, expression)                                                              \
    static void R(name##_loop)(int64_t n, const void *restrict first, int step_x,            \
                               const void *restrict second, int step_z, void *restrict to) { \
        const REAL *a = first;                                                               \
        REAL *y = to;                                                                        \
        (void)step_x, (void)step_z, (void)second;                                            \
        n &= -AT_ONCE;                                                                       \
        EACH(a[i], 0, expression, REAL)                                                      \
    }
#define BINARY(name, expression) BETWEEN(name, expression, REAL)
#define COMPARE(name, expression) BETWEEN(name, expression, uint8_t)
#if F32
#define UNARY32 UNARY
#define BINARY32 BINARY
#define WHERE_NAN32(name, expression, slow)                                                  \
    BINARY(name##_or_nan, expression)                                                        \
    static void R(name##_loop)(int64_t n, const void *first, int step_x, const void *second, \
                               int step_z, void *to) {                                       \
        const REAL *a = first, *b = second;                                                  \
        REAL *y = to;                                                                        \
        R(name##_or_nan_loop)(n, first, step_x, second, step_z, to);                         \
        for (int64_t i = 0; i < n; i++) {                                                    \
            const REAL x = a[i * step_x], z = b[i * step_z];                                 \
            if (y[i] != y[i]) y[i] = slow;                                                   \
        }                                                                                    \
    }
#endif
#include "operations.h"
#undef EACH
#undef BETWEEN
#undef SQRT
#undef FLOOR
#undef CEIL
#undef FABS
#undef COPYSIGN
#undef CLIP

#if !F32
#include "tables.h"
#endif
