// SPDX-License-Identifier: MIT
// Arrays, textures, pools, graphs by hand, devices, and what is not simulated: the runtime's
// functions, called from C.
#include <cuda_runtime_api.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const struct cudaChannelFormatDesc bytes4 = {8, 8, 8, 8, cudaChannelFormatKindUnsigned};

static void arrays_keep_what_is_copied(void **state)
{
    (void)state;
    enum { WIDTH = 5, HEIGHT = 3, BYTES = WIDTH * 4 };
    cudaArray_t array = NULL;
    char there[HEIGHT][BYTES];
    char back[HEIGHT][BYTES] = {""};
    for (int i = 0; i < HEIGHT * BYTES; i++) there[i / BYTES][i % BYTES] = (char)i;
    assert_int_equal(cudaMallocArray(&array, &bytes4, WIDTH, HEIGHT, 0), cudaSuccess);
    assert_int_equal(
        cudaMemcpy2DToArray(array, 0, 0, there, BYTES, BYTES, HEIGHT, cudaMemcpyHostToDevice),
        cudaSuccess);
    assert_int_equal(
        cudaMemcpy2DFromArray(back, BYTES, array, 0, 0, BYTES, HEIGHT, cudaMemcpyDeviceToHost),
        cudaSuccess);
    assert_memory_equal(there, back, sizeof there);
    assert_int_equal(cudaFreeArray(array), cudaSuccess);
    assert_int_equal(cudaFreeArray(array), cudaErrorInvalidResourceHandle);
}

static void levels_belong_to_their_mipmapped_array(void **state)
{
    (void)state;
    cudaMipmappedArray_t mipmapped = NULL;
    cudaArray_t level = NULL;
    struct cudaExtent extent = {8, 8, 0};
    assert_int_equal(cudaMallocMipmappedArray(&mipmapped, &bytes4, extent, 2, 0), cudaSuccess);
    assert_int_equal(cudaGetMipmappedArrayLevel(&level, mipmapped, 1), cudaSuccess);
    assert_int_equal(cudaArrayGetInfo(NULL, &extent, NULL, level), cudaSuccess);
    assert_int_equal(extent.width, 4);
    assert_int_equal(cudaGetMipmappedArrayLevel(&level, mipmapped, 2), cudaErrorInvalidValue);
    assert_int_equal(cudaFreeMipmappedArray(mipmapped), cudaSuccess);
    assert_int_equal(cudaArrayGetInfo(NULL, &extent, NULL, level), cudaErrorInvalidResourceHandle);
}

static void textures_need_what_they_read(void **state)
{
    (void)state;
    cudaArray_t array = NULL;
    cudaTextureObject_t texture = 0;
    cudaSurfaceObject_t surface = 0;
    struct cudaTextureDesc description = {.normalizedCoords = 1};
    struct cudaTextureDesc seen;
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray};
    assert_int_equal(cudaMallocArray(&array, &bytes4, 4, 4, 0), cudaSuccess);
    resource.res.array.array = array;
    assert_int_equal(cudaCreateTextureObject(&texture, &resource, &description, NULL), cudaSuccess);
    assert_int_equal(cudaCreateSurfaceObject(&surface, &resource), cudaSuccess);
    assert_int_equal(cudaGetTextureObjectTextureDesc(&seen, texture), cudaSuccess);
    assert_int_equal(seen.normalizedCoords, 1);
    assert_int_equal(cudaDestroyTextureObject(texture), cudaSuccess);
    assert_int_equal(cudaDestroyTextureObject(texture), cudaSuccess); // measured
    assert_int_equal(cudaGetTextureObjectTextureDesc(&seen, texture), cudaErrorInvalidValue);
    assert_int_equal(cudaDestroySurfaceObject(surface), cudaSuccess);
    assert_int_equal(cudaFreeArray(array), cudaSuccess);
    assert_int_equal(cudaCreateTextureObject(&texture, &resource, &description, NULL),
                     cudaErrorInvalidResourceHandle);
}

static void pools_are_made_and_chosen(void **state)
{
    (void)state;
    cudaMemPool_t pool = NULL;
    cudaMemPool_t standard = NULL;
    cudaMemPool_t current = NULL;
    void *memory = NULL;
    struct cudaMemPoolProps properties = {.allocType = cudaMemAllocationTypePinned,
                                          .location = {.type = cudaMemLocationTypeDevice, .id = 0}};
    assert_int_equal(cudaMemPoolCreate(&pool, &properties), cudaSuccess);
    assert_int_equal(cudaDeviceGetDefaultMemPool(&standard, 0), cudaSuccess);
    assert_int_equal(cudaMemPoolDestroy(standard), cudaErrorInvalidValue);
    assert_int_equal(cudaDeviceSetMemPool(0, pool), cudaSuccess);
    assert_int_equal(cudaDeviceGetMemPool(&current, 0), cudaSuccess);
    assert_ptr_equal(current, pool);
    assert_int_equal(cudaMallocAsync(&memory, 100, NULL), cudaSuccess);
    uint64_t used = 0;
    assert_int_equal(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used),
                     cudaSuccess);
    assert_int_equal(used, 100);
    assert_int_equal(cudaMemPoolDestroy(pool), cudaSuccess);
    assert_int_equal(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
    assert_int_equal(cudaDeviceGetMemPool(&current, 0), cudaSuccess);
    assert_ptr_equal(current, standard);
    assert_int_equal(cudaFreeAsync(memory, NULL), cudaSuccess);
}

static void graphs_are_built_by_hand(void **state)
{
    (void)state;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    cudaGraphNode_t set = NULL;
    cudaGraphNode_t copy = NULL;
    char *pinned = NULL;
    cudaMallocHost((void **)&pinned, 8);
    memset(pinned, 0, 8);
    struct cudaMemsetParams parameters = {
        .dst = pinned, .value = 5, .elementSize = 1, .width = 4, .height = 1};
    assert_int_equal(cudaGraphCreate(&graph, 0), cudaSuccess);
    assert_int_equal(cudaGraphAddMemcpyNode1D(&copy, graph, NULL, 0, pinned + 4, pinned, 4,
                                              cudaMemcpyHostToHost),
                     cudaSuccess);
    assert_int_equal(cudaGraphAddMemsetNode(&set, graph, NULL, 0, &parameters), cudaSuccess);
    assert_int_equal(cudaGraphAddDependencies(graph, &set, &copy, NULL, 1), cudaSuccess);
    assert_int_equal(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    assert_int_equal(cudaGraphLaunch(exec, NULL), cudaSuccess);
    assert_int_equal(pinned[7], 0);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    assert_int_equal(pinned[7], 5);
    size_t count = 0;
    assert_int_equal(cudaGraphGetNodes(graph, NULL, &count), cudaSuccess);
    assert_int_equal(count, 2);
    assert_int_equal(cudaGraphExecDestroy(exec), cudaSuccess);
    assert_int_equal(cudaGraphDestroy(graph), cudaSuccess);
    cudaFreeHost(pinned);
}

static int destroyed;
static void count_destruction(void *data)
{
    (void)data;
    destroyed++;
}

static void user_objects_are_counted(void **state)
{
    (void)state;
    cudaUserObject_t object = NULL;
    assert_int_equal(
        cudaUserObjectCreate(&object, NULL, count_destruction, 1, cudaUserObjectNoDestructorSync),
        cudaSuccess);
    assert_int_equal(cudaUserObjectRetain(object, 1), cudaSuccess);
    assert_int_equal(cudaUserObjectRelease(object, 1), cudaSuccess);
    assert_int_equal(destroyed, 0);
    assert_int_equal(cudaUserObjectRelease(object, 1), cudaSuccess);
    assert_int_equal(destroyed, 1);
    assert_int_equal(cudaUserObjectRelease(object, 1), cudaErrorInvalidValue);
}

static void graphs_keep_user_objects(void **state)
{
    (void)state;
    cudaUserObject_t object = NULL;
    cudaGraph_t graph = NULL;
    cudaGraph_t clone = NULL;
    cudaGraphExec_t exec = NULL;
    destroyed = 0;
    assert_int_equal(
        cudaUserObjectCreate(&object, NULL, count_destruction, 1, cudaUserObjectNoDestructorSync),
        cudaSuccess);
    assert_int_equal(cudaGraphCreate(&graph, 0), cudaSuccess);
    assert_int_equal(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove),
                     cudaSuccess);
    assert_int_equal(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    assert_int_equal(cudaGraphClone(&clone, graph), cudaSuccess);
    assert_int_equal(cudaGraphReleaseUserObject(graph, object, 2), cudaErrorInvalidValue);
    assert_int_equal(cudaGraphDestroy(graph), cudaSuccess);
    assert_int_equal(cudaGraphDestroy(clone), cudaSuccess);
    assert_int_equal(destroyed, 0);
    assert_int_equal(cudaGraphExecDestroy(exec), cudaSuccess);
    assert_int_equal(destroyed, 1);
}

static void settings_are_kept(void **state)
{
    (void)state;
    size_t value = 0;
    unsigned flags = 0;
    char id[16] = "";
    assert_int_equal(cudaDeviceGetLimit(&value, cudaLimitStackSize), cudaSuccess);
    assert_int_equal(value, 1024);
    assert_int_equal(cudaDeviceSetLimit(cudaLimitStackSize, 4096), cudaSuccess);
    assert_int_equal(cudaDeviceGetLimit(&value, cudaLimitStackSize), cudaSuccess);
    assert_int_equal(value, 4096);
    assert_int_equal(cudaDeviceSetLimit((enum cudaLimit)99, 1), cudaErrorUnsupportedLimit);
    assert_int_equal(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync), cudaSuccess);
    assert_int_equal(cudaGetDeviceFlags(&flags), cudaSuccess);
    assert_int_equal(flags, cudaDeviceScheduleBlockingSync);
    assert_int_equal(cudaDeviceGetPCIBusId(id, sizeof id, 1), cudaSuccess);
    assert_string_equal(id, "0000:02:00.0");
}

static void there_are_as_many_devices_as_asked_for(void **state)
{
    (void)state;
    int count = 0;
    int device = -1;
    int can = 0;
    assert_int_equal(cudaGetDeviceCount(&count), cudaSuccess);
    assert_int_equal(count, 3);
    assert_int_equal(cudaSetDevice(3), cudaErrorInvalidDevice);
    assert_int_equal(cudaSetDevice(-1), cudaErrorInvalidDevice);
    assert_int_equal(cudaSetDevice(2), cudaSuccess);
    assert_int_equal(cudaGetDevice(&device), cudaSuccess);
    assert_int_equal(device, 2);
    assert_int_equal(cudaDeviceCanAccessPeer(&can, 0, 2), cudaSuccess);
    assert_int_equal(can, 1);
    assert_int_equal(cudaDeviceEnablePeerAccess(0, 0), cudaSuccess);
    assert_int_equal(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessAlreadyEnabled);
    assert_int_equal(cudaDeviceDisablePeerAccess(0), cudaSuccess);
    assert_int_equal(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
    assert_int_equal(cudaDeviceEnablePeerAccess(2, 0), cudaErrorPeerAccessUnsupported);
    assert_int_equal(cudaSetDevice(0), cudaSuccess);
}

static void an_event_belongs_to_its_device(void **state)
{
    (void)state;
    cudaEvent_t event = NULL;
    cudaStream_t stream = NULL;
    assert_int_equal(cudaEventCreate(&event), cudaSuccess);
    assert_int_equal(cudaSetDevice(1), cudaSuccess);
    assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
    assert_int_equal(cudaEventRecord(event, stream), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaSetDevice(0), cudaSuccess);
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
    assert_int_equal(cudaEventDestroy(event), cudaSuccess);
}

static void attributes_tell_of_the_device(void **state)
{
    (void)state;
    struct cudaDeviceProp properties;
    int value = 0;
    assert_int_equal(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
    assert_int_equal(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0), cudaSuccess);
    assert_int_equal(value, 1024);
    assert_int_equal(value, properties.maxThreadsPerBlock);
    assert_int_equal(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 9),
                     cudaErrorInvalidDevice);
}

static void what_is_not_simulated_fails(void **state)
{
    (void)state;
    cudaGetLastError();
    assert_int_equal(cudaLogsCurrent(NULL, 0), cudaErrorNotSupported);
    assert_int_equal(cudaGetLastError(), cudaErrorNotSupported);
}

int main(void)
{
    setenv("CUDALINT_SIM_DEVICES", "3", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_keep_what_is_copied),
        cmocka_unit_test(levels_belong_to_their_mipmapped_array),
        cmocka_unit_test(textures_need_what_they_read),
        cmocka_unit_test(pools_are_made_and_chosen),
        cmocka_unit_test(graphs_are_built_by_hand),
        cmocka_unit_test(user_objects_are_counted),
        cmocka_unit_test(graphs_keep_user_objects),
        cmocka_unit_test(settings_are_kept),
        cmocka_unit_test(there_are_as_many_devices_as_asked_for),
        cmocka_unit_test(an_event_belongs_to_its_device),
        cmocka_unit_test(attributes_tell_of_the_device),
        cmocka_unit_test(what_is_not_simulated_fails),
    };
    return cmocka_run_group_tests_name("sim api: things", tests, NULL, NULL);
}
