/* Convolution of pictures (batch, channels, depth, height, width), and its gradients. Arrays and
 * integers are those of windows.h.
 *
 *     convolution              y[o, position] = sum over taps of w[o, tap] * column[tap, position]
 *     convolution_weight_grad  dw[o, tap] = sum over positions of g[o, position] * column[tap, position]
 *
 *     convolution_input_grad   column[tap, position] = sum over o of w[o, tap] * g[o, position],
 *                              each added to the picture at its origin
 *
 * The gradient of the input is a convolution as well, with the kernel flipped; the Python side
 * chooses between the two. It also chooses Winograd's method, of winograd.c.
 */
#include "windows.h"

#include "depthwise.h"

/* The columns of a part, and the taps multiplied at a time, which fit in a cache together; and the
 * minimum number of parts. */
enum { R(BLOCK_COLUMNS) = 512, R(BLOCK_TAPS) = 256, R(PARTS) = 8 };

/* Panels of a matrix with one row for each of `rows`, to be multiplied over `depth`. Rows are
 * filters and the depth is the taps, or with `turned` the reverse, for the taps of a piece. */
typedef struct {
    const R(Conv) *v;
    int64_t rows, depth, pieces;
    int turned, neighbours; /* neighbours: what is taken along the depth lies side by side */
} R(Packing);

/* Whether the weights of a filter lie one behind the other. */
static int R(taps_are_neighbours)(const R(Conv) *v) {
    for (int64_t t = 0; t < v->taps; t++)
        if (v->weight_at[t] != t) return 0;
    return 1;
}

/* What some rows of a matrix hold in the same columns, as a panel: as many columns as vectors fill,
 * the last of which must not reach beyond the panel. Returns how many. */
static int64_t R(pack_vectors)(const REAL *from, int64_t step, int64_t rows, int64_t depth,
                               REAL *to) {
    int64_t p = 0;
    for (; rows <= R(WIDTH) && (p + R(WIDTH) - 1) * rows + R(WIDTH) <= depth * rows; p += R(WIDTH)) {
        R(Vector) v[R(WIDTH)];
        for (int i = 0; i < R(WIDTH); i++)
            v[i] = i < rows ? R(load)(from + i * step + p) : (R(Vector)){0};
        R(transpose)(v);
        for (int i = 0; i < R(WIDTH); i++, to += rows) R(store)(to, v[i]);
    }
    return p;
}

static void R(pack_panel)(void *context, int64_t k) {
    const R(Packing) *work = context;
    const R(Conv) *v = work->v;
    int64_t count = R(panels)(work->rows), piece = k / count;
    int64_t first = R(panel_start)(work->rows, k % count);
    int64_t rows = R(panel_start)(work->rows, k % count + 1) - first;
    const REAL *from = v->weight + piece / work->pieces * v->group_step;
    const int64_t *row_at = v->weight_at + piece % work->pieces * work->rows + first;
    REAL *to = v->panels + (piece * work->rows + first) * work->depth;
    int64_t p = 0;
    if (work->neighbours)
        p = R(pack_vectors)(from + first * v->filter_step, v->filter_step, rows, work->depth, to);
    for (; p < work->depth; p++)
        for (int64_t i = 0; i < rows; i++)
            to[p * rows + i] = work->turned
                                   ? from[row_at[i] + p * v->filter_step]
                                   : from[v->weight_at[p] + (first + i) * v->filter_step];
}

static int R(pack_weights)(R(Conv) *v, int turned) {
    v->panels = malloc((size_t)(v->groups * v->filters * v->taps) * sizeof(REAL));
    if (!v->panels) return 0;
    R(Packing) work = {v, v->filters, v->taps, 1, turned, !turned && R(taps_are_neighbours)(v)};
    if (turned) work.rows = v->taps / v->pieces, work.depth = v->filters, work.pieces = v->pieces;
    parallel(R(pack_panel), &work, v->groups * work.pieces * R(panels)(work.rows));
    return 1;
}

/* One strip of the result: all filters of a group at positions from `first` on. `begins` marks the
 * first taps: the result is initialized with the bias. */
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

/* A part is some positions of one picture, or of several small ones, of one group. */
static void R(conv_part)(void *context, int64_t k) {
    const R(Conv) *v = context;
    int64_t group = k % v->groups, piece = k / v->groups % v->pieces;
    int64_t picture = k / v->groups / v->pieces * v->together;
    int64_t begin = picture * v->positions;
    int64_t end = least(picture + v->together, v->batch) * v->positions;
    int64_t strips = parts_of(end - begin, R(COLUMNS));
    int64_t first = begin + strips * piece / v->pieces * R(COLUMNS);
    int64_t last = least(begin + strips * (piece + 1) / v->pieces * R(COLUMNS), end);
    if (first < last) R(multiply_block)(v, group, first, last);
}

/* Divide the positions among parts, and return their number; a single picture gets several. */
static int64_t R(share_positions)(R(Conv) *v) {
    v->together = least(most(1, R(BLOCK_COLUMNS) / v->positions), v->batch);
    int64_t sets = v->groups * parts_of(v->batch, v->together);
    int64_t strips = parts_of(v->together * v->positions, R(COLUMNS));
    v->pieces = most(parts_of(v->positions, 2 * R(BLOCK_COLUMNS)),
                     least(parts_of(R(PARTS), sets), parts_of(strips, 2)));
    return sets * v->pieces;
}

/* ---------------------------------------------------------- convolution to few positions */

/* Few positions would not fill strips, and packing weights would take longer than multiplying.
 * Filters are multiplied unpacked, some at a time, with columns whose taps are adjacent. */
enum { R(NARROW) = 64, R(NARROW_TAPS) = 1024, R(NARROW_FILTERS) = 32 };

/* The columns of some channels of one group of one picture. */
static void R(lay_columns)(void *context, int64_t k) {
    const R(Conv) *v = context;
    int64_t apart, block = k % v->pieces, n = k / v->pieces / v->groups;
    int64_t place = v->taps / v->channels;
    R(Channels) some = {k / v->pieces % v->groups, v->channels * block / v->pieces,
                        v->channels * (block + 1) / v->pieces};
    const REAL *x = R(pictures)(v, n * v->positions, (n + 1) * v->positions, some, &apart);
    REAL *to = v->columns + k / v->pieces * v->positions * v->taps;
    for (int64_t at = 0; x && at < v->positions; at++, to += v->taps)
        for (int64_t t = some.first * place; t < some.last * place; t++)
            to[t] = x[v->position_at[at] + v->tap_at[t] - some.first * v->area];
}

/* The weights of one filter, contiguous. */
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
    int packed = v->group_step == v->filters * v->taps && v->filter_step == v->taps &&
                 R(taps_are_neighbours)(v);
    REAL *laid = packed ? NULL : malloc((size_t)(filters * v->taps) * sizeof(REAL));
    v->panels = packed ? (REAL *)v->weight : laid;
    v->columns = malloc((size_t)(v->groups * v->batch * v->positions * v->taps) * sizeof(REAL));
    if (v->panels && v->columns) {
        if (laid) parallel(R(lay_filter), v, filters);
        v->pieces = least(R(PARTS), v->channels);
        parallel(R(lay_columns), v, v->batch * v->groups * v->pieces);
        parallel(R(narrow_part), v, v->groups * parts_of(v->filters, R(NARROW_FILTERS)));
    } else atomic_store(v->failed, 1);
    free(laid);
    free(v->columns);
}

enum outcome R(convolution)(const Call *call) {
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
    if (depthwise) R(each_channel)(&v, R(depthwise_part), v.groups * v.batch);
    else parallel(R(conv_part), &v, R(share_positions)(&v));
    free(v.panels);
    free(v.tap_at);
    return failed ? NO_MEMORY : DONE;
}

/* ---------------------------------------------------------------- gradient in the input */

/* Add the rows of a strip to the padded picture, where their taps meet these positions. */
static void R(add_strip)(const int64_t *tap_at, int64_t taps, const REAL *strip,
                         const R(Run) *run, int64_t runs, REAL *picture) {
    for (int64_t t = 0; t < taps; t++) {
        const REAL *from = strip + t * R(COLUMNS);
        REAL *to = picture + tap_at[t];
        for (int64_t r = 0; r < runs; r++, from += run[r - 1].length)
            for (int64_t i = 0; i < run[r].length; i++) to[run[r].at + i] += from[i];
    }
}

/* The gradient of a piece of the channels of one group of one picture. */
static void R(input_grad_part)(void *context, int64_t k) {
    const R(Conv) *v = context;
    int64_t group = k / v->pieces % v->groups, picture = k / v->pieces / v->groups;
    int64_t channels = v->channels / v->pieces, taps = v->taps / v->pieces;
    R(Channels) some = {group, k % v->pieces * channels, (k % v->pieces + 1) * channels};
    const REAL *g = v->g + (picture * v->groups + group) * v->filters * v->positions;
    const REAL *panels = v->panels + k % (v->pieces * v->groups) * taps * v->filters;
    REAL *padded = scratch(0, (size_t)(channels * v->area) * sizeof(REAL));
    REAL *right = scratch(1, (size_t)(v->filters * R(COLUMNS)) * sizeof(REAL));
    REAL *strip = scratch(2, (size_t)(taps * R(COLUMNS)) * sizeof(REAL));
    if (!padded || !right || !strip) atomic_store(v->failed, 1);
    if (!padded || !right || !strip) return;
    memset(padded, 0, (size_t)(channels * v->area) * sizeof(REAL));
    R(Run) run[R(COLUMNS)];
    for (int64_t at = 0; at < v->positions; at += R(COLUMNS)) {
        int64_t count = least(R(COLUMNS), v->positions - at);
        for (int64_t f = 0; f < v->filters; f++)
            for (int64_t j = 0; j < R(COLUMNS); j++)
                right[f * R(COLUMNS) + j] = j < count ? g[f * v->positions + at + j] : 0;
        memset(strip, 0, (size_t)(taps * R(COLUMNS)) * sizeof(REAL));
        for (int64_t p = 0; p < R(panels)(taps); p++) {
            int64_t row = R(panel_start)(taps, p), rows = R(panel_start)(taps, p + 1) - row;
            R(tile)[rows](v->filters, panels + row * v->filters, right, strip + row * R(COLUMNS),
                          R(COLUMNS));
        }
        R(add_strip)(v->tap_at, taps, strip, run, R(find_runs)(v, at, count, 0, run), padded);
    }
    R(crop_picture)(v, picture, some, padded);
}

/* The number of equal pieces of a group's channels that gives enough parts. */
static int64_t R(share_channels)(const R(Conv) *v) {
    int64_t pieces = least(parts_of(R(PARTS), v->batch * v->groups), v->channels);
    while (v->channels % pieces) pieces--;
    return pieces;
}

/* Arrays: g, the weight and the gradient. */
enum outcome R(convolution_input_grad)(const Call *call) {
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
    v.pieces = depthwise ? 1 : R(share_channels)(&v);
    if (!depthwise && !R(pack_weights)(&v, 1)) return free(v.tap_at), NO_MEMORY;
    if (depthwise) R(each_channel)(&v, R(depthwise_input_grad_part), v.batch * v.groups);
    else parallel(R(input_grad_part), &v, v.batch * v.groups * v.pieces);
    free(v.panels);
    free(v.tap_at);
    return failed ? NO_MEMORY : DONE;
}

/* --------------------------------------------------------------- gradient in the weight */

/* The positions and the taps of one product. */
enum { R(GRAD_POSITIONS) = 1024, R(GRAD_TAPS) = 96 };

/* The values of g for one filter at positions of one or several pictures, then zeros. */
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

/* Lay out the rows of g, and the columns of some taps, at positions of one or several pictures;
 * then add their products to the result. */
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

/* Up to this many positions of all pictures, sums over them are computed in tiles of the result. */
enum { R(FEW) = 1024 };

/* A panel of the cotangents: the values of some filters at each position of all pictures. */
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

/* The gradient for few positions. */
static enum outcome R(add_few)(R(Conv) *v) {
    v->panels = malloc((size_t)(v->groups * v->filters * v->batch * v->positions) * sizeof(REAL));
    if (!v->panels) return NO_MEMORY;
    parallel(R(pack_cotangents), v, v->groups * R(panels)(v->filters));
    parallel(R(few_part), v, v->groups * parts_of(v->taps, R(COLUMNS)));
    free(v->panels);
    return DONE;
}

/* The gradient as a sum over sets of pictures. */
static enum outcome R(add_pieces)(R(Conv) *v) {
    int64_t parts = v->groups * parts_of(v->taps, R(GRAD_TAPS));
    int64_t count = v->groups * v->filters * v->taps;
    v->together = most(1, R(GRAD_POSITIONS) / v->positions);
    v->pieces = most(1, least(parts_of(R(PARTS), parts), parts_of(v->batch, v->together)));
    REAL *sums = v->pieces > 1 ? malloc((size_t)(v->pieces * count) * sizeof(REAL)) : NULL;
    if (v->pieces > 1 && !sums) return NO_MEMORY;
    v->panels = sums ? sums : v->to;
    parallel(R(weight_grad_part), v, parts * v->pieces);
    for (int64_t i = 0; sums && i < count; i++) {
        REAL sum = 0;
        for (int64_t k = 0; k < v->pieces; k++) sum += sums[k * count + i];
        v->to[i] = sum;
    }
    free(sums);
    return DONE;
}

/* Arrays: g, x and the gradient. */
enum outcome R(convolution_weight_grad)(const Call *call) {
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
        R(each_channel)(&v, R(depthwise_weight_grad_part), v.groups);
        free(v.tap_at);
        return failed ? NO_MEMORY : DONE;
    }
    enum outcome outcome = v.batch * v.positions <= R(FEW) ? R(add_few)(&v) : R(add_pieces)(&v);
    free(v.tap_at);
    return failed ? NO_MEMORY : outcome;
}
