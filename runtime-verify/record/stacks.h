// SPDX-License-Identifier: MIT
// Stacks: where calls come from. A stack is captured as return addresses and written once; lines
// of source are looked up by the reader, from the files that the modules name.
#ifndef RUNTIME_VERIFY_RECORD_STACKS_H
#define RUNTIME_VERIFY_RECORD_STACKS_H

#include "base/idtable.h"
#include "base/vec.h"
#include "record/writer.h"

#define STACK_DEPTH 48

typedef struct {
    uint64_t pcs[STACK_DEPTH];
    uint32_t count;
} RawStack;

// A loaded file.
typedef struct {
    uint64_t low, high; // addresses that it occupies
    uint64_t bias;      // what is added to the file's own addresses
    const char *name;   // without folders
    bool is_recorder;   // this very library
} Module;

typedef struct {
    Arena *arena;
    Writer *writer;
    IdTable ids; // hash of a stack → number
    Vec(Module) modules;
    uint32_t count;
} Stacks;

// Captures the calling thread's stack. No lock is needed.
void stack_capture(RawStack *stack);
// The number of a stack; what was not seen before is written. The tracker's lock is held.
uint32_t stacks_intern(Stacks *stacks, const RawStack *stack);
// The module that an address lies in, or NULL; written to the records when it is new.
const Module *stacks_module(Stacks *stacks, uint64_t pc);

#endif
