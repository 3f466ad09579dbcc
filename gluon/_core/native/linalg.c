/* Stacks of matrix products, shared out among the pool of threads.
 *
 *     y[s] = a[s] b[s]        (stacks..., m, n) = (stacks..., m, k) (stacks..., k, n)
 *
 * Each product is one call of OpenBLAS with one thread. In NumPy's loop over the matrices of a
 * stack, OpenBLAS computes small products with one thread too, but one after another, and shares
 * out each of the larger ones, which then wait for each other's parts.
 *
 * Arrays: a, b, y. The matrices of a and b lie by rows or by columns, with any distance between
 * these; y is contiguous.
 */
#include "blas.h"
#include "bytes.h"
#include "threads.h"
#include "variants.h"

enum { MULTIPLICATIONS = 1 << 17 }; /* of a part */

typedef struct {
    const Array *array;
    Matrix a, b;
    int64_t m, k, n, stacks, together;
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

static void multiply_part(void *context, int64_t part) {
    const Stack *v = context;
    int64_t size = size_in_bytes(v->array->type), first = part * v->together;
    Matrix a = v->a, b = v->b;
    char *y = v->array[2].data + first * v->m * v->n * size;
    for (int64_t s = first; s < least(first + v->together, v->stacks); s++) {
        a.data = matrix_of(v->array, s);
        b.data = matrix_of(v->array + 1, s);
        multiply(v->array->type, v->m, v->n, v->k, &a, &b, y);
        y += v->m * v->n * size;
    }
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
    if (call->arrays != 3 || call->integers || !x->data || x->axes < 3 || !can_multiply())
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
    v.stacks = size_of(x) / v.m / v.k;
    v.together = most(1, MULTIPLICATIONS / v.m / v.k / v.n);
    begin_products();
    parallel(multiply_part, &v, parts_of(v.stacks, v.together));
    end_products();
    return DONE;
}
