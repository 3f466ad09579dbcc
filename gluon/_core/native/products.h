/* The two inner loops of matrix products, for one REAL, on packed operands.
 *
 * `tile` adds the product of a panel of rows and a strip of columns to a tile of the result:
 *
 *     c[i][j] += sum over p of a[p][i] * b[p][j]        i < rows <= ROWS, j < COLUMNS
 *
 * The tile is kept in registers: two vectors per row, and as many rows as fit.
 *
 * `dots` adds products of rows with rows, both contiguous along the summed axis:
 *
 *     c[i][j] += sum over p of a[i][p] * b[j][p]        i < 4, j < 4
 */
enum {
    R(WIDTH) = VECTOR_BYTES / sizeof(REAL),
    R(COLUMNS) = 2 * VECTOR_BYTES / sizeof(REAL),
#if VECTOR_BYTES == 64
    R(ROWS) = 12,
#else
    R(ROWS) = 6,
#endif
};

typedef REAL R(Vector) __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(REAL)), may_alias));

INLINE R(Vector) R(load)(const REAL *x) { return *(const R(Vector) *)x; }
INLINE void R(store)(REAL *x, R(Vector) v) { *(R(Vector) *)x = v; }

/* `rows` is a constant in all calls, so that both arrays become registers. */
INLINE void R(tile_of)(const int rows, int64_t depth, const REAL *restrict a,
                       const REAL *restrict b, REAL *restrict c, int64_t step) {
    R(Vector) left[R(ROWS)], right[R(ROWS)];
    _Pragma("GCC unroll 12") for (int i = 0; i < rows; i++) {
        left[i] = R(load)(c + i * step);
        right[i] = R(load)(c + i * step + R(WIDTH));
    }
    for (int64_t p = 0; p < depth; p++, a += rows, b += R(COLUMNS)) {
        R(Vector) u = R(load)(b), v = R(load)(b + R(WIDTH));
        _Pragma("GCC unroll 12") for (int i = 0; i < rows; i++) {
            left[i] += a[i] * u;
            right[i] += a[i] * v;
        }
    }
    _Pragma("GCC unroll 12") for (int i = 0; i < rows; i++) {
        R(store)(c + i * step, left[i]);
        R(store)(c + i * step + R(WIDTH), right[i]);
    }
}

#define TILE(rows)                                                                         \
    __attribute__((noinline)) static void R(tile_##rows)(                                  \
        int64_t depth, const REAL *restrict a, const REAL *restrict b, REAL *restrict c,   \
        int64_t step) {                                                                    \
        R(tile_of)(rows, depth, a, b, c, step);                                            \
    }
TILE(1) TILE(2) TILE(3) TILE(4) TILE(5) TILE(6)
#if VECTOR_BYTES == 64
TILE(7) TILE(8) TILE(9) TILE(10) TILE(11) TILE(12)
#endif
#undef TILE

typedef void (*R(Tile))(int64_t, const REAL *restrict, const REAL *restrict, REAL *restrict,
                        int64_t);
static const R(Tile) R(tile)[] = {
    NULL,       R(tile_1), R(tile_2), R(tile_3),  R(tile_4),  R(tile_5),  R(tile_6),
#if VECTOR_BYTES == 64
    R(tile_7), R(tile_8), R(tile_9), R(tile_10), R(tile_11), R(tile_12),
#endif
};

/* Panels divide the rows of a matrix evenly: panel k of n rows begins here. */
INLINE int64_t R(panels)(int64_t rows) { return parts_of(rows, R(ROWS)); }
INLINE int64_t R(panel_start)(int64_t rows, int64_t k) { return rows * k / R(panels)(rows); }

#if defined(__GNUC__) && !defined(__clang__)
typedef __typeof__((R(Vector)){0} < (R(Vector)){0}) R(Lanes);

/* Of two vectors, the blocks of lanes at even places, and those at odd ones, alternately. */
INLINE void R(alternate)(int block, R(Vector) a, R(Vector) b, R(Vector) *even, R(Vector) *odd) {
    R(Lanes) low, high;
    _Pragma("GCC unroll 16") for (int j = 0; j < R(WIDTH); j++) {
        int second = (j / block) % 2, at = j - second * block;
        low[j] = at + second * R(WIDTH);
        high[j] = at + block + second * R(WIDTH);
    }
    *even = __builtin_shuffle(a, b, low);
    *odd = __builtin_shuffle(a, b, high);
}
#endif

/* The sums of the lanes of WIDTH vectors, as the lanes of one: pairs of vectors are merged into one
 * whose lanes are sums of two, then pairs of these, and so on. */
INLINE R(Vector) R(sums_of_lanes)(R(Vector) *v) {
#if defined(__GNUC__) && !defined(__clang__)
    _Pragma("GCC unroll 4") for (int block = 1; block < R(WIDTH); block *= 2)
        _Pragma("GCC unroll 8") for (int i = 0; i < R(WIDTH) / block; i += 2) {
            R(Vector) even, odd;
            R(alternate)(block, v[i], v[i + 1], &even, &odd);
            v[i / 2] = even + odd;
        }
    return v[0];
#else
    R(Vector) sums;
    for (int i = 0; i < R(WIDTH); i++) {
        REAL sum = 0;
        for (int j = 0; j < R(WIDTH); j++) sum += v[i][j];
        sums[i] = sum;
    }
    return sums;
#endif
}

/* Vectors as the columns of a square whose rows they were. */
INLINE void R(transpose)(R(Vector) *v) {
#if defined(__GNUC__) && !defined(__clang__)
    _Pragma("GCC unroll 4") for (int block = 1; block < R(WIDTH); block *= 2)
        _Pragma("GCC unroll 16") for (int i = 0; i < R(WIDTH); i++)
            if (!(i & block)) R(alternate)(block, v[i], v[i + block], &v[i], &v[i + block]);
#else
    R(Vector) rows[R(WIDTH)];
    for (int i = 0; i < R(WIDTH); i++) rows[i] = v[i];
    for (int i = 0; i < R(WIDTH); i++)
        for (int j = 0; j < R(WIDTH); j++) v[i][j] = rows[j][i];
#endif
}

/* `rows` and `columns`, up to 4, are constants; depth is a multiple of WIDTH. */
INLINE void R(dots_of)(const int rows, const int columns, int64_t depth, const REAL *restrict a,
                       const REAL *restrict b, int64_t line, REAL *restrict c, int64_t step) {
    R(Vector) sum[16];
    _Pragma("GCC unroll 16") for (int k = 0; k < 16; k++) sum[k] = (R(Vector)){0};
    for (int64_t p = 0; p < depth; p += R(WIDTH)) {
        R(Vector) u[4];
        _Pragma("GCC unroll 4") for (int j = 0; j < columns; j++) u[j] = R(load)(b + j * line + p);
        _Pragma("GCC unroll 4") for (int i = 0; i < rows; i++) {
            R(Vector) v = R(load)(a + i * line + p);
            _Pragma("GCC unroll 4") for (int j = 0; j < columns; j++) sum[i * 4 + j] += v * u[j];
        }
    }
    REAL found[16];
    _Pragma("GCC unroll 8") for (int k = 0; k < 16; k += R(WIDTH))
        R(store)(found + k, R(sums_of_lanes)(sum + k));
    _Pragma("GCC unroll 4") for (int i = 0; i < rows; i++)
        _Pragma("GCC unroll 4") for (int j = 0; j < columns; j++)
            c[i * step + j] += found[i * 4 + j];
}

#define DOTS(rows, columns)                                                                  \
    __attribute__((noinline)) static void R(dots_##rows##_##columns)(                        \
        int64_t depth, const REAL *restrict a, const REAL *restrict b, int64_t line,         \
        REAL *restrict c, int64_t step) {                                                    \
        R(dots_of)(rows, columns, depth, a, b, line, c, step);                               \
    }
DOTS(1, 1) DOTS(1, 4) DOTS(4, 1) DOTS(4, 4)
#undef DOTS

/* The same for any number of rows and columns; both operands have rows of `line` values. Rows are
 * processed in groups that stay in the fastest cache while all columns pass by. */
HELPER void R(dots)(int64_t rows, int64_t columns, int64_t depth, const REAL *a, const REAL *b,
                    int64_t line, REAL *c, int64_t step) {
    int64_t block = most(4, 24576 / (int64_t)sizeof(REAL) / line / 4 * 4);
    for (int64_t first = 0; first < rows; first += block)
        for (int64_t j = 0, wide; j < columns; j += wide ? 4 : 1) {
            wide = columns - j >= 4;
            for (int64_t i = first, high; i < least(first + block, rows); i += high ? 4 : 1) {
                high = rows - i >= 4;
                (high ? wide ? R(dots_4_4) : R(dots_4_1) : wide ? R(dots_1_4) : R(dots_1_1))(
                    depth, a + i * line, b + j * line, line, c + i * step + j, step);
            }
        }
}
