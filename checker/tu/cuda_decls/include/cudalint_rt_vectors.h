// SPDX-License-Identifier: MIT
// Vector types: float4, make_float4, dim3.
#pragma once
#pragma clang system_header

// clang-format off
#define CUDALINT_VECTOR(N, T, A2, A4)                                                            \
    struct N##1 { T x; };                                                                        \
    struct __attribute__((aligned(A2))) N##2 { T x, y; };                                        \
    struct N##3 { T x, y, z; };                                                                  \
    struct __attribute__((aligned(A4))) N##4 { T x, y, z, w; };                                  \
    CUDALINT_VECTOR_NAMES(N)                                                                     \
    static inline N##1 make_##N##1(T x) { N##1 v = {x}; return v; }                              \
    static inline N##2 make_##N##2(T x, T y) { N##2 v = {x, y}; return v; }                      \
    static inline N##3 make_##N##3(T x, T y, T z) { N##3 v = {x, y, z}; return v; }              \
    static inline N##4 make_##N##4(T x, T y, T z, T w) { N##4 v = {x, y, z, w}; return v; }
#ifdef __cplusplus
#define CUDALINT_VECTOR_NAMES(N)
#else
#define CUDALINT_VECTOR_NAMES(N) \
    typedef struct N##1 N##1; typedef struct N##2 N##2; typedef struct N##3 N##3; typedef struct N##4 N##4;
#endif
CUDALINT_VECTOR(char, signed char, 2, 4)
CUDALINT_VECTOR(uchar, unsigned char, 2, 4)
CUDALINT_VECTOR(short, short, 4, 8)
CUDALINT_VECTOR(ushort, unsigned short, 4, 8)
CUDALINT_VECTOR(int, int, 8, 16)
CUDALINT_VECTOR(uint, unsigned, 8, 16)
CUDALINT_VECTOR(long, long, 16, 16)
CUDALINT_VECTOR(ulong, unsigned long, 16, 16)
CUDALINT_VECTOR(longlong, long long, 16, 16)
CUDALINT_VECTOR(ulonglong, unsigned long long, 16, 16)
CUDALINT_VECTOR(float, float, 8, 16)
CUDALINT_VECTOR(double, double, 16, 16)
#define CUDALINT_VECTOR_ALIGNED(N, T, A)                                                         \
    struct __attribute__((aligned(A))) N { T x, y, z, w; };                                      \
    CUDALINT_VECTOR_NAME(N)                                                                      \
    static inline N make_##N(T x, T y, T z, T w) { N v = {x, y, z, w}; return v; }
#ifdef __cplusplus
#define CUDALINT_VECTOR_NAME(N)
#else
#define CUDALINT_VECTOR_NAME(N) typedef struct N N;
#endif
CUDALINT_VECTOR_ALIGNED(long4_16a, long, 16)
CUDALINT_VECTOR_ALIGNED(long4_32a, long, 32)
CUDALINT_VECTOR_ALIGNED(ulong4_16a, unsigned long, 16)
CUDALINT_VECTOR_ALIGNED(ulong4_32a, unsigned long, 32)
CUDALINT_VECTOR_ALIGNED(longlong4_16a, long long, 16)
CUDALINT_VECTOR_ALIGNED(longlong4_32a, long long, 32)
CUDALINT_VECTOR_ALIGNED(ulonglong4_16a, unsigned long long, 16)
CUDALINT_VECTOR_ALIGNED(ulonglong4_32a, unsigned long long, 32)
CUDALINT_VECTOR_ALIGNED(double4_16a, double, 16)
CUDALINT_VECTOR_ALIGNED(double4_32a, double, 32)
#undef CUDALINT_VECTOR_ALIGNED
#undef CUDALINT_VECTOR_NAME
#undef CUDALINT_VECTOR
#undef CUDALINT_VECTOR_NAMES
// clang-format on

#ifdef __cplusplus
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
};
#else
typedef struct dim3 {
    unsigned x, y, z;
} dim3;
#endif
