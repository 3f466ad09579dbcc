/* Calls of the matrix products of the OpenBLAS that NumPy computes with.
 *
 * The jobs of a product that OpenBLAS shares out wait for each other, and its threads look for work for
 * about 25 ms after it, on the processors where the pool of threads computes what comes next; where
 * other programs need the processors, each wait lasts until one of them pauses. So the parts of a
 * product are products of their own here, of one thread each, which wait for nobody (linalg.c).
 * OpenBLAS has one number of threads for all: it is 1 while tasks call it.
 */
#include <pthread.h>

#include "blas.h"

static Products products;
/* How many callers multiply with one thread each, and how many threads there were before. */
static struct {
    int callers, before;
    pthread_mutex_t lock;
} alone = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void after_fork(void) {
    pthread_mutex_init(&alone.lock, NULL);
    alone.callers = 0;
}

enum { BY_ROWS = 101, AS_IT_IS = 111, TURNED = 112 }; /* of the header cblas.h */

/* A function of CBLAS for one type of number, and one of integer. */
#define CALL(function, real, integer)                                                             \
    ((void (*)(int, int, int, integer, integer, integer, real, const void *, integer,             \
               const void *, integer, real, void *, integer))function)(                           \
        BY_ROWS, a->turned ? TURNED : AS_IT_IS, b->turned ? TURNED : AS_IT_IS, (integer)m,        \
        (integer)n, (integer)k, 1, a->data, (integer)a->step, b->data, (integer)b->step, 0, y,    \
        (integer)step)

int set_products(Products found) {
    if (pthread_atfork(NULL, NULL, after_fork)) return 0;
    products = found;
    return 1;
}
int can_multiply(void) { return products.of_floats != NULL; }

int begin_products(void) {
    pthread_mutex_lock(&alone.lock);
    if (!alone.callers++) {
        alone.before = products.count_threads();
        if (alone.before > 1) products.set_threads(1);
    }
    int before = alone.before;
    pthread_mutex_unlock(&alone.lock);
    return before;
}

/* Restore the number of threads, unless somebody else has set it. */
void end_products(void) {
    pthread_mutex_lock(&alone.lock);
    if (!--alone.callers && alone.before > 1 && products.count_threads() == 1)
        products.set_threads(alone.before);
    pthread_mutex_unlock(&alone.lock);
}

void multiply(enum type type, int64_t m, int64_t n, int64_t k, const Matrix *a, const Matrix *b,
              char *y, int64_t step) {
    if (type == FLOAT32 && products.wide) CALL(products.of_floats, float, int64_t);
    else if (type == FLOAT32) CALL(products.of_floats, float, int32_t);
    else if (products.wide) CALL(products.of_doubles, double, int64_t);
    else CALL(products.of_doubles, double, int32_t);
}
