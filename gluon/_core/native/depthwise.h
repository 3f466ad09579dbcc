/* Depthwise convolution, with one channel for each filter, and its gradients. They are computed
 * along the rows of the picture, without matrix products. Arrays and integers are those of
 * windows.h.
 */
/* The padded picture of one channel, which may be read a vector beyond its end; NULL if memory is
 * lacking. */
static const REAL *R(pad_channel)(const R(Conv) *v, int64_t picture, int64_t group) {
    REAL *room = scratch(0, (size_t)(v->area + R(WIDTH)) * sizeof(REAL));
    R(Channels) one = {group, 0, 1};
    if (room) R(pad_picture)(v, picture, one, R(all_lines)(v), room);
    else atomic_store(v->failed, 1);
    return room;
}

/* So many rows of the result are computed together: what they share is read once for each tap, and no
 * sum waits for the one before. Networks for pictures of 224 x 224 have multiples of seven. */
enum { R(TOGETHER) = 7 };

/* The taps summed up, in the rows of one channel from `row` on. The last vector of a row comes first:
 * what it has too much is in the next row, and is written again. */
static void R(depthwise_rows)(const R(Conv) *v, int64_t row, const REAL *x, const REAL *weight,
                              REAL bias, REAL *y) {
    int64_t width = v->out[2], rows = v->out[0] * v->out[1], count = least(R(TOGETHER), rows - row);
    const REAL *from[R(TOGETHER)], *end = y + v->positions;
    for (int i = 0; i < R(TOGETHER); i++)
        from[i] = x + v->position_at[(row + least(i, count - 1)) * width];
    for (int64_t j = (width - 1) / R(WIDTH) * R(WIDTH); j >= 0; j -= R(WIDTH)) {
        R(Vector) sum[R(TOGETHER)];
        _Pragma("GCC unroll 7") for (int i = 0; i < R(TOGETHER); i++)
            sum[i] = (R(Vector)){0} + bias;
        for (int64_t t = 0; t < v->taps; t++) {
            REAL w = weight[v->weight_at[t]];
            int64_t at = v->tap_at[t] + j;
            _Pragma("GCC unroll 7") for (int i = 0; i < R(TOGETHER); i++)
                sum[i] += w * R(load)(from[i] + at);
        }
        REAL *to = y + row * width + j;
        _Pragma("GCC unroll 7") for (int i = 0; i < R(TOGETHER); i++, to += width)
            if (i < count && to + R(WIDTH) <= end) R(store)(to, sum[i]);
            else if (i < count) memcpy(to, &sum[i], (size_t)(width - j) * sizeof(REAL));
    }
}

/* One channel of one picture. */
static void R(depthwise_part)(void *context, int64_t k) {
    const R(Conv) *v = context;
    int64_t group = k % v->groups, picture = k / v->groups, rows = v->out[0] * v->out[1];
    const REAL *x = R(pad_channel)(v, picture, group);
    for (int64_t f = 0; x && f < v->filters; f++) {
        int64_t filter = group * v->filters + f;
        const REAL *weight = v->weight + group * v->group_step + f * v->filter_step;
        REAL *y = v->to + (picture * v->groups * v->filters + filter) * v->positions;
        for (int64_t row = 0; row < rows; row += R(TOGETHER))
            R(depthwise_rows)(v, row, x, weight, v->bias ? v->bias[filter] : 0, y);
    }
}

typedef __typeof__((R(Vector)){0} < (R(Vector)){0}) R(Mask);

/* Ones in the first `count` lanes, zeros elsewhere. */
INLINE R(Mask) R(lanes)(int64_t count) {
    R(Mask) mask;
    for (int j = 0; j < R(WIDTH); j++) mask[j] = j < count ? -1 : 0;
    return mask;
}

/* The first lanes of a vector, zeros in the others; nothing is read from `end` on. */
INLINE R(Vector) R(load_some)(const REAL *from, const REAL *end, int64_t count, R(Mask) mask) {
    R(Vector) v = {0};
    if (from + R(WIDTH) <= end) return (R(Vector))((R(Mask))R(load)(from) & mask);
    memcpy(&v, from, (size_t)count * sizeof(REAL));
    return v;
}

/* to = to + w row. Nothing is added beyond the end of the row, even if w is infinite. */
INLINE void R(add_row_of_tap)(REAL *to, const REAL *row, const REAL *end, int64_t width, REAL w,
                              R(Mask) mask) {
    int64_t j = 0;
    for (; j + R(WIDTH) <= width; j += R(WIDTH))
        R(store)(to + j, R(load)(to + j) + w * R(load)(row + j));
    if (j == width) return;
    R(Vector) last = w * R(load_some)(row + j, end, width - j, mask);
    R(store)(to + j, R(load)(to + j) + (R(Vector))((R(Mask))last & mask));
}

/* The gradient of one channel of one picture: each row of g is added where each tap met it, tap by
 * tap, so that each finds in memory what the one before has written. */
static void R(depthwise_input_grad_part)(void *context, int64_t k) {
    const R(Conv) *v = context;
    int64_t group = k % v->groups, picture = k / v->groups, width = v->out[2];
    REAL *padded = scratch(0, (size_t)(v->area + R(WIDTH)) * sizeof(REAL));
    if (!padded) atomic_store(v->failed, 1);
    if (!padded) return;
    memset(padded, 0, (size_t)(v->area + R(WIDTH)) * sizeof(REAL));
    R(Mask) mask = R(lanes)(width % R(WIDTH));
    for (int64_t f = 0; f < v->filters; f++) {
        const REAL *weight = v->weight + group * v->group_step + f * v->filter_step;
        const REAL *g = v->g + ((picture * v->groups + group) * v->filters + f) * v->positions;
        for (int64_t t = 0; t < v->taps; t++)
            for (int64_t at = 0; at < v->positions; at += width)
                R(add_row_of_tap)(padded + v->position_at[at] + v->tap_at[t], g + at,
                                  g + v->positions, width, weight[v->weight_at[t]], mask);
    }
    R(crop_picture)(v, picture, (R(Channels)){group, 0, 1}, padded);
}

/* sum[i], of `count` taps (a constant), plus the products of the rows of g with the values at each
 * tap. Lanes beyond the end of a row count as 0, whatever memory holds. */
INLINE void R(add_taps)(const R(Conv) *v, const int count, const int64_t *tap_at, const REAL *x,
                        const REAL *g, R(Vector) *to) {
    int64_t width = v->out[2], rest = width % R(WIDTH), whole = width - rest;
    const REAL *g_end = g + v->positions, *x_end = x + v->area + R(WIDTH);
    R(Vector) sum[3] = {to[0], to[count > 1], to[count > 2 ? 2 : 0]};
    R(Mask) mask = R(lanes)(rest);
    for (int64_t at = 0; at < v->positions; at += width) {
        const REAL *from = x + v->position_at[at], *row = g + at;
        for (int64_t j = 0; j < whole; j += R(WIDTH))
            _Pragma("GCC unroll 3") for (int i = 0; i < count; i++)
                sum[i] += R(load)(row + j) * R(load)(from + tap_at[i] + j);
        if (!rest) continue;
        R(Vector) last = R(load_some)(row + whole, g_end, rest, mask);
        _Pragma("GCC unroll 3") for (int i = 0; i < count; i++)
            sum[i] += last * R(load_some)(from + tap_at[i] + whole, x_end, rest, mask);
    }
    for (int i = 0; i < count; i++) to[i] = sum[i];
}

/* The gradient of the weight of one channel, over all pictures. */
static void R(depthwise_weight_grad_part)(void *context, int64_t group) {
    const R(Conv) *v = context;
    int64_t count = v->filters * v->taps;
    R(Vector) *sum = scratch(1, (size_t)count * sizeof *sum);
    if (!sum) atomic_store(v->failed, 1);
    if (!sum) return;
    memset(sum, 0, (size_t)count * sizeof *sum);
    for (int64_t n = 0; n < v->batch; n++) {
        const REAL *x = R(pad_channel)(v, n, group);
        const REAL *g = v->g + (n * v->groups + group) * v->filters * v->positions;
        if (!x) return;
        for (int64_t f = 0; f < v->filters; f++, g += v->positions)
            for (int64_t t = 0, some; t < v->taps; t += some) {
                R(Vector) *to = sum + f * v->taps + t;
                some = v->taps - t >= 3 ? 3 : 1;
                if (some == 3) R(add_taps)(v, 3, v->tap_at + t, x, g, to);
                else R(add_taps)(v, 1, v->tap_at + t, x, g, to);
            }
    }
    for (int64_t i = 0; i < count; i++) {
        REAL total = 0;
        for (int j = 0; j < R(WIDTH); j++) total += sum[i][j];
        v->to[group * count + i] = total;
    }
}

/* Whether each channel has its own filter, so that there is no matrix product. */
INLINE int R(is_depthwise)(const R(Conv) *v) { return v->channels == 1 && v->filters < 4; }

/* Channels are computed some at a time: one is done sooner than a thread takes the next. */
enum { R(DEPTHWISE_PARTS) = 16 };

static void R(depthwise_channels)(void *context, int64_t part) {
    const R(Conv) *v = context;
    int64_t end = least((part + 1) * v->together, v->count);
    for (int64_t k = part * v->together; k < end; k++) v->of_channel(context, k);
}

static void R(each_channel)(R(Conv) *v, Task of_channel, int64_t count) {
    v->of_channel = of_channel;
    v->count = count;
    v->together = parts_of(count, R(DEPTHWISE_PARTS));
    parallel(R(depthwise_channels), v, parts_of(count, v->together));
}
