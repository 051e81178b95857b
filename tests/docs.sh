#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: tests/docs.sh CUDALINT DOCUMENT...
# Runs every line that begins with `cudalint` in the documents' ```bash blocks, and every `- cudalint` or `run: cudalint`
# of their ```yaml blocks, in a small project of the layout they speak of. What a command is piped into is left out, as
# it need not be here, and so are commands that run a program on a GPU. None may exit with 2.
set -euo pipefail
binary=$(realpath "$1")
shift
documents=()
for document; do documents+=("$(realpath "$document")"); done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/project/src" "$work/project/include"
ln -s "$binary" "$work/bin/cudalint"
PATH=$work/bin:$PATH
cd "$work/project"
cat >src/train.cu <<'END'
int train(int n)
{
    float *a = nullptr;
    if (cudaMalloc(&a, n * sizeof *a) != cudaSuccess) return 1;
    return 0;
}
END
cp src/train.cu src/app.cu
cat >pool.yaml <<'END'
resources:
  pool_block: {title: pool block, release: poolFree, memory: true, device: true}
functions:
  poolAlloc: {result: pointer, acquires: {0: pool_block}}
  poolFree:  {releases: {1: pool_block}, null_ok: true}
END
mkdir build
printf '[{"directory": "%s", "file": "src/train.cu", "command": "nvcc -c src/train.cu"}]\n' "$PWD" >build/compile_commands.json
git init -q .
git add . && git -c user.name=t -c user.email=t@example.invalid commit -q -m start
git update-ref refs/remotes/origin/main HEAD
echo 'notes: true' >ci.yaml

commands() {
    awk '/^```/ { kind = $0; next }
         kind == "```bash" && /^cudalint / && !/^cudalint (watch|verify) / { print }
         kind == "```yaml" && /(- |run: )cudalint / { sub(/^.*(- |run: )/, ""); print }' "$@" | sed 's/ *# .*//; s/ | .*//'
}

count=0
while IFS= read -r command; do
    count=$((count + 1))
    code=0
    bash -c "$command" >out 2>&1 || code=$?
    if [ "$code" -gt 1 ]; then
        echo "docs: '$command' exited with $code:"
        cat out
        exit 1
    fi
done < <(commands "${documents[@]}")
[ "$count" -gt 0 ] || { echo "docs: no commands found"; exit 1; }
echo "$count commands"
