#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The one entry for people. Each command installs what it lacks (Debian and relatives, by apt), builds, and runs.
set -euo pipefail
called_from=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")"

usage() {
    cat <<'END'
usage: ./do lint [FILE...]   build cudalint and run it (without files: on a small demo with bugs in it)
       ./do test [--quick]   build and run every test; --quick: without sanitizers, clang-tidy and SARIF's validator
       ./do verify [SOURCE...]   on a machine with a GPU: make the findings in the fixtures happen, and keep the evidence
       ./do bench [FOLDER]   compare speed and memory with clang on a checkout of NVIDIA's cuda-samples
END
}

say() { printf '==> %s\n' "$*" >&2; }
die() { printf 'do: %s\n' "$*" >&2; exit 2; }

# ---- what is needed, and how to see that it is there ----

# need COMMAND-OR-FILE... -- PACKAGE: adds PACKAGE to `missing` when one of the former is not there.
missing=()
need() {
    local package=${*: -1} thing
    for thing in "${@:1:$#-2}"; do
        case $thing in
        /*) [ -e "$thing" ] || { missing+=("$package"); return 0; } ;;
        *.pc) pkg-config --exists "${thing%.pc}" 2>/dev/null || { missing+=("$package"); return 0; } ;;
        *) command -v "$thing" >/dev/null || { missing+=("$package"); return 0; } ;;
        esac
    done
}

has_libclang() {
    local version
    for version in 19 18 17 20 21; do
        [ -e "/usr/lib/llvm-$version/include/clang-c/Index.h" ] && return 0
    done
    return 1
}

need_for_build() {
    need gcc g++ -- g++
    need cmake -- cmake
    need ninja -- ninja-build
    need pkg-config -- pkg-config
    has_libclang || missing+=(libclang-19-dev)
    need libcjson.pc -- libcjson-dev
    need yaml-0.1.pc -- libyaml-dev
    need libxxhash.pc -- libxxhash-dev
    need /usr/include/uthash.h -- uthash-dev
    need libdw.pc -- libdw-dev
}

need_for_test() {
    need cmocka.pc -- libcmocka-dev
    need git -- git
}

need_for_full_test() {
    need clang-format-19 -- clang-format-19
    need clang-tidy-19 -- clang-tidy-19
    need pre-commit -- pre-commit
    need node -- nodejs
    need npm -- npm
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

install_missing() {
    [ ${#missing[@]} -ne 0 ] || return 0
    command -v apt-get >/dev/null || die "please install: ${missing[*]} (there is no apt-get here to do it)"
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        die "please install as root: apt-get install ${missing[*]}"
    fi
    say "installing ${missing[*]}"
    as_root apt-get update -q >&2
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" >&2
    missing=()
}

# ---- building ----

# build PRESET: says nothing when there is nothing to do or all goes well.
build() {
    local folder log
    folder=$([ "$1" = dev ] && echo build || echo "build-$1")
    mkdir -p "$folder"
    log=$folder/do.log
    [ -e "$folder/cudalint" ] || say "building $folder/cudalint"
    if ! { cmake --preset "$1" && cmake --build --preset "$1" -j "$(nproc)"; } >"$log" 2>&1; then
        cat "$log" >&2
        printf 'do: the build failed (preset %s)\n' "$1" >&2
        return 2
    fi
}

# ---- commands ----

lint() {
    need_for_build
    install_missing
    build release
    local binary=$PWD/build-release/cudalint
    if [ $# -eq 0 ]; then
        set -- fixtures/leak-on-return/bad_second_alloc_fails.cu
        say "a demo: build-release/cudalint $1"
    else
        cd "$called_from" # files are named from there
    fi
    exec "$binary" "$@"
}

# step NAME COMMAND...: a failure is remembered, and the next step done all the same.
failed=()
step() {
    say "$1"
    "${@:2}" || failed+=("$1")
}

test_all() {
    local quick=false
    [ "${1:-}" = --quick ] && quick=true
    need_for_build
    need_for_test
    $quick || need_for_full_test
    install_missing
    step "the build with warnings as errors" build ci
    step "every test" ctest --preset ci
    if ! $quick; then
        step "the build with sanitizers" build asan
        step "tests under AddressSanitizer and UndefinedBehaviorSanitizer" ctest --preset asan
        step "clang-tidy" tools/check-tidy build-ci
        step "the pre-commit hook, which builds its own cudalint" tests/pre-commit.sh build-ci --build
        step "SARIF against the schema and GitHub's rules" tools/check-sarif build-ci
    fi
    [ ${#failed[@]} -eq 0 ] || die "failed: $(printf '%s; ' "${failed[@]}")"
    say "all tests passed"
}

# The fixtures' findings on the GPU here. Without sources: all fixtures, and the evidence in the tree is replaced.
verify() {
    need_for_build
    install_missing
    command -v nvcc >/dev/null || die "there is no nvcc on the PATH: ./do verify builds the fixtures with it"
    build release
    local binary=$PWD/build-release/cudalint evidence=() work result=0
    work=$(mktemp -d)
    if [ $# -eq 0 ]; then
        mkdir -p runtime-verify/evidence
        evidence=(--evidence runtime-verify/evidence/gpu.jsonl)
        set -- fixtures/*/{bad,good}_*.cu
    fi
    "$binary" -q --notes --exit-zero --format sarif -o "$work/findings.sarif" "$@"
    "$binary" verify "${evidence[@]}" --html "$work/verify.html" -o "$work/verified.sarif" "$work/findings.sarif" "$@" ||
        result=$?
    say "the page: $work/verify.html, the findings with verdicts: $work/verified.sarif"
    return $result
}

bench() {
    need_for_build
    need hyperfine -- hyperfine
    need clang-19 -- clang-19
    need /usr/bin/time -- time
    install_missing
    build release
    local tool=$PWD/tools/bench binary=$PWD/build-release/cudalint
    cd "$called_from"
    exec "$tool" "$binary" "$@"
}

command=${1:-}
[ $# -eq 0 ] || shift
case $command in
lint) lint "$@" ;;
test) test_all "$@" ;;
verify) verify "$@" ;;
bench) bench "$@" ;;
-h | --help | help) usage ;;
*)
    usage >&2
    exit 2
    ;;
esac
