// SPDX-License-Identifier: MIT
// Handles and structures of the runtime API, the members of CUDA 11, 12 and 13 together.
#pragma once
#pragma clang system_header
#include <cudalint_rt_enums.h>
#include <cudalint_rt_vectors.h>
#ifndef __cplusplus
#include <cudalint_rt_names.h>
#endif

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef const struct cudaMipmappedArray *cudaMipmappedArray_const_t;
typedef struct cudaGraphicsResource *cudaGraphicsResource_t;
typedef struct CUexternalMemory_st *cudaExternalMemory_t;
typedef struct CUexternalSemaphore_st *cudaExternalSemaphore_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUuserObject_st *cudaUserObject_t;
typedef struct CUfunc_st *cudaFunction_t;
typedef struct CUkern_st *cudaKernel_t;
typedef struct CUlib_st *cudaLibrary_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef struct CUgraphDeviceUpdatableNode_st *cudaGraphDeviceNode_t;
typedef struct cudaAsyncCallbackEntry *cudaAsyncCallbackHandle_t;
typedef struct CUlogsCallbackEntry_st *cudaLogsCallbackHandle;
typedef unsigned cudaLogIterator;
typedef unsigned long long cudaGraphConditionalHandle, cudaTextureObject_t, cudaSurfaceObject_t;
typedef void (*cudaHostFn_t)(void *);
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);
struct cudaAsyncNotificationInfo { int type; };
typedef cudaAsyncNotificationInfo cudaAsyncNotificationInfo_t;
typedef void (*cudaAsyncCallback)(cudaAsyncNotificationInfo_t *, void *, cudaAsyncCallbackHandle_t);
typedef void (*cudaLogsCallback_t)(void *, cudaLogLevel, char *, size_t);
#ifndef CU_UUID_HAS_BEEN_DEFINED // cuda.h has it, too
#define CU_UUID_HAS_BEEN_DEFINED
struct CUuuid_st { char bytes[16]; };
typedef struct CUuuid_st CUuuid;
#endif
typedef CUuuid cudaUUID_t;

struct cudaChannelFormatDesc { int x, y, z, w; cudaChannelFormatKind f; };
struct cudaPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };
struct cudaExtent { size_t width, height, depth; };
struct cudaPos { size_t x, y, z; };
struct cudaOffset3D { size_t x, y, z; };
struct cudaMemcpy3DParms {
    cudaArray_t srcArray; cudaPos srcPos; cudaPitchedPtr srcPtr; cudaArray_t dstArray; cudaPos dstPos;
    cudaPitchedPtr dstPtr; cudaExtent extent; cudaMemcpyKind kind;
};
struct cudaMemcpy3DPeerParms {
    cudaArray_t srcArray; cudaPos srcPos; cudaPitchedPtr srcPtr; int srcDevice; cudaArray_t dstArray;
    cudaPos dstPos; cudaPitchedPtr dstPtr; int dstDevice; cudaExtent extent;
};
struct cudaMemsetParams { void *dst; size_t pitch; unsigned value, elementSize; size_t width, height; };
typedef cudaMemsetParams cudaMemsetParamsV2;
struct cudaMemcpyNodeParams { int flags, reserved[3]; cudaMemcpy3DParms copyParams; };
struct cudaAccessPolicyWindow {
    void *base_ptr; size_t num_bytes; float hitRatio; cudaAccessProperty hitProp, missProp;
};
struct cudaHostNodeParams { cudaHostFn_t fn; void *userData; };
struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct { cudaArray_t array; } array;
        struct { cudaMipmappedArray_t mipmap; } mipmap;
        struct { void *devPtr; cudaChannelFormatDesc desc; size_t sizeInBytes; } linear;
        struct { void *devPtr; cudaChannelFormatDesc desc; size_t width, height, pitchInBytes; } pitch2D;
        struct { int reserved[32]; } reserved;
    } res;
    unsigned flags;
};
struct cudaResourceViewDesc {
    cudaResourceViewFormat format; size_t width, height, depth;
    unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
};
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3]; cudaTextureFilterMode filterMode; cudaTextureReadMode readMode; int
    sRGB; float borderColor[4];
    int normalizedCoords; unsigned maxAnisotropy; cudaTextureFilterMode mipmapFilterMode; float mipmapLevelBias,
    minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};
struct cudaPointerAttributes {
    cudaMemoryType type; int device; void *devicePointer, *hostPointer; cudaMemoryType memoryType; int isManaged;
};
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes; int maxThreadsPerBlock, numRegs, ptxVersion,
    binaryVersion, cacheModeCA,
    maxDynamicSharedSizeBytes, preferredShmemCarveout, clusterDimMustBeSet, requiredClusterWidth,
    requiredClusterHeight, requiredClusterDepth,
    clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed, reserved[16];
};
struct cudaMemLocation { cudaMemLocationType type; int id; };
struct cudaMemAccessDesc { cudaMemLocation location; cudaMemAccessFlags flags; };
struct cudaMemPoolProps {
    cudaMemAllocationType allocType; cudaMemAllocationHandleType handleTypes; cudaMemLocation location;
    void *win32SecurityAttributes; size_t maxSize; unsigned short usage; unsigned char reserved[54];
};
struct cudaMemPoolPtrExportData { unsigned char reserved[64]; };
struct cudaMemAllocNodeParams {
    cudaMemPoolProps poolProps; const cudaMemAccessDesc *accessDescs; size_t accessDescCount, bytesize;
    void *dptr;
};
typedef cudaMemAllocNodeParams cudaMemAllocNodeParamsV2;
struct cudaMemFreeNodeParams { void *dptr; };
struct cudaMemcpyAttributes {
    cudaMemcpySrcAccessOrder srcAccessOrder; cudaMemLocation srcLocHint, dstLocHint; unsigned flags;
};
struct cudaMemcpy3DOperand {
    cudaMemcpy3DOperandType type;
    union { struct { void *ptr; size_t rowLength, layerHeight; cudaMemLocation locHint; } ptr; struct {
        cudaArray_t array; cudaOffset3D offset; } array; } op;
};
struct cudaMemcpy3DBatchOp {
    cudaMemcpy3DOperand src, dst; cudaExtent extent; cudaMemcpySrcAccessOrder srcAccessOrder; unsigned flags;
};
struct cudaArraySparseProperties {
    struct { unsigned width, height, depth; } tileExtent; unsigned miptailFirstLevel;
    unsigned long long miptailSize; unsigned flags, reserved[4];
};
struct cudaArrayMemoryRequirements { size_t size, alignment; unsigned reserved[4]; };
struct cudaIpcEventHandle_st { char reserved[64]; };
typedef cudaIpcEventHandle_st cudaIpcEventHandle_t;
struct cudaIpcMemHandle_st { char reserved[64]; };
typedef cudaIpcMemHandle_st cudaIpcMemHandle_t;
struct cudaExternalMemoryHandleDesc {
    cudaExternalMemoryHandleType type;
    union { int fd; struct { void *handle; const void *name; } win32; const void *nvSciBufObject; } handle;
    unsigned long long size; unsigned flags;
};
struct cudaExternalMemoryBufferDesc { unsigned long long offset, size; unsigned flags; };
struct cudaExternalMemoryMipmappedArrayDesc {
    unsigned long long offset; cudaChannelFormatDesc formatDesc; cudaExtent extent; unsigned flags, numLevels;
};
struct cudaExternalSemaphoreHandleDesc {
    cudaExternalSemaphoreHandleType type;
    union { int fd; struct { void *handle; const void *name; } win32; const void *nvSciSyncObj; } handle;
    unsigned flags;
};
struct cudaExternalSemaphoreSignalParams {
    struct { struct { unsigned long long value; } fence; union { void *fence; unsigned long long reserved; }
        nvSciSync; struct { unsigned long long key; } keyedMutex; } params;
    unsigned flags;
};
struct cudaExternalSemaphoreWaitParams {
    struct { struct { unsigned long long value; } fence; union { void *fence; unsigned long long reserved; }
        nvSciSync; struct { unsigned long long key; unsigned timeoutMs; } keyedMutex; } params;
    unsigned flags;
};
struct cudaKernelNodeParams {
    void *func; dim3 gridDim, blockDim; unsigned sharedMemBytes; void **kernelParams, **extra;
};
typedef cudaKernelNodeParams cudaKernelNodeParamsV2;
struct cudaExternalSemaphoreSignalNodeParams {
    cudaExternalSemaphore_t *extSemArray; const cudaExternalSemaphoreSignalParams *paramsArray;
    unsigned numExtSems;
};
struct cudaExternalSemaphoreWaitNodeParams {
    cudaExternalSemaphore_t *extSemArray; const cudaExternalSemaphoreWaitParams *paramsArray; unsigned numExtSems;
};
struct cudaConditionalNodeParams {
    cudaGraphConditionalHandle handle; cudaGraphConditionalNodeType type; unsigned size; cudaGraph_t *phGraph_out;
};
struct cudaChildGraphNodeParams { cudaGraph_t graph; cudaGraphChildGraphNodeOwnership ownership; };
struct cudaEventRecordNodeParams { cudaEvent_t event; };
struct cudaEventWaitNodeParams { cudaEvent_t event; };
struct cudaGraphNodeParams {
    cudaGraphNodeType type; int reserved0[3];
    union { long long reserved1[29]; cudaKernelNodeParamsV2 kernel; cudaMemcpyNodeParams memcpy;
        cudaMemsetParamsV2 memset; cudaHostNodeParams host; cudaChildGraphNodeParams graph;
        cudaEventWaitNodeParams eventWait; cudaEventRecordNodeParams eventRecord;
        cudaExternalSemaphoreSignalNodeParams extSemSignal; cudaExternalSemaphoreWaitNodeParams extSemWait;
        cudaMemAllocNodeParamsV2 alloc; cudaMemFreeNodeParams free; cudaConditionalNodeParams conditional; };
    long long reserved2;
};
struct cudaGraphEdgeData_st { unsigned char from_port, to_port, type, reserved[5]; };
typedef cudaGraphEdgeData_st cudaGraphEdgeData;
struct cudaGraphInstantiateParams_st {
    unsigned long long flags; cudaStream_t uploadStream; cudaGraphNode_t errNode_out;
    cudaGraphInstantiateResult result_out;
};
typedef cudaGraphInstantiateParams_st cudaGraphInstantiateParams;
struct cudaGraphExecUpdateResultInfo_st {
    cudaGraphExecUpdateResult result; cudaGraphNode_t errorNode, errorFromNode;
};
typedef cudaGraphExecUpdateResultInfo_st cudaGraphExecUpdateResultInfo;
struct cudaLaunchMemSyncDomainMap_st { unsigned char default_, remote; };
typedef cudaLaunchMemSyncDomainMap_st cudaLaunchMemSyncDomainMap;
union cudaLaunchAttributeValue {
    char pad[64]; cudaAccessPolicyWindow accessPolicyWindow; int cooperative;
    cudaSynchronizationPolicy syncPolicy; struct { unsigned x, y, z; } clusterDim;
    cudaClusterSchedulingPolicy clusterSchedulingPolicyPreference; int programmaticStreamSerializationAllowed;
    struct { cudaEvent_t event; int flags, triggerAtBlockStart; } programmaticEvent; int priority;
    cudaLaunchMemSyncDomainMap memSyncDomainMap; cudaLaunchMemSyncDomain memSyncDomain;
    unsigned sharedMemCarveout;
};
struct cudaLaunchAttribute_st { cudaLaunchAttributeID id; char pad[4]; cudaLaunchAttributeValue val; };
typedef cudaLaunchAttribute_st cudaLaunchAttribute;
struct cudaLaunchConfig_st {
    dim3 gridDim, blockDim; size_t dynamicSmemBytes; cudaStream_t stream; cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};
typedef cudaLaunchConfig_st cudaLaunchConfig_t;
struct cudaLaunchParams { void *func; dim3 gridDim, blockDim; void **args; size_t sharedMem; cudaStream_t stream; };
struct cudaDeviceProp {
    char name[256]; cudaUUID_t uuid; char luid[8]; unsigned luidDeviceNodeMask; size_t totalGlobalMem,
    sharedMemPerBlock; int regsPerBlock, warpSize; size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate; size_t totalConstMem; int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode,
    maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear,
        maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3],
    maxTexture3DAlt[3], maxTextureCubemap,
        maxTexture1DLayered[2], maxTexture2DLayered[3], maxTextureCubemapLayered[2], maxSurface1D,
    maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2],
        maxSurface2DLayered[3], maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment; int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver,
    asyncEngineCount, unifiedAddressing, memoryClockRate,
        memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor,
    streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor; int regsPerMultiprocessor, managedMemory, isMultiGpuBoard,
    multiGpuBoardGroupID, hostNativeAtomicSupported,
        singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess,
    computePreemptionSupported, canUseHostPointerForRegisteredMem,
        cooperativeLaunch, cooperativeMultiDeviceLaunch; size_t sharedMemPerBlockOptin; int
    pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost,
        maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize; size_t reservedSharedMemPerBlock; int
    hostRegisterSupported, sparseCudaArraySupported,
        hostRegisterReadOnlySupported, timelineSemaphoreInteropSupported, memoryPoolsSupported,
    gpuDirectRDMASupported; unsigned gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering; unsigned memoryPoolSupportedHandleTypes; int
    deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers;
};
static inline cudaPitchedPtr make_cudaPitchedPtr(void *d, size_t p, size_t x, size_t y) { cudaPitchedPtr s = {d, p,
    x, y}; return s; }
static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { cudaPos p = {x, y, z}; return p; }
static inline cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { cudaExtent e = {w, h, d}; return e; }
