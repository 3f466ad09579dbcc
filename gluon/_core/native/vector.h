/* Vector mathematics: functions of one float, written so that compilers can vectorize loops over
 * them: without branches, only with choices between two computed values.
 *
 * Errors are below 4 units in the last place over the whole range, denormals included; infinities
 * and NaN give what NumPy's functions give. `python tests/_core/native/make_coefficients.py` derives the
 * polynomials.
 */
#ifndef GLUON_VECTOR_H
#define GLUON_VECTOR_H

/* The nearest integer of |x| < 2^22, ties to even, without the rounding instruction that SSE2
 * lacks. */
INLINE float nearest(float x) { return (x + 12582912.0f) - 12582912.0f; }

INLINE float as_float(int32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
INLINE int32_t as_bits(float x) {
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* 2^k; undefined for k beyond the exponents of normal numbers, as for NaN. */
INLINE float power_of_two(int32_t k) {
    return as_float((int32_t)(((uint32_t)k + 127u) << 23));
}

/* The sum of c[k] x^(n-1-k): coefficients from the highest power down. */
#define POLYNOMIAL(x, ...)                                                     \
    __extension__({                                                            \
        static const float c[] = {__VA_ARGS__};                                \
        float sum = c[0];                                                      \
        _Pragma("GCC unroll 16") for (size_t k = 1; k < sizeof c / sizeof *c; k++) \
            sum = sum * (x) + c[k];                                            \
        sum;                                                                   \
    })

/* x = k ln 2 + r, where k is the nearest integer: gives exp(r) - 1 = r + r^2 P(r), and k. ln 2 is
 * subtracted in two parts, the first of which has few bits, so that k times it is exact. */
INLINE float exp_less_one_of_rest(float x, float *k) {
    *k = nearest(x * 1.442695041f);
    float r = (x - *k * 0.693359375f) - *k * -2.12194440e-4f;
    float rest = POLYNOMIAL(r, 0.001392690591f, 0.008363359401f, 0.04166654875f, 0.166665759f, 0.5f);
    return r + r * r * rest;
}

/* y 2^k for k from -190 to 60, in two steps, since 2^k may be denormal. */
INLINE float times_power_of_two(float y, float k) {
    return y * power_of_two((int32_t)k + 64) * 0x1p-64f;
}

/* exp(x) = 2^k exp(r). 2^k is a product of two powers, since k may exceed the exponents of normal
 * numbers. */
INLINE float exp_float(float x) {
    x = x > 89.0f ? 89.0f : x;
    x = x < -104.0f ? -104.0f : x;
    float k, y = exp_less_one_of_rest(x, &k) + 1.0f;
    int32_t whole = (int32_t)k, half = whole >> 1;
    return y * power_of_two(half) * power_of_two(whole - half);
}

/* log(x) = k ln 2 + log(1 + f), 1 + f between the roots of 1/2 and 2, and log(1 + f) =
 * f - f^2 / 2 + f^3 P(f): gives that less f. */
INLINE float log_parts(float x, float *k, float *f) {
    int tiny = x < 1.17549435e-38f;
    float y = tiny ? x * 8388608.0f : x; /* 2^23, to make a denormal normal */
    uint32_t bits = (uint32_t)as_bits(y);
    int32_t whole = (int32_t)(bits - 0x3f3504f3u) >> 23;
    float g = as_float((int32_t)(bits - ((uint32_t)whole << 23))) - 1.0f, z = g * g;
    float rest = POLYNOMIAL(g, 0.06971626834f, -0.1147974818f, 0.1168542126f, -0.1242568562f,
                            0.1424905734f, -0.1666780238f, 0.2000071576f, -0.2499999696f,
                            0.3333333118f);
    *k = (float)(whole - (tiny ? 23 : 0));
    *f = g;
    return z * g * rest - 0.5f * z;
}

/* Special values of a logarithm of x; `found` is its value for positive x. */
INLINE float log_or_end(float x, float found) {
    found = x < INFINITY ? found : x; /* infinity and NaN stay */
    found = x == 0.0f ? -INFINITY : found;
    return x < 0.0f ? NAN : found;
}

/* log(x + lost), where `lost` is the rounding error of x. */
INLINE float log_of_sum(float x, float lost) {
    float k, f, rest = log_parts(x, &k, &f) + lost / x;
    return log_or_end(x, f + (k * -2.12194440e-4f + rest) + k * 0.693359375f);
}
INLINE float log_float(float x) {
    float k, f, rest = log_parts(x, &k, &f);
    return log_or_end(x, f + (k * -2.12194440e-4f + rest) + k * 0.693359375f);
}

/* tanh(|x|) = e / (e + 2) for e = exp(2 |x|) - 1 = 2^k (exp(r) - 1) + (2^k - 1), which is exact
 * near 0. From 9.1 on it is 1. */
INLINE float tanh_float(float x) {
    float size = x < 0.0f ? -x : x;
    size = size > 9.1f ? 9.1f : size;
    float k, y = exp_less_one_of_rest(2.0f * size, &k), scale = power_of_two((int32_t)k);
    float e = scale * y + (scale - 1.0f), found = e / (e + 2.0f);
    return x < 0.0f ? -found : x == 0.0f ? x : found;
}

/* exp(-|x|) */
INLINE float exp_of_size(float x) {
    float z = -fabsf(x);
    z = z < -104.0f ? -104.0f : z;
    float k, y = exp_less_one_of_rest(z, &k) + 1.0f;
    return times_power_of_two(y, k);
}

/* log(1 + z) = z + z^2 P(z) for z from 0 to 1 */
INLINE float log1p_of_part(float z) {
    float rest = POLYNOMIAL(z, 0.002801641993f, -0.01718426698f, 0.04930997343f, -0.09139413774f,
                            0.1303336424f, -0.1636515287f, 0.1995670795f, -0.2499675991f,
                            0.3333323735f, -0.4999999952f);
    return z + z * z * rest;
}

/* 1 / (1 + exp(-x)), from the exponential of a nonpositive number. */
INLINE float sigmoid_float(float x) {
    float z = exp_of_size(x);
    return (x < 0.0f ? z : 1.0f) / (1.0f + z);
}

/* log(1 + exp(x)) = max(x, 0) + log(1 + exp(-|x|)) */
INLINE float softrelu_float(float x) {
    return (x < 0.0f ? 0.0f : x) + log1p_of_part(exp_of_size(x));
}

/* log(exp(x) + exp(z)), as NumPy computes it */
INLINE float logaddexp_float(float x, float z) {
    float d = x - z, larger = d > 0.0f ? x : z;
    return x == z ? x + 0.693147181f : larger + log1p_of_part(exp_of_size(d));
}
INLINE float logaddexp2_float(float x, float z) {
    float d = x - z, larger = d > 0.0f ? x : z;
    float rest = log1p_of_part(exp_of_size(0.693147181f * d));
    return x == z ? x + 1.0f : larger + 1.44269502f * rest;
}

/* |x - z trunc(x / z)|, exactly: in double precision, products of floats and quotients below
 * 2^29 are exact. The quotient itself may have been rounded up to an integer. Not `known` for
 * larger ones, 0 and infinity. */
INLINE float size_of_rest(float x, float z, int *known) {
    double a = fabsf(x), b = fabsf(z), quotient = a / b;
    double whole = (double)(int32_t)(quotient < 536870912.0 ? quotient : 0.0), rest = a - whole * b;
    *known = (quotient < 536870912.0) & (b < (double)INFINITY);
    return (float)(rest < 0.0 ? rest + b : rest);
}
INLINE float fmod_or_nan(float x, float z) {
    int known;
    float size = size_of_rest(x, z, &known);
    return known ? copysignf(size, x) : NAN;
}

/* The remainder of a division that rounds down. */
INLINE float mod_or_nan(float x, float z) {
    int known;
    float size = size_of_rest(x, z, &known), divisor = z < 0.0f ? -z : z;
    float differ = (float)(((as_bits(x) ^ as_bits(z)) < 0) & (size != 0.0f));
    return known ? copysignf(size - differ * divisor, z) : NAN;
}
INLINE float mod_float(float x, float z) {
    float rest = fmodf(x, z);
    if (z == 0.0f) return NAN;
    if (rest == 0.0f) return copysignf(rest, z);
    return (rest < 0.0f) != (z < 0.0f) ? rest + z : rest;
}

#endif
