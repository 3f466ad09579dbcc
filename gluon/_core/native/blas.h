/* The OpenBLAS that NumPy computes with: its threads, and its products of matrices. */
#ifndef GLUON_BLAS_H
#define GLUON_BLAS_H

#include "array.h"

/* Compute what OpenBLAS shares out with the pool of threads from now on; see blas.c. `set` is its
 * function openblas_set_threads_callback_function, `slots` the most threads it was built for, and
 * `own` how many of these are, or may become, its own. Returns 0 if that leaves too few. */
int share_threads(void *set, int slots, int own);

/* Its functions for products and for the number of its threads, and whether the integers of
 * products have 64 bits. */
typedef struct {
    void *of_floats, *of_doubles; /* cblas_sgemm, cblas_dgemm */
    int (*count_threads)(void);
    void (*set_threads)(int);
    int wide;
} Products;
void set_products(Products found);
int can_multiply(void);

/* A matrix by rows, which begin `step` values apart, or by columns (`turned`). */
typedef struct {
    const char *data;
    int64_t step;
    int turned;
} Matrix;

/* Between these, OpenBLAS computes each product with one thread, so that tasks of the pool may
 * call it. */
void begin_products(void);
void end_products(void);

/* Compute the contiguous matrix y (m, n) = a (m, k) b (k, n), of floats or doubles. */
void multiply(enum type type, int64_t m, int64_t n, int64_t k, const Matrix *a, const Matrix *b,
              char *y);

#endif
