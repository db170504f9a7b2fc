#!/bin/sh
# Compares the checksums of sha256.c and crc32.c with and without the processor's instructions, and with published values:
# on this machine and, if Debian's qemu-user-static is installed, on others.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

gcc -O2 -std=c11 -Wall -Wextra -Werror -static -o "$made/x64" "$here/check.c"
"$made/x64"
if command -v qemu-x86_64-static >/dev/null; then qemu-x86_64-static -cpu qemu64 "$made/x64" 2>/dev/null; fi
if command -v qemu-aarch64-static >/dev/null; then
  aarch64-linux-gnu-gcc -O2 -std=c11 -Wall -Wextra -Werror -static -o "$made/arm64" "$here/check.c"
  qemu-aarch64-static -cpu max "$made/arm64"
  qemu-aarch64-static -cpu cortex-a76 "$made/arm64"
fi
