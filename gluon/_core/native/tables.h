/* The tables of all kernels and operations for one kind of processor; elementwise.c ends with them.
 *
 * KERNEL is for both types, KERNEL32 only for floats, and KERNEL_OF_ALL, compiled once, checks types
 * itself.
 */
#define KERNEL(name) enum outcome OF_FLOATS(name)(const Call *), OF_DOUBLES(name)(const Call *);
#define KERNEL32(name) enum outcome OF_FLOATS(name)(const Call *);
#define KERNEL_OF_ALL(name)
#include "kernels.h"
#undef KERNEL
#undef KERNEL32
#undef KERNEL_OF_ALL

static const NamedKernel kernels[] = {
#define KERNEL(name) {#name, OF_FLOATS(name), OF_DOUBLES(name)},
#define KERNEL32(name) {#name, OF_FLOATS(name), NULL},
#define KERNEL_OF_ALL(name) {#name, name##_arrays, name##_arrays},
#include "kernels.h"
#undef KERNEL
#undef KERNEL32
#undef KERNEL_OF_ALL
    {"", NULL, NULL}};

#define FLOATS_ALONE(name, inputs) {#name, inputs, OTHER, OF_FLOATS(name##_loop), NULL},
#define BOTH(name, inputs, gives) \
    {#name, inputs, gives, OF_FLOATS(name##_loop), OF_DOUBLES(name##_loop)},
static const Operation operations[] = {
#define UNARY(name, expression) BOTH(name, 1, OTHER)
#define UNARY32(name, expression) FLOATS_ALONE(name, 1)
#define BINARY(name, expression) BOTH(name, 2, OTHER)
#define BINARY32(name, expression) FLOATS_ALONE(name, 2)
#define WHERE_NAN32(name, expression, slow) FLOATS_ALONE(name, 2)
#define COMPARE(name, expression) BOTH(name, 2, BOOL)
#include "operations.h"
    {"", 0, OTHER, NULL, NULL}};

const Variant VARIANT = {VARIANT_NAME, kernels, sizeof kernels / sizeof *kernels - 1, operations,
                         sizeof operations / sizeof *operations - 1};
