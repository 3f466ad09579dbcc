/* How elementwise operations walk through arrays that broadcast.
 *
 * The axes of the inputs are matched from the last, as in NumPy. Neighbouring axes that both
 * inputs walk evenly are joined, so that most calls become one long run, rows with a vector two
 * axes, channels with their pictures three. Along the last axis an input either goes on from one
 * value to the next or stays at one; other layouts are left to NumPy. Long runs are cut into parts
 * of PART values, short ones gathered until they have as many.
 */
#include "threads.h"
#include "variants.h"

static int itemsize(enum type type) { return type == FLOAT64 || type == INT64 ? 8 : 4; }

/* The length and the step of axis k, counted from the last, of one input. */
static int64_t length(const Array *x, int k) { return k < x->axes ? x->shape[x->axes - 1 - k] : 1; }
static int64_t step(const Array *x, int k) {
    return length(x, k) > 1 ? x->strides[x->axes - 1 - k] : 0;
}

static int joins(const Loops *loops, int inputs, const int64_t *steps) {
    int last = loops->axes - 1; /* the axes are held from the last to the first */
    if (last < 0) return 0;
    for (int i = 0; i < inputs; i++)
        if (steps[i] != loops->step[i][last] * loops->shape[last]) return 0;
    return 1;
}

int plan(Loops *loops, const Array *x, int inputs, intptr_t *shape) {
    int axes = inputs == 2 && x[1].axes > x[0].axes ? x[1].axes : x[0].axes;
    loops->axes = 0;
    for (int k = 0; k < axes; k++) {
        int64_t n = length(&x[0], k), m = inputs == 2 ? length(&x[1], k) : n;
        if (n != m && n != 1 && m != 1) return -1;
        int64_t longer = n == 1 ? m : n;
        shape[axes - 1 - k] = longer;
        if (longer == 0) return -1;
        if (longer == 1) continue;
        int64_t steps[2] = {step(&x[0], k), inputs == 2 ? step(&x[1], k) : 0};
        if (joins(loops, inputs, steps)) loops->shape[loops->axes - 1] *= longer;
        else {
            loops->shape[loops->axes] = longer;
            for (int i = 0; i < 2; i++) loops->step[i][loops->axes] = steps[i];
            loops->axes++;
        }
    }
    if (!loops->axes) return -1;
    for (int i = 0; i < inputs; i++) {
        int size = itemsize(x[i].type);
        loops->unit[i] = loops->step[i][0] != 0;
        if (loops->unit[i] && loops->step[i][0] != size) return -1;
        if ((uintptr_t)x[i].data % size) return -1;
        for (int k = 1; k < loops->axes; k++)
            if (loops->step[i][k] % size) return -1;
    }
    loops->inner = loops->shape[0];
    loops->outer = 1;
    for (int k = 1; k < loops->axes; k++) loops->outer *= loops->shape[k];
    return axes;
}

typedef struct {
    const Loops *loops;
    Loop loop;
    const Array *x;
    int inputs, size, size_of_result;
    int64_t pieces; /* the parts of one run */
    int64_t runs;   /* the runs of one part */
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

static void one_run(const Work *work, int64_t run, int64_t first, int64_t last) {
    const Loops *loops = work->loops;
    const char *x = start(work, 0, run), *z = work->inputs == 2 ? start(work, 1, run) : NULL;
    char *y = work->x[2].data + (run * loops->inner + first) * work->size_of_result;
    if (loops->unit[0]) x += first * work->size;
    if (work->inputs == 2 && loops->unit[1]) z += first * work->size;
    work->loop(last - first, x, loops->unit[0], z, work->inputs == 2 && loops->unit[1], y);
}

static void part(void *context, int64_t k) {
    const Work *work = context;
    int64_t inner = work->loops->inner;
    if (work->pieces > 1) {
        int64_t piece = k % work->pieces;
        one_run(work, k / work->pieces, inner * piece / work->pieces,
                inner * (piece + 1) / work->pieces);
        return;
    }
    int64_t end = least((k + 1) * work->runs, work->loops->outer);
    for (int64_t run = k * work->runs; run < end; run++) one_run(work, run, 0, inner);
}

void run_loops(const Loops *loops, Loop loop, const Array *x, int inputs) {
    Work work = {loops, loop, x, inputs, itemsize(x[0].type)};
    work.size_of_result = x[2].type == BOOL ? 1 : itemsize(x[2].type);
    work.pieces = parts_of(loops->inner, PART);
    work.runs = most(1, PART / loops->inner);
    parallel(part, &work,
             work.pieces > 1 ? loops->outer * work.pieces : parts_of(loops->outer, work.runs));
}
