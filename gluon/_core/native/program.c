/* Programs: a step as a flat list of instructions over planned memory, run without Python.
 *
 * A program is made once, from the tuples of gluon/_core/program/plan.py. Memory number 0 of a run is
 * an arena for what it computes; then come the arrays that it is given and makes, then constants.
 * Instructions:
 *
 * - GROUP: elementwise operations, block by block. A block of each value stays in a register, some
 *   kilobytes in cache; only what others read goes to memory. The operations are the loops of
 *   elementwise.c or those of NumPy's own ufuncs, so that results are the same as theirs.
 * - DOT: products of matrices. SUM: a sum over adjacent axes. COPY: between two layouts.
 * - KERNEL: calls of other kernels of the library, with arguments that were prepared once. Where one
 *   does not fit the values, the next chain of calls runs in place of the first.
 * - MASK: that of dropout, drawn from a generator of NumPy that the run is given.
 *
 * What Python computes stands between two calls of `run`, which never calls Python and holds no lock.
 * A program is not changed by a run: threads may run it at once, each with its own arena.
 */
#define PY_SSIZE_T_CLEAN
#include "program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blas.h"
#include "bytes.h"
#include "threads.h"

enum { AXES = 8, INPUTS = 3, MOST_REGISTERS = 1024, SERIAL = 1 << 18, FEW_SUMS = 64 };
enum { GROUP, DOT, SUM, COPY, KERNEL, MASK, KINDS };

typedef struct {
    int64_t memory, offset;
} Place;

/* A value in memory: adjacent axes are merged, and stand from the last one to the first. */
typedef struct {
    Place place;
    int axes, size, alone, linear, reg;
    int64_t shape[AXES], step[AXES];
} Operand;

typedef void (*NumPyLoop)(char **, const intptr_t *, const intptr_t *, void *);

typedef struct {
    Loop loop; /* of this library, or NULL */
    NumPyLoop numpys;
    void *data;
    int inputs, in[INPUTS], step[INPUTS], out, size_out;
} Micro;

typedef struct {
    int reg, size;
    Place to;
} Total;

/* A matrix or a stack of them, as NumPy describes it, or an argument of a kernel: its type, the size
 * of a value and whether it is contiguous. */
typedef struct {
    Place place;
    int axes, size, contiguous;
    enum type type;
    intptr_t shape[AXES], strides[AXES];
} Matrices;

/* A call of a kernel. */
typedef struct {
    Kernel kernel;
    int chain, arrays, integers, reals;
    Matrices *array;
    int64_t *integer;
    double *real;
} Step;

/* What NumPy's generators are to C: `bitgen_t` of its headers. */
typedef struct {
    void *state;
    uint64_t (*next_uint64)(void *);
    uint32_t (*next_uint32)(void *);
    double (*next_double)(void *);
    uint64_t (*next_raw)(void *);
} Generator;

typedef struct {
    int kind;
    int64_t n, block;
    int registers, loads, micros, stores, totals, rounds;
    Operand *load, *store;
    Micro *micro;
    Total *total;
    Matrices *matrices; /* of DOT: a, b and y */
    Step *step;         /* of KERNEL */
    int steps;
    enum type type;
    int64_t outer, middle, inner; /* of SUM */
    Place x, y;
    double p, kept; /* of MASK */
} Instruction;

typedef struct {
    PyObject_HEAD
    int64_t count, arrays, constants, size;
    Instruction *instruction;
    char **constant;
    PyObject *keep;
} Program;

static const Variant *variant;
static PyTypeObject *array_type;

void set_array_type(PyTypeObject *type) { array_type = type; }

/* ----------------------------------------------------------------------------- layouts */

static void copy_run(const char *from, int64_t step_from, char *to, int64_t step_to, int64_t n,
                     int64_t size) {
    if (step_from == size && step_to == size) {
        memcpy(to, from, (size_t)(n * size));
    } else if (size == 4) {
        for (int64_t i = 0; i < n; i++) memcpy(to + i * step_to, from + i * step_from, 4);
    } else if (size == 8) {
        for (int64_t i = 0; i < n; i++) memcpy(to + i * step_to, from + i * step_from, 8);
    } else {
        for (int64_t i = 0; i < n; i++)
            memcpy(to + i * step_to, from + i * step_from, (size_t)size);
    }
}

/* Values of an operand from number `first` on, to contiguous memory, or back (`scatters`). */
static void move(const Operand *x, char *data, int64_t first, int64_t n, char *other, int scatters) {
    int64_t inner = x->shape[0], run = first / inner, from = first % inner, index[AXES];
    char *at = data;
    for (int k = 1; k < x->axes; k++) {
        index[k] = run % x->shape[k];
        at += index[k] * x->step[k];
        run /= x->shape[k];
    }
    while (n) {
        int64_t count = least(inner - from, n);
        char *here = at + from * x->step[0];
        if (scatters) copy_run(other, x->size, here, x->step[0], count, x->size);
        else copy_run(here, x->step[0], other, x->size, count, x->size);
        other += count * x->size, n -= count, from = 0;
        for (int k = 1; k < x->axes; k++) {
            at += x->step[k];
            if (++index[k] < x->shape[k]) break;
            at -= index[k] * x->step[k];
            index[k] = 0;
        }
    }
}

/* -------------------------------------------------------------------------------- sums */

#define SUM_OF(name, REAL)                                                             \
    static double name(const void *values, int64_t n) {                                \
        const REAL *x = values;                                                        \
        double total = 0;                                                              \
        while (n > 0) {                                                                \
            int64_t some = least(n, 512), i = 0;                                       \
            REAL s[16] = {0};                                                          \
            for (; i + 16 <= some; i += 16)                                            \
                for (int k = 0; k < 16; k++) s[k] += x[i + k];                         \
            for (int k = 0; k < 16; k++) total += s[k];                                \
            for (; i < some; i++) total += x[i];                                       \
            x += some, n -= some;                                                      \
        }                                                                              \
        return total;                                                                  \
    }                                                                                  \
    /* The sums of columns: some rows at a time, so that errors do not add up. */      \
    static void name##_rows(const void *from, int64_t rows, int64_t n, void *to) {     \
        const REAL *x = from;                                                          \
        REAL *y = to;                                                                  \
        for (int64_t start = 0; start < n; start += 256) {                             \
            int64_t width = least(256, n - start);                                     \
            double total[256] = {0};                                                   \
            for (int64_t j = 0; j < rows; j += 64) {                                   \
                REAL s[256] = {0};                                                     \
                for (int64_t row = j; row < least(j + 64, rows); row++)                \
                    for (int64_t i = 0; i < width; i++) s[i] += x[row * n + start + i]; \
                for (int64_t i = 0; i < width; i++) total[i] += s[i];                  \
            }                                                                          \
            for (int64_t i = 0; i < width; i++) y[start + i] = (REAL)total[i];         \
        }                                                                              \
    }
SUM_OF(sum_of_floats, float)
SUM_OF(sum_of_doubles, double)

static double sum_of(const void *x, int64_t n, int64_t size) {
    return size == 8 ? sum_of_doubles(x, n) : sum_of_floats(x, n);
}

static void put(char *to, double value, int64_t size) {
    if (size == 8) *(double *)to = value;
    else *(float *)to = (float)value;
}

static void run_sum(const Instruction *v, char **memory) {
    int64_t size = size_in_bytes(v->type), run = v->middle * v->inner * size;
    const char *x = memory[v->x.memory] + v->x.offset;
    char *y = memory[v->y.memory] + v->y.offset;
    for (int64_t o = 0; o < v->outer; o++, x += run, y += v->inner * size) {
        if (v->inner == 1) put(y, sum_of(x, v->middle, size), size);
        else if (size == 8) sum_of_doubles_rows(x, v->middle, v->inner, y);
        else sum_of_floats_rows(x, v->middle, v->inner, y);
    }
}

/* ------------------------------------------------------------------------------- groups */

static void run_micro(const Micro *m, char **reg, int64_t n, int64_t padded) {
    if (m->loop) {
        int second = m->inputs > 1;
        m->loop(padded, reg[m->in[0]], m->step[0] != 0, reg[m->in[second]],
                second ? m->step[1] != 0 : 1, reg[m->out]);
        return;
    }
    char *args[INPUTS + 1];
    intptr_t steps[INPUTS + 1], count = n;
    for (int j = 0; j < m->inputs; j++) args[j] = reg[m->in[j]], steps[j] = m->step[j];
    args[m->inputs] = reg[m->out], steps[m->inputs] = m->size_out;
    m->numpys(args, &count, steps, m->data);
}

/* Values `first` to `end` of a group; `sums` gets what they add to each total. */
static void run_blocks(const Instruction *v, char **memory, int64_t first, int64_t end, char *rooms,
                       double *sums, int poisons) {
    char *reg[MOST_REGISTERS];
    int64_t room = v->block * 8;
    for (int64_t i = first; i < end; i += v->block) {
        if (poisons) memset(rooms, 255, (size_t)(v->registers * room));
        int64_t n = least(v->block, end - i), padded = (n + AT_ONCE - 1) & -AT_ONCE;
        int whole = !v->rounds || padded == n;
        for (int k = 0; k < v->registers; k++) reg[k] = rooms + k * room;
        for (int k = 0; k < v->loads; k++) {
            const Operand *x = v->load + k;
            char *data = memory[x->place.memory] + x->place.offset;
            if (x->alone) reg[x->reg] = data;
            else if (x->linear && whole) reg[x->reg] = data + i * x->size;
            else move(x, data, i, n, reg[x->reg], 0);
        }
        for (int k = 0; k < v->stores; k++) {
            const Operand *y = v->store + k;
            if (y->linear && whole)
                reg[y->reg] = memory[y->place.memory] + y->place.offset + i * y->size;
        }
        for (int k = 0; k < v->micros; k++) run_micro(v->micro + k, reg, n, padded);
        for (int k = 0; k < v->totals; k++)
            sums[k] += sum_of(reg[v->total[k].reg], n, v->total[k].size);
        for (int k = 0; k < v->stores; k++) {
            const Operand *y = v->store + k;
            if (!(y->linear && whole))
                move(y, memory[y->place.memory] + y->place.offset, i, n, reg[y->reg], 1);
        }
    }
}

typedef struct {
    const Instruction *v;
    char **memory;
    double *sums;
    int poisons, failed;
} Shared;

static void run_part(void *context, int64_t part) {
    Shared *s = context;
    const Instruction *v = s->v;
    char *rooms = scratch(0, (size_t)(v->registers * v->block * 8));
    if (!rooms) {
        s->failed = 1;
        return;
    }
    run_blocks(v, s->memory, part * PART, least((part + 1) * PART, v->n), rooms,
               s->sums + part * v->totals, s->poisons);
}

static enum outcome run_group(const Instruction *v, char **memory, int poisons) {
    int64_t parts = parts_of(v->n, PART);
    double few[FEW_SUMS] = {0}, *sums = few;
    if (parts * v->totals > FEW_SUMS) sums = calloc((size_t)(parts * v->totals), sizeof *sums);
    if (!sums) return NO_MEMORY;
    Shared shared = {v, memory, sums, poisons, 0};
    if (parts > 2) parallel(run_part, &shared, parts);
    else
        for (int64_t k = 0; k < parts; k++) run_part(&shared, k);
    for (int k = 0; k < v->totals; k++) {
        double total = 0;
        for (int64_t part = 0; part < parts; part++) total += sums[part * v->totals + k];
        put(memory[v->total[k].to.memory] + v->total[k].to.offset, total, v->total[k].size);
    }
    if (sums != few) free(sums);
    return shared.failed ? NO_MEMORY : DONE;
}

/* ----------------------------------------------------------------------- other kinds */

#define DOT_OF(name, REAL)                                                          \
    static REAL name(const REAL *x, const REAL *z, int64_t n) {                     \
        REAL s[16] = {0}, total = 0;                                                \
        int64_t i = 0;                                                              \
        for (; i + 16 <= n; i += 16)                                                \
            for (int k = 0; k < 16; k++) s[k] += x[i + k] * z[i + k];               \
        for (; i < n; i++) total += x[i] * z[i];                                    \
        for (int k = 0; k < 16; k++) total += s[k];                                 \
        return total;                                                               \
    }
DOT_OF(dot_of_floats, float)
DOT_OF(dot_of_doubles, double)

/* A matrix by rows times a contiguous column. */
static void times_column(const Matrices *a, char *const *data, int64_t size) {
    for (int64_t i = 0; i < a->shape[0]; i++) {
        const char *row = data[0] + i * a->strides[0];
        if (size == 8)
            ((double *)data[2])[i] =
                dot_of_doubles((const double *)row, (const double *)data[1], a->shape[1]);
        else
            ((float *)data[2])[i] =
                dot_of_floats((const float *)row, (const float *)data[1], a->shape[1]);
    }
}

static int by_rows(const Matrices *x, int64_t size) {
    return x->shape[1] == 1 || x->strides[1] == size;
}

static Matrix as_matrix(const Matrices *x, char *data, int64_t size) {
    int lies_turned = !by_rows(x, size);
    int64_t along = x->shape[lies_turned ? 1 : 0], across = x->shape[lies_turned ? 0 : 1];
    int64_t step = along == 1 ? across : x->strides[lies_turned ? 1 : 0] / size;
    return (Matrix){data, most(step, across), lies_turned};
}

static enum outcome run_dot(const Instruction *v, char **memory) {
    const Matrices *a = v->matrices, *b = a + 1, *y = a + 2;
    int64_t size = size_in_bytes(v->type);
    char *data[3];
    for (int k = 0; k < 3; k++) data[k] = memory[a[k].place.memory] + a[k].place.offset;
    if (a->axes == 2 && a->shape[0] * a->shape[1] * b->shape[1] <= SERIAL) {
        int column = b->shape[1] == 1 && (b->shape[0] == 1 || b->strides[0] == size);
        if (column && by_rows(a, size)) {
            times_column(a, data, size);
            return DONE;
        }
        Matrix left = as_matrix(a, data[0], size), right = as_matrix(b, data[1], size);
        multiply(v->type, a->shape[0], b->shape[1], a->shape[1], &left, &right, data[2],
                 y->shape[1]);
        return DONE;
    }
    Call call;
    call.arrays = 3, call.integers = call.reals = 0;
    for (int k = 0; k < 3; k++)
        call.array[k] = (Array){data[k], a[k].shape, a[k].strides, a[k].axes, v->type, k == 2, 1};
    return multiply_stacks_arrays(&call);
}

/* A part of a copy. */
static void copy_part(void *context, int64_t part) {
    Shared *s = context;
    const Operand *x = s->v->load, *y = s->v->store;
    char *from = s->memory[x->place.memory] + x->place.offset;
    char *to = s->memory[y->place.memory] + y->place.offset;
    int64_t first = part * PART, end = least(first + PART, s->v->n), block = s->v->block;
    if (y->linear) {
        move(x, from, first, end - first, to + first * y->size, 0);
    } else if (x->linear) {
        move(y, to, first, end - first, from + first * x->size, 1);
    } else {
        char *room = scratch(0, (size_t)(block * x->size));
        if (!room) s->failed = 1;
        for (int64_t i = first; room && i < end; i += block) {
            move(x, from, i, least(block, end - i), room, 0);
            move(y, to, i, least(block, end - i), room, 1);
        }
    }
}

static enum outcome run_copy(const Instruction *v, char **memory) {
    Shared shared = {v, memory, NULL, 0, 0};
    int64_t parts = parts_of(v->n, PART);
    if (parts > 1) parallel(copy_part, &shared, parts);
    else if (parts) copy_part(&shared, 0);
    return shared.failed ? NO_MEMORY : DONE;
}

static enum outcome run_step(const Step *s, char **memory) {
    Call call;
    call.arrays = s->arrays, call.integers = s->integers, call.reals = s->reals;
    for (int k = 0; k < s->arrays; k++) {
        const Matrices *x = s->array + k;
        char *data = x->axes < 0 ? NULL : memory[x->place.memory] + x->place.offset;
        if (!data) call.array[k] = (Array){0};
        else
            call.array[k] = (Array){data, x->shape, x->strides, x->axes, x->type,
                                    x->contiguous && !((uintptr_t)data % (uintptr_t)x->size), 1};
    }
    for (int k = 0; k < s->integers; k++) call.integer[k] = s->integer[k];
    for (int k = 0; k < s->reals; k++) call.real[k] = s->real[k];
    return s->kernel(&call);
}

static enum outcome run_steps(const Instruction *v, char **memory) {
    enum outcome outcome = DONE;
    for (int k = 0; k < v->steps;) {
        outcome = run_step(v->step + k, memory);
        if (outcome == NO_MEMORY) return outcome;
        int chain = v->step[k++].chain;
        if (outcome == DONE && k < v->steps && v->step[k].chain == chain) continue;
        if (outcome == DONE) return DONE;
        while (k < v->steps && v->step[k].chain == chain) k++;
    }
    return outcome;
}

/* One number of 24 bits decides each value, as with NumPy's random numbers of float32. */
static enum outcome run_mask(const Instruction *v, char **memory, const Generator *generator) {
    char *y = memory[v->y.memory] + v->y.offset;
    uint32_t least_kept = (uint32_t)ceil((double)(float)v->p * 16777216);
    if (!generator) return DOES_NOT_FIT;
    for (int64_t i = 0; i < v->n; i++) {
        int is_kept = generator->next_uint32(generator->state) >> 8 >= least_kept;
        if (v->type == FLOAT64) ((double *)y)[i] = is_kept ? v->kept : 0;
        else ((float *)y)[i] = is_kept ? (float)v->kept : 0;
    }
    return DONE;
}

static enum outcome run_instruction(const Instruction *v, char **memory, const Generator *generator,
                                    int poisons) {
    switch (v->kind) {
    case MASK: return run_mask(v, memory, generator);
    case KERNEL: return run_steps(v, memory);
    case GROUP: return run_group(v, memory, poisons);
    case DOT: return run_dot(v, memory);
    case COPY: return run_copy(v, memory);
    default: run_sum(v, memory); return DONE;
    }
}

/* run(arena, arrays, first, end, generator, poisons): instructions `first` to `end`; `generator` is the
 * capsule of a bit generator of NumPy, whose lock is held, or None. With `poisons`, registers hold NaN
 * before each block, so that nothing of an earlier one can be taken for a value that was loaded. */
#define RUN "run(arena, arrays, first, end, generator, poisons)"
static PyObject *run_program(PyObject *object, PyObject *const *given, Py_ssize_t count) {
    const Program *self = (Program *)object;
    if (count != 6 || Py_TYPE(given[0]) != array_type || !PyTuple_Check(given[1]) ||
        PyTuple_GET_SIZE(given[1]) != self->arrays)
        return PyErr_SetString(PyExc_TypeError, RUN), NULL;
    const Generator *generator =
        given[4] == Py_None ? NULL : PyCapsule_GetPointer(given[4], "BitGenerator");
    if (!generator && given[4] != Py_None) return NULL;
    const NumPyArray *arena = (NumPyArray *)given[0];
    int64_t first = PyLong_AsLongLong(given[2]), end = PyLong_AsLongLong(given[3]);
    if (arena->axes != 1 || arena->shape[0] < self->size || first < 0 || end > self->count)
        return PyErr_SetString(PyExc_ValueError, "run: another program's arena or numbers"), NULL;
    char *few[64], **memory = few;
    int64_t all = 1 + self->arrays + self->constants;
    if (all > 64 && !(memory = malloc((size_t)all * sizeof *memory))) return PyErr_NoMemory();
    memory[0] = arena->data;
    for (int64_t k = 0; k < self->arrays; k++) {
        PyObject *x = PyTuple_GET_ITEM(given[1], k);
        if (Py_TYPE(x) != array_type) {
            if (memory != few) free(memory);
            return PyErr_SetString(PyExc_TypeError, "run: takes arrays of NumPy"), NULL;
        }
        memory[1 + k] = ((NumPyArray *)x)->data;
    }
    for (int64_t k = 0; k < self->constants; k++) memory[1 + self->arrays + k] = self->constant[k];
    enum outcome outcome = DONE;
    Py_BEGIN_ALLOW_THREADS
    for (int64_t k = first; k < end && outcome == DONE; k++)
        outcome = run_instruction(self->instruction + k, memory, generator, given[5] == Py_True);
    Py_END_ALLOW_THREADS
    if (memory != few) free(memory);
    if (outcome == NO_MEMORY) return PyErr_NoMemory();
    if (outcome != DONE)
        return PyErr_SetString(PyExc_RuntimeError, "run: arrays do not fit their kernel"), NULL;
    Py_RETURN_NONE;
}

/* ------------------------------------------------------------------------------ creation */

#define AT(tuple, k) PyTuple_GET_ITEM(tuple, k)
#define COUNT(tuple) ((int)PyTuple_GET_SIZE(tuple))

/* Item `k` of a tuple as an integer; 0 with an exception set if it is none. */
static int64_t number(PyObject *tuple, int k) {
    if (PyTuple_Check(tuple) && k < COUNT(tuple)) return PyLong_AsLongLong(AT(tuple, k));
    PyErr_SetString(PyExc_TypeError, "Program: an instruction is too short");
    return 0;
}

static PyObject *item(PyObject *tuple, int k) {
    if (k < COUNT(tuple) && PyTuple_Check(AT(tuple, k))) return AT(tuple, k);
    PyErr_SetString(PyExc_TypeError, "Program: an instruction lacks a tuple");
    return NULL;
}

/* A place; number -1 with an exception set if there is no such memory. */
static Place place_of(const Program *self, PyObject *t, int k) {
    Place place = {number(t, k), number(t, k + 1)};
    if (!PyErr_Occurred() &&
        (place.memory < 0 || place.memory > self->arrays + self->constants || place.offset < 0))
        PyErr_SetString(PyExc_IndexError, "Program: no such memory");
    return place;
}

/* (memory, offset, size, register, lengths, strides), axes from the first to the last. */
static Operand operand_of(const Program *self, PyObject *t, int64_t registers) {
    Operand x = {.place = place_of(self, t, 0), .size = (int)number(t, 2), .reg = (int)number(t, 3)};
    PyObject *shape = item(t, 4), *strides = item(t, 5);
    if (!shape || !strides) return x;
    if (COUNT(shape) > AXES || COUNT(shape) != COUNT(strides) || x.reg < 0 || x.reg >= registers)
        return PyErr_SetString(PyExc_ValueError, "Program: an operand does not fit"), x;
    for (int k = COUNT(shape) - 1; k >= 0; k--) {
        int64_t n = number(shape, k), step = number(strides, k);
        int last = x.axes - 1;
        if (n == 1) continue;
        if (last >= 0 && step == x.step[last] * x.shape[last]) x.shape[last] *= n;
        else x.shape[x.axes] = n, x.step[x.axes++] = step;
    }
    if (!x.axes) x.shape[0] = 1, x.step[0] = x.size, x.axes = 1;
    x.linear = x.axes == 1 && x.step[0] == x.size;
    x.alone = x.axes == 1 && !x.step[0];
    return x;
}

static Operand *operands_of(const Program *self, PyObject *list, int64_t registers) {
    if (!list) return NULL;
    Operand *made = calloc((size_t)COUNT(list) + 1, sizeof *made);
    if (!made) return (Operand *)PyErr_NoMemory();
    for (int k = 0; k < COUNT(list) && !PyErr_Occurred(); k++)
        made[k] = operand_of(self, AT(list, k), registers);
    return made;
}

/* (operation or -1, loop, data, is double, register, size, inputs..., steps...) */
static void fill_micro(Micro *m, PyObject *t, Instruction *v) {
    int64_t operation = number(t, 0);
    m->inputs = (COUNT(t) - 6) / 2;
    if (m->inputs < 1 || m->inputs > INPUTS || operation >= variant->operations) {
        PyErr_SetString(PyExc_ValueError, "Program: an operation does not fit");
        return;
    }
    m->numpys = (NumPyLoop)(intptr_t)number(t, 1), m->data = (void *)(intptr_t)number(t, 2);
    if (operation >= 0) {
        const Operation *found = variant->operation + operation;
        m->loop = number(t, 3) ? found->of_doubles : found->of_floats, v->rounds = 1;
    }
    m->out = (int)number(t, 4), m->size_out = (int)number(t, 5);
    int fits = m->out >= 0 && m->out < v->registers && (m->loop || m->numpys);
    for (int j = 0; j < m->inputs; j++) {
        m->in[j] = (int)number(t, 6 + j), m->step[j] = (int)number(t, 6 + m->inputs + j);
        fits = fits && m->in[j] >= 0 && m->in[j] < v->registers;
    }
    if (!fits && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "Program: an operation does not fit");
}

/* (GROUP, n, block, registers, loads, operations, stores, totals) */
static void fill_group(const Program *self, Instruction *v, PyObject *t) {
    v->n = number(t, 1), v->block = number(t, 2), v->registers = (int)number(t, 3);
    PyObject *loads = item(t, 4), *micros = item(t, 5), *stores = item(t, 6), *totals = item(t, 7);
    if (PyErr_Occurred()) return;
    if (v->registers > MOST_REGISTERS || v->n < 0 || v->block < 1 || v->block % AT_ONCE) {
        PyErr_SetString(PyExc_ValueError, "Program: a group does not fit");
        return;
    }
    v->loads = COUNT(loads), v->micros = COUNT(micros);
    v->stores = COUNT(stores), v->totals = COUNT(totals);
    v->load = operands_of(self, loads, v->registers);
    v->store = operands_of(self, stores, v->registers);
    v->micro = calloc((size_t)v->micros + 1, sizeof *v->micro);
    v->total = calloc((size_t)v->totals + 1, sizeof *v->total);
    if (!v->micro || !v->total) PyErr_NoMemory();
    for (int k = 0; k < v->micros && !PyErr_Occurred(); k++)
        fill_micro(v->micro + k, AT(micros, k), v);
    for (int k = 0; k < v->totals && !PyErr_Occurred(); k++) {
        PyObject *one = AT(totals, k);
        v->total[k] = (Total){(int)number(one, 0), (int)number(one, 3), place_of(self, one, 1)};
        if (v->total[k].reg < 0 || v->total[k].reg >= v->registers)
            PyErr_SetString(PyExc_ValueError, "Program: a total does not fit");
    }
}

/* (DOT, size, a, b, y), each (memory, offset, lengths, strides) */
static void fill_dot(const Program *self, Instruction *v, PyObject *t) {
    v->type = number(t, 1) == 8 ? FLOAT64 : FLOAT32;
    v->matrices = calloc(3, sizeof *v->matrices);
    if (!v->matrices) PyErr_NoMemory();
    for (int k = 0; k < 3 && !PyErr_Occurred(); k++) {
        PyObject *one = item(t, 2 + k);
        PyObject *shape = one ? item(one, 2) : NULL, *strides = one ? item(one, 3) : NULL;
        if (!shape || !strides) return;
        Matrices *x = v->matrices + k;
        x->place = place_of(self, one, 0), x->axes = COUNT(shape);
        if (x->axes < 2 || x->axes > AXES || COUNT(strides) != x->axes) {
            PyErr_SetString(PyExc_ValueError, "Program: a matrix does not fit");
            return;
        }
        for (int j = 0; j < x->axes; j++)
            x->shape[j] = number(shape, j), x->strides[j] = number(strides, j);
    }
}

/* (memory, offset, lengths, strides, type, size, contiguous), or () for none */
static void fill_array(const Program *self, Matrices *x, PyObject *t) {
    if (!PyTuple_Check(t) || !COUNT(t)) {
        x->axes = -1;
        return;
    }
    PyObject *shape = item(t, 2), *strides = item(t, 3);
    if (!shape || !strides) return;
    x->place = place_of(self, t, 0), x->axes = COUNT(shape);
    x->type = (enum type)number(t, 4), x->size = (int)number(t, 5);
    x->contiguous = (int)number(t, 6);
    if (x->axes > AXES || COUNT(strides) != x->axes || x->size < 1 || x->type > FLOAT16) {
        PyErr_SetString(PyExc_ValueError, "Program: an array does not fit");
        return;
    }
    for (int j = 0; j < x->axes; j++)
        x->shape[j] = number(shape, j), x->strides[j] = number(strides, j);
}

/* (chain, kernel, arrays, integers, reals) */
static void fill_step(const Program *self, Step *s, PyObject *t) {
    int64_t kernel = number(t, 1);
    PyObject *arrays = item(t, 2), *integers = item(t, 3), *reals = item(t, 4);
    if (!arrays || !integers || !reals || PyErr_Occurred()) return;
    s->chain = (int)number(t, 0), s->arrays = COUNT(arrays);
    s->integers = COUNT(integers), s->reals = COUNT(reals);
    if (kernel < 0 || kernel >= variant->kernels || s->arrays < 1 || s->arrays > MAX_ARRAYS ||
        s->integers > MAX_NUMBERS || s->reals > MAX_NUMBERS) {
        PyErr_SetString(PyExc_ValueError, "Program: a call of a kernel does not fit");
        return;
    }
    s->array = calloc((size_t)s->arrays, sizeof *s->array);
    s->integer = calloc((size_t)s->integers + 1, sizeof *s->integer);
    s->real = calloc((size_t)s->reals + 1, sizeof *s->real);
    if (!s->array || !s->integer || !s->real) {
        PyErr_NoMemory();
        return;
    }
    for (int k = 0; k < s->arrays && !PyErr_Occurred(); k++)
        fill_array(self, s->array + k, AT(arrays, k));
    for (int k = 0; k < s->integers; k++) s->integer[k] = number(integers, k);
    for (int k = 0; k < s->reals; k++) s->real[k] = PyFloat_AsDouble(AT(reals, k));
    const NamedKernel *found = variant->kernel + kernel;
    s->kernel = s->array->type == FLOAT64 ? found->of_doubles : found->of_floats;
    if (!s->kernel && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "Program: no kernel for this type");
}

/* (KERNEL, calls) */
static void fill_kernel(const Program *self, Instruction *v, PyObject *t) {
    PyObject *calls = item(t, 1);
    if (!calls) return;
    v->steps = COUNT(calls), v->step = calloc((size_t)v->steps + 1, sizeof *v->step);
    if (!v->step) PyErr_NoMemory();
    for (int k = 0; k < v->steps && !PyErr_Occurred(); k++) fill_step(self, v->step + k, AT(calls, k));
}

static void fill_instruction(const Program *self, Instruction *v, PyObject *t) {
    if (!PyTuple_Check(t) || !COUNT(t)) {
        v->kind = KINDS; /* Python computes it */
        return;
    }
    v->kind = (int)number(t, 0);
    if (v->kind == GROUP) {
        fill_group(self, v, t);
    } else if (v->kind == DOT) {
        fill_dot(self, v, t);
    } else if (v->kind == KERNEL) {
        fill_kernel(self, v, t);
    } else if (v->kind == SUM) { /* outer, middle, inner, x, y, size */
        v->outer = number(t, 1), v->middle = number(t, 2), v->inner = number(t, 3);
        v->x = place_of(self, t, 4), v->y = place_of(self, t, 6);
        v->type = number(t, 8) == 8 ? FLOAT64 : FLOAT32;
    } else if (v->kind == MASK) { /* n, y, size, p, kept */
        v->n = number(t, 1), v->y = place_of(self, t, 2);
        v->type = number(t, 4) == 8 ? FLOAT64 : FLOAT32;
        v->p = COUNT(t) == 7 ? PyFloat_AsDouble(AT(t, 5)) : 1;
        v->kept = COUNT(t) == 7 ? PyFloat_AsDouble(AT(t, 6)) : 1;
        if (!(v->p >= 0 && v->p < 1) && !PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "Program: a mask does not fit");
    } else if (v->kind == COPY) { /* n, from, to */
        v->n = number(t, 1), v->block = 2048;
        v->load = calloc(1, sizeof *v->load), v->store = calloc(1, sizeof *v->store);
        PyObject *from = item(t, 2), *to = item(t, 3);
        if (!v->load || !v->store) PyErr_NoMemory();
        else if (from && to)
            *v->load = operand_of(self, from, 1), *v->store = operand_of(self, to, 1);
    } else {
        PyErr_SetString(PyExc_ValueError, "Program: no such instruction");
    }
}

/* Program(instructions, constants, arrays, size): how many arrays a run takes, and the bytes of its
 * arena. */
static PyObject *make_program(PyTypeObject *type, PyObject *arguments, PyObject *named) {
    PyObject *instructions, *constants;
    Py_ssize_t arrays, size;
    if (!PyArg_ParseTuple(arguments, "O!O!nn", &PyTuple_Type, &instructions, &PyTuple_Type,
                          &constants, &arrays, &size))
        return NULL;
    Program *self = (Program *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    self->keep = Py_NewRef(constants);
    self->count = COUNT(instructions), self->constants = COUNT(constants);
    self->arrays = arrays, self->size = size;
    self->instruction = calloc((size_t)self->count + 1, sizeof *self->instruction);
    self->constant = calloc((size_t)self->constants + 1, sizeof *self->constant);
    if (!self->instruction || !self->constant) PyErr_NoMemory();
    for (int64_t k = 0; k < self->constants && !PyErr_Occurred(); k++) {
        PyObject *x = AT(constants, k);
        if (Py_TYPE(x) != array_type) PyErr_SetString(PyExc_TypeError, "Program: constants");
        else self->constant[k] = ((NumPyArray *)x)->data;
    }
    for (int64_t k = 0; k < self->count && !PyErr_Occurred(); k++)
        fill_instruction(self, self->instruction + k, AT(instructions, k));
    if (PyErr_Occurred()) return Py_DECREF(self), NULL;
    return (PyObject *)self;
}

static void free_program(PyObject *object) {
    Program *self = (Program *)object;
    for (int64_t k = 0; self->instruction && k < self->count; k++) {
        Instruction *v = self->instruction + k;
        free(v->load), free(v->store), free(v->micro), free(v->total), free(v->matrices);
        for (int j = 0; v->step && j < v->steps; j++)
            free(v->step[j].array), free(v->step[j].integer), free(v->step[j].real);
        free(v->step);
    }
    free(self->instruction), free(self->constant);
    Py_XDECREF(self->keep);
    Py_TYPE(object)->tp_free(object);
}

static PyMethodDef methods[] = {
    {"run", (PyCFunction)(void (*)(void))run_program, METH_FASTCALL,
     RUN},
    {0}};

static PyTypeObject program_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "gluon._core.native._library.Program",
    .tp_doc = "A step as a flat list of instructions.",
    .tp_basicsize = sizeof(Program),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = make_program,
    .tp_dealloc = free_program,
    .tp_methods = methods,
};

/* -------------------------------------------------------------------- loops of NumPy, and ours */

/* The beginning of a ufunc of NumPy. */
typedef struct {
    PyObject_HEAD
    int nin, nout, nargs, identity;
    void **functions;
    void *const *data;
    int ntypes, reserved;
    const char *name, *types;
} NumPyUFunc;

/* inner_loops(ufunc): (types, loop, data) of each. */
static PyObject *inner_loops(PyObject *module, PyObject *object) {
    const NumPyUFunc *u = (NumPyUFunc *)object;
    if (u->nin < 1 || u->nout < 1 || u->nargs != u->nin + u->nout || u->ntypes < 0)
        return PyErr_SetString(PyExc_TypeError, "inner_loops(ufunc)"), NULL;
    PyObject *list = PyList_New(0);
    for (int k = 0; list && k < u->ntypes; k++) {
        PyObject *one = Py_BuildValue("(y#nn)", u->types + k * u->nargs, (Py_ssize_t)u->nargs,
                                      (Py_ssize_t)u->functions[k],
                                      (Py_ssize_t)(u->data ? u->data[k] : NULL));
        if (!one || PyList_Append(list, one)) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

/* call_loop(loop, data, arrays): run it over contiguous arrays of one length. */
static PyObject *call_loop(PyObject *module, PyObject *arguments) {
    Py_ssize_t loop, data;
    PyObject *arrays;
    if (!PyArg_ParseTuple(arguments, "nnO!", &loop, &data, &PyTuple_Type, &arrays)) return NULL;
    char *args[INPUTS + 1];
    intptr_t steps[INPUTS + 1], n = 0;
    if (COUNT(arrays) > INPUTS + 1) Py_RETURN_FALSE;
    for (int k = 0; k < COUNT(arrays); k++) {
        const NumPyArray *x = (NumPyArray *)AT(arrays, k);
        if (Py_TYPE(x) != array_type || x->axes != 1) Py_RETURN_FALSE;
        args[k] = x->data, steps[k] = x->strides[0], n = x->shape[0];
    }
    ((NumPyLoop)loop)(args, &n, steps, (void *)data);
    Py_RETURN_TRUE;
}

/* has_loop(operation, doubles): whether the library has it for this type. */
static PyObject *has_loop(PyObject *module, PyObject *arguments) {
    int operation, doubles;
    if (!PyArg_ParseTuple(arguments, "ip", &operation, &doubles)) return NULL;
    if (operation < 0 || operation >= variant->operations) Py_RETURN_FALSE;
    const Operation *found = variant->operation + operation;
    return PyBool_FromLong((doubles ? found->of_doubles : found->of_floats) != NULL);
}

#define LOOP(name) \
    static void name(char **args, const intptr_t *count, const intptr_t *steps, void *data)
#define EACH for (intptr_t i = 0; i < *count; i++)
#define VALUE(k, type) (*(type *)(args[k] + i * steps[k]))

#define CASTS(X) X(f4, float) X(f8, double) X(i4, int32_t) X(i8, int64_t) X(u1, uint8_t) X(i1, int8_t)
#define CAST(a, A, b, B) LOOP(cast_##a##_##b) { EACH VALUE(1, B) = (B)VALUE(0, A); }
#define FROM(a, A)                                                                              \
    CAST(a, A, f4, float) CAST(a, A, f8, double) CAST(a, A, i4, int32_t)                        \
    CAST(a, A, i8, int64_t) CAST(a, A, u1, uint8_t) CAST(a, A, i1, int8_t)                      \
    LOOP(cast_##a##_b1) { EACH VALUE(1, uint8_t) = VALUE(0, A) != 0; }                          \
    LOOP(cast_b1_##a) { EACH VALUE(1, A) = (A)(VALUE(0, uint8_t) != 0); }
CASTS(FROM)

#define SIZES(X) X(1, uint8_t) X(2, uint16_t) X(4, uint32_t) X(8, uint64_t)
#define MOVES(size, T)                                                                          \
    LOOP(where_##size) { EACH VALUE(3, T) = VALUE(0, uint8_t) ? VALUE(1, T) : VALUE(2, T); }    \
    LOOP(copy_##size) {                                                                         \
        if (steps[0] == size && steps[1] == size) memmove(args[1], args[0], (size_t)*count * size); \
        else EACH VALUE(1, T) = VALUE(0, T);                                                    \
    }
SIZES(MOVES)

static const struct {
    const char *name;
    NumPyLoop loop;
} helpers[] = {
#define NAMED(a, A)                                                                             \
    {#a " f4", cast_##a##_f4}, {#a " f8", cast_##a##_f8}, {#a " i4", cast_##a##_i4},            \
    {#a " i8", cast_##a##_i8}, {#a " u1", cast_##a##_u1}, {#a " i1", cast_##a##_i1},            \
    {#a " b1", cast_##a##_b1}, {"b1 " #a, cast_b1_##a},
    CASTS(NAMED)
#define MOVED(size, T) {"where " #size, where_##size}, {"copy " #size, copy_##size},
    SIZES(MOVED)
};

static PyMethodDef functions[] = {
    {"inner_loops", inner_loops, METH_O, "The loops of a ufunc of NumPy."},
    {"call_loop", call_loop, METH_VARARGS, "call_loop(loop, data, arrays)"},
    {"has_loop", has_loop, METH_VARARGS, "has_loop(operation, doubles)"},
    {0}};

int add_programs(PyObject *module, const Variant *chosen) {
    variant = chosen;
    PyObject *addresses = PyDict_New();
    if (!addresses || PyType_Ready(&program_type)) return 0;
    for (size_t k = 0; k < sizeof helpers / sizeof *helpers; k++) {
        PyObject *one = PyLong_FromSsize_t((Py_ssize_t)helpers[k].loop);
        if (!one || PyDict_SetItemString(addresses, helpers[k].name, one)) return 0;
        Py_DECREF(one);
    }
    return !PyModule_AddFunctions(module, functions) &&
           !PyModule_AddObject(module, "HELPERS", addresses) &&
           !PyModule_AddObject(module, "Program", Py_NewRef((PyObject *)&program_type));
}
