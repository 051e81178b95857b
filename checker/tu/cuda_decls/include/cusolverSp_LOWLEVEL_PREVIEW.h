// SPDX-License-Identifier: MIT
// cuSOLVER for sparse matrices: the functions below the solvers.
#pragma once
#pragma clang system_header
#include <cudalint_c.h>
#include <cusolverSp.h>
#define CUSOLVERSP_LOWLEVEL_PREVIEW_H_

CUDALINT_C_BEGIN

typedef struct csrluInfoHost *csrluInfoHost_t;
typedef struct csrqrInfoHost *csrqrInfoHost_t;
typedef struct csrcholInfoHost *csrcholInfoHost_t;
typedef struct csrcholInfo *csrcholInfo_t;

cusolverStatus_t cusolverSpCreateCsrluInfoHost(csrluInfoHost_t *);
cusolverStatus_t cusolverSpDestroyCsrluInfoHost(csrluInfoHost_t);
cusolverStatus_t cusolverSpXcsrluAnalysisHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const int *,
    const int *, csrluInfoHost_t);
cusolverStatus_t cusolverSpScsrluBufferInfoHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const float *,
    const int *, const int *, csrluInfoHost_t, size_t *, size_t *);
cusolverStatus_t cusolverSpDcsrluBufferInfoHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const double *,
    const int *, const int *, csrluInfoHost_t, size_t *, size_t *);
cusolverStatus_t cusolverSpCcsrluBufferInfoHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t,
    const cuComplex *, const int *, const int *, csrluInfoHost_t, size_t *, size_t *);
cusolverStatus_t cusolverSpZcsrluBufferInfoHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t,
    const cuDoubleComplex *, const int *, const int *, csrluInfoHost_t, size_t *, size_t *);
cusolverStatus_t cusolverSpScsrluFactorHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const float *,
    const int *, const int *, csrluInfoHost_t, float, void *);
cusolverStatus_t cusolverSpDcsrluFactorHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const double *,
    const int *, const int *, csrluInfoHost_t, double, void *);
cusolverStatus_t cusolverSpCcsrluFactorHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const cuComplex *,
    const int *, const int *, csrluInfoHost_t, float, void *);
cusolverStatus_t cusolverSpZcsrluFactorHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t,
    const cuDoubleComplex *, const int *, const int *, csrluInfoHost_t, double, void *);
cusolverStatus_t cusolverSpScsrluZeroPivotHost(cusolverSpHandle_t, csrluInfoHost_t, float, int *);
cusolverStatus_t cusolverSpDcsrluZeroPivotHost(cusolverSpHandle_t, csrluInfoHost_t, double, int *);
cusolverStatus_t cusolverSpCcsrluZeroPivotHost(cusolverSpHandle_t, csrluInfoHost_t, float, int *);
cusolverStatus_t cusolverSpZcsrluZeroPivotHost(cusolverSpHandle_t, csrluInfoHost_t, double, int *);
cusolverStatus_t cusolverSpScsrluSolveHost(cusolverSpHandle_t, int, const float *, float *, csrluInfoHost_t, void *);
cusolverStatus_t cusolverSpDcsrluSolveHost(cusolverSpHandle_t, int, const double *, double *, csrluInfoHost_t, void *);
cusolverStatus_t cusolverSpCcsrluSolveHost(cusolverSpHandle_t, int, const cuComplex *, cuComplex *, csrluInfoHost_t,
    void *);
cusolverStatus_t cusolverSpZcsrluSolveHost(cusolverSpHandle_t, int, const cuDoubleComplex *, cuDoubleComplex *,
    csrluInfoHost_t, void *);
cusolverStatus_t cusolverSpXcsrluNnzHost(cusolverSpHandle_t, int *, int *, csrluInfoHost_t);
cusolverStatus_t cusolverSpScsrluExtractHost(cusolverSpHandle_t, int *, int *, const cusparseMatDescr_t, float *, int *,
    int *, const cusparseMatDescr_t, float *, int *, int *, csrluInfoHost_t, void *);
cusolverStatus_t cusolverSpDcsrluExtractHost(cusolverSpHandle_t, int *, int *, const cusparseMatDescr_t, double *,
    int *, int *, const cusparseMatDescr_t, double *, int *, int *, csrluInfoHost_t, void *);
cusolverStatus_t cusolverSpCcsrluExtractHost(cusolverSpHandle_t, int *, int *, const cusparseMatDescr_t, cuComplex *,
    int *, int *, const cusparseMatDescr_t, cuComplex *, int *, int *, csrluInfoHost_t, void *);
cusolverStatus_t cusolverSpZcsrluExtractHost(cusolverSpHandle_t, int *, int *, const cusparseMatDescr_t,
    cuDoubleComplex *, int *, int *, const cusparseMatDescr_t, cuDoubleComplex *, int *, int *, csrluInfoHost_t,
    void *);
cusolverStatus_t cusolverSpCreateCsrqrInfoHost(csrqrInfoHost_t *);
cusolverStatus_t cusolverSpDestroyCsrqrInfoHost(csrqrInfoHost_t);
cusolverStatus_t cusolverSpXcsrqrAnalysisHost(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t, const int *,
    const int *, csrqrInfoHost_t);
cusolverStatus_t cusolverSpScsrqrBufferInfoHost(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t,
    const float *, const int *, const int *, csrqrInfoHost_t, size_t *, size_t *);
cusolverStatus_t cusolverSpDcsrqrBufferInfoHost(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t,
    const double *, const int *, const int *, csrqrInfoHost_t, size_t *, size_t *);
cusolverStatus_t cusolverSpCcsrqrBufferInfoHost(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t,
    const cuComplex *, const int *, const int *, csrqrInfoHost_t, size_t *, size_t *);
cusolverStatus_t cusolverSpZcsrqrBufferInfoHost(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t,
    const cuDoubleComplex *, const int *, const int *, csrqrInfoHost_t, size_t *, size_t *);
cusolverStatus_t cusolverSpScsrqrSetupHost(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t, const float *,
    const int *, const int *, float, csrqrInfoHost_t);
cusolverStatus_t cusolverSpDcsrqrSetupHost(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t, const double *,
    const int *, const int *, double, csrqrInfoHost_t);
cusolverStatus_t cusolverSpCcsrqrSetupHost(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t,
    const cuComplex *, const int *, const int *, cuComplex, csrqrInfoHost_t);
cusolverStatus_t cusolverSpZcsrqrSetupHost(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t,
    const cuDoubleComplex *, const int *, const int *, cuDoubleComplex, csrqrInfoHost_t);
cusolverStatus_t cusolverSpScsrqrFactorHost(cusolverSpHandle_t, int, int, int, float *, float *, csrqrInfoHost_t,
    void *);
cusolverStatus_t cusolverSpDcsrqrFactorHost(cusolverSpHandle_t, int, int, int, double *, double *, csrqrInfoHost_t,
    void *);
cusolverStatus_t cusolverSpCcsrqrFactorHost(cusolverSpHandle_t, int, int, int, cuComplex *, cuComplex *,
    csrqrInfoHost_t, void *);
cusolverStatus_t cusolverSpZcsrqrFactorHost(cusolverSpHandle_t, int, int, int, cuDoubleComplex *, cuDoubleComplex *,
    csrqrInfoHost_t, void *);
cusolverStatus_t cusolverSpScsrqrZeroPivotHost(cusolverSpHandle_t, csrqrInfoHost_t, float, int *);
cusolverStatus_t cusolverSpDcsrqrZeroPivotHost(cusolverSpHandle_t, csrqrInfoHost_t, double, int *);
cusolverStatus_t cusolverSpCcsrqrZeroPivotHost(cusolverSpHandle_t, csrqrInfoHost_t, float, int *);
cusolverStatus_t cusolverSpZcsrqrZeroPivotHost(cusolverSpHandle_t, csrqrInfoHost_t, double, int *);
cusolverStatus_t cusolverSpScsrqrSolveHost(cusolverSpHandle_t, int, int, float *, float *, csrqrInfoHost_t, void *);
cusolverStatus_t cusolverSpDcsrqrSolveHost(cusolverSpHandle_t, int, int, double *, double *, csrqrInfoHost_t, void *);
cusolverStatus_t cusolverSpCcsrqrSolveHost(cusolverSpHandle_t, int, int, cuComplex *, cuComplex *, csrqrInfoHost_t,
    void *);
cusolverStatus_t cusolverSpZcsrqrSolveHost(cusolverSpHandle_t, int, int, cuDoubleComplex *, cuDoubleComplex *,
    csrqrInfoHost_t, void *);
cusolverStatus_t cusolverSpXcsrqrAnalysis(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t, const int *,
    const int *, csrqrInfo_t);
cusolverStatus_t cusolverSpScsrqrBufferInfo(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t, const float *,
    const int *, const int *, csrqrInfo_t, size_t *, size_t *);
cusolverStatus_t cusolverSpDcsrqrBufferInfo(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t, const double *,
    const int *, const int *, csrqrInfo_t, size_t *, size_t *);
cusolverStatus_t cusolverSpCcsrqrBufferInfo(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t,
    const cuComplex *, const int *, const int *, csrqrInfo_t, size_t *, size_t *);
cusolverStatus_t cusolverSpZcsrqrBufferInfo(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t,
    const cuDoubleComplex *, const int *, const int *, csrqrInfo_t, size_t *, size_t *);
cusolverStatus_t cusolverSpScsrqrSetup(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t, const float *,
    const int *, const int *, float, csrqrInfo_t);
cusolverStatus_t cusolverSpDcsrqrSetup(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t, const double *,
    const int *, const int *, double, csrqrInfo_t);
cusolverStatus_t cusolverSpCcsrqrSetup(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t, const cuComplex *,
    const int *, const int *, cuComplex, csrqrInfo_t);
cusolverStatus_t cusolverSpZcsrqrSetup(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t,
    const cuDoubleComplex *, const int *, const int *, cuDoubleComplex, csrqrInfo_t);
cusolverStatus_t cusolverSpScsrqrFactor(cusolverSpHandle_t, int, int, int, float *, float *, csrqrInfo_t, void *);
cusolverStatus_t cusolverSpDcsrqrFactor(cusolverSpHandle_t, int, int, int, double *, double *, csrqrInfo_t, void *);
cusolverStatus_t cusolverSpCcsrqrFactor(cusolverSpHandle_t, int, int, int, cuComplex *, cuComplex *, csrqrInfo_t,
    void *);
cusolverStatus_t cusolverSpZcsrqrFactor(cusolverSpHandle_t, int, int, int, cuDoubleComplex *, cuDoubleComplex *,
    csrqrInfo_t, void *);
cusolverStatus_t cusolverSpScsrqrZeroPivot(cusolverSpHandle_t, csrqrInfo_t, float, int *);
cusolverStatus_t cusolverSpDcsrqrZeroPivot(cusolverSpHandle_t, csrqrInfo_t, double, int *);
cusolverStatus_t cusolverSpCcsrqrZeroPivot(cusolverSpHandle_t, csrqrInfo_t, float, int *);
cusolverStatus_t cusolverSpZcsrqrZeroPivot(cusolverSpHandle_t, csrqrInfo_t, double, int *);
cusolverStatus_t cusolverSpScsrqrSolve(cusolverSpHandle_t, int, int, float *, float *, csrqrInfo_t, void *);
cusolverStatus_t cusolverSpDcsrqrSolve(cusolverSpHandle_t, int, int, double *, double *, csrqrInfo_t, void *);
cusolverStatus_t cusolverSpCcsrqrSolve(cusolverSpHandle_t, int, int, cuComplex *, cuComplex *, csrqrInfo_t, void *);
cusolverStatus_t cusolverSpZcsrqrSolve(cusolverSpHandle_t, int, int, cuDoubleComplex *, cuDoubleComplex *, csrqrInfo_t,
    void *);
cusolverStatus_t cusolverSpCreateCsrcholInfoHost(csrcholInfoHost_t *);
cusolverStatus_t cusolverSpDestroyCsrcholInfoHost(csrcholInfoHost_t);
cusolverStatus_t cusolverSpXcsrcholAnalysisHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const int *,
    const int *, csrcholInfoHost_t);
cusolverStatus_t cusolverSpScsrcholBufferInfoHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const float *,
    const int *, const int *, csrcholInfoHost_t, size_t *, size_t *);
cusolverStatus_t cusolverSpDcsrcholBufferInfoHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t,
    const double *, const int *, const int *, csrcholInfoHost_t, size_t *, size_t *);
cusolverStatus_t cusolverSpCcsrcholBufferInfoHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t,
    const cuComplex *, const int *, const int *, csrcholInfoHost_t, size_t *, size_t *);
cusolverStatus_t cusolverSpZcsrcholBufferInfoHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t,
    const cuDoubleComplex *, const int *, const int *, csrcholInfoHost_t, size_t *, size_t *);
cusolverStatus_t cusolverSpScsrcholFactorHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const float *,
    const int *, const int *, csrcholInfoHost_t, void *);
cusolverStatus_t cusolverSpDcsrcholFactorHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const double *,
    const int *, const int *, csrcholInfoHost_t, void *);
cusolverStatus_t cusolverSpCcsrcholFactorHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const cuComplex *,
    const int *, const int *, csrcholInfoHost_t, void *);
cusolverStatus_t cusolverSpZcsrcholFactorHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t,
    const cuDoubleComplex *, const int *, const int *, csrcholInfoHost_t, void *);
cusolverStatus_t cusolverSpScsrcholZeroPivotHost(cusolverSpHandle_t, csrcholInfoHost_t, float, int *);
cusolverStatus_t cusolverSpDcsrcholZeroPivotHost(cusolverSpHandle_t, csrcholInfoHost_t, double, int *);
cusolverStatus_t cusolverSpCcsrcholZeroPivotHost(cusolverSpHandle_t, csrcholInfoHost_t, float, int *);
cusolverStatus_t cusolverSpZcsrcholZeroPivotHost(cusolverSpHandle_t, csrcholInfoHost_t, double, int *);
cusolverStatus_t cusolverSpScsrcholSolveHost(cusolverSpHandle_t, int, const float *, float *, csrcholInfoHost_t,
    void *);
cusolverStatus_t cusolverSpDcsrcholSolveHost(cusolverSpHandle_t, int, const double *, double *, csrcholInfoHost_t,
    void *);
cusolverStatus_t cusolverSpCcsrcholSolveHost(cusolverSpHandle_t, int, const cuComplex *, cuComplex *, csrcholInfoHost_t,
    void *);
cusolverStatus_t cusolverSpZcsrcholSolveHost(cusolverSpHandle_t, int, const cuDoubleComplex *, cuDoubleComplex *,
    csrcholInfoHost_t, void *);
cusolverStatus_t cusolverSpCreateCsrcholInfo(csrcholInfo_t *);
cusolverStatus_t cusolverSpDestroyCsrcholInfo(csrcholInfo_t);
cusolverStatus_t cusolverSpXcsrcholAnalysis(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const int *,
    const int *, csrcholInfo_t);
cusolverStatus_t cusolverSpScsrcholBufferInfo(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const float *,
    const int *, const int *, csrcholInfo_t, size_t *, size_t *);
cusolverStatus_t cusolverSpDcsrcholBufferInfo(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const double *,
    const int *, const int *, csrcholInfo_t, size_t *, size_t *);
cusolverStatus_t cusolverSpCcsrcholBufferInfo(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const cuComplex *,
    const int *, const int *, csrcholInfo_t, size_t *, size_t *);
cusolverStatus_t cusolverSpZcsrcholBufferInfo(cusolverSpHandle_t, int, int, const cusparseMatDescr_t,
    const cuDoubleComplex *, const int *, const int *, csrcholInfo_t, size_t *, size_t *);
cusolverStatus_t cusolverSpScsrcholFactor(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const float *,
    const int *, const int *, csrcholInfo_t, void *);
cusolverStatus_t cusolverSpDcsrcholFactor(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const double *,
    const int *, const int *, csrcholInfo_t, void *);
cusolverStatus_t cusolverSpCcsrcholFactor(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const cuComplex *,
    const int *, const int *, csrcholInfo_t, void *);
cusolverStatus_t cusolverSpZcsrcholFactor(cusolverSpHandle_t, int, int, const cusparseMatDescr_t,
    const cuDoubleComplex *, const int *, const int *, csrcholInfo_t, void *);
cusolverStatus_t cusolverSpScsrcholZeroPivot(cusolverSpHandle_t, csrcholInfo_t, float, int *);
cusolverStatus_t cusolverSpDcsrcholZeroPivot(cusolverSpHandle_t, csrcholInfo_t, double, int *);
cusolverStatus_t cusolverSpCcsrcholZeroPivot(cusolverSpHandle_t, csrcholInfo_t, float, int *);
cusolverStatus_t cusolverSpZcsrcholZeroPivot(cusolverSpHandle_t, csrcholInfo_t, double, int *);
cusolverStatus_t cusolverSpScsrcholSolve(cusolverSpHandle_t, int, const float *, float *, csrcholInfo_t, void *);
cusolverStatus_t cusolverSpDcsrcholSolve(cusolverSpHandle_t, int, const double *, double *, csrcholInfo_t, void *);
cusolverStatus_t cusolverSpCcsrcholSolve(cusolverSpHandle_t, int, const cuComplex *, cuComplex *, csrcholInfo_t,
    void *);
cusolverStatus_t cusolverSpZcsrcholSolve(cusolverSpHandle_t, int, const cuDoubleComplex *, cuDoubleComplex *,
    csrcholInfo_t, void *);
cusolverStatus_t cusolverSpScsrcholDiag(cusolverSpHandle_t, csrcholInfo_t, float *);
cusolverStatus_t cusolverSpDcsrcholDiag(cusolverSpHandle_t, csrcholInfo_t, double *);
cusolverStatus_t cusolverSpCcsrcholDiag(cusolverSpHandle_t, csrcholInfo_t, float *);
cusolverStatus_t cusolverSpZcsrcholDiag(cusolverSpHandle_t, csrcholInfo_t, double *);

CUDALINT_C_END
