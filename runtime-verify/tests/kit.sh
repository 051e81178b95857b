#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: kit.sh BUILD NVCC: a kit works in a folder that has nothing but it, ./do and fixtures: on the simulated runtime, with two
# of them.
set -euo pipefail
build=$1 nvcc=$2
command -v "$nvcc" >/dev/null || { echo "there is no nvcc here"; exit 77; }
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bare/fixtures/leak-on-return" "$work/bare/runtime-verify/evidence"
cp -r do tools "$work/bare/"
cp fixtures/leak-on-return/{bad,good}_handle_cublas.cu "$work/bare/fixtures/leak-on-return/"
"$work/bare/tools/make-kit" "$build" "$work/bare/kit" leak-on-return
rm -r "$work/bare/tools"
cd "$work/bare"
env -i PATH="$(dirname "$(command -v "$nvcc")"):/usr/bin:/bin" HOME="$work" ./do verify --simulated --kit kit
grep -c '"verdict":"confirmed"' runtime-verify/evidence/simulated.jsonl | grep -qx 1
grep -c '"verdict":"clean"' runtime-verify/evidence/simulated.jsonl | grep -qx 1
