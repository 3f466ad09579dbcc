/* The products of matrices of the OpenBLAS that NumPy computes with; see blas.c. */
#ifndef GLUON_BLAS_H
#define GLUON_BLAS_H

#include "array.h"

/* Its functions for products and for the number of its threads, and whether the integers of
 * products have 64 bits. */
typedef struct {
    void *of_floats, *of_doubles; /* cblas_sgemm, cblas_dgemm */
    int (*count_threads)(void);
    void (*set_threads)(int);
    int wide;
} Products;
int set_products(Products found); /* 0 if the system lacks what it needs */
int can_multiply(void);

/* A matrix by rows, which begin `step` values apart, or by columns (`turned`). */
typedef struct {
    const char *data;
    int64_t step;
    int turned;
} Matrix;

/* Between these, OpenBLAS computes each product with one thread, so that tasks of the pool may
 * call it. Returns how many threads it was told to use. */
int begin_products(void);
void end_products(void);

/* Compute y (m, n) = a (m, k) b (k, n), of floats or doubles. y lies by rows, which begin `step`
 * values apart. */
void multiply(enum type type, int64_t m, int64_t n, int64_t k, const Matrix *a, const Matrix *b,
              char *y, int64_t step);

#endif
