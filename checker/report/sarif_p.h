// SPDX-License-Identifier: MIT
// The parts of the SARIF writer, and what they share while one log is built.
#ifndef CUDALINT_REPORT_SARIF_P_H
#define CUDALINT_REPORT_SARIF_P_H

#include "report/json_p.h"
#include "report/line_hash.h"
#include "report/report_p.h"
#include "report/uri.h"

// A path that some location names. Two spellings of one path share the artifact.
typedef struct {
    const char *path; // interned
    const char *uri;
    bool is_relative;         // to the root
    bool is_target;           // given on the command line, not a header
    uint32_t index;           // into run.artifacts
    const SourceFile *source; // NULL if it cannot be read
    LineHashes hashes;        // count 0 until asked for
} SarifFile;

typedef struct {
    Arena *arena;
    const Report *report;
    SourceCache *sources;
    StrPool *paths;
    UriBase base;
    Vec(SarifFile) files;
    uint32_t artifact_count;
    cJSON *notifications; // of the invocation
} Sarif;

// ---- sarif_place.c ----
SarifFile *sarif_file(Sarif *sarif, const char *path);
// A location with its physical place and, unless NULL, a message. `with_context` adds the lines
// around.
cJSON *sarif_location(Sarif *sarif, SrcLoc loc, const char *message, bool with_context);
cJSON *sarif_artifacts(Sarif *sarif);

// ---- sarif_rule.c ----
cJSON *sarif_rules(Sarif *sarif);
// "text." : SARIF wants sentences.
const char *sarif_sentence(Arena *arena, const char *text);

// ---- sarif_result.c ----
cJSON *sarif_result(Sarif *sarif, const Finding *finding);
cJSON *sarif_suppressed_result(Sarif *sarif, const SuppressedFinding *suppressed);

// ---- sarif.c ----
void sarif_notify(Sarif *sarif, const char *level, SrcLoc loc, const char *text);

#endif
