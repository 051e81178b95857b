// SPDX-License-Identifier: MIT
// The only header a rule may include. A rule is a `const Rule rule_<slug>` (dashes become underscores): metadata and
// a callback. The engine finds what happens to each resource on each feasible path and tells it as events; the rule
// decides whether that is a defect and words it. See docs/writing-a-rule.md.
#ifndef CUDALINT_RULE_H
#define CUDALINT_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/loc.h"
#include "finding/finding.h"

typedef enum {
#define EVENT(name, text) name,
#include "engine/events.def"
#undef EVENT
    EV_COUNT
} EventKind;

// How the function (or the loop iteration) is left in EV_LEAK_AT_EXIT.
typedef enum { EXIT_RETURN, EXIT_THROW, EXIT_SCOPE } ExitKind;

// How many lines an event names of others that it speaks for.
#define EVENT_MORE_LINES 4

// What happened to one resource, at one place, on one path. Strings live until the callback returns.
typedef struct {
    EventKind kind;
    SrcLoc loc;             // where it happens: the release, the use, the exit, the overwrite
    const char *name;       // the resource in the user's words: "d_a", "ctx->buf"; never NULL
    const char *kind_title; // "device memory", "stream"; never NULL
    // Function that acquired or lent it ("cudaMalloc"); NULL for variables never assigned.
    const char *acquired_by;
    SrcLoc acquired_at;         // where; invalid for variables never assigned
    const char *release_hint;   // the function that releases such a thing: "cudaFree", or NULL
    bool must_release;          // somebody must release it (false for host heap, borrowed aliases)
    const char *callee;         // the function called at `loc` ("cudaFreeHost"), or NULL
    SrcLoc released_at;         // the first release, of EV_DOUBLE_RELEASE and EV_USE_AFTER_RELEASE
    const char *released_by;    // and its function
    bool released_elsewhere;    // some other path of this function does release the resource
    bool handed_over_elsewhere; // some other path passes it on: returns it or stores it for others
    // Lost by coming round a loop: the next iteration, or leaving the iteration's scope.
    bool in_loop;
    bool is_copy_lost; // of EV_OVERWRITE: a pointer moved past the start of its block
    ExitKind exit;     // of EV_LEAK_AT_EXIT
    SrcLoc other_exit; // another exit on which the same resource is lost; invalid if there is none
    uint32_t exit_count;  // on how many exits it is lost
    const char *expected; // of EV_BAD_ARGUMENT: what was meant ("&p")
    const char *owner;    // of EV_BORROWED_RELEASE: in words, what owns the memory, or NULL
    // of events about work in flight
    SrcLoc work_at;      // where it was queued
    const char *work_by; // the kernel or function
    bool work_is_kernel;
    bool work_creates;  // it is the stream-ordered allocation itself
    bool work_writes;   // it writes the memory; else it reads it, or may do either
    bool access_writes; // the host, or the copy, writes; else it reads
    bool may_move;      // of EV_BUFFER_ENDS: the container's elements move where they find no room
    const char *refit_by; // of EV_BUFFER_ENDS: the container's method that moves them, or NULL
    const char
        *block_bytes;       // of EV_BEYOND_BLOCK: the size of the block, in the words of the source
    const char *used_bytes; // and what the call uses
    bool is_host;           // of EV_COPY_DIRECTION: it is memory of the host
    bool driver_waits;      // today's driver is known to wait, though no document promises it
    SrcLoc inside; // where a function called at `loc` does it; invalid: `loc` itself does it
    SrcLoc acquired_inside;     // likewise of `acquired_at`
    const char *class_name;     // of members: the class they are in, else NULL
    SrcLoc destructor_at;       // and its destructor; invalid if it has none
    bool is_copy_defaulted;     // of EV_COPYABLE_OWNER: a copy is declared `= default`
    bool is_assignment_written; // likewise: the class has an assignment of its own
    SrcLoc copied_at; // of EV_COPYABLE_OWNER: where an object is copied; invalid: nowhere seen
    // Events that say the same of things of this name acquired elsewhere, and are not told: messages end with them.
    uint32_t more;
    uint32_t
        more_lines[EVENT_MORE_LINES]; // lines where the first of them were acquired; 0: no more
} Event;

typedef struct RuleContext RuleContext;

typedef struct {
    const char *slug;      // "leak-on-return": the rule's name everywhere
    const char *title;     // one line, no full stop
    const char *category;  // "lifetime", "ownership", "sync", "misuse", "handles", "managed"
    Severity severity;     // by default
    const char *precision; // "very-high", "high", "medium": SARIF's property
    const char *since;     // version that brought it
    int cwe;               // 0: none
    const char *guideline; // NVIDIA's CUDA C++ guideline ("DIRECTIVE-1.2"), or NULL
    uint32_t wants;        // mask of EV_BIT(kind)
    void (*on_event)(RuleContext *context, const Event *event);
} Rule;

#define EV_BIT(kind) (UINT32_C(1) << (kind))

// Reports a defect at `loc`, worded like printf. The event's path and function are attached, and the rule's severity
// as the user set it.
void rule_report(RuleContext *context, const Event *event, SrcLoc loc, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// The same for what is less grave than the rule's other findings: at that severity, unless the user set one for the
// rule.
void rule_report_as(RuleContext *context, Severity severity, const Event *event, SrcLoc loc,
                    const char *format, ...) __attribute__((format(printf, 5, 6)));

// Words of a message, printf-style; they live as long as the finding.
const char *rule_text(RuleContext *context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// The work in flight in words: "'k' (line 12)", with the file where it is another one than the event's.
const char *rule_work_text(RuleContext *context, const Event *event);

#endif
