/* Conversions of n values in order to another type: between floats of 16, 32 and 64 bits, and from
 * integers to floats of 32 and 64. Numbers are rounded to the nearest, ties to even.
 *
 * Numbers of 16 bits are either IEEE 754's binary16 ("half") or bfloat16 ("brain"), the upper half
 * of a float. They are converted by integer arithmetic on the bits, without branches, so that
 * compilers use vector instructions; x86 has instructions for halves. Doubles go to 16 bits via a
 * float that is rounded to odd: its last bit is set if digits were lost, which corrects the second
 * rounding (Boldo and Melquiond, IEEE Transactions on Computers 57, 2008); to bfloat16 they go as
 * in ml_dtypes, which rounds twice.
 */
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>
#endif

typedef void (*Convert)(const void *x, void *y, int64_t n);

static inline uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2^112 converts the exponent bias of a half to that of a float; the largest exponent stays the
 * largest. */
static inline float from_half(uint16_t x) {
    float size = float_of((uint32_t)(x & 0x7fff) << 13) * 0x1p112f;
    uint32_t bits = bits_of(size) | (size >= 65536.0f ? 0x7f800000 : 0);
    return float_of(bits | (uint32_t)(x & 0x8000) << 16);
}
/* Below 2^-14, halves are multiples of 2^-24, the last digit of floats near 1/2. */
static inline uint16_t to_half(float x) {
    uint32_t bits = bits_of(x) & 0x7fffffff, sign = bits_of(x) >> 16 & 0x8000;
    uint32_t normal = (bits - (112 << 23) + 0xfff + (bits >> 13 & 1)) >> 13;
    uint32_t small = bits_of(float_of(bits) + 0.5f) - bits_of(0.5f);
    uint32_t found = bits < 113 << 23 ? small : normal;
    found = bits >= 143 << 23 ? 0x7c00 : found;
    return (uint16_t)(sign | (bits > 0x7f800000 ? 0x7e00 : found));
}
static inline float from_brain(uint16_t x) { return float_of((uint32_t)x << 16); }
static inline uint16_t to_brain(float x) {
    uint32_t bits = bits_of(x), rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return (uint16_t)(x == x ? rounded : (bits >> 16 & 0x8000) | 0x7fc0);
}
static inline float to_odd(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits & ~(uint64_t)0x1fffffff) | (bits & 0x1fffffff ? 0x20000000 : 0);
    memcpy(&x, &bits, sizeof x);
    return (float)x;
}

#define LOOP(FROM, TO, expression)                     \
    {                                                  \
        const FROM *restrict from = first;             \
        TO *restrict y = to;                           \
        for (int64_t i = 0; i < n; i++) {              \
            const FROM x = from[i];                    \
            y[i] = (TO)(expression);                   \
        }                                              \
    }
#define CONVERT(name, FROM, TO, expression)  \
    __attribute__((noinline)) static void name(const void *first, void *to, int64_t n) \
        LOOP(FROM, TO, expression)
CONVERT(half_to_float, uint16_t, float, from_half(x))
CONVERT(float_to_half, float, uint16_t, to_half(x))
CONVERT(brain_to_float, uint16_t, float, from_brain(x))
CONVERT(float_to_brain, float, uint16_t, to_brain(x))
CONVERT(float_to_double, float, double, x)
CONVERT(double_to_float, double, float, x)
CONVERT(double_to_odd, double, float, to_odd(x))
CONVERT(int_to_float, int32_t, float, x)
CONVERT(int_to_double, int32_t, double, x)
CONVERT(long_to_float, int64_t, float, x)
CONVERT(long_to_double, int64_t, double, x)
CONVERT(byte_to_float, uint8_t, float, x)
CONVERT(byte_to_double, uint8_t, double, x)
#undef CONVERT

/* ------------------------------------------------------------------ x86's instructions */

#if defined(__x86_64__)
#define CONVERT(name, FROM, TO, expression)                                    \
    __attribute__((target("avx2"))) static void name(const void *first, void *to, int64_t n) \
        LOOP(FROM, TO, expression)
CONVERT(float_to_brain_by_8, float, uint16_t, to_brain(x))
CONVERT(double_to_odd_by_4, double, float, to_odd(x))
#undef CONVERT

enum { AT_A_TIME = 8 };

__attribute__((target("avx,f16c"))) static void half_to_float_by_8(const void *x, void *y,
                                                                   int64_t n) {
    const uint16_t *from = x;
    float *to = y;
    int64_t i = 0;
    for (; i + AT_A_TIME <= n; i += AT_A_TIME)
        _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(from + i))));
    half_to_float(from + i, to + i, n - i);
}
__attribute__((target("avx,f16c"))) static void float_to_half_by_8(const void *x, void *y,
                                                                   int64_t n) {
    const float *from = x;
    uint16_t *to = y;
    int64_t i = 0;
    for (; i + AT_A_TIME <= n; i += AT_A_TIME)
        _mm_storeu_si128((__m128i *)(to + i), _mm256_cvtps_ph(_mm256_loadu_ps(from + i), 0));
    float_to_half(from + i, to + i, n - i);
}

/* Asked once: in a virtual machine, the instruction that tells takes longer than many a copy. */
static int converts_halves(void) {
    static atomic_int answer; /* 0: not asked yet */
    unsigned a, b, c = 0, d;
    if (!answer) answer = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C) ? 1 : -1;
    return answer > 0;
}

static Convert best(Convert found) {
    if (!__builtin_cpu_supports("avx2")) return found;
    if (found == float_to_brain) return float_to_brain_by_8;
    if (found == double_to_odd) return double_to_odd_by_4;
    if (found == half_to_float && converts_halves()) return half_to_float_by_8;
    if (found == float_to_half && converts_halves()) return float_to_half_by_8;
    return found;
}
#else
static Convert best(Convert found) { return found; }
#endif
#undef LOOP

/* The one or two steps of a conversion, the second may be NULL; returns 0 if unsupported. */
CHECK int conversion(enum type from, enum type to, int is_brain, Convert step[2]) {
    static const Convert known[FLOAT16][FLOAT64 + 1] = {
        [FLOAT32] = {[FLOAT64] = float_to_double},
        [FLOAT64] = {[FLOAT32] = double_to_float},
        [INT32] = {[FLOAT32] = int_to_float, [FLOAT64] = int_to_double},
        [INT64] = {[FLOAT32] = long_to_float, [FLOAT64] = long_to_double},
        [UINT8] = {[FLOAT32] = byte_to_float, [FLOAT64] = byte_to_double},
        [BOOL] = {[FLOAT32] = byte_to_float, [FLOAT64] = byte_to_double}};
    Convert narrow = is_brain ? float_to_brain : float_to_half, first = NULL, second = NULL;
    if (to == FLOAT16 && from == FLOAT32) first = narrow;
    else if (to == FLOAT16 && from == FLOAT64) {
        first = is_brain ? double_to_float : double_to_odd;
        second = narrow;
    } else if (from == FLOAT16 && (to == FLOAT32 || to == FLOAT64)) {
        first = is_brain ? brain_to_float : half_to_float;
        second = to == FLOAT64 ? float_to_double : NULL;
    } else if (from < FLOAT16 && to <= FLOAT64) first = known[from][to];
    step[0] = best(first);
    step[1] = best(second);
    return first != NULL;
}
