// SPDX-License-Identifier: MIT
// What library functions do to resources, as data: read from YAML (embedded data/*.yaml, --model
// files) and asked by the engine. No CUDA function name occurs in C code. The vocabulary is
// documented in docs/models.md.
#ifndef CUDALINT_MODEL_MODEL_H
#define CUDALINT_MODEL_MODEL_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Model Model;

// A kind of thing that is acquired and must be released: "device_memory", "stream", ...
typedef struct {
    const char *name;         // key in YAML
    const char *title;        // for messages: "device memory", "stream"
    const char *release_hint; // the function to call, for messages: "cudaFree"; NULL when borrowed
    bool must_release;        // false: nobody is blamed for keeping it (host heap), but wrong
                              // releases of it are seen
    bool borrowed;            // an alias that has another owner: releasing it is an error
    bool is_memory;           // points to bytes (pointer arithmetic, offsets), not a handle
    bool host_accessible;     // the host may dereference it
    bool device_accessible;   // kernels may dereference it
    bool released_by_reset;   // a device reset takes it
    bool is_counted;          // references are counted: releasing it twice may be right
    bool is_pinned;           // host memory that the driver locked: copies need no staging
    bool defers_work;         // attached to a stream: what is queued there meanwhile does not run
    bool is_stream_ordered;   // its release waits for no work in flight (cudaMallocAsync memory)
    uint32_t same_as;         // kind whose releasing functions fit this one too, or UINT32_MAX
    bool is_project;          // from a --model file
    const char *file;         // YAML file it came from
    uint32_t line, column;
} ModelResource;

// ModelSlot.arg of the object of a method, and of a slot that names nothing.
#define MODEL_SLOT_THIS (-1)
#define MODEL_SLOT_NONE INT32_MIN

// Which object a role speaks of. Arguments are counted as written, from 1, without the object of a
// method.
typedef struct {
    int arg;           // 1.. an argument, 0 the result, MODEL_SLOT_THIS, MODEL_SLOT_NONE
    bool pointee;      // what the argument points to, not its value
    bool elements;     // with pointee: every element of the array it points to
    const char *field; // field of that object ("ptr" of cudaPitchedPtr), inner ones with dots
                       // ("srcPtr.ptr"), or NULL
} ModelSlot;

typedef enum {
    MODEL_ACQUIRE,     // on success the slot holds a new `resource`
    MODEL_RELEASE,     // releases what the slot holds, one of `resources`
    MODEL_BORROW,      // on success the slot holds an alias of kind `resource` (borrowed = true),
                       // owned by `owner` or nobody
    MODEL_RELEASE_ALL, // every live resource with released_by_reset is gone
    MODEL_ATTACH,      // acquires `resource` on the existing pointer in the slot (cudaHostRegister)
    MODEL_DETACH,      // releases such an attachment
    MODEL_USE_READ,    // the call or the work it queues reads the memory in the slot, or uses the
                       // handle in it
    MODEL_USE_WRITE,   // ... writes the memory
    MODEL_WRITE_OUT,   // stores a plain value through the slot: what was known of it is gone
    MODEL_KEEP,        // the callee keeps the pointer: the caller is no longer the only owner
    MODEL_COPY,        // copies bytes: the contents of `from` go to the slot (memcpy of structs
                       // that hold pointers)
    MODEL_CLEAR_ELEMENTS, // elements held by the container in the slot die (vector::clear)
    MODEL_SIZE,           // the result is the number of elements of the container in the slot
    MODEL_EMPTY,          // the result tells whether the container in the slot is empty
    MODEL_MAPPED,         // the slot is, or refers to, what a map's element holds beside its key
    MODEL_DROP_ELEMENTS,  // one or some elements of the container die, not all (vector::pop_back)
    MODEL_GROW,     // the container gets more elements: without room for them all move elsewhere
    MODEL_RESERVE,  // the container has room from then on, so that it does not move when it grows
    MODEL_REPLACE,  // the container takes the memory of the object given as `&&`: its own ends
    MODEL_EXCHANGE, // the container's memory lives on in another one
} ModelEffectKind;

// When the work of a call happens, seen from the host and from streams.
typedef enum {
#define ORDER(name, text, meaning) name,
#include "model/order.def"
#undef ORDER
} ModelOrder;

typedef struct {
    ModelEffectKind kind;
    ModelSlot slot;
    uint32_t resource;       // acquire, borrow, attach, detach: index of the kind, else UINT32_MAX
    Vec(uint32_t) resources; // release: kinds this function rightly releases
    ModelSlot owner;         // borrow: whose alias it is; arg = MODEL_SLOT_NONE when nobody's
    ModelSlot from;          // copy
    bool on_success;         // release, detach: only when the call succeeds (realloc)
    bool by_condition;       // release only if a flag argument says so; not in the vocabulary yet
} ModelEffect;

typedef enum {
    MODEL_RESULT_OTHER,   // says nothing about success: the engine takes it to succeed
    MODEL_RESULT_STATUS,  // 0 is success
    MODEL_RESULT_POINTER, // non-null is success
} ModelResult;

// Whether the result is the error that earlier calls left behind, rather than the call's own.
typedef enum {
    MODEL_LAST_ERROR_NONE,
    MODEL_LAST_ERROR_PEEK, // returns it
    MODEL_LAST_ERROR_TAKE, // returns it and forgets it
} ModelLastError;

// ModelFunction.stream_arg of calls that work on the default stream.
#define MODEL_STREAM_DEFAULT (-1)

// At most so many arguments are multiplied for the number of bytes.
#define MODEL_BYTES_FACTORS 2

// Value of a direction argument: both sides are device memory, so that the host does not wait.
#define MODEL_DEVICE_TO_DEVICE 3

typedef struct {
    const char *name; // qualified, as IrCallee.qualified
    ModelResult result;
    // This entry applies to calls with that many arguments as written, without the object of a
    // method (0, INT32_MAX: any).
    int min_args, max_args;
    Vec(ModelEffect) effects; // in the order in which they happen
    bool null_ok;             // releasing null does nothing
    bool null_on_failure;     // a failed acquisition stores null
    bool null_when_released;  // the variable whose address a release is given holds null afterwards
    bool recorded_elsewhere;  // the event that it makes or exports is recorded where nobody looks
    bool unset;               // what it allocates holds no values yet
    ModelLastError last_error;
    ModelOrder order; // ORDER_NONE unless the entry says otherwise
    // 1.. the argument that is the stream (the default stream where it is left out);
    // MODEL_STREAM_DEFAULT; 0: none.
    int stream_arg;
    const char *stream_field; // the stream is this field of what the argument points to, or NULL
    // 1.. the argument that is a library's handle, whose stream the call works on, or sets; 0: none
    int handle_arg;
    int kernel_arg;        // 1.. of a launch: the argument that is the kernel's address; 0: none
    int kernel_array_arg;  // and the one that points to the addresses of its arguments, or
    int kernel_values_arg; // the first of its arguments
    int event_arg;         // 1.. the argument that is the event; 0: none
    int nonblocking_arg; // 1.. of a call that makes a stream: its flags, whose lowest bit makes it one
                         // that does not wait for the legacy default stream; 0: it does wait
    int bytes_args
        [MODEL_BYTES_FACTORS]; // 1.. arguments whose product is the number of bytes that the
                               // call acquires, reads or writes; 0: none
    int graph_arg;     // 1.. of what launches a graph, or makes one of it: the graph; 0: none
    int elements_arg;  // 1.. of what grows: how many elements there are then; 0: more
    int fill_arg;      // 1.. the byte that it sets everything to; 0: none
    int direction_arg; // 1.. the argument that says from where to where it copies; 0: none
    int64_t not_ready; // result of a query that finds work unfinished; 0: not said
    // First and last toolkit that has it, as CUDART_VERSION counts (11020 is 11.2); 0: not said.
    int since, until;
    const char *note; // one sentence for people, or NULL
    bool is_project;  // from a --model file: it speaks for functions whose body is seen, too
    const char *file; // YAML file it came from
    int line;
} ModelFunction;

// A library beside the runtime and the driver: its functions are those whose names start with its
// own. Recorders wrap them, as CUPTI does not tell of their calls.
typedef struct {
    const char *name;       // "cublas"
    int64_t out_of_memory;  // the status of an acquisition that is made to fail
    int64_t invalid_handle; // and that of a call that is given what was released
} ModelLibrary;

// Creates a model with the embedded data, allocated in `arena`. Aborts if that is malformed (a bug:
// a test loads it).
Model *model_new(Arena *arena);
// An empty model: for tests and for tools that check one file.
Model *model_new_empty(Arena *arena);
// Adds functions and resources from a YAML file or text; one that is there already is replaced.
// Errors carry file:line:column, and leave the model as it was but for the entries before the
// error. Text and names are copied.
Status model_load_file(Model *model, const char *path, Err *err);
Status model_load_text(Model *model, const char *name, const char *text, size_t len, Err *err);

// Tells of kinds of a project's files that nobody acquires, or whose releasing function releases
// nothing: such an entry has no effect, which is certain to be a mistake. To be asked when all files are loaded.
void model_check_project(const Model *model, void (*tell)(void *context, const char *text),
                         void *context);

// The entry for a call of the function with `arg_count` arguments (the object of a method not
// counted), or NULL. The versioned names of the toolkit (suffixes _v2, _v3, ..., _ptds, _ptsz) are
// those of the plain function unless they have an entry of their own, and the inline namespaces of
// std (std::__cxx11, std::__1) are std.
const ModelFunction *model_find(const Model *model, const char *qualified, int arg_count);

const ModelResource *model_resource(const Model *model, uint32_t index);
uint32_t model_resource_count(const Model *model);
// Index of a resource kind, or UINT32_MAX.
uint32_t model_resource_find(const Model *model, const char *name);
uint32_t model_function_count(const Model *model);
const ModelFunction *model_function_at(const Model *model, uint32_t index);
// The library that has the function, or NULL.
const ModelLibrary *model_library_of(const Model *model, const char *function);
// The words of the vocabulary: "acquires", "sync-device".
const char *model_effect_text(ModelEffectKind kind);
const char *model_order_text(ModelOrder order);
// Hash of everything loaded, for cache keys.
uint64_t model_fingerprint(const Model *model);

#endif
