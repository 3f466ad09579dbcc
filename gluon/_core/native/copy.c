/* Copies of arrays. Memory limits their speed, not the processor's instructions, so they are
 * compiled only once.
 *
 *     copy       pairs of arrays (x, y): y = x, where x may be broadcast. Both are contiguous along
 *                their last axes, with any other strides. No y overlaps another one
 *     pad        (x, y): y = x with a border of the number real[0]; x begins at the place of y that
 *                the integers, one for each axis, name. x is contiguous along its last axis
 *     mask_rows  (x, keep, value, y): row k of y is that of x if the byte keep[k] is not 0,
 *                otherwise the repeated value. All are contiguous
 */
#include "bytes.h"
#include "threads.h"
#include "variants.h"

typedef struct {
    Loops loops;
    const char *x;
    char *y;
    int64_t size; /* of a value, in bytes */
} Copy;

static void copy_run(const Copy *copy, const char *x, char *y, int64_t n) {
    if (copy->loops.unit[0]) copy_bytes(x, y, n * copy->size);
    else fill_run(x, y, copy->size, n);
}

/* Values `i` to `end` of one pair: runs along the last axis; the axes before it are counted like an
 * odometer. */
static void copy_values(const Copy *copy, int64_t i, int64_t end) {
    const Loops *loops = &copy->loops;
    int64_t run = i / loops->inner, from = i % loops->inner, at[MAX_AXES];
    const char *x = copy->x;
    char *y = copy->y;
    for (int k = 1; k < loops->axes; k++) {
        at[k] = run % loops->shape[k];
        run /= loops->shape[k];
        x += at[k] * loops->step[0][k];
        y += at[k] * loops->step[1][k];
    }
    for (int64_t n; i < end; i += n, from = 0) {
        n = least(end - i, loops->inner - from);
        copy_run(copy, x + (loops->unit[0] ? from * copy->size : 0), y + from * copy->size, n);
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

typedef struct {
    const Copy *copy;
    int64_t pairs, parts;
} Copies;

/* The same share of every pair: where parts of one array are copied, neighbours in memory. */
static void copy_part(void *context, int64_t part) {
    const Copies *work = context;
    for (int64_t k = 0; k < work->pairs; k++) {
        const Copy *copy = work->copy + k;
        int64_t values = copy->loops.inner * copy->loops.outer, share = parts_of(values, work->parts);
        copy_values(copy, part * share, least((part + 1) * share, values));
    }
}

/* Plan one copy; 0 if it is unsupported. */
static int plan_copy(Copy *copy, const Array *x) {
    intptr_t shape[MAX_AXES];
    *copy = (Copy){.x = x[0].data, .y = x[1].data, .size = size_in_bytes(x[0].type)};
    if (!copy->x || !copy->y || !copy->size || x[0].type != x[1].type || !x[1].writeable ||
        plan(&copy->loops, x, shape) != x[1].axes)
        return 0;
    for (int k = 0; k < x[1].axes; k++)
        if (shape[k] != x[1].shape[k]) return 0;
    return copy->loops.unit[1];
}

enum outcome copy_arrays(const Call *call) {
    Copies work = {.pairs = call->arrays / 2};
    int64_t values = 0;
    if (call->arrays < 2 || call->arrays % 2) return DOES_NOT_FIT;
    Copy *copy = scratch(0, (size_t)work.pairs * sizeof *copy);
    if (!copy) return NO_MEMORY;
    for (int64_t k = 0; k < work.pairs; k++) {
        if (!plan_copy(copy + k, call->array + 2 * k)) return DOES_NOT_FIT;
        values += copy[k].loops.inner * copy[k].loops.outer;
    }
    work.copy = copy;
    work.parts = parts_of(values, PART);
    parallel(copy_part, &work, work.parts);
    return DONE;
}

/* ------------------------------------------------------------------------------ borders */

/* Axes from the last in memory to the first; those that need no border are merged with the one
 * before them. A row is a line along axis 0. */
typedef struct {
    const char *x;
    char *y;
    int axes;
    int64_t inner[MAX_AXES], outer[MAX_AXES], before[MAX_AXES]; /* lengths of x and y, in values */
    int64_t step[MAX_AXES];                                     /* of x, in bytes */
    int64_t rows, group, size; /* of y: its rows, those of a part, and the bytes of a value */
    char value[8];             /* in the type of the arrays */
} Pad;

/* Rows `from` to `end` along axis 1; `x` is the first one inside. */
static void pad_rows(const Pad *pad, const char *x, char *y, int64_t from, int64_t end) {
    const char *value = pad->value;
    int64_t size = pad->size, width = pad->outer[0], n = pad->inner[0], before = pad->before[0];
    int64_t after = width - n - before, top = pad->before[1], bottom = top + pad->inner[1];
    int64_t row = most(from, top), stop = least(end, bottom);
    if (!x || row >= stop) {
        fill_run(value, y, size, (end - from) * width);
        return;
    }
    fill_run(value, y, size, (row - from) * width + before);
    y += ((row - from) * width + before) * size;
    x += (row - top) * pad->step[1];
    for (;; x += pad->step[1]) {
        copy_bytes(x, y, n * size);
        y += n * size;
        if (++row == stop) break;
        fill_run(value, y, size, after + before);
        y += (after + before) * size;
    }
    fill_run(value, y, size, after + (end - stop) * width);
}

static void pad_part(void *context, int64_t part) {
    const Pad *pad = context;
    int64_t row = part * pad->group, end = least(row + pad->group, pad->rows);
    for (int64_t stop; row < end; row = stop) {
        int64_t from = row % pad->outer[1], plane = row / pad->outer[1];
        const char *x = pad->x;
        stop = least(end, row + pad->outer[1] - from);
        for (int k = 2; k < pad->axes; k++) {
            int64_t at = plane % pad->outer[k] - pad->before[k];
            x = x && at >= 0 && at < pad->inner[k] ? x + at * pad->step[k] : NULL;
            plane /= pad->outer[k];
        }
        pad_rows(pad, x, pad->y + row * pad->outer[0] * pad->size, from, from + stop - row);
    }
}

/* Add axis k; 0 if x does not fit into y there. */
static int add_pad(Pad *pad, const Array *x, const Array *y, int k, int64_t before) {
    int64_t n = x->shape[k], length = y->shape[k], step = x->strides[k];
    int last = pad->axes - 1;
    if (n < 1 || before < 0 || before > length || n > length - before) return 0;
    if (last >= 0 && pad->inner[last] == pad->outer[last] &&
        (n == 1 || step == pad->inner[last] * pad->step[last])) {
        int64_t values = pad->inner[last];
        pad->inner[last] *= n;
        pad->outer[last] *= length;
        pad->before[last] = before * values;
        return 1;
    }
    pad->inner[pad->axes] = n;
    pad->outer[pad->axes] = length;
    pad->before[pad->axes] = before;
    pad->step[pad->axes++] = last < 0 && n == 1 ? pad->size : step;
    return last >= 0 || n == 1 || step == pad->size;
}

enum outcome pad_arrays(const Call *call) {
    const Array *x = call->array, *y = x + 1;
    if (call->arrays != 2 || call->reals != 1 || call->integers != x->axes || x->axes != y->axes ||
        (x->type != FLOAT32 && x->type != FLOAT64) || !x->data || !takes(y, x->type, size_of(y)))
        return DOES_NOT_FIT;
    Pad pad = {.x = x->data, .y = y->data, .size = size_in_bytes(x->type)};
    float narrow = (float)call->real[0];
    memcpy(pad.value, x->type == FLOAT32 ? (void *)&narrow : (void *)call->real, (size_t)pad.size);
    for (int k = x->axes - 1; k >= 0; k--)
        if (!add_pad(&pad, x, y, k, call->integer[k])) return DOES_NOT_FIT;
    while (pad.axes < 2) { /* one row, one value */
        pad.step[pad.axes] = pad.size;
        pad.inner[pad.axes] = pad.outer[pad.axes] = 1;
        pad.axes++;
    }
    pad.rows = size_of(y) / pad.outer[0];
    pad.group = most(1, PART / pad.outer[0]);
    parallel(pad_part, &pad, parts_of(pad.rows, pad.group));
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
