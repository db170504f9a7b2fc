/* SHA-256 according to FIPS 180-4, whose names are used for the functions and variables. */
#include "sums.h"

#define BLOCK 64
#define ROUNDS 64

/* FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t K[ROUNDS] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t turned(uint32_t word, int bits) { return word >> bits | word << (32 - bits); }

static inline uint32_t word_at(const uint8_t *at) {
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void add_plain(uint32_t H[8], const uint8_t *at, size_t blocks) {
  for (; blocks > 0; blocks--, at += BLOCK) {
    uint32_t W[ROUNDS];
    for (int t = 0; t < 16; t++) W[t] = word_at(at + 4 * t);
    for (int t = 16; t < ROUNDS; t++) {
      uint32_t s0 = turned(W[t - 15], 7) ^ turned(W[t - 15], 18) ^ W[t - 15] >> 3;
      uint32_t s1 = turned(W[t - 2], 17) ^ turned(W[t - 2], 19) ^ W[t - 2] >> 10;
      W[t] = s1 + W[t - 7] + s0 + W[t - 16];
    }
    uint32_t a = H[0], b = H[1], c = H[2], d = H[3], e = H[4], f = H[5], g = H[6], h = H[7];
    for (int t = 0; t < ROUNDS; t++) {
      uint32_t S1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      uint32_t T1 = h + S1 + ((e & f) ^ (~e & g)) + K[t] + W[t];
      uint32_t S0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      uint32_t T2 = S0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + T1, d = c, c = b, b = a, a = T1 + T2;
    }
    H[0] += a, H[1] += b, H[2] += c, H[3] += d, H[4] += e, H[5] += f, H[6] += g, H[7] += h;
  }
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

static int has_instructions(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSSE3) || !(c & bit_SSE4_1)) return 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

/* The instructions expect a b e f and c d g h, the first letter highest. W holds the last sixteen words, four per vector. */
__attribute__((target("sha,sse4.1"))) static void add_by_instructions(uint32_t H[8], const uint8_t *at, size_t blocks) {
  const __m128i turn = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
  __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)H), 0xb1);
  __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(H + 4)), 0x1b);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
  for (; blocks > 0; blocks--, at += BLOCK) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i W[4];
#pragma GCC unroll 16
    for (int t = 0; t < 16; t++) {
      __m128i *now = &W[t % 4], second = W[(t + 1) % 4], third = W[(t + 2) % 4], last = W[(t + 3) % 4];
      if (t < 4) *now = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)at + t), turn);
      else {
        __m128i seven_before = _mm_alignr_epi8(last, third, 4);
        *now = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(*now, second), seven_before), last);
      }
      __m128i sum = _mm_add_epi32(*now, _mm_load_si128((const __m128i *)K + t));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128((__m128i *)H, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128((__m128i *)(H + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#elif defined(__aarch64__)
#include <arm_neon.h>

static int has_instructions(void) { return cpu_has(HAS_SHA2); }

__attribute__((target("+crypto"))) static void add_by_instructions(uint32_t H[8], const uint8_t *at, size_t blocks) {
  uint32x4_t abcd = vld1q_u32(H), efgh = vld1q_u32(H + 4);
  for (; blocks > 0; blocks--, at += BLOCK) {
    const uint32x4_t abcd_before = abcd, efgh_before = efgh;
    uint32x4_t W[4];
#pragma GCC unroll 16
    for (int t = 0; t < 16; t++) {
      uint32x4_t *now = &W[t % 4], second = W[(t + 1) % 4], third = W[(t + 2) % 4], last = W[(t + 3) % 4];
      if (t < 4) *now = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(at + 16 * t)));
      else *now = vsha256su1q_u32(vsha256su0q_u32(*now, second), third, last);
      uint32x4_t sum = vaddq_u32(*now, vld1q_u32(K + 4 * t));
      uint32x4_t first = abcd;
      abcd = vsha256hq_u32(abcd, efgh, sum);
      efgh = vsha256h2q_u32(efgh, first, sum);
    }
    abcd = vaddq_u32(abcd, abcd_before);
    efgh = vaddq_u32(efgh, efgh_before);
  }
  vst1q_u32(H, abcd);
  vst1q_u32(H + 4, efgh);
}
#endif

void sha256(const uint8_t *bytes, size_t length, char hex[SHA256_HEX]) {
  void (*add)(uint32_t *, const uint8_t *, size_t) = has_instructions() ? add_by_instructions : add_plain;
  /* 5.3.3 */
  uint32_t H[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  add(H, bytes, length / BLOCK);

  /* 5.1.1: a set bit, zeros up to a whole block, and the length in bits at the end. */
  size_t rest = length % BLOCK, end = rest + 1 + 8 <= BLOCK ? BLOCK : 2 * BLOCK;
  uint8_t last[2 * BLOCK];
  for (size_t nth = 0; nth < end; nth++) last[nth] = nth < rest ? bytes[length - rest + nth] : 0;
  last[rest] = 0x80;
  for (int nth = 0; nth < 8; nth++) last[end - 1 - nth] = (uint8_t)((uint64_t)length * 8 >> 8 * nth);
  add(H, last, end / BLOCK);

  for (int nth = 0; nth < SHA256_HEX; nth++) hex[nth] = "0123456789abcdef"[H[nth / 8] >> (28 - nth % 8 * 4) & 15];
}
