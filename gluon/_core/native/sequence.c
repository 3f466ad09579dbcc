/* Sorting orders of rows, complete or of the first k values.
 *
 * A number becomes a key, an unsigned integer in the same order: a positive number with the sign
 * bit set, a negative one with all bits inverted. -0 counts as 0, and NaN as the maximum, just
 * below the last key, which is unused. For descending order, the keys are inverted again, so that
 * equal values keep their order.
 *
 * Keys with their places are sorted by each of their bytes in turn, the lowest first (radix sort);
 * the first few of a row are extracted one by one, from blocks whose lowest keys are known. In a
 * row of up to KEYS, the rank of a value is the number of smaller keys.
 *
 * Arrays: x (rows, n), the places (rows, k), int64. Integers: rows, n, k and whether to sort in
 * descending order.
 */
#if F32
typedef uint32_t R(Key);
#else
typedef uint64_t R(Key);
#endif
enum { R(BYTES) = sizeof(REAL), R(BYTE) = 256, R(KEYS) = 64, R(BESIDE) = VECTOR_BYTES / sizeof(REAL) };

typedef struct {
    R(Key) key;
    uint32_t place;
} R(Entry);

typedef struct {
    const REAL *x;
    int64_t *places;
    int64_t rows, n, k, group;
    R(Key) turn;
    atomic_int failed;
} R(Sorting);

INLINE R(Key) R(key_of)(REAL x, R(Key) turn) {
    const R(Key) sign = (R(Key))1 << (8 * R(BYTES) - 1), all = ~(R(Key))0;
    REAL without_sign = x + 0; /* of a zero */
    R(Key) bits;
    memcpy(&bits, &without_sign, sizeof bits);
    bits = bits & sign ? ~bits : bits | sign;
    return (x != x ? all - 1 : bits) ^ turn;
}

static R(Key) R(lowest_of)(const R(Key) *key) {
    R(Key) lowest = ~(R(Key))0;
    for (int j = 0; j < R(KEYS); j++) lowest = key[j] < lowest ? key[j] : lowest;
    return lowest;
}

/* The places of the first k of n values, in order, by blocks of KEYS. */
static void R(take_first)(const R(Sorting) *v, const REAL *x, R(Key) *key, int64_t *places) {
    const R(Key) turn = v->turn, taken = ~(R(Key))0;
    int64_t n = v->n, blocks = parts_of(n, R(KEYS));
    R(Key) *lowest = key + blocks * R(KEYS);
    for (int64_t i = 0; i < n; i++) key[i] = R(key_of)(x[i], turn);
    for (int64_t i = n; i < blocks * R(KEYS); i++) key[i] = taken;
    for (int64_t b = 0; b < blocks; b++) lowest[b] = R(lowest_of)(key + b * R(KEYS));
    for (int64_t i = 0; i < v->k; i++) {
        int64_t block = 0, j = 0;
        for (int64_t b = 1; b < blocks; b++) block = lowest[b] < lowest[block] ? b : block;
        R(Key) *here = key + block * R(KEYS);
        while (here[j] != lowest[block]) j++;
        places[i] = block * R(KEYS) + j;
        here[j] = taken;
        lowest[block] = R(lowest_of)(here);
    }
}

/* Whether that is faster than sorting everything; its cost per extracted value, in keys. */
INLINE int R(few)(const R(Sorting) *v) {
    return v->k < 8 * v->n / (R(KEYS) + parts_of(v->n, R(KEYS)));
}

/* The places of the first k of up to KEYS values, by their ranks; later keys are unused. */
static void R(rank)(const R(Sorting) *v, const REAL *x, int64_t *places) {
    R(Key) key[R(KEYS)], rank[R(KEYS)];
    const int n = (int)v->n;
    for (int i = 0; i < n; i++) key[i] = R(key_of)(x[i], v->turn);
    for (int i = n; i < R(KEYS); i++) key[i] = ~(R(Key))0;
    for (int i = 0; i < n; i += R(BESIDE)) {
        R(Key) before[R(BESIDE)] = {0};
        for (int j = 0; j < n; j++)
            for (int m = 0; m < R(BESIDE); m++)
                before[m] += (key[j] < key[i + m]) | ((key[j] == key[i + m]) & (j < i + m));
        memcpy(rank + i, before, sizeof before);
    }
    for (int i = 0; i < n; i++)
        if ((int64_t)rank[i] < v->k) places[rank[i]] = i;
}

/* The entries of n values in order, in one of two buffers. */
static R(Entry) *R(sort_by_bytes)(const R(Sorting) *v, const REAL *x, R(Entry) *from) {
    int64_t n = v->n;
    R(Entry) *to = from + n;
    uint32_t count[R(BYTES)][R(BYTE)] = {{0}};
    for (int64_t i = 0; i < n; i++) {
        R(Key) key = R(key_of)(x[i], v->turn);
        from[i] = (R(Entry)){key, (uint32_t)i};
        for (int b = 0; b < R(BYTES); b++) count[b][key >> 8 * b & 255]++;
    }
    for (int b = 0; b < R(BYTES); b++) {
        if (count[b][from[0].key >> 8 * b & 255] == n) continue; /* all bytes are equal here */
        uint32_t before = 0;
        for (int k = 0; k < R(BYTE); k++) {
            uint32_t here = count[b][k];
            count[b][k] = before;
            before += here;
        }
        for (int64_t i = 0; i < n; i++) to[count[b][from[i].key >> 8 * b & 255]++] = from[i];
        R(Entry) *sorted = to;
        to = from;
        from = sorted;
    }
    return from;
}

static void R(order_part)(void *context, int64_t part) {
    R(Sorting) *v = context;
    int64_t end = least((part + 1) * v->group, v->rows);
    R(Entry) *room = scratch(0, (size_t)(2 * v->n + R(KEYS)) * sizeof *room);
    if (!room) v->failed = 1;
    for (int64_t r = part * v->group; room && r < end; r++) {
        const REAL *x = v->x + r * v->n;
        int64_t *places = v->places + r * v->k;
        if (v->n <= R(KEYS)) R(rank)(v, x, places);
        else if (R(few)(v)) R(take_first)(v, x, (R(Key) *)room, places);
        else {
            const R(Entry) *sorted = R(sort_by_bytes)(v, x, room);
            for (int64_t i = 0; i < v->k; i++) places[i] = sorted[i].place;
        }
    }
}

enum outcome R(order)(const Call *call) {
    enum type type = F32 ? FLOAT32 : FLOAT64;
    const Array *x = call->array, *y = call->array + 1;
    const int64_t *n = call->integer;
    if (call->arrays != 2 || call->integers != 4 || n[0] < 1 || n[1] < 1 || n[1] > INT32_MAX ||
        n[2] < 1 || n[2] > n[1])
        return DOES_NOT_FIT;
    int64_t given = size_of(x), made = size_of(y);
    if (!splits(given, n[0], n[1], 1) || !splits(made, n[0], n[2], 1) || !holds(x, type, given) ||
        !takes(y, INT64, made))
        return DOES_NOT_FIT;
    R(Sorting) v = {.x = (const REAL *)x->data,
                  .places = (int64_t *)y->data,
                  .rows = n[0],
                  .n = n[1],
                  .k = n[2],
                  .group = most(1, PART / 8 / n[1]),
                  .turn = n[3] ? ~(R(Key))0 : 0};
    parallel(R(order_part), &v, parts_of(v.rows, v.group));
    return v.failed ? NO_MEMORY : DONE;
}
