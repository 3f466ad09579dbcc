/* Rows added up by index, for one REAL; see indexing.c. */
typedef struct {
    const REAL *x;
    const int64_t *places;
    REAL *y;
    int64_t outer, count, width, size, own;
    int64_t group, lines;  /* rows, and lines of rows, per part */
    const int64_t *ends;   /* of groups of short rows, see sort_places */
    const uint32_t *order;
    atomic_int failed; /* whether a thread could not allocate memory */
} R(AddedRows);

/* Sum `rows` short rows from `first` on in double precision: the first n rows of x, or those in
 * `order`. */
static void R(add_short)(R(AddedRows) *v, const REAL *x, const int64_t *places, REAL *y,
                         int64_t first, int64_t rows, const uint32_t *order, int64_t n) {
    int64_t width = v->width, values = rows * width;
    double *sum = scratch(0, (size_t)values * sizeof *sum);
    if (!sum) {
        v->failed = 1;
        return;
    }
    memset(sum, 0, (size_t)values * sizeof *sum);
    for (int64_t j = 0; j < n; j++) {
        int64_t k = order ? order[j] : j;
        double *to = sum + (places[k] - first) * width;
        for (int64_t i = 0; i < width; i++) to[i] += x[k * width + i];
    }
    for (int64_t i = 0; i < values; i++) y[first * width + i] = (REAL)sum[i];
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
    int64_t last = least(first + v->group, v->size);
    for (int64_t o = begin; o < end; o++) {
        const REAL *x = v->x + o * v->count * v->width;
        const int64_t *places = v->places + (v->own ? o * v->count : 0);
        REAL *y = v->y + o * v->size * v->width;
        if (v->width > SHORT_ROW) R(add_long)(v, x, places, y, first, last);
        else if (v->order) {
            int64_t from = part ? v->ends[part - 1] : 0;
            R(add_short)(v, x, places, y, first, last - first, v->order + from, v->ends[part] - from);
        } else R(add_short)(v, x, places, y, 0, v->size, NULL, v->count);
    }
}

/* One line of many short rows, in groups that fit in the cache. */
static int R(group_short)(R(AddedRows) *v) {
    int shift = 0;
    while (v->width << (shift + 1) <= TOGETHER) shift++;
    int64_t groups = parts_of(v->size, (int64_t)1 << shift);
    if (v->outer > 1 || groups == 1 || v->count > UINT32_MAX) return 1;
    int64_t *ends = scratch(1, (size_t)groups * sizeof *ends + (size_t)v->count * sizeof *v->order);
    if (!ends) return 0;
    uint32_t *order = (uint32_t *)(ends + groups);
    sort_places(v->places, v->count, shift, groups, ends, order);
    v->ends = ends, v->order = order, v->group = (int64_t)1 << shift;
    return 1;
}

static enum outcome R(add_rows)(const Call *call) {
    enum type type = sizeof(REAL) == 4 ? FLOAT32 : FLOAT64;
    const Array *x = call->array;
    if (call->arrays != 3 || call->integers != 5) return DOES_NOT_FIT;
    R(AddedRows) v = {.x = (const REAL *)x[0].data, .places = (const int64_t *)x[1].data,
                      .y = (REAL *)x[2].data, .outer = call->integer[0], .count = call->integer[1],
                      .width = call->integer[2], .size = call->integer[3], .own = call->integer[4],
                      .lines = 1};
    if (v.outer < 1 || v.count < 1 || v.width < 1 || v.size < 1) return DOES_NOT_FIT;
    int64_t given = size_of(&x[0]), made = size_of(&x[2]);
    if (!splits(given, v.outer, v.count, v.width) || !splits(made, v.outer, v.size, v.width))
        return DOES_NOT_FIT;
    int64_t picked = v.own ? v.outer * v.count : v.count;
    if (!holds(&x[0], type, given) || !holds(&x[1], INT64, picked) || !takes(&x[2], type, made) ||
        !are_inside(v.places, picked, v.size))
        return DOES_NOT_FIT;
    /* Every part passes over all places. That must cost less than adding the rows, so there are few
     * parts. */
    v.group = v.width <= SHORT_ROW
                  ? v.size
                  : most(parts_of(v.size, least(v.width, 64)), most(1, PART / v.width));
    if (v.width <= SHORT_ROW && !R(group_short)(&v)) return NO_MEMORY;
    if (v.group >= v.size) v.lines = most(1, PART / ((v.count + v.size) * v.width));
    parallel(R(add_part), &v, parts_of(v.outer, v.lines) * parts_of(v.size, v.group));
    return v.failed ? NO_MEMORY : DONE;
}
