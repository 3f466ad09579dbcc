/* Convolution of pictures with kernels of 3 x 3 at stride 1, and its gradient in the weight, with a
 * quarter of the multiplications (Winograd, 1980; Lavin and Gray, "Fast algorithms for convolutional
 * neural networks", 2016).
 *
 * A tile of 4 x 4 results needs 6 x 6 values d of the picture. Both it and the kernel w are treated
 * as polynomials of two variables and evaluated at 6 x 6 points. There, a convolution is a product
 * of numbers, and the sum over channels is a product of matrices, one per point:
 *
 *     convolution              y  = A' [sum over channels of (G w G') * (B' d B)] A
 *     convolution_weight_grad  dw = A' [sum over tiles of    (G g G') * (B' d B)] A
 *
 * A' transforms the values at the points to the results, with one row per result. In the second
 * line, there are 3 x 3 results, and G transforms the 4 x 4 cotangents g of a tile. The points are
 * 0, the roots of 1/2 and of 2 with both signs, and infinity. With these, whose powers and
 * differences are near 1, errors are a third of those with the usual 0, 1, -1, 2, -2 (Barabasz et
 * al., "Error analysis and improving the accuracy of Winograd convolution", 2020), three times
 * those of plain sums.
 *
 * Tiles are counted along a line of tiles, over the lines of a picture, and over the pictures. In
 * the first product, the lanes of vectors are tiles, and adjacent tiles are adjacent in memory; in
 * the second one, the lanes are channels, which are adjacent:
 *
 *     plane[row of a tile, of 4][column of a tile, of 6][slot][tile of the line]
 *     pixel[slot][row of a tile, of 4][column of the line][channel]
 *
 * A slot is a line of tiles. The last two rows of a tile are the first two of the next slot, so a
 * picture ends with an additional slot.
 *
 * Errors spread over tiles: the kernels of spread.c tell whether that is harmless, and are asked first.
 *
 * Arrays and integers are those of windows.h, for pictures of depth 1.
 */
#if F32
#include "windows.h"
#include "winograd.h"

/* The points of a tile along an axis. */
enum { POINTS = 6, ALL_POINTS = POINTS * POINTS };

typedef R(Vector) Vector;

/* Pictures divided into tiles: the input (reach 6), or the cotangents (reach 4). */
typedef struct {
    const float *x;
    int64_t groups, channels, size[2], pad[2];
    int64_t high, wide, reach; /* tiles of a picture down and across */
} Tiles;

/* Some lines of tiles of one channel, laid out. */
typedef struct {
    const Tiles *of;
    int64_t first, last, slots; /* lines */
    float *plane, *row;         /* row: one of a padded picture */
} Layout;

typedef struct {
    R(Conv) v;
    Tiles data, slope;
    int64_t lines, together; /* over all pictures, and of a part */
    int64_t panel, step;     /* values from one panel of weights, or one point, to the next */
    float *of_x, *of_g, *sums; /* the transforms of a block of tiles, and sums of their products */
    int64_t first, last, tiles; /* the block: lines and tiles */
    int64_t strips, panels;     /* of the channels, and of the filters, of a group */
} Winograd;

/* ------------------------------------------------------------------------- transforms */

static const float ROOT = 0.70710678118654752f; /* of 1/2; that of 2 is twice as much */

/* B' d: the polynomial d at the points, for the product. */
INLINE void at_points(const Vector *d, Vector *v) {
    Vector even = d[4] - 2.0f * d[2], odd = d[3] - 2.0f * d[1];
    v[0] = d[0] - 2.5f * d[2] + d[4];
    v[1] = even + ROOT * odd;
    v[2] = even - ROOT * odd;
    even = d[4] - 0.5f * d[2], odd = 2.0f * d[3] - d[1];
    v[3] = even + ROOT * odd;
    v[4] = even - ROOT * odd;
    v[5] = d[1] - 2.5f * d[3] + d[5];
}

/* G g for `count`, 3 or 4, values: the polynomial g at the points. */
INLINE void of_polynomial(const int count, const Vector *g, Vector *v) {
    Vector last = count == 4 ? g[3] : (Vector){0};
    Vector even = (g[0] + 0.5f * g[2]) * (-1 / 1.5f);
    Vector odd = (g[1] + 0.5f * last) * (-ROOT / 1.5f);
    v[0] = g[0];
    v[1] = even + odd;
    v[2] = even - odd;
    even = (g[0] + 2.0f * g[2]) * (1 / 6.0f), odd = (g[1] + 2.0f * last) * (ROOT / 3.0f);
    v[3] = even + odd;
    v[4] = even - odd;
    v[5] = count == 4 ? last : g[2];
}

/* A' m: `count`, 3 or 4, results. */
INLINE void from_points(const int count, const Vector *m, Vector *y) {
    Vector even = m[1] + m[2], odd = m[1] - m[2], even2 = m[3] + m[4], odd2 = m[3] - m[4];
    y[0] = m[0] + even + even2;
    y[1] = ROOT * (odd + 2.0f * odd2);
    y[2] = 0.5f * even + 2.0f * even2;
    if (count == 3) y[2] += m[5];
    else y[3] = ROOT * (0.5f * odd + 4.0f * odd2) + m[5];
}

/* B' along the rows of values already transformed along the columns, stored with `step` values
 * between points. */
INLINE void store_data(const Vector *part, float *to, int64_t step) {
    for (int u = 0; u < POINTS; u++) {
        Vector v[POINTS];
        at_points(part + u * POINTS, v);
        for (int w = 0; w < POINTS; w++, to += step) R(store)(to, v[w]);
    }
}

/* Panels of filters in the gradient; a vector holds one or two. */
enum { PANEL = R(WIDTH) > 4 ? R(WIDTH) / 2 : R(WIDTH) };

/* The same along both axes of `from`, of `count` rows and columns; the result is stored with
 * `step` values between points, and with the second half of a vector `apart` values after the
 * first. */
INLINE void store_polynomial(const int count, const Vector *from, float *to, int64_t step,
                             int64_t apart) {
    Vector part[POINTS * 4];
    for (int j = 0; j < count; j++) {
        Vector g[4], v[POINTS];
        for (int i = 0; i < count; i++) g[i] = from[i * count + j];
        of_polynomial(count, g, v);
        for (int u = 0; u < POINTS; u++) part[u * count + j] = v[u];
    }
    for (int u = 0; u < POINTS; u++) {
        Vector v[POINTS];
        of_polynomial(count, part + u * count, v);
        for (int w = 0; w < POINTS; w++, to += step) {
            if (apart == PANEL) R(store)(to, v[w]);
            else
                for (int k = 0; k < R(WIDTH) / PANEL; k++)
                    memcpy(to + k * apart, (float *)&v[w] + k * PANEL, PANEL * sizeof(float));
        }
    }
}

INLINE void load_results(const int count, const float *from, int64_t step, Vector *y) {
    Vector part[4 * POINTS];
    for (int w = 0; w < POINTS; w++) {
        Vector m[POINTS], v[4];
        for (int u = 0; u < POINTS; u++) m[u] = R(load)(from + (u * POINTS + w) * step);
        from_points(count, m, v);
        for (int i = 0; i < count; i++) part[i * POINTS + w] = v[i];
    }
    for (int i = 0; i < count; i++) from_points(count, part + i * POINTS, y + i * count);
}

/* ----------------------------------------------------------------------------- layout */

/* One row of a picture, or NULL for zeros, as the lines of a slot, `apart` values from each other. */
static void lay_row(const Layout *to, const float *from, float *line, int64_t apart) {
    const Tiles *of = to->of;
    int64_t begin = most(of->pad[1], 0), skip = begin - of->pad[1], wide = of->wide;
    int64_t count = least(of->size[1] - skip, TILE_SIZE * wide + 2 - begin);
    for (int64_t w = 0; w < count; w++) to->row[begin + w] = from ? from[skip + w] : 0.0f;
    for (int64_t t = 0; t < wide; t++)
        for (int j = 0; j < TILE_SIZE; j++) line[j * apart + t] = to->row[TILE_SIZE * t + j];
    for (int64_t j = TILE_SIZE; j < POINTS; j++) {
        memcpy(line + j * apart, line + (j - TILE_SIZE) * apart + 1,
               (size_t)(wide - 1) * sizeof(float));
        line[j * apart + wide - 1] = to->row[TILE_SIZE * wide + j - TILE_SIZE];
    }
}

/* The slot of a line, if `first` is in the first one. */
INLINE int64_t slot_of(const Tiles *of, int64_t first, int64_t line) {
    return line - first + line / of->high - first / of->high;
}

/* The lines from `first` to before `last` of one channel. */
static void lay_out(const Layout *to, int64_t channel) {
    const Tiles *of = to->of;
    int64_t apart = to->slots * of->wide;
    memset(to->row, 0, (size_t)(TILE_SIZE * of->wide + 2) * sizeof(float));
    for (int64_t line = to->first; line < to->last; line++) {
        int64_t picture = line / of->high, down = line % of->high;
        int ends = down == of->high - 1 || line == to->last - 1;
        const float *x =
            of->x + (picture * of->groups * of->channels + channel) * of->size[0] * of->size[1];
        for (int64_t i = 0; i < (ends ? POINTS : TILE_SIZE); i++) {
            int64_t h = TILE_SIZE * down + i - of->pad[0];
            int64_t slot = slot_of(of, to->first, line) + i / TILE_SIZE;
            lay_row(to, h < 0 || h >= of->size[0] ? NULL : x + h * of->size[1],
                    to->plane + i % TILE_SIZE * POINTS * apart + slot * of->wide, apart);
        }
    }
}

/* Where the tiles of a vector lie in a plane. */
typedef struct {
    int64_t at[R(WIDTH)];
    int together;
} Lanes;

/* Tiles after the last repeat the last. */
INLINE Lanes find_lanes(const Layout *to, int64_t tile) {
    Lanes lanes;
    int64_t wide = to->of->wide, last = (to->last - to->first) * wide - 1;
    for (int l = 0; l < R(WIDTH); l++) {
        int64_t t = least(tile + l, last);
        lanes.at[l] = slot_of(to->of, to->first, to->first + t / wide) * wide + t % wide;
    }
    lanes.together =
        tile + R(WIDTH) <= last + 1 && lanes.at[R(WIDTH) - 1] == lanes.at[0] + R(WIDTH) - 1;
    return lanes;
}

INLINE Vector load_lanes(const float *from, const Lanes *lanes) {
    if (lanes->together) return R(load)(from + lanes->at[0]);
    Vector v;
    for (int l = 0; l < R(WIDTH); l++) v[l] = from[lanes->at[l]];
    return v;
}

/* B' d B of the tiles of a vector. */
static void store_tiles(const Layout *from, const Lanes *lanes, float *to, int64_t step) {
    Vector part[ALL_POINTS];
    int64_t wide = from->of->wide, apart = from->slots * wide;
    for (int j = 0; j < POINTS; j++) {
        Vector d[POINTS], v[POINTS];
        for (int i = 0; i < POINTS; i++)
            d[i] = load_lanes(from->plane + (i % TILE_SIZE * POINTS + j) * apart +
                                  i / TILE_SIZE * wide, lanes);
        at_points(d, v);
        for (int u = 0; u < POINTS; u++) part[u * POINTS + j] = v[u];
    }
    store_data(part, to, step);
}

/* Allocate some lines of tiles; 0 if memory is lacking. */
static int make_room(const Winograd *work, int64_t first, int64_t last, Layout *room) {
    int64_t pictures = (last - 1) / work->data.high - first / work->data.high + 1;
    int64_t slots = last - first + pictures, row = TILE_SIZE * work->data.wide + 2;
    float *memory = scratch(0, (size_t)(TILE_SIZE * POINTS * slots * work->data.wide + row) *
                                   sizeof(float));
    *room = (Layout){&work->data, first, last, slots, memory + row, memory};
    if (!memory) atomic_store(work->v.failed, 1);
    return memory != NULL;
}

/* ------------------------------------------------------------------------ convolution */

/* G w G' of a panel of filters, for all channels. Lanes are filters; a vector exceeds the panel,
 * and the next one overwrites the rest. */
static void transform_weights(void *context, int64_t k) {
    const Winograd *work = context;
    const R(Conv) *v = &work->v;
    int64_t panels = R(panels)(v->filters), row = R(panel_start)(v->filters, k % panels);
    int64_t rows = R(panel_start)(v->filters, k % panels + 1) - row;
    const float *from = v->weight + k / panels * v->group_step + row * v->filter_step;
    float *to = v->panels + k * work->panel;
    for (int64_t c = 0; c < v->channels; c++)
        for (int64_t first = 0; first < rows; first += R(WIDTH)) {
            float lane[9][R(WIDTH)] = {0};
            for (int64_t i = 0; i < least(rows - first, R(WIDTH)); i++)
                for (int t = 0; t < 9; t++)
                    lane[t][i] = from[(first + i) * v->filter_step + v->weight_at[c * 9 + t]];
            Vector w[9];
            for (int t = 0; t < 9; t++) w[t] = R(load)(lane[t]);
            store_polynomial(3, w, to + c * rows + first, v->groups * panels * work->panel, PANEL);
        }
}

/* The results of the tiles of a vector, of one filter; `from` has their values at the points. */
static void store_results(const Winograd *work, const Layout *part, int64_t filter, int64_t tile,
                          const float *from) {
    const R(Conv) *v = &work->v;
    const Tiles *of = &work->data;
    Vector y[TILE_SIZE * TILE_SIZE];
    load_results(TILE_SIZE, from, work->step, y);
    float row[TILE_SIZE][R(WIDTH) * TILE_SIZE];
    for (int i = 0; i < TILE_SIZE; i++) {
        float column[TILE_SIZE][R(WIDTH)];
        for (int j = 0; j < TILE_SIZE; j++)
            R(store)(column[j], y[i * TILE_SIZE + j] + (v->bias ? v->bias[filter] : 0.0f));
        for (int l = 0; l < R(WIDTH); l++)
            for (int j = 0; j < TILE_SIZE; j++) row[i][TILE_SIZE * l + j] = column[j][l];
    }
    int64_t lanes = least(R(WIDTH), (part->last - part->first) * of->wide - tile);
    for (int64_t l = 0, run; l < lanes; l += run, tile += run) {
        int64_t line = part->first + tile / of->wide, across = tile % of->wide;
        int64_t h = TILE_SIZE * (line % of->high), w = TILE_SIZE * across;
        run = least(of->wide - across, lanes - l);
        float *to = v->to + (line / of->high * v->groups * v->filters + filter) * v->positions +
                    h * v->out[2] + w;
        for (int64_t i = 0; i < least(TILE_SIZE, v->out[1] - h); i++, to += v->out[2])
            memcpy(to, row[i] + TILE_SIZE * l,
                   (size_t)least(TILE_SIZE * run, v->out[2] - w) * sizeof(float));
    }
}

/* The product of all filters of a group with a strip of tiles, at each point. */
static void multiply_points(const Winograd *work, int64_t group, const float *strip, int64_t step,
                            float *to) {
    const R(Conv) *v = &work->v;
    int64_t panels = R(panels)(v->filters);
    for (int64_t u = 0; u < ALL_POINTS; u++, strip += step, to += work->step) {
        memset(to, 0, (size_t)(v->filters * R(COLUMNS)) * sizeof(float));
        const float *panel = v->panels + (u * v->groups + group) * panels * work->panel;
        for (int64_t k = 0; k < panels; k++, panel += work->panel) {
            int64_t row = R(panel_start)(v->filters, k), end = R(panel_start)(v->filters, k + 1);
            R(tile)[end - row](v->channels, panel, strip, to + row * R(COLUMNS), R(COLUMNS));
        }
    }
}

/* A part is some lines of tiles, of one group. */
static void winograd_part(void *context, int64_t k) {
    const Winograd *work = context;
    const R(Conv) *v = &work->v;
    int64_t group = k % v->groups, first = k / v->groups * work->together;
    int64_t last = least(first + work->together, work->lines);
    int64_t tiles = (last - first) * work->data.wide, strips = parts_of(tiles, R(COLUMNS));
    int64_t strip = v->channels * R(COLUMNS), step = strips * strip + R(WIDTH);
    Layout part;
    float *values = scratch(1, (size_t)(ALL_POINTS * step) * sizeof(float));
    float *products = scratch(2, (size_t)(ALL_POINTS * work->step) * sizeof(float));
    if (!values || !products) atomic_store(v->failed, 1);
    if (!make_room(work, first, last, &part) || !values || !products) return;
    for (int64_t c = 0; c < v->channels; c++) {
        lay_out(&part, group * v->channels + c);
        for (int64_t tile = 0; tile < tiles; tile += R(WIDTH)) {
            Lanes lanes = find_lanes(&part, tile);
            store_tiles(&part, &lanes,
                        values + tile / R(COLUMNS) * strip + c * R(COLUMNS) + tile % R(COLUMNS),
                       step);
        }
        if (tiles % R(COLUMNS) && tiles % R(COLUMNS) <= R(WIDTH))
            for (int64_t u = 0; u < ALL_POINTS; u++)
                memset(values + u * step + (strips - 1) * strip + c * R(COLUMNS) + R(WIDTH), 0,
                       R(WIDTH) * sizeof(float));
    }
    for (int64_t s = 0; s < strips; s++) {
        multiply_points(work, group, values + s * strip, step, products);
        for (int64_t f = 0; f < v->filters; f++)
            for (int64_t j = 0; j < R(COLUMNS); j += R(WIDTH))
                if (s * R(COLUMNS) + j < tiles)
                    store_results(work, &part, group * v->filters + f, s * R(COLUMNS) + j,
                                  products + f * R(COLUMNS) + j);
    }
}

/* The number of lines of tiles of a part: just enough to fill their strips. */
static int64_t lines_together(int64_t lines, int64_t wide) {
    int64_t best = 1, strips = lines * parts_of(wide, R(COLUMNS));
    for (int64_t some = 2; some <= lines && some * wide <= 8 * R(COLUMNS); some++) {
        int64_t these = lines / some * parts_of(some * wide, R(COLUMNS)) +
                        parts_of(lines % some * wide, R(COLUMNS));
        if (these * 20 < strips * 19) best = some, strips = these;
    }
    return best;
}

/* The arguments of both kernels, checked; `failed` tells whether memory was lacking. */
static int read_winograd(const Call *call, Winograd *work, atomic_int *failed) {
    R(Conv) *v = &work->v;
    memset(work, 0, sizeof *work);
    if (!R(read_conv)(call, v) || v->size[0] != 1 || v->out[0] != 1 || v->kernel[0] != 1 ||
        v->pad[0] || v->kernel[1] != 3 || v->kernel[2] != 3)
        return 0;
    for (int k = 0; k < 3; k++)
        if (v->stride[k] != 1 || v->dilate[k] != 1) return 0;
    int64_t high = parts_of(v->out[1], TILE_SIZE), wide = parts_of(v->out[2], TILE_SIZE);
    v->failed = failed;
    work->lines = v->batch * high;
    work->data = (Tiles){NULL, v->groups, v->channels, {v->size[1], v->size[2]},
                         {v->pad[1], v->pad[2]}, high, wide, POINTS};
    work->slope = (Tiles){NULL, v->groups, v->filters, {v->out[1], v->out[2]},
                          {0, 0}, high, wide, TILE_SIZE};
    return 1;
}

/* Arrays: x, the weight, the bias or None, and the result. */
enum outcome R(winograd)(const Call *call) {
    Winograd work;
    R(Conv) *v = &work.v;
    atomic_int failed = 0;
    if (call->arrays != 4 || !read_winograd(call, &work, &failed)) return DOES_NOT_FIT;
    const Array *x = &call->array[0], *bias = &call->array[2], *to = &call->array[3];
    int64_t filters = v->groups * v->filters;
    if (!holds(x, FLOAT32, v->batch * v->groups * v->channels * v->size[1] * v->size[2]) ||
        !R(read_weight)(&call->array[1], FLOAT32, v) ||
        (bias->data && !holds(bias, FLOAT32, filters)) ||
        !takes(to, FLOAT32, v->batch * filters * v->positions))
        return DOES_NOT_FIT;
    work.data.x = (const float *)x->data;
    v->bias = (const float *)bias->data;
    v->to = (float *)to->data;
    work.together = lines_together(work.lines, work.data.wide);
    work.panel = v->channels * R(ROWS) + 2 * R(WIDTH);
    work.step = v->filters * R(COLUMNS) + R(WIDTH);
    int64_t panels = v->groups * R(panels)(v->filters);
    v->panels = malloc((size_t)(ALL_POINTS * panels * work.panel) * sizeof(float));
    if (!v->panels || !R(make_offsets)(v, &call->array[1])) return free(v->panels), NO_MEMORY;
    parallel(transform_weights, &work, panels);
    parallel(winograd_part, &work, parts_of(work.lines, work.together) * v->groups);
    free(v->panels);
    free(v->tap_at);
    return failed ? NO_MEMORY : DONE;
}

/* ---------------------------------------------------------------- gradient in the weight */

/* The number of tiles transformed before a multiplication, and of those added at a time. */
enum { GRAD_TILES = 256, GRAD_DEPTH = 64 };

/* Rows of the lines of a block, of `lanes` channels from `channel` on, as adjacent pixels of WIDTH
 * channels; NULL if memory is lacking. */
static const float *turn_pixels(const Winograd *work, const Tiles *of, int64_t channel,
                                int64_t lanes) {
    int64_t row = (TILE_SIZE * of->wide + of->reach - TILE_SIZE) * R(WIDTH), size = of->size[1];
    int64_t slots = slot_of(of, work->first, work->last - 1) + 2, area = of->size[0] * size;
    float *pixel = scratch(0, (size_t)(slots * TILE_SIZE * row) * sizeof(float));
    if (!pixel) return atomic_store(work->v.failed, 1), NULL;
    int64_t begin = most(of->pad[1], 0), skip = begin - of->pad[1];
    int64_t count = least(size - skip, row / R(WIDTH) - begin);
    memset(pixel, 0, (size_t)(slots * TILE_SIZE * row) * sizeof(float));
    for (int64_t line = work->first; line < work->last; line++) {
        int64_t down = line % of->high;
        int ends = down == of->high - 1 || line == work->last - 1;
        const float *x = of->x + (line / of->high * of->groups * of->channels + channel) * area;
        for (int64_t i = 0; i < (ends ? of->reach : TILE_SIZE); i++) {
            int64_t h = TILE_SIZE * down + i - of->pad[0];
            if (h < 0 || h >= of->size[0]) continue;
            float *to =
                pixel + (slot_of(of, work->first, line) * TILE_SIZE + i) * row + begin * R(WIDTH);
            for (int64_t c = 0; c < lanes; c++)
                for (int64_t w = 0; w < count; w++)
                    to[w * R(WIDTH) + c] = x[c * area + h * size + skip + w];
        }
    }
    return pixel;
}

/* A vector of channels of the input, B' d B for the tiles of a block: half a strip. */
static void transform_input(const Winograd *work, int64_t group, int64_t vector) {
    const Tiles *of = &work->data;
    int64_t channel = vector * R(WIDTH), lanes = least(R(WIDTH), of->channels - channel);
    const float *pixel =
        lanes > 0 ? turn_pixels(work, of, group * of->channels + channel, lanes) : NULL;
    int64_t row = (TILE_SIZE * of->wide + POINTS - TILE_SIZE) * R(WIDTH);
    int64_t step = of->groups * work->strips * work->step;
    float *to = work->of_x + (group * work->strips + vector / 2) * work->step +
                vector % 2 * R(WIDTH);
    for (int64_t u = 0; lanes <= 0 && u < ALL_POINTS; u++)
        for (int64_t t = 0; t < work->tiles; t++)
            R(store)(to + u * step + t * R(COLUMNS), (Vector){0});
    for (int64_t t = 0; pixel && t < work->tiles; t++, to += R(COLUMNS)) {
        const float *from =
            pixel + slot_of(of, work->first, work->first + t / of->wide) * TILE_SIZE * row +
            t % of->wide * TILE_SIZE * R(WIDTH);
        Vector part[ALL_POINTS];
        for (int j = 0; j < POINTS; j++) {
            Vector d[POINTS], v[POINTS];
            for (int i = 0; i < POINTS; i++) d[i] = R(load)(from + i * row + j * R(WIDTH));
            at_points(d, v);
            for (int u = 0; u < POINTS; u++) part[u * POINTS + j] = v[u];
        }
        store_data(part, to, step);
    }
}

/* A vector of filters, G g G' of the cotangents of the tiles: a panel or two. */
static void transform_cotangent(const Winograd *work, int64_t group, int64_t vector) {
    const Tiles *of = &work->slope;
    int64_t filter = vector * R(WIDTH), lanes = least(R(WIDTH), of->channels - filter);
    const float *pixel = turn_pixels(work, of, group * of->channels + filter, lanes);
    int64_t row = TILE_SIZE * of->wide * R(WIDTH), apart = work->panel;
    float *to = work->of_g + (group * work->panels + filter / PANEL) * apart;
    for (int64_t t = 0; pixel && t < work->tiles; t++, to += PANEL) {
        const float *from =
            pixel + slot_of(of, work->first, work->first + t / of->wide) * TILE_SIZE * row +
            t % of->wide * TILE_SIZE * R(WIDTH);
        Vector g[TILE_SIZE * TILE_SIZE];
        for (int i = 0; i < TILE_SIZE; i++)
            for (int j = 0; j < TILE_SIZE; j++)
                g[i * TILE_SIZE + j] = R(load)(from + i * row + j * R(WIDTH));
        store_polynomial(TILE_SIZE, g, to, of->groups * work->panels * apart, apart);
    }
}

static void transform_part(void *context, int64_t k) {
    const Winograd *work = context;
    int64_t inputs = 2 * work->strips, filters = work->panels * PANEL / R(WIDTH);
    int64_t group = k / (inputs + filters), vector = k % (inputs + filters);
    if (vector < inputs) transform_input(work, group, vector);
    else transform_cotangent(work, group, vector - inputs);
}

/* At one point, for one group: add the sums over the tiles of a block to those of other blocks. Few
 * tiles are added at a time, since long sums lose digits. */
static void multiply_point(void *context, int64_t k) {
    const Winograd *work = context;
    int64_t width = work->strips * R(COLUMNS);
    for (int64_t s = 0; s < work->strips; s++)
        for (int64_t p = 0; p < work->panels; p++) {
            const float *a = work->of_g + (k * work->panels + p) * work->panel;
            const float *b = work->of_x + (k * work->strips + s) * work->step;
            float *to = work->sums + (k * work->panels + p) * PANEL * width + s * R(COLUMNS);
            for (int64_t t = 0; t < work->tiles; t += GRAD_DEPTH) {
                float sum[PANEL * R(COLUMNS)] = {0};
                R(tile)[PANEL](least(GRAD_DEPTH, work->tiles - t), a + t * PANEL,
                               b + t * R(COLUMNS), sum, R(COLUMNS));
                for (int i = 0; i < PANEL; i++)
                    for (int j = 0; j < R(COLUMNS); j++)
                        to[i * width + j] += sum[i * R(COLUMNS) + j];
            }
        }
}

/* The gradient of one filter; lanes are channels. */
static void finish_filter(void *context, int64_t k) {
    const Winograd *work = context;
    const R(Conv) *v = &work->v;
    int64_t width = work->strips * R(COLUMNS), rows = work->panels * PANEL;
    const float *sums = work->sums + (k / v->filters * rows + k % v->filters) * width;
    float *to = v->to + k * v->channels * 9;
    for (int64_t c = 0; c < v->channels; c += R(WIDTH)) {
        Vector y[9];
        load_results(3, sums + c, v->groups * rows * width, y);
        for (int64_t l = 0; l < least(R(WIDTH), v->channels - c); l++)
            for (int t = 0; t < 9; t++) *to++ = y[t][l];
    }
}

/* Allocate a block of tiles and the sums, which start as zeros. */
static int find_memory(Winograd *work) {
    const R(Conv) *v = &work->v;
    int64_t all = ALL_POINTS * v->groups, tiles = work->together * work->data.wide;
    work->strips = parts_of(v->channels, R(COLUMNS));
    work->panels = parts_of(v->filters, R(WIDTH)) * (R(WIDTH) / PANEL);
    work->step = tiles * R(COLUMNS) + R(WIDTH);
    work->panel = tiles * PANEL + R(WIDTH);
    int64_t x = all * work->strips * work->step, g = all * work->panels * work->panel;
    int64_t sums = all * work->panels * PANEL * work->strips * R(COLUMNS);
    work->of_x = malloc((size_t)(x + g + sums) * sizeof(float));
    if (!work->of_x) return 0;
    work->of_g = work->of_x + x;
    work->sums = work->of_g + g;
    memset(work->sums, 0, (size_t)sums * sizeof(float));
    return 1;
}

/* Arrays: g, x and the gradient. */
enum outcome R(winograd_weight_grad)(const Call *call) {
    Winograd work;
    R(Conv) *v = &work.v;
    atomic_int failed = 0;
    if (call->arrays != 3 || !read_winograd(call, &work, &failed)) return DOES_NOT_FIT;
    const Array *g = &call->array[0], *x = &call->array[1], *to = &call->array[2];
    int64_t filters = v->groups * v->filters, channels = v->groups * v->channels;
    if (!holds(g, FLOAT32, v->batch * filters * v->positions) ||
        !holds(x, FLOAT32, v->batch * channels * v->size[1] * v->size[2]) ||
        !takes(to, FLOAT32, filters * v->channels * 9))
        return DOES_NOT_FIT;
    work.data.x = (const float *)x->data;
    work.slope.x = (const float *)g->data;
    v->to = (float *)to->data;
    work.together = most(1, least(work.lines, GRAD_TILES / work.data.wide));
    if (!find_memory(&work)) return NO_MEMORY;
    int64_t vectors = 2 * work.strips + work.panels * PANEL / R(WIDTH);
    for (int64_t line = 0; line < work.lines && !failed; line += work.together) {
        work.first = line;
        work.last = least(line + work.together, work.lines);
        work.tiles = (work.last - line) * work.data.wide;
        parallel(transform_part, &work, v->groups * vectors);
        parallel(multiply_point, &work, ALL_POINTS * v->groups);
    }
    parallel(finish_filter, &work, filters);
    free(work.of_x);
    return failed ? NO_MEMORY : DONE;
}
#endif
