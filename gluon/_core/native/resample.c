/* Resampling of pictures (pictures, height, width): each new row and column is a weighted sum of a
 * few old ones.
 *
 *     y[i, j] = sum over s, t of row_weight[i, s] column_weight[j, t] x[row[i, s], column[j, t]]
 *
 * The old rows are resampled to the new width first, once each, and then added up. With two taps,
 * as for interpolation, the loops have two terms.
 *
 * Arrays: x; the rows (height, taps) and their weights; the same for columns; y. Integers: pictures,
 * the old height and width, the new ones.
 */
#if F32
enum { MOST_OF_RESAMPLING = 64 };

typedef struct {
    const float *x, *row_weight, *column_weight;
    const int64_t *row, *column;
    float *y;
    int64_t pictures, size[2], out[2], row_taps, column_taps;
    int64_t group, pieces; /* new rows per part; parts per picture */
    atomic_int failed;
} Resampling;

INLINE void new_width(const Resampling *v, const float *x, const int64_t taps,
                         float *restrict y) {
    const int64_t *column = v->column;
    const float *weight = v->column_weight;
    for (int64_t j = 0; j < v->out[1]; j++, column += taps, weight += taps) {
        float sum = weight[0] * x[column[0]];
        for (int64_t t = 1; t < taps; t++) sum += weight[t] * x[column[t]];
        y[j] = sum;
    }
}

INLINE void add_up(const float *const *line, const float *weight, const int64_t taps, int64_t n,
                      float *restrict y) {
    for (int64_t j = 0; j < n; j++) {
        float sum = weight[0] * line[0][j];
        for (int64_t t = 1; t < taps; t++) sum += weight[t] * line[t][j];
        y[j] = sum;
    }
}

static void resample_part(void *context, int64_t part) {
    Resampling *v = context;
    int64_t picture = part / v->pieces, first = part % v->pieces * v->group, width = v->out[1];
    int64_t end = least(first + v->group, v->out[0]), taps = v->row_taps;
    int64_t from = v->size[0], to = -1; /* the old rows that these use */
    for (int64_t k = first * taps; k < end * taps; k++)
        from = least(from, v->row[k]), to = most(to, v->row[k]);
    float *lines = scratch(0, (size_t)((to - from + 1) * width) * sizeof(float));
    if (!lines) v->failed = 1;
    if (!lines) return;
    const float *x = v->x + (picture * v->size[0] + from) * v->size[1], *line[MOST_OF_RESAMPLING];
    for (int64_t k = 0; k <= to - from; k++, x += v->size[1])
        if (v->column_taps == 2) new_width(v, x, 2, lines + k * width);
        else new_width(v, x, v->column_taps, lines + k * width);
    for (int64_t i = first; i < end; i++) {
        const float *weight = v->row_weight + i * taps;
        float *y = v->y + (picture * v->out[0] + i) * width;
        for (int64_t t = 0; t < taps; t++) line[t] = lines + (v->row[i * taps + t] - from) * width;
        if (taps == 2) add_up(line, weight, 2, width, y);
        else add_up(line, weight, taps, width, y);
    }
}

/* The taps of each of `out` places along an axis of n, or 0 if they are invalid. */
static int64_t taps_of(const Array *place, const Array *weight, int64_t n, int64_t out) {
    int64_t taps = place->axes == 2 ? place->shape[1] : 0;
    if (taps < 1 || taps > MOST_OF_RESAMPLING || !holds(place, INT64, out * taps) ||
        !holds(weight, FLOAT32, out * taps))
        return 0;
    const int64_t *at = (const int64_t *)place->data;
    for (int64_t k = 0; k < out * taps; k++)
        if (at[k] < 0 || at[k] >= n) return 0;
    return taps;
}

enum outcome R(resample)(const Call *call) {
    const int64_t *n = call->integer;
    const Array *x = call->array, *y = call->array + 5;
    if (call->arrays != 6 || call->integers != 5) return DOES_NOT_FIT;
    for (int k = 0; k < 5; k++)
        if (n[k] < 1 || n[k] > INT32_MAX) return DOES_NOT_FIT;
    Resampling v = {.pictures = n[0], .size = {n[1], n[2]}, .out = {n[3], n[4]}};
    v.row_taps = taps_of(x + 1, x + 2, n[1], n[3]);
    v.column_taps = taps_of(x + 3, x + 4, n[2], n[4]);
    if (!v.row_taps || !v.column_taps || !is_of(x, n[0], n[1], n[2]) ||
        !is_of(y, n[0], n[3], n[4]) || !y->writeable)
        return DOES_NOT_FIT;
    v.x = (const float *)x[0].data, v.y = (float *)y->data;
    v.row = (const int64_t *)x[1].data, v.row_weight = (const float *)x[2].data;
    v.column = (const int64_t *)x[3].data, v.column_weight = (const float *)x[4].data;
    v.group = most(1, PART / n[4]);
    v.pieces = parts_of(n[3], v.group);
    parallel(resample_part, &v, v.pieces * n[0]);
    return v.failed ? NO_MEMORY : DONE;
}

#endif
