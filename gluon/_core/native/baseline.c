/* The kernels for any other processor: SSE2 on x86, NEON on ARM. */
#include "common.h"
#if defined(__x86_64__)
#define VARIANT gluon_sse2
#define VARIANT_NAME "sse2"
#elif defined(__aarch64__)
#define VARIANT gluon_neon
#define VARIANT_NAME "neon"
#else
#define VARIANT gluon_portable
#define VARIANT_NAME "portable"
#endif
#define VECTOR_BYTES 16
#include "variant.h"
