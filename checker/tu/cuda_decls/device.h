// SPDX-License-Identifier: MIT
// The device side as kernels see it: built-in variables, intrinsics, atomics, textures. Included by preamble.h.
#pragma once
#pragma clang system_header

extern const uint3 threadIdx;
extern const uint3 blockIdx;
extern const dim3 blockDim;
extern const dim3 gridDim;
extern const int warpSize;

// barriers, fences, votes.  __syncthreads is a target builtin in clang, hence the other name; sources
// declare it again
void cudalint_syncthreads();
#define __syncthreads cudalint_syncthreads
int __syncthreads_count(int);
int __syncthreads_and(int);
int __syncthreads_or(int);
void __syncwarp(unsigned = 0xffffffffu);
void __barrier_sync(unsigned);
void __barrier_sync_count(unsigned, unsigned);
void __threadfence();
void __threadfence_block();
void __threadfence_system();
void __trap();
void __brkpt(int = 0);
void __prof_trigger(int);
void __nanosleep(unsigned);
unsigned __activemask();
int __all(int);
int __any(int);
unsigned __ballot(int);
int __all_sync(unsigned, int);
int __any_sync(unsigned, int);
int __uni_sync(unsigned, int);
unsigned __ballot_sync(unsigned, int);
unsigned __fns(unsigned, unsigned, int);
template <class T> unsigned __match_any_sync(unsigned, T);
template <class T> unsigned __match_all_sync(unsigned, T, int *);
template <class T> T __reduce_add_sync(unsigned, T);
template <class T> T __reduce_min_sync(unsigned, T);
template <class T> T __reduce_max_sync(unsigned, T);
unsigned __reduce_and_sync(unsigned, unsigned);
unsigned __reduce_or_sync(unsigned, unsigned);
unsigned __reduce_xor_sync(unsigned, unsigned);
long long clock64();

// device runtime entry points without a host twin; the library headers call them
unsigned long long cudaCGGetIntrinsicHandle(cudaCGScope);
cudaError_t cudaCGSynchronize(unsigned long long, unsigned);
cudaError_t cudaCGSynchronizeGrid(unsigned long long, unsigned);
cudaError_t cudaCGGetSize(unsigned *, unsigned *, unsigned long long);
cudaError_t cudaCGGetRank(unsigned *, unsigned *, unsigned long long);
cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance();
void *cudaGetParameterBuffer(size_t, size_t);
void *cudaGetParameterBufferV2(void *, dim3, dim3, unsigned);
cudaError_t cudaLaunchDevice(void *, void *, dim3, dim3, unsigned, cudaStream_t);
cudaError_t cudaLaunchDeviceV2(void *, cudaStream_t);
void cudaGraphSetConditional(unsigned long long, unsigned);
cudaGraphExec_t cudaGetCurrentGraphExec();
void cudaTriggerProgrammaticLaunchCompletion();
void cudaGridDependencySynchronize();

// thread block clusters
void __cluster_barrier_arrive();
void __cluster_barrier_arrive_relaxed();
void __cluster_barrier_wait();
unsigned __cluster_query_shared_rank(const void *);
void *__cluster_map_shared_rank(const void *, unsigned);
unsigned __clusterDimIsSpecified();
dim3 __clusterDim();
dim3 __clusterRelativeBlockIdx();
dim3 __clusterGridDimInClusters();
dim3 __clusterIdx();
unsigned __clusterRelativeBlockRank();
unsigned __clusterSizeInBlocks();

#define CUDALINT_SHFL(n, D)                                                                                        \
    template <class T> T __shfl##n(T, D, int = 32);                                                                \
    template <class T> T __shfl##n##_sync(unsigned, T, D, int = 32);
CUDALINT_SHFL(, int)
CUDALINT_SHFL(_up, unsigned) CUDALINT_SHFL(_down, unsigned) CUDALINT_SHFL(_xor, int)
#undef CUDALINT_SHFL

    // atomics: any pointer, any operand
    template <class T>
    struct cudalint_rmcv {
    typedef T type;
};
template <class T> struct cudalint_rmcv<volatile T> {
    typedef T type;
};
#define CUDALINT_ATOM(n)                                                                                           \
    template <class T, class U> typename cudalint_rmcv<T>::type n(T *, U);                                         \
    template <class T, class U> typename cudalint_rmcv<T>::type n##_block(T *, U);                                 \
    template <class T, class U> typename cudalint_rmcv<T>::type n##_system(T *, U);
CUDALINT_ATOM(atomicAdd)
CUDALINT_ATOM(atomicSub) CUDALINT_ATOM(atomicExch) CUDALINT_ATOM(atomicMin) CUDALINT_ATOM(atomicMax)
    CUDALINT_ATOM(atomicInc) CUDALINT_ATOM(atomicDec) CUDALINT_ATOM(atomicAnd) CUDALINT_ATOM(atomicOr)
        CUDALINT_ATOM(atomicXor)
#undef CUDALINT_ATOM
#define CUDALINT_CAS(n) template <class T, class U, class V> typename cudalint_rmcv<T>::type n(T *, U, V);
            CUDALINT_CAS(atomicCAS) CUDALINT_CAS(atomicCAS_block) CUDALINT_CAS(atomicCAS_system)
#undef CUDALINT_CAS
                template <class T>
                T __nv_atomic_load_n(T *, int, int = 0);
template <class T, class U> void __nv_atomic_store_n(T *, U, int, int = 0);
template <class T, class U> T __nv_atomic_fetch_add(T *, U, int, int = 0);
template <class T, class U> T __nv_atomic_exchange_n(T *, U, int, int = 0);
enum {
    __NV_ATOMIC_RELAXED,
    __NV_ATOMIC_CONSUME,
    __NV_ATOMIC_ACQUIRE,
    __NV_ATOMIC_RELEASE,
    __NV_ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST
};
enum {
    __NV_THREAD_SCOPE_THREAD,
    __NV_THREAD_SCOPE_BLOCK,
    __NV_THREAD_SCOPE_CLUSTER,
    __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM
};

// cache-hint loads and stores
#define CUDALINT_LD(n) template <class T> T n(const T *);
CUDALINT_LD(__ldg)
CUDALINT_LD(__ldca) CUDALINT_LD(__ldcg) CUDALINT_LD(__ldcs) CUDALINT_LD(__ldcv) CUDALINT_LD(__ldlu)
#undef CUDALINT_LD
#define CUDALINT_ST(n) template <class T, class U> void n(T *, U);
    CUDALINT_ST(__stwb) CUDALINT_ST(__stcg) CUDALINT_ST(__stcs) CUDALINT_ST(__stwt)
#undef CUDALINT_ST

// address space queries
#define CUDALINT_AS(n) unsigned n(const void *);
        CUDALINT_AS(__isGlobal) CUDALINT_AS(__isShared) CUDALINT_AS(__isConstant) CUDALINT_AS(__isLocal)
            CUDALINT_AS(__isGridConstant) CUDALINT_AS(__isClusterShared)
#undef CUDALINT_AS
#define CUDALINT_CVTA(s)                                                                                           \
    size_t __cvta_generic_to_##s(const void *);                                                                    \
    void *__cvta_##s##_to_generic(size_t);
                CUDALINT_CVTA(shared) CUDALINT_CVTA(global) CUDALINT_CVTA(local) CUDALINT_CVTA(constant)
                    CUDALINT_CVTA(grid_constant)
#undef CUDALINT_CVTA

    // integer intrinsics
    int __clz(int);
int __clzll(long long);
int __ffs(int);
int __ffsll(long long);
int __popc(unsigned);
int __popcll(unsigned long long);
unsigned __brev(unsigned);
unsigned long long __brevll(unsigned long long);
unsigned __byte_perm(unsigned, unsigned, unsigned);
int __mul24(int, int);
unsigned __umul24(unsigned, unsigned);
int __mulhi(int, int);
unsigned __umulhi(unsigned, unsigned);
long long __mul64hi(long long, long long);
unsigned long long __umul64hi(unsigned long long, unsigned long long);
unsigned __sad(int, int, unsigned);
unsigned __usad(unsigned, unsigned, unsigned);
int __hadd(int, int);
int __rhadd(int, int);
unsigned __uhadd(unsigned, unsigned);
unsigned __urhadd(unsigned, unsigned);
int mul24(int, int);
unsigned umul24(unsigned, unsigned);
int mulhi(int, int);
int float2int(float, int = 0);
#define CUDALINT_FUNNEL(n) unsigned __funnelshift_##n(unsigned, unsigned, unsigned);
CUDALINT_FUNNEL(l)
CUDALINT_FUNNEL(lc) CUDALINT_FUNNEL(r) CUDALINT_FUNNEL(rc)
#undef CUDALINT_FUNNEL
    template <class A, class B, class C>
    int __dp4a(A, B, C);
template <class A, class B, class C> int __dp2a_lo(A, B, C);
template <class A, class B, class C> int __dp2a_hi(A, B, C);
void __assume(bool);

// bit casts and conversions with a rounding mode suffix
int __float_as_int(float);
unsigned __float_as_uint(float);
float __int_as_float(int);
float __uint_as_float(unsigned);
long long __double_as_longlong(double);
double __longlong_as_double(long long);
int __double2hiint(double);
int __double2loint(double);
double __hiloint2double(int, int);
#define CUDALINT_RND(M) M(rn) M(rz) M(ru) M(rd)
#define CUDALINT_CVT(r)                                                                                            \
    int __float2int_##r(float);                                                                                    \
    unsigned __float2uint_##r(float);                                                                              \
    long long __float2ll_##r(float);                                                                               \
    unsigned long long __float2ull_##r(float);                                                                     \
    int __double2int_##r(double);                                                                                  \
    unsigned __double2uint_##r(double);                                                                            \
    long long __double2ll_##r(double);                                                                             \
    unsigned long long __double2ull_##r(double);                                                                   \
    float __double2float_##r(double);                                                                              \
    float __int2float_##r(int);                                                                                    \
    float __uint2float_##r(unsigned);                                                                              \
    float __ll2float_##r(long long);                                                                               \
    float __ull2float_##r(unsigned long long);                                                                     \
    double __int2double_##r(int);                                                                                  \
    double __uint2double_##r(unsigned);                                                                            \
    double __ll2double_##r(long long);                                                                             \
    double __ull2double_##r(unsigned long long);                                                                   \
    float __fadd_##r(float, float);                                                                                \
    float __fsub_##r(float, float);                                                                                \
    float __fmul_##r(float, float);                                                                                \
    float __fdiv_##r(float, float);                                                                                \
    float __frcp_##r(float);                                                                                       \
    float __fsqrt_##r(float);                                                                                      \
    float __fmaf_##r(float, float, float);                                                                         \
    float __fmaf_ieee_##r(float, float, float);                                                                    \
    double __dadd_##r(double, double);                                                                             \
    double __dsub_##r(double, double);                                                                             \
    double __dmul_##r(double, double);                                                                             \
    double __ddiv_##r(double, double);                                                                             \
    double __drcp_##r(double);                                                                                     \
    double __dsqrt_##r(double);                                                                                    \
    double __fma_##r(double, double, double);
CUDALINT_RND(CUDALINT_CVT)
#undef CUDALINT_CVT
float __frsqrt_rn(float);

// packed SIMD-in-a-word arithmetic
#define CUDALINT_V1(n)                                                                                             \
    unsigned __v##n##2(unsigned);                                                                                  \
    unsigned __v##n##4(unsigned);
#define CUDALINT_V2(n)                                                                                             \
    unsigned __v##n##2(unsigned, unsigned);                                                                        \
    unsigned __v##n##4(unsigned, unsigned);
CUDALINT_V1(abs)
CUDALINT_V1(absss) CUDALINT_V1(neg) CUDALINT_V1(negss) CUDALINT_V2(add) CUDALINT_V2(addss) CUDALINT_V2(addus)
    CUDALINT_V2(sub) CUDALINT_V2(subss) CUDALINT_V2(subus) CUDALINT_V2(avgs) CUDALINT_V2(avgu) CUDALINT_V2(haddu)
        CUDALINT_V2(absdiffs) CUDALINT_V2(absdiffu) CUDALINT_V2(sads) CUDALINT_V2(sadu) CUDALINT_V2(maxs)
            CUDALINT_V2(maxu) CUDALINT_V2(mins) CUDALINT_V2(minu)
#define CUDALINT_VC(c) CUDALINT_V2(cmp##c) CUDALINT_V2(set##c)
                CUDALINT_VC(eq) CUDALINT_VC(ne) CUDALINT_VC(ges) CUDALINT_VC(geu) CUDALINT_VC(gts) CUDALINT_VC(gtu)
                    CUDALINT_VC(les) CUDALINT_VC(leu) CUDALINT_VC(lts) CUDALINT_VC(ltu)
#define CUDALINT_DPX(op)                                                                                           \
    template <class T> T __vi##op##_s32_relu(T, T);                                                                \
    template <class T> T __vi##op##_s16x2_relu(T, T);                                                              \
    template <class T> T __vi##op##3_s32(T, T, T);                                                                 \
    template <class T> T __vi##op##3_s16x2(T, T, T);                                                               \
    template <class T> T __vi##op##3_u32(T, T, T);                                                                 \
    template <class T> T __vi##op##3_u16x2(T, T, T);                                                               \
    template <class T> T __vi##op##3_s32_relu(T, T, T);                                                            \
    template <class T> T __vi##op##3_s16x2_relu(T, T, T);                                                          \
    template <class T> T __viadd##op##_s32(T, T, T);                                                               \
    template <class T> T __viadd##op##_s16x2(T, T, T);                                                             \
    template <class T> T __viadd##op##_u32(T, T, T);                                                               \
    template <class T> T __viadd##op##_u16x2(T, T, T);                                                             \
    template <class T> T __viadd##op##_s32_relu(T, T, T);                                                          \
    template <class T> T __viadd##op##_s16x2_relu(T, T, T);                                                        \
    template <class T, class... P> T __vib##op##_s32(T, T, P...);                                                  \
    template <class T, class... P> T __vib##op##_u32(T, T, P...);                                                  \
    template <class T, class... P> T __vib##op##_s16x2(T, T, P...);                                                \
    template <class T, class... P> T __vib##op##_u16x2(T, T, P...);
                        CUDALINT_DPX(max) CUDALINT_DPX(min)
#undef CUDALINT_DPX
#undef CUDALINT_V1
#undef CUDALINT_V2
#undef CUDALINT_VC

// fast-math float intrinsics and CUDA-only math functions
#define CUDALINT_F1(n) float n(float);
#define CUDALINT_F2(n) float n(float, float);
                            CUDALINT_F1(__expf) CUDALINT_F1(__exp10f) CUDALINT_F1(__logf) CUDALINT_F1(__log2f)
                                CUDALINT_F1(__log10f) CUDALINT_F1(__sinf) CUDALINT_F1(__cosf) CUDALINT_F1(__tanf)
                                    CUDALINT_F1(__tanhf) CUDALINT_F1(__saturatef) CUDALINT_F1(saturate)
                                        CUDALINT_F2(__powf) CUDALINT_F2(__fdividef)
                                            CUDALINT_F2(fdividef) void __sincosf(float, float *, float *);
double fdivide(double, double);
#define CUDALINT_M1(n)                                                                                             \
    float n##f(float);                                                                                             \
    double n(double);                                                                                              \
    inline float n(float x) { return n##f(x); }
#define CUDALINT_M2(n)                                                                                             \
    float n##f(float, float);                                                                                      \
    double n(double, double);
CUDALINT_M1(rsqrt)
CUDALINT_M1(rcbrt) CUDALINT_M1(sinpi) CUDALINT_M1(cospi) CUDALINT_M1(tanpi) CUDALINT_M1(erfinv) CUDALINT_M1(erfcinv)
    CUDALINT_M1(erfcx) CUDALINT_M1(normcdf) CUDALINT_M1(normcdfinv) CUDALINT_M2(rhypot) float cyl_bessel_i0f(float);
double cyl_bessel_i0(double);
float cyl_bessel_i1f(float);
double cyl_bessel_i1(double);
float norm3df(float, float, float);
double norm3d(double, double, double);
float rnorm3df(float, float, float);
double rnorm3d(double, double, double);
float norm4df(float, float, float, float);
double norm4d(double, double, double, double);
float rnorm4df(float, float, float, float);
double rnorm4d(double, double, double, double);
float normf(int, const float *);
double norm(int, const double *);
float rnormf(int, const float *);
double rnorm(int, const double *);
void sincospif(float, float *, float *);
void sincospi(double, double *, double *);
inline void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }
inline void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
inline float exp10(float x) { return exp10f(x); }
#undef CUDALINT_M1
#undef CUDALINT_M2
#undef CUDALINT_F1
#undef CUDALINT_F2

// global min/max are usable on both sides without <algorithm>; non-templates so that
// they win over std::min/std::max under "using namespace std"
#define CUDALINT_MM(R, A, B)                                                                                       \
    inline R min(A a, B b) { return (R)(a) < (R)(b) ? (R)(a) : (R)(b); }                                           \
    inline R max(A a, B b) { return (R)(a) < (R)(b) ? (R)(b) : (R)(a); }
CUDALINT_MM(int, int, int)
CUDALINT_MM(unsigned, unsigned, unsigned) CUDALINT_MM(unsigned, int, unsigned) CUDALINT_MM(unsigned, unsigned, int)
    CUDALINT_MM(long, long, long) CUDALINT_MM(unsigned long, unsigned long, unsigned long)
        CUDALINT_MM(unsigned long, long, unsigned long) CUDALINT_MM(unsigned long, unsigned long, long)
            CUDALINT_MM(long long, long long, long long)
                CUDALINT_MM(unsigned long long, unsigned long long, unsigned long long)
                    CUDALINT_MM(unsigned long long, long long, unsigned long long)
                        CUDALINT_MM(unsigned long long, unsigned long long, long long)
                            CUDALINT_MM(float, float, float) CUDALINT_MM(double, double, double)
                                CUDALINT_MM(double, float, double) CUDALINT_MM(double, double, float)
#undef CUDALINT_MM
                                    unsigned umin(unsigned, unsigned);
unsigned umax(unsigned, unsigned);
long long llmin(long long, long long);
long long llmax(long long, long long);
unsigned long long ullmin(unsigned long long, unsigned long long);
unsigned long long ullmax(unsigned long long, unsigned long long);

// texture and surface functions: value-returning forms for objects and for references
#define CUDALINT_TEX(n)                                                                                            \
    template <class T, class... A> T n(cudaTextureObject_t, A...);                                                 \
    template <class T, class... A> void n(T *, cudaTextureObject_t, A...);
CUDALINT_TEX(tex1Dfetch)
CUDALINT_TEX(tex1D) CUDALINT_TEX(tex2D) CUDALINT_TEX(tex3D) CUDALINT_TEX(texCubemap) CUDALINT_TEX(tex1DLayered)
    CUDALINT_TEX(tex2DLayered) CUDALINT_TEX(texCubemapLayered) CUDALINT_TEX(tex2Dgather) CUDALINT_TEX(tex1DLod)
        CUDALINT_TEX(tex2DLod) CUDALINT_TEX(tex3DLod) CUDALINT_TEX(tex1DGrad) CUDALINT_TEX(tex2DGrad)
            CUDALINT_TEX(tex3DGrad) CUDALINT_TEX(tex1DLayeredLod) CUDALINT_TEX(tex2DLayeredLod)
                CUDALINT_TEX(texCubemapLod)
#undef CUDALINT_TEX
#define CUDALINT_SURF(n)                                                                                           \
    template <class T, class... A> T n##read(cudaSurfaceObject_t, A...);                                           \
    template <class T, class... A> void n##read(T *, cudaSurfaceObject_t, A...);                                   \
    template <class T, class... A> void n##write(T, cudaSurfaceObject_t, A...);
                    CUDALINT_SURF(surf1D) CUDALINT_SURF(surf2D) CUDALINT_SURF(surf3D) CUDALINT_SURF(surf1DLayered)
                        CUDALINT_SURF(surf2DLayered) CUDALINT_SURF(surfCubemap) CUDALINT_SURF(surfCubemapLayered)
#undef CUDALINT_SURF

                            template <class T, cudaTextureReadMode M>
                            struct cudalint_texret {
    typedef T type;
};
template <> struct cudalint_texret<unsigned char, cudaReadModeNormalizedFloat> {
    typedef float type;
};
template <> struct cudalint_texret<signed char, cudaReadModeNormalizedFloat> {
    typedef float type;
};
template <> struct cudalint_texret<char, cudaReadModeNormalizedFloat> {
    typedef float type;
};
template <> struct cudalint_texret<unsigned short, cudaReadModeNormalizedFloat> {
    typedef float type;
};
template <> struct cudalint_texret<short, cudaReadModeNormalizedFloat> {
    typedef float type;
};
template <> struct cudalint_texret<uchar2, cudaReadModeNormalizedFloat> {
    typedef float2 type;
};
template <> struct cudalint_texret<uchar4, cudaReadModeNormalizedFloat> {
    typedef float4 type;
};
template <> struct cudalint_texret<ushort2, cudaReadModeNormalizedFloat> {
    typedef float2 type;
};
template <> struct cudalint_texret<ushort4, cudaReadModeNormalizedFloat> {
    typedef float4 type;
};
#define CUDALINT_TEX(n)                                                                                            \
    template <class T, int N, cudaTextureReadMode M, class... A>                                                   \
    typename cudalint_texret<T, M>::type n(texture<T, N, M>, A...);
CUDALINT_TEX(tex1Dfetch)
CUDALINT_TEX(tex1D) CUDALINT_TEX(tex2D) CUDALINT_TEX(tex3D) CUDALINT_TEX(texCubemap) CUDALINT_TEX(tex1DLayered)
    CUDALINT_TEX(tex2DLayered) CUDALINT_TEX(tex2DLod) CUDALINT_TEX(tex3DLod)
#undef CUDALINT_TEX
#if !CUDALINT_HAVE_TEXREF
        template <class T, int N, cudaTextureReadMode M, class... A>
        cudaError_t cudaBindTexture(size_t *, const texture<T, N, M> &, const void *, A...);
template <class T, int N, cudaTextureReadMode M, class... A>
cudaError_t cudaBindTexture2D(size_t *, const texture<T, N, M> &, const void *, A...);
template <class T, int N, cudaTextureReadMode M, class... A>
cudaError_t cudaBindTextureToArray(const texture<T, N, M> &, A...);
template <class T, int N, cudaTextureReadMode M, class... A>
cudaError_t cudaBindTextureToMipmappedArray(const texture<T, N, M> &, A...);
template <class T, int N, cudaTextureReadMode M> cudaError_t cudaUnbindTexture(const texture<T, N, M> &);
template <class T, int N, class... A> cudaError_t cudaBindSurfaceToArray(const surface<T, N> &, A...);
#endif

// runtime functions that newer toolkits dropped or changed; parsing old code must not fail on them
#if !defined(CUDALINT_BUNDLED) && CUDART_VERSION >= 12000
extern "C" {
cudaError_t cudaMemcpyToArray(cudaArray_t, size_t, size_t, const void *, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyFromArray(void *, cudaArray_const_t, size_t, size_t, size_t, cudaMemcpyKind);
}
#endif
#if !defined(CUDALINT_BUNDLED) && CUDART_VERSION >= 13000
extern "C" {
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaThreadSetLimit(cudaLimit, size_t);
cudaError_t cudaThreadGetLimit(size_t *, cudaLimit);
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache);
cudaError_t cudaThreadGetCacheConfig(cudaFuncCache *);
}
// pre-13.0 shapes, as C++ overloads
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int);
cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = 0);
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t *, const cudaGraphNode_t *, size_t);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t,
                             cudaGraphNodeParams *);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t, cudaGraphNode_t *, size_t, unsigned = 0);
#endif
