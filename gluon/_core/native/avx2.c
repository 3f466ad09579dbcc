/* The kernels for processors with AVX2 and fused multiply-add. */
#if defined(__x86_64__)
#include "common.h"
#define VARIANT gluon_avx2
#define VARIANT_NAME "avx2"
#define VECTOR_BYTES 32
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#include "variant.h"
#pragma clang attribute pop
#else
#pragma GCC target("avx2,fma")
#include "variant.h"
#endif
#endif
