/* Recurrent layers: one direction of one layer over all steps, and its gradient.
 *
 * Every step multiplies the states (batch, depth) by the same matrix, which is therefore packed
 * once, in strips of COLUMNS units; see products.h. A strip of units is computed by one thread,
 * from the product to the new states, which it also packs as panels of the next step; so each step
 * needs only one round of work.
 *
 *     rnn    h = act(x + h W')
 *     lstm   i, f, o = sigmoid(x + h W'), g = tanh(x + h W'); c = f c + i g; h = o tanh(c)
 *     gru    r, z = sigmoid(x + s), n = tanh(x + r s), s = h W' + b; h = (1 - z) n + z h
 *
 * (Hochreiter and Schmidhuber, 1997; Cho et al., 2014, with the reset gate after the product.) In
 * the backward pass, a step multiplies the cotangent of its state by the slopes of its gates, which
 * gives those of the gates, `total`; their product with W is that of the previous state.
 *
 * x, gates and total are (steps, batch, gates, size), all else is (steps, batch, size) or (batch,
 * size), and the weight (gates, size, size). Integers: steps, batch, size and those listed at each
 * kernel.
 */
#if F32
#include "products.h"
#include "vector.h"

typedef struct Scan Scan;
/* The function called after the products of some rows and units; see `scan_strip`. */
typedef struct {
    int64_t unit, units, row, rows;
} Place;
enum { MOST_GATES = 4 };
typedef float Tile[MOST_GATES][R(ROWS) * R(COLUMNS)];

struct Scan {
    int64_t steps, batch, size, gates, mode;
    int64_t depth, products; /* of the matrix: its rows, and its columns for each unit */
    int64_t t;
    int back, idle; /* idle: no product, as in the first backward step */
    void (*cell)(const Scan *, Place, Tile);
    float *weight, *now, *next; /* packed: the matrix, the states of this step and of the next */
    const float *given;         /* the matrix */
    const float *x, *bias, *h0, *c0, *y, *c, *gate, *hidden, *gh, *gc;
    float *to_y, *to_c, *to_gate, *to_hidden, *total, *carry, *carry_c;
};

/* ------------------------------------------------------------------------- the products */

static void pack_strip(void *context, int64_t strip) {
    const Scan *v = context;
    int64_t unit = strip * R(COLUMNS), units = least(R(COLUMNS), v->size - unit);
    float *to = v->weight + strip * v->products * v->depth * R(COLUMNS);
    if (units < R(COLUMNS))
        memset(to, 0, (size_t)(v->products * v->depth * R(COLUMNS)) * sizeof(float));
    if (v->back) {
        for (int64_t p = 0; p < v->depth; p++, to += R(COLUMNS))
            memcpy(to, v->given + p * v->size + unit, (size_t)units * sizeof(float));
        return;
    }
    for (int64_t q = 0; q < v->products; q++, to += v->depth * R(COLUMNS))
        for (int64_t j = 0; j < units; j++) {
            const float *row = v->given + (q * v->size + unit + j) * v->size;
            for (int64_t p = 0; p < v->depth; p++) to[p * R(COLUMNS) + j] = row[p];
        }
}

/* Store a tile of units, from place `first` of the states on, for the next step: transposed. Each
 * vector is stored with what follows its rows, which is written later; the last ones exactly. */
SHARED void note_units(const Scan *v, Place at, int64_t first, const float *tile) {
    float *to = v->next + at.row * v->depth + (first + at.unit) * at.rows;
    const float *end = to + at.units * at.rows;
    for (int64_t unit = 0; unit < at.units; unit += R(WIDTH))
        for (int64_t row = (at.rows - 1) / R(WIDTH) * R(WIDTH); row >= 0; row -= R(WIDTH)) {
            R(Vector) block[R(WIDTH)];
            for (int64_t i = 0; i < R(WIDTH); i++)
                block[i] = R(load)(tile + least(row + i, at.rows - 1) * R(COLUMNS) + unit);
            R(transpose)(block);
            size_t exactly = (size_t)least(R(WIDTH), at.rows - row) * sizeof(float);
            float *column = to + unit * at.rows + row;
            for (int64_t j = 0; j < R(WIDTH) && column < end; j++, column += at.rows)
                if (end - column >= R(WIDTH)) R(store)(column, block[j]);
                else memcpy(column, &block[j], exactly);
        }
}

static void scan_strip(void *context, int64_t strip) {
    const Scan *v = context;
    Place place = {.unit = strip * R(COLUMNS)};
    place.units = least(R(COLUMNS), v->size - place.unit);
    const float *weight = v->weight + strip * v->products * v->depth * R(COLUMNS);
    for (int64_t k = 0; k < R(panels)(v->batch); k++) {
        Tile tile;
        place.row = R(panel_start)(v->batch, k);
        place.rows = R(panel_start)(v->batch, k + 1) - place.row;
        for (int64_t q = 0; q < v->products; q++) {
            memset(tile[q], 0, sizeof tile[q]);
            if (v->idle) continue;
            R(tile)[place.rows](v->depth, v->now + place.row * v->depth,
                                weight + q * v->depth * R(COLUMNS), tile[q], R(COLUMNS));
        }
        v->cell(v, place, tile);
    }
}

static void swap_panels(Scan *v) {
    float *now = v->now;
    v->now = v->next;
    v->next = now;
}

static int64_t strips(const Scan *v) { return parts_of(v->size, R(COLUMNS)); }

/* Pack the matrix, and allocate two steps of states. */
static int begin_scan(Scan *v) {
    size_t matrix = (size_t)(strips(v) * v->products * v->depth * R(COLUMNS));
    size_t states = (size_t)(v->batch * v->depth);
    v->weight = malloc((matrix + 2 * states) * sizeof(float));
    if (!v->weight) return 0;
    v->now = v->weight + matrix;
    v->next = v->now + states;
    parallel(pack_strip, v, strips(v));
    return 1;
}

static void pack_states(Scan *v, const float *states) {
    for (int64_t k = 0; k < R(panels)(v->batch); k++) {
        int64_t row = R(panel_start)(v->batch, k), rows = R(panel_start)(v->batch, k + 1) - row;
        for (int64_t i = 0; i < rows; i++)
            for (int64_t p = 0; p < v->depth; p++)
                v->now[row * v->depth + p * rows + i] = states[(row + i) * v->depth + p];
    }
}

static enum outcome scan_forward(Scan *v) {
    v->depth = v->size;
    v->products = v->gates;
    if (!begin_scan(v)) return NO_MEMORY;
    pack_states(v, v->h0);
    for (v->t = 0; v->t < v->steps; v->t++) {
        parallel(scan_strip, v, strips(v));
        swap_panels(v);
    }
    free(v->weight);
    return DONE;
}

/* The last product, for the initial states. */
static void carry_cell(const Scan *v, Place at, Tile product) {
    for (int64_t i = 0; i < at.rows; i++)
        for (int64_t j = 0; j < at.units; j++)
            v->carry[(at.row + i) * v->size + at.unit + j] += product[0][i * R(COLUMNS) + j];
}

/* Between two steps, `carry` holds the cotangent of a state without that of the product. */
static enum outcome scan_back(Scan *v) {
    v->depth = v->gates * v->size;
    v->products = v->back = 1;
    if (!begin_scan(v)) return NO_MEMORY;
    size_t bytes = (size_t)(v->batch * v->size) * sizeof(float);
    memset(v->carry, 0, bytes);
    if (v->carry_c) memset(v->carry_c, 0, bytes);
    v->idle = 1;
    for (v->t = v->steps - 1; v->t >= 0; v->t--) {
        parallel(scan_strip, v, strips(v));
        swap_panels(v);
        v->idle = 0;
    }
    v->cell = carry_cell;
    parallel(scan_strip, v, strips(v));
    free(v->weight);
    return DONE;
}

/* --------------------------------------------------------------------------- reading calls */

/* Shapes of the arrays of a call: of all steps (S), of one (O); with gates (G); the weight (W); as
 * long as the gates are (B). Small letters: of results, or changed. '?' may be absent, and is of all
 * steps. Fill the fields of `v` in the order of `to`. */
static int read_scan(const Call *call, Scan *v, int64_t gates, const char *kinds,
                     const float **const *to) {
    if (call->integers != 4 || call->arrays != (int)strlen(kinds)) return 0;
    v->steps = call->integer[0], v->batch = call->integer[1], v->size = call->integer[2];
    v->mode = call->integer[3];
    v->gates = gates;
    if (v->steps < 1 || v->batch < 1 || v->size < 1) return 0;
    int64_t one = v->batch * v->size, width = gates * v->size;
    for (int k = 0; k < call->arrays; k++) {
        const Array *x = &call->array[k];
        char kind = kinds[k], plain = kind >= 'a' ? kind - 'a' + 'A' : kind;
        if (kind == '?' && !x->data) continue;
        int64_t n = plain == 'O'   ? one
                    : plain == 'G' ? v->steps * one * gates
                    : plain == 'W' ? width * v->size
                    : plain == 'B' ? width
                                   : v->steps * one;
        if (!holds(x, FLOAT32, n) || (kind >= 'a' && !x->writeable)) return 0;
        *to[k] = (const float *)x->data;
    }
    return 1;
}
#define READ(gates, kinds, ...)                                                   \
    const float **const fields[] = {__VA_ARGS__};                                 \
    if (!read_scan(call, &v, gates, kinds, fields)) return DOES_NOT_FIT;
#define FIELD(name) (const float **)&v.name

/* ------------------------------------------------------------- the parts of cells
 *
 * Loops over all COLUMNS of a tile, even if there are fewer units, and over one array each, so that
 * compilers vectorize them. */

enum { TILE_ROW = R(COLUMNS) };

static void sigmoid_tile(float *x, int64_t rows) {
    for (int64_t i = 0; i < rows * TILE_ROW; i++) x[i] = sigmoid_float(x[i]);
}
static void tanh_tile(float *x, int64_t rows) {
    for (int64_t i = 0; i < rows * TILE_ROW; i++) x[i] = tanh_float(x[i]);
}

/* Where the first unit of a row is in the states, in all steps. */
INLINE int64_t state_at(const Scan *v, Place at, int64_t i) {
    return (v->t * v->batch + at.row + i) * v->size + at.unit;
}
/* The same for one of its gates. */
INLINE int64_t gate_at(const Scan *v, Place at, int64_t i, int64_t q) {
    return ((v->t * v->batch + at.row + i) * v->gates + q) * v->size + at.unit;
}

__attribute__((noinline)) static void add_units(float *restrict tile, const float *restrict from,
                                               int64_t units) {
    for (int64_t j = 0; j < units; j++) tile[j] += from[j];
}

/* tile = tile + the values at `from`. */
INLINE void add_row(float *restrict tile, const float *restrict from, int64_t units) {
    if (units < TILE_ROW) add_units(tile, from, units);
    else
        for (int64_t j = 0; j < TILE_ROW; j++) tile[j] += from[j];
}

/* Add the contribution of the data to a gate. */
INLINE void add_x(const Scan *v, Place at, float *tile, int64_t q) {
    for (int64_t i = 0; i < at.rows; i++)
        add_row(tile + i * TILE_ROW, v->x + gate_at(v, at, i, q), at.units);
}

/* Copy a row of units between arrays; the rest of a tile is unchanged. A full tile has a constant
 * length, which avoids a function call. */
INLINE void copy_units(float *restrict to, const float *restrict from, int64_t units) {
    if (units == TILE_ROW) memcpy(to, from, TILE_ROW * sizeof(float));
    else memcpy(to, from, (size_t)units * sizeof(float));
}

/* The same into a new tile, with zeros at its end. */
INLINE void read_units(float *restrict to, const float *restrict from, int64_t units) {
    if (units < TILE_ROW) memset(to, 0, TILE_ROW * sizeof(float));
    copy_units(to, from, units);
}

/* Store the gates of a tile. */
INLINE void keep_gate(const Scan *v, Place at, const float *tile, int64_t q, float *to) {
    for (int64_t i = 0; i < at.rows; i++)
        copy_units(to + gate_at(v, at, i, q), tile + i * TILE_ROW, at.units);
}

/* ----------------------------------------------------------------------------------- LSTM */

static void lstm_cell(const Scan *v, Place at, Tile s) {
    const float *before = v->t ? v->to_c - v->batch * v->size : v->c0;
    for (int q = 0; q < 4; q++) {
        add_x(v, at, s[q], q);
        if (q == 2) tanh_tile(s[q], at.rows);
        else sigmoid_tile(s[q], at.rows);
        keep_gate(v, at, s[q], q, v->to_gate);
    }
    for (int64_t i = 0; i < at.rows; i++) {
        const float *enter = s[0] + i * TILE_ROW, *forget = s[1] + i * TILE_ROW;
        const float *cell = s[2] + i * TILE_ROW;
        float c[TILE_ROW], *h = s[3] + i * TILE_ROW;
        read_units(c, before + state_at(v, at, i), at.units);
        for (int j = 0; j < TILE_ROW; j++) c[j] = forget[j] * c[j] + enter[j] * cell[j];
        for (int j = 0; j < TILE_ROW; j++) h[j] *= tanh_float(c[j]);
        copy_units(v->to_c + state_at(v, at, i), c, at.units);
        copy_units(v->to_y + state_at(v, at, i), h, at.units);
    }
    note_units(v, at, 0, s[3]);
}

/* x, weight, h, c; states, cells, gates. */
enum outcome R(lstm_scan)(const Call *call) {
    Scan v = {.cell = lstm_cell};
    READ(4, "GWOOssg", FIELD(x), FIELD(given), FIELD(h0), FIELD(c0), FIELD(to_y), FIELD(to_c),
         FIELD(to_gate))
    return scan_forward(&v);
}

static void lstm_back_cell(const Scan *v, Place at, Tile s) {
    const float *before = v->t ? v->c - v->batch * v->size : v->c0;
    for (int64_t i = 0; i < at.rows; i++) {
        int64_t here = state_at(v, at, i), one = (at.row + i) * v->size + at.unit;
        float gate[4][TILE_ROW], *total[4], bent[TILE_ROW], last[TILE_ROW], inner[TILE_ROW];
        for (int q = 0; q < 4; q++) {
            read_units(gate[q], v->gate + gate_at(v, at, i, q), at.units);
            total[q] = s[q] + i * TILE_ROW;
        }
        read_units(last, before + here, at.units);
        read_units(inner, v->carry_c + one, at.units);
        read_units(bent, v->c + here, at.units);
        tanh_tile(bent, 1);
        if (v->gh) add_row(s[0] + i * TILE_ROW, v->gh + here, at.units);
        if (v->gc) add_row(inner, v->gc + here, at.units);
        for (int j = 0; j < TILE_ROW; j++) {
            float enter = gate[0][j], forget = gate[1][j], cell = gate[2][j], leave = gate[3][j];
            float head = s[0][i * TILE_ROW + j];
            float in = inner[j] + head * (leave * (1 - bent[j] * bent[j]));
            total[0][j] = in * (cell * (enter * (1 - enter)));
            total[1][j] = in * (last[j] * (forget * (1 - forget)));
            total[2][j] = in * (enter * (1 - cell * cell));
            total[3][j] = head * (bent[j] * (leave * (1 - leave)));
            inner[j] = in * forget;
        }
        copy_units(v->carry_c + one, inner, at.units);
        for (int q = 0; q < 4; q++)
            copy_units(v->total + gate_at(v, at, i, q), total[q], at.units);
    }
    for (int q = 0; q < 4; q++) note_units(v, at, q * v->size, s[q]);
}

/* cotangents of states and cells; weight, c, cells, gates; total, those of h and of c. */
enum outcome R(lstm_scan_grad)(const Call *call) {
    Scan v = {.cell = lstm_back_cell};
    READ(4, "??WOSGgoo", FIELD(gh), FIELD(gc), FIELD(given), FIELD(c0), FIELD(c), FIELD(gate),
         FIELD(total), FIELD(carry), FIELD(carry_c))
    return scan_back(&v);
}

/* ------------------------------------------------------------------------------------ GRU */

static void gru_cell(const Scan *v, Place at, Tile s) {
    const float *before = v->t ? v->to_y - v->batch * v->size : v->h0;
    for (int q = 0; q < 3; q++)
        for (int64_t i = 0; i < at.rows; i++)
            add_row(s[q] + i * TILE_ROW, v->bias + q * v->size + at.unit, at.units);
    for (int q = 0; q < 2; q++) {
        add_x(v, at, s[q], q);
        sigmoid_tile(s[q], at.rows);
        keep_gate(v, at, s[q], q, v->to_gate);
    }
    for (int64_t i = 0; i < at.rows; i++) {
        const float *update = s[1] + i * TILE_ROW, *hidden = s[2] + i * TILE_ROW;
        float fresh[TILE_ROW], h[TILE_ROW], *reset = s[0] + i * TILE_ROW;
        read_units(fresh, v->x + gate_at(v, at, i, 2), at.units);
        read_units(h, before + state_at(v, at, i), at.units);
        for (int j = 0; j < TILE_ROW; j++) fresh[j] += reset[j] * hidden[j];
        tanh_tile(fresh, 1);
        for (int j = 0; j < TILE_ROW; j++) h[j] = (h[j] - fresh[j]) * update[j] + fresh[j];
        copy_units(v->to_hidden + state_at(v, at, i), hidden, at.units);
        copy_units(v->to_gate + gate_at(v, at, i, 2), fresh, at.units);
        copy_units(v->to_y + state_at(v, at, i), h, at.units);
        memcpy(reset, h, sizeof h);
    }
    note_units(v, at, 0, s[0]);
}

/* x, weight, bias, h; states, gates, what reset multiplies. */
enum outcome R(gru_scan)(const Call *call) {
    Scan v = {.cell = gru_cell};
    READ(3, "GWBOsgs", FIELD(x), FIELD(given), FIELD(bias), FIELD(h0), FIELD(to_y), FIELD(to_gate),
         FIELD(to_hidden))
    return scan_forward(&v);
}

/* `total` holds the cotangents for the state. The third part for x lacks the reset gate, and is
 * stored separately as `to_hidden`. */
static void gru_back_cell(const Scan *v, Place at, Tile s) {
    const float *before = v->t ? v->y - v->batch * v->size : v->h0;
    for (int64_t i = 0; i < at.rows; i++) {
        int64_t here = state_at(v, at, i), one = (at.row + i) * v->size + at.unit;
        float gate[3][TILE_ROW], *total[3], fresh_x[TILE_ROW], kept[TILE_ROW];
        float last[TILE_ROW], hidden[TILE_ROW];
        for (int q = 0; q < 3; q++) {
            read_units(gate[q], v->gate + gate_at(v, at, i, q), at.units);
            total[q] = s[q] + i * TILE_ROW;
        }
        read_units(last, before + here, at.units);
        read_units(hidden, v->hidden + here, at.units);
        add_row(s[0] + i * TILE_ROW, v->gh + here, at.units);
        add_row(s[0] + i * TILE_ROW, v->carry + one, at.units);
        for (int j = 0; j < TILE_ROW; j++) {
            float reset = gate[0][j], update = gate[1][j], fresh = gate[2][j];
            float head = s[0][i * TILE_ROW + j];
            fresh_x[j] = head * ((1 - update) * (1 - fresh * fresh));
            total[0][j] = fresh_x[j] * hidden[j] * (reset * (1 - reset));
            total[1][j] = head * ((last[j] - fresh) * (update * (1 - update)));
            total[2][j] = fresh_x[j] * reset;
            kept[j] = head * update;
        }
        copy_units(v->to_hidden + here, fresh_x, at.units);
        copy_units(v->carry + one, kept, at.units);
        for (int q = 0; q < 3; q++)
            copy_units(v->total + gate_at(v, at, i, q), total[q], at.units);
    }
    for (int q = 0; q < 3; q++) note_units(v, at, q * v->size, s[q]);
}

/* cotangent of the states; weight, h, states, gates, hidden; total, the third part for x, that of
 * h. */
enum outcome R(gru_scan_grad)(const Call *call) {
    Scan v = {.cell = gru_back_cell};
    READ(3, "SWOSGSgso", FIELD(gh), FIELD(given), FIELD(h0), FIELD(y), FIELD(gate), FIELD(hidden),
         FIELD(total), FIELD(to_hidden), FIELD(carry))
    return scan_back(&v);
}

/* ------------------------------------------------------------------------ a plain layer */

/* mode: 1 for tanh, 0 for relu. */
static void rnn_cell(const Scan *v, Place at, Tile s) {
    add_x(v, at, s[0], 0);
    if (v->mode) tanh_tile(s[0], at.rows);
    else
        for (int64_t i = 0; i < at.rows * TILE_ROW; i++) s[0][i] = s[0][i] < 0 ? 0 : s[0][i];
    for (int64_t i = 0; i < at.rows; i++)
        copy_units(v->to_y + state_at(v, at, i), s[0] + i * TILE_ROW, at.units);
    note_units(v, at, 0, s[0]);
}

/* x, weight, h; states. */
enum outcome R(rnn_scan)(const Call *call) {
    Scan v = {.cell = rnn_cell};
    READ(1, "GWOs", FIELD(x), FIELD(given), FIELD(h0), FIELD(to_y))
    return scan_forward(&v);
}

static void rnn_back_cell(const Scan *v, Place at, Tile s) {
    for (int64_t i = 0; i < at.rows; i++) {
        int64_t row = (v->t * v->batch + at.row + i) * v->size + at.unit;
        const float *restrict y = v->y + row, *restrict g = v->gh + row;
        float *restrict total = s[0] + i * TILE_ROW;
        for (int64_t j = 0; j < at.units; j++) {
            float slope = v->mode ? 1 - y[j] * y[j] : y[j] > 0.0f;
            total[j] = (g[j] + total[j]) * slope;
        }
        copy_units(v->total + row, total, at.units);
    }
    note_units(v, at, 0, s[0]);
}

/* cotangent of the states; weight, states; total, that of h. */
enum outcome R(rnn_scan_grad)(const Call *call) {
    Scan v = {.cell = rnn_back_cell};
    READ(1, "SWSgo", FIELD(gh), FIELD(given), FIELD(y), FIELD(total), FIELD(carry))
    return scan_back(&v);
}

#undef FIELD
#undef READ
#endif
