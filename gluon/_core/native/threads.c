/* The pool of threads; see threads.h.
 *
 * Threads sleep on condition variables. Before they sleep they look for new work for a while, because
 * the kernels of one training step follow each other closely. A thread that lost its processor to
 * others lately sleeps soon: looking would use up its share of the time, and then it would lose the
 * processor amid a part of the work, while the caller waits for it.
 * A forked child has no threads but the one that forked; it keeps to that one.
 */
#include "threads.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

/* How often threads look for what others do before they ask for the time. */
enum { LOOKS_AT_ONCE = 32 };
/* For how many nanoseconds threads look for work, also on a busy machine, and callers for the end of
 * their work; and how long a machine counts as busy. */
enum { PATIENCE = 500000, IF_BUSY = 10000, FOR_THE_END = 50000, BUSY = 100000000 };
static const int FAULTS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};

static struct {
    pthread_mutex_t busy; /* held by the thread whose work this is */
    pthread_mutex_t lock; /* guards sleeping and waking */
    pthread_cond_t wake, done;
    /* The round of work, in the upper half, and how many of its parts nobody has taken: in one
     * number, so that a thread that wakes late cannot take a part of a later round by mistake. */
    atomic_uint_fast64_t ticket;
    atomic_long left; /* parts that are not done */
    atomic_int sleeps; /* whether the caller sleeps until they are */
    Task task;
    void *context;
    int workers;
    atomic_int helpers; /* how many of the workers take parts in this round */
} pool = {.busy = PTHREAD_MUTEX_INITIALIZER,
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .wake = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER};
static atomic_int threads = 1;

static uint32_t round_of(uint64_t ticket) { return (uint32_t)(ticket >> 32); }
static uint32_t untaken(uint64_t ticket) { return (uint32_t)ticket; }

static void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Compute parts of one round until none is left, or the round is over. */
static void take_parts(uint32_t round) {
    uint64_t ticket = atomic_load(&pool.ticket);
    while (round_of(ticket) == round && untaken(ticket)) {
        if (!atomic_compare_exchange_weak(&pool.ticket, &ticket, ticket - 1)) continue;
        pool.task(pool.context, untaken(ticket) - 1);
        if (atomic_fetch_sub(&pool.left, 1) == 1 && atomic_load(&pool.sleeps)) {
            pthread_mutex_lock(&pool.lock);
            pthread_cond_signal(&pool.done);
            pthread_mutex_unlock(&pool.lock);
        }
        ticket = atomic_load(&pool.ticket);
    }
}

static int64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* How often a thread lost its processor, and until when it counts the machine as busy. */
typedef struct {
    long lost;
    int64_t until;
} Busy;

static int64_t patience(Busy *busy, int64_t now) {
#ifdef RUSAGE_THREAD
    struct rusage used;
    if (!getrusage(RUSAGE_THREAD, &used) && used.ru_nivcsw != busy->lost) {
        busy->lost = used.ru_nivcsw;
        busy->until = now + BUSY;
    }
    return now < busy->until ? IF_BUSY : PATIENCE;
#else
    return IF_BUSY;
#endif
}

/* Return the round when it is no longer `seen`. */
static uint32_t await_round(uint32_t seen, Busy *busy) {
    uint32_t now;
    int64_t begin = nanoseconds(), end = begin + patience(busy, begin);
    do {
        for (int look = 0; look < LOOKS_AT_ONCE; look++) {
            if ((now = round_of(atomic_load(&pool.ticket))) != seen) return now;
            pause_briefly();
        }
    } while (nanoseconds() < end);
    pthread_mutex_lock(&pool.lock);
    while ((now = round_of(atomic_load(&pool.ticket))) == seen)
        pthread_cond_wait(&pool.wake, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
    return now;
}

static void *work(void *number) {
    Busy busy = {0};
    for (uint32_t seen = 0;;) { /* no round has the number 0 */
        seen = await_round(seen, &busy);
        if ((intptr_t)number < atomic_load(&pool.helpers)) take_parts(seen);
    }
    return NULL;
}

/* Signals are for the program's own threads, which may block them and wait for them. What a fault of
 * a thread itself raises stays, so that handlers still say where a program crashed. */
static int start_thread(pthread_t *thread, void *(*run)(void *), void *argument) {
    sigset_t all, before;
    sigfillset(&all);
    for (size_t k = 0; k < sizeof FAULTS / sizeof *FAULTS; k++) sigdelset(&all, FAULTS[k]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(thread, NULL, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return !failed;
}

/* Returns whether there are as many workers. */
static int start_workers(int wanted) {
    while (pool.workers < wanted) {
        pthread_t thread;
        if (!start_thread(&thread, work, (void *)(intptr_t)pool.workers)) return 0;
        pthread_detach(thread);
        pool.workers++;
    }
    return 1;
}

/* Wait until all parts of the round are done. */
static void await_rest(void) {
    int64_t end = nanoseconds() + FOR_THE_END;
    do {
        for (int look = 0; look < LOOKS_AT_ONCE; look++) {
            if (!atomic_load(&pool.left)) return;
            pause_briefly();
        }
    } while (nanoseconds() < end);
    pthread_mutex_lock(&pool.lock);
    atomic_store(&pool.sleeps, 1);
    while (atomic_load(&pool.left)) pthread_cond_wait(&pool.done, &pool.lock);
    atomic_store(&pool.sleeps, 0);
    pthread_mutex_unlock(&pool.lock);
}

/* Compute with so many workers, and give the pool back. */
static void run_round(Task task, void *context, int64_t parts, int helpers) {
    uint32_t round = round_of(atomic_load(&pool.ticket)) + 1;
    round += !round;
    pool.task = task;
    pool.context = context;
    atomic_store(&pool.left, parts);
    atomic_store(&pool.helpers, helpers);
    pthread_mutex_lock(&pool.lock);
    atomic_store(&pool.ticket, (uint64_t)round << 32 | (uint64_t)parts);
    pthread_cond_broadcast(&pool.wake);
    pthread_mutex_unlock(&pool.lock);
    take_parts(round);
    if (atomic_load(&pool.left)) await_rest();
    pthread_mutex_unlock(&pool.busy);
}

void parallel(Task task, void *context, int64_t parts) {
    int wanted = atomic_load(&threads) - 1;
    if (wanted >= parts) wanted = (int)parts - 1;
    if (wanted < 1 || parts > UINT32_MAX || pthread_mutex_trylock(&pool.busy)) {
        for (int64_t k = 0; k < parts; k++) task(context, k);
        return;
    }
    start_workers(wanted); /* or fewer */
    run_round(task, context, parts, wanted);
}

void set_threads(int count) { atomic_store(&threads, count < 1 ? 1 : count); }
int count_threads(void) { return atomic_load(&threads); }

typedef struct {
    void *memory;
    size_t bytes;
} Kept;
static pthread_key_t at_end; /* of a thread: frees what it keeps */

static void free_kept(void *all) {
    Kept *kept = all;
    for (int k = 0; k < SCRATCHES; k++) {
        free(kept[k].memory);
        kept[k] = (Kept){0};
    }
}

void *scratch(int which, size_t bytes) {
    static _Thread_local Kept kept[SCRATCHES];
    if (kept[which].bytes < bytes) {
        free(kept[which].memory);
        kept[which].bytes = (bytes + 63) & ~(size_t)63;
        kept[which].memory = aligned_alloc(64, kept[which].bytes);
        if (!kept[which].memory || pthread_setspecific(at_end, kept)) {
            free(kept[which].memory);
            kept[which] = (Kept){0};
        }
    }
    return kept[which].memory;
}

static void after_fork(void) {
    pthread_mutex_init(&pool.busy, NULL);
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.wake, NULL);
    pthread_cond_init(&pool.done, NULL);
    atomic_store(&pool.sleeps, 0);
    pool.workers = 0;
    atomic_store(&threads, 1);
}

int prepare_threads(void) {
    return !pthread_key_create(&at_end, free_kept) && !pthread_atfork(NULL, NULL, after_fork);
}
