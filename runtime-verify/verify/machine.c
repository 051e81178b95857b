// SPDX-License-Identifier: MIT
// What evidence says of the machine: the toolkit that built the programs, and the driver.
#include "base/source.h"
#include "verify/verify_p.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// "13.0.88", from what `nvcc --version` says: "Cuda compilation tools, release 13.0, V13.0.88".
static const char *toolkit_version(Verify *verify)
{
    const char *log = arena_printf(verify->arena, "%s/nvcc-version", verify->folder);
    const char *const words[] = {verify->options->nvcc, "--version", NULL};
    LaunchRequest request = {.argv = words, .output = log, .timeout_s = 60};
    LaunchResult result;
    launch_run_all(&verify->recorder, &request, &result, 1, 1);
    const SourceFile *said = source_file(source_cache_new(verify->arena), log);
    const char *release = said != NULL ? strstr(said->text, "release ") : NULL;
    const char *version = release != NULL ? strstr(release, ", V") : NULL;
    if (version == NULL) return NULL;
    version += strlen(", V");
    return arena_strndup(verify->arena, version, strspn(version, "0123456789."));
}

// "580.159.04", from the first line of what the kernel's module says of itself.
static const char *driver_version(Verify *verify)
{
    char line[256] = "";
    FILE *in = fopen("/proc/driver/nvidia/version", "r");
    if (in == NULL) return NULL;
    if (fgets(line, sizeof line, in) == NULL) line[0] = '\0';
    fclose(in);
    for (const char *c = line; *c != '\0'; c++) {
        size_t len = strspn(c, "0123456789.");
        bool is_version =
            len > 4 && memchr(c, '.', len) != NULL && (c == line || isspace((unsigned char)c[-1]));
        if (is_version) return arena_strndup(verify->arena, c, len);
    }
    return NULL;
}

void verify_note_machine(Verify *verify)
{
    if (verify->options->evidence == NULL) return;
    verify->toolkit = toolkit_version(verify);
    if (verify->recorder.simulator == NULL) verify->module = driver_version(verify);
}
