#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: simulate-fixtures.sh CUDALINT NVCC RULE BUILDS: makes the findings in a rule's fixtures happen on the simulated runtime: each
# that shows in a run must be confirmed, and the others must run clean. Programs are kept in the folder BUILDS.
set -euo pipefail
cudalint=$1 nvcc=$2 rule=$3 builds=$4
command -v "$nvcc" >/dev/null || { echo "there is no nvcc here"; exit 77; }
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tools/fixture-findings "$cudalint" "$work/findings" "$rule"
mapfile -t programs < <(printf '%s\n' "fixtures/$rule"/{bad,good}_* | grep -E '/[a-z0-9_]+(\.(cu|c|cpp))?$')
"$cudalint" verify --simulated --strict --nvcc "$nvcc" -j 1 --builds "$builds" "$work/findings"/*.sarif "${programs[@]}"
