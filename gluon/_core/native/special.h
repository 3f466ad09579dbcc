/* Special functions of one float: the error function, the gamma function's family, hyperbolic
 * functions and logarithms. None has branches, so that compilers can vectorize loops over them. The
 * gamma function's family loses too many digits as floats; it is computed in double precision and
 * rounded once.
 *
 * Errors are below 3 units in the last place of a float, those of erf below 2, of erfinv 4 and of
 * gelu 6; near the non-integer zeros of gammaln and digamma, absolute errors are below 1e-14, and
 * of gelu_slope below 1e-7. Where the formulas come from:
 *
 * - exp, log: reduction by powers of 2, as in vector.h; log((1 + s) / (1 - s)) = 2 atanh(s).
 * - erf, erfinv, gelu: polynomials through Chebyshev's points, of what make_coefficients.py names.
 *   The variable of erfinv is Giles's (Approximating the erfinv function, 2010); the normal
 *   distribution's tail is as in Shepherd and Laframboise (Mathematics of Computation 36, 1981).
 * - gammaln, gamma, digamma: the recurrence up to 8, from there Stirling's series, and Euler's
 *   reflection for negative numbers (Abramowitz and Stegun 6.1.15, 6.1.40, 6.3.18, 6.1.17, 6.3.7);
 *   trigamma as digamma (6.4.12, 6.4.7).
 *
 * `python tests/_core/native/make_coefficients.py` derives the polynomials.
 */
#ifndef GLUON_SPECIAL_H
#define GLUON_SPECIAL_H

#include "vector.h"

INLINE double as_wide(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
INLINE uint64_t as_wide_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Added to |x| < 2^51, it leaves the nearest integer in the last bits. */
#define TO_WHOLE 6755399441055744.0

#define WIDE_POLYNOMIAL(x, ...)                                                \
    __extension__({                                                            \
        static const double c[] = {__VA_ARGS__};                               \
        double sum = c[0];                                                     \
        _Pragma("GCC unroll 32") for (size_t k = 1; k < sizeof c / sizeof *c; k++) \
            sum = sum * (x) + c[k];                                            \
        sum;                                                                   \
    })

/* ------------------------------------------------------------------- exponential, logarithm */

/* Beyond 700, the float is 0 or infinite anyway. */
INLINE double exp_wide(double x) {
    x = x > 700.0 ? 700.0 : x;
    x = x < -700.0 ? -700.0 : x;
    double shifted = x * 1.4426950408889634 + TO_WHOLE, k = shifted - TO_WHOLE;
    double scale = as_wide((as_wide_bits(shifted) + 1023) << 52);
    double r = (x - k * 0.6931471803691238) - k * 1.9082149292705877e-10;
    double rest = WIDE_POLYNOMIAL(
        r, 2.7614950243730473e-7, 2.7625132474610287e-6, 2.4801533988479516e-5,
        0.00019841208702080305, 0.0013888888907423053, 0.0083333333537446464,
        0.041666666666648278, 0.1666666666664827, 0.5);
    return scale + scale * (r + r * r * rest);
}

/* log(x) = k ln 2 + log(m), m between the roots of 1/2 and 2; no denormal doubles occur here. */
INLINE double log_wide(double x) {
    const uint64_t root = 0x3fe6a09e667f3bcd; /* of 1/2 */
    uint64_t bits = as_wide_bits(x) + (0x3ff0000000000000 - root);
    double k = as_wide((bits >> 52) | 0x4330000000000000) - (4503599627370496.0 + 1023.0);
    double m = as_wide((bits & 0x000fffffffffffff) + root);
    double s = (m - 1.0) / (m + 1.0), z = s * s;
    double rest = WIDE_POLYNOMIAL(z, 0.073085187744185757, 0.076658370150817545,
                                  0.090914452783478818, 0.11111105557572079, 0.14285714313047946,
                                  0.19999999999949619, 0.33333333333333348);
    double found = k * 0.6931471805599453 + (2.0 * s + 2.0 * s * z * rest);
    found = x < (double)INFINITY ? found : x; /* infinity and NaN stay */
    found = x == 0.0 ? -(double)INFINITY : found;
    return x < 0.0 ? (double)NAN : found;
}

/* ------------------------------------------------------- logarithms and exponentials of floats */

INLINE float log1p_float(float x) {
    float w = 1.0f + x, lost = x - (w - 1.0f);
    float found = log_of_sum(w, w < INFINITY ? lost : 0.0f);
    return x > -1e-8f && x < 1e-8f ? x : found;
}
INLINE float log2_float(float x) {
    float k, f, rest = log_parts(x, &k, &f);
    return log_or_end(x, k + (f * 1.44269502f + (f * 1.92596299e-8f + rest * 1.44269502f)));
}
/* log10(2) is subtracted in two parts, the first of which has few bits. */
INLINE float log10_float(float x) {
    float k, f, rest = log_parts(x, &k, &f);
    rest = f * -1.01030501e-8f + rest * 0.434294492f;
    return log_or_end(x, k * 0.301025391f + (f * 0.434294492f + (k * 4.60503907e-6f + rest)));
}

/* A quarter of exp(x) - 1 and of exp(x), so that functions that multiply by 4 at the end overflow
 * late. */
INLINE float quarter_of_exp(float x, float *whole) {
    x = x > 89.5f ? 89.5f : x;
    x = x < -18.0f ? -18.0f : x;
    float k, y = exp_less_one_of_rest(x, &k), scale = power_of_two((int32_t)(k - 2.0f));
    *whole = scale * y + scale;
    return scale * y + (scale - 0.25f);
}
INLINE float with_sign_of(float x, float size) {
    return x > -1e-8f && x < 1e-8f ? x : copysignf(size, x); /* for functions close to x there */
}
INLINE float expm1_float(float x) {
    float whole, found = 4.0f * quarter_of_exp(x, &whole);
    return x > -1e-8f && x < 1e-8f ? x : found;
}
INLINE float sinh_float(float x) {
    float whole, e = quarter_of_exp(x < 0.0f ? -x : x, &whole);
    return with_sign_of(x, 2.0f * (e + e / (4.0f * e + 1.0f)));
}
INLINE float cosh_float(float x) {
    float whole;
    quarter_of_exp(x < 0.0f ? -x : x, &whole);
    return 2.0f * (whole + 0.0625f / whole);
}

/* From 4096 on both are log(2 x). */
INLINE float arcsinh_float(float x) {
    float size = x < 0.0f ? -x : x, square = size * size;
    float t = size > 4096.0f ? size - 1.0f : size + square / (1.0f + sqrtf(square + 1.0f));
    return with_sign_of(x, log1p_float(t) + (size > 4096.0f ? 0.693147181f : 0.0f));
}
INLINE float arccosh_float(float x) {
    float t = x - 1.0f, root = x > 4096.0f ? 0.0f : sqrtf(t * t + 2.0f * t);
    return t < 0.0f ? NAN : log1p_float(t + root) + (x > 4096.0f ? 0.693147181f : 0.0f);
}
INLINE float arctanh_float(float x) {
    float size = x < 0.0f ? -x : x;
    return with_sign_of(x, 0.5f * log1p_float(2.0f * size / (1.0f - size)));
}

/* ----------------------------------------------------------------------- error function */

/* x (1 + P(x^2)) near 0, 1 - exp(-x P(x)) elsewhere; both have the accuracy of float. */
INLINE float erf_float(float x) {
    float size = x < 0.0f ? -x : x;
    size = size > 4.0f ? 4.0f : size; /* where it is 1 */
    float near = POLYNOMIAL(size * size, -0.0006102687037f, 0.005014484151f, -0.02678071913f,
                            0.1128219409f, -0.376125288f, 0.1283791547f);
    float far = POLYNOMIAL(size, -1.01184519e-6f, 3.376522549e-5f, -0.0004940896085f,
                           0.004284392391f, -0.0250934346f, 0.1077922316f, 0.6341947419f,
                           1.128888767f);
    float k, e = exp_less_one_of_rest(-size * far, &k) + 1.0f;
    e = 1.0f - e * power_of_two((int32_t)k);
    return copysignf(size < 0.9f ? size + size * near : e, x);
}

/* exp(c x^2) = y 2^k for |x| up to 16, where c is -1 or -1/2: x^2 is the exact square of the first
 * bits of x, plus a rest. */
INLINE float exp_of_square(float x, float c, float *k) {
    float first = as_float(as_bits(x) & ~0xfff), rest = c * (x - first) * (x + first);
    first = c * first * first;
    *k = nearest((first + rest) * 1.442695041f);
    float r = (first - *k * 0.693359375f) - *k * -2.12194440e-4f + rest;
    return 1.0f + (r + r * r * POLYNOMIAL(r, 0.001392690591f, 0.008363359401f, 0.04166654875f,
                                          0.166665759f, 0.5f));
}
INLINE float erf_slope_float(float x) {
    float size = x < 0.0f ? -x : x, k, y = exp_of_square(size > 11.0f ? 11.0f : size, -1.0f, &k);
    return times_power_of_two(1.12837917f * y, k);
}

/* erf(x) / x is smooth in w = -log(1 - x^2) near 0, and in sqrt(w) for large x. */
INLINE float erfinv_float(float x) {
    float size = x < 0.0f ? -x : x, w = -log_float((1.0f - size) * (1.0f + size));
    float t = w - 2.5f, s = sqrtf(w) - 3.0f;
    float near = POLYNOMIAL(t, -8.93192597e-9f, 2.33359672e-8f, 4.681313481e-7f, -3.463985268e-6f, -4.972419689e-6f, 0.0002183493862f, -0.001252726392f, -0.004177392875f, 0.2466402791f, 1.50140936f);
    float far = POLYNOMIAL(s, -0.0001293751685f, 4.435740679e-5f, 0.001260284253f, -0.003613871742f, 0.005776535011f, -0.007640036882f, 0.009433596201f, 1.001675346f, 2.832977045f);
    return copysignf(size == 1.0f ? INFINITY : size * (w < 5.0f ? near : far), x);
}

/* The normal distribution function at -|x| is y 2^k, over the range of float, and its density y'
 * 2^k. */
INLINE float tail_of_normal(float size, float *density, float *k) {
    float y = exp_of_square(size > 15.0f ? 15.0f : size, -0.5f, k), w = 1.0f / (size + 1.5f);
    *density = y * 0.398942280f;
    return y * w * POLYNOMIAL(w, 19.63982603f, -34.37104889f, 19.31739844f, -0.07035774872f, -3.07984979f, -0.282966909f, 0.4835198691f, 0.599115286f, 0.3989292616f);
}
/* Up to |x| = 1, where that would lose digits: 1/2 and x P(x^2). */
INLINE float gelu_float(float x) {
    float size = x < 0.0f ? -x : x, square = x * x, density, k;
    float far = tail_of_normal(size, &density, &k);
    far = times_power_of_two(x < 0.0f ? x * far : far, k);
    far = x < 0.0f ? far : x * (1.0f - far);
    float near = POLYNOMIAL(square, 9.431737174e-5f, -0.001169519274f, 0.009967301518f, -0.066489604f, 0.3989422649f);
    return size < 1.0f ? x * (0.5f + x * near) : far;
}
INLINE float gelu_slope_float(float x) {
    float size = x < 0.0f ? -x : x, square = x * x, density, k;
    float far = tail_of_normal(size, &density, &k);
    far = times_power_of_two(far - size * (size > 15.0f ? 0.0f : density), k);
    far = x < 0.0f ? far : 1.0f - far;
    float near = POLYNOMIAL(square, -8.875188118e-5f, 0.001127867912f, -0.009485174917f, 0.05983822325f, -0.2659612543f, 0.7978845571f);
    return size < 1.0f ? 0.5f + x * near : far;
}

/* ----------------------------------------------------------------------- gamma function */

/* sin(pi x) and cos(pi x); 0 and 1 for numbers so large that floats are integers. */
INLINE double sin_pi(double x, double *cosine) {
    x = x < 1e9 && x > -1e9 ? x : 0.0;
    double shifted = x + TO_WHOLE, r = x - (shifted - TO_WHOLE), z = r * r;
    double s = r * WIDE_POLYNOMIAL(z, 0.00044749208490771011, -0.0073640054721157225,
                                   0.082144794670648549, -0.59926443393572865, 2.5501640359067447,
                                   -5.167712779987959, 3.1415926535896351);
    double c = WIDE_POLYNOMIAL(z, 4.1495643539425855e-6, -0.00010456655338748738,
                               0.0019295562724817131, -0.025806888737002203, 0.23533063012953285,
                               -1.3352627688434471, 4.058712126416497, -4.9348022005446768, 1.0);
    uint64_t odd = as_wide_bits(shifted) << 63; /* the sign, as a bit */
    *cosine = as_wide(as_wide_bits(c) ^ odd);
    return as_wide(as_wide_bits(s) ^ odd);
}

/* gamma(z) = exp(the result) / product for z = x, or 1 - x where x < 0; and sin(pi x). */
INLINE double gamma_parts(double x, double *product, double *sine) {
    double cosine, z = x < 0.0 ? 1.0 - x : x + 0.0, raised = 1.0;
    *sine = sin_pi(x, &cosine);
    _Pragma("GCC unroll 8") for (int k = 0; k < 8; k++) {
        raised *= z < 8.0 ? z : 1.0;
        z += z < 8.0 ? 1.0 : 0.0;
    }
    *product = raised;
    double v = 1.0 / z;
    double series = v * WIDE_POLYNOMIAL(v * v, 1.0 / 156, -691.0 / 360360, 1.0 / 1188, -1.0 / 1680,
                                        1.0 / 1260, -1.0 / 360, 1.0 / 12);
    return (z - 0.5) * log_wide(z) - z + 0.9189385332046727 + series;
}
INLINE float gammaln_float(float x) {
    double product, sine, stirling = gamma_parts(x, &product, &sine);
    double size = (sine < 0.0 ? -sine : sine) + 0.0; /* not -0 */
    double rest = log_wide(x < 0.0f ? 3.141592653589793 * product / size : 1.0 / product);
    float y = (float)(rest + (x < 0.0f ? -stirling : stirling));
    return x == INFINITY || x == -INFINITY ? INFINITY : y;
}
INLINE float gamma_float(float x) {
    double product, sine, raised = exp_wide(gamma_parts(x, &product, &sine));
    double top = x < 0.0f ? 3.141592653589793 * product : raised;
    double y = top / (x < 0.0f ? sine * raised : product);
    y = x < 0.0f && sine == 0.0 ? (double)NAN : y;
    y = x == INFINITY ? (double)INFINITY : y;
    return x == 0.0f ? 1.0f / x : (float)y;
}

/* The sum of 1 / (z + k) up to 8 is kept as a single quotient. */
INLINE float digamma_float(float x) {
    double cosine, sine = sin_pi(x, &cosine);
    double z = x < 0.0f ? 1.0 - (double)x : (double)x, top = 0.0, product = 1.0;
    _Pragma("GCC unroll 8") for (int k = 0; k < 8; k++) {
        top = z < 8.0 ? top * z + product : top;
        product *= z < 8.0 ? z : 1.0;
        z += z < 8.0 ? 1.0 : 0.0;
    }
    double v = 1.0 / z, square = v * v;
    double series = square * WIDE_POLYNOMIAL(square, 1.0 / 12, -691.0 / 32760, 1.0 / 132,
                                             -1.0 / 240, 1.0 / 252, -1.0 / 120, 1.0 / 12);
    double y = log_wide(z) - 0.5 * v - series - top / product;
    double reflected = sine == 0.0 ? (double)NAN : y - 3.141592653589793 * cosine / sine;
    return (float)(x < 0.0f ? reflected : y);
}

/* The derivative of digamma: the sum of 1 / (z + k)^2 up to 8, and the series from there. */
INLINE float trigamma_float(float x) {
    double cosine, sine = sin_pi(x, &cosine);
    double z = x < 0.0f ? 1.0 - (double)x : (double)x, top = 0.0, product = 1.0;
    _Pragma("GCC unroll 8") for (int k = 0; k < 8; k++) {
        top = z < 8.0 ? top * z * z + product : top;
        product *= z < 8.0 ? z * z : 1.0;
        z += z < 8.0 ? 1.0 : 0.0;
    }
    double v = 1.0 / z, square = v * v;
    double series = v * square * WIDE_POLYNOMIAL(square, 7.0 / 6, -691.0 / 2730, 5.0 / 66, -1.0 / 30,
                                                 1.0 / 42, -1.0 / 30, 1.0 / 6);
    double y = top / product + v + 0.5 * square + series;
    double ratio = 3.141592653589793 / sine;
    double reflected = sine == 0.0 ? (double)NAN : ratio * ratio - y;
    return (float)(x < 0.0f ? reflected : y);
}

#endif
