/* Copies between layouts and types, and choices between two arrays. Memory limits their speed, not
 * the processor's instructions, so they are compiled only once.
 *
 *     layout   (x, y): y = x, of another type that convert.h knows, or of the same one. Integer 0,
 *              where there is one, says that arrays of FLOAT16 hold bfloat16
 *     choose   (x1, x2, c, y): y = x1 where the byte c is not 0, x2 elsewhere, all of one type
 *
 * Inputs may be broadcast and in any layout. y is contiguous along one of its axes.
 *
 * Axes are walked in the memory order of y; adjacent axes are merged if the strides of all arrays
 * permit it. If x is contiguous along another axis than y, blocks of these two axes are copied,
 * small enough for their cache lines to stay in the cache.
 */
#include <string.h>

#include "threads.h"
#include "variants.h"

#include "convert.h"

enum { MOST = 4, ROOM = 1024, BLOCK = 64, TILE = 16 };

/* How arrays are walked, the last of which is y: from its last axis in memory to the first. */
typedef struct {
    int arrays, axes;
    char *data[MOST];
    int64_t size[MOST]; /* of a value, in bytes */
    int64_t shape[MAX_AXES], step[MOST][MAX_AXES], count;
} Walk;

typedef struct {
    Walk walk;
    Convert convert[2]; /* one or two conversions; NULL for equal types */
    int across;         /* the axis along which x is walked, or 0 */
    int64_t block[2], blocks[2], group, jobs; /* of axis 0 and of axis `across` */
} Copy;

/* --------------------------------------------------------------------------------- plan */

CHECK void take_axis(Walk *walk, int from, int to) {
    walk->shape[to] = walk->shape[from];
    for (int i = 0; i < walk->arrays; i++) walk->step[i][to] = walk->step[i][from];
}

/* Add axis k of y, counted from the last, if it is longer than 1; 0 if an array does not fit. */
CHECK int add_axis(Walk *walk, const Array *arrays, int k) {
    const Array *y = arrays + walk->arrays - 1;
    int64_t n = y->shape[y->axes - 1 - k], step[MOST];
    for (int i = 0; i < walk->arrays; i++) {
        const Array *x = arrays + i;
        int64_t own = k < x->axes ? x->shape[x->axes - 1 - k] : 1;
        if (own != n && own != 1) return 0;
        step[i] = own > 1 ? x->strides[x->axes - 1 - k] : 0;
        if (step[i] % walk->size[i]) return 0;
    }
    if (n == 1) return 1;
    const int64_t *steps = walk->step[walk->arrays - 1];
    int at = walk->axes++;
    for (; at && steps[at - 1] > step[walk->arrays - 1]; at--) take_axis(walk, at - 1, at);
    walk->shape[at] = n;
    for (int i = 0; i < walk->arrays; i++) walk->step[i][at] = step[i];
    walk->count *= n;
    return n > 0 && step[walk->arrays - 1] > 0;
}

CHECK void join_axes(Walk *walk) {
    int last = 0;
    for (int k = 1; k < walk->axes; k++) {
        int even = 1;
        for (int i = 0; i < walk->arrays; i++)
            even &= walk->step[i][k] == walk->step[i][last] * walk->shape[last];
        if (even) walk->shape[last] *= walk->shape[k];
        else take_axis(walk, k, ++last);
    }
    if (walk->axes) walk->axes = last + 1;
    else { /* one value */
        walk->axes = 1;
        walk->shape[0] = 1;
        for (int i = 0; i < walk->arrays; i++) walk->step[i][0] = walk->size[i];
    }
}

/* Plan a walk over arrays, y the last of them; 0 if it is unsupported. */
CHECK int plan_walk(Walk *walk, const Array *arrays, int count) {
    static const int64_t sizes[] = {0, 4, 8, 4, 8, 1, 1, 2}; /* by enum type */
    const Array *y = arrays + count - 1;
    *walk = (Walk){.arrays = count, .count = 1};
    for (int i = 0; i < count; i++) {
        walk->data[i] = arrays[i].data;
        walk->size[i] = sizes[arrays[i].type];
        if (!arrays[i].data || !walk->size[i] || (uintptr_t)arrays[i].data % walk->size[i] ||
            arrays[i].axes > y->axes)
            return 0;
    }
    for (int k = 0; k < y->axes; k++)
        if (!add_axis(walk, arrays, k)) return 0;
    join_axes(walk);
    return y->writeable && walk->step[count - 1][0] == walk->size[count - 1];
}

/* ---------------------------------------------------------------------------------- runs */

typedef void (*Run)(const void *context, char *const *at, int64_t n);

/* Runs `number` to `end` along axis 0; the axes after it are counted like an odometer. */
static void walk_part(const Walk *walk, int64_t part, Run run, const void *context) {
    int64_t i = part * PART, end = least(i + PART, walk->count), inner = walk->shape[0];
    int64_t number = i / inner, from = i % inner, wheel[MAX_AXES];
    char *at[MOST];
    for (int a = 0; a < walk->arrays; a++) at[a] = walk->data[a] + from * walk->step[a][0];
    for (int k = 1; k < walk->axes; k++) {
        wheel[k] = number % walk->shape[k];
        number /= walk->shape[k];
        for (int a = 0; a < walk->arrays; a++) at[a] += wheel[k] * walk->step[a][k];
    }
    for (int64_t n; i < end; i += n) {
        n = least(end - i, inner - from);
        run(context, at, n);
        for (int a = 0; a < walk->arrays; a++) at[a] -= from * walk->step[a][0];
        from = 0;
        for (int k = 1; k < walk->axes; k++) {
            int64_t back = ++wheel[k] < walk->shape[k] ? 0 : walk->shape[k];
            for (int a = 0; a < walk->arrays; a++) at[a] += (1 - back) * walk->step[a][k];
            if (!back) break;
            wheel[k] = 0;
        }
    }
}

/* y[k * b + j] = x[k * a + j * step], for j < n and k < rows; y is contiguous. */
#define TURN(type)                                                                              \
    for (int64_t k = 0; k < rows; k++)                                                          \
        for (int64_t j = 0; j < n; j++)                                                         \
            *(type *)(y + k * b + j * size) = *(const type *)(x + k * a + j * step);
static void turn(int64_t size, const char *restrict x, int64_t step, int64_t a, char *restrict y,
                 int64_t b, int64_t n, int64_t rows) {
    switch (size) {
    case 1: TURN(uint8_t) break;
    case 2: TURN(uint16_t) break;
    case 4: TURN(uint32_t) break;
    default: TURN(uint64_t)
    }
}
#undef TURN

/* Gather n values that are `step` bytes apart. */
static void gather(int64_t size, const char *restrict x, int64_t step, char *restrict y,
                   int64_t n) {
    if (step == size) memcpy(y, x, (size_t)(n * size));
    else if (step == -size && size == 4) /* a loop that compilers vectorize */
        for (int64_t j = 0; j < n; j++) ((uint32_t *)y)[j] = ((const uint32_t *)x)[-j];
    else if (step) turn(size, x, step, 0, y, 0, n, 1);
    else { /* a single value: a loop fills the first part, and wider stores copy that */
        turn(size, x, 0, 0, y, 0, least(n, ROOM), 1);
        for (int64_t i = ROOM; i < n; i += ROOM)
            memcpy(y + i * size, y, (size_t)(least(ROOM, n - i) * size));
    }
}

/* --------------------------------------------------------------------------------- copies */

/* In pieces if x is not contiguous, or if there is a float between two conversions. */
static void convert_run(const Copy *copy, const char *x, char *y, int64_t n) {
    uint64_t room[ROOM];
    float between[ROOM];
    int64_t size = copy->walk.size[0], step = copy->walk.step[0][0];
    int is_direct = step == size && !copy->convert[1];
    for (int64_t i = 0, some; i < n; i += some) {
        some = is_direct ? n : least(n - i, ROOM);
        const char *from = x + i * step;
        char *to = y + i * copy->walk.size[1];
        if (step != size) gather(size, from, step, (char *)room, some), from = (char *)room;
        copy->convert[0](from, copy->convert[1] ? (char *)between : to, some);
        if (copy->convert[1]) copy->convert[1](between, to, some);
    }
}

static void copy_run(const void *context, char *const *at, int64_t n) {
    const Copy *copy = context;
    if (copy->convert[0]) convert_run(copy, at[0], at[1], n);
    else gather(copy->walk.size[0], at[0], copy->walk.step[0][0], at[1], n);
}

static void copy_part(void *context, int64_t part) {
    walk_part(&((const Copy *)context)->walk, part, copy_run, context);
}

/* A block of n values along axis 0 and `rows` along the other axis, in tiles of TILE. */
static void copy_block(const Copy *copy, const char *x, char *y, int64_t n, int64_t rows) {
    const Walk *walk = &copy->walk;
    int64_t step = walk->step[0][0], a = walk->step[0][copy->across];
    int64_t size = walk->size[1], b = walk->step[1][copy->across];
    for (int64_t j = 0; j < n; j += TILE)
        for (int64_t k = 0; k < rows; k += TILE)
            turn(size, x + j * step + k * a, step, a, y + j * size + k * b, b, least(TILE, n - j),
                 least(TILE, rows - k));
}

static void blocks_part(void *context, int64_t part) {
    const Copy *copy = context;
    const Walk *walk = &copy->walk;
    int64_t end = least((part + 1) * copy->group, copy->jobs);
    for (int64_t job = part * copy->group; job < end; job++) {
        int64_t rest = job, length[2];
        const char *x = walk->data[0];
        char *y = walk->data[1];
        for (int i = 0; i < 2; i++) {
            int axis = i ? copy->across : 0;
            int64_t first = rest % copy->blocks[i] * copy->block[i];
            length[i] = least(copy->block[i], walk->shape[axis] - first);
            x += first * walk->step[0][axis];
            y += first * walk->step[1][axis];
            rest /= copy->blocks[i];
        }
        for (int k = 1; k < walk->axes; k++) {
            if (k == copy->across) continue;
            x += rest % walk->shape[k] * walk->step[0][k];
            y += rest % walk->shape[k] * walk->step[1][k];
            rest /= walk->shape[k];
        }
        copy_block(copy, x, y, length[0], length[1]);
    }
}

/* Find the axis along which x has values closer together than along axis 0, and set the block
 * sizes. */
CHECK void cut_blocks(Copy *copy) {
    const Walk *walk = &copy->walk;
    const int64_t *step = walk->step[0];
    int64_t nearest = step[0] < 0 ? -step[0] : step[0];
    for (int k = 1; k < walk->axes; k++) {
        int64_t away = step[k] < 0 ? -step[k] : step[k];
        if (away && away < nearest) copy->across = k, nearest = away;
    }
    if (!copy->across) return;
    int64_t n = walk->shape[0], rows = walk->shape[copy->across], all = BLOCK * BLOCK;
    copy->block[0] = least(n, most(BLOCK, all / rows));
    copy->block[1] = least(rows, most(BLOCK, all / n));
    copy->blocks[0] = parts_of(n, copy->block[0]);
    copy->blocks[1] = parts_of(rows, copy->block[1]);
    copy->group = most(1, PART / (copy->block[0] * copy->block[1]));
    copy->jobs = walk->count / n / rows * copy->blocks[0] * copy->blocks[1];
}

enum outcome layout_arrays(const Call *call) {
    const Array *x = call->array, *y = x + 1;
    int is_brain = call->integers && call->integer[0] != 0;
    Copy copy = {.across = 0};
    if (call->arrays != 2 || !plan_walk(&copy.walk, x, 2)) return DOES_NOT_FIT;
    if (x->type == y->type) cut_blocks(&copy);
    else if (!conversion(x->type, y->type, is_brain, copy.convert)) return DOES_NOT_FIT;
    if (copy.across) parallel(blocks_part, &copy, parts_of(copy.jobs, copy.group));
    else parallel(copy_part, &copy, parts_of(copy.walk.count, PART));
    return DONE;
}

/* --------------------------------------------------------------------------------- choices */

/* By masks, which avoid mispredicted branches. */
#define CHOOSE(type)                                                                            \
    {                                                                                           \
        const type *restrict a = (const type *)x[0], *restrict b = (const type *)x[1];          \
        type *restrict z = (type *)y;                                                           \
        for (int64_t j = 0; j < n; j++)                                                         \
            z[j] = (type)(b[j] ^ ((a[j] ^ b[j]) & -(type)(c[j] != 0)));                         \
    }
static void choose_values(int64_t size, const char *const *x, char *y, int64_t n) {
    const uint8_t *restrict c = (const uint8_t *)x[2];
    switch (size) {
    case 1: CHOOSE(uint8_t) break;
    case 2: CHOOSE(uint16_t) break;
    case 4: CHOOSE(uint32_t) break;
    default: CHOOSE(uint64_t)
    }
}
#undef CHOOSE

static void choose_run(const void *context, char *const *at, int64_t n) {
    const Walk *walk = context;
    int64_t size = walk->size[3];
    uint64_t room[3][ROOM];
    if (!walk->step[2][0]) { /* one choice for all values */
        int taken = *at[2] ? 0 : 1;
        gather(size, at[taken], walk->step[taken][0], at[3], n);
        return;
    }
    for (int64_t i = 0, some; i < n; i += some) {
        const char *x[3];
        some = least(n - i, ROOM);
        for (int a = 0; a < 3; a++) {
            int64_t step = walk->step[a][0];
            x[a] = step == walk->size[a] ? at[a] + i * step : (char *)room[a];
            if (step != walk->size[a] && (step || !i))
                gather(walk->size[a], at[a] + i * step, step, (char *)room[a], some);
        }
        choose_values(size, x, at[3] + i * size, some);
    }
}

static void choose_part(void *context, int64_t part) {
    walk_part(context, part, choose_run, context);
}

enum outcome choose_arrays(const Call *call) {
    const Array *x = call->array;
    Walk walk;
    if (call->arrays != 4 || !plan_walk(&walk, x, 4) || walk.size[2] != 1 || x[0].type != x[3].type ||
        x[1].type != x[3].type)
        return DOES_NOT_FIT;
    parallel(choose_part, &walk, parts_of(walk.count, PART));
    return DONE;
}
