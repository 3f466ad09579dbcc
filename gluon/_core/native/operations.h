/* The elementwise operations: of x, or of x and z. NaN propagates as in NumPy. */
#ifndef UNARY
#define UNARY(name, expression)
#endif
#ifndef UNARY32
#define UNARY32(name, expression)
#endif
#ifndef BINARY
#define BINARY(name, expression)
#endif
#ifndef BINARY32
#define BINARY32(name, expression)
#endif
#ifndef WHERE_NAN32 /* the second, slower expression replaces NaN results of the first one */
#define WHERE_NAN32(name, expression, slow)
#endif
#ifndef COMPARE
#define COMPARE(name, expression)
#endif

BINARY(add, x + z)
BINARY(subtract, x - z)
BINARY(multiply, x * z)
BINARY(divide, x / z)
BINARY(maximum, x >= z || x != x ? x : z)
BINARY(minimum, x <= z || x != x ? x : z)

BINARY32(logaddexp, logaddexp_float(x, z))
BINARY32(logaddexp2, logaddexp2_float(x, z))
WHERE_NAN32(fmod, fmod_or_nan(x, z), fmodf(x, z))
WHERE_NAN32(mod, mod_or_nan(x, z), mod_float(x, z))

COMPARE(equal, x == z)
COMPARE(not_equal, x != z)
COMPARE(greater, x > z)
COMPARE(greater_equal, x >= z)
COMPARE(less, x < z)
COMPARE(less_equal, x <= z)

UNARY(negative, -x)
UNARY(abs, x < 0 ? -x : x == 0 ? 0 : x)
UNARY(square, x * x)
UNARY(cube, x * x * x)
UNARY(sqrt, SQRT(x))
UNARY(rsqrt, 1 / SQRT(x))
UNARY(reciprocal, 1 / x)
UNARY(relu, x < 0 ? 0 : x)
UNARY(degrees, x * ((REAL)180 / (REAL)3.141592653589793))
UNARY(radians, x * ((REAL)3.141592653589793 / (REAL)180))
/* Half a step from an integer is exact where there are fractions, and moves nothing beyond. */
UNARY(rint, COPYSIGN(FLOOR(x) + (x > FLOOR(x) + (REAL)0.5), x))
UNARY(round, COPYSIGN(CEIL(FABS(x)) - (FABS(x) < CEIL(FABS(x)) - (REAL)0.5), x))
UNARY(round_ste, COPYSIGN(CEIL(FABS(x)) - (FABS(x) < CEIL(FABS(x)) - (REAL)0.5), x))
UNARY(softsign, x / (1 + (x < 0 ? -x : x)))

UNARY32(exp, exp_float(x))
UNARY32(log, log_float(x))
UNARY32(tanh, tanh_float(x))
UNARY32(sigmoid, sigmoid_float(x))
UNARY32(softrelu, softrelu_float(x))

/* special.h */
UNARY32(expm1, expm1_float(x))
UNARY32(log1p, log1p_float(x))
UNARY32(log2, log2_float(x))
UNARY32(log10, log10_float(x))
UNARY32(sinh, sinh_float(x))
UNARY32(cosh, cosh_float(x))
UNARY32(arcsinh, arcsinh_float(x))
UNARY32(arccosh, arccosh_float(x))
UNARY32(arctanh, arctanh_float(x))
UNARY32(erf, erf_float(x))
UNARY32(erf_slope, erf_slope_float(x))
UNARY32(erfinv, erfinv_float(x))
UNARY32(gelu, gelu_float(x))
UNARY32(gelu_slope, gelu_slope_float(x))
UNARY32(gammaln, gammaln_float(x))
UNARY32(gamma, gamma_float(x))
UNARY32(digamma, digamma_float(x))
UNARY32(trigamma, trigamma_float(x))

/* Rectifiers of x with slope z, and the Huber loss of x with scale z. */
BINARY(leaky, x > 0 ? x : x * z)
BINARY(leaky_slope, x > 0 ? 1 : z)
BINARY(huber, (x - CLIP(x, 1 / z) * (REAL)0.5) * (CLIP(x, 1 / z) * z))

/* Gradients, of the cotangent x and the input or output z. */
BINARY(tanh_grad, x * (1 - z * z))
BINARY(sigmoid_grad, x * (z * (1 - z)))
BINARY(relu_grad, z > 0 ? x : z < 0 ? -x : x * z)
BINARY(square_grad, x * (2 * z))

#undef UNARY
#undef UNARY32
#undef BINARY
#undef BINARY32
#undef WHERE_NAN32
#undef COMPARE
