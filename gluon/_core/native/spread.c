/* Whether Winograd's method rounds about as little as plain sums do; see winograd.c.
 *
 * Its transforms mix the values of a tile: the error of a result is in proportion to the largest
 * values of the tile, that of a plain sum to those of its own window. So one large value spoils the
 * results of windows that do not contain it. The size of a pixel is the root of the sum of its
 * squares over the channels. Results have few times the error of plain sums as long as the largest
 * pixel of each tile is at most RANGE times the largest one of each window of the tile.
 *
 * The gradient in the weight sums over tiles. There, products of the tile with the largest cotangents
 * round like those of its largest values, and must not exceed the share PART_OF_ALL of the others.
 *
 * Squares are those of values times SCALE, so that they do not vanish for values from 1e-25 on. They
 * overflow for values from about 1e13 on, which are then left to plain sums, as NaN is.
 */
#if F32
#include "windows.h"
#include "winograd.h"

enum { RANGE = 7, PIXELS = 2048, SCALE = 1 << 20 };
static const float PART_OF_ALL = 0.1f;

/* The squared sizes of the pixels of all pictures and groups, (pictures * groups, area). */
typedef struct {
    const float *x;
    int64_t count, channels, area, pieces;
    float *size;
} Sizes;

/* Some pixels of a picture. */
static void size_part(void *context, int64_t k) {
    const Sizes *work = context;
    int64_t first = k % work->pieces * PIXELS, picture = k / work->pieces;
    int64_t count = least(PIXELS, work->area - first);
    const float *x = work->x + picture * work->channels * work->area + first;
    float *restrict size = work->size + picture * work->area + first;
    memset(size, 0, (size_t)count * sizeof(float));
    for (int64_t c = 0; c < work->channels; c++, x += work->area)
        for (int64_t i = 0; i < count; i++) {
            float value = x[i] * SCALE;
            size[i] += value * value;
        }
}

/* Returns 0 if memory is lacking; the caller frees `size`. */
static int find_sizes(Sizes *work) {
    work->size = malloc((size_t)(work->count * work->area) * sizeof(float));
    work->pieces = parts_of(work->area, PIXELS);
    if (work->size) parallel(size_part, work, work->count * work->pieces);
    return work->size != NULL;
}

typedef struct {
    const R(Conv) *v;
    const float *size;
    atomic_int *unusual;
} Spread;

/* The largest pixel of each window of one line, whose first row is `h`; `column` is for two more. */
static void find_largest(const R(Conv) *v, const float *size, int64_t h, float *column, float *to) {
    int64_t begin = most(v->pad[2], 0), skip = begin - v->pad[2], wide = v->out[2];
    int64_t count = least(v->size[2] - skip, wide + 2 - begin);
    memset(column, 0, (size_t)(wide + 2) * sizeof(float));
    for (int64_t row = most(h, 0); row < least(h + 3, v->size[1]); row++) {
        const float *from = size + row * v->size[2] + skip;
        for (int64_t w = 0; w < count; w++)
            column[begin + w] = from[w] > column[begin + w] ? from[w] : column[begin + w];
    }
    for (int64_t w = 0; w < wide; w++) {
        float two = column[w] > column[w + 1] ? column[w] : column[w + 1];
        to[w] = two > column[w + 2] ? two : column[w + 2];
    }
}

/* The tiles of a picture. */
static void compare_windows(void *context, int64_t picture) {
    const Spread *work = context;
    const R(Conv) *v = work->v;
    const float *size = work->size + picture * v->size[1] * v->size[2];
    int64_t wide = v->out[2];
    float *one = scratch(0, (size_t)(4 * wide + 2) * sizeof(float));
    if (!one) return atomic_store(v->failed, 1);
    float *low = one + wide, *high = low + wide, *column = high + wide;
    int usual = 1;
    for (int64_t i = 0; i < v->size[1] * v->size[2]; i++) usual &= size[i] < INFINITY;
    for (int64_t h = 0; h < v->out[1]; h++) {
        find_largest(v, size, h - v->pad[1], column, one);
        for (int64_t w = 0; w < wide; w++) {
            low[w] = h % TILE_SIZE && low[w] < one[w] ? low[w] : one[w];
            high[w] = h % TILE_SIZE && high[w] > one[w] ? high[w] : one[w];
        }
        if ((h + 1) % TILE_SIZE && h + 1 < v->out[1]) continue;
        for (int64_t w = 0; w < wide; w += TILE_SIZE) {
            float least_of = low[w], most_of = high[w];
            for (int64_t k = w + 1; k < least(w + TILE_SIZE, wide); k++) {
                least_of = low[k] < least_of ? low[k] : least_of;
                most_of = high[k] > most_of ? high[k] : most_of;
            }
            usual &= most_of <= RANGE * RANGE * least_of;
        }
    }
    if (!usual) atomic_store(work->unusual, 1);
}

/* Whether windows of the picture x differ too much from their neighbours, or there is NaN or a
 * number that is too large; `v->failed` is set if memory is lacking. */
static int spreads_far(const R(Conv) *v, const float *x) {
    Sizes sizes = {.x = x, .count = v->batch * v->groups, .channels = v->channels,
                   .area = v->size[1] * v->size[2]};
    atomic_int unusual = 0;
    Spread work = {v, NULL, &unusual};
    if (!find_sizes(&sizes)) return atomic_store(v->failed, 1), 1;
    work.size = sizes.size;
    parallel(compare_windows, &work, sizes.count);
    free(sizes.size);
    return unusual;
}

/* Whether the cotangents of one tile may outweigh the others. */
static int outweighs(const R(Conv) *v, const float *g) {
    Sizes sizes = {.x = g, .count = v->batch * v->groups, .channels = v->filters,
                   .area = v->out[1] * v->out[2]};
    if (!find_sizes(&sizes)) return atomic_store(v->failed, 1), 1;
    double sum = 0;
    float largest = 0;
    for (int64_t k = 0; k < sizes.count * sizes.area; k += PIXELS) {
        float lane[16] = {0}, most_of[16] = {0};
        int64_t count = least(PIXELS, sizes.count * sizes.area - k);
        for (int64_t i = 0; i < count; i++) {
            float size = sqrtf(sizes.size[k + i]);
            lane[i % 16] += size;
            most_of[i % 16] = size > most_of[i % 16] ? size : most_of[i % 16];
        }
        for (int i = 0; i < 16; i++) {
            sum += lane[i];
            largest = most_of[i] > largest ? most_of[i] : largest;
        }
    }
    free(sizes.size);
    return !(TILE_SIZE * TILE_SIZE * largest <= PART_OF_ALL * sum && sum < INFINITY);
}

/* Whether one weight of a filter is more than half of the sum of all, or the sum is too large: results
 * of windows in which that weight meets zeros would have its error. */
static int is_uneven(const R(Conv) *v) {
    for (int64_t k = 0; k < v->groups * v->filters; k++) {
        const float *from =
            v->weight + k / v->filters * v->group_step + k % v->filters * v->filter_step;
        float sum = 0, largest = 0;
        for (int64_t t = 0; t < v->taps; t++) {
            float size = fabsf(from[v->weight_at[t]]);
            sum += size;
            largest = size > largest ? size : largest;
        }
        if (!(largest <= 0.5f * sum && sum < 0x1p100f)) return 1;
    }
    return 0;
}

/* Arrays: x and the weight; DONE where Winograd's convolution rounds little. */
enum outcome R(spread)(const Call *call) {
    R(Conv) v;
    atomic_int failed = 0;
    if (call->arrays != 2 || !R(read_conv)(call, &v)) return DOES_NOT_FIT;
    v.failed = &failed;
    if (v.kernel[0] != 1 || v.kernel[1] != 3 || v.kernel[2] != 3 || v.size[0] != 1 ||
        !holds(call->array, FLOAT32, v.batch * v.groups * v.channels * v.size[1] * v.size[2]) ||
        !R(read_weight)(call->array + 1, FLOAT32, &v))
        return DOES_NOT_FIT;
    if (!R(make_offsets)(&v, call->array + 1)) return NO_MEMORY;
    int far = is_uneven(&v) || spreads_far(&v, (const float *)call->array[0].data);
    free(v.tap_at);
    return failed ? NO_MEMORY : far ? DOES_NOT_FIT : DONE;
}

/* Arrays: g and x; DONE where Winograd's gradient in the weight rounds little. */
enum outcome R(spread_grad)(const Call *call) {
    R(Conv) v;
    atomic_int failed = 0;
    if (call->arrays != 2 || !R(read_conv)(call, &v)) return DOES_NOT_FIT;
    v.failed = &failed;
    if (v.size[0] != 1 || v.out[0] != 1 ||
        !holds(call->array, FLOAT32, v.batch * v.groups * v.filters * v.positions) ||
        !holds(call->array + 1, FLOAT32, v.batch * v.groups * v.channels * v.size[1] * v.size[2]))
        return DOES_NOT_FIT;
    int far = spreads_far(&v, (const float *)call->array[1].data) ||
              outweighs(&v, (const float *)call->array[0].data);
    return failed ? NO_MEMORY : far ? DOES_NOT_FIT : DONE;
}
#endif
