/* Choices between two arrays, and limits; all arrays are contiguous.
 *
 *     select   (x1, x2, c, y): y = x1 where c, of any type, is not 0, x2 elsewhere; x1 or x2 may have
 *              one value alone
 *     limit    (x, y): x within real[0] and real[1]; NaN stays
 */
#if F32
enum { FLAGS = 1024 };

/* Which of n values from `first` on are not 0. */
static void flags_of(const Array *c, int64_t first, int64_t n, uint8_t *restrict flag) {
#define EACH_OF(type)                                                \
    {                                                                \
        const type *restrict value = (const type *)c->data + first;  \
        for (int64_t j = 0; j < n; j++) flag[j] = value[j] != 0;     \
    }
    switch (c->type) {
    case FLOAT32: EACH_OF(float) break;
    case FLOAT64: EACH_OF(double) break;
    case INT32: EACH_OF(int32_t) break;
    case INT64: EACH_OF(int64_t) break;
    default: EACH_OF(uint8_t)
    }
#undef EACH_OF
}
#endif

typedef struct {
    const REAL *x[2];
    const Array *c;
    REAL *y;
    int64_t n;
    int step[2]; /* 0 for one value */
} R(Select);

/* n values of x1 or x2 from number i on; one value is in its room as often as there are FLAGS. */
INLINE const REAL *R(values_of)(const R(Select) *work, int k, int64_t i, REAL room[2][FLAGS]) {
    return work->step[k] ? work->x[k] + i : room[k];
}

static void R(select_part)(void *context, int64_t part) {
    const R(Select) *work = context;
    int64_t end = least((part + 1) * PART, work->n);
    REAL room[2][FLAGS];
    uint8_t flag[FLAGS];
    for (int k = 0; k < 2; k++)
        for (int64_t j = 0; !work->step[k] && j < FLAGS; j++) room[k][j] = *work->x[k];
    for (int64_t i = part * PART, n; i < end; i += n) {
        n = least(FLAGS, end - i);
        flags_of(work->c, i, n, flag);
        const REAL *restrict a = R(values_of)(work, 0, i, room);
        const REAL *restrict b = R(values_of)(work, 1, i, room);
        REAL *restrict y = work->y + i;
        for (int64_t j = 0; j < n; j++) y[j] = flag[j] ? a[j] : b[j];
    }
}

static enum outcome R(select)(const Call *call) {
    const Array *x = call->array, *c = call->array + 2, *y = call->array + 3;
    enum type type = F32 ? FLOAT32 : FLOAT64;
    if (call->arrays != 4) return DOES_NOT_FIT;
    int64_t n = size_of(y);
    if (!n || !holds(c, c->type, n) || c->type == OTHER || c->type == FLOAT16 || !takes(y, type, n))
        return DOES_NOT_FIT;
    R(Select) work = {.c = c, .y = (REAL *)y->data, .n = n};
    for (int k = 0; k < 2; k++) {
        work.x[k] = (const REAL *)x[k].data;
        work.step[k] = size_of(&x[k]) != 1;
        if (!holds(&x[k], type, work.step[k] ? n : 1)) return DOES_NOT_FIT;
    }
    parallel(R(select_part), &work, parts_of(n, PART));
    return DONE;
}

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

static enum outcome R(limit)(const Call *call) {
    const Array *x = call->array;
    enum type type = F32 ? FLOAT32 : FLOAT64;
    if (call->arrays != 2 || call->reals != 2) return DOES_NOT_FIT;
    R(Limit) work = {.x = (const REAL *)x[0].data, .y = (REAL *)x[1].data, .n = size_of(x),
                    .low = (REAL)call->real[0], .high = (REAL)call->real[1]};
    if (!holds(x, type, work.n) || !takes(x + 1, type, work.n)) return DOES_NOT_FIT;
    parallel(R(limit_part), &work, parts_of(work.n, PART));
    return DONE;
}
