/* Kernels that move values: copies, choices between two arrays, limits. Memory sets their pace and
 * not the processor's instructions, so they are compiled once and not for each kind of processor.
 *
 *     copy     pairs of arrays (x, y): y = x, where x may be stretched or of the other kind of float;
 *              both go on by one value along their last axes, other steps are free
 *     select   (c, x1, x2, y): y = x1 where c is not 0 and x2 elsewhere; contiguous. One value of c
 *              is for `integer[0]` values in turn; x1 or x2 may have one value alone
 *     clip     (x, y): x within real[0] and real[1], contiguous; NaN stays
 */
#include <string.h>

#include "threads.h"
#include "variants.h"

static int size_in_bytes(enum type type) {
    return type == FLOAT32 || type == INT32 ? 4 : type == FLOAT64 || type == INT64 ? 8 : 0;
}

/* ---------------------------------------------------------------------------------- copy */

typedef struct {
    const Loops *loops;
    const Array *x; /* and y */
    int64_t size[2];
} Copy;

static void copy_run(const Copy *work, const char *x, char *y, int64_t n) {
    enum type from = work->x[0].type, to = work->x[1].type;
    if (from == to && work->loops->unit[0]) memcpy(y, x, (size_t)(n * work->size[1]));
    else if (from == FLOAT32 && to == FLOAT64)
        for (int64_t i = 0; i < n; i++) ((double *)y)[i] = ((const float *)x)[i];
    else if (from == FLOAT64 && to == FLOAT32)
        for (int64_t i = 0; i < n; i++) ((float *)y)[i] = (float)((const double *)x)[i];
    else if (work->size[1] == 4) {
        const uint32_t value = *(const uint32_t *)x;
        for (int64_t i = 0; i < n; i++) ((uint32_t *)y)[i] = value;
    } else {
        const uint64_t value = *(const uint64_t *)x;
        for (int64_t i = 0; i < n; i++) ((uint64_t *)y)[i] = value;
    }
}

/* Runs along the last axis, the axes before it counted up like the wheels of a meter. */
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

/* Plan one copy; 0 where it is none for us. */
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

/* -------------------------------------------------------------------------------- select */

enum { BLOCK = 1024 };

typedef struct {
    const Array *c, *x[2], *y;
    int64_t n, repeats;
    int one[2]; /* whether x1, x2 is one value */
} Select;

/* Whether values of c from `first` on are not 0. */
static void flags_of(const Array *c, int64_t first, int64_t n, uint8_t *flag) {
#define FLAGS(type)                                                     \
    for (int64_t j = 0; j < n; j++) flag[j] = ((const type *)c->data)[first + j] != 0
    switch (c->type) {
    case FLOAT32: FLAGS(float); break;
    case FLOAT64: FLAGS(double); break;
    case INT32: FLAGS(int32_t); break;
    case INT64: FLAGS(int64_t); break;
    default: FLAGS(uint8_t);
    }
#undef FLAGS
}

static void repeated_flags(const Select *work, int64_t first, int64_t n, uint8_t *flag) {
    for (int64_t j = 0, count; j < n; j += count) {
        uint8_t one;
        flags_of(work->c, (first + j) / work->repeats, 1, &one);
        count = least(n - j, work->repeats - (first + j) % work->repeats);
        memset(flag + j, one, (size_t)count);
    }
}

#define CHOOSE(BITS)                                                                       \
    static void choose_##BITS(const uint8_t *flag, const BITS *a, const BITS *b, BITS *y,    \
                              int64_t n) {                                                  \
        for (int64_t i = 0; i < n; i++) {                                                   \
            BITS mask = (BITS)-(BITS)flag[i];                                               \
            y[i] = (a[i] & mask) | (b[i] & ~mask);                                          \
        }                                                                                   \
    }
CHOOSE(uint32_t)
CHOOSE(uint64_t)
#undef CHOOSE

static void select_part(void *context, int64_t part) {
    const Select *work = context;
    int64_t size = size_in_bytes(work->y->type), end = least((part + 1) * PART, work->n);
    uint64_t room[2][BLOCK];
    uint8_t flag[BLOCK];
    for (int k = 0; k < 2; k++)
        for (int64_t j = 0; work->one[k] && j < BLOCK; j++)
            memcpy((char *)room[k] + j * size, work->x[k]->data, (size_t)size);
    for (int64_t i = part * PART, n; i < end; i += n) {
        const void *x[2];
        void *y = work->y->data + i * size;
        n = least(BLOCK, end - i);
        for (int k = 0; k < 2; k++) x[k] = work->one[k] ? (char *)room[k] : work->x[k]->data + i * size;
        if (work->repeats == 1) flags_of(work->c, i, n, flag);
        else repeated_flags(work, i, n, flag);
        if (size == 4) choose_uint32_t(flag, x[0], x[1], y, n);
        else choose_uint64_t(flag, x[0], x[1], y, n);
    }
}

enum outcome select_arrays(const Call *call) {
    const Array *x = call->array;
    if (call->arrays != 4 || call->integers != 1 || call->integer[0] < 1) return DOES_NOT_FIT;
    int64_t repeats = call->integer[0], n = size_of(&x[3]);
    if (!n || !splits(n, repeats, 1, size_of(&x[0])) || !holds(&x[0], x[0].type, n / repeats) ||
        x[0].type == OTHER || x[0].type == FLOAT16 || !size_in_bytes(x[3].type) ||
        !takes(&x[3], x[3].type, n))
        return DOES_NOT_FIT;
    Select work = {.c = x, .x = {x + 1, x + 2}, .y = x + 3, .n = n, .repeats = repeats};
    for (int k = 0; k < 2; k++) {
        work.one[k] = size_of(work.x[k]) == 1;
        if (!holds(work.x[k], x[3].type, work.one[k] ? 1 : n)) return DOES_NOT_FIT;
    }
    parallel(select_part, &work, parts_of(n, PART));
    return DONE;
}

/* ---------------------------------------------------------------------------------- clip */

typedef struct {
    const Array *x, *y;
    int64_t n;
    double low, high;
} Clip;

static void clip_part(void *context, int64_t part) {
    const Clip *work = context;
    int64_t end = least((part + 1) * PART, work->n);
#define LIMIT(REAL)                                                        \
    {                                                                      \
        const REAL *restrict x = (const REAL *)work->x->data;              \
        REAL *restrict y = (REAL *)work->y->data;                          \
        const REAL low = (REAL)work->low, high = (REAL)work->high;         \
        for (int64_t i = part * PART; i < end; i++) {                      \
            REAL value = x[i] < low ? low : x[i];                          \
            y[i] = value > high ? high : value;                            \
        }                                                                  \
    }
    if (work->x->type == FLOAT32) LIMIT(float)
    else LIMIT(double)
#undef LIMIT
}

enum outcome clip_arrays(const Call *call) {
    const Array *x = call->array;
    if (call->arrays != 2 || call->reals != 2 || (x->type != FLOAT32 && x->type != FLOAT64))
        return DOES_NOT_FIT;
    Clip work = {.x = x, .y = x + 1, .n = size_of(x), .low = call->real[0], .high = call->real[1]};
    if (!holds(x, x->type, work.n) || !takes(x + 1, x->type, work.n)) return DOES_NOT_FIT;
    parallel(clip_part, &work, parts_of(work.n, PART));
    return DONE;
}
