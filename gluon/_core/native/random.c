/* Random numbers of dropout, bit by bit those of NumPy's generator PCG64 for float32.
 *
 * PCG64 (O'Neill, "PCG: A family of simple fast space-efficient statistically good algorithms for
 * random number generation", 2014) advances by s = s * MULTIPLIER + increment in 128 bits, and
 * returns the xor of the two halves of s, rotated by the highest bits. NumPy makes two 24-bit
 * numbers of each draw, the low half first, and keeps an unused half for the next call.
 *
 * k steps are s * a + c, with a and c computed by repeated doubling (Brown, "Random number
 * generation with arbitrary strides", 1994). So each part begins where it would in a single pass,
 * and within a part LEAPS generators run side by side, each LEAPS steps at a time.
 *
 * Arrays: the mask, and the fields of PCG64: the state and the increment, each with the high half
 * first, whether half a draw is left, and that half. Reals: the probability of 0, and the value of
 * the others.
 */
#ifdef __SIZEOF_INT128__
#if F32
__extension__ typedef unsigned __int128 Wide;
enum { LEAPS = 4, AT_A_TIME = 256, DRAWS = PART / 2 };

typedef struct {
    Wide factor, summand;
} Steps;

static Steps steps_of(Wide increment, uint64_t count) {
    Steps one = {(Wide)0x2360ed051fc65da4 << 64 | 0x4385df649fccf645, increment}, all = {1, 0};
    for (; count; count >>= 1) {
        if (count & 1) all = (Steps){all.factor * one.factor, all.summand * one.factor + one.summand};
        one = (Steps){one.factor * one.factor, (one.factor + 1) * one.summand};
    }
    return all;
}
INLINE Wide go(Wide state, Steps steps) { return state * steps.factor + steps.summand; }
INLINE uint64_t draw_of(Wide state) {
    uint64_t mixed = (uint64_t)(state >> 64) ^ (uint64_t)state;
    int turns = (int)(state >> 122);
    return mixed >> turns | mixed << (-turns & 63);
}

/* The draws after a state; there is room for a multiple of LEAPS. */
static void draw(Wide state, Wide increment, int64_t count, uint32_t *to) {
    Steps one = steps_of(increment, 1), leap = steps_of(increment, LEAPS);
    Wide lane[LEAPS];
    for (int j = 0; j < LEAPS; j++) lane[j] = state = go(state, one);
    for (int64_t i = 0; i < count; i += LEAPS)
        for (int j = 0; j < LEAPS; j++) {
            uint64_t drawn = draw_of(lane[j]);
            to[2 * (i + j)] = (uint32_t)drawn;
            to[2 * (i + j) + 1] = (uint32_t)(drawn >> 32);
            lane[j] = go(lane[j], leap);
        }
}
#endif

typedef struct {
    Wide state, increment;
    REAL *y;
    int64_t n;
    uint32_t least_kept;
    REAL kept;
} R(Dropped);

static void R(keep)(const R(Dropped) *v, const uint32_t *restrict number, int64_t n,
                    REAL *restrict y) {
    const uint32_t least_kept = v->least_kept;
    const REAL kept = v->kept;
    for (int64_t i = 0; i < n; i++) y[i] = number[i] >> 8 >= least_kept ? kept : 0;
}

static void R(drop_part)(void *context, int64_t part) {
    const R(Dropped) *v = context;
    int64_t first = part * DRAWS, count = least(DRAWS, (v->n + 1) / 2 - first);
    uint32_t number[2 * AT_A_TIME];
    Wide state = go(v->state, steps_of(v->increment, (uint64_t)first));
    Steps ahead = steps_of(v->increment, AT_A_TIME);
    for (int64_t i = 0; i < count; i += AT_A_TIME, state = go(state, ahead)) {
        int64_t at = 2 * (first + i);
        draw(state, v->increment, least(AT_A_TIME, count - i), number);
        R(keep)(v, number, least(2 * AT_A_TIME, v->n - at), v->y + at);
    }
}

enum outcome R(dropout)(const Call *call) {
    const Array *y = call->array, *known = call->array + 1;
    int64_t n = size_of(y);
    if (call->arrays != 2 || call->reals != 2 || n < 2 || !takes(y, F32 ? FLOAT32 : FLOAT64, n) ||
        !takes(known, INT64, 6) || !(call->real[0] >= 0 && call->real[0] <= 1))
        return DOES_NOT_FIT;
    uint64_t *pcg = (uint64_t *)known->data;
    R(Dropped) v = {(Wide)pcg[0] << 64 | pcg[1], (Wide)pcg[2] << 64 | pcg[3], (REAL *)y->data, n,
                    (uint32_t)ceil((double)(float)call->real[0] * 16777216), (REAL)call->real[1]};
    if (pcg[4]) {
        R(keep)(&v, (const uint32_t[]){(uint32_t)pcg[5]}, 1, v.y++);
        v.n--;
    }
    int64_t draws = (v.n + 1) / 2;
    parallel(R(drop_part), &v, parts_of(draws, DRAWS));
    Wide after = go(v.state, steps_of(v.increment, (uint64_t)draws));
    pcg[0] = (uint64_t)(after >> 64), pcg[1] = (uint64_t)after, pcg[4] = v.n % 2;
    pcg[5] = draw_of(after) >> 32;
    return DONE;
}
#else
enum outcome R(dropout)(const Call *call) { return (void)call, DOES_NOT_FIT; }
#endif
