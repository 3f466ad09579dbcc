/* How elementwise operations walk through arrays that broadcast.
 *
 * The axes of the inputs are matched from the last, as in NumPy. Adjacent axes are merged if the
 * strides of both inputs permit it, so that most calls become one long run; rows and a vector need
 * two axes, channels and pictures three. Along the last axis, an input is either contiguous or
 * broadcast; NumPy handles other layouts. The result is cut into parts of PART values. If an input
 * does not have the values of a part contiguously, because it broadcasts or its runs are short,
 * they are copied first.
 */
#include <string.h>

#include "threads.h"
#include "variants.h"

static int itemsize(enum type type) { return type == FLOAT64 || type == INT64 ? 8 : 4; }

/* The length and the stride of axis k, counted from the last, of one input. */
static int64_t length(const Array *x, int k) { return k < x->axes ? x->shape[x->axes - 1 - k] : 1; }
static int64_t step(const Array *x, int k) {
    return length(x, k) > 1 ? x->strides[x->axes - 1 - k] : 0;
}

static int joins(const Loops *loops, const int64_t *steps) {
    int last = loops->axes - 1; /* the axes are stored from the last to the first */
    if (last < 0) return 0;
    for (int i = 0; i < 2; i++)
        if (steps[i] != loops->step[i][last] * loops->shape[last]) return 0;
    return 1;
}

int plan(Loops *loops, const Array *x, intptr_t *shape) {
    int axes = x[1].axes > x[0].axes ? x[1].axes : x[0].axes;
    loops->axes = 0;
    for (int k = 0; k < axes; k++) {
        int64_t n = length(&x[0], k), m = length(&x[1], k);
        if (n != m && n != 1 && m != 1) return -1;
        int64_t longer = n == 1 ? m : n;
        shape[axes - 1 - k] = longer;
        if (longer == 0) return -1;
        if (longer == 1) continue;
        int64_t steps[2] = {step(&x[0], k), step(&x[1], k)};
        if (joins(loops, steps)) loops->shape[loops->axes - 1] *= longer;
        else {
            loops->shape[loops->axes] = longer;
            for (int i = 0; i < 2; i++) loops->step[i][loops->axes] = steps[i];
            loops->axes++;
        }
    }
    if (!loops->axes) return -1;
    for (int i = 0; i < 2; i++) {
        int size = itemsize(x[i].type);
        loops->unit[i] = loops->step[i][0] != 0;
        if (loops->unit[i] && loops->step[i][0] != size) return -1;
        if ((uintptr_t)x[i].data % size) return -1;
        for (int k = 1; k < loops->axes; k++)
            if (loops->step[i][k] % size) return -1;
    }
    if (!loops->unit[0] && !loops->unit[1]) return -1; /* views of broadcast arrays */
    loops->inner = loops->shape[0];
    loops->outer = 1;
    for (int k = 1; k < loops->axes; k++) loops->outer *= loops->shape[k];
    return axes;
}

/* Whether the runs of an input are contiguous, as those of the result are. */
static int is_linear(const Loops *loops, int input) {
    int64_t next = loops->unit[input] ? loops->step[input][0] : -1;
    for (int k = 0; k < loops->axes; k++) {
        if (loops->step[input][k] != next) return 0;
        next *= loops->shape[k];
    }
    return 1;
}

/* SHORT runs are copied together, at most ROOM values; longer ones are walked one by one. */
enum { SHORT = 128, ROOM = 1024 };

typedef struct {
    const Loops *loops;
    Loop loop;
    const Array *x; /* the inputs (a single one twice) and the result */
    int linear[2];
    int64_t size, size_of_result; /* of one value, in bytes */
} Work;

/* Where run number `run` of an input begins. */
static const char *start(const Work *work, int input, int64_t run) {
    const Loops *loops = work->loops;
    const char *at = work->x[input].data;
    for (int k = 1; k < loops->axes; k++) {
        at += run % loops->shape[k] * loops->step[input][k];
        run /= loops->shape[k];
    }
    return at;
}

static void fill(char *to, const char *from, int64_t n, int64_t size) {
    if (size == 4) {
        const uint32_t value = *(const uint32_t *)from;
        for (int64_t i = 0; i < n; i++) ((uint32_t *)to)[i] = value;
    } else {
        const uint64_t value = *(const uint64_t *)from;
        for (int64_t i = 0; i < n; i++) ((uint64_t *)to)[i] = value;
    }
}

/* n values of an input from number `first` on, from several runs. */
static void gather(const Work *work, int input, int64_t first, int64_t n, char *to) {
    int64_t inner = work->loops->inner, size = work->size;
    int64_t run = first / inner, from = first % inner;
    for (int64_t count; n; from = 0, run++, n -= count, to += count * size) {
        const char *at = start(work, input, run);
        count = least(inner - from, n);
        if (work->loops->unit[input]) memcpy(to, at + from * size, (size_t)(count * size));
        else fill(to, at, count, size);
    }
}

/* Loops take multiples of AT_ONCE: the last values are computed again with some before them, or
 * with zeros. */
static void run_loop(const Work *work, int64_t n, const char *const *x, const int *step, char *y) {
    int64_t whole = n & -AT_ONCE, last = n - AT_ONCE, of_result = work->size_of_result;
    int64_t size[2] = {step[0] * work->size, step[1] * work->size};
    if (whole) work->loop(whole, x[0], step[0], x[1], step[1], y);
    if (whole == n) return;
    if (whole) {
        work->loop(AT_ONCE, x[0] + last * size[0], step[0], x[1] + last * size[1], step[1],
                   y + last * of_result);
        return;
    }
    double rest[3][AT_ONCE] = {0};
    for (int k = 0; k < 2; k++)
        memcpy(rest[k], x[k], (size_t)(step[k] ? n * work->size : work->size));
    work->loop(AT_ONCE, rest[0], step[0], rest[1], step[1], rest[2]);
    memcpy(y, rest[2], (size_t)(n * of_result));
}

/* Values `first` to `end` of the result, in short runs. */
static void short_runs(const Work *work, int64_t first, int64_t end) {
    double room[2][ROOM];
    for (int64_t i = first, n; i < end; i += n) {
        const char *x[2];
        n = least(end - i, ROOM);
        for (int k = 0; k < 2; k++) {
            x[k] = work->linear[k] ? work->x[k].data + i * work->size : (char *)room[k];
            if (!work->linear[k]) gather(work, k, i, n, (char *)room[k]);
        }
        run_loop(work, n, x, (const int[]){1, 1}, work->x[2].data + i * work->size_of_result);
    }
}

/* The same in long runs. */
static void long_runs(const Work *work, int64_t first, int64_t end) {
    const Loops *loops = work->loops;
    for (int64_t i = first, n; i < end; i += n) {
        int64_t run = i / loops->inner, from = i % loops->inner;
        const char *x[2];
        n = least(end - i, loops->inner - from);
        for (int k = 0; k < 2; k++)
            x[k] = start(work, k, run) + (loops->unit[k] ? from * work->size : 0);
        run_loop(work, n, x, loops->unit, work->x[2].data + i * work->size_of_result);
    }
}

static void part(void *context, int64_t k) {
    const Work *work = context;
    int64_t end = least((k + 1) * PART, work->loops->inner * work->loops->outer);
    int is_short = work->loops->inner < SHORT && !(work->linear[0] && work->linear[1]);
    (is_short ? short_runs : long_runs)(work, k * PART, end);
}

void run_loops(const Loops *loops, Loop loop, const Array *x) {
    Work work = {.loops = loops, .loop = loop, .x = x, .size = itemsize(x[0].type)};
    work.size_of_result = x[2].type == BOOL ? 1 : itemsize(x[2].type);
    for (int k = 0; k < 2; k++) work.linear[k] = is_linear(loops, k);
    parallel(part, &work, parts_of(loops->inner * loops->outer, PART));
}
