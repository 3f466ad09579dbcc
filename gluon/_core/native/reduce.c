/* Sums, sums of squares, maxima and minima over axes, and places of maxima and minima.
 *
 * Data are (outer, n, inner, m), contiguous; n and m are reduced, and the result is (outer, inner).
 * With m > 1, rows of m values are reduced one by one; with m = 1, ACROSS columns side by side.
 * Long reductions are cut into pieces, depending only on their length, and the pieces are combined
 * in order, so that results do not depend on the number of threads.
 *
 * Sums of few values use REAL, side by side; these sums are added in double precision: see sums.h.
 */
#include "sums.h"

enum { R(SUM), R(SQUARES), R(MAX), R(MIN), R(TOTAL_KINDS) };
enum { R(ACROSS) = 256 }; /* columns computed side by side */

typedef struct {
    const REAL *x;
    REAL *y;
    double *partial; /* (outer, pieces, inner), if there are several pieces */
    int64_t outer, n, inner, m;
    int64_t pieces, rows; /* the pieces of a reduction; each has `rows` of n, or values of m */
    int64_t blocks;       /* of columns */
    int64_t jobs, group;  /* a job is a piece of one result, or of a block of columns */
    int kind;
    double divisor;
} R(Reduction);

INLINE double R(neutral)(int kind) {
    return kind == R(MAX) ? -INFINITY : kind == R(MIN) ? INFINITY : 0;
}
INLINE double R(together)(int kind, double a, double b) {
    if (kind == R(MAX)) return a >= b || a != a ? a : b;
    if (kind == R(MIN)) return a <= b || a != a ? a : b;
    return a + b;
}
INLINE void R(put)(const R(Reduction) *work, int64_t outer, int64_t piece, int64_t inner,
                   double value) {
    if (work->pieces > 1)
        work->partial[(outer * work->pieces + piece) * work->inner + inner] = value;
    else work->y[outer * work->inner + inner] = (REAL)(value / work->divisor);
}

static void R(put_columns)(const R(Reduction) *work, int64_t outer, int64_t piece, int64_t first,
                           int64_t count, const double *restrict found) {
    if (work->pieces > 1) {
        int64_t at = (outer * work->pieces + piece) * work->inner + first;
        memcpy(work->partial + at, found, (size_t)count * sizeof *found);
        return;
    }
    REAL *restrict y = work->y + outer * work->inner + first;
    const double divisor = work->divisor;
    if (divisor == 1) /* a division would take longer than everything else */
        for (int64_t j = 0; j < count; j++) y[j] = (REAL)found[j];
    else
        for (int64_t j = 0; j < count; j++) y[j] = (REAL)(found[j] / divisor);
}

/* The same for few rows, summed in REAL. */
static void R(put_few)(const R(Reduction) *work, int64_t outer, int64_t first, int64_t count,
                       const REAL *restrict found) {
    REAL *restrict y = work->y + outer * work->inner + first;
    const double divisor = work->divisor;
    if (divisor == 1) memcpy(y, found, (size_t)count * sizeof *found);
    else
        for (int64_t j = 0; j < count; j++) y[j] = (REAL)(found[j] / divisor);
}

static double R(reduce_row)(int kind, const REAL *x, int64_t n) {
    if (kind == R(MAX)) return R(max_of)(x, n);
    if (kind == R(MIN)) return R(min_of)(x, n);
    return kind == R(SUM) ? R(sum_of)(x, n) : R(squares_of)(x, 0, n);
}

/* One piece of one result, of rows. */
static void R(rows_job)(const R(Reduction) *work, int64_t job) {
    int64_t piece = job % work->pieces, result = job / work->pieces;
    int64_t outer = result / work->inner, inner = result % work->inner;
    double found = R(neutral)(work->kind);
    if (work->n == 1) {
        int64_t first = piece * work->rows;
        found = R(reduce_row)(work->kind, work->x + result * work->m + first,
                              least(work->rows, work->m - first));
    } else {
        int64_t end = least((piece + 1) * work->rows, work->n);
        for (int64_t k = piece * work->rows; k < end; k++) {
            const REAL *row = work->x + ((outer * work->n + k) * work->inner + inner) * work->m;
            found = R(together)(work->kind, found, R(reduce_row)(work->kind, row, work->m));
        }
    }
    R(put)(work, outer, piece, inner, found);
}

/* One piece of a block of columns, `count` of them; `kind` is a constant. */
INLINE void R(columns_of)(const R(Reduction) *work, int64_t outer, int64_t piece, int64_t first,
                          int64_t count, int kind) {
    double found[R(ACROSS)];
    REAL lane[R(ACROSS)];
    int64_t end = least((piece + 1) * work->rows, work->n);
    for (int64_t j = 0; j < count; j++) found[j] = R(neutral)(kind);
    for (int64_t k = piece * work->rows; k < end;) {
        for (int64_t j = 0; j < count; j++) lane[j] = (REAL)R(neutral)(kind);
        for (int64_t stop = least(k + R(LANES), end); k < stop; k++) {
            const REAL *restrict x = work->x + (outer * work->n + k) * work->inner + first;
            for (int64_t j = 0; j < count; j++) {
                const REAL a = lane[j], b = x[j];
                lane[j] = kind == R(SUM)       ? a + b
                          : kind == R(SQUARES) ? a + b * b
                          : kind == R(MAX)     ? (a >= b || a != a ? a : b)
                                               : (a <= b || a != a ? a : b);
            }
        }
        if (work->n <= R(LANES)) {
            R(put_few)(work, outer, first, count, lane);
            return;
        }
        for (int64_t j = 0; j < count; j++) found[j] = R(together)(kind, found[j], lane[j]);
    }
    R(put_columns)(work, outer, piece, first, count, found);
}

static void R(columns_job)(const R(Reduction) *work, int64_t job) {
    int64_t block = job % work->blocks, rest = job / work->blocks;
    int64_t piece = rest % work->pieces, outer = rest / work->pieces;
    int64_t first = block * R(ACROSS), count = least(R(ACROSS), work->inner - first);
    switch (work->kind) {
    case R(SUM): R(columns_of)(work, outer, piece, first, count, R(SUM)); break;
    case R(SQUARES): R(columns_of)(work, outer, piece, first, count, R(SQUARES)); break;
    case R(MAX): R(columns_of)(work, outer, piece, first, count, R(MAX)); break;
    default: R(columns_of)(work, outer, piece, first, count, R(MIN));
    }
}

static void R(reduce_part)(void *context, int64_t part) {
    const R(Reduction) *work = context;
    int64_t end = least((part + 1) * work->group, work->jobs);
    for (int64_t job = part * work->group; job < end; job++)
        if (work->m == 1) R(columns_job)(work, job);
        else R(rows_job)(work, job);
}

static void R(combine)(const R(Reduction) *work) {
    for (int64_t o = 0; o < work->outer; o++)
        for (int64_t i = 0; i < work->inner; i++) {
            double found = R(neutral)(work->kind);
            for (int64_t piece = 0; piece < work->pieces; piece++)
                found = R(together)(work->kind, found,
                                    work->partial[(o * work->pieces + piece) * work->inner + i]);
            work->y[o * work->inner + i] = (REAL)(found / work->divisor);
        }
}

/* How the work is divided; 0 if there are too few rows or columns. */
static int R(cut)(R(Reduction) *work) {
    int64_t values;
    work->blocks = 1;
    if (work->m > 1) {
        if (work->m < R(LANES) / 2) return 0;
        int64_t length = work->n == 1 ? work->m : work->n;
        work->rows = work->n == 1 ? PART : most(1, PART / work->m);
        work->pieces = parts_of(length, work->rows);
        values = least(work->rows, length) * (work->n == 1 ? 1 : work->m);
        work->jobs = work->outer * work->inner * work->pieces;
    } else {
        if (work->inner < 16) return 0;
        int64_t wide = least(work->inner, R(ACROSS));
        work->blocks = parts_of(work->inner, R(ACROSS));
        work->rows = most(R(LANES), PART / wide);
        work->pieces = parts_of(work->n, work->rows);
        values = least(work->rows, work->n) * wide;
        work->jobs = work->outer * work->pieces * work->blocks;
    }
    work->group = most(1, PART / values);
    return 1;
}

/* integers: outer, n, inner, m, kind; reals: the divisor of results; x and y. */
enum outcome R(reduce)(const Call *call) {
    const Array *x = call->array;
    const int64_t *given = call->integer;
    enum type type = F32 ? FLOAT32 : FLOAT64;
    if (call->arrays != 2 || call->integers != 5 || call->reals != 1) return DOES_NOT_FIT;
    R(Reduction) work = {.x = (const REAL *)x[0].data, .y = (REAL *)x[1].data, .outer = given[0],
                         .n = given[1], .inner = given[2], .m = given[3], .kind = (int)given[4],
                         .divisor = call->real[0]};
    if (work.outer < 1 || work.n < 1 || work.inner < 1 || work.m < 1 || given[4] < 0 ||
        given[4] >= R(TOTAL_KINDS) || !holds(x, type, work.outer * work.n * work.inner * work.m) ||
        !takes(x + 1, type, work.outer * work.inner) || !R(cut)(&work))
        return DOES_NOT_FIT;
    if (work.pieces > 1) {
        size_t results = (size_t)(work.outer * work.inner * work.pieces);
        work.partial = scratch(0, results * sizeof(double));
        if (!work.partial) return NO_MEMORY;
    }
    parallel(R(reduce_part), &work, parts_of(work.jobs, work.group));
    if (work.pieces > 1) R(combine)(&work);
    return DONE;
}

/* -------------------------------------------------------------------------------- places */

/* (rows, n, inner) values are searched along n: contiguously if inner = 1, else ACROSS columns side
 * by side. */
typedef struct {
    const REAL *x;
    int64_t *y;
    int64_t rows, n, inner, group, blocks; /* blocks of columns */
    int largest;
} R(Search);
#if F32
typedef int32_t R(Place); /* as wide as the value it is the place of */
#else
typedef int64_t R(Place);
#endif

/* The first place of the maximum or minimum, or of NaN if there is one. */
static void R(search_part)(void *context, int64_t part) {
    const R(Search) *work = context;
    int64_t end = least((part + 1) * work->group, work->rows);
    for (int64_t k = part * work->group; k < end; k++) {
        const REAL *x = work->x + k * work->n;
        REAL found = work->largest ? R(max_of)(x, work->n) : R(min_of)(x, work->n);
        work->y[k] = R(place_of)(found, x, work->n);
    }
}

static void R(search_columns)(void *context, int64_t part) {
    const R(Search) *work = context;
    int64_t first = part % work->blocks * R(ACROSS), row = part / work->blocks, inner = work->inner;
    const REAL *x = work->x + row * work->n * inner + first, turn = work->largest ? 1 : -1;
    int64_t count = least(R(ACROSS), inner - first), *y = work->y + row * inner + first;
    REAL found[R(ACROSS)];
    R(Place) place[R(ACROSS)];
    for (int64_t j = 0; j < count; j++) found[j] = turn * x[j], place[j] = 0;
    for (int64_t k = 1; k < work->n; k++) {
        x += inner;
        for (int64_t j = 0; j < count; j++) {
            const REAL value = turn * x[j];
            const int further = (value > found[j]) | ((value != value) & (found[j] == found[j]));
            place[j] = further ? (R(Place))k : place[j];
            found[j] = further ? value : found[j];
        }
    }
    for (int64_t j = 0; j < count; j++) y[j] = place[j];
}

/* integers: rows, n, inner, whether to find maxima; x and the places, of int64. */
enum outcome R(search)(const Call *call) {
    const Array *x = call->array, *y = x + 1;
    const int64_t *given = call->integer;
    if (call->arrays != 2 || call->integers != 4) return DOES_NOT_FIT;
    int64_t rows = given[0], n = given[1], inner = given[2], all = size_of(x), made = size_of(y);
    if (rows < 1 || n < 1 || inner < 1 || n > INT32_MAX || (inner > 1 ? inner < 16 : n < R(LANES) / 2) ||
        !splits(all, rows, n, inner) || !splits(made, rows, inner, 1) ||
        !holds(x, F32 ? FLOAT32 : FLOAT64, all) || !takes(y, INT64, made))
        return DOES_NOT_FIT;
    R(Search) work = {.x = (const REAL *)x->data, .y = (int64_t *)y->data, .rows = rows, .n = n,
                      .inner = inner, .group = most(1, PART / n), .largest = given[3] != 0,
                      .blocks = parts_of(inner, R(ACROSS))};
    if (inner > 1) parallel(R(search_columns), &work, rows * work.blocks);
    else parallel(R(search_part), &work, parts_of(rows, work.group));
    return DONE;
}
