/* Suppression of overlapping boxes. The boxes are sorted, the best first; a box is kept if it
 * overlaps no kept box of its group.
 *
 * Two boxes overlap by s / (a + b - s), where s is the area that they share, and a and b are their
 * own. The edges, areas and groups of kept boxes are stored in separate lines, so that a box is
 * compared with LOOK of them at a time. The results equal those of the plain kernel bit by bit:
 * functions that are not inlined prevent the compiler from fusing products and sums.
 *
 * Arrays: the edges (5, boxes): left, top, right, bottom and area; the groups; what is kept. One
 * integer: the maximum number of boxes. One real: the overlap from which on boxes are suppressed.
 */
enum { R(LOOK) = 64, R(LINES) = 6 };

/* NumPy's maximum and minimum, which propagate NaN. */
INLINE REAL R(larger)(REAL a, REAL b) { return a > b || a != a ? a : b; }
INLINE REAL R(smaller)(REAL a, REAL b) { return a < b || a != a ? a : b; }

typedef struct {
    REAL *line[R(LINES)]; /* left, top, right, bottom, area, group */
    int64_t count;
} R(Kept);

/* The areas that a box shares with some of the kept boxes, from `first` on. */
__attribute__((noinline)) static void R(share)(const R(Kept) *kept, int64_t first, int64_t count,
                                               const REAL *box, REAL *restrict shared) {
    const REAL *left = kept->line[0] + first, *top = kept->line[1] + first;
    const REAL *right = kept->line[2] + first, *bottom = kept->line[3] + first;
    for (int64_t k = 0; k < count; k++) {
        REAL wide = R(smaller)(right[k], box[2]) - R(larger)(left[k], box[0]);
        REAL high = R(smaller)(bottom[k], box[3]) - R(larger)(top[k], box[1]);
        shared[k] = R(larger)(wide, 0) * R(larger)(high, 0);
    }
}

/* Whether a kept box of the same group overlaps the box too much. */
__attribute__((noinline)) static int R(too_near)(const R(Kept) *kept, int64_t first, int64_t count,
                                                 const REAL *box, REAL limit,
                                                 const REAL *restrict shared) {
    const REAL *area = kept->line[4] + first, *group = kept->line[5] + first;
    int found = 0;
    for (int64_t k = 0; k < count; k++) {
        REAL total = area[k] + box[4] - shared[k];
        REAL overlap = total > 0 ? shared[k] / total : 0;
        found |= (overlap > limit) & (group[k] == box[5]);
    }
    return found;
}

static int R(is_free)(const R(Kept) *kept, const REAL *box, REAL limit) {
    REAL shared[R(LOOK)];
    for (int64_t first = 0; first < kept->count; first += R(LOOK)) {
        int64_t count = least(R(LOOK), kept->count - first);
        R(share)(kept, first, count, box, shared);
        if (R(too_near)(kept, first, count, box, limit, shared)) return 0;
    }
    return 1;
}

enum outcome R(suppress)(const Call *call) {
    const Array *edges = &call->array[0], *groups = &call->array[1], *out = &call->array[2];
    enum type type = F32 ? FLOAT32 : FLOAT64;
    if (call->arrays != 3 || call->integers != 1 || call->reals != 1) return DOES_NOT_FIT;
    int64_t n = size_of(groups);
    if (!holds(edges, type, 5 * n) || !holds(groups, type, n) || !takes(out, BOOL, n))
        return DOES_NOT_FIT;
    REAL *room = scratch(0, (size_t)(R(LINES) * n) * sizeof(REAL));
    if (!room) return NO_MEMORY;
    R(Kept) kept = {.count = 0};
    for (int k = 0; k < R(LINES); k++) kept.line[k] = room + k * n;
    const REAL *from = (const REAL *)edges->data, limit = (REAL)call->real[0];
    for (int64_t i = 0; i < n && kept.count < call->integer[0]; i++) {
        REAL box[R(LINES)];
        for (int k = 0; k < 5; k++) box[k] = from[k * n + i];
        box[5] = ((const REAL *)groups->data)[i];
        int is_kept = R(is_free)(&kept, box, limit);
        out->data[i] = (char)is_kept;
        for (int k = 0; is_kept && k < R(LINES); k++) kept.line[k][kept.count] = box[k];
        kept.count += is_kept;
    }
    return DONE;
}
