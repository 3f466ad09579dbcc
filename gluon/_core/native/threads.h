/* One pool of threads. `parallel` runs task(context, k) for all k below `parts`, each once.
 *
 * Parts are made by the size of the work alone, never by the number of threads, and each is
 * computed by one thread from beginning to end: so results are the same for every number of
 * threads. A call from a second Python thread, while the pool is busy, runs on its own thread.
 */
#ifndef GLUON_THREADS_H
#define GLUON_THREADS_H

#include <stddef.h>
#include <stdint.h>

/* The values that a part of elementwise work has: long enough to be worth waking a thread for. */
enum { PART = 32768 };

typedef void (*Task)(void *context, int64_t part);

void parallel(Task task, void *context, int64_t parts);

/* Use `count` threads from now on, the caller's included. */
void set_threads(int count);
int count_threads(void);

/* Memory of the calling thread, kept for its next call and freed when the thread ends; NULL where
 * there is none. It is aligned to 64 bytes. Each of the SCRATCHES buffers is separate. */
enum { SCRATCHES = 6 };
void *scratch(int which, size_t bytes);

/* To be called once, when the library is loaded; 0 if the system lacks what it needs. */
int prepare_threads(void);

#endif
