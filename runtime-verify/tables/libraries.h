// SPDX-License-Identifier: MIT
// The headers, bundled with the checker, that say what functions of libraries take; preprocessed only.
#include <cuda_runtime.h>

#include <cublas_v2.h>
#include <cublasLt.h>
#include <cublasXt.h>
#include <cudnn.h>
#include <cufft.h>
#include <cufftXt.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusolverMg.h>
#include <cusolverRf.h>
#include <cusolverSp.h>
#include <cusparse.h>
#include <nccl.h>
#include <nvrtc.h>
