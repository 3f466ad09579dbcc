/* Convolution of pictures (batch, channels, depth, height, width), and its gradient in the weight.
 *
 * A window of the padded picture is a column of a matrix, which is never made as a whole:
 *
 *     convolution              y[o, position] = sum over taps of w[o, tap] * column[tap, position]
 *     convolution_weight_grad  dw[o, tap] = sum over positions of g[o, position] * column[tap, position]
 *
 *     convolution_input_grad   column[tap, position] = sum over o of w[o, tap] * g[o, position], each of
 *                              which is added to the picture where it came from
 *
 * A tap is a channel and a place of the kernel. Where a tap meets the picture at a position is the
 * sum of two offsets, one of the tap and one of the position; both are tabulated once. Padded
 * pictures are laid out so that neighbouring positions are neighbours in memory: with a stride of 2
 * along the width, a row has first its even places, then its odd ones. Positions of several small
 * pictures are lined up, so that strips are full. The gradient in the input is a convolution as
 * well, with the kernel turned round; the Python side chooses between the two.
 *
 * Depthwise convolutions, which have one channel for each filter, are computed along the rows of
 * the picture instead: there is no matrix product in them.
 *
 * Integers: batch, groups, channels and filters of a group, then three values each (one for each
 * dimension) of size, kernel, stride, pad, dilate and out. `pad` is what lies before the picture,
 * and may be negative; behind it there is as much as the windows reach. The weight is an array of
 * any strides, (groups, filters, channels, *kernel).
 */
typedef struct {
    int64_t batch, groups, channels, filters;
    int64_t size[3], kernel[3], stride[3], pad[3], dilate[3], out[3];
    int64_t padded[3], taps, positions, area; /* taps of a filter; values of a padded channel */
    int64_t row, phase;       /* lengths in a padded row: all of it, and places of one phase */
    int64_t *tap_at, *position_at, *weight_at; /* weight_at: of a tap, in the weight of a filter */
    int64_t group_step, filter_step;           /* of the weight */
    const REAL *x, *weight, *bias, *g;
    REAL *to;
    REAL *panels;              /* the weights, packed */
    REAL *columns;             /* all of them, where they are few */
    int64_t pieces, together;  /* the parts of a picture, or the pictures of a part */
    atomic_int *failed;        /* whether memory was lacking */
} R(Conv);

/* The columns of one part, and the taps multiplied at a time: both fit a cache together. */
enum { R(BLOCK_COLUMNS) = 512, R(BLOCK_TAPS) = 256 };

static int R(read_conv)(const Call *call, R(Conv) *v) {
    if (call->integers != 22) return 0;
    memset(v, 0, sizeof *v);
    memcpy(&v->batch, call->integer, 22 * sizeof(int64_t));
    if (v->batch < 1 || v->groups < 1 || v->channels < 1 || v->filters < 1) return 0;
    v->taps = v->channels;
    v->positions = 1;
    for (int k = 0; k < 3; k++) {
        if (v->size[k] < 1 || v->kernel[k] < 1 || v->stride[k] < 1 || v->dilate[k] < 1) return 0;
        if (v->out[k] < 1) return 0;
        int64_t reach = (v->out[k] - 1) * v->stride[k] + (v->kernel[k] - 1) * v->dilate[k] + 1;
        v->padded[k] = most(reach, v->pad[k] + v->size[k]);
        v->taps *= v->kernel[k];
        v->positions *= v->out[k];
    }
    v->phase = parts_of(v->padded[2], v->stride[2]);
    v->row = v->phase * v->stride[2];
    v->area = v->padded[0] * v->padded[1] * v->row;
    return 1;
}

/* Whether the weight has the shape and the strides it should have; notes its steps. */
static int R(read_weight)(const Array *weight, enum type type, R(Conv) *v) {
    const int64_t shape[6] = {v->groups,    v->filters,   v->channels,
                              v->kernel[0], v->kernel[1], v->kernel[2]};
    if (!weight->data || weight->type != type || weight->axes != 6) return 0;
    if ((uintptr_t)weight->data % sizeof(REAL)) return 0;
    for (int k = 0; k < 6; k++)
        if (weight->shape[k] != shape[k] || weight->strides[k] % (intptr_t)sizeof(REAL)) return 0;
    v->weight = (const REAL *)weight->data;
    v->group_step = weight->strides[0] / (intptr_t)sizeof(REAL);
    v->filter_step = weight->strides[1] / (intptr_t)sizeof(REAL);
    return 1;
}

/* ------------------------------------------------------------------ offsets and padding */

/* The table of offsets: of taps and positions in a padded picture, and of taps in the weight. */
static int R(make_offsets)(R(Conv) *v, const Array *weight) {
    v->tap_at = malloc((size_t)(2 * v->taps + v->positions) * sizeof(int64_t));
    if (!v->tap_at) return 0;
    v->weight_at = v->tap_at + v->taps;
    v->position_at = v->weight_at + v->taps;
    int64_t plane = v->padded[1] * v->row, k = 0, step[4] = {0};
    for (int j = 0; weight && j < 4; j++)
        step[j] = weight->strides[2 + j] / (intptr_t)sizeof(REAL);
    for (int64_t c = 0; c < v->channels; c++)
        for (int64_t d = 0; d < v->kernel[0]; d++)
            for (int64_t h = 0; h < v->kernel[1]; h++)
                for (int64_t w = 0; w < v->kernel[2]; w++, k++) {
                    int64_t place = w * v->dilate[2];
                    v->tap_at[k] = c * v->area + d * v->dilate[0] * plane +
                                   h * v->dilate[1] * v->row +
                                   place % v->stride[2] * v->phase + place / v->stride[2];
                    v->weight_at[k] = c * step[0] + d * step[1] + h * step[2] + w * step[3];
                }
    k = 0;
    for (int64_t d = 0; d < v->out[0]; d++)
        for (int64_t h = 0; h < v->out[1]; h++)
            for (int64_t w = 0; w < v->out[2]; w++)
                v->position_at[k++] = d * v->stride[0] * plane + h * v->stride[1] * v->row + w;
    return 1;
}

static int R(needs_padding)(const R(Conv) *v) {
    for (int k = 0; k < 3; k++)
        if (v->pad[k] || v->padded[k] != v->size[k]) return 1;
    return v->stride[2] > 1;
}

/* Channels of a group, from the first to before the last. */
typedef struct {
    int64_t group, first, last;
} R(Channels);

/* Copy what is between two places of a row of a picture into a padded row, or (`back`) from there
 * into the picture. `stride` is a constant where that makes faster loops. */
INLINE void R(copy_phases)(const R(Conv) *v, int64_t stride, int64_t first, int64_t last,
                           REAL *padded, REAL *row, int back) {
    for (int64_t phase = 0; phase < stride; phase++) {
        int64_t w = first + ((phase - v->pad[2] - first) % stride + stride) % stride;
        REAL *restrict at = padded + phase * v->phase + (w + v->pad[2]) / stride;
        REAL *restrict of = row + w;
        int64_t count = w < last ? (last - w - 1) / stride + 1 : 0;
        if (back)
            for (int64_t i = 0; i < count; i++) of[i * stride] = at[i];
        else
            for (int64_t i = 0; i < count; i++) at[i] = of[i * stride];
    }
}

static void R(copy_row)(const R(Conv) *v, REAL *padded, REAL *row, int back) {
    int64_t first = most(-v->pad[2], 0), last = least(v->size[2], v->padded[2] - v->pad[2]);
    if (v->stride[2] == 1 && last > first) {
        REAL *at = padded + v->pad[2] + first;
        size_t bytes = (size_t)(last - first) * sizeof(REAL);
        if (back) memcpy(row + first, at, bytes);
        else memcpy(at, row + first, bytes);
    } else if (v->stride[2] == 2) R(copy_phases)(v, 2, first, last, padded, row, back);
    else R(copy_phases)(v, v->stride[2], first, last, padded, row, back);
}

/* Lines of a padded channel: row j of slice i is line i * padded[1] + j. */
typedef struct {
    int64_t first, last; /* both included */
} R(Lines);

/* Where the picture has what is in a line of the padded one; -1 where it has nothing. */
INLINE int64_t R(row_of_line)(const R(Conv) *v, int64_t line) {
    int64_t d = line / v->padded[1] - v->pad[0], h = line % v->padded[1] - v->pad[1];
    return d < 0 || d >= v->size[0] || h < 0 || h >= v->size[1] ? -1 : d * v->size[1] + h;
}

/* These channels of picture n with zeros around them, in `to`; of the padded picture only lines. */
static void R(pad_picture)(const R(Conv) *v, int64_t n, R(Channels) some, R(Lines) lines,
                           REAL *to) {
    int64_t size = v->size[0] * v->size[1] * v->size[2];
    REAL *from = (REAL *)v->x + (n * v->groups + some.group) * v->channels * size;
    for (int64_t c = some.first; c < some.last; c++, to += v->area) {
        memset(to + lines.first * v->row, 0,
               (size_t)((lines.last - lines.first + 1) * v->row) * sizeof(REAL));
        for (int64_t line = lines.first; line <= lines.last; line++) {
            int64_t row = R(row_of_line)(v, line);
            if (row >= 0)
                R(copy_row)(v, to + line * v->row, from + c * size + row * v->size[2], 0);
        }
    }
}

static R(Lines) R(all_lines)(const R(Conv) *v) {
    return (R(Lines)){0, v->padded[0] * v->padded[1] - 1};
}

/* The lines that positions of one picture meet, or those of several pictures: all. */
static R(Lines) R(lines_of)(const R(Conv) *v, int64_t first, int64_t last) {
    if (last > v->positions) return R(all_lines)(v);
    int64_t tap = v->taps / v->channels - 1;
    return (R(Lines)){v->position_at[first] / v->row,
                      (v->position_at[last - 1] + v->tap_at[tap]) / v->row};
}

/* These channels of the pictures in which some positions lie, padded, and how far each picture is from
 * the next; NULL where memory is lacking. */
static const REAL *R(pictures)(const R(Conv) *v, int64_t from, int64_t to, R(Channels) some,
                               int64_t *apart) {
    int64_t first = from / v->positions, last = parts_of(to, v->positions);
    R(Lines) lines = R(lines_of)(v, from - first * v->positions, to - first * v->positions);
    if (!R(needs_padding)(v)) {
        *apart = v->groups * v->channels * v->area;
        return v->x + first * *apart + (some.group * v->channels + some.first) * v->area;
    }
    *apart = (some.last - some.first) * v->area;
    REAL *room = scratch(0, (size_t)((last - first) * *apart) * sizeof(REAL));
    if (!room) atomic_store(v->failed, 1);
    for (int64_t n = first; room && n < last; n++)
        R(pad_picture)(v, n, some, lines, room + (n - first) * *apart);
    return room;
}

/* -------------------------------------------------------------------------- columns */

/* Positions that lie one behind the other, so that a tap meets them in one run of memory. */
typedef struct {
    int64_t at, length;
} R(Run);

/* The runs of the positions from `first`, counted over all pictures; returns how many. */
static int64_t R(find_runs)(const R(Conv) *v, int64_t first, int64_t count, int64_t apart,
                            R(Run) *run) {
    int64_t runs = 0, next = -1, picture = first / v->positions, position = first % v->positions;
    for (int64_t t = 0; t < count; t++) {
        int64_t at = picture * apart + v->position_at[position];
        if (at == next) run[runs - 1].length++;
        else run[runs++] = (R(Run)){at, 1};
        next = at + 1;
        if (++position == v->positions) position = 0, picture++;
    }
    return runs;
}

INLINE void R(copy_runs)(REAL *restrict to, const REAL *restrict x, const R(Run) *run,
                         int64_t runs) {
    for (int64_t r = 0; r < runs; r++) {
        const REAL *from = x + run[r].at;
        int64_t n = run[r].length, i = 0;
        for (; i + R(WIDTH) <= n; i += R(WIDTH)) R(store)(to + i, R(load)(from + i));
        for (; i + 4 <= n; i += 4) memcpy(to + i, from + i, 4 * sizeof(REAL));
        for (; i < n; i++) to[i] = from[i];
        to += n;
    }
}

/* ------------------------------------------------------------------------ convolution */

/* Panels of a matrix with one row for each of `rows`, to be multiplied over `depth`. The filters are
 * the rows and the taps the depth, or (`turned`) the other way round. */
typedef struct {
    const R(Conv) *v;
    int64_t rows, depth;
    int turned;
} R(Packing);

static void R(pack_panel)(void *context, int64_t k) {
    const R(Packing) *work = context;
    const R(Conv) *v = work->v;
    int64_t count = R(panels)(work->rows), group = k / count;
    int64_t first = R(panel_start)(work->rows, k % count);
    int64_t rows = R(panel_start)(work->rows, k % count + 1) - first;
    const REAL *from = v->weight + group * v->group_step;
    REAL *to = v->panels + (group * work->rows + first) * work->depth;
    for (int64_t p = 0; p < work->depth; p++)
        for (int64_t i = 0; i < rows; i++)
            to[p * rows + i] = work->turned
                                   ? from[v->weight_at[first + i] + p * v->filter_step]
                                   : from[v->weight_at[p] + (first + i) * v->filter_step];
}

static int R(pack_weights)(R(Conv) *v, int turned) {
    v->panels = malloc((size_t)(v->groups * v->filters * v->taps) * sizeof(REAL));
    if (!v->panels) return 0;
    R(Packing) work = {v, turned ? v->taps : v->filters, turned ? v->filters : v->taps, turned};
    parallel(R(pack_panel), &work, v->groups * R(panels)(work.rows));
    return 1;
}

/* One strip of the result: all filters of a group at positions from `first` on. `begins` says that
 * these are the first taps, so that there is nothing to add to but the bias. */
static void R(multiply_strip)(const R(Conv) *v, int64_t group, int64_t first, int64_t count,
                              int64_t tap, int64_t taps, const REAL *strip) {
    REAL room[R(ROWS) * R(COLUMNS)];
    int64_t picture = first / v->positions, position = first % v->positions;
    int whole = count == R(COLUMNS) && position + count <= v->positions;
    for (int64_t k = 0; k < R(panels)(v->filters); k++) {
        int64_t row = R(panel_start)(v->filters, k), end = R(panel_start)(v->filters, k + 1);
        int64_t filter = group * v->filters + row, rows = end - row;
        REAL *y = v->to + ((picture * v->groups * v->filters) + filter) * v->positions + position;
        const REAL *panel = v->panels + filter * v->taps + tap * rows;
        REAL *c = whole ? y : room;
        int64_t step = whole ? v->positions : R(COLUMNS);
        for (int64_t i = 0; i < rows; i++) {
            REAL *line = y + i * v->positions;
            int64_t at = position;
            if (tap == 0)
                for (int64_t j = 0; j < R(COLUMNS); j++)
                    c[i * step + j] = v->bias ? v->bias[filter + i] : 0;
            else if (!whole)
                for (int64_t j = 0; j < count; j++, line++) {
                    c[i * step + j] = *line;
                    if (++at == v->positions)
                        at = 0, line += (v->groups * v->filters - 1) * v->positions;
                }
        }
        R(tile)[rows](taps, panel, strip, c, step);
        for (int64_t i = 0; !whole && i < rows; i++) {
            REAL *line = y + i * v->positions;
            int64_t at = position;
            for (int64_t j = 0; j < count; j++, line++) {
                *line = c[i * step + j];
                if (++at == v->positions)
                    at = 0, line += (v->groups * v->filters - 1) * v->positions;
            }
        }
    }
}

/* All filters of a group, at the positions from `first` to before `last` over all pictures. */
static void R(multiply_block)(const R(Conv) *v, int64_t group, int64_t first, int64_t last) {
    int64_t apart, picture = first / v->positions;
    R(Channels) all = {group, 0, v->channels};
    const REAL *x = R(pictures)(v, first, last, all, &apart);
    int64_t strips = parts_of(last - first, R(COLUMNS));
    REAL *columns = scratch(1, (size_t)(strips * R(COLUMNS) * R(BLOCK_TAPS)) * sizeof(REAL));
    if (!columns) atomic_store(v->failed, 1);
    if (!x || !columns) return;
    R(Run) run[R(COLUMNS)];
    first -= picture * v->positions;
    last -= picture * v->positions;
    for (int64_t tap = 0; tap < v->taps; tap += R(BLOCK_TAPS)) {
        int64_t taps = least(R(BLOCK_TAPS), v->taps - tap);
        for (int64_t s = 0; s < strips; s++) {
            int64_t at = first + s * R(COLUMNS), count = least(R(COLUMNS), last - at);
            int64_t runs = R(find_runs)(v, at, count, apart, run);
            REAL *strip = columns + s * R(COLUMNS) * R(BLOCK_TAPS);
            for (int64_t p = 0; p < taps; p++) {
                R(copy_runs)(strip + p * R(COLUMNS), x + v->tap_at[tap + p], run, runs);
                for (int64_t j = count; j < R(COLUMNS); j++) strip[p * R(COLUMNS) + j] = 0;
            }
        }
        for (int64_t s = 0; s < strips; s++) {
            int64_t at = first + s * R(COLUMNS), count = least(R(COLUMNS), last - at);
            R(multiply_strip)(v, group, at + picture * v->positions, count, tap, taps,
                              columns + s * R(COLUMNS) * R(BLOCK_TAPS));
        }
    }
}

/* A part is some positions of one picture, or all positions of some pictures, of one group. */
static void R(conv_part)(void *context, int64_t k) {
    const R(Conv) *v = context;
    int64_t group = k % v->groups;
    k /= v->groups;
    if (v->together > 1) {
        int64_t end = least((k + 1) * v->together, v->batch);
        R(multiply_block)(v, group, k * v->together * v->positions, end * v->positions);
        return;
    }
    int64_t picture = k / v->pieces, piece = k % v->pieces;
    int64_t strips = parts_of(v->positions, R(COLUMNS));
    int64_t first = strips * piece / v->pieces * R(COLUMNS);
    int64_t last = least(strips * (piece + 1) / v->pieces * R(COLUMNS), v->positions);
    R(multiply_block)(v, group, picture * v->positions + first, picture * v->positions + last);
}

/* ---------------------------------------------------------------- out of padded pictures */

/* The gradient in one group of a picture: what `padded` has without the padding. */
static void R(crop_picture)(const R(Conv) *v, int64_t picture, int64_t group, REAL *padded) {
    int64_t size = v->size[0] * v->size[1] * v->size[2];
    REAL *to = v->to + (picture * v->groups + group) * v->channels * size;
    memset(to, 0, (size_t)(v->channels * size) * sizeof(REAL));
    for (int64_t c = 0; c < v->channels; c++, to += size)
        for (int64_t line = 0; line < v->padded[0] * v->padded[1]; line++) {
            int64_t row = R(row_of_line)(v, line);
            if (row >= 0)
                R(copy_row)(v, padded + c * v->area + line * v->row, to + row * v->size[2], 1);
        }
}

/* ------------------------------------------------------------------ depthwise convolution */

/* The padded picture of one channel, which may be read a vector beyond its end; NULL where memory
 * is lacking. */
static const REAL *R(pad_channel)(const R(Conv) *v, int64_t picture, int64_t group) {
    REAL *room = scratch(0, (size_t)(v->area + R(WIDTH)) * sizeof(REAL));
    R(Channels) one = {group, 0, 1};
    if (room) R(pad_picture)(v, picture, one, R(all_lines)(v), room);
    else atomic_store(v->failed, 1);
    return room;
}

/* One channel of one picture: the taps summed up, a vector of positions of a row at a time. */
static void R(depthwise_part)(void *context, int64_t k) {
    const R(Conv) *v = context;
    int64_t group = k % v->groups, picture = k / v->groups, width = v->out[2];
    const REAL *x = R(pad_channel)(v, picture, group);
    for (int64_t f = 0; x && f < v->filters; f++) {
        int64_t filter = group * v->filters + f;
        const REAL *weight = v->weight + group * v->group_step + f * v->filter_step;
        REAL *y = v->to + (picture * v->groups * v->filters + filter) * v->positions;
        const REAL *end = y + v->positions;
        R(Vector) begin = (R(Vector)){0} + (v->bias ? v->bias[filter] : 0);
        for (int64_t at = 0; at < v->positions; at += width, y += width)
            for (int64_t j = 0; j < width; j += R(WIDTH)) {
                const REAL *from = x + v->position_at[at] + j;
                R(Vector) sum = begin;
                for (int64_t t = 0; t < v->taps; t++)
                    sum += weight[v->weight_at[t]] * R(load)(from + v->tap_at[t]);
                if (y + j + R(WIDTH) <= end) R(store)(y + j, sum); /* the next row follows */
                else memcpy(y + j, &sum, (size_t)(width - j) * sizeof(REAL));
            }
    }
}

/* The gradient in one channel of one picture: each row of g goes where each tap met it. */
static void R(depthwise_input_grad_part)(void *context, int64_t k) {
    const R(Conv) *v = context;
    int64_t group = k % v->groups, picture = k / v->groups, width = v->out[2];
    REAL *padded = scratch(0, (size_t)v->area * sizeof(REAL));
    if (!padded) atomic_store(v->failed, 1);
    if (!padded) return;
    memset(padded, 0, (size_t)v->area * sizeof(REAL));
    for (int64_t f = 0; f < v->filters; f++) {
        const REAL *weight = v->weight + group * v->group_step + f * v->filter_step;
        const REAL *g = v->g + ((picture * v->groups + group) * v->filters + f) * v->positions;
        for (int64_t at = 0; at < v->positions; at += width)
            for (int64_t t = 0; t < v->taps; t++) {
                REAL *restrict to = padded + v->position_at[at] + v->tap_at[t];
                const REAL *restrict row = g + at, w = weight[v->weight_at[t]];
                for (int64_t j = 0; j < width; j++) to[j] += w * row[j];
            }
    }
    R(crop_picture)(v, picture, group, padded);
}

typedef __typeof__((R(Vector)){0} < (R(Vector)){0}) R(Mask);

/* The first lanes of a vector, zeros in the others; nothing is read from `end` on. */
INLINE R(Vector) R(load_some)(const REAL *from, const REAL *end, int64_t count, R(Mask) mask) {
    R(Vector) v = {0};
    if (from + R(WIDTH) <= end) return (R(Vector))((R(Mask))R(load)(from) & mask);
    memcpy(&v, from, (size_t)count * sizeof(REAL));
    return v;
}

/* sum[i], of `count` taps (a constant), plus the products of the rows of g with what each tap meets.
 * Beyond the end of a row both count as 0, whatever is there. */
INLINE void R(add_taps)(const R(Conv) *v, const int count, const int64_t *tap_at, const REAL *x,
                        const REAL *g, R(Vector) *to) {
    int64_t width = v->out[2], rest = width % R(WIDTH), whole = width - rest;
    const REAL *g_end = g + v->positions, *x_end = x + v->area + R(WIDTH);
    R(Vector) sum[3] = {to[0], to[count > 1], to[count > 2 ? 2 : 0]};
    R(Mask) mask;
    for (int j = 0; j < R(WIDTH); j++) mask[j] = j < rest ? -1 : 0;
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

/* The gradient in the weight of one channel, over all pictures. */
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

/* Whether the channels stand alone, so that there is no matrix product. */
INLINE int R(is_depthwise)(const R(Conv) *v) { return v->channels == 1 && v->filters < 4; }

/* ---------------------------------------------------------- convolution to few positions */

/* So few positions would not fill strips, and weights would take longer to pack than to multiply.
 * Filters are multiplied as they are, with columns whose taps are neighbours; some at a time. */
enum { R(NARROW) = 64, R(NARROW_TAPS) = 1024, R(NARROW_FILTERS) = 32 };

/* The columns of one group of one picture. */
static void R(lay_columns)(void *context, int64_t k) {
    const R(Conv) *v = context;
    int64_t apart, n = k / v->groups;
    R(Channels) all = {k % v->groups, 0, v->channels};
    const REAL *x = R(pictures)(v, n * v->positions, (n + 1) * v->positions, all, &apart);
    REAL *to = v->columns + k * v->positions * v->taps;
    for (int64_t at = 0; x && at < v->positions; at++)
        for (int64_t t = 0; t < v->taps; t++) *to++ = x[v->position_at[at] + v->tap_at[t]];
}

/* The weights of one filter, one behind the other. */
static void R(lay_filter)(void *context, int64_t k) {
    const R(Conv) *v = context;
    const REAL *from =
        v->weight + k / v->filters * v->group_step + k % v->filters * v->filter_step;
    for (int64_t t = 0; t < v->taps; t++) v->panels[k * v->taps + t] = from[v->weight_at[t]];
}

/* Some filters of a group. */
static void R(narrow_part)(void *context, int64_t k) {
    const R(Conv) *v = context;
    int64_t blocks = parts_of(v->filters, R(NARROW_FILTERS)), group = k / blocks;
    int64_t first = k % blocks * R(NARROW_FILTERS);
    int64_t rows = least(R(NARROW_FILTERS), v->filters - first);
    first += group * v->filters;
    for (int64_t n = 0; n < v->batch; n++) {
        REAL *y = v->to + (n * v->groups * v->filters + first) * v->positions;
        for (int64_t i = 0; i < rows * v->positions; i++)
            y[i] = v->bias ? v->bias[first + i / v->positions] : 0;
        for (int64_t tap = 0; tap < v->taps; tap += R(NARROW_TAPS))
            R(dots)(rows, v->positions, least(R(NARROW_TAPS), v->taps - tap),
                    v->panels + first * v->taps + tap,
                    v->columns + (n * v->groups + group) * v->positions * v->taps + tap, v->taps,
                    y, v->positions);
    }
}

static int R(is_narrow)(const R(Conv) *v) {
    return v->batch * v->positions <= R(NARROW) && v->taps % R(WIDTH) == 0 && v->filters >= 4;
}

static void R(convolve_narrow)(R(Conv) *v) {
    int64_t filters = v->groups * v->filters;
    int packed = v->group_step == v->filters * v->taps && v->filter_step == v->taps;
    for (int64_t t = 0; t < v->taps && packed; t++) packed = v->weight_at[t] == t;
    REAL *laid = packed ? NULL : malloc((size_t)(filters * v->taps) * sizeof(REAL));
    v->panels = packed ? (REAL *)v->weight : laid;
    v->columns = malloc((size_t)(v->groups * v->batch * v->positions * v->taps) * sizeof(REAL));
    if (v->panels && v->columns) {
        if (laid) parallel(R(lay_filter), v, filters);
        parallel(R(lay_columns), v, v->batch * v->groups);
        parallel(R(narrow_part), v, v->groups * parts_of(v->filters, R(NARROW_FILTERS)));
    } else atomic_store(v->failed, 1);
    free(laid);
    free(v->columns);
}

static enum outcome R(convolution)(const Call *call) {
    R(Conv) v;
    enum type type = F32 ? FLOAT32 : FLOAT64;
    if (call->arrays != 4 || !R(read_conv)(call, &v)) return DOES_NOT_FIT;
    const Array *x = &call->array[0], *weight = &call->array[1], *bias = &call->array[2];
    int64_t filters = v.groups * v.filters;
    if (!holds(x, type, v.batch * v.groups * v.channels * v.size[0] * v.size[1] * v.size[2]) ||
        !R(read_weight)(weight, type, &v) || (bias->data && !holds(bias, type, filters)) ||
        !takes(&call->array[3], type, v.batch * filters * v.positions))
        return DOES_NOT_FIT;
    v.x = (const REAL *)x->data;
    v.bias = (const REAL *)bias->data;
    v.to = (REAL *)call->array[3].data;
    atomic_int failed = 0;
    v.failed = &failed;
    int depthwise = R(is_depthwise)(&v);
    if (!R(make_offsets)(&v, weight)) return NO_MEMORY;
    if (!depthwise && R(is_narrow)(&v)) {
        R(convolve_narrow)(&v);
        free(v.tap_at);
        return failed ? NO_MEMORY : DONE;
    }
    if (!depthwise && !R(pack_weights)(&v, 0)) return free(v.tap_at), NO_MEMORY;
    v.together = most(1, R(BLOCK_COLUMNS) / v.positions);
    v.pieces = parts_of(v.positions, R(BLOCK_COLUMNS) * 2);
    int64_t blocks = v.together > 1 ? parts_of(v.batch, v.together) : v.batch * v.pieces;
    parallel(depthwise ? R(depthwise_part) : R(conv_part), &v,
             v.groups * (depthwise ? v.batch : blocks));
    free(v.panels);
    free(v.tap_at);
    return failed ? NO_MEMORY : DONE;
}

/* ---------------------------------------------------------------- gradient in the input */

/* Add the rows of a strip to the padded picture, each where its tap meets these positions. */
static void R(add_strip)(const R(Conv) *v, const REAL *strip, const R(Run) *run, int64_t runs,
                         REAL *picture) {
    for (int64_t t = 0; t < v->taps; t++) {
        const REAL *from = strip + t * R(COLUMNS);
        REAL *to = picture + v->tap_at[t];
        for (int64_t r = 0; r < runs; r++, from += run[r - 1].length)
            for (int64_t i = 0; i < run[r].length; i++) to[run[r].at + i] += from[i];
    }
}

/* The gradient in one group of one picture. */
static void R(input_grad_part)(void *context, int64_t k) {
    const R(Conv) *v = context;
    int64_t group = k % v->groups, picture = k / v->groups;
    const REAL *g = v->g + (picture * v->groups + group) * v->filters * v->positions;
    REAL *padded = scratch(0, (size_t)(v->channels * v->area) * sizeof(REAL));
    REAL *right = scratch(1, (size_t)(v->filters * R(COLUMNS)) * sizeof(REAL));
    REAL *strip = scratch(2, (size_t)(v->taps * R(COLUMNS)) * sizeof(REAL));
    if (!padded || !right || !strip) atomic_store(v->failed, 1);
    if (!padded || !right || !strip) return;
    memset(padded, 0, (size_t)(v->channels * v->area) * sizeof(REAL));
    R(Run) run[R(COLUMNS)];
    for (int64_t at = 0; at < v->positions; at += R(COLUMNS)) {
        int64_t count = least(R(COLUMNS), v->positions - at);
        for (int64_t f = 0; f < v->filters; f++)
            for (int64_t j = 0; j < R(COLUMNS); j++)
                right[f * R(COLUMNS) + j] = j < count ? g[f * v->positions + at + j] : 0;
        memset(strip, 0, (size_t)(v->taps * R(COLUMNS)) * sizeof(REAL));
        for (int64_t p = 0; p < R(panels)(v->taps); p++) {
            int64_t row = R(panel_start)(v->taps, p), end = R(panel_start)(v->taps, p + 1);
            R(tile)[end - row](v->filters, v->panels + (group * v->taps + row) * v->filters, right,
                               strip + row * R(COLUMNS), R(COLUMNS));
        }
        R(add_strip)(v, strip, run, R(find_runs)(v, at, count, 0, run), padded);
    }
    R(crop_picture)(v, picture, group, padded);
}

/* Arrays: g, the weight and the gradient. */
static enum outcome R(convolution_input_grad)(const Call *call) {
    R(Conv) v;
    enum type type = F32 ? FLOAT32 : FLOAT64;
    if (call->arrays != 3 || !R(read_conv)(call, &v)) return DOES_NOT_FIT;
    const Array *g = &call->array[0], *weight = &call->array[1], *to = &call->array[2];
    if (!holds(g, type, v.batch * v.groups * v.filters * v.positions) ||
        !R(read_weight)(weight, type, &v) ||
        !takes(to, type, v.batch * v.groups * v.channels * v.size[0] * v.size[1] * v.size[2]))
        return DOES_NOT_FIT;
    v.g = (const REAL *)g->data;
    v.to = (REAL *)to->data;
    atomic_int failed = 0;
    v.failed = &failed;
    if (!R(make_offsets)(&v, weight)) return NO_MEMORY;
    int depthwise = R(is_depthwise)(&v);
    if (!depthwise && !R(pack_weights)(&v, 1)) return free(v.tap_at), NO_MEMORY;
    parallel(depthwise ? R(depthwise_input_grad_part) : R(input_grad_part), &v,
             v.batch * v.groups);
    free(v.panels);
    free(v.tap_at);
    return failed ? NO_MEMORY : DONE;
}

/* --------------------------------------------------------------- gradient in the weight */

/* The positions and the taps of one product, and at least how many parts there are to be. */
enum { R(GRAD_POSITIONS) = 1024, R(GRAD_TAPS) = 96, R(GRAD_PARTS) = 8 };

/* What g has of one filter at positions that may go over several pictures, then zeros. */
static void R(copy_cotangents)(const R(Conv) *v, int64_t group, int64_t filter, int64_t first,
                               int64_t count, int64_t depth, REAL *to) {
    for (int64_t j = 0; j < count;) {
        int64_t picture = (first + j) / v->positions, position = (first + j) % v->positions;
        int64_t length = least(count - j, v->positions - position);
        int64_t row = (picture * v->groups + group) * v->filters + filter;
        memcpy(to + j, v->g + row * v->positions + position, (size_t)length * sizeof(REAL));
        j += length;
    }
    for (int64_t j = count; j < depth; j++) to[j] = 0;
}

/* The rows of g, and of the columns of some taps, at positions of a picture or of several, which
 * are laid side by side; then their products, added to the result. */
static void R(add_products)(const R(Conv) *v, int64_t group, int64_t tap, int64_t taps,
                            int64_t first, int64_t last, REAL *to) {
    int64_t picture = first / v->positions, apart, place = v->taps / v->channels;
    R(Channels) some = {group, tap / place, parts_of(tap + taps, place)};
    const REAL *x = R(pictures)(v, first, last, some, &apart);
    int64_t most_positions = least(R(GRAD_POSITIONS), last - first);
    int64_t length = parts_of(most_positions, R(WIDTH)) * R(WIDTH) + R(WIDTH);
    REAL *rows = scratch(1, (size_t)(v->filters * length) * sizeof(REAL));
    REAL *columns = scratch(2, (size_t)(taps * length) * sizeof(REAL));
    R(Run) *run = scratch(3, R(GRAD_POSITIONS) * sizeof(R(Run)));
    if (!rows || !columns || !run) atomic_store(v->failed, 1);
    if (!x || !rows || !columns || !run) return;
    for (int64_t at = first; at < last; at += most_positions) {
        int64_t count = least(most_positions, last - at);
        int64_t depth = parts_of(count, R(WIDTH)) * R(WIDTH);
        int64_t runs = R(find_runs)(v, at - picture * v->positions, count, apart, run);
        for (int64_t t = 0; t < taps; t++) {
            REAL *line = columns + t * length;
            R(copy_runs)(line, x + v->tap_at[tap + t] - some.first * v->area, run, runs);
            for (int64_t j = count; j < depth; j++) line[j] = 0;
        }
        for (int64_t f = 0; f < v->filters; f++)
            R(copy_cotangents)(v, group, f, at, count, depth, rows + f * length);
        R(dots)(v->filters, taps, depth, rows, columns, length, to + tap, v->taps);
    }
}

/* A part is some taps of one group, and some of the pictures; `panels` has a result for each of
 * `pieces` sets of pictures. */
static void R(weight_grad_part)(void *context, int64_t k) {
    const R(Conv) *v = context;
    int64_t blocks = parts_of(v->taps, R(GRAD_TAPS)), block = k % blocks;
    k /= blocks;
    int64_t group = k % v->groups, piece = k / v->groups;
    int64_t tap = block * R(GRAD_TAPS), taps = least(R(GRAD_TAPS), v->taps - tap);
    REAL *to = v->panels + (piece * v->groups + group) * v->filters * v->taps;
    for (int64_t f = 0; f < v->filters; f++)
        for (int64_t t = tap; t < tap + taps; t++) to[f * v->taps + t] = 0;
    int64_t end = v->batch * (piece + 1) / v->pieces;
    for (int64_t n = v->batch * piece / v->pieces; n < end; n += v->together)
        R(add_products)(v, group, tap, taps, n * v->positions,
                        least(n + v->together, end) * v->positions, to);
}

/* Up to so many positions of all pictures, sums over them are made in the tiles of a result. */
enum { R(FEW) = 1024 };

/* A panel of the cotangents: for each position of all pictures, those of some filters. */
static void R(pack_cotangents)(void *context, int64_t k) {
    const R(Conv) *v = context;
    int64_t panels = R(panels)(v->filters), row = R(panel_start)(v->filters, k % panels);
    int64_t rows = R(panel_start)(v->filters, k % panels + 1) - row;
    int64_t filter = k / panels * v->filters + row;
    REAL *to = v->panels + filter * v->batch * v->positions;
    for (int64_t n = 0; n < v->batch; n++) {
        const REAL *g = v->g + (n * v->groups * v->filters + filter) * v->positions;
        for (int64_t at = 0; at < v->positions; at++)
            for (int64_t i = 0; i < rows; i++) *to++ = g[i * v->positions + at];
    }
}

/* The gradient in a strip of taps of one group. */
static void R(few_part)(void *context, int64_t k) {
    const R(Conv) *v = context;
    int64_t strips = parts_of(v->taps, R(COLUMNS)), group = k / strips, total = 0;
    int64_t tap = k % strips * R(COLUMNS), taps = least(R(COLUMNS), v->taps - tap), apart;
    int64_t place = v->taps / v->channels, positions = v->batch * v->positions;
    R(Channels) some = {group, tap / place, parts_of(tap + taps, place)};
    REAL *columns = scratch(1, (size_t)(positions * R(COLUMNS)) * sizeof(REAL));
    if (!columns) atomic_store(v->failed, 1);
    for (int64_t n = 0; columns && n < v->batch; n++) {
        const REAL *x = R(pictures)(v, n * v->positions, (n + 1) * v->positions, some, &apart);
        if (!x) return;
        for (int64_t at = 0; at < v->positions; at++, total++)
            for (int64_t t = 0; t < R(COLUMNS); t++)
                columns[total * R(COLUMNS) + t] =
                    t < taps ? x[v->position_at[at] + v->tap_at[tap + t] - some.first * v->area]
                             : 0;
    }
    for (int64_t p = 0; columns && p < R(panels)(v->filters); p++) {
        int64_t row = R(panel_start)(v->filters, p), rows = R(panel_start)(v->filters, p + 1) - row;
        int64_t filter = group * v->filters + row;
        REAL sum[R(ROWS) * R(COLUMNS)] = {0};
        R(tile)[rows](positions, v->panels + filter * positions, columns, sum, R(COLUMNS));
        for (int64_t i = 0; i < rows; i++)
            memcpy(v->to + (filter + i) * v->taps + tap, sum + i * R(COLUMNS),
                   (size_t)taps * sizeof(REAL));
    }
}

/* Arrays: g, x and the gradient. */
static enum outcome R(convolution_weight_grad)(const Call *call) {
    R(Conv) v;
    enum type type = F32 ? FLOAT32 : FLOAT64;
    if (call->arrays != 3 || !R(read_conv)(call, &v)) return DOES_NOT_FIT;
    const Array *g = &call->array[0], *x = &call->array[1], *to = &call->array[2];
    int64_t count = v.groups * v.filters * v.taps;
    if (!holds(g, type, v.batch * v.groups * v.filters * v.positions) ||
        !holds(x, type, v.batch * v.groups * v.channels * v.size[0] * v.size[1] * v.size[2]) ||
        !takes(to, type, count))
        return DOES_NOT_FIT;
    v.g = (const REAL *)g->data;
    v.x = (const REAL *)x->data;
    atomic_int failed = 0;
    v.failed = &failed;
    v.to = (REAL *)to->data;
    if (!R(make_offsets)(&v, NULL)) return NO_MEMORY;
    if (R(is_depthwise)(&v)) {
        parallel(R(depthwise_weight_grad_part), &v, v.groups);
        free(v.tap_at);
        return failed ? NO_MEMORY : DONE;
    }
    if (v.batch * v.positions <= R(FEW)) {
        v.panels = malloc((size_t)(v.groups * v.filters * v.batch * v.positions) * sizeof(REAL));
        if (!v.panels) return free(v.tap_at), NO_MEMORY;
        parallel(R(pack_cotangents), &v, v.groups * R(panels)(v.filters));
        parallel(R(few_part), &v, v.groups * parts_of(v.taps, R(COLUMNS)));
        free(v.panels);
        free(v.tap_at);
        return failed ? NO_MEMORY : DONE;
    }
    int64_t parts = v.groups * parts_of(v.taps, R(GRAD_TAPS));
    v.together = most(1, R(GRAD_POSITIONS) / v.positions);
    v.pieces = most(1, least(parts_of(R(GRAD_PARTS), parts), parts_of(v.batch, v.together)));
    v.panels = v.pieces > 1 ? malloc((size_t)(v.pieces * count) * sizeof(REAL)) : NULL;
    if (v.pieces > 1 && !v.panels) return free(v.tap_at), NO_MEMORY;
    REAL *sums = v.panels;
    if (v.pieces == 1) v.panels = (REAL *)to->data;
    parallel(R(weight_grad_part), &v, parts * v.pieces);
    for (int64_t i = 0; sums && i < count; i++) {
        REAL sum = 0;
        for (int64_t k = 0; k < v.pieces; k++) sum += sums[k * count + i];
        ((REAL *)to->data)[i] = sum;
    }
    free(sums);
    free(v.tap_at);
    return failed ? NO_MEMORY : DONE;
}
