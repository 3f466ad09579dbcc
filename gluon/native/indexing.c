/* Lines added up by index: the gradients of an embedding and of other picking along an axis.
 *
 * y (outer, size, width) is zeros with row k of x (outer, count, width) added at row places[k], or
 * at places[o * count + k] where each `o` has places of its own. Short rows are added up in double
 * precision. Each thread has rows of y of its own and passes all their places, in order; so every
 * sum is taken in the same order. Integers: outer, count, width, size and whether the places are own.
 */
enum { R(SHORT_ROW) = 32 };

typedef struct {
    const REAL *x;
    const int64_t *places;
    REAL *y;
    int64_t outer, count, width, size, own;
    int64_t group, lines; /* the rows, and the lines of rows, of one part */
    atomic_int failed;    /* a thread found no memory */
} R(AddedRows);

/* One line of short rows, through sums in double precision. */
static void R(add_short)(R(AddedRows) *v, const REAL *x, const int64_t *places, REAL *y) {
    int64_t width = v->width, values = v->size * width;
    double *sum = scratch(0, (size_t)values * sizeof *sum);
    if (!sum) {
        v->failed = 1;
        return;
    }
    memset(sum, 0, (size_t)values * sizeof *sum);
    if (width == 1)
        for (int64_t k = 0; k < v->count; k++) sum[places[k]] += x[k];
    else
        for (int64_t k = 0; k < v->count; k++)
            for (int64_t i = 0; i < width; i++) sum[places[k] * width + i] += x[k * width + i];
    for (int64_t i = 0; i < values; i++) y[i] = (REAL)sum[i];
}

/* The rows from `first` to `last` of one line. */
static void R(add_long)(const R(AddedRows) *v, const REAL *x, const int64_t *places, REAL *y,
                        int64_t first, int64_t last) {
    int64_t width = v->width;
    memset(y + first * width, 0, (size_t)((last - first) * width) * sizeof(REAL));
    for (int64_t k = 0; k < v->count; k++) {
        if (places[k] < first || places[k] >= last) continue;
        REAL *restrict to = y + places[k] * width;
        const REAL *restrict from = x + k * width;
        for (int64_t i = 0; i < width; i++) to[i] += from[i];
    }
}

static void R(add_part)(void *context, int64_t part) {
    R(AddedRows) *v = context;
    int64_t groups = parts_of(v->size, v->group), first = part % groups * v->group;
    int64_t begin = part / groups * v->lines, end = least(begin + v->lines, v->outer);
    for (int64_t o = begin; o < end; o++) {
        const REAL *x = v->x + o * v->count * v->width;
        const int64_t *places = v->places + (v->own ? o * v->count : 0);
        REAL *y = v->y + o * v->size * v->width;
        if (v->width <= R(SHORT_ROW)) R(add_short)(v, x, places, y);
        else R(add_long)(v, x, places, y, first, least(first + v->group, v->size));
    }
}

static enum outcome R(add_rows)(const Call *call) {
    enum type type = F32 ? FLOAT32 : FLOAT64;
    const Array *x = call->array;
    if (call->arrays != 3 || call->integers != 5) return DOES_NOT_FIT;
    R(AddedRows) v = {(const REAL *)x[0].data, (const int64_t *)x[1].data, (REAL *)x[2].data,
                      call->integer[0], call->integer[1], call->integer[2], call->integer[3],
                      call->integer[4], 0, 1, 0};
    if (v.outer < 1 || v.count < 1 || v.width < 1 || v.size < 1) return DOES_NOT_FIT;
    int64_t given = size_of(&x[0]), made = size_of(&x[2]);
    if (!splits(given, v.outer, v.count, v.width) || !splits(made, v.outer, v.size, v.width))
        return DOES_NOT_FIT;
    int64_t picked = v.own ? v.outer * v.count : v.count;
    if (!holds(&x[0], type, given) || !holds(&x[1], INT64, picked) || !takes(&x[2], type, made))
        return DOES_NOT_FIT;
    for (int64_t k = 0; k < picked; k++)
        if (v.places[k] < 0 || v.places[k] >= v.size) return DOES_NOT_FIT;
    /* Passing all places must cost less than the rows themselves: so there are few parts. */
    v.group = v.width <= R(SHORT_ROW)
                  ? v.size
                  : most(parts_of(v.size, least(v.width, 64)), most(1, PART / v.width));
    if (v.group >= v.size) v.lines = most(1, PART / ((v.count + v.size) * v.width));
    parallel(R(add_part), &v, parts_of(v.outer, v.lines) * parts_of(v.size, v.group));
    return v.failed ? NO_MEMORY : DONE;
}
