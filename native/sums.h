/* The sums that guard takes. Without a C library, and with what the processor has for them where it has it. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define SHA256_HEX 64

/** SHA-256 (FIPS 180-4) as lower-case hexadecimal digits, without an end. */
void sha256(const uint8_t *bytes, size_t length, char hex[SHA256_HEX]);

/** CRC-32 (IEEE 802.3, reflected), as zlib computes it. */
uint32_t crc32(const uint8_t *bytes, size_t length);

/** Of a page of the ledger's index, as src/store/plain-sums.ts computes it: over all its words but the last, which holds it. */
#define PAGE_SUMMED 127
uint32_t page_sum(const uint32_t words[PAGE_SUMMED], uint32_t number);

#if defined(__aarch64__)
/* From <sys/auxv.h> of glibc and musl, found in the process at load; a Node without it is served without the instructions. */
extern unsigned long getauxval(unsigned long) __attribute__((weak));
#define CPU_FEATURES 16
#define HAS_SHA2 (1UL << 6)
#define HAS_CRC32 (1UL << 7)
static inline int cpu_has(unsigned long feature) { return getauxval && (getauxval(CPU_FEATURES) & feature) != 0; }
#endif
