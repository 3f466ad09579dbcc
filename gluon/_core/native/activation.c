/* Softmax and its logarithm along rows, with their gradients.
 *
 * All arrays are (rows, width), contiguous: integers are rows and width. Rows are computed one
 * after the other, so that each is read from memory once. With m the maximum of a row:
 *
 *     softmax       y = exp(x - m) / sum(exp(x - m))
 *     log_softmax   y = x - m - log(sum(exp(x - m)))
 *     softmax_grad       of (g, p):  p (g - sum(g p))
 *     log_softmax_grad   of (g, l):  g - exp(l) sum(g)
 *     log_softmax_push   of (t, l):  t - sum(exp(l) t)
 *
 * The cross entropy of a row with its class p, and the gradient for a cotangent g of that number:
 *
 *     cross_entropy        log(sum(exp(x - m))) - (x[p] - m)
 *     cross_entropy_grad   g exp(x - m) / sum(exp(x - m)), less g at p
 */
#if F32
#include "vector.h"
#include "sums.h"

enum { NARROW = R(LANES), TILE = 16 };

typedef struct {
    const float *first, *second;
    float *to;
    int64_t rows, width, group; /* rows per part */
    void (*row)(const float *first, const float *second, float *to, int64_t width);
    void (*narrow)(const float *first, float *to, int64_t width); /* TILE rows, or NULL */
} Rows;

/* Up to TILE narrow rows; missing ones are replaced by zeros. */
static void tile_of_rows(const Rows *work, int64_t at, int64_t count) {
    if (count == TILE) {
        work->narrow(work->first + at, work->to + at, work->width);
        return;
    }
    float x[TILE * NARROW] = {0}, y[TILE * NARROW];
    size_t bytes = (size_t)(count * work->width) * sizeof *x;
    memcpy(x, work->first + at, bytes);
    work->narrow(x, y, work->width);
    memcpy(work->to + at, y, bytes);
}

static void rows_part(void *context, int64_t k) {
    const Rows *work = context;
    int64_t end = least((k + 1) * work->group, work->rows);
    int narrow = work->narrow && work->width < NARROW;
    for (int64_t r = k * work->group; r < end; r += narrow ? TILE : 1) {
        int64_t at = r * work->width;
        if (narrow) {
            tile_of_rows(work, at, least(TILE, end - r));
            continue;
        }
        work->row(work->first + at, work->second ? work->second + at : NULL, work->to + at,
                  work->width);
    }
}

/* Run `row` or `narrow` over the rows of the inputs; the last array is the result. */
static enum outcome by_rows(const Call *call, int inputs,
                            void (*row)(const float *, const float *, float *, int64_t),
                            void (*narrow)(const float *, float *, int64_t)) {
    int64_t rows = call->integer[0], width = call->integer[1];
    if (call->arrays != inputs + 1 || call->integers != 2 || rows < 1 || width < 1)
        return DOES_NOT_FIT;
    for (int k = 0; k < inputs; k++)
        if (!holds(&call->array[k], FLOAT32, rows * width)) return DOES_NOT_FIT;
    if (!takes(&call->array[inputs], FLOAT32, rows * width)) return DOES_NOT_FIT;
    Rows work = {.first = (const float *)call->array[0].data,
                 .second = inputs == 2 ? (const float *)call->array[1].data : NULL,
                 .to = (float *)call->array[inputs].data,
                 .rows = rows,
                 .width = width,
                 .group = most(1, PART / width),
                 .row = row,
                 .narrow = narrow};
    parallel(rows_part, &work, parts_of(rows, work.group));
    return DONE;
}

/* Transpose TILE narrow rows to columns. The maximum of a row may ignore NaN: then its exponential
 * and the sum are NaN, and so is the whole row. */
INLINE void narrow_rows(const float *x, float *y, int64_t width, int logarithm) {
    float tile[NARROW][TILE], m[TILE], sum[TILE] = {0};
    for (int j = 0; j < TILE; j++) m[j] = -INFINITY;
    for (int64_t k = 0; k < width; k++) {
        for (int j = 0; j < TILE; j++) tile[k][j] = x[j * width + k];
        for (int j = 0; j < TILE; j++) m[j] = tile[k][j] > m[j] ? tile[k][j] : m[j];
    }
    for (int64_t k = 0; k < width; k++)
        for (int j = 0; j < TILE; j++) {
            float shifted = tile[k][j] - m[j], e = exp_float(shifted);
            sum[j] += e;
            tile[k][j] = logarithm ? shifted : e;
        }
    for (int j = 0; j < TILE; j++) sum[j] = logarithm ? log_float(sum[j]) : 1.0f / sum[j];
    for (int64_t k = 0; k < width; k++)
        for (int j = 0; j < TILE; j++)
            y[j * width + k] = logarithm ? tile[k][j] - sum[j] : tile[k][j] * sum[j];
}
static void softmax_narrow(const float *x, float *y, int64_t width) { narrow_rows(x, y, width, 0); }
static void log_softmax_narrow(const float *x, float *y, int64_t width) {
    narrow_rows(x, y, width, 1);
}

/* y = exp(x - m), where m is the maximum of x; returns m and the sum of y. */
static double exponentials(const float *restrict x, float *restrict y, int64_t width, float *m) {
    const float largest = *m = R(max_of)(x, width);
    for (int64_t i = 0; i < width; i++) y[i] = exp_float(x[i] - largest);
    return R(sum_of)(y, width);
}

static void softmax_row(const float *x, const float *none, float *y, int64_t width) {
    (void)none;
    float m, scale = (float)(1.0 / exponentials(x, y, width, &m));
    for (int64_t i = 0; i < width; i++) y[i] *= scale;
}

static void log_softmax_row(const float *x, const float *none, float *y, int64_t width) {
    (void)none;
    float m, shift = (float)log(exponentials(x, y, width, &m));
    for (int64_t i = 0; i < width; i++) y[i] = (x[i] - m) - shift;
}

/* Sums of short rows, in few lanes: most lanes of sums.h would be unused. */
enum { FEW = 8 };
static double dot_of_row(const float *x, const float *z, int64_t n) {
    if (n >= NARROW) return z ? R(dot_of)(x, z, n) : R(sum_of)(x, n);
    float lane[FEW] = {0};
    int64_t i = 0;
    for (; i + FEW <= n; i += FEW)
        for (int j = 0; j < FEW; j++) lane[j] += x[i + j] * (z ? z[i + j] : 1);
    for (int j = 0; i < n; i++, j++) lane[j] += x[i] * (z ? z[i] : 1);
    for (int half = FEW / 2; half; half /= 2)
        for (int j = 0; j < half; j++) lane[j] += lane[j + half];
    return lane[0];
}

static void softmax_grad_row(const float *g, const float *p, float *y, int64_t width) {
    float sum = (float)dot_of_row(g, p, width);
    for (int64_t i = 0; i < width; i++) y[i] = p[i] * (g[i] - sum);
}

static void log_softmax_grad_row(const float *g, const float *l, float *y, int64_t width) {
    float sum = (float)dot_of_row(g, NULL, width);
    for (int64_t i = 0; i < width; i++) y[i] = g[i] - exp_float(l[i]) * sum;
}

static void log_softmax_push_row(const float *t, const float *l, float *y, int64_t width) {
    for (int64_t i = 0; i < width; i++) y[i] = exp_float(l[i]) * t[i];
    float sum = (float)dot_of_row(y, NULL, width);
    for (int64_t i = 0; i < width; i++) y[i] = t[i] - sum;
}

/* ------------------------------------------------------------------------- cross entropy */

typedef struct {
    const float *x, *g;
    const int64_t *label;
    float *to;
    int64_t rows, width, group;
    atomic_int failed;
} Classes;

static void cross_entropy_part(void *context, int64_t k) {
    Classes *work = context;
    int64_t width = work->width, end = least((k + 1) * work->group, work->rows);
    float *room = work->g ? NULL : scratch(0, (size_t)width * sizeof(float));
    if (!work->g && !room) work->failed = 1;
    if (!work->g && !room) return;
    for (int64_t r = k * work->group; r < end; r++) {
        const float *x = work->x + r * width;
        float *y = work->g ? work->to + r * width : room;
        float m;
        double sum = exponentials(x, y, width, &m);
        if (!work->g) {
            work->to[r] = (float)(log(sum) - (double)(x[work->label[r]] - m));
            continue;
        }
        float scale = (float)(work->g[r] / sum);
        for (int64_t i = 0; i < width; i++) y[i] *= scale;
        y[work->label[r]] -= work->g[r];
    }
}

/* Arrays: (g for the gradient,) x, the classes and the result. */
static enum outcome classify(const Call *call, int is_grad) {
    int64_t rows = call->integer[0], width = call->integer[1];
    const Array *x = call->array + is_grad;
    if (call->arrays != 3 + is_grad || call->integers != 2 || rows < 1 || width < 1 ||
        !holds(&x[0], FLOAT32, rows * width) || !holds(&x[1], INT64, rows) ||
        !takes(&x[2], FLOAT32, is_grad ? rows * width : rows) ||
        (is_grad && !holds(call->array, FLOAT32, rows)))
        return DOES_NOT_FIT;
    Classes work = {.x = (const float *)x[0].data,
                    .g = is_grad ? (const float *)call->array[0].data : NULL,
                    .label = (const int64_t *)x[1].data,
                    .to = (float *)x[2].data,
                    .rows = rows,
                    .width = width,
                    .group = most(1, PART / width)};
    for (int64_t r = 0; r < rows; r++)
        if (work.label[r] < 0 || work.label[r] >= width) return DOES_NOT_FIT;
    parallel(cross_entropy_part, &work, parts_of(rows, work.group));
    return work.failed ? NO_MEMORY : DONE;
}

enum outcome R(cross_entropy)(const Call *call) { return classify(call, 0); }
enum outcome R(cross_entropy_grad)(const Call *call) { return classify(call, 1); }

enum outcome R(softmax)(const Call *call) { return by_rows(call, 1, softmax_row, softmax_narrow); }
enum outcome R(log_softmax)(const Call *call) {
    return by_rows(call, 1, log_softmax_row, log_softmax_narrow);
}
enum outcome R(softmax_grad)(const Call *call) {
    return by_rows(call, 2, softmax_grad_row, NULL);
}
enum outcome R(log_softmax_grad)(const Call *call) {
    return by_rows(call, 2, log_softmax_grad_row, NULL);
}
enum outcome R(log_softmax_push)(const Call *call) {
    return by_rows(call, 2, log_softmax_push_row, NULL);
}

#endif
