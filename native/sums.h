/* The checksums that guard uses, without a C library, and with the processor's instructions for them if it has any. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define SHA256_HEX 64

/** SHA-256 (FIPS 180-4) as lower-case hexadecimal digits, without a terminator. */
void sha256(const uint8_t *bytes, size_t length, char hex[SHA256_HEX]);

/** CRC-32 (IEEE 802.3, reflected), as zlib computes it. */
uint32_t crc32(const uint8_t *bytes, size_t length);

/** Checksum of an index page, as in src/store/plain-sums.ts: over all words except the last, which holds the checksum. */
#define PAGE_SUMMED 127
uint32_t page_sum(const uint32_t words[PAGE_SUMMED], uint32_t number);

#if defined(__aarch64__)
/* From <sys/auxv.h> of glibc and musl, resolved when the process loads this file; if Node lacks it, no instructions are used. */
extern unsigned long getauxval(unsigned long) __attribute__((weak));
#define CPU_FEATURES 16
#define HAS_SHA2 (1UL << 6)
#define HAS_CRC32 (1UL << 7)
static inline int cpu_has(unsigned long feature) { return getauxval && (getauxval(CPU_FEATURES) & feature) != 0; }
#endif
