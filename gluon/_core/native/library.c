/* The Python side of the library: it reads the properties of arrays, chooses the code for this
 * processor, and calls kernels without the interpreter's lock.
 *
 * Two ways lead to a kernel:
 *
 * - `run(number, arrays, integers, reals)` calls one of the kernels in `variant.h`; the Python
 *   files of this folder check and prepare its arguments.
 * - `Elementwise(plain, operation, least)` is a callable that replaces a NumPy function, `plain`.
 *   It inspects its arguments in nanoseconds, because every small array passes here, and calls
 *   `plain` for small arrays and unsupported types or layouts.
 *
 * `Large(plain, stand_in, least, strided)` calls a Python function of this folder, `stand_in`, if
 * an array is large (and, with `strided`, not contiguous), and `plain` otherwise, with the same
 * small overhead.
 *
 * Building this needs no NumPy headers, so that one build serves all versions of NumPy. It reads
 * only the beginning of an array's structure, which has not changed since NumPy 1.0. `check`
 * compares that with the array's attributes; kernels run only if it succeeds.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "blas.h"
#include "program.h"
#include "threads.h"
#include "variants.h"

enum { CONTIGUOUS = 0x1, ALIGNED = 0x100, WRITEABLE = 0x400 };

static const Variant *variant;
static PyTypeObject *array_type;
static PyObject *empty;           /* numpy.empty */
static PyObject *dtypes[FLOAT16 + 1]; /* by enum type */
static int checked;

/* ------------------------------------------------------------------------------- arrays */

static enum type type_of(const NumPyArray *x) {
    for (int k = 1; k <= FLOAT16; k++)
        if (x->dtype == dtypes[k]) return k;
    for (int k = 1; k <= FLOAT16; k++) { /* a pickled array has its own dtype object */
        if (Py_TYPE(x->dtype) != Py_TYPE(dtypes[k])) continue;
        int same = PyObject_RichCompareBool(x->dtype, dtypes[k], Py_EQ);
        if (same > 0) return k;
        if (same < 0) PyErr_Clear();
    }
    return OTHER;
}

static int view(PyObject *object, Array *x) {
    if (Py_TYPE(object) != array_type) return 0;
    const NumPyArray *array = (NumPyArray *)object;
    *x = (Array){.data = array->data,
                 .shape = array->shape,
                 .strides = array->strides,
                 .axes = array->axes,
                 .type = type_of(array),
                 .contiguous = (array->flags & CONTIGUOUS) && (array->flags & ALIGNED),
                 .writeable = (array->flags & WRITEABLE) != 0};
    return array->axes <= MAX_AXES;
}

static PyObject *new_array(int axes, const intptr_t *shape, enum type type) {
    PyObject *lengths = PyTuple_New(axes);
    if (!lengths) return NULL;
    for (int k = 0; k < axes; k++) {
        PyObject *length = PyLong_FromSsize_t(shape[k]);
        if (!length) return Py_DECREF(lengths), NULL;
        PyTuple_SET_ITEM(lengths, k, length);
    }
    PyObject *arguments[] = {lengths, dtypes[type]};
    PyObject *made = PyObject_Vectorcall(empty, arguments, 2, NULL);
    Py_DECREF(lengths);
    return made;
}

/* ---------------------------------------------------------------------------------- run */

static int fill(Call *call, PyObject *arrays, PyObject *integers, PyObject *reals) {
    call->arrays = (int)PyTuple_GET_SIZE(arrays);
    call->integers = (int)PyTuple_GET_SIZE(integers);
    call->reals = (int)PyTuple_GET_SIZE(reals);
    if (call->arrays > MAX_ARRAYS || call->integers > MAX_NUMBERS || call->reals > MAX_NUMBERS)
        return PyErr_SetString(PyExc_ValueError, "run: too many arguments"), 0;
    for (int k = 0; k < call->arrays; k++) {
        PyObject *one = PyTuple_GET_ITEM(arrays, k);
        if (one == Py_None) call->array[k] = (Array){0};
        else if (!view(one, &call->array[k]))
            return PyErr_SetString(PyExc_TypeError, "run: takes arrays of NumPy"), 0;
    }
    for (int k = 0; k < call->integers; k++)
        call->integer[k] = PyLong_AsLongLong(PyTuple_GET_ITEM(integers, k));
    for (int k = 0; k < call->reals; k++)
        call->real[k] = PyFloat_AsDouble(PyTuple_GET_ITEM(reals, k));
    return !PyErr_Occurred();
}

static PyObject *run(PyObject *self, PyObject *const *given, Py_ssize_t count) {
    if (count != 4 || !PyTuple_Check(given[1]) || !PyTuple_Check(given[2]) ||
        !PyTuple_Check(given[3]) || !checked)
        return PyErr_SetString(PyExc_TypeError, "run(number, arrays, integers, reals)"), NULL;
    long number = PyLong_AsLong(given[0]);
    if (number < 0 || number >= variant->kernels)
        return PyErr_SetString(PyExc_IndexError, "run: no kernel of this number"), NULL;
    Call call;
    if (!fill(&call, given[1], given[2], given[3])) return NULL;
    enum type type = call.arrays ? call.array[0].type : OTHER;
    Kernel kernel = type == FLOAT64 ? variant->kernel[number].of_doubles
                                    : variant->kernel[number].of_floats;
    if (!kernel) Py_RETURN_FALSE;
    enum outcome outcome;
    Py_BEGIN_ALLOW_THREADS
    outcome = kernel(&call);
    Py_END_ALLOW_THREADS
    if (outcome == NO_MEMORY) return PyErr_NoMemory();
    return PyBool_FromLong(outcome == DONE);
}

/* -------------------------------------------------------------------------------- step */

enum name { RAW, GROUP, NODE, WRITES, NAMES };
static PyObject *names[NAMES]; /* of attributes of handles and nodes */

/* Whether the buffer `raw`, just read off a handle, can be written to: nobody else holds it. */
static int is_alone(PyObject *handle, PyObject *raw) {
    const NumPyArray *x = (NumPyArray *)raw;
    if (x->base || !(x->flags & WRITEABLE) || Py_REFCNT(raw) != 2) return 0;
    PyObject *group = PyObject_GetAttr(handle, names[GROUP]);
    if (!group) return PyErr_Clear(), 0;
    Py_DECREF(group);
    return group == Py_None;
}

static int alike(PyObject *first, PyObject *other) {
    const NumPyArray *x = (NumPyArray *)first, *z = (NumPyArray *)other;
    for (int k = 0; x->axes == z->axes && k < x->axes; k++)
        if (x->shape[k] != z->shape[k]) return 0;
    return x->axes == z->axes;
}

/* Count a write in the node of a handle, if that is a `variable`; 0 if that raised. */
static int count_write(PyObject *handle, PyObject *variable) {
    PyObject *node = PyObject_GetAttr(handle, names[NODE]);
    if (!node) return 0;
    int good = 1;
    if ((PyObject *)Py_TYPE(node) == variable) {
        PyObject *writes = PyObject_GetAttr(node, names[WRITES]);
        PyObject *more = writes ? PyLong_FromLongLong(PyLong_AsLongLong(writes) + 1) : NULL;
        good = more && !PyErr_Occurred() && !PyObject_SetAttr(node, names[WRITES], more);
        Py_XDECREF(writes);
        Py_XDECREF(more);
    }
    Py_DECREF(node);
    return good;
}

/* step(number, handles, written, reals, variable): run a kernel over the buffers of the handles of
 * several weights, all of one shape for each; `written` has a byte for each array of one weight.
 * False, with nothing changed, unless all buffers are arrays that fit, and those to be written
 * belong to their handles alone. */
static PyObject *step(PyObject *self, PyObject *const *given, Py_ssize_t count) {
    if (count != 5 || !PyTuple_Check(given[1]) || !PyBytes_Check(given[2]))
        return PyErr_SetString(PyExc_TypeError, "step(number, handles, written, reals, variable)"),
               NULL;
    const char *written = PyBytes_AS_STRING(given[2]);
    Py_ssize_t n = PyTuple_GET_SIZE(given[1]), each = PyBytes_GET_SIZE(given[2]);
    if (!each || n % each) return PyErr_SetString(PyExc_ValueError, "step: written"), NULL;
    PyObject *buffers = PyTuple_New(n), *integers = PyTuple_New(0), *done = NULL;
    int fits = buffers && integers;
    for (Py_ssize_t k = 0; fits && k < n; k++) {
        PyObject *handle = PyTuple_GET_ITEM(given[1], k);
        PyObject *raw = PyObject_GetAttr(handle, names[RAW]);
        if (!raw) goto end;
        PyTuple_SET_ITEM(buffers, k, raw);
        fits = Py_TYPE(raw) == array_type &&
               alike(PyTuple_GET_ITEM(buffers, k - k % each), raw) &&
               (!written[k % each] || is_alone(handle, raw));
    }
    if (!fits) {
        done = PyErr_Occurred() ? NULL : Py_NewRef(Py_False);
        goto end;
    }
    done = run(self, (PyObject *[]){given[0], buffers, integers, given[3]}, 4);
    for (Py_ssize_t k = 0; done == Py_True && k < n; k++)
        if (written[k % each] && !count_write(PyTuple_GET_ITEM(given[1], k), given[4]))
            Py_CLEAR(done);
end:
    Py_XDECREF(buffers);
    Py_XDECREF(integers);
    return done;
}

/* -------------------------------------------------------------------------- Elementwise */

typedef struct {
    PyObject_HEAD
    vectorcallfunc call;
    PyObject *plain;
    int operation, inputs;
    Py_ssize_t least; /* smaller arrays are left to `plain` */
} Elementwise;

/* Convert a number input, stored in `room`, to the type of the other array. */
static int view_number(PyObject *object, enum type type, double *room, Array *x) {
    double value;
    if (Py_TYPE(object) == array_type) {
        const NumPyArray *array = (NumPyArray *)object;
        if (array->axes || type_of(array) != type) return 0;
        return view(object, x);
    }
    if (PyFloat_CheckExact(object)) value = PyFloat_AS_DOUBLE(object);
    else return 0;
    if (type == FLOAT32) *(float *)room = (float)value;
    else *room = value;
    *x = (Array){.data = (char *)room, .type = type, .contiguous = 1};
    return 1;
}

static int large(PyObject *object, Py_ssize_t least) {
    if (Py_TYPE(object) != array_type) return 0;
    const NumPyArray *x = (NumPyArray *)object;
    if (x->axes > MAX_AXES || (x->dtype != dtypes[FLOAT32] && x->dtype != dtypes[FLOAT64]))
        return 0;
    Py_ssize_t n = 1;
    for (int k = 0; k < x->axes; k++) n *= x->shape[k];
    return n >= least;
}

/* Whether two arrays have the same number of axes and different last lengths: the result of two
 * small arrays may be large. */
static int spreads(PyObject *const *given, Py_ssize_t least) {
    if (Py_TYPE(given[0]) != array_type || Py_TYPE(given[1]) != array_type) return 0;
    const NumPyArray *x = (NumPyArray *)given[0], *z = (NumPyArray *)given[1];
    int last = x->axes - 1;
    if (last < 1 || x->axes != z->axes || x->shape[last] == z->shape[last]) return 0;
    Py_ssize_t n = 1;
    for (int k = 0; k <= last; k++) n *= x->shape[k] == 1 ? z->shape[k] : x->shape[k];
    return n >= least && large(given[0], 0) && large(given[1], 0);
}

/* The views of the inputs; 0 if they are unsupported. */
static int fits(const Elementwise *self, PyObject *const *given, Array *x, double *room) {
    if (self->inputs == 1) return large(given[0], self->least) && view(given[0], x);
    int first = large(given[0], self->least);
    if (!first && !large(given[1], self->least) && !spreads(given, self->least)) return 0;
    int array = first ? 0 : 1, other = 1 - array;
    if (!view(given[array], &x[array])) return 0;
    if (view_number(given[other], x[array].type, room, &x[other])) return 1;
    return Py_TYPE(given[other]) == array_type && view(given[other], &x[other]) &&
           x[0].type == x[1].type;
}

/* One of two arrays of equal size is C-contiguous: the other one is copied to that order as
 * `copied`, so that both are walked in the same way. */
static int align(PyObject **copied, Array *x) {
    int other = x[0].contiguous ? 1 : 0;
    Call call = {.arrays = 2, .array = {x[other]}};
    if (x[0].contiguous == x[1].contiguous || size_of(x) != size_of(x + 1)) return 0;
    *copied = new_array(x[other].axes, x[other].shape, x[other].type);
    if (!*copied || !view(*copied, &call.array[1])) return 0;
    enum outcome outcome;
    Py_BEGIN_ALLOW_THREADS
    outcome = layout_arrays(&call);
    Py_END_ALLOW_THREADS
    x[other] = call.array[1];
    return outcome == DONE;
}

static PyObject *call_elementwise(PyObject *object, PyObject *const *given, size_t flags,
                                  PyObject *names) {
    const Elementwise *self = (Elementwise *)object;
    Array x[3];
    double room;
    intptr_t shape[MAX_AXES];
    if (names || PyVectorcall_NARGS(flags) != self->inputs || !fits(self, given, x, &room))
        return PyObject_Vectorcall(self->plain, given, flags, names);
    const Operation *operation = &variant->operation[self->operation];
    Loops loops;
    if (self->inputs == 1) x[1] = x[0];
    Loop loop = x[0].type == FLOAT64 ? operation->of_doubles : operation->of_floats;
    if (!loop) return PyObject_Vectorcall(self->plain, given, flags, names);
    PyObject *copied = NULL;
    int axes = plan(&loops, x, shape);
    if (axes < 0 && align(&copied, x)) axes = plan(&loops, x, shape);
    enum type type = operation->gives == OTHER ? x[0].type : operation->gives;
    PyObject *made = NULL;
    if (axes < 0) {
        PyErr_Clear(); /* no memory for a copy */
        made = PyObject_Vectorcall(self->plain, given, flags, names);
    } else if ((made = new_array(axes, shape, type)) && view(made, &x[2])) {
        Py_BEGIN_ALLOW_THREADS
        run_loops(&loops, loop, x);
        Py_END_ALLOW_THREADS
    }
    Py_XDECREF(copied);
    return made;
}

static PyObject *make_elementwise(PyTypeObject *type, PyObject *arguments, PyObject *named) {
    static char *names[] = {"plain", "operation", "least", NULL};
    PyObject *plain;
    const char *operation;
    Py_ssize_t least;
    if (!PyArg_ParseTupleAndKeywords(arguments, named, "Osn", names, &plain, &operation, &least))
        return NULL;
    for (int k = 0; k < variant->operations; k++)
        if (!strcmp(variant->operation[k].name, operation)) {
            Elementwise *self = (Elementwise *)type->tp_alloc(type, 0);
            if (!self) return NULL;
            self->call = call_elementwise;
            self->plain = Py_NewRef(plain);
            self->operation = k;
            self->inputs = variant->operation[k].inputs;
            self->least = least;
            return (PyObject *)self;
        }
    return PyErr_Format(PyExc_ValueError, "Elementwise: no operation %s", operation);
}

static int visit_elementwise(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(((Elementwise *)self)->plain);
    return 0;
}

static int clear_elementwise(PyObject *self) {
    Py_CLEAR(((Elementwise *)self)->plain);
    return 0;
}

static void free_elementwise(PyObject *self) {
    PyObject_GC_UnTrack(self);
    clear_elementwise(self);
    Py_TYPE(self)->tp_free(self);
}

static PyMemberDef members[] = {
    {"plain", T_OBJECT_EX, offsetof(Elementwise, plain), READONLY, "the function of NumPy"},
    {0}};

static PyTypeObject elementwise_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "gluon._core.native._library.Elementwise",
    .tp_doc = "A function of NumPy whose large arrays are computed here.",
    .tp_basicsize = sizeof(Elementwise),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_vectorcall_offset = offsetof(Elementwise, call),
    .tp_call = PyVectorcall_Call,
    .tp_new = make_elementwise,
    .tp_traverse = visit_elementwise,
    .tp_clear = clear_elementwise,
    .tp_dealloc = free_elementwise,
    .tp_members = members,
};

/* -------------------------------------------------------------------------------- Large */

typedef struct {
    PyObject_HEAD
    vectorcallfunc call;
    PyObject *plain, *stand_in;
    Py_ssize_t least;
    int strided;
} Large;

/* Whether an argument is an array of many values, or may hold one. */
static int any_large(const Large *self, PyObject *const *given, Py_ssize_t count) {
    for (Py_ssize_t k = 0; k < count; k++) {
        if (PyList_CheckExact(given[k]) || PyTuple_CheckExact(given[k])) return 1;
        if (Py_TYPE(given[k]) != array_type) continue;
        const NumPyArray *x = (NumPyArray *)given[k];
        Py_ssize_t n = 1;
        if (self->strided && (x->flags & CONTIGUOUS)) continue;
        for (int axis = 0; axis < x->axes; axis++) n *= x->shape[axis];
        if (n >= self->least) return 1;
    }
    return 0;
}

static PyObject *call_large(PyObject *object, PyObject *const *given, size_t flags,
                            PyObject *names) {
    const Large *self = (Large *)object;
    Py_ssize_t count = PyVectorcall_NARGS(flags);
    int large = any_large(self, given, count);
    return PyObject_Vectorcall(large ? self->stand_in : self->plain, given, flags, names);
}

static PyObject *make_large(PyTypeObject *type, PyObject *arguments, PyObject *named) {
    static char *names[] = {"plain", "stand_in", "least", "strided", NULL};
    PyObject *plain, *stand_in;
    Py_ssize_t least;
    int strided = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, named, "OOn|p", names, &plain, &stand_in, &least,
                                     &strided))
        return NULL;
    Large *self = (Large *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    self->call = call_large;
    self->plain = Py_NewRef(plain);
    self->stand_in = Py_NewRef(stand_in);
    self->least = least;
    self->strided = strided;
    return (PyObject *)self;
}

static int visit_large(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(((Large *)self)->plain);
    Py_VISIT(((Large *)self)->stand_in);
    return 0;
}

static int clear_large(PyObject *self) {
    Py_CLEAR(((Large *)self)->plain);
    Py_CLEAR(((Large *)self)->stand_in);
    return 0;
}

static void free_large(PyObject *self) {
    PyObject_GC_UnTrack(self);
    clear_large(self);
    Py_TYPE(self)->tp_free(self);
}

static PyMemberDef large_members[] = {
    {"plain", T_OBJECT_EX, offsetof(Large, plain), READONLY, "what computes small arrays"},
    {"stand_in", T_OBJECT_EX, offsetof(Large, stand_in), READONLY, "what computes large ones"},
    {0}};

static PyTypeObject large_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "gluon._core.native._library.Large",
    .tp_doc = "A function that another one stands in for where arrays are large.",
    .tp_basicsize = sizeof(Large),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_vectorcall_offset = offsetof(Large, call),
    .tp_call = PyVectorcall_Call,
    .tp_new = make_large,
    .tp_traverse = visit_large,
    .tp_clear = clear_large,
    .tp_dealloc = free_large,
    .tp_members = large_members,
};

/* ------------------------------------------------------------------------------- Choose */

typedef struct {
    PyObject_HEAD
    vectorcallfunc call;
    PyObject *plain, *other, *kind;
} Choose;

/* Whether an argument is of the type, or a list or tuple that holds one which is. */
static int any_of(const PyObject *kind, PyObject *const *given, Py_ssize_t count) {
    for (Py_ssize_t k = 0; k < count; k++) {
        PyObject *x = given[k];
        if ((PyObject *)Py_TYPE(x) == kind) return 1;
        if (PyTuple_CheckExact(x)) {
            for (Py_ssize_t n = 0; n < PyTuple_GET_SIZE(x); n++)
                if ((PyObject *)Py_TYPE(PyTuple_GET_ITEM(x, n)) == kind) return 1;
        } else if (PyList_CheckExact(x)) {
            for (Py_ssize_t n = 0; n < PyList_GET_SIZE(x); n++)
                if ((PyObject *)Py_TYPE(PyList_GET_ITEM(x, n)) == kind) return 1;
        }
    }
    return 0;
}

static PyObject *call_choose(PyObject *object, PyObject *const *given, size_t flags,
                             PyObject *names) {
    const Choose *self = (Choose *)object;
    int other = any_of(self->kind, given, PyVectorcall_NARGS(flags));
    return PyObject_Vectorcall(other ? self->other : self->plain, given, flags, names);
}

static PyObject *make_choose(PyTypeObject *type, PyObject *arguments, PyObject *named) {
    static char *names[] = {"plain", "other", "kind", NULL};
    PyObject *plain, *other, *kind;
    if (!PyArg_ParseTupleAndKeywords(arguments, named, "OOO!", names, &plain, &other, &PyType_Type,
                                     &kind))
        return NULL;
    Choose *self = (Choose *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    self->call = call_choose;
    self->plain = Py_NewRef(plain);
    self->other = Py_NewRef(other);
    self->kind = Py_NewRef(kind);
    return (PyObject *)self;
}

static int visit_choose(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(((Choose *)self)->plain);
    Py_VISIT(((Choose *)self)->other);
    Py_VISIT(((Choose *)self)->kind);
    return 0;
}

static int clear_choose(PyObject *self) {
    Py_CLEAR(((Choose *)self)->plain);
    Py_CLEAR(((Choose *)self)->other);
    Py_CLEAR(((Choose *)self)->kind);
    return 0;
}

static void free_choose(PyObject *self) {
    PyObject_GC_UnTrack(self);
    clear_choose(self);
    Py_TYPE(self)->tp_free(self);
}

static PyMemberDef choose_members[] = {
    {"plain", T_OBJECT_EX, offsetof(Choose, plain), READONLY, "what computes other arguments"},
    {"other", T_OBJECT_EX, offsetof(Choose, other), READONLY, "what computes those of the type"},
    {0}};

static PyTypeObject choose_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "gluon._core.native._library.Choose",
    .tp_doc = "A function that another one stands in for where an argument has a type.",
    .tp_basicsize = sizeof(Choose),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_vectorcall_offset = offsetof(Choose, call),
    .tp_call = PyVectorcall_Call,
    .tp_new = make_choose,
    .tp_traverse = visit_choose,
    .tp_clear = clear_choose,
    .tp_dealloc = free_choose,
    .tp_members = choose_members,
};

/* ------------------------------------------------------------------------------- module */

/* check(array, address, shape, strides, type, contiguous, writeable): whether the properties read
 * from an array equal its attributes. */
static PyObject *check(PyObject *self, PyObject *arguments) {
    PyObject *object, *shape, *strides;
    Py_ssize_t address;
    int type, contiguous, writeable;
    if (!PyArg_ParseTuple(arguments, "OnO!O!iii", &object, &address, &PyTuple_Type, &shape,
                          &PyTuple_Type, &strides, &type, &contiguous, &writeable))
        return NULL;
    Array x;
    int same = view(object, &x) && x.data == (char *)address && (int)x.type == type &&
               x.contiguous == contiguous && x.writeable == writeable &&
               x.axes == PyTuple_GET_SIZE(shape) && x.axes == PyTuple_GET_SIZE(strides);
    for (int k = 0; same && k < x.axes; k++)
        same = x.shape[k] == PyLong_AsSsize_t(PyTuple_GET_ITEM(shape, k)) &&
               x.strides[k] == PyLong_AsSsize_t(PyTuple_GET_ITEM(strides, k));
    if (PyErr_Occurred()) return NULL;
    checked = same;
    return PyBool_FromLong(same);
}

/* begin(ndarray, empty, dtypes): the objects needed from NumPy; the dtypes in the order of enum
 * type. */
static PyObject *begin(PyObject *self, PyObject *arguments) {
    PyObject *type, *function, *list;
    if (!PyArg_ParseTuple(arguments, "OOO!", &type, &function, &PyTuple_Type, &list)) return NULL;
    if (!PyType_Check(type) || PyTuple_GET_SIZE(list) != FLOAT16)
        return PyErr_SetString(PyExc_TypeError, "begin(ndarray, empty, dtypes)"), NULL;
    array_type = (PyTypeObject *)Py_NewRef(type);
    set_array_type(array_type);
    empty = Py_NewRef(function);
    for (int k = 0; k < FLOAT16; k++) dtypes[k + 1] = Py_NewRef(PyTuple_GET_ITEM(list, k));
    Py_RETURN_NONE;
}

static PyObject *use_threads(PyObject *self, PyObject *count) {
    long n = PyLong_AsLong(count);
    if (n == -1 && PyErr_Occurred()) return NULL;
    set_threads((int)least(n, 1 << 10));
    Py_RETURN_NONE;
}

/* set_products(of_floats, of_doubles, count_threads, set_threads, wide): see blas.h; all but the
 * last are addresses. */
static PyObject *use_products(PyObject *self, PyObject *arguments) {
    Py_ssize_t x[4];
    int wide;
    if (!PyArg_ParseTuple(arguments, "nnnnp", &x[0], &x[1], &x[2], &x[3], &wide)) return NULL;
    return PyBool_FromLong(set_products((Products){
        (void *)x[0], (void *)x[1], (int (*)(void))x[2], (void (*)(int))x[3], wide}));
}

/* Keep freed memory for the next step, which needs the same amount: allocating and zeroing system
 * memory takes longer than most kernels. */
static PyObject *keep_memory(PyObject *self, PyObject *none) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    Py_RETURN_TRUE;
#else
    Py_RETURN_FALSE;
#endif
}

static PyMethodDef functions[] = {
    {"run", (PyCFunction)(void (*)(void))run, METH_FASTCALL, "run(number, arrays, integers, reals)"},
    {"step", (PyCFunction)(void (*)(void))step, METH_FASTCALL,
     "step(number, handles, written, reals, variable)"},
    {"check", check, METH_VARARGS, "Compare an array with what is read of it."},
    {"begin", begin, METH_VARARGS, "begin(ndarray, empty, dtypes)"},
    {"set_threads", use_threads, METH_O, "Use so many threads, the caller's included."},
    {"set_products", use_products, METH_VARARGS, "Multiply matrices by functions of OpenBLAS."},
    {"keep_memory", keep_memory, METH_NOARGS, "Keep freed memory."},
    {0}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_library", "Compiled kernels.", -1, functions};

PyMODINIT_FUNC PyInit__library(void) {
    variant = choose_variant(getenv("GLUON_NATIVE"));
    if (!variant) return PyErr_SetString(PyExc_ImportError, "no code for this processor"), NULL;
    static const char *const texts[NAMES] = {"raw", "_group", "_node", "writes"};
    for (int k = 0; k < NAMES; k++)
        if (!(names[k] = PyUnicode_InternFromString(texts[k]))) return NULL;
    PyObject *made = PyModule_Create(&module);
    if (!made || PyType_Ready(&elementwise_type) || PyType_Ready(&large_type) ||
        PyType_Ready(&choose_type))
        return NULL;
    PyModule_AddObject(made, "Elementwise", Py_NewRef((PyObject *)&elementwise_type));
    PyModule_AddObject(made, "Large", Py_NewRef((PyObject *)&large_type));
    PyModule_AddObject(made, "Choose", Py_NewRef((PyObject *)&choose_type));
    PyModule_AddStringConstant(made, "instructions", variant->name);
    PyObject *kernels = PyTuple_New(variant->kernels), *loops = PyTuple_New(variant->operations);
    if (!kernels || !loops) return NULL;
    for (int k = 0; k < variant->kernels; k++)
        PyTuple_SET_ITEM(kernels, k, PyUnicode_FromString(variant->kernel[k].name));
    for (int k = 0; k < variant->operations; k++)
        PyTuple_SET_ITEM(loops, k, PyUnicode_FromString(variant->operation[k].name));
    PyModule_AddObject(made, "KERNELS", kernels);
    PyModule_AddObject(made, "OPERATIONS", loops);
    if (!add_programs(made, variant)) return NULL;
    if (!prepare_threads()) return PyErr_NoMemory();
    return made;
}
