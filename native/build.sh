#!/bin/sh
# Builds guard-linux-x64.node and guard-linux-arm64.node from guard.c, sha256.c, crc32.c and page.c, and the programs warm-linux-x64
# and warm-linux-arm64 from warm.c. Needs gcc and a cross compiler for the other architecture (Debian:
# gcc-aarch64-linux-gnu, gcc-x86-64-linux-gnu). The files are kept in git; their SHA-256 is in src/repo/native-files.ts. On Debian 12
# (gcc 12.2, binutils 2.40) the build is reproducible byte for byte.
#   native/build.sh [directory]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here}

cc_for() {
  if [ "$(uname -m)" = "$1" ]; then echo gcc; else echo "$1-linux-gnu-gcc"; fi
}

# build ARCHITECTURE NAME [FLAG]: links no library, and puts no path or time of this machine into the file.
build() {
  flags="-O2 -Wall -Wextra -Werror -ffreestanding -nostdlib -fno-tree-loop-distribute-patterns -fno-stack-protector
    -fno-asynchronous-unwind-tables -fno-ident ${3:-} -Wl,--build-id=none -Wl,-z,noexecstack -Wl,-z,norelro -Wl,-z,noseparate-code -s"
  "$(cc_for "$1")" -shared -fPIC -std=c11 -fvisibility=hidden $flags -Wl,--hash-style=gnu -Wl,-z,now \
    -o "$out/guard-linux-$2.node" "$here/guard.c" "$here/sha256.c" "$here/crc32.c" "$here/page.c"
  chmod 644 "$out/guard-linux-$2.node"
  "$(cc_for "$1")" -static -no-pie -std=gnu11 $flags -o "$out/warm-linux-$2" "$here/warm.c"
  chmod 755 "$out/warm-linux-$2"
}

build x86_64 x64 -fcf-protection=none
build aarch64 arm64 -mno-outline-atomics
