/* The arguments of every kernel: views of NumPy's arrays, integers and real numbers.
 *
 * A kernel is a function of one `Call`. It checks the shapes and the layout of its arrays before it
 * touches their memory, and returns DOES_NOT_FIT if it does not support them; the caller then runs
 * the plain NumPy kernel. It never touches Python objects, so it runs without the interpreter's
 * lock.
 */
#ifndef GLUON_ARRAY_H
#define GLUON_ARRAY_H

#include <stddef.h>
#include <stdint.h>

enum { MAX_AXES = 32, MAX_ARRAYS = 256, MAX_NUMBERS = 512 };
enum type { OTHER, FLOAT32, FLOAT64, INT32, INT64, UINT8, BOOL, FLOAT16 };
enum outcome { DONE, DOES_NOT_FIT, NO_MEMORY };

typedef struct {
    char *data;
    const intptr_t *shape, *strides; /* lengths, and strides in bytes */
    int axes;
    enum type type;
    int contiguous; /* C-contiguous and aligned */
    int writeable;
} Array;

typedef struct {
    int arrays, integers, reals; /* the number of each */
    Array array[MAX_ARRAYS];     /* no type and no memory if None was given */
    int64_t integer[MAX_NUMBERS];
    double real[MAX_NUMBERS];
} Call;

typedef enum outcome (*Kernel)(const Call *);

/* Checks of arguments run once per call, so short code matters more than speed. */
#define CHECK static __attribute__((cold, noinline, unused))

/* The number of values of an array. */
CHECK int64_t size_of(const Array *x) {
    int64_t n = 1;
    for (int k = 0; k < x->axes; k++) n *= x->shape[k];
    return n;
}

/* Whether an array is contiguous, of the given type, and has n values. */
CHECK int holds(const Array *x, enum type type, int64_t n) {
    return x->data && x->type == type && x->contiguous && size_of(x) == n;
}

/* The same, and whether it is writeable. */
CHECK int takes(const Array *x, enum type type, int64_t n) {
    return holds(x, type, n) && x->writeable;
}

/* Whether n = a * b * c for positive factors; the product may overflow. */
CHECK int splits(int64_t n, int64_t a, int64_t b, int64_t c) {
    return n % a == 0 && n / a % b == 0 && n / a / b == c;
}

/* Whether these are floats, in `a` x `b` x `c` numbers, and not none. */
CHECK int is_of(const Array *x, int64_t a, int64_t b, int64_t c) {
    int64_t n = size_of(x);
    return x->data && n > 0 && splits(n, a, b, c) && holds(x, FLOAT32, n);
}

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }
/* The number of parts, of at most `part` values each, for n values. */
static inline int64_t parts_of(int64_t n, int64_t part) { return (n + part - 1) / part; }

#endif
