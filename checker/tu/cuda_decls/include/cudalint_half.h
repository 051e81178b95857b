// SPDX-License-Identifier: MIT
// 16-bit floating point: the class, its pair and its arithmetic, once for half and for bfloat16. Values do not matter here, so
// anything that converts to float makes one.
#pragma once
#pragma clang system_header
#ifdef __cplusplus
#define CUDALINT_HALF_TYPES(H, H2)                                                                         \
    struct H##_raw { unsigned short x; };                                                                  \
    struct H2##_raw { unsigned short x, y; };                                                              \
    struct alignas(2) H {                                                                                  \
        unsigned short __x;                                                                                \
        H() = default;                                                                                     \
        template <class U, class = decltype((float)U())> H(U);                                             \
        H(const H##_raw &);                                                                                \
        operator H##_raw() const;                                                                          \
        operator float() const;                                                                            \
        H &operator=(float);                                                                               \
        H &operator=(double);                                                                              \
        H &operator=(int);                                                                                 \
        H &operator+=(H);                                                                                  \
        H &operator-=(H);                                                                                  \
        H &operator*=(H);                                                                                  \
        H &operator/=(H);                                                                                  \
        H operator-() const;                                                                               \
        H &operator++();                                                                                   \
    };                                                                                                     \
    struct alignas(4) H2 {                                                                                 \
        H x, y;                                                                                            \
        H2() = default;                                                                                    \
        H2(H, H);                                                                                          \
        H2(const H2##_raw &);                                                                              \
        operator H2##_raw() const;                                                                         \
        H2 &operator+=(H2);                                                                                \
        H2 &operator-=(H2);                                                                                \
        H2 &operator*=(H2);                                                                                \
    };
#define CUDALINT_HALF_OPERATOR(H, H2, op) H operator op(H, H); H2 operator op(H2, H2);
#define CUDALINT_HALF_COMPARISON(H, op) bool operator op(H, H);
#define CUDALINT_HALF_BINARY(H, H2, name) H __h##name(H, H); H2 __h##name##2(H2, H2);
#define CUDALINT_HALF_UNARY(H, H2, name) H h##name(H); H2 h2##name(H2);
#define CUDALINT_HALF_TEST(H, H2, name)                                                                    \
    bool __h##name(H, H); H2 __h##name##2(H2, H2); bool __hb##name##2(H2, H2); unsigned __h##name##2_mask(H2, H2);
#define CUDALINT_HALF_FUNCTIONS(H, H2)                                                                     \
    CUDALINT_HALF_OPERATOR(H, H2, +) CUDALINT_HALF_OPERATOR(H, H2, -) CUDALINT_HALF_OPERATOR(H, H2, *)     \
    CUDALINT_HALF_OPERATOR(H, H2, /) H2 operator-(H2);                                                     \
    CUDALINT_HALF_COMPARISON(H, <) CUDALINT_HALF_COMPARISON(H, >) CUDALINT_HALF_COMPARISON(H, <=)          \
    CUDALINT_HALF_COMPARISON(H, >=) CUDALINT_HALF_COMPARISON(H, ==) CUDALINT_HALF_COMPARISON(H, !=)        \
    CUDALINT_HALF_BINARY(H, H2, add) CUDALINT_HALF_BINARY(H, H2, sub) CUDALINT_HALF_BINARY(H, H2, mul)     \
    CUDALINT_HALF_BINARY(H, H2, div) CUDALINT_HALF_BINARY(H, H2, max) CUDALINT_HALF_BINARY(H, H2, min)     \
    CUDALINT_HALF_BINARY(H, H2, max_nan) CUDALINT_HALF_BINARY(H, H2, min_nan)                              \
    CUDALINT_HALF_BINARY(H, H2, add_sat) CUDALINT_HALF_BINARY(H, H2, sub_sat)                              \
    CUDALINT_HALF_BINARY(H, H2, mul_sat) CUDALINT_HALF_BINARY(H, H2, add_rn)                               \
    CUDALINT_HALF_BINARY(H, H2, sub_rn) CUDALINT_HALF_BINARY(H, H2, mul_rn)                                \
    H2 __hadd2_sat(H2, H2); H2 __hsub2_sat(H2, H2); H2 __hmul2_sat(H2, H2);                                \
    H __hfma(H, H, H); H2 __hfma2(H2, H2, H2); H __hfma_relu(H, H, H); H2 __hfma2_relu(H2, H2, H2);        \
    H __hfma_sat(H, H, H); H2 __hfma2_sat(H2, H2, H2);                                                     \
    H __hneg(H); H2 __hneg2(H2); H __habs(H); H2 __habs2(H2); H2 __h2div(H2, H2);                          \
    bool __hisnan(H); int __hisinf(H); H2 __hisnan2(H2); H2 __lowhigh2highlow(H2);                         \
    CUDALINT_HALF_UNARY(H, H2, rcp) CUDALINT_HALF_UNARY(H, H2, sqrt) CUDALINT_HALF_UNARY(H, H2, rsqrt)     \
    CUDALINT_HALF_UNARY(H, H2, exp) CUDALINT_HALF_UNARY(H, H2, exp2) CUDALINT_HALF_UNARY(H, H2, exp10)     \
    CUDALINT_HALF_UNARY(H, H2, log) CUDALINT_HALF_UNARY(H, H2, log2) CUDALINT_HALF_UNARY(H, H2, log10)     \
    CUDALINT_HALF_UNARY(H, H2, sin) CUDALINT_HALF_UNARY(H, H2, cos) CUDALINT_HALF_UNARY(H, H2, tanh)       \
    CUDALINT_HALF_UNARY(H, H2, floor) CUDALINT_HALF_UNARY(H, H2, ceil) CUDALINT_HALF_UNARY(H, H2, rint)    \
    CUDALINT_HALF_UNARY(H, H2, trunc)                                                                      \
    CUDALINT_HALF_TEST(H, H2, eq) CUDALINT_HALF_TEST(H, H2, ne) CUDALINT_HALF_TEST(H, H2, lt)              \
    CUDALINT_HALF_TEST(H, H2, le) CUDALINT_HALF_TEST(H, H2, gt) CUDALINT_HALF_TEST(H, H2, ge)              \
    CUDALINT_HALF_TEST(H, H2, equ) CUDALINT_HALF_TEST(H, H2, neu) CUDALINT_HALF_TEST(H, H2, ltu)           \
    CUDALINT_HALF_TEST(H, H2, leu) CUDALINT_HALF_TEST(H, H2, gtu) CUDALINT_HALF_TEST(H, H2, geu)           \
    float __low2float(H2); float __high2float(H2);
// Conversions of integers, one rounding mode at a time; S is the type's name within function names.
#define CUDALINT_HALF_INTEGERS(H, S, r)                                                                    \
    H __int2##S##_##r(int); int __##S##2int_##r(H); H __uint2##S##_##r(unsigned); unsigned __##S##2uint_##r(H); \
    H __short2##S##_##r(short); short __##S##2short_##r(H); H __ushort2##S##_##r(unsigned short);          \
    unsigned short __##S##2ushort_##r(H); H __ll2##S##_##r(long long); long long __##S##2ll_##r(H);        \
    H __ull2##S##_##r(unsigned long long); unsigned long long __##S##2ull_##r(H);
#define CUDALINT_HALF_CONVERSIONS(H, H2, S)                                                                \
    CUDALINT_HALF_INTEGERS(H, S, rn) CUDALINT_HALF_INTEGERS(H, S, rz) CUDALINT_HALF_INTEGERS(H, S, ru)     \
    CUDALINT_HALF_INTEGERS(H, S, rd)                                                                       \
    H __float2##S(float); H __float2##S##_rn(float); H __float2##S##_rz(float); H __float2##S##_ru(float); \
    H __float2##S##_rd(float); H __double2##S(double); float __##S##2float(H); float2 __##S##22float2(H2); \
    H2 __float2##S##2_rn(float); H2 __floats2##S##2_rn(float, float); H2 __float22##S##2_rn(float2);       \
    H2 __##S##2##S##2(H); H2 __halves2##S##2(H, H); H __low2##S(H2); H __high2##S(H2); H2 __low2##S##2(H2); \
    H2 __high2##S##2(H2); H2 __lows2##S##2(H2, H2); H2 __highs2##S##2(H2, H2); H __ushort_as_##S(unsigned short); \
    unsigned short __##S##_as_ushort(H); H __short_as_##S(short); short __##S##_as_short(H); H2 make_##S##2(H, H);
#endif
