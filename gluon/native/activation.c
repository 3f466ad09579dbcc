/* Softmax and its logarithm along rows, with their gradients.
 *
 * All arrays are (rows, width), contiguous: integers are rows and width. A row is finished before
 * the next begins, so that it is read from memory once. With m its largest value:
 *
 *     softmax       y = exp(x - m) / sum(exp(x - m))
 *     log_softmax   y = x - m - log(sum(exp(x - m)))
 *     softmax_grad       of (g, p):  p (g - sum(g p))
 *     log_softmax_grad   of (g, l):  g - exp(l) sum(g)
 *
 * The cross entropy of a row with its class p, and the gradient for a cotangent g of that number:
 *
 *     cross_entropy        log(sum(exp(x - m))) - (x[p] - m)
 *     cross_entropy_grad   g exp(x - m) / sum(exp(x - m)), less g at p
 */
#if F32

typedef struct {
    const float *first, *second;
    float *to;
    int64_t rows, width, group; /* group: the rows of one part */
    void (*row)(const float *first, const float *second, float *to, int64_t width);
} Rows;

static void rows_part(void *context, int64_t k) {
    const Rows *work = context;
    int64_t end = least((k + 1) * work->group, work->rows);
    for (int64_t r = k * work->group; r < end; r++) {
        int64_t at = r * work->width;
        work->row(work->first + at, work->second ? work->second + at : NULL, work->to + at,
                  work->width);
    }
}

/* Run `row` over the rows of the inputs; the last array is the result. */
static enum outcome by_rows(const Call *call, int inputs,
                            void (*row)(const float *, const float *, float *, int64_t)) {
    int64_t rows = call->integer[0], width = call->integer[1];
    if (call->arrays != inputs + 1 || call->integers != 2 || rows < 1 || width < 1)
        return DOES_NOT_FIT;
    for (int k = 0; k < inputs; k++)
        if (!holds(&call->array[k], FLOAT32, rows * width)) return DOES_NOT_FIT;
    if (!takes(&call->array[inputs], FLOAT32, rows * width)) return DOES_NOT_FIT;
    Rows work = {.first = (const float *)call->array[0].data,
                 .second = inputs == 2 ? (const float *)call->array[1].data : NULL,
                 .to = (float *)call->array[inputs].data,
                 .rows = rows,
                 .width = width,
                 .group = most(1, PART / width),
                 .row = row};
    parallel(rows_part, &work, parts_of(rows, work.group));
    return DONE;
}

static void softmax_row(const float *x, const float *none, float *y, int64_t width) {
    (void)none;
    float m = max_of_of_floats(x, width);
    for (int64_t i = 0; i < width; i++) y[i] = exp_float(x[i] - m);
    float scale = (float)(1.0 / sum_of_of_floats(y, width));
    for (int64_t i = 0; i < width; i++) y[i] *= scale;
}

static void log_softmax_row(const float *x, const float *none, float *y, int64_t width) {
    (void)none;
    float m = max_of_of_floats(x, width);
    for (int64_t i = 0; i < width; i++) y[i] = exp_float(x[i] - m);
    float shift = (float)log(sum_of_of_floats(y, width));
    for (int64_t i = 0; i < width; i++) y[i] = (x[i] - m) - shift;
}

static void softmax_grad_row(const float *g, const float *p, float *y, int64_t width) {
    float sum = (float)dot_of_of_floats(g, p, width);
    for (int64_t i = 0; i < width; i++) y[i] = p[i] * (g[i] - sum);
}

static void log_softmax_grad_row(const float *g, const float *l, float *y, int64_t width) {
    float sum = (float)sum_of_of_floats(g, width);
    for (int64_t i = 0; i < width; i++) y[i] = g[i] - exp_float(l[i]) * sum;
}

/* ------------------------------------------------------------------------- cross entropy */

typedef struct {
    const float *x, *g;
    const int64_t *label;
    float *to;
    int64_t rows, width, group;
    atomic_int failed;
} Classes;

static void cross_entropy_part(void *context, int64_t k) {
    Classes *work = context;
    int64_t width = work->width, end = least((k + 1) * work->group, work->rows);
    float *room = work->g ? NULL : scratch(0, (size_t)width * sizeof(float));
    if (!work->g && !room) work->failed = 1;
    if (!work->g && !room) return;
    for (int64_t r = k * work->group; r < end; r++) {
        const float *x = work->x + r * width;
        float *y = work->g ? work->to + r * width : room;
        float m = max_of_of_floats(x, width);
        for (int64_t i = 0; i < width; i++) y[i] = exp_float(x[i] - m);
        double sum = sum_of_of_floats(y, width);
        if (!work->g) {
            work->to[r] = (float)(log(sum) - (double)(x[work->label[r]] - m));
            continue;
        }
        float scale = (float)(work->g[r] / sum);
        for (int64_t i = 0; i < width; i++) y[i] *= scale;
        y[work->label[r]] -= work->g[r];
    }
}

/* Arrays: (of the gradient, g,) x, the classes and the result. */
static enum outcome classify(const Call *call, int is_grad) {
    int64_t rows = call->integer[0], width = call->integer[1];
    const Array *x = call->array + is_grad;
    if (call->arrays != 3 + is_grad || call->integers != 2 || rows < 1 || width < 1 ||
        !holds(&x[0], FLOAT32, rows * width) || !holds(&x[1], INT64, rows) ||
        !takes(&x[2], FLOAT32, is_grad ? rows * width : rows) ||
        (is_grad && !holds(call->array, FLOAT32, rows)))
        return DOES_NOT_FIT;
    Classes work = {.x = (const float *)x[0].data,
                    .g = is_grad ? (const float *)call->array[0].data : NULL,
                    .label = (const int64_t *)x[1].data,
                    .to = (float *)x[2].data,
                    .rows = rows,
                    .width = width,
                    .group = most(1, PART / width)};
    for (int64_t r = 0; r < rows; r++)
        if (work.label[r] < 0 || work.label[r] >= width) return DOES_NOT_FIT;
    parallel(cross_entropy_part, &work, parts_of(rows, work.group));
    return work.failed ? NO_MEMORY : DONE;
}

static enum outcome cross_entropy_of_floats(const Call *call) { return classify(call, 0); }
static enum outcome cross_entropy_grad_of_floats(const Call *call) { return classify(call, 1); }

static enum outcome softmax_of_floats(const Call *call) { return by_rows(call, 1, softmax_row); }
static enum outcome log_softmax_of_floats(const Call *call) {
    return by_rows(call, 1, log_softmax_row);
}
static enum outcome softmax_grad_of_floats(const Call *call) {
    return by_rows(call, 2, softmax_grad_row);
}
static enum outcome log_softmax_grad_of_floats(const Call *call) {
    return by_rows(call, 2, log_softmax_grad_row);
}

#endif
