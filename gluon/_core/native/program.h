/* Programs: steps as flat lists of instructions; see program.c. */
#ifndef GLUON_PROGRAM_H
#define GLUON_PROGRAM_H

#include <Python.h>

#include "variants.h"

/* The beginning of an array of NumPy, which has not changed since NumPy 1.0. */
typedef struct {
    PyObject_HEAD
    char *data;
    int axes;
    intptr_t *shape, *strides;
    PyObject *base, *dtype;
    int flags;
} NumPyArray;

/* Add the type Program and its functions to the module; 0 if that failed. */
int add_programs(PyObject *module, const Variant *variant);
/* Arrays are of this type. */
void set_array_type(PyTypeObject *type);

#endif
