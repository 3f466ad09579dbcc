/* Regions of interest: averages over their bins, the transpose, and the places of maxima.
 *
 * A bin has a weight for each row of a picture and one for each column. Most are 0; only those from
 * the first to the last nonzero one are used. So
 *
 *     take_bins     y[n, c, p, q] = sum over i, j of rows[n, p, i] columns[n, q, j] x[c, i, j]
 *
 * is computed one axis after the other. `give_bins` is its transpose, from y to x; each channel
 * processes all regions in order. With groups, x is (c, groups, groups, i, j), and each bin takes
 * the picture of its group. Arrays: the input, rows (regions, p, i), columns (regions, q, j) and the
 * result. Integers: channels, regions, p, q, i, j, groups down and across.
 *
 * `first_maxima` gives the place in x, flat, of the first maximum over each bin of whole pixels,
 * for each channel, or -1 for a bin without pixels or picture; NaN counts as the maximum. Arrays: x
 * (batch, channels, height, width), for each bin its picture, top, bottom, left and right,
 * exclusive, all int64, and the places (bins, channels). Integers: batch, channels, height, width.
 */
enum { R(CHANNELS_AT_ONCE) = 16, R(BINS_AT_ONCE) = 64 };

typedef struct {
    const REAL *x, *rows, *columns;
    REAL *y;
    int64_t channels, regions, count[2], size[2], groups[2], blocks;
    int64_t *bounds; /* first, and one past last, nonzero weight of each row, then column */
    atomic_int failed;
} R(Bins);

static int64_t *R(bounds_of)(const R(Bins) *v, int64_t region, int axis) {
    return v->bounds + 2 * (region * (v->count[0] + v->count[1]) + axis * v->count[0]);
}

static void R(find_bounds)(void *context, int64_t region) {
    const R(Bins) *v = context;
    for (int axis = 0; axis < 2; axis++) {
        int64_t n = v->size[axis], *bounds = R(bounds_of)(v, region, axis);
        const REAL *weight = (axis ? v->columns : v->rows) + region * v->count[axis] * n;
        for (int64_t k = 0; k < v->count[axis]; k++, weight += n, bounds += 2) {
            int64_t first = 0, end = n;
            while (first < n && weight[first] == 0) first++;
            while (end > first && weight[end - 1] == 0) end--;
            bounds[0] = first, bounds[1] = end;
        }
    }
}

/* One region in one channel, read from a picture or added to it. `line` holds the values of a row
 * of bins for each column between `left` and `right`. */
INLINE void R(pass_region)(const R(Bins) *v, int64_t region, REAL *restrict picture,
                           REAL *restrict bin, REAL *restrict line, const int gives) {
    const int64_t *down = R(bounds_of)(v, region, 0), *across = R(bounds_of)(v, region, 1);
    int64_t width = v->size[1], columns = v->count[1], left = width, right = 0;
    for (int64_t q = 0; q < columns; q++) {
        if (across[2 * q] == across[2 * q + 1]) continue;
        left = least(left, across[2 * q]);
        right = most(right, across[2 * q + 1]);
    }
    for (int64_t p = 0; p < v->count[0]; p++, bin += columns) {
        const REAL *weight = v->rows + (region * v->count[0] + p) * v->size[0];
        for (int64_t j = left; j < right; j++) line[j] = 0;
        for (int64_t i = down[2 * p]; !gives && i < down[2 * p + 1]; i++)
            for (int64_t j = left; j < right; j++) line[j] += weight[i] * picture[i * width + j];
        for (int64_t q = 0; q < columns; q++) {
            const REAL *share = v->columns + (region * columns + q) * width;
            REAL sum = 0;
            for (int64_t j = across[2 * q]; j < across[2 * q + 1]; j++)
                if (gives) line[j] += share[j] * bin[q];
                else sum += share[j] * line[j];
            if (!gives) bin[q] = sum;
        }
        for (int64_t i = down[2 * p]; gives && i < down[2 * p + 1]; i++)
            for (int64_t j = left; j < right; j++) picture[i * width + j] += weight[i] * line[j];
    }
}

/* The same where each bin has a picture of its own, that of its group. */
INLINE void R(pass_cells)(const R(Bins) *v, int64_t region, REAL *restrict pictures,
                          REAL *restrict bin, const int gives) {
    const int64_t *down = R(bounds_of)(v, region, 0), *across = R(bounds_of)(v, region, 1);
    int64_t width = v->size[1], columns = v->count[1];
    for (int64_t p = 0; p < v->count[0]; p++)
        for (int64_t q = 0; q < columns; q++, bin++) {
            int64_t i = p * v->groups[0] / v->count[0], j = q * v->groups[1] / columns;
            REAL *picture = pictures + (i * v->groups[1] + j) * v->size[0] * width, all = 0;
            const REAL *weight = v->rows + (region * v->count[0] + p) * v->size[0];
            const REAL *share = v->columns + (region * columns + q) * width;
            for (i = down[2 * p]; i < down[2 * p + 1]; i++) {
                REAL *line = picture + i * width, value = gives ? weight[i] * *bin : 0;
                for (j = across[2 * q]; j < across[2 * q + 1]; j++)
                    if (gives) line[j] += share[j] * value;
                    else value += share[j] * line[j];
                all += weight[i] * value;
            }
            if (!gives) *bin = all;
        }
}

/* One region in one channel. */
static void R(pass_channel)(const R(Bins) *v, int64_t region, REAL *pictures, REAL *bin, REAL *line,
                            int gives) {
    if (v->groups[0] * v->groups[1] > 1)
        gives ? R(pass_cells)(v, region, pictures, bin, 1) : R(pass_cells)(v, region, pictures, bin, 0);
    else if (gives) R(pass_region)(v, region, pictures, bin, line, 1);
    else R(pass_region)(v, region, pictures, bin, line, 0);
}

static int64_t R(pixels_of)(const R(Bins) *v) {
    return v->groups[0] * v->groups[1] * v->size[0] * v->size[1];
}

static REAL *R(line_of)(R(Bins) *v) {
    REAL *line = scratch(0, (size_t)v->size[1] * sizeof(REAL));
    if (!line) v->failed = 1;
    return line;
}

/* Some channels of one region. */
static void R(take_part)(void *context, int64_t part) {
    R(Bins) *v = context;
    int64_t region = part / v->blocks, c = part % v->blocks * R(CHANNELS_AT_ONCE);
    int64_t end = least(c + R(CHANNELS_AT_ONCE), v->channels);
    REAL *line = R(line_of)(v);
    for (; line && c < end; c++)
        R(pass_channel)(v, region, (REAL *)v->x + c * R(pixels_of)(v),
                        v->y + (region * v->channels + c) * v->count[0] * v->count[1], line, 0);
}

/* One channel of the picture, for all regions. */
static void R(give_part)(void *context, int64_t c) {
    R(Bins) *v = context;
    REAL *line = R(line_of)(v), *picture = v->y + c * R(pixels_of)(v);
    memset(picture, 0, (size_t)R(pixels_of)(v) * sizeof(REAL));
    for (int64_t region = 0; line && region < v->regions; region++)
        R(pass_channel)(v, region, picture,
                        (REAL *)v->x + (region * v->channels + c) * v->count[0] * v->count[1], line,
                        1);
}

static enum outcome R(pass_bins)(const Call *call, Task part, int gives) {
    enum type type = F32 ? FLOAT32 : FLOAT64;
    const Array *x = call->array;
    const int64_t *n = call->integer;
    if (call->arrays != 4 || call->integers != 8) return DOES_NOT_FIT;
    for (int k = 0; k < 8; k++)
        if (n[k] < 1 || n[k] > INT32_MAX) return DOES_NOT_FIT;
    const Array *bins = gives ? x : x + 3, *picture = gives ? x + 3 : x;
    int64_t values = size_of(bins), pixels = size_of(picture), regions = size_of(x + 1);
    int64_t groups = n[6] * n[7];
    if (values % n[1] || !splits(values / n[1], n[0], n[2], n[3]) || pixels % groups ||
        !splits(pixels / groups, n[0], n[4], n[5]) || !splits(regions, n[1], n[2], n[4]) ||
        !splits(size_of(x + 2), n[1], n[3], n[5]) || !holds(bins, type, values) ||
        !holds(picture, type, pixels) || !holds(x + 1, type, regions) ||
        !holds(x + 2, type, size_of(x + 2)) || !x[3].writeable)
        return DOES_NOT_FIT;
    R(Bins) v = {(const REAL *)x->data, (const REAL *)x[1].data, (const REAL *)x[2].data,
                 (REAL *)x[3].data, n[0], n[1], {n[2], n[3]}, {n[4], n[5]},
                 {n[6], n[7]}, parts_of(n[0], R(CHANNELS_AT_ONCE)), NULL, 0};
    v.bounds = malloc((size_t)(2 * n[1] * (n[2] + n[3])) * sizeof *v.bounds);
    if (!v.bounds) return NO_MEMORY;
    parallel(R(find_bounds), &v, v.regions);
    parallel(part, &v, gives ? v.channels : v.regions * v.blocks);
    free(v.bounds);
    return v.failed ? NO_MEMORY : DONE;
}

enum outcome R(take_bins)(const Call *call) { return R(pass_bins)(call, R(take_part), 0); }
enum outcome R(give_bins)(const Call *call) { return R(pass_bins)(call, R(give_part), 1); }

/* ------------------------------------------------------------------------------- maxima */

typedef struct {
    const REAL *x;
    const int64_t *picture, *edge[4]; /* top, bottom, left, right */
    int64_t *places;
    int64_t bins, batch, channels, height, width;
} R(Maxima);

static int R(has_pixels)(const R(Maxima) *v, int64_t k) {
    return v->picture[k] >= 0 && v->edge[0][k] < v->edge[1][k] && v->edge[2][k] < v->edge[3][k];
}

static void R(maxima_part)(void *context, int64_t part) {
    const R(Maxima) *v = context;
    int64_t first = part * R(BINS_AT_ONCE), end = least(first + R(BINS_AT_ONCE), v->bins);
    for (int64_t c = 0; c < v->channels; c++)
        for (int64_t k = first; k < end; k++) {
            int64_t channel = (v->picture[k] * v->channels + c) * v->height * v->width, found = -1;
            REAL best = 0;
            for (int64_t i = v->edge[0][k]; R(has_pixels)(v, k) && i < v->edge[1][k]; i++)
                for (int64_t j = v->edge[2][k]; j < v->edge[3][k]; j++) {
                    int64_t at = channel + i * v->width + j;
                    REAL x = v->x[at];
                    if (found >= 0 && !(x > best || (x != x && best == best))) continue;
                    best = x;
                    found = at;
                }
            v->places[k * v->channels + c] = found;
        }
}

enum outcome R(first_maxima)(const Call *call) {
    const Array *x = call->array;
    const int64_t *n = call->integer;
    if (call->arrays != 7 || call->integers != 4) return DOES_NOT_FIT;
    for (int k = 0; k < 4; k++)
        if (n[k] < 1 || n[k] > INT32_MAX) return DOES_NOT_FIT;
    int64_t values = size_of(x), bins = size_of(x + 1), made = size_of(x + 6);
    if (bins < 1 || values % n[0] || !splits(values / n[0], n[1], n[2], n[3]) ||
        !holds(x, F32 ? FLOAT32 : FLOAT64, values) || !splits(made, n[1], bins, 1) ||
        !takes(x + 6, INT64, made))
        return DOES_NOT_FIT;
    for (int k = 1; k < 6; k++)
        if (!holds(x + k, INT64, bins)) return DOES_NOT_FIT;
    R(Maxima) v = {(const REAL *)x->data, (const int64_t *)x[1].data, {NULL},
                   (int64_t *)x[6].data, bins, n[0], n[1], n[2], n[3]};
    for (int k = 0; k < 4; k++) v.edge[k] = (const int64_t *)x[2 + k].data;
    for (int64_t k = 0; k < bins; k++)
        if (v.picture[k] >= v.batch || v.edge[0][k] < 0 || v.edge[1][k] > v.height ||
            v.edge[2][k] < 0 || v.edge[3][k] > v.width)
            return DOES_NOT_FIT;
    parallel(R(maxima_part), &v, parts_of(bins, R(BINS_AT_ONCE)));
    return DONE;
}
