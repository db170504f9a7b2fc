#include "sums.h"

/* The generator polynomial of IEEE 802.3, with its bits reflected. */
#define POLYNOMIAL 0xedb88320u

#if defined(__aarch64__)
#include <arm_acle.h>

__attribute__((target("+crc"))) static uint32_t by_instruction(uint32_t sum, const uint8_t *at, size_t length) {
  for (; length >= 8; length -= 8, at += 8) {
    uint64_t eight;
    __builtin_memcpy(&eight, at, 8);
    sum = __crc32d(sum, eight);
  }
  for (; length > 0; length--) sum = __crc32b(sum, *at++);
  return sum;
}
#endif

/* For four bytes per step: table[k][b] is the value of byte b followed by k zero bytes. */
static uint32_t table[4][256];

/* Concurrent threads write the same values. The last entry is never 0 and is written last, so it shows that the table is complete. */
static void fill(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t sum = byte;
    for (int bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >> 1) ^ POLYNOMIAL : sum >> 1;
    table[0][byte] = sum;
  }
  for (int zeros = 1; zeros < 4; zeros++)
    for (uint32_t byte = 0; byte < 256; byte++) {
      uint32_t before = table[zeros - 1][byte];
      __atomic_store_n(&table[zeros][byte], (before >> 8) ^ table[0][before & 255], __ATOMIC_RELEASE);
    }
}

static uint32_t by_table(uint32_t sum, const uint8_t *at, size_t length) {
  if (__atomic_load_n(&table[3][255], __ATOMIC_ACQUIRE) == 0) fill();
  for (; length >= 4; length -= 4, at += 4) {
    sum ^= at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    sum = table[3][sum & 255] ^ table[2][sum >> 8 & 255] ^ table[1][sum >> 16 & 255] ^ table[0][sum >> 24];
  }
  for (; length > 0; length--) sum = (sum >> 8) ^ table[0][(sum ^ *at++) & 255];
  return sum;
}

uint32_t crc32(const uint8_t *bytes, size_t length) {
#if defined(__aarch64__)
  if (cpu_has(HAS_CRC32)) return ~by_instruction(~0u, bytes, length);
#endif
  return ~by_table(~0u, bytes, length);
}
