/* Copies of arrays. Memory limits their speed, not the processor's instructions, so they are
 * compiled only once.
 *
 *     copy       pairs of arrays (x, y): y = x, where x may be broadcast or of the other float
 *                type. Both are contiguous along their last axes, with any other strides
 *     mask_rows  (x, keep, value, y): row k of y is that of x if the byte keep[k] is not 0,
 *                otherwise the repeated value. All are contiguous
 */
#include "bytes.h"
#include "threads.h"
#include "variants.h"

typedef struct {
    const Loops *loops;
    const Array *x; /* and y */
    int64_t size[2];
} Copy;

static void copy_run(const Copy *work, const char *x, char *y, int64_t n) {
    enum type from = work->x[0].type, to = work->x[1].type;
    if (from == to && work->loops->unit[0]) copy_bytes(x, y, n * work->size[1]);
    else if (from == FLOAT32 && to == FLOAT64)
        for (int64_t i = 0; i < n; i++) ((double *)y)[i] = ((const float *)x)[i];
    else if (from == FLOAT64 && to == FLOAT32)
        for (int64_t i = 0; i < n; i++) ((float *)y)[i] = (float)((const double *)x)[i];
    else fill_run(x, y, work->size[1], n);
}

/* Runs along the last axis; the axes before it are counted like an odometer. */
static void copy_part(void *context, int64_t part) {
    const Copy *work = context;
    const Loops *loops = work->loops;
    int64_t i = part * PART, end = least(i + PART, loops->inner * loops->outer);
    int64_t run = i / loops->inner, from = i % loops->inner, at[MAX_AXES];
    const char *x = work->x[0].data;
    char *y = work->x[1].data;
    for (int k = 1; k < loops->axes; k++) {
        at[k] = run % loops->shape[k];
        run /= loops->shape[k];
        x += at[k] * loops->step[0][k];
        y += at[k] * loops->step[1][k];
    }
    for (int64_t n; i < end; i += n, from = 0) {
        n = least(end - i, loops->inner - from);
        copy_run(work, x + (loops->unit[0] ? from * work->size[0] : 0), y + from * work->size[1], n);
        for (int k = 1; k < loops->axes; k++) {
            x += loops->step[0][k];
            y += loops->step[1][k];
            if (++at[k] < loops->shape[k]) break;
            x -= loops->shape[k] * loops->step[0][k];
            y -= loops->shape[k] * loops->step[1][k];
            at[k] = 0;
        }
    }
}

/* Plan one copy; 0 if it is unsupported. */
static int plan_copy(Copy *work, Loops *loops, const Array *x) {
    intptr_t shape[MAX_AXES];
    enum type from = x[0].type, to = x[1].type;
    int floats = (from == FLOAT32 || from == FLOAT64) && (to == FLOAT32 || to == FLOAT64);
    *work = (Copy){.loops = loops, .x = x, .size = {size_in_bytes(from), size_in_bytes(to)}};
    if (!x[0].data || !x[1].data || !work->size[0] || !work->size[1] || !(from == to || floats) ||
        !x[1].writeable || plan(loops, x, shape) != x[1].axes)
        return 0;
    for (int k = 0; k < x[1].axes; k++)
        if (shape[k] != x[1].shape[k]) return 0;
    return loops->unit[1] && (loops->unit[0] || from == to);
}

enum outcome copy_arrays(const Call *call) {
    Copy work;
    Loops loops;
    if (call->arrays < 2 || call->arrays % 2) return DOES_NOT_FIT;
    for (int k = 0; k < call->arrays; k += 2)
        if (!plan_copy(&work, &loops, call->array + k)) return DOES_NOT_FIT;
    for (int k = 0; k < call->arrays; k += 2) {
        plan_copy(&work, &loops, call->array + k);
        parallel(copy_part, &work, parts_of(loops.inner * loops.outer, PART));
    }
    return DONE;
}

/* -------------------------------------------------------------------------------- masks */

typedef struct {
    const char *x, *value;
    const uint8_t *keep;
    char *y;
    int64_t rows, width, size, group; /* width: values per row; group: rows per part */
} Mask;

static void mask_part(void *context, int64_t part) {
    const Mask *work = context;
    int64_t row = part * work->group, end = least(row + work->group, work->rows);
    for (int64_t stop; row < end; row = stop) {
        for (stop = row + 1; stop < end && !work->keep[stop] == !work->keep[row];) stop++;
        int64_t from = row * work->width * work->size, n = (stop - row) * work->width;
        if (work->keep[row]) copy_bytes(work->x + from, work->y + from, n * work->size);
        else fill_run(work->value, work->y + from, work->size, n);
    }
}

enum outcome mask_rows_arrays(const Call *call) {
    const Array *x = call->array;
    if (call->arrays != 4) return DOES_NOT_FIT;
    int64_t n = size_of(x), rows = size_of(x + 1);
    if (n < 1 || rows < 1 || n % rows || !size_in_bytes(x->type) || !holds(x, x->type, n) ||
        !holds(x + 1, BOOL, rows) || !holds(x + 2, x->type, 1) || !takes(x + 3, x->type, n))
        return DOES_NOT_FIT;
    Mask work = {.x = x[0].data, .value = x[2].data, .keep = (const uint8_t *)x[1].data,
                 .y = x[3].data, .rows = rows, .width = n / rows, .size = size_in_bytes(x->type)};
    work.group = most(1, PART / work.width);
    parallel(mask_part, &work, parts_of(rows, work.group));
    return DONE;
}
