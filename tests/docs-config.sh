#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: tests/docs-config.sh CUDALINT
# What docs/configuration.md and docs/suppressing.md show works: configurations are read, comments silence, messages
# are those printed, and the table of keys is checker/config/config.def.
set -euo pipefail
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
binary=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
    echo "$*"
    failed=1
}
# The lines of all ```LANGUAGE blocks; a line "---" behind each block.
blocks() { awk -v fence="\`\`\`$2" '$0 == fence { on = 1; next } on && $0 == "```" { on = 0; print "---"; next } on' "$root/docs/$1"; }

mkdir "$work/bin" "$work/project"
ln -s "$binary" "$work/bin/cudalint"
export PATH=$work/bin:$PATH
cd "$work/project"
mkdir src .git
printf 'resources: {}\n' >pool.yaml
printf '#include <cuda_runtime.h>\nint f() { float *a; if (cudaMalloc(&a, 4)) return 1; cudaFree(a); return 0; }\n' >src/a.cu

for doc in configuration.md suppressing.md; do
    : >"$work/block.yaml"
    while IFS= read -r line; do
        [ "$line" = --- ] || { printf '%s\n' "$line" >>"$work/block.yaml"; continue; }
        cudalint --config "$work/block.yaml" --print-config src >/dev/null || fail "$doc: a configuration is refused"
        : >"$work/block.yaml"
    done < <(blocks $doc yaml)
done

# The message of a misspelt key, at the place that the page shows.
printf 'notes: true\njobs: 2\n\nfail-no: error\n' >.cudalint.yaml
cudalint src >"$work/out" 2>&1 || true
grep -qF "$(blocks configuration.md text | head -n 1)" "$work/out" || { fail "configuration.md: another message"; cat "$work/out"; }
rm .cudalint.yaml

# The first comment of the page silences, and the message of a misspelt rule is the page's.
{ echo '#include <cuda_runtime.h>'; blocks suppressing.md cuda | sed '/^---/,$d'; } >shown.cu
cudalint shown.cu >"$work/out" 2>&1 || { fail "suppressing.md: the comment does not silence"; cat "$work/out"; }
grep -q '1 suppressed' "$work/out" || { fail "suppressing.md: nothing is silenced"; cat "$work/out"; }
printf '#include <cuda_runtime.h>\nint f()\n{\n    float *a;\n    if (cudaMalloc(&a, 4)) return 1; // cudalint: allow(leek)\n    cudaFree(a);\n    return 0;\n}\n' >a.cu
cudalint a.cu >"$work/out" 2>&1 || true
grep -qF "$(blocks suppressing.md text | head -n 1)" "$work/out" || { fail "suppressing.md: another message"; cat "$work/out"; }

diff <(sed -n 's/^CONFIG_KEY("\([a-z-]*\)".*, "\([^"]*\)")$/\1: \2/p' "$root/checker/config/config.def") \
    <(sed -n 's/^| `\([a-z-]*\)` | [^|]* | \([^|]*\) |$/\1: \2/p' "$root/docs/configuration.md") ||
    fail "configuration.md: the table of keys is not config.def's"
exit "$failed"
