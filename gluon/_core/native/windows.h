/* Windows of pictures, shared by the convolutions: the arguments of a call, the offsets of taps and
 * positions, padded pictures, and columns.
 *
 * A window of the padded picture is a column of a matrix, which is never created as a whole. A tap
 * is a channel and an element of the kernel. The offset of a tap at a position is the sum of two
 * offsets, one of the tap and one of the position; both are tabulated once. Padded pictures are
 * laid out so that neighbouring positions are neighbours in memory: with a stride of 2 along the
 * width, the even places of a row come before the odd ones. Positions of several small pictures are
 * combined to fill strips.
 *
 * Integers: batch, groups, channels and filters of a group, then three values each (one for each
 * dimension) of size, kernel, stride, pad, dilate and out. `pad` is the padding before the picture,
 * and may be negative; the padding after it follows from the windows. The weight is an array of any
 * strides, (groups, filters, channels, *kernel).
 */
#include "products.h"

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
    int64_t pieces, together;  /* the parts of a picture, or the pictures or channels of a part */
    int64_t count;             /* of the channels of all pictures, and the work on each */
    Task of_channel;
    atomic_int *failed;        /* whether memory was lacking */
} R(Conv);

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

/* Whether the weight has the right shape and strides; stores its strides. */
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

/* Copy a row of a picture into a padded row, or with `back` in reverse; only the part between two
 * places of it, phase by phase. */
static void R(copy_phases)(const R(Conv) *v, int64_t first, int64_t last, REAL *padded, REAL *row,
                           int back) {
    int64_t stride = v->stride[2];
    for (int64_t k = 0; k < least(stride, last - first); k++) {
        int64_t place = first + k + v->pad[2], count = (last - first - k - 1) / stride + 1;
        REAL *restrict at = padded + place % stride * v->phase + place / stride;
        REAL *restrict of = row + first + k;
        for (int64_t i = 0; i < count; i++)
            if (back) of[i * stride] = at[i];
            else at[i] = of[i * stride];
    }
}

/* The same for a stride of 2, with both phases at once: pairs of neighbours are separated or
 * interleaved. */
static void R(copy_pairs)(const R(Conv) *v, int64_t first, int64_t last, REAL *padded, REAL *row,
                          int back) {
    int64_t place = first + v->pad[2], pairs = (last - first) / 2, odd = place % 2;
    REAL *restrict left = padded + odd * v->phase + place / 2;
    REAL *restrict right = padded + (1 - odd) * v->phase + (place + 1) / 2;
    REAL *restrict of = row + first;
    if (back)
        for (int64_t i = 0; i < pairs; i++) of[2 * i] = left[i], of[2 * i + 1] = right[i];
    else
        for (int64_t i = 0; i < pairs; i++) left[i] = of[2 * i], right[i] = of[2 * i + 1];
    if ((last - first) % 2 && back) of[2 * pairs] = left[pairs];
    else if ((last - first) % 2) left[pairs] = of[2 * pairs];
}

static void R(copy_row)(const R(Conv) *v, REAL *padded, REAL *row, int back) {
    int64_t first = most(-v->pad[2], 0), last = least(v->size[2], v->padded[2] - v->pad[2]);
    if (last <= first) return;
    if (v->stride[2] == 1) {
        REAL *at = padded + v->pad[2] + first;
        size_t bytes = (size_t)(last - first) * sizeof(REAL);
        if (back) memcpy(row + first, at, bytes);
        else memcpy(at, row + first, bytes);
    } else if (v->stride[2] == 2) R(copy_pairs)(v, first, last, padded, row, back);
    else R(copy_phases)(v, first, last, padded, row, back);
}

/* Lines of a padded channel: row j of slice i is line i * padded[1] + j. */
typedef struct {
    int64_t first, last; /* both included */
} R(Lines);

/* Copy these lines of a channel into the padded one, or with `back` in reverse. */
static void R(copy_lines)(const R(Conv) *v, R(Lines) lines, REAL *padded, REAL *channel, int back) {
    int64_t d = lines.first / v->padded[1] - v->pad[0], h = lines.first % v->padded[1];
    for (int64_t line = lines.first; line <= lines.last; line++) {
        int64_t row = h - v->pad[1];
        if (d >= 0 && d < v->size[0] && row >= 0 && row < v->size[1])
            R(copy_row)(v, padded + line * v->row, channel + (d * v->size[1] + row) * v->size[2],
                        back);
        if (++h == v->padded[1]) h = 0, d++;
    }
}

/* Copy these channels of picture n to `to`, with zeros around them; only the given lines of the
 * padded picture. */
static void R(pad_picture)(const R(Conv) *v, int64_t n, R(Channels) some, R(Lines) lines,
                           REAL *to) {
    int64_t size = v->size[0] * v->size[1] * v->size[2];
    REAL *from = (REAL *)v->x + (n * v->groups + some.group) * v->channels * size;
    for (int64_t c = some.first; c < some.last; c++, to += v->area) {
        memset(to + lines.first * v->row, 0,
               (size_t)((lines.last - lines.first + 1) * v->row) * sizeof(REAL));
        R(copy_lines)(v, lines, to, from + c * size, 0);
    }
}

static R(Lines) R(all_lines)(const R(Conv) *v) {
    return (R(Lines)){0, v->padded[0] * v->padded[1] - 1};
}

/* The lines that positions of one picture use; all lines for several pictures. */
static R(Lines) R(lines_of)(const R(Conv) *v, int64_t first, int64_t last) {
    if (last > v->positions) return R(all_lines)(v);
    int64_t tap = v->taps / v->channels - 1;
    return (R(Lines)){v->position_at[first] / v->row,
                      (v->position_at[last - 1] + v->tap_at[tap]) / v->row};
}

/* Pad these channels of the pictures that contain the positions, and set the distance of pictures;
 * NULL if memory is lacking. */
HELPER const REAL *R(pictures)(const R(Conv) *v, int64_t from, int64_t to, R(Channels) some,
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

/* Adjacent positions, which a tap finds in one run of memory. */
typedef struct {
    int64_t at, length;
} R(Run);

/* The runs of the positions from `first`, counted over all pictures; returns their number. */
HELPER int64_t R(find_runs)(const R(Conv) *v, int64_t first, int64_t count, int64_t apart,
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

/* ---------------------------------------------------------------- out of padded pictures */

/* The gradient of these channels of a picture: `padded` without the padding. */
SHARED void R(crop_picture)(const R(Conv) *v, int64_t picture,
                                                      R(Channels) some, REAL *padded) {
    int64_t size = v->size[0] * v->size[1] * v->size[2], channels = some.last - some.first;
    REAL *to = v->to + ((picture * v->groups + some.group) * v->channels + some.first) * size;
    memset(to, 0, (size_t)(channels * size) * sizeof(REAL));
    for (int64_t c = 0; c < channels; c++, to += size)
        R(copy_lines)(v, R(all_lines)(v), padded + c * v->area, to, 1);
}
