/* Triangular systems of equations with few right-hand sides, by substitution.
 *
 * The matrices (stacks, n, n) lie by rows, or by columns (`turned`). By rows, a value is the
 * right-hand side minus the dot product with the known values; by columns, each known value is
 * subtracted from the remaining right-hand sides. Both read memory in order.
 *
 * Arrays: the matrices, the right-hand sides (stacks, n, m), the result. Integers: stacks, n, m,
 * `lower`, `turned`.
 */
#include "sums.h"

typedef struct {
    const REAL *a, *b;
    REAL *y;
    int64_t stacks, n, m, lower, turned;
    atomic_int failed;
} R(Triangle);

static void R(substitute)(const R(Triangle) *v, const REAL *a, REAL *restrict x) {
    int64_t n = v->n;
    for (int64_t k = 0; k < n; k++) {
        int64_t i = v->lower ? k : n - 1 - k, next = v->lower ? 0 : i + 1;
        const REAL *row = a + i * n;
        if (!v->turned) {
            x[i] = (x[i] - (REAL)R(dot_of)(row + next, x + next, k)) / row[i];
            continue;
        }
        REAL found = x[i] /= row[i];
        int64_t from = v->lower ? i + 1 : 0, to = v->lower ? n : i;
        for (int64_t j = from; j < to; j++) x[j] -= row[j] * found;
    }
}

static void R(triangle_part)(void *context, int64_t part) {
    R(Triangle) *v = context;
    int64_t n = v->n, m = v->m;
    const REAL *b = v->b + part * n * m;
    REAL *x = scratch(0, (size_t)n * sizeof(REAL)), *y = v->y + part * n * m;
    if (!x) v->failed = 1;
    for (int64_t c = 0; x && c < m; c++) {
        for (int64_t i = 0; i < n; i++) x[i] = b[i * m + c];
        R(substitute)(v, v->a + part * n * n, x);
        for (int64_t i = 0; i < n; i++) y[i * m + c] = x[i];
    }
}

enum outcome R(solve_triangular)(const Call *call) {
    const int64_t *s = call->integer;
    const Array *x = call->array;
    enum type type = F32 ? FLOAT32 : FLOAT64;
    if (call->arrays != 3 || call->integers != 5) return DOES_NOT_FIT;
    for (int k = 0; k < 3; k++)
        if (s[k] < 1) return DOES_NOT_FIT;
    int64_t all = size_of(x), sides = size_of(x + 1);
    if (!splits(all, s[0], s[1], s[1]) || !splits(sides, s[0], s[1], s[2]) ||
        !holds(x, type, all) || !holds(x + 1, type, sides) || !takes(x + 2, type, sides))
        return DOES_NOT_FIT;
    R(Triangle) v = {(const REAL *)x[0].data, (const REAL *)x[1].data, (REAL *)x[2].data,
                     s[0], s[1], s[2], s[3], s[4], 0};
    for (int64_t k = 0; k < s[0] * s[1]; k++) /* singular */
        if (v.a[k / s[1] * s[1] * s[1] + k % s[1] * (s[1] + 1)] == 0) return DOES_NOT_FIT;
    parallel(R(triangle_part), &v, s[0]);
    return v.failed ? NO_MEMORY : DONE;
}
