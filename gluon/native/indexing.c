/* Rows added up by index: the gradient of an embedding and of other picking along the first axis.
 *
 * y (size, width) is zeros with row k of x (count, width) added at row places[k]. Each thread has
 * rows of y of its own and passes all places, in order; so every sum is taken in the same order.
 * Integers: count, width and size.
 */
typedef struct {
    const REAL *x;
    const int64_t *places;
    REAL *y;
    int64_t count, width, size, group; /* group: the rows of y of one part */
} R(AddedRows);

static void R(add_part)(void *context, int64_t part) {
    const R(AddedRows) *v = context;
    int64_t first = part * v->group, last = least(first + v->group, v->size), width = v->width;
    memset(v->y + first * width, 0, (size_t)((last - first) * width) * sizeof(REAL));
    for (int64_t k = 0; k < v->count; k++) {
        int64_t place = v->places[k];
        if (place < first || place >= last) continue;
        REAL *restrict to = v->y + place * width;
        const REAL *restrict from = v->x + k * width;
        for (int64_t i = 0; i < width; i++) to[i] += from[i];
    }
}

static enum outcome R(add_rows)(const Call *call) {
    enum type type = F32 ? FLOAT32 : FLOAT64;
    if (call->arrays != 3 || call->integers != 3) return DOES_NOT_FIT;
    int64_t count = call->integer[0], width = call->integer[1], size = call->integer[2];
    if (count < 1 || width < 1 || size < 1) return DOES_NOT_FIT;
    if (!holds(&call->array[1], INT64, count)) return DOES_NOT_FIT;
    if (width > size_of(&call->array[0]) || size > size_of(&call->array[2])) return DOES_NOT_FIT;
    if (!holds(&call->array[0], type, count * width)) return DOES_NOT_FIT;
    if (!takes(&call->array[2], type, size * width)) return DOES_NOT_FIT;
    R(AddedRows) v = {(const REAL *)call->array[0].data,
                       (const int64_t *)call->array[1].data,
                       (REAL *)call->array[2].data,
                       count, width, size, 0};
    for (int64_t k = 0; k < count; k++)
        if (v.places[k] < 0 || v.places[k] >= size) return DOES_NOT_FIT;
    /* Passing all places must cost less than the rows themselves: so there are few parts. */
    v.group = most(parts_of(size, least(width, 64)), most(1, PART / width));
    parallel(R(add_part), &v, parts_of(size, v.group));
    return DONE;
}
