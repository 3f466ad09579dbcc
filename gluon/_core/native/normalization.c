/* Normalization, y = (x - mean) r gamma + beta with r = 1 / sqrt(var + eps), and its gradients.
 *
 * Every array is contiguous. There are two layouts:
 *
 *     rows      x is (rows, width), each row has a mean of its own: layer, instance, group norm.
 *               gamma has one value for each place of a row, or, of `period` values, row k has
 *               value k % period.
 *     channels  x is (batch, channels, places), each channel has a mean: batch norm. With one
 *               place, channels are columns; ABREAST of them are computed side by side.
 *
 * Means are computed first, then the squared deviations, so that the variance is accurate for large
 * means. With h = (x - mean) r and n values in a mean, the cotangents are
 *
 *     gamma: sum(g h)      beta: sum(g)      x: r (g gamma - mean(g gamma) - h mean(g gamma h))
 *
 * (Ioffe and Szegedy, "Batch normalization", 2015, section 3). Rows or channels are computed one
 * after the other, so that each is read from memory once.
 */
#include "sums.h"

enum { R(ABREAST) = 32, R(ROWS_AT_ONCE) = 4 };

typedef struct {
    const REAL *g, *x, *gamma, *beta;
    const REAL *given_mean, *given_var; /* for gradients */
    REAL *y, *mean, *var;
    REAL *g_gamma, *g_beta;
    double *partial; /* for gradients of a gamma along rows: (parts, 2, width) */
    REAL *few;       /* the same for few rows */
    int64_t batch, channels, places; /* rows: 1, rows, width */
    int64_t period, group;           /* group: rows or channels per part */
    double eps;
} R(Norm);

INLINE REAL R(inverse_deviation)(double var, double eps) { return (REAL)(1 / sqrt(var + eps)); }

/* y = (x - mean) scale + beta */
INLINE void R(affine)(const REAL *restrict x, REAL *restrict y, int64_t n, REAL mean, REAL scale,
                      REAL beta) {
    for (int64_t i = 0; i < n; i++) y[i] = (x[i] - mean) * scale + beta;
}

/* y = scale (g - level - (x - mean) slope) */
INLINE void R(affine_grad)(const REAL *restrict g, const REAL *restrict x, REAL *restrict y,
                           int64_t n, REAL mean, REAL scale, REAL level, REAL slope) {
    for (int64_t i = 0; i < n; i++) y[i] = scale * (g[i] - level - (x[i] - mean) * slope);
}

/* ---------------------------------------------------------------------- channels and rows */

/* One channel, whose places are `step` apart; a row is a channel in a batch of one. */
static void R(one_channel)(const R(Norm) *work, int64_t channel, REAL gamma, REAL beta) {
    int64_t places = work->places, step = work->channels * places, n = work->batch * places;
    const REAL *x = work->x + channel * places;
    double sum = 0, squares = 0;
    for (int64_t b = 0; b < work->batch; b++) sum += R(sum_of)(x + b * step, places);
    REAL mean = (REAL)(sum / n);
    for (int64_t b = 0; b < work->batch; b++) squares += R(squares_of)(x + b * step, mean, places);
    work->mean[channel] = mean;
    work->var[channel] = (REAL)(squares / n);
    REAL scale = gamma * R(inverse_deviation)(work->var[channel], work->eps);
    REAL *y = work->y + channel * places;
    for (int64_t b = 0; b < work->batch; b++)
        R(affine)(x + b * step, y + b * step, places, mean, scale, beta);
}

static void R(one_channel_grad)(const R(Norm) *work, int64_t channel, REAL gamma) {
    int64_t places = work->places, step = work->channels * places, n = work->batch * places;
    const REAL *x = work->x + channel * places, *g = work->g + channel * places;
    REAL mean = work->given_mean[channel];
    REAL r = R(inverse_deviation)(work->given_var[channel], work->eps);
    double total = 0, moment = 0;
    for (int64_t b = 0; b < work->batch; b++) {
        total += R(sum_of)(g + b * step, places);
        moment += R(centred_dot_of)(g + b * step, x + b * step, mean, places);
    }
    work->g_gamma[channel] = (REAL)(moment * r);
    work->g_beta[channel] = (REAL)total;
    REAL level = (REAL)(total / n), slope = (REAL)(moment / n * r * r);
    REAL *y = work->y + channel * places;
    for (int64_t b = 0; b < work->batch; b++)
        R(affine_grad)(g + b * step, x + b * step, y + b * step, places, mean, gamma * r, level,
                       slope);
}

static void R(channels_part)(void *context, int64_t part) {
    const R(Norm) *work = context;
    int64_t end = least((part + 1) * work->group, work->channels);
    for (int64_t k = part * work->group; k < end; k++) {
        REAL gamma = work->gamma[k % work->period];
        if (work->g) R(one_channel_grad)(work, k, gamma);
        else R(one_channel)(work, k, gamma, work->beta[k % work->period]);
    }
}

/* ------------------------------------------------------------------------------- columns */

/* sum[j] += the terms of all rows of column first + j, in one REAL, a few rows at a time. Loops that
 * run once for all columns are not unrolled: that would add 16 KB to the library. */
#define SUM_COLUMNS(term)                                                  \
    for (int64_t b = 0; b < work->batch; b += R(LANES)) {                  \
        int64_t end = least(b + R(LANES), work->batch);                    \
        REAL lane[R(ABREAST)] = {0};                                       \
        for (int64_t row = b; row < end; row++) {                          \
            const int64_t at = row * work->channels + first;               \
            for (int64_t j = 0; j < count; j++) lane[j] += term(at + j);   \
        }                                                                  \
        for (int64_t j = 0; j < count; j++) sum[j] += lane[j];             \
    }

INLINE void R(columns_forward)(const R(Norm) *work, int64_t first, int64_t count) {
    const REAL *restrict x = work->x;
    REAL mean[R(ABREAST)], scale[R(ABREAST)];
    double sum[R(ABREAST)] = {0};
#define TERM(i) x[i]
    SUM_COLUMNS(TERM)
#undef TERM
    _Pragma("GCC unroll 1") for (int64_t j = 0; j < count; j++) {
        mean[j] = work->mean[first + j] = (REAL)(sum[j] / work->batch);
        sum[j] = 0;
    }
#define TERM(i) ((x[i] - mean[j]) * (x[i] - mean[j]))
    SUM_COLUMNS(TERM)
#undef TERM
    _Pragma("GCC unroll 1") for (int64_t j = 0; j < count; j++) {
        work->var[first + j] = (REAL)(sum[j] / work->batch);
        scale[j] = work->gamma[first + j] * R(inverse_deviation)(work->var[first + j], work->eps);
    }
    for (int64_t b = 0; b < work->batch; b++) {
        const int64_t at = b * work->channels + first;
        _Pragma("GCC ivdep") for (int64_t j = 0; j < count; j++)
            work->y[at + j] = (x[at + j] - mean[j]) * scale[j] + work->beta[first + j];
    }
}

INLINE void R(columns_backward)(const R(Norm) *work, int64_t first, int64_t count) {
    const REAL *restrict x = work->x, *restrict g = work->g;
    REAL mean[R(ABREAST)], scale[R(ABREAST)], level[R(ABREAST)], slope[R(ABREAST)];
    double sum[R(ABREAST)] = {0};
#define TERM(i) g[i]
    SUM_COLUMNS(TERM)
#undef TERM
    _Pragma("GCC unroll 1") for (int64_t j = 0; j < count; j++) {
        mean[j] = work->given_mean[first + j];
        level[j] = (REAL)(sum[j] / work->batch);
        work->g_beta[first + j] = (REAL)sum[j];
        sum[j] = 0;
    }
#define TERM(i) (g[i] * (x[i] - mean[j]))
    SUM_COLUMNS(TERM)
#undef TERM
    _Pragma("GCC unroll 1") for (int64_t j = 0; j < count; j++) {
        REAL r = R(inverse_deviation)(work->given_var[first + j], work->eps);
        work->g_gamma[first + j] = (REAL)(sum[j] * r);
        slope[j] = (REAL)(sum[j] / work->batch * r * r);
        scale[j] = work->gamma[first + j] * r;
    }
    for (int64_t b = 0; b < work->batch; b++) {
        const int64_t at = b * work->channels + first;
        _Pragma("GCC ivdep") for (int64_t j = 0; j < count; j++)
            work->y[at + j] =
                scale[j] * (g[at + j] - level[j] - (x[at + j] - mean[j]) * slope[j]);
    }
}
#undef SUM_COLUMNS

static void R(columns_part)(void *context, int64_t part) {
    const R(Norm) *work = context;
    int64_t first = part * R(ABREAST), count = least(R(ABREAST), work->channels - first);
    /* With enough columns, loops of constant length keep sums in registers; doubles are rare, and
     * have no such code. */
    int full = F32 && count == R(ABREAST);
    if (work->g) {
        if (full) R(columns_backward)(work, first, R(ABREAST));
        else R(columns_backward)(work, first, count);
    } else if (full) R(columns_forward)(work, first, R(ABREAST));
    else R(columns_forward)(work, first, count);
}

/* ----------------------------------------------------------- rows with a gamma along them */

static void R(one_row)(const R(Norm) *work, int64_t row) {
    int64_t n = work->places;
    const REAL *restrict x = work->x + row * n;
    REAL *restrict y = work->y + row * n;
    REAL mean = (REAL)(R(sum_of)(x, n) / n);
    work->mean[row] = mean;
    work->var[row] = (REAL)(R(squares_of)(x, mean, n) / n);
    REAL r = R(inverse_deviation)(work->var[row], work->eps);
    const REAL *restrict gamma = work->gamma, *restrict beta = work->beta;
    _Pragma("GCC ivdep") for (int64_t i = 0; i < n; i++)
        y[i] = (x[i] - mean) * r * gamma[i] + beta[i];
}

/* The sums of g gamma and of g gamma (x - mean), in one pass. They are added as in sums.h, in half
 * as many lanes each. */
static void R(sums_of_row)(const REAL *restrict g, const REAL *restrict gamma,
                           const REAL *restrict x, REAL mean, int64_t n, double *sum,
                           double *moment) {
    enum { LANES = R(LANES) / 2 };
    *sum = *moment = 0;
    for (int64_t i = 0, end; i < n; i = end) {
        REAL lane[LANES] = {0}, other[LANES] = {0};
        end = least(i + R(BLOCK), n);
#define ADD(i, j)                     \
    REAL scaled = g[i] * gamma[i];    \
    lane[j] += scaled;                \
    other[j] += scaled * (x[i] - mean);
        for (; i + LANES <= end; i += LANES)
            for (int j = 0; j < LANES; j++) { ADD(i + j, j) }
        for (int j = 0; i < end; i++, j++) { ADD(i, j) }
#undef ADD
        _Pragma("GCC unroll 8") for (int half = LANES / 2; half; half /= 2)
            for (int j = 0; j < half; j++) lane[j] += lane[j + half], other[j] += other[j + half];
        *sum += lane[0], *moment += other[0];
    }
}

static void R(one_row_grad)(const R(Norm) *work, int64_t row) {
    int64_t n = work->places;
    const REAL *restrict x = work->x + row * n, *restrict g = work->g + row * n;
    const REAL *restrict gamma = work->gamma;
    REAL *restrict y = work->y + row * n;
    REAL mean = work->given_mean[row];
    REAL r = R(inverse_deviation)(work->given_var[row], work->eps);
    double sum, moment;
    R(sums_of_row)(g, gamma, x, mean, n, &sum, &moment);
    REAL level = (REAL)(sum / n), slope = (REAL)(moment / n * r * r);
    _Pragma("GCC ivdep") for (int64_t i = 0; i < n; i++)
        y[i] = r * (g[i] * gamma[i] - level - (x[i] - mean) * slope);
}

/* The sums for gamma, followed by those for beta, over `count` rows in order. */
INLINE void R(add_to_sums)(const R(Norm) *work, int64_t row, int count, REAL *restrict sums) {
    int64_t n = work->places;
    const REAL *restrict x = work->x + row * n, *restrict g = work->g + row * n;
    REAL *restrict others = sums + n, mean[R(ROWS_AT_ONCE)], r[R(ROWS_AT_ONCE)];
    for (int k = 0; k < count; k++) {
        mean[k] = work->given_mean[row + k];
        r[k] = R(inverse_deviation)(work->given_var[row + k], work->eps);
    }
    for (int64_t i = 0; i < n; i++) {
        REAL sum = sums[i], other = others[i];
        for (int k = 0; k < count; k++) {
            sum += g[k * n + i] * ((x[k * n + i] - mean[k]) * r[k]);
            other += g[k * n + i];
        }
        sums[i] = sum, others[i] = other;
    }
}

/* Sums of at most LANES rows in one REAL, then in double precision. The data of ROWS_AT_ONCE rows
 * stay in the cache. */
static void R(rows_grad_part)(const R(Norm) *work, int64_t part, int64_t end) {
    int64_t n = work->places;
    REAL *restrict sums = work->few + part * 2 * n;
    double *restrict total = work->partial + part * 2 * n;
    memset(total, 0, 2 * n * sizeof *total);
    for (int64_t k = part * work->group; k < end;) {
        memset(sums, 0, 2 * n * sizeof *sums);
        for (int64_t stop = least(k + R(LANES), end), count; k < stop; k += count) {
            count = stop - k < R(ROWS_AT_ONCE) ? 1 : R(ROWS_AT_ONCE);
            for (int64_t row = k; row < k + count; row++) R(one_row_grad)(work, row);
            if (count == 1) R(add_to_sums)(work, k, 1, sums);
            else R(add_to_sums)(work, k, R(ROWS_AT_ONCE), sums);
        }
        for (int64_t i = 0; i < 2 * n; i++) total[i] += sums[i];
    }
}

static void R(rows_part)(void *context, int64_t part) {
    const R(Norm) *work = context;
    int64_t end = least((part + 1) * work->group, work->channels);
    if (work->g) R(rows_grad_part)(work, part, end);
    else
        for (int64_t k = part * work->group; k < end; k++) R(one_row)(work, k);
}

static enum outcome R(along_rows)(R(Norm) *work) {
    int64_t width = work->places;
    if (!work->g) {
        work->group = most(1, PART / width);
        parallel(R(rows_part), work, parts_of(work->channels, work->group));
        return DONE;
    }
    /* Few parts: each has its own sums, as wide as a row. */
    work->group = most(most(1, PART / width), parts_of(work->channels, 32));
    int64_t parts = parts_of(work->channels, work->group);
    work->partial = scratch(0, (size_t)parts * 2 * width * (sizeof(double) + sizeof(REAL)));
    if (!work->partial) return NO_MEMORY;
    work->few = (REAL *)(work->partial + parts * 2 * width);
    parallel(R(rows_part), work, parts);
    for (int64_t i = 0; i < width; i++) {
        double gamma = 0, beta = 0;
        for (int64_t part = 0; part < parts; part++) {
            gamma += work->partial[part * 2 * width + i];
            beta += work->partial[part * 2 * width + width + i];
        }
        work->g_gamma[i] = (REAL)gamma;
        work->g_beta[i] = (REAL)beta;
    }
    return DONE;
}

/* -------------------------------------------------------------------------------- entries */

static enum outcome R(normalize)(R(Norm) *work) {
    if (!work->period) return R(along_rows)(work);
    if (work->places == 1 && work->batch > 1) {
        parallel(R(columns_part), work, parts_of(work->channels, R(ABREAST)));
        return DONE;
    }
    work->group = most(1, PART / (work->batch * work->places));
    parallel(R(channels_part), work, parts_of(work->channels, work->group));
    return DONE;
}

/* integers: batch, channels, places, period (0: gamma lies along rows); reals: eps. */
static int R(reads_sizes)(const Call *call, R(Norm) *work) {
    if (call->integers != 4 || call->reals != 1) return 0;
    work->batch = call->integer[0], work->channels = call->integer[1];
    work->places = call->integer[2], work->period = call->integer[3];
    work->eps = call->real[0];
    return work->batch > 0 && work->channels > 0 && work->places > 0 && work->period >= 0 &&
           (work->batch == 1 || work->period == work->channels);
}

/* standardize: x, gamma, beta, y, mean, var. */
enum outcome R(standardize)(const Call *call) {
    const Array *x = call->array;
    enum type type = F32 ? FLOAT32 : FLOAT64;
    R(Norm) work = {0};
    if (call->arrays != 6 || !R(reads_sizes)(call, &work)) return DOES_NOT_FIT;
    int64_t all = work.batch * work.channels * work.places;
    int64_t scales = work.period ? work.period : work.places;
    if (!holds(x, type, all) || !holds(x + 1, type, scales) || !holds(x + 2, type, scales) ||
        !takes(x + 3, type, all) || !takes(x + 4, type, work.channels) ||
        !takes(x + 5, type, work.channels))
        return DOES_NOT_FIT;
    work.x = (const REAL *)x[0].data, work.gamma = (const REAL *)x[1].data;
    work.beta = (const REAL *)x[2].data, work.y = (REAL *)x[3].data;
    work.mean = (REAL *)x[4].data, work.var = (REAL *)x[5].data;
    return R(normalize)(&work);
}

/* standardize_grad: g, x, gamma, mean, var, the cotangent of x, and the sums for gamma and beta,
 * per channel, or along rows if gamma lies along rows. */
enum outcome R(standardize_grad)(const Call *call) {
    const Array *x = call->array;
    enum type type = F32 ? FLOAT32 : FLOAT64;
    R(Norm) work = {0};
    if (call->arrays != 8 || !R(reads_sizes)(call, &work)) return DOES_NOT_FIT;
    int64_t all = work.batch * work.channels * work.places;
    int64_t scales = work.period ? work.period : work.places;
    int64_t sums = work.period ? work.channels : work.places;
    if (!holds(x, type, all) || !holds(x + 1, type, all) || !holds(x + 2, type, scales) ||
        !holds(x + 3, type, work.channels) || !holds(x + 4, type, work.channels) ||
        !takes(x + 5, type, all) || !takes(x + 6, type, sums) || !takes(x + 7, type, sums))
        return DOES_NOT_FIT;
    work.g = (const REAL *)x[0].data, work.x = (const REAL *)x[1].data;
    work.gamma = (const REAL *)x[2].data, work.y = (REAL *)x[5].data;
    work.given_mean = (const REAL *)x[3].data, work.given_var = (const REAL *)x[4].data;
    work.g_gamma = (REAL *)x[6].data, work.g_beta = (REAL *)x[7].data;
    return R(normalize)(&work);
}

/* ------------------------------------------------------------------------------- inference */

/* The values of a part: to multiply and add so many takes longer than to wake a thread, even one
 * that waits for a processor. */
enum { R(LIGHT_PART) = 4 * PART };

typedef struct {
    const REAL *x, *scale, *shift;
    REAL *y;
    int64_t rows, channels, places, group; /* batch times channels */
} R(Affine);

static void R(affine_part)(void *context, int64_t part) {
    const R(Affine) *work = context;
    int64_t end = least((part + 1) * work->group, work->rows);
    for (int64_t k = part * work->group; k < end; k++) {
        const REAL *restrict x = work->x + k * work->places;
        REAL *restrict y = work->y + k * work->places;
        const REAL scale = work->scale[k % work->channels], shift = work->shift[k % work->channels];
        for (int64_t i = 0; i < work->places; i++) y[i] = x[i] * scale + shift;
    }
}

/* y = x scale + shift of each channel, x is (rows, places): x, scale, shift, y. */
enum outcome R(scale_channels)(const Call *call) {
    const Array *x = call->array;
    enum type type = F32 ? FLOAT32 : FLOAT64;
    if (call->arrays != 4 || call->integers != 3) return DOES_NOT_FIT;
    int64_t rows = call->integer[0], channels = call->integer[1], places = call->integer[2];
    if (rows < 1 || channels < 1 || places < 1 || !holds(x, type, rows * places) ||
        !holds(x + 1, type, channels) || !holds(x + 2, type, channels) ||
        !takes(x + 3, type, rows * places))
        return DOES_NOT_FIT;
    R(Affine) work = {.x = (const REAL *)x[0].data, .scale = (const REAL *)x[1].data,
                      .shift = (const REAL *)x[2].data, .y = (REAL *)x[3].data,
                      .rows = rows, .channels = channels, .places = places,
                      .group = most(1, R(LIGHT_PART) / places)};
    parallel(R(affine_part), &work, parts_of(rows, work.group));
    return DONE;
}
