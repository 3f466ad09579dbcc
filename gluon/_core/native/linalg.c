/* Matrix products, and stacks of them, shared out among the pool of threads.
 *
 *     y[s] = a[s] b[s]        (stacks..., m, n) = (stacks..., m, k) (stacks..., k, n)
 *
 * Each part is one call of OpenBLAS with one thread, for some matrices of a stack or a block of a large
 * one. Products of few multiplications are one part: waking a thread, and waiting for it where other
 * programs need the processors, would take longer. How a large matrix is divided depends on the number of
 * threads. It is divided by rows where there are enough: OpenBLAS's kernels for x86 then give the same
 * bits as for the whole.
 *
 * Arrays: a, b, y. The matrices of a and b lie by rows or by columns, with any distance between
 * these; y is contiguous.
 */
#include "blas.h"
#include "bytes.h"
#include "threads.h"
#include "variants.h"

/* Multiplications: of a part of a stack, of a block of a matrix, and of all that is shared out; and
 * what the lengths of blocks are multiples of. */
enum { OF_PART = 1 << 17, OF_BLOCK = 1 << 21, SHARED_OUT = 1 << 22, UNIT = 24 };

typedef struct {
    const Array *array;
    Matrix a, b;
    int64_t m, k, n, stacks, together;
    int64_t rows, columns, down, across; /* of a block; how many there are */
} Stack;

/* Where matrix number `s` of a stack begins. */
static const char *matrix_of(const Array *x, int64_t s) {
    const char *data = x->data;
    for (int axis = x->axes - 3; axis >= 0; axis--) {
        data += s % x->shape[axis] * x->strides[axis];
        s /= x->shape[axis];
    }
    return data;
}

/* One block of a product. */
static void multiply_block(const Stack *v, int64_t s, int64_t row, int64_t column) {
    int64_t size = size_in_bytes(v->array->type);
    int64_t rows = least(v->rows, v->m - row), columns = least(v->columns, v->n - column);
    Matrix a = v->a, b = v->b;
    a.data = matrix_of(v->array, s) + row * (a.turned ? 1 : a.step) * size;
    b.data = matrix_of(v->array + 1, s) + column * (b.turned ? b.step : 1) * size;
    multiply(v->array->type, rows, columns, v->k, &a, &b,
             v->array[2].data + ((s * v->m + row) * v->n + column) * size, v->n);
}

static void multiply_part(void *context, int64_t part) {
    const Stack *v = context;
    int64_t blocks = v->down * v->across, first = part / blocks * v->together, block = part % blocks;
    for (int64_t s = first; s < least(first + v->together, v->stacks); s++)
        multiply_block(v, s, block / v->across * v->rows, block % v->across * v->columns);
}

/* Divide each of a few large matrices into blocks: as many as there are threads, or several times as
 * many where that leaves no thread without work. */
static void divide(Stack *v, int64_t work, int64_t threads) {
    int64_t down = 1, across = 1;
    for (;;) {
        int64_t parts = down * across * v->stacks;
        if (parts >= threads && (parts % threads == 0 || parts >= 4 * threads)) break;
        if (work / down / across < 2 * OF_BLOCK || most(v->m / down, v->n / across) < 2 * UNIT) break;
        if (v->m / down >= 2 * UNIT && v->m / down >= v->n / across / 8) down *= 2;
        else across *= 2;
    }
    v->rows = parts_of(parts_of(v->m, down), UNIT) * UNIT;
    v->columns = parts_of(parts_of(v->n, across), UNIT) * UNIT;
    v->down = parts_of(v->m, v->rows);
    v->across = parts_of(v->n, v->columns);
}

/* How many values apart the rows of a matrix begin; 0 if their values are not adjacent. */
static int64_t apart(int64_t rows, int64_t columns, int64_t down, int64_t across, int64_t size) {
    if (columns > 1 && across != size) return 0;
    if (rows == 1) return columns;
    return down < columns * size ? 0 : down / size;
}

/* Whether the matrices of a stack lie by rows or by columns (`turned`), aligned. */
static int lies(const Array *x, Matrix *matrix) {
    int64_t size = size_in_bytes(x->type);
    int64_t rows = x->shape[x->axes - 2], columns = x->shape[x->axes - 1];
    int64_t down = x->strides[x->axes - 2], across = x->strides[x->axes - 1];
    if ((uintptr_t)x->data % (uintptr_t)size) return 0;
    for (int axis = 0; axis < x->axes; axis++)
        if (x->strides[axis] % size) return 0;
    matrix->step = apart(rows, columns, down, across, size);
    matrix->turned = !matrix->step;
    if (matrix->turned) matrix->step = apart(columns, rows, across, down, size);
    return matrix->step != 0;
}

/* Whether two arrays have the same stacks. */
static int stacked_alike(const Array *x, const Array *y) {
    if (!y->data || x->axes != y->axes || x->type != y->type) return 0;
    for (int axis = 0; axis < x->axes - 2; axis++)
        if (x->shape[axis] != y->shape[axis]) return 0;
    return 1;
}

enum outcome multiply_stacks_arrays(const Call *call) {
    const Array *x = call->array;
    if (call->arrays != 3 || call->integers || !x->data || x->axes < 2 || !can_multiply())
        return DOES_NOT_FIT;
    if ((x->type != FLOAT32 && x->type != FLOAT64) || !stacked_alike(x, x + 1) ||
        !stacked_alike(x, x + 2))
        return DOES_NOT_FIT;
    const intptr_t *left = x[0].shape + x->axes - 2, *right = x[1].shape + x->axes - 2;
    const intptr_t *result = x[2].shape + x->axes - 2;
    Stack v = {.array = x, .m = left[0], .k = left[1], .n = right[1]};
    if (right[0] != v.k || result[0] != v.m || result[1] != v.n || !x[2].contiguous ||
        !x[2].writeable || !size_of(x) || !size_of(x + 2) || !lies(x, &v.a) || !lies(x + 1, &v.b))
        return DOES_NOT_FIT;
    if (most(most(v.m, v.k), most(most(v.a.step, v.b.step), v.n)) > INT32_MAX) return DOES_NOT_FIT;
    v.stacks = size_of(x + 2) / v.m / v.n;
    int64_t work = v.m * v.k * v.n;
    int64_t threads = least(begin_products(), count_threads());
    v.together = most(1, OF_PART / most(1, work));
    divide(&v, work, threads);
    int64_t parts = parts_of(v.stacks, v.together) * v.down * v.across;
    if (threads > 1 && work * v.stacks >= SHARED_OUT) parallel(multiply_part, &v, parts);
    else
        for (int64_t k = 0; k < parts; k++) multiply_part(&v, k);
    end_products();
    return DONE;
}
