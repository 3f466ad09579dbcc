/* Elementwise operations: one loop for each line of operations.h, over values that lie in order.
 * loops.c calls them with runs of the arrays; a step of 0 is an input that has one value.
 */
#if F32
#define SQRT sqrtf
#define FLOOR floorf
#define TRUNC truncf
#define COPYSIGN copysignf
#else
#define SQRT sqrt
#define FLOOR floor
#define TRUNC trunc
#define COPYSIGN copysign
#endif
#define CLIP(x, bound) ((x) > (bound) ? (bound) : (x) < -(bound) ? -(bound) : (x))

#define BETWEEN(name, expression, RESULT)                                                   \
    static void R(name##_loop)(int64_t n, const void *restrict first, int step_x,           \
                               const void *restrict second, int step_z, void *restrict to) { \
        const REAL *a = first, *b = second;                                                 \
        RESULT *restrict y = to;                                                            \
        if (step_x && step_z)                                                               \
            for (int64_t i = 0; i < n; i++) {                                               \
                const REAL x = a[i], z = b[i];                                              \
                y[i] = (RESULT)(expression);                                                \
            }                                                                               \
        else if (step_x) {                                                                  \
            const REAL z = *b;                                                              \
            for (int64_t i = 0; i < n; i++) {                                               \
                const REAL x = a[i];                                                        \
                y[i] = (RESULT)(expression);                                                \
            }                                                                               \
        } else {                                                                            \
            const REAL x = *a;                                                              \
            for (int64_t i = 0; i < n; i++) {                                               \
                const REAL z = b[i * step_z];                                               \
                y[i] = (RESULT)(expression);                                                \
            }                                                                               \
        }                                                                                   \
    }
#define OF_ONE(name, expression)                                                            \
    static void R(name##_loop)(int64_t n, const void *restrict first, int step_x,           \
                               const void *restrict second, int step_z, void *restrict to) { \
        const REAL *a = first;                                                              \
        REAL *restrict y = to;                                                              \
        for (int64_t i = 0; i < n; i++) {                                                   \
            const REAL x = a[i * step_x];                                                   \
            y[i] = (REAL)(expression);                                                      \
        }                                                                                   \
    }
#define BINARY(name, expression) BETWEEN(name, expression, REAL)
#define COMPARE(name, expression) BETWEEN(name, expression, uint8_t)
#define UNARY OF_ONE
#if F32
#define UNARY32 OF_ONE
#define BINARY32 BINARY
#define WHERE_NAN32(name, expression, slow)                                                 \
    BINARY(name##_or_nan, expression)                                                       \
    static void R(name##_loop)(int64_t n, const void *first, int step_x, const void *second, \
                               int step_z, void *to) {                                      \
        const REAL *a = first, *b = second;                                                 \
        REAL *y = to;                                                                       \
        R(name##_or_nan_loop)(n, first, step_x, second, step_z, to);                        \
        for (int64_t i = 0; i < n; i++) {                                                   \
            const REAL x = a[i * step_x], z = b[i * step_z];                                \
            if (y[i] != y[i]) y[i] = slow;                                                  \
        }                                                                                   \
    }
#endif
#include "operations.h"
#undef OF_ONE
#undef BETWEEN
#undef SQRT
#undef FLOOR
#undef TRUNC
#undef COPYSIGN
#undef CLIP
