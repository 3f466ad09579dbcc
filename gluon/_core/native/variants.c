/* Chooses the variant for this processor. */
#include "variants.h"

#include <string.h>

extern const Variant gluon_avx512, gluon_avx2, gluon_sse2, gluon_neon, gluon_portable;

const Variant *choose_variant(const char *wanted) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    const Variant *found[] = {
#ifndef WITHOUT_AVX512 /* so setup.py says what it leaves out */
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
            ? &gluon_avx512
            : NULL,
#endif
#ifndef WITHOUT_AVX2
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &gluon_avx2 : NULL,
#endif
#ifndef WITHOUT_BASELINE
        &gluon_sse2,
#endif
    };
#elif defined(__aarch64__)
    const Variant *found[] = {&gluon_neon};
#else
    const Variant *found[] = {&gluon_portable};
#endif
    const Variant *best = NULL;
    for (size_t k = 0; k < sizeof found / sizeof *found; k++) {
        if (found[k] && wanted && !strcmp(found[k]->name, wanted)) return found[k];
        if (!best) best = found[k];
    }
    return best;
}
