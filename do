#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The one entry for people. Each command installs what it lacks (Debian and relatives, by apt), builds, and runs.
set -euo pipefail
called_from=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")"

usage() {
    cat <<'END'
usage: ./do lint [FILE...]   build cudalint and run it (without files: on a small demo with bugs in it)
       ./do install PREFIX   build cudalint and install it: PREFIX/bin/cudalint, manual page, completion, CMake package
       ./do test [--quick]   build and run every test; --quick: without sanitizers, clang-tidy and SARIF's validator
       ./do verify [--simulated] [--kit FOLDER] [SOURCE...]
                                 make the findings in the fixtures happen, on the GPU here or the simulated runtime, and
                                 keep the evidence
       ./do kit FOLDER           what ./do verify needs on a machine that cannot build cudalint
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

install_to() {
    local prefix=${1:?./do install PREFIX} run=()
    prefix=$(cd "$called_from" && realpath -m "$prefix")
    need_for_build
    install_missing
    build release
    mkdir -p "$prefix" 2>/dev/null && [ -w "$prefix" ] || run=(as_root)
    "${run[@]}" cmake --install build-release --prefix "$prefix" >build-release/install.log ||
        die "could not install into $prefix"
    say "installed $prefix/bin/cudalint"
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
    command -v nvcc >/dev/null || say "there is no nvcc here: no fixture is run on the simulated runtime"
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

# ---- verify: the fixtures' findings, made to happen ----

# Every fixture that is a program: a file or a folder.
fixture_programs() {
    printf '%s\n' fixtures/*/{bad,good}_* | grep -E '/[a-z0-9_]+(\.(cu|c|cpp))?$'
}

# What machines need that cannot build this: no libclang, no network.
kit() {
    local folder=${1:?./do kit FOLDER}
    folder=$(cd "$called_from" && realpath -m "$folder")
    need_for_build
    install_missing
    build release
    tools/make-kit build-release "$folder"
    say "on the other machine: ./do verify --kit $folder"
}

# usage: verify [--simulated] [--kit FOLDER] [--builds FOLDER] [SOURCE...]
# Without sources: all fixtures, and the evidence in the tree is replaced.
verify() {
    local kit='' where=() evidence=() sources=() name=gpu runtime work result=0
    work=$(mktemp -d)
    local builds=$work/programs findings=$work/findings
    while :; do
        case ${1:-} in
        --simulated) name=simulated where=(--simulated) ;;
        --kit) kit=$(cd "$called_from" && realpath "$2") && shift ;;
        --builds) builds=$(realpath -m "$2") && shift ;;
        *) break ;;
        esac
        shift
    done
    command -v nvcc >/dev/null || PATH=$PATH:/usr/local/cuda/bin
    command -v nvcc >/dev/null || die "there is no nvcc on the PATH: ./do verify builds the fixtures with it"
    if [ -n "$kit" ]; then
        [ $# -eq 0 ] || die "a kit has the findings of the fixtures only"
        runtime=$kit/cudalint-runtime findings=$kit/findings
        export LD_LIBRARY_PATH=$kit/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    else
        need_for_build
        install_missing
        build release
        runtime=$PWD/build-release/cudalint-runtime
        mkdir "$findings"
        if [ $# -eq 0 ]; then
            tools/fixture-findings "$PWD/build-release/cudalint" "$findings"
        else
            build-release/cudalint -q --notes --exit-zero --format sarif -o "$findings/files.sarif" "$@"
        fi
    fi
    if [ $# -eq 0 ]; then
        evidence=(--strict --evidence "runtime-verify/evidence/$name.jsonl")
        mapfile -t sources < <(fixture_programs)
    else
        sources=("$@")
    fi
    "$runtime" verify "${where[@]}" "${evidence[@]}" --builds "$builds" --html "$work/verify.html" \
        -o "$work/verified.sarif" "$findings"/*.sarif "${sources[@]}" || result=$?
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
install) install_to "$@" ;;
test) test_all "$@" ;;
verify) verify "$@" ;;
kit) kit "$@" ;;
bench) bench "$@" ;;
-h | --help | help) usage ;;
*)
    usage >&2
    exit 2
    ;;
esac
