/* The kernels for processors with AVX-512. */
#if defined(__x86_64__)
#include "common.h"
#define VARIANT gluon_avx512
#define VARIANT_NAME "avx512"
#define VECTOR_BYTES 64
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))), apply_to = function)
#include "variant.h"
#pragma clang attribute pop
#else
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,prefer-vector-width=512")
#include "variant.h"
#endif
#endif
