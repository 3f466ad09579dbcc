/* Sums, products and maxima of n contiguous values, for one REAL.
 *
 * LANES partial results are computed side by side and then added in pairs. The order is the same
 * for every processor with fused multiply-add. Rounding errors grow with the logarithm of n up to
 * BLOCK values; blocks are added in double precision.
 */
enum { R(LANES) = 64, R(BLOCK) = 4096 };

#define SUM_BLOCK(term)                                                       \
    REAL lane[R(LANES)] = {0};                                                \
    int64_t i = 0;                                                            \
    for (; i + R(LANES) <= n; i += R(LANES))                                  \
        for (int j = 0; j < R(LANES); j++) lane[j] += term(i + j);            \
    for (int j = 0; i < n; i++, j++) lane[j] += term(i);                      \
    _Pragma("GCC unroll 8") for (int half = R(LANES) / 2; half; half /= 2)    \
        for (int j = 0; j < half; j++) lane[j] += lane[j + half];             \
    return lane[0];

INLINE REAL R(sum_block)(const REAL *restrict x, int64_t n) {
#define TERM(i) x[i]
    SUM_BLOCK(TERM)
#undef TERM
}
INLINE REAL R(dot_block)(const REAL *restrict x, const REAL *restrict z, int64_t n) {
#define TERM(i) (x[i] * z[i])
    SUM_BLOCK(TERM)
#undef TERM
}
/* (x - mean)^2, and g (x - mean) */
INLINE REAL R(squares_block)(const REAL *restrict x, REAL mean, int64_t n) {
#define TERM(i) ((x[i] - mean) * (x[i] - mean))
    SUM_BLOCK(TERM)
#undef TERM
}
INLINE REAL R(centred_dot_block)(const REAL *restrict g, const REAL *restrict x, REAL mean,
                                 int64_t n) {
#define TERM(i) (g[i] * (x[i] - mean))
    SUM_BLOCK(TERM)
#undef TERM
}
#undef SUM_BLOCK

SHARED double R(sum_of)(const REAL *x, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; i += R(BLOCK)) sum += R(sum_block)(x + i, least(R(BLOCK), n - i));
    return sum;
}
SHARED double R(dot_of)(const REAL *x, const REAL *z, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; i += R(BLOCK))
        sum += R(dot_block)(x + i, z + i, least(R(BLOCK), n - i));
    return sum;
}

SHARED double R(squares_of)(const REAL *x, REAL mean, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; i += R(BLOCK))
        sum += R(squares_block)(x + i, mean, least(R(BLOCK), n - i));
    return sum;
}
SHARED double R(centred_dot_of)(const REAL *g, const REAL *x, REAL mean, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; i += R(BLOCK))
        sum += R(centred_dot_block)(g + i, x + i, mean, least(R(BLOCK), n - i));
    return sum;
}

/* The maximum and the minimum; NaN if there is one. NaN is tracked separately, so that comparisons
 * do not depend on each other. */
#define FURTHER(before, a, b) ((a) before (b) ? (a) : (b))
#define EXTREME(name, start, before)                                                 \
    SHARED REAL R(name)(const REAL *restrict x, int64_t n) {                         \
        REAL lane[R(LANES)], odd[R(LANES)];                                          \
        int64_t i = 0;                                                               \
        for (int j = 0; j < R(LANES); j++) lane[j] = start, odd[j] = 0;              \
        for (; i + R(LANES) <= n; i += R(LANES))                                     \
            for (int j = 0; j < R(LANES); j++) {                                     \
                lane[j] = FURTHER(before, x[i + j], lane[j]);                        \
                odd[j] = x[i + j] == x[i + j] ? odd[j] : x[i + j];                   \
            }                                                                        \
        for (int j = 0; i < n; i++, j++) {                                           \
            lane[j] = FURTHER(before, x[i], lane[j]);                                \
            odd[j] = x[i] == x[i] ? odd[j] : x[i];                                   \
        }                                                                            \
        _Pragma("GCC unroll 8") for (int half = R(LANES) / 2; half; half /= 2)       \
            for (int j = 0; j < half; j++) {                                         \
                lane[j] = FURTHER(before, lane[j], lane[j + half]);                  \
                odd[j] += odd[j + half];                                             \
            }                                                                        \
        return odd[0] == 0 ? lane[0] : odd[0];                                       \
    }
EXTREME(max_of, -(REAL)INFINITY, >)
EXTREME(min_of, (REAL)INFINITY, <)
#undef EXTREME
#undef FURTHER

/* The first place where x equals `found`, or is NaN; LANES are compared at a time. */
SHARED int64_t R(place_of)(REAL found, const REAL *x, int64_t n) {
    int64_t at = 0;
    for (; at + R(LANES) <= n; at += R(LANES)) {
        int any = 0;
        for (int j = 0; j < R(LANES); j++) any |= (x[at + j] == found) | (x[at + j] != x[at + j]);
        if (any) break;
    }
    while (at < n - 1 && !(x[at] == found || x[at] != x[at])) at++;
    return at;
}
