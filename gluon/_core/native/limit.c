/* `limit`, of contiguous arrays (x, y): y is x clipped to real[0] and real[1]; NaN stays. */

typedef struct {
    const REAL *x;
    REAL *y, low, high;
    int64_t n;
} R(Limit);

static void R(limit_part)(void *context, int64_t part) {
    const R(Limit) *work = context;
    const REAL *restrict x = work->x, low = work->low, high = work->high;
    REAL *restrict y = work->y;
    int64_t end = least((part + 1) * PART, work->n);
    for (int64_t i = part * PART; i < end; i++) {
        REAL value = x[i] < low ? low : x[i];
        y[i] = value > high ? high : value;
    }
}

enum outcome R(limit)(const Call *call) {
    const Array *x = call->array;
    enum type type = F32 ? FLOAT32 : FLOAT64;
    if (call->arrays != 2 || call->reals != 2) return DOES_NOT_FIT;
    R(Limit) work = {.x = (const REAL *)x[0].data, .y = (REAL *)x[1].data, .n = size_of(x),
                    .low = (REAL)call->real[0], .high = (REAL)call->real[1]};
    if (!holds(x, type, work.n) || !takes(x + 1, type, work.n)) return DOES_NOT_FIT;
    parallel(R(limit_part), &work, parts_of(work.n, PART));
    return DONE;
}
