/* Products of sparse matrices and dense ones. Memory limits their speed: the rows of a large table
 * are far apart, so those of the next values are fetched ahead.
 *
 *     csr_dot      (b, indices, indptr, data, y): row r of y is the sum of data[k] times row
 *                  indices[k] of b, for k from indptr[r] to indptr[r + 1]; without data, the sum of
 *                  the rows. Integers: the rows of y, the rows and the columns of b, and whether b
 *                  is given transposed
 *     nonzero      (x, indptr, data, columns): the values of a matrix that are not zero, and their
 *                  columns, row by row. Without data and columns it counts them: indptr[r + 1] is
 *                  the number of those in row r
 *
 * Indices are checked before they are used. Each row is computed by one thread, in the order of k.
 */
enum { R(TILE) = 64, R(FEW) = 4, R(AHEAD) = 8, R(LINE) = 64 / sizeof(REAL) };

typedef struct {
    const REAL *b, *data;
    const int64_t *indices, *indptr;
    REAL *y;
    int64_t rows, inner, width, values, group;
    int by_columns;
    atomic_int outside; /* whether an index is out of range */
} R(CsrDot);

/* Sum `count` columns of one row, from `first` on; a constant count lets the sums stay in
 * registers. */
INLINE void R(sum_row)(const R(CsrDot) *v, int64_t row, int64_t first, int64_t count) {
    REAL sum[R(TILE)];
    const REAL *b = v->b + first, *data = v->data;
    const int64_t *indices = v->indices, width = v->width, last = v->values - 1;
    for (int64_t i = 0; i < count; i++) sum[i] = 0;
    for (int64_t k = v->indptr[row], end = v->indptr[row + 1]; k < end; k++) {
        const REAL factor = data ? data[k] : 1, *from = b + indices[k] * width;
        const REAL *next = b + indices[least(k + R(AHEAD), last)] * width;
        for (int64_t i = 0; i < count; i += R(LINE)) __builtin_prefetch(next + i);
        for (int64_t i = 0; i < count; i++) sum[i] += factor * from[i];
    }
    memcpy(v->y + row * width + first, sum, (size_t)count * sizeof(REAL));
}

/* Whether the indices from `k` to `end` are those of rows of b. */
INLINE int R(are_inside)(const R(CsrDot) *v, int64_t k, int64_t end) {
    const uint64_t *indices = (const uint64_t *)v->indices, inner = (uint64_t)v->inner;
    int outside = 0;
    for (; k < end; k++) outside |= indices[k] >= inner;
    return !outside;
}

/* The same for one column, `b`, in FEW sums, so that additions need not wait for each other. */
INLINE REAL R(sum_column)(const R(CsrDot) *v, int64_t row, const REAL *b, int has_data) {
    REAL sum[R(FEW)] = {0};
    const REAL *data = v->data;
    const int64_t *indices = v->indices;
    int64_t k = v->indptr[row], end = v->indptr[row + 1];
    for (; k <= end - R(FEW); k += R(FEW))
        for (int i = 0; i < R(FEW); i++) sum[i] += (has_data ? data[k + i] : 1) * b[indices[k + i]];
    for (; k < end; k++) sum[0] += (has_data ? data[k] : 1) * b[indices[k]];
    for (int i = 1; i < R(FEW); i++) sum[0] += sum[i];
    return sum[0];
}

/* It also checks the indices, row by row: these are then at hand. */
static void R(csr_dot_columns)(R(CsrDot) *v, int64_t row, int64_t end) {
    for (; row < end; row++) {
        if (!R(are_inside)(v, v->indptr[row], v->indptr[row + 1])) {
            v->outside = 1;
            return;
        }
        for (int64_t i = 0; i < v->width; i++) {
            const REAL *b = v->b + i * v->inner;
            v->y[row * v->width + i] =
                v->data ? R(sum_column)(v, row, b, 1) : R(sum_column)(v, row, b, 0);
        }
    }
}

static void R(csr_dot_part)(void *context, int64_t part) {
    R(CsrDot) *v = context;
    int64_t end = least((part + 1) * v->group, v->rows), whole = v->width / R(TILE) * R(TILE);
    if (v->by_columns) {
        R(csr_dot_columns)(v, part * v->group, end);
        return;
    }
    for (int64_t row = part * v->group; row < end; row++) {
        for (int64_t i = 0; i < whole; i += R(TILE)) R(sum_row)(v, row, i, R(TILE));
        if (whole < v->width) R(sum_row)(v, row, whole, v->width - whole);
    }
}

/* Whether these are pointers to `count` values, in ascending order. */
static int R(are_pointers)(const int64_t *indptr, int64_t rows, int64_t count) {
    int wrong = indptr[0] != 0;
    for (int64_t r = 0; r < rows; r++) wrong |= indptr[r + 1] < indptr[r];
    return !wrong && indptr[rows] == count;
}

enum outcome R(csr_dot)(const Call *call) {
    enum type type = F32 ? FLOAT32 : FLOAT64;
    const Array *x = call->array;
    const int64_t *given = call->integer;
    if (call->arrays != 5 || call->integers != 4) return DOES_NOT_FIT;
    R(CsrDot) v = {.b = (const REAL *)x[0].data, .indices = (const int64_t *)x[1].data,
                   .indptr = (const int64_t *)x[2].data, .data = (const REAL *)x[3].data,
                   .y = (REAL *)x[4].data, .rows = given[0], .inner = given[1], .width = given[2],
                   .by_columns = given[3] || given[2] == 1,
                   .values = size_of(x + 1)};
    if (v.rows < 1 || v.inner < 1 || v.width < 1 || v.rows == INT64_MAX ||
        !splits(size_of(x), v.inner, v.width, 1) || !splits(size_of(x + 4), v.rows, v.width, 1))
        return DOES_NOT_FIT;
    if (!holds(x, type, v.inner * v.width) || !holds(x + 1, INT64, v.values) ||
        !holds(x + 2, INT64, v.rows + 1) || (v.data && !holds(x + 3, type, v.values)) ||
        !takes(x + 4, type, v.rows * v.width) ||
        !R(are_pointers)(v.indptr, v.rows, v.values))
        return DOES_NOT_FIT;
    if (!v.by_columns && !R(are_inside)(&v, 0, v.values)) return DOES_NOT_FIT;
    v.group = most(1, PART / (parts_of(v.values, v.rows) + 1) / v.width);
    parallel(R(csr_dot_part), &v, parts_of(v.rows, v.group));
    return v.outside ? DOES_NOT_FIT : DONE;
}

/* ------------------------------------------------------------------------- dense to csr */

typedef struct {
    const REAL *x;
    int64_t *indptr, *columns;
    REAL *data;
    int64_t rows, width, group;
    atomic_int other; /* whether a row has another number of values than indptr says */
} R(Nonzero);

static void R(nonzero_part)(void *context, int64_t part) {
    R(Nonzero) *v = context;
    int64_t end = least((part + 1) * v->group, v->rows);
    for (int64_t row = part * v->group; row < end; row++) {
        const REAL *x = v->x + row * v->width;
        int64_t count = 0;
        if (!v->data) {
            for (int64_t i = 0; i < v->width; i++) count += x[i] != 0;
            v->indptr[row + 1] = count;
            continue;
        }
        int64_t at = v->indptr[row], last = v->indptr[row + 1];
        for (int64_t i = 0; i < v->width; i++)
            if (x[i] != 0) {
                if (at < last) v->data[at] = x[i], v->columns[at] = i;
                at++;
            }
        if (at != last) v->other = 1;
    }
}

enum outcome R(nonzero)(const Call *call) {
    enum type type = F32 ? FLOAT32 : FLOAT64;
    const Array *x = call->array;
    if (call->arrays != 4 || call->integers != 2) return DOES_NOT_FIT;
    R(Nonzero) v = {.x = (const REAL *)x[0].data, .indptr = (int64_t *)x[1].data,
                    .data = (REAL *)x[2].data, .columns = (int64_t *)x[3].data,
                    .rows = call->integer[0], .width = call->integer[1]};
    if (v.rows < 1 || v.width < 1 || v.rows == INT64_MAX ||
        !splits(size_of(x), v.rows, v.width, 1) || !holds(x, type, v.rows * v.width) ||
        !takes(x + 1, INT64, v.rows + 1))
        return DOES_NOT_FIT;
    if (v.data) {
        int64_t count = size_of(x + 2);
        if (!takes(x + 2, type, count) || !takes(x + 3, INT64, count) ||
            !R(are_pointers)(v.indptr, v.rows, count))
            return DOES_NOT_FIT;
    }
    v.group = most(1, PART / v.width);
    parallel(R(nonzero_part), &v, parts_of(v.rows, v.group));
    return v.other ? DOES_NOT_FIT : DONE;
}
