/* Resizing of pictures of bytes (batch, height, width, channels), in integer arithmetic.
 *
 * Each new row is a weighted sum of old ones, and so is each new column; weights are multiples of
 * 1/2048. Old rows are resized along the width first, and kept while the next new row uses them
 * too: w = sum(weight * x). Then, for weights of two rows (`halved`, as in 16-bit arithmetic), or
 * for others, with 22 fractional bits:
 *
 *     y = (sum((w >> 4) * weight >> 16) + 2) >> 2       y = (sum(w * weight) + 2^21) >> 22
 *
 * the latter between 0 and 255. Sums wrap around at 32 bits, as NumPy's do.
 *
 * Arrays: x; the rows (height, taps) of new ones and their weights; the same for columns; y.
 * Integers: batch, height, width, channels, the new height and width, `halved`.
 */
#if F32

enum { MOST_TAPS = 64 };

typedef struct {
    const uint8_t *x;
    const int64_t *row, *column;
    const int32_t *row_weight, *column_weight;
    uint8_t *to;
    int64_t batch, size[2], channels, out[2], halved;
    int64_t row_taps, column_taps, group, pieces; /* group: new rows per part */
    atomic_int failed;
} Resizing;

/* One old row in the new width; `channels` and `taps` are constants in the usual cases. */
INLINE void widen(const Resizing *v, const int64_t channels, const int64_t taps, const uint8_t *x,
                  int32_t *restrict y) {
    const int64_t *place = v->column;
    const int32_t *weight = v->column_weight;
    for (int64_t j = 0; j < v->out[1]; j++, place += taps, weight += taps, y += channels)
        for (int64_t c = 0; c < channels; c++) {
            uint32_t sum = 0;
            for (int64_t t = 0; t < taps; t++)
                sum += (uint32_t)x[place[t] * channels + c] * (uint32_t)weight[t];
            y[c] = (int32_t)sum;
        }
}

static void widen_any(const Resizing *v, const uint8_t *x, int32_t *y) {
    if (v->column_taps == 2 && v->channels == 3) widen(v, 3, 2, x, y);
    else if (v->column_taps == 2 && v->channels == 1) widen(v, 1, 2, x, y);
    else if (v->column_taps == 4 && v->channels == 3) widen(v, 3, 4, x, y);
    else widen(v, v->channels, v->column_taps, x, y);
}

/* A new row, from old ones in the new width. */
static void sum_rows(const Resizing *v, int32_t *const *line, const int32_t *weight,
                     uint8_t *restrict y) {
    int64_t n = v->out[1] * v->channels;
    if (v->halved) {
        const int32_t *a = line[0], *b = line[1];
        for (int64_t i = 0; i < n; i++) {
            int32_t sum = ((a[i] >> 4) * weight[0] >> 16) + ((b[i] >> 4) * weight[1] >> 16);
            y[i] = (uint8_t)((sum + 2) >> 2);
        }
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        uint32_t sum = 1u << 21;
        for (int64_t t = 0; t < v->row_taps; t++)
            sum += (uint32_t)line[t][i] * (uint32_t)weight[t];
        int32_t whole = (int32_t)sum >> 22;
        y[i] = (uint8_t)(whole < 0 ? 0 : whole > 255 ? 255 : whole);
    }
}

/* Some new rows of one picture. The resized old row r is kept in slot r % rooms; an old row is used
 * again while it is one of the last `row_taps`, also at the repeated edge of the picture. */
static void resize_part(void *context, int64_t k) {
    Resizing *v = context;
    int64_t picture = k / v->pieces, first = k % v->pieces * v->group, taps = v->row_taps;
    int64_t end = least(first + v->group, v->out[0]), n = v->out[1] * v->channels;
    int32_t *room = scratch(0, (size_t)(taps * n) * sizeof(int32_t)), *line[MOST_TAPS];
    int64_t held[MOST_TAPS];
    if (!room) v->failed = 1;
    for (int64_t t = 0; t < taps; t++) held[t] = -1;
    for (int64_t i = first; room && i < end; i++) {
        for (int64_t t = 0; t < taps; t++) {
            int64_t row = v->row[i * taps + t], at = row % taps;
            line[t] = room + at * n;
            if (held[at] == row) continue;
            widen_any(v, v->x + (picture * v->size[0] + row) * v->size[1] * v->channels, line[t]);
            held[at] = row;
        }
        sum_rows(v, line, v->row_weight + i * taps, v->to + (picture * v->out[0] + i) * n);
    }
}

/* Whether an axis of length n has weights and valid positions for each of `out` places; several
 * taps must be consecutive, so that their slots differ. */
static int64_t read_taps(const Array *place, const Array *weight, int64_t n, int64_t out) {
    int64_t taps = place->axes == 2 ? place->shape[1] : 0;
    if (taps < 1 || taps > MOST_TAPS || !holds(place, INT64, out * taps) ||
        !holds(weight, INT32, out * taps))
        return 0;
    const int64_t *at = (const int64_t *)place->data;
    for (int64_t i = 0; i < out * taps; i++)
        if (at[i] < 0 || at[i] >= n || (i % taps && (at[i] < at[i - 1] || at[i] > at[i - 1] + 1)))
            return 0;
    return taps;
}

enum outcome R(weigh_bytes)(const Call *call) {
    if (call->arrays != 6 || call->integers != 7) return DOES_NOT_FIT;
    const int64_t *n = call->integer;
    const Array *x = call->array, *y = call->array + 5;
    for (int k = 0; k < 6; k++)
        if (n[k] < 1) return DOES_NOT_FIT;
    Resizing v = {.batch = n[0], .size = {n[1], n[2]}, .channels = n[3], .out = {n[4], n[5]}};
    v.halved = n[6];
    v.row_taps = read_taps(&call->array[1], &call->array[2], n[1], n[4]);
    v.column_taps = read_taps(&call->array[3], &call->array[4], n[2], n[5]);
    if (!v.row_taps || !v.column_taps || (v.halved && v.row_taps != 2) ||
        !holds(x, UINT8, n[0] * n[1] * n[2] * n[3]) || !takes(y, UINT8, n[0] * n[4] * n[5] * n[3]))
        return DOES_NOT_FIT;
    v.x = (const uint8_t *)x->data;
    v.row = (const int64_t *)call->array[1].data;
    v.row_weight = (const int32_t *)call->array[2].data;
    v.column = (const int64_t *)call->array[3].data;
    v.column_weight = (const int32_t *)call->array[4].data;
    v.to = (uint8_t *)y->data;
    v.group = most(1, PART / (n[5] * n[3]));
    v.pieces = parts_of(n[4], v.group);
    parallel(resize_part, &v, v.pieces * n[0]);
    return v.failed ? NO_MEMORY : DONE;
}

#endif
