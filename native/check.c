/* Compares the processor's instructions with the plain implementations, and both with published values. Used by native/check.sh. */
#include <stdio.h>
#include <string.h>
#include "crc32.c"
#include "sha256.c"

#define MOST 1000

static int fails;

static void expect(int holds, const char *what, size_t length) {
  if (!holds) fails++, printf("%s differs at %zu bytes\n", what, length);
}

int main(void) {
  uint8_t bytes[MOST];
  char hex[SHA256_HEX];
  for (size_t at = 0; at < MOST; at++) bytes[at] = (uint8_t)(at * 151 + (at >> 3));
  sha256((const uint8_t *)"abc", 3, hex);
  expect(!memcmp(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", SHA256_HEX), "FIPS 180-4", 3);
  expect(crc32((const uint8_t *)"123456789", 9) == 0xcbf43926, "CRC-32", 9);
  expect(~by_table(~0u, (const uint8_t *)"123456789", 9) == 0xcbf43926, "the table", 9);
  const int has_both = has_instructions();
  for (size_t blocks = 0; has_both && blocks * BLOCK <= MOST; blocks++) {
    uint32_t plain[8] = {1, 2, 3, 4, 5, 6, 7, 8}, fast[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    add_plain(plain, bytes, blocks);
    add_by_instructions(fast, bytes, blocks);
    expect(!memcmp(plain, fast, sizeof plain), "SHA-256", blocks * BLOCK);
  }
#if defined(__aarch64__)
  for (size_t length = 0; cpu_has(HAS_CRC32) && length < MOST; length++)
    expect(by_table(~0u, bytes, length) == by_instruction(~0u, bytes, length), "CRC-32", length);
#endif
  printf("%s instructions for SHA-256: %s\n", has_both ? "with" : "without", fails ? "WRONG" : "right");
  return fails != 0;
}
