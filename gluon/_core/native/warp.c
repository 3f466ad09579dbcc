/* Interpolation in pictures (batch, channels, height, width): the values at lists of points, the
 * transpose, and the slopes of the values along both axes.
 *
 * A point has four pixels around it, and a weight for each: 1 - f and f along both axes, or the
 * slopes of these, -1 and 1. Pixels outside a picture are 0. The borders are those of
 * gluon/_core/kernels/warp.py: with ZERO, a picture is surrounded by zeros; with the others, its
 * outermost pixels are repeated, up to a limit beyond which everything is 0.
 *
 * Arrays: of `sample` x, rows and columns (lists, points), the picture of each list (below 0:
 * none), y (lists, channels, points); of `sample_grad` the same with x and y exchanged; of
 * `sample_slopes` x, the values (lists, channels, points), rows, columns, pictures, and both
 * results (lists, points). Integers: batch, channels, height, width, lists, points, border, and the
 * two slopes.
 */
#if F32
enum { POINTS_AT_ONCE = 256 };
enum border { ZERO, DEFORM, PART_OF_PIXEL, ALIGN };

/* Positions from `low` to `high` are valid; they are clipped to `first` to `last`. */
typedef struct {
    float low, high, first, last;
    int32_t pixels;
} Edge;

typedef struct {
    const float *x, *rows, *columns, *values;
    const int64_t *image;
    float *y, *along;
    Edge edge[2];
    int64_t batch, channels, pixels, lists, points, slope[2];
    int64_t pieces; /* parts per list */
    atomic_int failed;
} Sampling;

/* The four pixels around each point, whether they are inside, and their weights. */
typedef struct {
    int32_t at[4][POINTS_AT_ONCE], inside[4][POINTS_AT_ONCE];
    float weight[4][POINTS_AT_ONCE];
} Around;

/* For positions along an axis, the pixel before (-2 if neither it nor the next is valid) and the
 * weights of both. No branches, so that compilers vectorize it. */
static void before(const float *restrict at, int64_t count, const Edge edge, float slope,
                      int32_t *restrict pixel, float *restrict side, float *restrict next) {
    for (int64_t i = 0; i < count; i++) {
        float place = at[i], end = (float)edge.pixels;
        float steep = place < edge.last ? slope : 0;
        steep = place >= edge.first ? steep : 0;
        float bounded = place < edge.first ? edge.first : place;
        bounded = bounded > edge.last ? edge.last : bounded;
        float whole = floorf(bounded);
        float f = bounded - whole;
        side[i] = slope != 0 ? -steep : 1 - f;
        next[i] = slope != 0 ? steep : f;
        whole = place >= edge.low ? whole : -2;
        whole = place <= edge.high ? whole : -2;
        whole = whole >= -2 ? whole : -2;
        whole = whole < end ? whole : end;
        pixel[i] = (int32_t)whole;
    }
}

/* `count` points of a list from `first` on. */
static void locate(const Sampling *v, int64_t list, int64_t first, int64_t count,
                      const int64_t *slope, Around *restrict around) {
    int32_t row[POINTS_AT_ONCE], column[POINTS_AT_ONCE];
    float down[2][POINTS_AT_ONCE], right[2][POINTS_AT_ONCE];
    int64_t from = list * v->points + first;
    int32_t width = v->edge[1].pixels, height = v->image[list] < 0 ? 0 : v->edge[0].pixels;
    before(v->rows + from, count, v->edge[0], (float)slope[0], row, down[0], down[1]);
    before(v->columns + from, count, v->edge[1], (float)slope[1], column, right[0], right[1]);
    for (int k = 0; k < 4; k++) {
        const float *one = down[k / 2], *other = right[k % 2];
        for (int64_t i = 0; i < count; i++) {
            int32_t r = row[i] + k / 2, c = column[i] + k % 2;
            int inside = (r >= 0) & (r < height) & (c >= 0) & (c < width);
            around->at[k][i] = inside ? r * width + c : 0;
            around->inside[k][i] = inside;
            around->weight[k][i] = one[i] * other[i];
        }
    }
}

/* Pixel number k around each point, 0 outside. */
static void read_pixels(const float *x, const Around *around, int k, int64_t count,
                    float *restrict value) {
    for (int64_t i = 0; i < count; i++) value[i] = x[around->at[k][i]];
    for (int64_t i = 0; i < count; i++) value[i] = around->inside[k][i] ? value[i] : 0;
}

static const float *channel(const Sampling *v, int64_t list, int64_t c) {
    return v->x + (most(v->image[list], 0) * v->channels + c) * v->pixels;
}

static void sample_part(void *context, int64_t part) {
    const Sampling *v = context;
    Around around;
    int64_t list = part / v->pieces, first = part % v->pieces * POINTS_AT_ONCE;
    int64_t count = least(POINTS_AT_ONCE, v->points - first);
    locate(v, list, first, count, v->slope, &around);
    for (int64_t c = 0; c < v->channels; c++) {
        const float *x = channel(v, list, c);
        float *restrict y = v->y + (list * v->channels + c) * v->points + first;
        float value[POINTS_AT_ONCE];
        for (int k = 0; k < 4; k++) {
            const float *weight = around.weight[k];
            read_pixels(x, &around, k, count, value);
            for (int64_t i = 0; i < count; i++) y[i] = (k ? y[i] : 0) + value[i] * weight[i];
        }
    }
}

/* One channel of one picture, from all its lists; the sums are in double precision. */
static void sample_grad_part(void *context, int64_t part) {
    Sampling *v = context;
    Around around;
    int64_t picture = part / v->channels, c = part % v->channels;
    double *total = scratch(0, (size_t)v->pixels * sizeof(double));
    if (!total) v->failed = 1;
    if (!total) return;
    memset(total, 0, (size_t)v->pixels * sizeof *total);
    for (int64_t list = 0; list < v->lists; list++)
        for (int64_t first = 0, n = v->image[list] == picture ? v->points : 0; first < n;
             first += POINTS_AT_ONCE) {
            int64_t count = least(POINTS_AT_ONCE, v->points - first);
            const float *g = v->x + (list * v->channels + c) * v->points + first;
            locate(v, list, first, count, v->slope, &around);
            for (int64_t i = 0; i < count; i++)
                for (int k = 0; k < 4; k++)
                    if (around.inside[k][i]) total[around.at[k][i]] += g[i] * around.weight[k][i];
        }
    float *restrict y = v->y + part * v->pixels;
    for (int64_t i = 0; i < v->pixels; i++) y[i] = (float)total[i];
}

static void sample_slopes_part(void *context, int64_t part) {
    const Sampling *v = context;
    Around around;
    float sum[4][POINTS_AT_ONCE] = {{0}}, value[POINTS_AT_ONCE];
    int64_t list = part / v->pieces, first = part % v->pieces * POINTS_AT_ONCE;
    int64_t count = least(POINTS_AT_ONCE, v->points - first);
    locate(v, list, first, count, v->slope, &around);
    for (int64_t c = 0; c < v->channels; c++) {
        const float *x = channel(v, list, c);
        const float *g = v->values + (list * v->channels + c) * v->points + first;
        for (int k = 0; k < 4; k++) {
            read_pixels(x, &around, k, count, value);
            for (int64_t i = 0; i < count; i++) sum[k][i] += value[i] * g[i];
        }
    }
    for (int axis = 0; axis < 2; axis++) {
        float *restrict y = (axis ? v->along : v->y) + list * v->points + first;
        locate(v, list, first, count, (const int64_t[]){axis == 0, axis == 1}, &around);
        for (int64_t i = 0; i < count; i++)
            y[i] = sum[0][i] * around.weight[0][i] + sum[1][i] * around.weight[1][i] +
                   sum[2][i] * around.weight[2][i] + sum[3][i] * around.weight[3][i];
    }
}

static Edge edge_of(int64_t n, int64_t border) {
    float last = (float)(n - 1), end = (float)INFINITY;
    switch (border) {
    case DEFORM: return (Edge){0, nextafterf((float)n, 0), 0, last, (int32_t)n};
    case PART_OF_PIXEL: return (Edge){-0.5f, last + 0.5f, 0, last, (int32_t)n};
    case ALIGN: return (Edge){-1, (float)n, 0, last, (int32_t)n};
    default: return (Edge){-end, end, -end, end, (int32_t)n};
    }
}

/* Read the sizes, the places and the pictures, from array `first` on. */
static int reads_points(const Call *call, Sampling *v, int first) {
    const int64_t *n = call->integer;
    const Array *places = call->array + first;
    if (call->integers != 9) return 0;
    for (int k = 0; k < 6; k++)
        if (n[k] < 1 || n[k] > INT32_MAX) return 0;
    v->batch = n[0], v->channels = n[1], v->pixels = n[2] * n[3];
    v->lists = n[4], v->points = n[5], v->slope[0] = n[7], v->slope[1] = n[8];
    if (n[6] < ZERO || n[6] > ALIGN || v->pixels > INT32_MAX) return 0;
    for (int k = 0; k < 2; k++) v->edge[k] = edge_of(n[2 + k], n[6]);
    for (int k = 0; k < 2; k++)
        if (!holds(places + k, FLOAT32, v->lists * v->points)) return 0;
    if (!holds(places + 2, INT64, v->lists)) return 0;
    v->rows = (const float *)places[0].data, v->columns = (const float *)places[1].data;
    v->image = (const int64_t *)places[2].data;
    for (int64_t k = 0; k < v->lists; k++)
        if (v->image[k] >= v->batch) return 0;
    v->pieces = parts_of(v->points, POINTS_AT_ONCE);
    return 1;
}

enum outcome R(sample)(const Call *call) {
    const Array *x = call->array, *y = call->array + 4;
    Sampling v = {0};
    if (call->arrays != 5 || !reads_points(call, &v, 1) ||
        !is_of(x, v.batch, v.channels, v.pixels) ||
        !is_of(y, v.lists, v.channels, v.points) || !y->writeable)
        return DOES_NOT_FIT;
    v.x = (const float *)x->data, v.y = (float *)y->data;
    parallel(sample_part, &v, v.lists * v.pieces);
    return DONE;
}

enum outcome R(sample_grad)(const Call *call) {
    const Array *g = call->array, *y = call->array + 4;
    Sampling v = {0};
    if (call->arrays != 5 || !reads_points(call, &v, 1) ||
        !is_of(g, v.lists, v.channels, v.points) ||
        !is_of(y, v.batch, v.channels, v.pixels) || !y->writeable)
        return DOES_NOT_FIT;
    v.x = (const float *)g->data, v.y = (float *)y->data;
    parallel(sample_grad_part, &v, v.batch * v.channels);
    return v.failed ? NO_MEMORY : DONE;
}

enum outcome R(sample_slopes)(const Call *call) {
    const Array *x = call->array, *y = call->array + 5;
    Sampling v = {0};
    if (call->arrays != 7 || !reads_points(call, &v, 2) || v.slope[0] || v.slope[1] ||
        !is_of(x, v.batch, v.channels, v.pixels) ||
        !is_of(x + 1, v.lists, v.channels, v.points) || !is_of(y, v.lists, v.points, 1) ||
        !is_of(y + 1, v.lists, v.points, 1) || !y->writeable || !y[1].writeable)
        return DOES_NOT_FIT;
    v.x = (const float *)x->data, v.values = (const float *)x[1].data;
    v.y = (float *)y->data, v.along = (float *)y[1].data;
    parallel(sample_slopes_part, &v, v.lists * v.pieces);
    return DONE;
}

#endif
