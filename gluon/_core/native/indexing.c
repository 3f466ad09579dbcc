/* Rows picked by index, and added up by index. Memory limits their speed, not the processor's
 * instructions, so they are compiled only once.
 *
 *     flat_places  (indices, places): the columns of indices, of int32 or int64, as flat indices of
 *                  an array whose lengths are the integers. Negative ones count from the end; one
 *                  out of range does not fit
 *     take_rows    (x, places, y): row k of y is row places[k] of x. The integer: values of a row
 *     pick         (x, index, y): of x (outer, n, inner), y (outer, inner) is the value at the place
 *                  of the middle axis that index, of int32 or int64 and of the shape of y, names.
 *                  Integers: outer, n, inner, and what is done with a place out of range: CLIP
 *                  takes the nearest one, WRAP counts modulo n, and RAISE does not fit
 *     pick_grad    (x, index, y): the same with x and y changed: y is zeros with x at its places
 *     add_rows     (x, places, y): y (outer, size, width) is zeros with row k of x (outer, count,
 *                  width) added at row places[k], or at places[o * count + k] if each `o` has its
 *                  own places. Integers: outer, count, width, size and whether the places are own
 *     group_places (places, order, starts, unique, count): the positions of places in the order of
 *                  their values, equal ones as they come; where each value begins in it, and the
 *                  end; each value once; and how many there are. The integer: all are below it
 *
 * Short rows are added up in double precision. Every row of y is computed by one thread, which adds
 * rows of x in their order, so that the order of every sum is fixed.
 */
#include <stdatomic.h>

#include "bytes.h"
#include "threads.h"
#include "variants.h"

/* -------------------------------------------------------------------------------- places */

typedef struct {
    const Array *indices;
    const int64_t *lengths;
    int64_t *places;
    int64_t axes, count;
    atomic_int outside;
} Flat;

/* `place` has the axes before; returns whether an index is out of range. */
#define NEXT_AXIS(type)                                                              \
    {                                                                                \
        const type *index = (const type *)v->indices->data + axis * v->count + first; \
        for (int64_t k = 0; k < n; k++) {                                            \
            int64_t at = index[k] + (index[k] < 0 ? length : 0);                     \
            outside |= (at < 0) | (at >= length);                                    \
            place[k] = (axis ? place[k] * length : 0) + at;                          \
        }                                                                            \
    }

static void flat_part(void *context, int64_t part) {
    Flat *v = context;
    int64_t first = part * PART, n = least(PART, v->count - first), *place = v->places + first;
    int outside = 0;
    for (int64_t axis = 0; axis < v->axes && !outside; axis++) {
        const int64_t length = v->lengths[axis];
        if (v->indices->type == INT32) NEXT_AXIS(int32_t)
        else NEXT_AXIS(int64_t)
    }
    if (outside) v->outside = 1;
}

enum outcome flat_places_arrays(const Call *call) {
    const Array *x = call->array;
    if (call->arrays != 2 || call->integers < 1) return DOES_NOT_FIT;
    Flat v = {x, call->integer, (int64_t *)x[1].data, call->integers, size_of(x + 1), 0};
    int64_t all = 1;
    for (int k = 0; k < v.axes; k++)
        if (v.lengths[k] < 1 || __builtin_mul_overflow(all, v.lengths[k], &all)) return DOES_NOT_FIT;
    if (v.count < 1 || (x->type != INT32 && x->type != INT64) ||
        !splits(size_of(x), v.axes, v.count, 1) || !holds(x, x->type, v.axes * v.count) ||
        !takes(x + 1, INT64, v.count))
        return DOES_NOT_FIT;
    parallel(flat_part, &v, parts_of(v.count, PART));
    return v.outside ? DOES_NOT_FIT : DONE;
}

/* Whether all places are valid for `size` rows. */
static int are_inside(const int64_t *places, int64_t count, int64_t size) {
    int outside = 0;
    for (int64_t k = 0; k < count; k++) outside |= (places[k] < 0) | (places[k] >= size);
    return !outside;
}

/* -------------------------------------------------------------------------------- groups */

enum { DIGIT = 11, DIGITS = 1 << DIGIT };

/* Sort positions by DIGIT bits of their places, from `shift` on; equal ones stay as they are.
 * Without `from`, they are 0, 1 and so on. */
static void sort_by_digit(const int64_t *places, int64_t n, int shift, const int64_t *from,
                          int64_t *to) {
    int64_t ends[DIGITS] = {0}, sum = 0;
    for (int64_t k = 0; k < n; k++) ends[places[k] >> shift & (DIGITS - 1)]++;
    for (int64_t d = 0, count; d < DIGITS; d++, sum += count) count = ends[d], ends[d] = sum;
    for (int64_t k = 0; k < n; k++) {
        int64_t position = from ? from[k] : k;
        to[ends[places[position] >> shift & (DIGITS - 1)]++] = position;
    }
}

enum outcome group_places_arrays(const Call *call) {
    const Array *x = call->array;
    if (call->arrays != 5 || call->integers != 1) return DOES_NOT_FIT;
    int64_t n = size_of(x), size = call->integer[0], found = 0;
    const int64_t *places = (const int64_t *)x[0].data, *sorted = NULL;
    int64_t *order = (int64_t *)x[1].data, *starts = (int64_t *)x[2].data;
    int64_t *unique = (int64_t *)x[3].data, *count = (int64_t *)x[4].data;
    if (n < 1 || n == INT64_MAX || !holds(x, INT64, n) || !takes(x + 1, INT64, n) ||
        !takes(x + 2, INT64, n + 1) || !takes(x + 3, INT64, n) || !takes(x + 4, INT64, 1) ||
        !are_inside(places, n, size))
        return DOES_NOT_FIT;
    int passes = 1;
    while (passes * DIGIT < 63 && (size - 1) >> passes * DIGIT) passes++;
    int64_t *room = passes > 1 ? scratch(0, (size_t)n * sizeof *room) : order;
    if (!room) return NO_MEMORY;
    for (int k = 0; k < passes; k++) { /* the last pass ends in `order` */
        int64_t *to = (passes - k) % 2 ? order : room;
        sort_by_digit(places, n, k * DIGIT, sorted, to);
        sorted = to;
    }
    for (int64_t k = 0, last = -1; k < n; k++) {
        int64_t place = places[order[k]];
        if (place != last) unique[found] = place, starts[found++] = k;
        last = place;
    }
    starts[found] = n, *count = found;
    return DONE;
}

/* --------------------------------------------------------------------------------- rows */

typedef struct {
    const char *x;
    const int64_t *places;
    char *y;
    int64_t count, bytes, group; /* rows to take, bytes per row, rows per part */
} Taken;

static void take_part(void *context, int64_t part) {
    const Taken *v = context;
    const char *x = v->x;
    int64_t first = part * v->group, end = least(first + v->group, v->count);
    const int64_t *places = v->places;
    if (v->bytes == 4)
        for (int64_t k = first; k < end; k++)
            ((uint32_t *)v->y)[k] = ((const uint32_t *)x)[places[k]];
    else
        for (int64_t k = first; k < end; k++)
            copy_bytes(x + places[k] * v->bytes, v->y + k * v->bytes, v->bytes);
}

enum outcome take_rows_arrays(const Call *call) {
    const Array *x = call->array;
    if (call->arrays != 3 || call->integers != 1 || call->integer[0] < 1) return DOES_NOT_FIT;
    int64_t given = size_of(x), width = call->integer[0], count = size_of(x + 1);
    int64_t size = size_in_bytes(x->type);
    if (!size || count < 1 || given < 1 || given % width || !holds(x, x->type, given) ||
        !holds(x + 1, INT64, count) || !splits(size_of(x + 2), count, width, 1) ||
        !takes(x + 2, x->type, count * width))
        return DOES_NOT_FIT;
    Taken v = {x->data, (const int64_t *)x[1].data, x[2].data, count, width * size,
               most(1, PART / width)};
    if (!are_inside(v.places, count, given / width)) return DOES_NOT_FIT;
    parallel(take_part, &v, parts_of(count, v.group));
    return DONE;
}

/* --------------------------------------------------------------------------------- pick */

enum { CLIP, WRAP, RAISE, MODES };

typedef struct {
    const char *x;
    const Array *index;
    char *y;
    int64_t outer, n, inner, mode, size, group; /* bytes of a value; outer indices of a part */
    atomic_int outside;
} Pick;

/* The place along the middle axis that index number k names; -1 if it is out of range. */
static int64_t place_of(const Pick *v, int64_t k) {
    int64_t n = v->n, place = v->index->type == INT32 ? ((const int32_t *)v->index->data)[k]
                                                      : ((const int64_t *)v->index->data)[k];
    if (place >= 0 && place < n) return place;
    if (v->mode == CLIP) return place < 0 ? 0 : n - 1;
    return v->mode == WRAP ? (place % n + n) % n : -1;
}

static void move_value(const char *x, char *y, int64_t size) {
    if (size == 4) memcpy(y, x, 4);
    else memcpy(y, x, 8);
}

static void pick_part(void *context, int64_t part) {
    Pick *v = context;
    int64_t end = least((part + 1) * v->group, v->outer), inner = v->inner, size = v->size;
    for (int64_t o = part * v->group; o < end; o++) {
        const char *x = v->x + o * v->n * inner * size;
        for (int64_t i = 0; i < inner; i++) {
            int64_t k = o * inner + i, place = place_of(v, k);
            if (place < 0) v->outside = 1;
            else move_value(x + (place * inner + i) * size, v->y + k * size, size);
        }
    }
}

static void pick_grad_part(void *context, int64_t part) {
    Pick *v = context;
    int64_t end = least((part + 1) * v->group, v->outer), inner = v->inner, size = v->size;
    for (int64_t o = part * v->group; o < end; o++) {
        char *y = v->y + o * v->n * inner * size;
        memset(y, 0, (size_t)(v->n * inner * size));
        for (int64_t i = 0; i < inner; i++) {
            int64_t k = o * inner + i, place = place_of(v, k);
            if (place < 0) v->outside = 1;
            else move_value(v->x + k * size, y + (place * inner + i) * size, size);
        }
    }
}

static enum outcome run_pick(const Call *call, Task task, int large, int small) {
    const Array *x = call->array, *index = x + 1;
    const int64_t *given = call->integer;
    if (call->arrays != 3 || call->integers != 4) return DOES_NOT_FIT;
    Pick v = {x[0].data, index, x[2].data, given[0], given[1], given[2], given[3],
              size_in_bytes(x->type), 1, 0};
    if (v.outer < 1 || v.n < 1 || v.inner < 1 || v.mode < 0 || v.mode >= MODES || !v.size ||
        !splits(size_of(x + large), v.outer, v.n, v.inner) ||
        !splits(size_of(x + small), v.outer, v.inner, 1))
        return DOES_NOT_FIT;
    int64_t lines = v.outer * v.inner;
    if (!holds(x + large, x->type, lines * v.n) || !holds(x + small, x->type, lines) ||
        (index->type != INT32 && index->type != INT64) || !holds(index, index->type, lines) ||
        !x[2].writeable)
        return DOES_NOT_FIT;
    v.group = most(1, PART / (v.inner * (large ? v.n : 1)));
    parallel(task, &v, parts_of(v.outer, v.group));
    return v.outside ? DOES_NOT_FIT : DONE;
}

enum outcome pick_arrays(const Call *call) { return run_pick(call, pick_part, 0, 2); }
enum outcome pick_grad_arrays(const Call *call) { return run_pick(call, pick_grad_part, 2, 0); }

/* --------------------------------------------------------------------------------- sums */

enum { SHORT_ROW = 32, TOGETHER = 1 << 14 }; /* this many sums fit in the cache of a core */

/* `order`: the positions of the places, in groups of 2^shift rows; and where each group ends. */
static void sort_places(const int64_t *places, int64_t count, int shift, int64_t groups,
                        int64_t *ends, uint32_t *order) {
    int64_t sum = 0;
    memset(ends, 0, (size_t)groups * sizeof *ends);
    for (int64_t k = 0; k < count; k++) ends[places[k] >> shift]++;
    for (int64_t g = 0, n; g < groups; g++, sum += n) n = ends[g], ends[g] = sum;
    for (int64_t k = 0; k < count; k++) order[ends[places[k] >> shift]++] = (uint32_t)k;
}

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define R(name) JOIN(name##_, REAL)
#define REAL float
#include "adding.h"
#undef REAL
#define REAL double
#include "adding.h"

enum outcome add_rows_arrays(const Call *call) {
    return call->array[0].type == FLOAT64 ? add_rows_double(call) : add_rows_float(call);
}
