/* Copies of few or many bytes, and fills with one value. */
#ifndef GLUON_BYTES_H
#define GLUON_BYTES_H

#include <string.h>

#include "array.h"

/* 4 or 8, or 0 for types that are not supported here. */
static inline int size_in_bytes(enum type type) {
    return type == FLOAT32 || type == INT32 ? 4 : type == FLOAT64 || type == INT64 ? 8 : 0;
}

/* n bytes, a multiple of four. Calling memcpy would take longer than copying a few bytes; the last
 * CHUNK of them may be copied twice. */
enum { FEW = 256, CHUNK = 16 };
static inline void copy_bytes(const char *restrict x, char *restrict y, int64_t n) {
    if (n > FEW) memcpy(y, x, (size_t)n);
    else if (n >= CHUNK) {
        for (int64_t i = 0; i < n - CHUNK; i += CHUNK) memcpy(y + i, x + i, CHUNK);
        memcpy(y + n - CHUNK, x + n - CHUNK, CHUNK);
    } else
        for (int64_t i = 0; i < n; i += 4) memcpy(y + i, x + i, 4);
}

/* n times a value of 4 or 8 bytes. The processor's instruction for that uses the widest stores
 * available, but its start takes as long as LONG bytes. */
enum { LONG = 512 };
static inline void fill_run(const char *x, char *y, int64_t size, int64_t n) {
#ifdef __x86_64__
    void *to = y;
    if (n * size >= LONG && size == 4)
        __asm__ volatile("rep stosl" : "+D"(to), "+c"(n) : "a"(*(const uint32_t *)x) : "memory");
    else if (n * size >= LONG)
        __asm__ volatile("rep stosq" : "+D"(to), "+c"(n) : "a"(*(const uint64_t *)x) : "memory");
    else
#endif
    if (size == 4) {
        const uint32_t value = *(const uint32_t *)x;
        for (int64_t i = 0; i < n; i++) ((uint32_t *)y)[i] = value;
    } else {
        const uint64_t value = *(const uint64_t *)x;
        for (int64_t i = 0; i < n; i++) ((uint64_t *)y)[i] = value;
    }
}

#endif
