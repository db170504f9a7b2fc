#!/bin/sh
# Builds flock-linux-x64.node and flock-linux-arm64.node from flock.c. Needs gcc and, for the architecture that this
# machine is not, its cross compiler (Debian: gcc-aarch64-linux-gnu, gcc-x86-64-linux-gnu). The files are kept in git;
# their SHA-256 is in src/store/flock/native-files.ts. Debian 12 (gcc 12.2, binutils 2.40) makes the same bytes again.
#   native/build.sh [directory]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here}

cc_for() {
  if [ "$(uname -m)" = "$1" ]; then echo gcc; else echo "$1-linux-gnu-gcc"; fi
}

# build ARCHITECTURE NAME [FLAG]: no library is linked, and no path or time of this machine gets into the file.
build() {
  "$(cc_for "$1")" -shared -fPIC -Os -std=c11 -Wall -Wextra -Werror -ffreestanding -nostdlib -fvisibility=hidden \
    -fno-stack-protector -fno-asynchronous-unwind-tables -fno-ident ${3:-} \
    -Wl,--build-id=none -Wl,--hash-style=gnu -Wl,-z,noexecstack -Wl,-z,norelro -Wl,-z,now -Wl,-z,noseparate-code -s \
    -o "$out/flock-linux-$2.node" "$here/flock.c"
  chmod 644 "$out/flock-linux-$2.node"
}

build x86_64 x64 -fcf-protection=none
build aarch64 arm64
