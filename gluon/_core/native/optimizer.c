/* Steps of optimizers: every weight of a call, in place, in one pass over memory.
 *
 * A call has the arrays of each weight in turn: weight, gradient and states, all contiguous and of
 * one size; then the settings of each weight. The first settings are common to all steps: learning
 * rate, weight decay, factor on the gradient, and limit of the gradient (none if negative).
 * With one more array, of row numbers that ascend, the call is of one weight, and the step changes
 * these rows alone; the gradient has a row for each of them.
 * Formulas and the order of the other settings are those of the plain kernels, in
 * gluon/_core/kernels/optimizer.py, adaptive.py and large_batch.py, with references in gluon/optimizer/.
 */
#include <float.h>

#include "vector.h"

#if F32
#define ROOT sqrtf
#define LEAST_NORMAL FLT_MIN
#else
#define ROOT sqrt
#define LEAST_NORMAL DBL_MIN
#endif

typedef void (*R(Values))(int64_t n, REAL *const *array, int64_t at, const double *s);

/* Clip n; NaN stays. */
INLINE REAL R(clip)(REAL x, REAL limit) {
    x = x < -limit ? -limit : x;
    return x > limit ? limit : x;
}
INLINE REAL R(sign)(REAL x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
INLINE REAL R(limit_of)(double given) {
    return given >= 0 && given < INFINITY ? (REAL)given : (REAL)INFINITY;
}

/* A mean without new gradients decays to a denormal number, where rounding keeps it: each step
 * would then take five times as long. Such a mean is 0 instead. */
INLINE REAL R(normal)(REAL x) { return x < LEAST_NORMAL && x > -LEAST_NORMAL ? 0 : x; }

/* Without decay, an infinite weight must not contribute NaN. */
INLINE REAL R(decay_of)(REAL weight, REAL rate) { return rate != 0 ? rate * weight : 0; }

/* STEP(name, arrays, settings, constants, body): the body computes the value at i of the arrays w,
 * the weight, g, the gradient, and the states a, b and c. Constants are computed in double
 * precision: LET(name, value), where `s` holds the settings. `are_apart` has compared the arrays:
 * ivdep tells compilers so, which otherwise compile each loop twice. */
#define LET(name, value) const REAL name __attribute__((unused)) = (REAL)(value);
#define SCALED R(clip)(rescale * g[i], limit)
#define DECAYED R(clip)(rescale * g[i] + R(decay_of)(w[i], wd), limit)
#define STEP(name, arrays, settings, constants, ...)                                            \
    static void R(name##_values)(int64_t n, REAL *const *array, int64_t at, const double *s) {  \
        REAL *restrict w = array[0] + at;                                                       \
        const REAL *restrict g = array[1] + at;                                                 \
        REAL *restrict a = arrays > 2 ? array[2] + at : NULL;                                   \
        REAL *restrict b = arrays > 3 ? array[3] + at : NULL;                                   \
        REAL *restrict c = arrays > 4 ? array[4] + at : NULL;                                   \
        LET(lr, s[0]) LET(wd, s[1]) LET(rescale, s[2]) LET(limit, R(limit_of)(s[3]))            \
        (void)a, (void)b, (void)c;                                                              \
        constants _Pragma("GCC ivdep") for (int64_t i = 0; i < n; i++) { __VA_ARGS__ }          \
    }                                                                                           \
    enum outcome R(name)       (const Call *call) {                                             \
        return R(step_all)(call, arrays, settings, R(name##_values));                           \
    }

/* ---------------------------------------------------------------- all weights of a call */

#if F32 /* used for double as well */
/* A float16: its exponent and fraction bits, read as a float, are 2^112 times too small. */
INLINE float half_to_float(uint16_t x) {
    int32_t bits = (x & 0x7fff) << 13, sign = (int32_t)((uint32_t)(x & 0x8000) << 16);
    float y = as_float(bits) * 5.192296858534828e33f;
    int32_t whole = bits >= 0x0f800000 ? bits | 0x7f800000 : as_bits(y); /* infinity and NaN */
    return as_float(whole | sign);
}
#endif

typedef struct {
    const char *begin, *end;
    int written;
} R(Range);

static int R(by_begin)(const void *first, const void *second) {
    const R(Range) *x = first, *z = second;
    return (x->begin > z->begin) - (x->begin < z->begin);
}

/* Whether no written array shares memory with another one. Of each weight's arrays, only the
 * second, the gradient, is not written. */
static int R(are_apart)(const Call *call, int arrays) {
    R(Range) range[MAX_ARRAYS];
    int count = 0;
    for (int k = 0; k < call->arrays; k++) {
        enum type type = call->array[k].type;
        int64_t each = type == FLOAT16 ? 2 : type == INT64 ? 8 : sizeof(REAL);
        int64_t bytes = size_of(&call->array[k]) * each;
        const char *begin = call->array[k].data;
        if (bytes) range[count++] = (R(Range)){begin, begin + bytes, k % arrays != 1};
    }
    qsort(range, (size_t)count, sizeof *range, R(by_begin));
    const char *all = NULL, *written = NULL; /* the end of the arrays before */
    for (int k = 0; k < count; k++) {
        if (range[k].begin < (range[k].written ? all : written)) return 0;
        if (range[k].end > all) all = range[k].end;
        if (range[k].written && range[k].end > written) written = range[k].end;
    }
    return 1;
}

typedef struct {
    R(Values) values;
    int arrays, settings, weights;
    REAL *array[MAX_ARRAYS];
    int64_t first[MAX_ARRAYS + 1]; /* where the values of a weight begin among those of all */
    char half[MAX_ARRAYS]; /* whether the gradient of a weight is of float16 */
    const double *setting;
} R(Steps);

enum { R(HALF_BLOCK) = 1024, R(MOST_STATES) = 3 };

/* A step with a float16 gradient, which is converted in blocks. */
static void R(step_of_half)(const R(Steps) *all, int64_t n, REAL *const *array, int64_t at,
                            const double *setting) {
    REAL grad[R(HALF_BLOCK)], *moved[2 + R(MOST_STATES)];
    const uint16_t *from = (const uint16_t *)array[1] + at;
    for (int64_t first = 0; first < n; first += R(HALF_BLOCK)) {
        int64_t count = least(R(HALF_BLOCK), n - first);
        for (int64_t i = 0; i < count; i++) grad[i] = half_to_float(from[first + i]);
        for (int k = 0; k < all->arrays; k++) moved[k] = array[k] + at + first;
        moved[1] = grad;
        all->values(count, moved, 0, setting);
    }
}

/* PART values, perhaps of several weights: few small weights are not worth a second thread. */
static void R(step_part)(void *context, int64_t part) {
    const R(Steps) *all = context;
    int64_t i = part * PART, end = least(i + PART, all->first[all->weights]);
    int weight = 0, high = all->weights - 1; /* the last weight that begins here or before */
    while (weight < high) {
        int middle = (weight + high + 1) / 2;
        if (all->first[middle] <= i) weight = middle;
        else high = middle - 1;
    }
    for (int64_t n; i < end; i += n, weight++) {
        int64_t at = i - all->first[weight];
        const double *setting = all->setting + weight * all->settings;
        REAL *const *array = all->array + weight * all->arrays;
        n = least(end, all->first[weight + 1]) - i;
        if (!all->half[weight]) all->values(n, array, at, setting);
        else R(step_of_half)(all, n, array, at, setting);
    }
}

/* -------------------------------------------------------------------- some rows of one */

enum { R(NARROW) = 16, R(NEXT_ROWS) = 4, R(REALS_OF_LINE) = 64 / sizeof(REAL) };

typedef struct {
    R(Values) values;
    int arrays;
    REAL *array[2 + R(MOST_STATES)];
    const int64_t *rows;
    int64_t count, width, group; /* rows of the gradient, and of a part */
    const double *setting;
} R(RowSteps);

/* The place of row k of the gradient in array `which`. */
INLINE REAL *R(row_of)(const R(RowSteps) *v, int which, int64_t k) {
    return v->array[which] + (which == 1 ? k : v->rows[k]) * v->width;
}

INLINE void R(copy_row)(const REAL *from, REAL *to, int64_t width) {
    if (width == 1) *to = *from;
    else memcpy(to, from, (size_t)width * sizeof(REAL));
}

/* Narrow rows, from `first` on: copies of them are next to each other. */
static void R(step_narrow)(const R(RowSteps) *v, int64_t first, int64_t count) {
    REAL block[2 + R(MOST_STATES)][R(HALF_BLOCK)], *moved[2 + R(MOST_STATES)];
    for (int a = 0; a < v->arrays; a++) {
        moved[a] = block[a];
        for (int64_t k = 0; k < count; k++)
            R(copy_row)(R(row_of)(v, a, first + k), block[a] + k * v->width, v->width);
    }
    v->values(count * v->width, moved, 0, v->setting);
    for (int a = 0; a < v->arrays; a += a ? 1 : 2)
        for (int64_t k = 0; k < count; k++)
            R(copy_row)(block[a] + k * v->width, R(row_of)(v, a, first + k), v->width);
}

/* One row; those that follow are far apart, so they are fetched ahead. */
static void R(step_wide)(const R(RowSteps) *v, int64_t k) {
    REAL *moved[2 + R(MOST_STATES)];
    for (int a = 0; a < v->arrays; a++) {
        moved[a] = R(row_of)(v, a, k);
        if (k + R(NEXT_ROWS) < v->count)
            for (int64_t i = 0; i < v->width; i += R(REALS_OF_LINE))
                __builtin_prefetch(R(row_of)(v, a, k + R(NEXT_ROWS)) + i);
    }
    v->values(v->width, moved, 0, v->setting);
}

static void R(step_rows_part)(void *context, int64_t part) {
    const R(RowSteps) *v = context;
    int64_t k = part * v->group, end = least(k + v->group, v->count), n = 1;
    for (; k < end; k += n)
        if (v->width < R(NARROW)) {
            n = least(R(HALF_BLOCK) / v->width, end - k);
            R(step_narrow)(v, k, n);
        } else R(step_wide)(v, k);
}

static enum outcome R(step_rows)(const Call *call, int arrays, int settings, R(Values) values) {
    enum type type = F32 ? FLOAT32 : FLOAT64;
    const Array *x = call->array, *rows = x + arrays;
    R(RowSteps) v = {.values = values, .arrays = arrays, .rows = (const int64_t *)rows->data,
                     .count = size_of(rows), .setting = call->real};
    int64_t all = size_of(x), given = size_of(x + 1), last = -1;
    if (call->reals != settings || v.count < 1 || given < 1 || given % v.count) return DOES_NOT_FIT;
    v.width = given / v.count;
    if (x->axes < 1 || x->shape[0] < 1 || !splits(all, x->shape[0], v.width, 1) ||
        !holds(rows, INT64, v.count))
        return DOES_NOT_FIT;
    for (int a = 0; a < arrays; a++) {
        if (!holds(x + a, type, a == 1 ? given : all) || (a != 1 && !x[a].writeable))
            return DOES_NOT_FIT;
        v.array[a] = (REAL *)x[a].data;
    }
    for (int64_t k = 0; k < v.count; last = v.rows[k++])
        if (v.rows[k] <= last) return DOES_NOT_FIT;
    if (last >= x->shape[0] || !R(are_apart)(call, arrays)) return DOES_NOT_FIT;
    v.group = most(1, PART / v.width);
    parallel(R(step_rows_part), &v, parts_of(v.count, v.group));
    return DONE;
}

static enum outcome R(step_all)(const Call *call, int arrays, int settings, R(Values) values) {
    if (call->arrays == arrays + 1 && call->array[arrays].type == INT64)
        return R(step_rows)(call, arrays, settings, values);
    R(Steps) all = {.values = values, .arrays = arrays, .settings = settings};
    all.weights = call->arrays / arrays;
    all.setting = call->real;
    if (call->arrays % arrays || call->reals != all.weights * settings) return DOES_NOT_FIT;
    for (int k = 0; k < call->arrays; k++) {
        int of = k / arrays, which = k % arrays;
        int64_t size = size_of(call->array + of * arrays);
        all.first[of + 1] = all.first[of] + size;
        if (which < 2) all.half[of] = which && call->array[k].type == FLOAT16;
        enum type type = which == 1 && all.half[of] ? FLOAT16 : F32 ? FLOAT32 : FLOAT64;
        if (!holds(&call->array[k], type, size)) return DOES_NOT_FIT;
        if (which != 1 && !call->array[k].writeable) return DOES_NOT_FIT;
        all.array[k] = (REAL *)call->array[k].data;
    }
    if (!R(are_apart)(call, arrays)) return DOES_NOT_FIT;
    parallel(R(step_part), &all, parts_of(all.first[all.weights], PART));
    return DONE;
}

/* --------------------------------------------------------------------- gradient descent */

STEP(sgd, 2, 4, LET(keep, 1 - s[0] * s[1]), w[i] = w[i] * keep - lr * SCALED;)

STEP(sgd_momentum, 3, 5, LET(momentum, s[4]) LET(decay, s[0] * s[1]), {
    a[i] = R(normal)(momentum * a[i] - lr * SCALED - R(decay_of)(w[i], decay));
    w[i] += a[i];
})

STEP(nag, 3, 5, LET(momentum, s[4]) LET(decay, s[0] * s[1]), {
    const REAL step = lr * SCALED + R(decay_of)(w[i], decay);
    a[i] = R(normal)(momentum * a[i] - step);
    w[i] += momentum * a[i] - step;
})

STEP(signsgd, 2, 4, LET(keep, 1 - s[0] * s[1]), w[i] = w[i] * keep - lr * R(sign)(g[i]);)

STEP(signum, 3, 6,
     LET(momentum, s[4]) LET(rest, 1 - s[4]) LET(decay, s[1] * (1 - s[4]))
     LET(keep, 1 - s[0] * s[5]), {
         a[i] = momentum * a[i] - rest * SCALED - R(decay_of)(w[i], decay);
         w[i] = w[i] * keep + lr * R(sign)(a[i]);
     })

/* Without and with momentum; a: the weight before the last step. */
#define DELAYED (-lr * (d + lamda * (w[i] - a[i]) * d * d + R(decay_of)(w[i], wd)))
STEP(dcasgd, 3, 6, LET(lamda, s[5]), {
    const REAL d = SCALED, step = DELAYED;
    a[i] = w[i];
    w[i] += step;
})

STEP(dcasgd_momentum, 4, 6, LET(momentum, s[4]) LET(lamda, s[5]), {
    const REAL d = SCALED;
    b[i] = momentum * b[i] + DELAYED;
    a[i] = w[i];
    w[i] += b[i];
})
#undef DELAYED

/* ----------------------------------------------------------- adaptive steps */

#define AVERAGES LET(rate1, s[4]) LET(rest1, 1 - s[4]) LET(rate2, s[5]) LET(rest2, 1 - s[5])

STEP(adam, 4, 7, AVERAGES LET(epsilon, s[6]), {
    const REAL d = DECAYED;
    a[i] = R(normal)(rate1 * a[i] + rest1 * d);
    b[i] = rate2 * b[i] + rest2 * (d * d);
    w[i] -= lr * (a[i] / (ROOT(b[i]) + epsilon));
})

STEP(adamw, 4, 8, AVERAGES LET(epsilon, s[6]) LET(keep, 1 - s[7] * s[1]) LET(rate, s[7] * s[0]), {
    const REAL d = SCALED;
    a[i] = R(normal)(rate1 * a[i] + rest1 * d);
    b[i] = rate2 * b[i] + rest2 * (d * d);
    w[i] = w[i] * keep - rate * (a[i] / (ROOT(b[i]) + epsilon));
})

/* Without a gradient so far, b is 0 and there is no step. */
STEP(adamax, 4, 6, AVERAGES, {
    const REAL d = DECAYED, size = d < 0 ? -d : d, bound = rate2 * b[i];
    a[i] = rate1 * a[i] + rest1 * d;
    b[i] = bound >= size || bound != bound ? bound : size;
    w[i] -= b[i] == 0 ? 0 : lr * (a[i] / b[i]);
})

/* s[7] to s[9]: the weights of the gradient, of its mean and of the mean of its square. */
STEP(nadam, 4, 10,
     AVERAGES LET(epsilon, s[6]) LET(share, s[7]) LET(share1, s[8]) LET(share2, s[9]), {
         const REAL d = DECAYED;
         a[i] = R(normal)(rate1 * a[i] + rest1 * d);
         b[i] = rate2 * b[i] + rest2 * (d * d);
         w[i] -= lr * ((share * d + share1 * a[i]) / (ROOT(share2 * b[i]) + epsilon));
     })

/* a, b and c: d, v and z; s[7] counts the updates. */
STEP(ftml, 5, 8,
     AVERAGES LET(epsilon, s[6]) LET(rate, (1 - pow(s[4], s[7])) / s[0])
     LET(correction, 1 / (1 - pow(s[5], s[7]))), {
         const REAL d = DECAYED;
         b[i] = rate2 * b[i] + rest2 * (d * d);
         const REAL scale = (ROOT(b[i] * correction) + epsilon) * rate;
         c[i] = rate1 * c[i] + rest1 * d - (scale - rate1 * a[i]) * w[i];
         a[i] = scale;
         w[i] = -c[i] / scale;
     })

/* a and b: z and n. */
STEP(ftrl, 4, 6, LET(lamda, s[4]) LET(beta, s[5]), {
    const REAL d = SCALED, before = ROOT(b[i]);
    b[i] += d * d;
    const REAL after = ROOT(b[i]);
    a[i] += d - (after - before) * w[i] / lr;
    w[i] = (R(clip)(a[i], lamda) - a[i]) / ((after + beta) / lr + wd);
})

STEP(rmsprop, 3, 7,
     LET(rate, s[4]) LET(rest, 1 - s[4]) LET(epsilon, s[5]) LET(most_weight, R(limit_of)(s[6])), {
         const REAL d = DECAYED;
         a[i] = rate * a[i] + rest * (d * d);
         w[i] = R(clip)(w[i] - lr * (d / ROOT(a[i] + epsilon)), most_weight);
     })

/* a, b and c: the means of the square and of the gradient, and the step. Their difference is a
 * variance, which rounding can make negative. */
STEP(rmsprop_centered, 5, 8,
     LET(rate, s[4]) LET(rest, 1 - s[4]) LET(momentum, s[5]) LET(epsilon, s[6])
     LET(most_weight, R(limit_of)(s[7])), {
         const REAL d = DECAYED;
         a[i] = rate * a[i] + rest * (d * d);
         b[i] = rate * b[i] + rest * d;
         const REAL spread = a[i] - b[i] * b[i], variance = spread < 0 ? 0 : spread;
         c[i] = momentum * c[i] - lr * (d / ROOT(variance + epsilon));
         w[i] = R(clip)(w[i] + c[i], most_weight);
     })

STEP(adagrad, 3, 5, LET(epsilon, s[4]) LET(keep, 1 - s[0] * s[1]), {
    const REAL d = SCALED;
    a[i] += d * d;
    w[i] = w[i] * keep - lr * (d / ROOT(a[i] + epsilon));
})

/* a and b: the means of the squares of gradients and of steps. */
STEP(adadelta, 4, 6,
     LET(rate, s[4]) LET(rest, 1 - s[4]) LET(epsilon, s[5]) LET(keep, 1 - s[1]), {
         const REAL d = SCALED;
         a[i] = rate * a[i] + rest * (d * d);
         const REAL step = d * ROOT(b[i] + epsilon) / ROOT(a[i] + epsilon);
         b[i] = rate * b[i] + rest * (step * step);
         w[i] = w[i] * keep - step;
     })

#undef AVERAGES
#undef STEP
#undef DECAYED
#undef SCALED
#undef LET
#undef ROOT
#undef LEAST_NORMAL
