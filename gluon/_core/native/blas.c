/* The jobs of OpenBLAS, computed by the pool of threads, and calls of its products.
 *
 * The threads of OpenBLAS look for work for about 25 ms after each product of matrices: on the
 * processors where the pool computes what comes next. OpenBLAS hands its jobs to a function
 * instead if it is given one (openblas_set_threads_callback_function); see its blas_server.c.
 *
 * The jobs of one product wait for each other, so each needs a thread of its own. While the pool is
 * busy, with another thread of Python or with a task that calls OpenBLAS, threads are started for
 * them.
 *
 * Each job runs in a slot of OpenBLAS's tables, which has a state and memory. The first slots belong
 * to OpenBLAS's own threads, which it still uses for factorizations: jobs take theirs from the end,
 * and no two of them the same. Otherwise the end of one job would look like the end of the other.
 *
 * In a forked child OpenBLAS computes with its own threads, because the pool has none there.
 */
#include <pthread.h>
#include <sched.h>

#include "blas.h"
#include "threads.h"

enum { MOST = 256, PATIENCE = 500000 }; /* slots; nanoseconds */

typedef void (*Job)(int slot, void *queue, int extra);
typedef void (*Share)(int wait, Job job, int count, size_t size, void *queue, int extra);

static struct {
    void (*set)(Share);
    int slots, room; /* how many there are, and how many of them are for jobs */
    char used[MOST]; /* counted from the end */
    int free;
    pthread_mutex_t lock;
    pthread_cond_t freed;
} blas = {.lock = PTHREAD_MUTEX_INITIALIZER, .freed = PTHREAD_COND_INITIALIZER};

static Products products;
/* How many callers multiply with one thread each, and how many threads there were before. */
static struct {
    int callers, before;
    pthread_mutex_t lock;
} alone = {.lock = PTHREAD_MUTEX_INITIALIZER};

typedef struct {
    Job job;
    char *queue; /* of entries of `size` bytes, one for each job */
    size_t size;
    int extra, count, slot[MOST];
} Product;

static void run_job(void *context, int64_t k) {
    const Product *product = context;
    product->job(product->slot[k], product->queue + (size_t)k * product->size, product->extra);
}

/* If OpenBLAS was given more threads than there is room for, it gets its jobs back; for those that
 * came already, all slots are taken. */
static void take_slots(Product *product) {
    int wanted = (int)least(product->count, blas.room), taken = 0;
    if (product->count > blas.room) blas.set(NULL);
    pthread_mutex_lock(&blas.lock);
    while (blas.free < wanted) pthread_cond_wait(&blas.freed, &blas.lock);
    for (int k = 0; taken < wanted; k++)
        if (!blas.used[k]) blas.used[k] = 1, product->slot[taken++] = k;
    blas.free -= wanted;
    pthread_mutex_unlock(&blas.lock);
    for (; taken < product->count; taken++) product->slot[taken] = taken;
    for (int k = 0; k < taken; k++) product->slot[k] = blas.slots - 1 - product->slot[k];
}

static void free_slots(const Product *product) {
    int taken = (int)least(product->count, blas.room);
    pthread_mutex_lock(&blas.lock);
    for (int k = 0; k < taken; k++) blas.used[blas.slots - 1 - product->slot[k]] = 0;
    blas.free += taken;
    pthread_cond_broadcast(&blas.freed);
    pthread_mutex_unlock(&blas.lock);
}

typedef struct {
    Product *product;
    int number;
    pthread_t thread;
} Apart;

static void *run_apart(void *one) {
    const Apart *apart = one;
    run_job(apart->product, apart->number);
    return NULL;
}

/* Run each job in a new thread. Those that run wait for the others, so each must be started. */
static void start_threads(Product *product) {
    Apart apart[MOST];
    for (int k = 1; k < product->count; k++) {
        apart[k] = (Apart){.product = product, .number = k};
        while (pthread_create(&apart[k].thread, NULL, run_apart, apart + k)) sched_yield();
    }
    run_job(product, 0);
    for (int k = 1; k < product->count; k++) pthread_join(apart[k].thread, NULL);
}

static void share(int wait, Job job, int count, size_t size, void *queue, int extra) {
    (void)wait; /* OpenBLAS always waits */
    Product product = {.job = job, .queue = queue, .size = size, .extra = extra, .count = count};
    take_slots(&product);
    if (!together(run_job, &product, count)) start_threads(&product);
    free_slots(&product);
}

static void after_fork(void) {
    pthread_mutex_init(&blas.lock, NULL);
    pthread_cond_init(&blas.freed, NULL);
    pthread_mutex_init(&alone.lock, NULL);
    alone.callers = 0;
    blas.set(NULL);
}

int share_threads(void *set, int slots, int own) {
    if (slots > MOST || own < 1 || slots - own < own) return 0;
    blas.set = (void (*)(Share))set;
    blas.slots = slots;
    blas.room = blas.free = slots - own;
    if (pthread_atfork(NULL, NULL, after_fork)) return 0;
    be_patient(PATIENCE);
    blas.set(share);
    return 1;
}

/* ------------------------------------------------------------------------------- products */

enum { BY_ROWS = 101, AS_IT_IS = 111, TURNED = 112 }; /* of the header cblas.h */

/* A function of CBLAS for one type of number, and one of integer. */
#define CALL(function, real, integer)                                                             \
    ((void (*)(int, int, int, integer, integer, integer, real, const void *, integer,             \
               const void *, integer, real, void *, integer))function)(                           \
        BY_ROWS, a->turned ? TURNED : AS_IT_IS, b->turned ? TURNED : AS_IT_IS, (integer)m,        \
        (integer)n, (integer)k, 1, a->data, (integer)a->step, b->data, (integer)b->step, 0, y,    \
        (integer)n)

void set_products(Products found) { products = found; }
int can_multiply(void) { return products.of_floats != NULL; }

void begin_products(void) {
    pthread_mutex_lock(&alone.lock);
    if (!alone.callers++) {
        alone.before = products.count_threads();
        products.set_threads(1);
    }
    pthread_mutex_unlock(&alone.lock);
}

/* Restore the number of threads, unless somebody else has set it. */
void end_products(void) {
    pthread_mutex_lock(&alone.lock);
    if (!--alone.callers && products.count_threads() == 1) products.set_threads(alone.before);
    pthread_mutex_unlock(&alone.lock);
}

void multiply(enum type type, int64_t m, int64_t n, int64_t k, const Matrix *a, const Matrix *b,
              char *y) {
    if (type == FLOAT32 && products.wide) CALL(products.of_floats, float, int64_t);
    else if (type == FLOAT32) CALL(products.of_floats, float, int32_t);
    else if (products.wide) CALL(products.of_doubles, double, int64_t);
    else CALL(products.of_doubles, double, int32_t);
}
