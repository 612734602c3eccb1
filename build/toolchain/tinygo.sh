#!/usr/bin/env bash
# tinygo.sh: puts a working TinyGo into the machine's cache, for smaller WebAssembly.
#
# Usage: build/toolchain/tinygo.sh [--release-only]
#
# Three ways, in this order; the first that works is taken:
#   1. a TinyGo on the PATH, or one that an earlier run left in the cache, if it is a version of tinygo.sums;
#   2. the official release archive, unpacked (no root needed, wants the internet);
#   3. built from its Go module against Debian's LLVM (apt and, for missing packages, root).
# --release-only leaves the third out. The site builds without TinyGo too, with larger files. What is
# fetched must have the checksum of tinygo.sums.
#
# LLMSIZE_CACHE  where to put it; else XDG_CACHE_HOME/llmsize, else ~/.cache/llmsize
#
# Standard output: the path of the command. Standard error: one line for each step.
set -euo pipefail

llvm=19
releases=https://github.com/tinygo-org/tinygo/releases/download

say() { echo "tinygo: $*" >&2; }
fail() { say "$*"; exit 1; }

top=$(cd "$(dirname "$0")/../.." && pwd)
if [ -n "${LLMSIZE_CACHE:-}" ]; then cache=$LLMSIZE_CACHE
elif [ -n "${XDG_CACHE_HOME:-}" ]; then cache=$XDG_CACHE_HOME/llmsize
elif [ -n "${HOME:-}" ]; then cache=$HOME/.cache/llmsize
else cache=$top/.cache; fi
work=

# pinned prints version and checksum of what TinyGo comes as: linux-amd64, …, module.
pinned() { awk -v what="$1" '$2 == what { print $1, $3 }' "$(dirname "$0")/tinygo.sums"; }

# works says whether a command is a TinyGo of a version of tinygo.sums.
works() {
  local said
  said=$("$1" version 2>/dev/null) || return 1
  said=${said#tinygo version }
  awk -v version="${said%% *}" '!/^#/ && $1 == version { found = 1 } END { exit !found }' "$(dirname "$0")/tinygo.sums"
}

found() {
  local kept newest=
  if command -v tinygo >/dev/null; then
    if works tinygo; then
      say "$(tinygo version) is on the PATH"
      command -v tinygo
      return
    fi
    say "the TinyGo on the PATH is left alone: $(tinygo version 2>&1 | head -1); wanted is a version of tinygo.sums"
  fi
  for kept in "$cache"/tinygo-[0-9]*/bin/tinygo; do # the newest is the last
    works "$kept" && newest=$kept
  done
  [ -n "$newest" ] || return 1
  say "$("$newest" version) is in the cache"
  echo "$newest"
}

# install moves a finished folder of a version into place; whoever comes second keeps what the first one left.
install() {
  local home=$cache/tinygo-$2
  works "$1/bin/tinygo" || fail "the new command does not run, or is not version $2"
  works "$home/bin/tinygo" || { rm -rf "$home"; mv "$1" "$home"; }
}

from_release() {
  local os arch name version want got
  case $(uname -s) in Linux) os=linux ;; Darwin) os=darwin ;; *) return 1 ;; esac
  case $(uname -m) in x86_64) arch=amd64 ;; arm64 | aarch64) arch=arm64 ;; *) return 1 ;; esac
  read -r version want < <(pinned $os-$arch) || { say "tinygo.sums has no release for $os-$arch"; return 1; }
  name=tinygo$version.$os-$arch.tar.gz
  command -v curl >/dev/null || { say "no curl, so no release archive"; return 1; }
  say "fetching $name (about 60 MB)"
  curl -fsSL --connect-timeout 10 --retry 2 -o "$work/$name" "$releases/v$version/$name" 2>"$work/curl.log" ||
    { say "the release archive is out of reach: $(tail -1 "$work/curl.log")"; return 1; }
  got=$( (sha256sum "$work/$name" 2>/dev/null || shasum -a 256 "$work/$name") | cut -d' ' -f1)
  [ "$got" = "$want" ] || fail "checksum of $name is $got, wanted $want: nothing of it is used"
  mkdir "$work/release" && tar -xzf "$work/$name" -C "$work/release" --strip-components=1 || return 1
  works "$work/release/bin/tinygo" || { say "the release does not run here"; return 1; }
  install "$work/release" "$version"
}

# packages installs what the build from source links against and what the compiler calls.
packages() {
  local want=(llvm-$llvm-dev libclang-$llvm-dev clang-$llvm lld-$llvm wasi-libc libclang-rt-$llvm-dev-wasm32 binaryen) missing=() p
  command -v apt-get >/dev/null || fail "no apt here: install TinyGo from https://tinygo.org/getting-started/install/"
  for p in "${want[@]}"; do
    dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing+=("$p")
  done
  ((${#missing[@]})) || return 0
  [ "$(id -u)" = 0 ] || fail "root is needed once: apt-get install ${missing[*]}"
  say "installing ${#missing[@]} packages with apt (about 1 GB, half a minute)"
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >"$work/apt.log" 2>&1 </dev/null ||
    { tail -5 "$work/apt.log" >&2; fail "apt could not install ${missing[*]}"; }
}

# target writes the compiler's description of WebAssembly in a page. It stands in for the one in
# the source tree, which wants a C library and a garbage collector that the Go module leaves out.
target() {
  local libc=/usr/lib/wasm32-wasi/libc.a
  local rt=/usr/lib/llvm-$llvm/lib/clang/$llvm/lib/wasi/libclang_rt.builtins-wasm32.a f
  for f in $libc $rt; do [ -f "$f" ] || fail "$f is missing: which package of this system holds it?"; done
  cat <<JSON
{
  "llvm-target": "wasm32-unknown-wasi",
  "cpu": "generic",
  "features": "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext,-multivalue,-reference-types",
  "build-tags": ["tinygo.wasm"],
  "goos": "js",
  "goarch": "wasm",
  "linker": "wasm-ld",
  "gc": "precise",
  "scheduler": "asyncify",
  "default-stack-size": 65536,
  "cflags": ["-mbulk-memory", "-mnontrapping-fptoint", "-mno-multivalue", "-mno-reference-types", "-msign-ext",
    "-isystem", "/usr/include/wasm32-wasi"],
  "ldflags": ["--allow-undefined-file={root}/targets/wasm-undefined.txt", "--stack-first", "--no-demangle", "$libc", "$rt"],
  "extra-files": ["src/runtime/asm_tinygowasm.S"],
  "emulator": "node {root}/targets/wasm_exec.js {}"
}
JSON
}

from_source() {
  packages
  local src got version want new=$work/source
  read -r version want < <(pinned module) || fail "tinygo.sums has no module"
  say "fetching the module github.com/tinygo-org/tinygo@v$version"
  (cd "$work" && go mod download -json "github.com/tinygo-org/tinygo@v$version") >"$work/module.json" 2>"$work/go.log" || true
  src=$(sed -n 's/^[[:space:]]*"Dir": "\(.*\)",$/\1/p' "$work/module.json")
  got=$(sed -n 's/^[[:space:]]*"Sum": "\(.*\)",$/\1/p' "$work/module.json")
  [ -d "$src" ] || { cat "$work/go.log" >&2; fail "the Go module proxy did not hand it over"; }
  [ "$got" = "$want" ] || fail "checksum of the module is $got, wanted $want: nothing of it is used"
  mkdir -p "$new/bin"
  cp -r "$src" "$new/root"
  chmod -R u+w "$new/root"
  mkdir -p "$new/root/src/net" # a submodule that the Go module leaves out; the compiler wants the folder
  target >"$new/root/targets/wasm.json"
  say "compiling it (about a minute)"
  (cd "$new/root" && GOFLAGS='-mod=mod -buildvcs=false' CGO_ENABLED=1 go build -trimpath -tags "llvm$llvm" -o ../bin/tinygo.bin .) >"$work/build.log" 2>&1 ||
    { tail -20 "$work/build.log" >&2; fail "it does not compile"; }
  cat >"$new/bin/tinygo" <<'SH'
#!/bin/sh
here=$(cd "$(dirname "$0")/.." && pwd)
TINYGOROOT=$here/root exec "$here/bin/tinygo.bin" "$@"
SH
  chmod +x "$new/bin/tinygo"
  install "$new" "$version"
}

found && exit 0
command -v go >/dev/null || fail "Go is missing: https://go.dev/dl/"
mkdir -p "$cache"
work=$(mktemp -d "$cache/tinygo.XXXXXX") # beside its final place, so that the move is one rename
trap 'chmod -R u+w "$work" 2>/dev/null; rm -rf "$work"' EXIT
if ! from_release; then
  [ "${1:-}" != --release-only ] || fail "no TinyGo: plain Go compiles the WebAssembly, with larger files"
  from_source
fi
found
