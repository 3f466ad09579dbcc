/* Pooling over moving windows of up to three axes, and its gradients.
 *
 * Data are (planes, depth, height, width), contiguous, where missing axes have length 1; results
 * are (planes, *out). A plane is one picture of one channel; planes are independent. Windows begin
 * at `-pad` and are `stride` apart. They may exceed the border on both sides, where values are 0
 * for sums and the lowest finite number for maxima.
 *
 * One row of results is computed at a time: the rows that its windows cover are combined into one
 * row, then the elements of each window along it.
 */
#include "sums.h"

enum { R(SIDES) = 3 };

typedef struct {
    int64_t planes, size[3], out[3], kernel[3], stride[3], pad[3];
    int64_t in, made; /* the values per plane of data and of results */
    int64_t group;    /* planes per part */
    int64_t divide;   /* divisor of sums: none, the window size, or the part inside */
    int whole;         /* the window covers the plane */
    int64_t nan_first; /* maxima: whether NaN counts as the maximum */
    const REAL *x, *y, *g;
    REAL *to;
    atomic_int failed; /* whether a thread could not allocate memory */
} R(Pool);

/* Which elements of window number k along an axis lie inside: `first` to `last`. */
INLINE int64_t R(begin)(const R(Pool) *work, int axis, int64_t k) {
    return k * work->stride[axis] - work->pad[axis];
}
INLINE int64_t R(inside)(const R(Pool) *work, int axis, int64_t k, int64_t *first) {
    int64_t start = R(begin)(work, axis, k);
    *first = most(start, 0);
    return most(least(start + work->kernel[axis], work->size[axis]) - *first, 0);
}

/* The divisor of one window's sum, along one axis. */
static int64_t R(count)(const R(Pool) *work, int axis, int64_t k) {
    int64_t start = R(begin)(work, axis, k), first;
    if (work->divide == 2) return most(R(inside)(work, axis, k, &first), 1);
    int64_t stop = least(start + work->kernel[axis], work->size[axis] + work->pad[axis]);
    return most(stop - start, 1);
}
static REAL R(divisor)(const R(Pool) *work, int64_t a, int64_t b, int64_t c) {
    if (!work->divide) return 1;
    return (REAL)(R(count)(work, 0, a) * R(count)(work, 1, b) * R(count)(work, 2, c));
}

/* ------------------------------------------------------------------------------- forward */

/* to[i] = to[i] combined with x[i * stride] */
#define ALONG(stride, combine) \
    for (int64_t i = 0; i < n; i++) to[i] = combine(to[i], x[i * (stride)]);
#define LARGER(a, b) ((a) >= (b) || (a) != (a) ? (a) : (b))
#define SUM(a, b) ((a) + (b))
#define FOLD(name, combine)                                                                      \
    INLINE void R(name)(REAL *restrict to, const REAL *restrict x, int64_t n, int64_t stride) { \
        if (stride == 1) ALONG(1, combine)                                                       \
        else if (stride == 2) ALONG(2, combine)                                                  \
        else ALONG(stride, combine)                                                              \
    }
FOLD(fold_max, LARGER)
FOLD(fold_sum, SUM)
#undef FOLD
#undef ALONG

/* One row of results. `row` is a buffer for a padded row of the data. */
INLINE void R(pool_row)(const R(Pool) *work, const REAL *x, REAL *restrict to, REAL *restrict row,
                        int64_t a, int64_t b, int largest) {
    int64_t first[2], count[2], width = work->size[2], left = work->pad[2];
    int64_t long_row = (work->out[2] - 1) * work->stride[2] + work->kernel[2];
    int cut = 0; /* whether a window exceeds the border */
    const REAL around = largest ? (F32 ? -FLT_MAX : -(REAL)DBL_MAX) : 0;
    for (int k = 0; k < 2; k++) {
        count[k] = R(inside)(work, k, k ? b : a, &first[k]);
        cut |= count[k] < work->kernel[k];
    }
    for (int64_t i = 0; i < most(long_row, left + width); i++) row[i] = around;
    REAL *restrict inner = row + left;
    int fresh = !largest || !cut;
    for (int64_t d = 0; d < count[0]; d++)
        for (int64_t h = 0; h < count[1]; h++) {
            int64_t at = ((first[0] + d) * work->size[1] + first[1] + h) * width;
            if (fresh && !d && !h) memcpy(inner, x + at, width * sizeof *inner);
            else if (largest) R(fold_max)(inner, x + at, width, 1);
            else R(fold_sum)(inner, x + at, width, 1);
        }
    for (int64_t i = 0; i < work->out[2]; i++) to[i] = row[i * work->stride[2]];
    for (int64_t k = 1; k < work->kernel[2]; k++)
        if (largest) R(fold_max)(to, row + k, work->out[2], work->stride[2]);
        else R(fold_sum)(to, row + k, work->out[2], work->stride[2]);
    if (work->divide)
        for (int64_t c = 0; c < work->out[2]; c++) to[c] /= R(divisor)(work, a, b, c);
}

/* Allocate a row with its padding. */
static int64_t R(room)(const R(Pool) *work) {
    return work->pad[2] + work->size[2] + (work->out[2] - 1) * work->stride[2] + work->kernel[2];
}

INLINE void R(pool_part)(R(Pool) *work, int64_t part, int largest) {
    REAL *row = scratch(0, R(room)(work) * sizeof *row);
    int64_t end = least((part + 1) * work->group, work->planes);
    if (!row) work->failed = 1;
    for (int64_t k = part * work->group; k < end && row; k++) {
        REAL *to = work->to + k * work->made;
        for (int64_t a = 0; a < work->out[0]; a++)
            for (int64_t b = 0; b < work->out[1]; b++, to += work->out[2])
                R(pool_row)(work, work->x + k * work->in, to, row, a, b, largest);
    }
}
static void R(max_pool_part)(void *work, int64_t part) { R(pool_part)(work, part, 1); }
static void R(sum_pool_part)(void *work, int64_t part) { R(pool_part)(work, part, 0); }

/* ----------------------------------------------------- gradients and tangents of maxima */

/* Give each cotangent of a row of results to the first element of its window that is the
 * maximum; if the maximum is NaN, so that none equals it, to the last. `open` marks those not
 * given yet. */
INLINE void R(max_grad_row)(const R(Pool) *work, const REAL *restrict x, REAL *restrict to,
                            const REAL *restrict y, const REAL *restrict g, int32_t *restrict open,
                            int64_t a, int64_t b) {
    const REAL lowest = F32 ? -FLT_MAX : -(REAL)DBL_MAX;
    const int64_t n = work->out[2], stride = work->stride[2], width = work->size[2];
    const int64_t *kernel = work->kernel;
    for (int64_t i = 0; i < n; i++) open[i] = 1;
    for (int64_t d = 0; d < kernel[0]; d++)
        for (int64_t h = 0; h < kernel[1]; h++) {
            int64_t i = R(begin)(work, 0, a) + d, j = R(begin)(work, 1, b) + h;
            int there = i >= 0 && i < work->size[0] && j >= 0 && j < work->size[1];
            int64_t at = (i * work->size[1] + j) * width;
            for (int64_t k = 0; k < kernel[2]; k++) {
                int last = d + 1 == kernel[0] && h + 1 == kernel[1] && k + 1 == kernel[2];
                int64_t shift = k - work->pad[2];
                /* the windows whose element k is inside: `first` to `stop` */
                int64_t first = shift < 0 ? parts_of(-shift, stride) : 0;
                int64_t stop = width > shift ? least(parts_of(width - shift, stride), n) : 0;
                if (!there) first = stop = n;
                first = least(first, n), stop = most(stop, first);
                for (int64_t c = 0; c < first; c++) open[c] &= y[c] != lowest;
                for (int64_t c = stop; c < n; c++) open[c] &= y[c] != lowest;
                const REAL *restrict from = x + at + shift;
                REAL *restrict into = to + at + shift;
                for (int64_t c = first; c < stop; c++) {
                    REAL value = from[c * stride];
                    int hit = open[c] & ((value == y[c]) | last |
                                         ((int)work->nan_first & (value != value)));
                    into[c * stride] += hit ? g[c] : 0;
                    open[c] &= !hit;
                }
            }
        }
}

/* The same for a single window, which is the whole plane. */
static int64_t R(max_of_plane)(const R(Pool) *work, const REAL *x, REAL y) {
    return !work->nan_first && y != y ? work->in - 1 : R(place_of)(y, x, work->in);
}

/* The tangent, of those of x in `t`, at the same element of the window (a, b, c): mostly it is
 * found soon, so windows are searched one by one. */
static REAL R(max_push_window)(const R(Pool) *work, const REAL *x, const REAL *t, REAL y,
                               int64_t a, int64_t b, int64_t c) {
    const REAL lowest = F32 ? -FLT_MAX : -(REAL)DBL_MAX;
    const int64_t *kernel = work->kernel, *size = work->size;
    int64_t start = R(begin)(work, 2, c), at = 0;
    int inside = 0;
    for (int64_t d = 0; d < kernel[0]; d++)
        for (int64_t h = 0; h < kernel[1]; h++) {
            int64_t i = R(begin)(work, 0, a) + d, j = R(begin)(work, 1, b) + h;
            int there = i >= 0 && i < size[0] && j >= 0 && j < size[1];
            for (int64_t k = start; k < start + kernel[2]; k++) {
                inside = there && k >= 0 && k < size[2];
                at = (i * size[1] + j) * size[2] + k;
                REAL value = inside ? x[at] : lowest;
                if (value == y || (work->nan_first && value != value)) return inside ? t[at] : 0;
            }
        }
    return inside ? t[at] : 0;
}

static void R(max_push_part)(void *context, int64_t part) {
    R(Pool) *work = context;
    int64_t end = least((part + 1) * work->group, work->planes);
    for (int64_t k = part * work->group; k < end; k++) {
        const REAL *x = work->x + k * work->in, *t = work->g + k * work->in;
        const REAL *y = work->y + k * work->made;
        REAL *to = work->to + k * work->made;
        if (work->whole) *to = t[R(max_of_plane)(work, x, *y)];
        for (int64_t a = 0; a < work->out[0] && !work->whole; a++)
            for (int64_t b = 0; b < work->out[1]; b++)
                for (int64_t c = 0; c < work->out[2]; c++)
                    *to++ = R(max_push_window)(work, x, t, *y++, a, b, c);
    }
}

static void R(max_grad_part)(void *context, int64_t part) {
    R(Pool) *work = context;
    int32_t *open = scratch(0, work->out[2] * sizeof *open);
    int64_t end = least((part + 1) * work->group, work->planes);
    if (!open) work->failed = 1;
    for (int64_t k = part * work->group; k < end && open; k++) {
        const REAL *x = work->x + k * work->in, *y = work->y + k * work->made;
        const REAL *g = work->g + k * work->made;
        REAL *to = work->to + k * work->in;
        memset(to, 0, work->in * sizeof *to);
        if (work->whole) to[R(max_of_plane)(work, x, *y)] = *g;
        for (int64_t a = 0; a < work->out[0] && !work->whole; a++)
            for (int64_t b = 0; b < work->out[1]; b++, y += work->out[2], g += work->out[2])
                R(max_grad_row)(work, x, to, y, g, open, a, b);
    }
}

/* --------------------------------------------------------------------- gradient of sums */

/* Spread a row of cotangents along the row of data, then over the rows that windows cover. */
INLINE void R(sum_grad_row)(const R(Pool) *work, REAL *restrict to, const REAL *restrict g,
                            REAL *restrict row, int64_t a, int64_t b) {
    const int64_t stride = work->stride[2], n = work->out[2], width = work->size[2];
    int64_t first[2], count[2];
    for (int k = 0; k < 2; k++) count[k] = R(inside)(work, k, k ? b : a, &first[k]);
    memset(row, 0, R(room)(work) * sizeof *row);
    for (int64_t c = 0; c < n; c++) {
        REAL value = work->divide ? g[c] / R(divisor)(work, a, b, c) : g[c];
        for (int64_t k = 0; k < work->kernel[2]; k++) row[c * stride + k] += value;
    }
    for (int64_t d = 0; d < count[0]; d++)
        for (int64_t h = 0; h < count[1]; h++) {
            int64_t at = ((first[0] + d) * work->size[1] + first[1] + h) * width;
            R(fold_sum)(to + at, row + work->pad[2], width, 1);
        }
}

static void R(sum_grad_part)(void *context, int64_t part) {
    R(Pool) *work = context;
    REAL *row = scratch(0, R(room)(work) * sizeof *row);
    int64_t end = least((part + 1) * work->group, work->planes);
    if (!row) work->failed = 1;
    for (int64_t k = part * work->group; k < end && row; k++) {
        const REAL *g = work->g + k * work->made;
        REAL *to = work->to + k * work->in;
        memset(to, 0, work->in * sizeof *to);
        for (int64_t a = 0; a < work->out[0]; a++)
            for (int64_t b = 0; b < work->out[1]; b++, g += work->out[2])
                R(sum_grad_row)(work, to, g, row, a, b);
    }
}
#undef LARGER
#undef SUM

/* -------------------------------------------------------------------------------- entries */

/* integers: planes, then size, out, kernel, stride and pad of three axes, then one more. */
static int R(reads_windows)(const Call *call, R(Pool) *work) {
    if (call->integers != 17) return 0;
    const int64_t *given = call->integer;
    work->planes = given[0], work->in = work->made = work->whole = 1;
    for (int k = 0; k < R(SIDES); k++) {
        work->size[k] = given[1 + k], work->out[k] = given[4 + k], work->kernel[k] = given[7 + k];
        work->stride[k] = given[10 + k], work->pad[k] = given[13 + k];
        if (work->size[k] < 1 || work->out[k] < 1 || work->kernel[k] < 1 || work->stride[k] < 1 ||
            work->pad[k] < 0 || work->pad[k] >= work->kernel[k])
            return 0;
        work->in *= work->size[k], work->made *= work->out[k];
        work->whole &= work->kernel[k] == work->size[k] && !work->pad[k] && work->out[k] == 1;
    }
    work->divide = work->nan_first = given[16];
    work->group = most(1, PART / work->in);
    return work->planes > 0 && given[16] >= 0 && given[16] <= 2;
}

static enum outcome R(pool)(const Call *call, Task task) {
    const Array *x = call->array;
    enum type type = F32 ? FLOAT32 : FLOAT64;
    R(Pool) work = {0};
    if (call->arrays != 2 || !R(reads_windows)(call, &work) ||
        !holds(x, type, work.planes * work.in) || !takes(x + 1, type, work.planes * work.made))
        return DOES_NOT_FIT;
    work.x = (const REAL *)x[0].data, work.to = (REAL *)x[1].data;
    parallel(task, &work, parts_of(work.planes, work.group));
    return work.failed ? NO_MEMORY : DONE;
}

enum outcome R(max_pool)(const Call *call) { return R(pool)(call, R(max_pool_part)); }
enum outcome R(sum_pool)(const Call *call) { return R(pool)(call, R(sum_pool_part)); }

/* g, x, y and the cotangent of x; or the tangent of x, x, y and the tangent of y. */
INLINE enum outcome R(max_slopes)(const Call *call, int push) {
    const Array *x = call->array;
    enum type type = F32 ? FLOAT32 : FLOAT64;
    R(Pool) work = {0};
    if (call->arrays != 4 || !R(reads_windows)(call, &work) ||
        !holds(x, type, work.planes * (push ? work.in : work.made)) ||
        !holds(x + 1, type, work.planes * work.in) ||
        !holds(x + 2, type, work.planes * work.made) ||
        !takes(x + 3, type, work.planes * (push ? work.made : work.in)))
        return DOES_NOT_FIT;
    work.g = (const REAL *)x[0].data, work.x = (const REAL *)x[1].data;
    work.y = (const REAL *)x[2].data, work.to = (REAL *)x[3].data;
    parallel(push ? R(max_push_part) : R(max_grad_part), &work,
             parts_of(work.planes, work.group));
    return work.failed ? NO_MEMORY : DONE;
}
enum outcome R(max_pool_grad)(const Call *call) { return R(max_slopes)(call, 0); }
enum outcome R(max_pool_push)(const Call *call) { return R(max_slopes)(call, 1); }

/* g and the cotangent of x. */
enum outcome R(sum_pool_grad)(const Call *call) {
    const Array *x = call->array;
    enum type type = F32 ? FLOAT32 : FLOAT64;
    R(Pool) work = {0};
    if (call->arrays != 2 || !R(reads_windows)(call, &work) ||
        !holds(x, type, work.planes * work.made) || !takes(x + 1, type, work.planes * work.in))
        return DOES_NOT_FIT;
    work.g = (const REAL *)x[0].data, work.to = (REAL *)x[1].data;
    parallel(R(sum_grad_part), &work, parts_of(work.planes, work.group));
    return work.failed ? NO_MEMORY : DONE;
}
