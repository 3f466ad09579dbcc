/* Recurrences along an axis: y[k] = a[k] y[k - 1] + b[k], from 0.
 *
 * Data are (outer, n, inner), contiguous. With inner = 1, SCANS rows are computed side by side,
 * since each step depends on the one before. Integers: outer, n, inner and whether to go backwards.
 */
enum { R(SCANS) = 8 };

typedef struct {
    const REAL *a, *b;
    REAL *y;
    int64_t outer, n, inner, group;
    int reverse;
} R(Scan);

/* `count` rows of n values, side by side. */
INLINE void R(scan_rows)(const R(Scan) *v, int64_t first, int64_t count) {
    REAL last[R(SCANS)];
    int64_t n = v->n, begin = first * n + (v->reverse ? n - 1 : 0), step = v->reverse ? -1 : 1;
    for (int64_t j = 0; j < count; j++) v->y[begin + j * n] = last[j] = v->b[begin + j * n];
    for (int64_t k = 1; k < n; k++) {
        int64_t at = begin + k * step;
        for (int64_t j = 0; j < count; j++) {
            last[j] = v->a[at + j * n] * last[j] + v->b[at + j * n];
            v->y[at + j * n] = last[j];
        }
    }
}

static void R(scan_columns)(const R(Scan) *v, int64_t outer) {
    int64_t inner = v->inner, step = v->reverse ? -inner : inner;
    int64_t at = (outer * v->n + (v->reverse ? v->n - 1 : 0)) * inner;
    memcpy(v->y + at, v->b + at, (size_t)inner * sizeof(REAL));
    for (int64_t k = 1; k < v->n; k++) {
        const REAL *restrict before = v->y + at;
        at += step;
        const REAL *restrict a = v->a + at, *restrict b = v->b + at;
        REAL *restrict y = v->y + at;
        for (int64_t i = 0; i < inner; i++) y[i] = a[i] * before[i] + b[i];
    }
}

static void R(scan_part)(void *context, int64_t part) {
    const R(Scan) *v = context;
    int64_t k = part * v->group, end = least(k + v->group, v->outer);
    if (v->inner > 1)
        for (; k < end; k++) R(scan_columns)(v, k);
    else {
        for (; k + R(SCANS) <= end; k += R(SCANS)) R(scan_rows)(v, k, R(SCANS));
        for (; k < end; k++) R(scan_rows)(v, k, 1);
    }
}

enum outcome R(recurrence)(const Call *call) {
    enum type type = F32 ? FLOAT32 : FLOAT64;
    const Array *x = call->array;
    if (call->arrays != 3 || call->integers != 4) return DOES_NOT_FIT;
    R(Scan) v = {(const REAL *)x[0].data, (const REAL *)x[1].data, (REAL *)x[2].data,
                 call->integer[0], call->integer[1], call->integer[2], 1, call->integer[3] != 0};
    if (v.outer < 1 || v.n < 1 || v.inner < 1) return DOES_NOT_FIT;
    int64_t values = size_of(x);
    if (!splits(values, v.outer, v.n, v.inner) || !holds(x, type, values) || !holds(x + 1, type, values) || !takes(x + 2, type, values))
        return DOES_NOT_FIT;
    v.group = parts_of(most(1, PART / (v.n * v.inner)), R(SCANS)) * R(SCANS);
    parallel(R(scan_part), &v, parts_of(v.outer, v.group));
    return DONE;
}
