/* One set of kernels for each kind of processor; the best one is chosen when the library loads. */
#ifndef GLUON_VARIANTS_H
#define GLUON_VARIANTS_H

#include "array.h"

/* The inner loop of an elementwise operation: y[i] for i < n, a multiple of AT_ONCE. The `step` of
 * an input is 1, or 0 if one value serves all, which is possible for one of two inputs. */
enum { AT_ONCE = 64 };
typedef void (*Loop)(int64_t n, const void *x, int step_x, const void *z, int step_z, void *y);

typedef struct {
    const char *name;
    int inputs;
    enum type gives; /* OTHER: the type of the inputs */
    Loop of_floats, of_doubles;
} Operation;

typedef struct {
    const char *name;
    Kernel of_floats, of_doubles; /* NULL if there is none */
} NamedKernel;

typedef struct {
    const char *name;
    const NamedKernel *kernel;
    int kernels;
    const Operation *operation;
    int operations;
} Variant;

/* The best variant for this processor, or the one called `wanted`; NULL if there is none. */
const Variant *choose_variant(const char *wanted);

/* The kernels of copy.c, layout.c, libsvm.c, indexing.c and linalg.c. */
enum outcome copy_arrays(const Call *), pad_arrays(const Call *), mask_rows_arrays(const Call *);
enum outcome layout_arrays(const Call *), choose_arrays(const Call *);
enum outcome flat_places_arrays(const Call *), take_rows_arrays(const Call *);
enum outcome pick_arrays(const Call *), pick_grad_arrays(const Call *);
enum outcome add_rows_arrays(const Call *), group_places_arrays(const Call *);
enum outcome multiply_stacks_arrays(const Call *), read_lines_arrays(const Call *);

/* ------------------------------------------------------------------------ loops over axes */

/* How an elementwise operation walks: over `outer` runs of `inner` values. */
typedef struct {
    int axes;
    int64_t shape[MAX_AXES];      /* adjacent axes are merged if possible */
    int64_t step[2][MAX_AXES];    /* of the inputs, in bytes; 0 where they broadcast */
    int64_t inner, outer;
    int unit[2]; /* whether an input is contiguous along the last axis, or broadcasts */
} Loops;

/* Plan the loops of two inputs, which broadcast; returns the number of axes of the result, whose
 * lengths go to `shape`, or -1 for an unsupported layout. An operation of one input passes it
 * twice. */
int plan(Loops *loops, const Array *x, intptr_t *shape);
/* Compute the third array of `x` from the first two. */
void run_loops(const Loops *loops, Loop loop, const Array *x);

#endif
